/** What a cell looks like, by its bytes alone. */

export const NOTHING = 0
const DIGITS = 1
/** Digits with points, commas or spaces between them. */
const NUMBER = 2
const MOMENT = 3
/** Letters and digits without a blank. */
const CODE = 4
const TEXT = 5
/** How many there are. */
export const LOOKS = 6

/** Longer ones are texts. */
const LONGEST_CODE = 32
const SPACE = 0x20

export function lookOf(heap: Uint8Array, start: number, end: number): number {
  let hasDigits = false
  let hasLetters = false
  let hasMarks = false
  let isMoment = false
  const last = Math.min(end, start + LONGEST_CODE + 1)
  for (let at = start; at < last; at++) {
    const byte = heap[at] as number
    if (byte >= 0x30 && byte <= 0x39) hasDigits = true
    else if (byte === 0x2f || byte === 0x3a || (byte === 0x2d && hasDigits)) isMoment = true
    else if (byte >= 0x41 && byte !== 0x54 && byte !== 0x5a && byte !== 0xc2 && byte !== 0xa0)
      hasLetters = true
    else if (byte === SPACE && hasLetters) return TEXT
    else if (byte !== SPACE || at > start) hasMarks = true
  }
  if (hasLetters) return hasDigits && end - start <= LONGEST_CODE ? CODE : TEXT
  if (!hasDigits) return NOTHING
  if (isMoment || (hasMarks && isDottedDate(heap, start, end))) return MOMENT
  return hasMarks ? NUMBER : DIGITS
}

const POINT = 0x2e

/** `5.1.2024`, `05.01.24`: a point before the last two or four digits, and one or two digits between the points. */
function isDottedDate(heap: Uint8Array, start: number, end: number): boolean {
  return [4, 2].some((year) => {
    const last = end - year - 1
    if (last <= start || heap[last] !== POINT) return false
    return [1, 2].some((month) => {
      const first = last - month - 1
      return heap[first] === POINT && first > start && first <= start + 2
    })
  })
}

/**
 * The looks that a column's values usually have.
 * @param looks how often each occurs; @param least share of those that tell something
 * @returns null: none is so usual that others are exceptions
 */
export function findLook(looks: readonly number[], least: number): readonly number[] | null {
  const seen = (look: number) => looks[look] as number
  const telling = looks.reduce((sum, count) => sum + count, 0) - seen(NOTHING)
  const isUsual = (...some: number[]) =>
    telling > 0 && some.reduce((sum, look) => sum + seen(look), 0) >= least * telling
  for (const look of [DIGITS, MOMENT, CODE, TEXT]) if (isUsual(look)) return [NOTHING, look]
  // Decimals may be whole numbers, and texts may be words with digits in them.
  if (isUsual(DIGITS, NUMBER)) return [NOTHING, DIGITS, NUMBER]
  return isUsual(TEXT, CODE) ? [NOTHING, CODE, TEXT] : null
}
