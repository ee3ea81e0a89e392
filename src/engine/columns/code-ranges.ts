/** Sets of codes as ascending ranges `[low, high]`, both included, none touching the next. */

export type CodeRange = readonly [low: number, high: number]
export type CodeRanges = readonly CodeRange[]

/** The codes in any of the given ranges, which may overlap, touch, be empty (`low > high`) and come in any order. */
export function joinRanges(ranges: CodeRanges): CodeRanges {
  const sorted = ranges.filter(([low, high]) => low <= high).sort((a, b) => a[0] - b[0])
  const joined: [number, number][] = []
  for (const [low, high] of sorted) {
    const last = joined.at(-1)
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else joined.push([low, high])
  }
  return joined
}

/** The codes in both sets. */
export function intersectRanges(left: CodeRanges, right: CodeRanges): CodeRanges {
  const shared: CodeRange[] = []
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const [leftLow, leftHigh] = left[i]!
    const [rightLow, rightHigh] = right[j]!
    const low = Math.max(leftLow, rightLow)
    const high = Math.min(leftHigh, rightHigh)
    if (low <= high) shared.push([low, high])
    if (leftHigh < rightHigh) i++
    else j++
  }
  return shared
}

/** The codes from `low` to `high` that the set does not hold. */
export function gapsBetween(ranges: CodeRanges, low: number, high: number): CodeRanges {
  const gaps: CodeRange[] = []
  let next = low
  for (const range of ranges) {
    if (range[0] > next) gaps.push([next, range[0] - 1])
    next = range[1] + 1
  }
  if (next <= high) gaps.push([next, high])
  return gaps
}
