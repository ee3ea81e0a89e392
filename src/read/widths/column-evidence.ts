/** What the records of the right width prove about a column: which cells it has, and which it could have. */

import { isMissingMark } from '../structure/cell-kinds.ts'

/** A distinct cell as it is, and its number of rows. */
export type CountedCell = Readonly<{ text: string; count: number }>

/** The fewest values that show a code or a shape. */
const FEW_VALUES = 5
/** Rows from which a value of another length does not belong to a code. */
export const PROVEN_ROWS = 20
const MOST_SHAPES = 12
const MOST_CATEGORIES = 200
/** Share of the values below which a length or a shape is an exception, whose row may be damaged. */
export const RARE = 0.02

/** The form of a number that is only digits. */
export const PLAIN = 1
const GROUPED_BY_COMMA = 8

/** Each form of numbers that a column may have, as a bit. */
const NUMBER_FORMS: readonly (readonly [bit: number, form: RegExp])[] = [
  [PLAIN, /^[-+\u2212]?(?:0|[1-9]\d*)%?$/],
  [GROUPED_BY_COMMA, /^[-+\u2212]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?%?$/],
  [2, /^[-+\u2212]?(?:\d+\.\d+|\d+(?:\.\d+)?e[-+]?\d+)\s?%?$/i],
  [4, /^[-+\u2212]?\d+,\d+\s?%?$/],
  [16, /^[-+\u2212]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?\s?%?$/],
  [32, /^[-+\u2212]?[1-9]\d{0,2}(?:[ \u00a0\u202f']\d{3})+(?:[.,]\d+)?\s?%?$/],
]

/** The forms in which a text is a number, as bits; 0: it isn't a number. */
export function numberForms(text: string): number {
  const first = text.charCodeAt(0)
  const isBegun = (first >= 48 && first <= 57) || first === 45 || first === 43 || first === 0x2212
  if (!isBegun) return 0
  return NUMBER_FORMS.reduce((bits, [bit, form]) => (form.test(text) ? bits | bit : bits), 0)
}

/** Whether a column has numbers with commas between thousands. */
export function hasGroups({ kind, forms }: ColumnEvidence): boolean {
  return kind === 'number' && (forms & GROUPED_BY_COMMA) !== 0
}

/** The shape of `2024-01-05` is `9999-99-99`, that of `RO12` is `aa99`; a text without digits, or with words, has none. */
export function shapeOf(text: string): string {
  if (text.length > 32 || !/\d/.test(text) || /\p{L}{4}|\p{L}\s|\s\p{L}/u.test(text)) return ''
  return text.replace(/\d/g, '9').replace(/\p{L}/gu, 'a')
}

/** Whether a text consists of digits, at least one. */
export function isDigits(text: string): boolean {
  return /^\d+$/.test(text)
}

type Kind = 'none' | 'number' | 'code' | 'shape' | 'category' | 'text'

/** Numbers of rows and of distinct values. */
interface Tally {
  rows: number
  values: number
}

export class ColumnEvidence {
  kind: Kind = 'none'
  /** For a code: there are enough values of these lengths, and they are long enough, to rule out any other number. */
  isProvenCode = false
  /** Rows with a value, and without one. */
  filled = 0
  blank = 0
  /** Rows and distinct values, except marks for a missing value. */
  telling = 0
  values = 0
  readonly numbers: Tally = { rows: 0, values: 0 }
  /** Values that are only digits, and how many rows have each length. */
  readonly digits: Tally = { rows: 0, values: 0 }
  readonly lengths = new Map<number, number>()
  /** Values with a shape, and how many rows have each shape, such as `9999-99-99`. */
  readonly shaped: Tally = { rows: 0, values: 0 }
  readonly shapes = new Map<string, number>()
  /** Values seen more than once, with their number of rows, as in a category. */
  readonly known = new Map<string, number>()
  repeatedRows = 0
  /** Forms of numbers that occur, as bits of `NUMBER_FORMS`; the most digits before the decimal mark. */
  forms = 0
  mostDigits = 0
  hasLeadingZero = false
  /** Some cell contains a delimiter, so the file quotes it there; some cell begins with a space. */
  hasDelimiters = false
  beginsBlank = false

  add(cell: string, count: number, delimiter: string): void {
    const text = cell.trim()
    this.filled += count
    this.hasDelimiters ||= text.includes(delimiter)
    this.beginsBlank ||= /^\s/.test(cell)
    if (isMissingMark(text)) return
    this.telling += count
    this.values++
    if (count > 1 && this.known.size <= MOST_CATEGORIES) {
      this.known.set(text, (this.known.get(text) ?? 0) + count)
      this.repeatedRows += count
    }
    const forms = numberForms(text)
    if (forms !== 0) {
      this.forms |= forms
      const whole = /\d+(?:[., '\u00a0\u202f]\d{3}(?!\d))*/.exec(text)?.[0] ?? ''
      this.mostDigits = Math.max(this.mostDigits, whole.replace(/\D/g, '').length)
      tally(this.numbers, count)
    }
    if (isDigits(text)) {
      tally(this.digits, count)
      this.hasLeadingZero ||= text.length > 1 && text.startsWith('0')
      this.lengths.set(text.length, (this.lengths.get(text.length) ?? 0) + count)
    }
    const shape = shapeOf(text)
    if (shape === '') return
    tally(this.shaped, count)
    if (this.shapes.size <= 4 * MOST_SHAPES) this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + count)
  }

  /** Call it once, after the last cell. @param rows of the right width */
  settle(rows: number): void {
    this.blank = rows - this.filled
    this.kind = this.#findKind()
    // A running number may have the same length for a while.
    const isLong = Math.min(...this.lengths.keys()) > 3
    this.isProvenCode = this.digits.rows >= PROVEN_ROWS && (this.hasLeadingZero || isLong)
  }

  /** Enough values, by rows and by distinct ones, to decide the kind of a column. */
  #isMost({ rows, values }: Tally): boolean {
    return rows > 0 && rows >= 0.85 * this.telling && values >= 0.6 * this.values
  }

  /** Digits of one length, or of few lengths with leading zeros: codes, whatever they count. */
  #isCode(): boolean {
    const { digits, lengths, hasLeadingZero } = this
    if (!this.#isMost(digits) || digits.rows < FEW_VALUES) return false
    const usual = [...lengths].filter(([, count]) => count >= RARE * digits.rows)
    const [[only] = [0]] = usual
    if (usual.length === 1) return only > 1 && digits.values > 2
    return hasLeadingZero && usual.length < 4
  }

  #isCategory(): boolean {
    const { known, repeatedRows, telling } = this
    if (known.size < 2 || known.size > MOST_CATEGORIES) return false
    return repeatedRows >= 0.9 * telling && repeatedRows >= 3 * known.size
  }

  #findKind(): Kind {
    const { shaped, shapes } = this
    if (this.values === 0) return this.filled === 0 ? 'none' : 'text'
    if (this.#isCode()) return 'code'
    if (this.#isMost(this.numbers)) return 'number'
    if (this.#isMost(shaped) && shaped.rows >= FEW_VALUES && shapes.size <= MOST_SHAPES) return 'shape'
    return this.#isCategory() ? 'category' : 'text'
  }
}

function tally(target: Tally, count: number): void {
  target.rows += count
  target.values++
}

/**
 * @param cells distinct cells of records of the right width, without the empty one
 * @param rows of the right width
 */
export function learnColumn(cells: Iterable<CountedCell>, rows: number, delimiter: string): ColumnEvidence {
  const seen = new ColumnEvidence()
  for (const { text, count } of cells) if (count > 0 && text.trim() !== '') seen.add(text, count, delimiter)
  seen.settle(rows)
  return seen
}
