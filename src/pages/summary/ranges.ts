import type { ValueCounts } from '../../engine/filter/code-counts.ts'

export interface Range {
  readonly from: string
  /** Where the next range begins; undefined for a single whole number. */
  readonly to: string | undefined
  readonly rows: number
}

/** Columns with at most this many distinct numbers, such as grades or months, show them one by one. */
const FEW_VALUES = 20
const BINS = 40

/** The ranges of a column of numbers; empty if it has few distinct values. */
export function rangesOf(counts: ValueCounts): Range[] {
  if (counts.distinct <= FEW_VALUES) return []
  const isUsed = (count: number) => count > 0
  const [least, most] = [
    1 + counts.byCode.subarray(1).findIndex(isUsed),
    counts.byCode.findLastIndex(isUsed),
  ].map((code) => Number(counts.textOf(code))) as [number, number]
  const width = niceWidth((most - least) / BINS, counts.type === 'integer')
  const start = Math.floor(least / width)
  const bins = Math.floor(most / width) - start + 1
  const sums = sumRuns(counts, bins, (text, index) => Math.floor(Number(text) / width) - start >= index)
  const write = (index: number) => String(Number(((start + index) * width).toPrecision(12)))
  // A bin of one whole number is not a range.
  const isRange = counts.type !== 'integer' || width !== 1
  return sums.map((rows, index) => ({ from: write(index), to: isRange ? write(index + 1) : undefined, rows }))
}

/**
 * Sums runs of codes, which are in the order of their values. A column may have millions of codes, so a binary search
 * finds only the start of each run.
 * @param begins whether a value belongs to run `index` or a later one
 */
function sumRuns(
  { byCode, textOf }: ValueCounts,
  runs: number,
  begins: (text: string, index: number) => boolean,
): number[] {
  const firstOf = (index: number, from: number) => {
    let low = from
    let high = byCode.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (begins(textOf(middle), index)) high = middle
      else low = middle + 1
    }
    return low
  }
  const sums: number[] = []
  let from = firstOf(0, 1)
  for (let index = 0; index < runs; index++) {
    const until = firstOf(index + 1, from)
    let sum = 0
    for (let code = from; code < until; code++) sum += byCode[code]!
    sums.push(sum)
    from = until
  }
  return sums
}

/** At least `width`, and 1, 2 or 5 times a power of ten, so that ranges begin at round numbers. */
function niceWidth(width: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(width))
  const nice = ([1, 2, 5, 10].find((factor) => factor * power >= width) ?? 10) * power
  return isWhole ? Math.max(1, nice) : nice
}
