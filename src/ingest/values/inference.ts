/**
 * What type a column is, judged by every distinct value of the whole file. One value that does not fit makes it a
 * string: nothing is guessed from the first rows, and identifiers (leading zeros, more than 15 digits) stay text.
 */

import type { ColumnType } from '../../engine/column.ts'
import { stripDiacritics } from '../../text/snake-case.ts'
import { decodeText, isMinusZero, isPlainInteger, trimEnd, trimStart } from './cell-text.ts'
import { ALL_ORDERS, type DateOrder, matchMoment, preferredOrder } from './moments.ts'
import { ALL_STYLES, matchNumber, type NumberStyle } from './numbers.ts'

/** The distinct cells of a column as the file has them. */
export interface RawColumn {
  readonly heap: Uint8Array
  readonly offsets: Uint32Array
}

export interface Reading {
  /** Texts that mean null. */
  readonly nullValues: ReadonlySet<string>
  /** Number styles by preference. */
  readonly styles: readonly NumberStyle[]
}

/** A type, and how the column writes it. */
export interface Target {
  readonly type: ColumnType
  /** The first one that a value fits is meant. */
  readonly styles: readonly NumberStyle[]
  readonly order: DateOrder
  /** A value that could as well mean another number, when every value of the column could; else null. */
  readonly ambiguous: string | null
  /** No value at all. */
  readonly empty: boolean
}

/** Pairs of words, false first. A column of booleans keeps to one pair. */
const BOOLEAN_PAIRS: readonly (readonly [string, string])[] = [
  ['false', 'true'],
  ['nu', 'da'],
  ['no', 'yes'],
  ['fals', 'adevarat'],
]
const LONGEST_SCALAR = 64
const MINUS = 0x2d
const CODE_DIGITS = 8
const CODE_VALUES = 20

/** The boolean a word stands for, in whichever pair; null for any other text. */
export function readBoolean(text: string): boolean | null {
  const word = stripDiacritics(text)
  if (word === '1' || word === '0') return word === '1'
  const pair = BOOLEAN_PAIRS.find((words) => words.includes(word))
  return pair ? pair[1] === word : null
}

/** What the values seen so far have in common. */
class Evidence {
  values = 0
  styles = ALL_STYLES
  fractional = 0
  /** A number that is not written in digits alone. */
  marked: string | null = null
  orders = ALL_ORDERS
  hasTime = false
  /** Words seen, as bits: pair * 2 + truth. */
  words = 0
  allWords = true

  get hopeless(): boolean {
    return this.styles === 0 && this.orders === 0 && !this.allWords
  }

  /** Fewest and most digits of the whole numbers. */
  leastDigits = Number.POSITIVE_INFINITY
  mostDigits = 0

  /** @param digits its length, or 0 when it has a sign */
  addInteger(digits: number): void {
    this.leastDigits = Math.min(this.leastDigits, digits)
    this.mostDigits = Math.max(this.mostDigits, digits)
    this.orders = 0
    this.allWords = false
  }

  addText(text: string): void {
    this.marked ??= text
    if (this.styles !== 0) {
      const number = matchNumber(text)
      this.styles &= number.styles
      this.fractional |= number.fractional
    }
    if (this.orders !== 0) {
      const moment = matchMoment(text)
      this.orders &= moment.orders
      this.hasTime ||= moment.hasTime
    }
    if (this.allWords) this.addWord(stripDiacritics(text))
  }

  /**
   * Many long numbers of one length, written in digits alone, are codes: quantities differ in length. As texts they
   * keep their order, and stay what they are when a later file brings one that begins with 0.
   */
  get isCode(): boolean {
    const { leastDigits, mostDigits, values, marked } = this
    return marked === null && leastDigits === mostDigits && mostDigits >= CODE_DIGITS && values >= CODE_VALUES
  }

  private addWord(word: string): void {
    const pair = BOOLEAN_PAIRS.findIndex((words) => words.includes(word))
    if (pair < 0) this.allWords = false
    else this.words |= 1 << (pair * 2 + (BOOLEAN_PAIRS[pair]?.[1] === word ? 1 : 0))
  }

  /** One pair of words, both of them: `NO` alone may be Norway. `true` or `false` alone is clear. */
  get isBoolean(): boolean {
    const pairs = BOOLEAN_PAIRS.map((_, pair) => (this.words >> (pair * 2)) & 3)
    const used = pairs.filter((seen) => seen !== 0)
    return this.allWords && used.length === 1 && (used[0] === 3 || pairs[0] !== 0)
  }
}

/** The narrowest type that all values of a column fit. A column without values is a string. */
export function inferTarget(raw: RawColumn, reading: Reading): Target {
  const evidence = new Evidence()
  const target = { styles: reading.styles, order: preferredOrder(ALL_ORDERS), ambiguous: null, empty: false }
  for (const [start, end] of values(raw, reading.nullValues)) {
    evidence.values++
    if (isPlainInteger(raw.heap, start, end)) evidence.addInteger(raw.heap[start] === MINUS ? 0 : end - start)
    else if (isMinusZero(raw.heap, start, end)) evidence.addInteger(0)
    else if (end - start > LONGEST_SCALAR) return { ...target, type: 'string' }
    else evidence.addText(decodeText(raw.heap, start, end))
    if (evidence.hopeless) return { ...target, type: 'string' }
  }
  if (evidence.values === 0) return { ...target, type: 'string', empty: true }
  if (evidence.isBoolean) return { ...target, type: 'boolean' }
  if (evidence.orders !== 0) {
    return { ...target, type: evidence.hasTime ? 'datetime' : 'date', order: preferredOrder(evidence.orders) }
  }
  const style = reading.styles.find(({ bit }) => (evidence.styles & bit) !== 0)
  if (!style || evidence.isCode) return { ...target, type: 'string' }
  const other = reading.styles.some((s) => (evidence.styles & s.bit) !== 0 && contradicts(s, style))
  const type = (evidence.fractional & style.bit) !== 0 ? 'decimal' : 'integer'
  return { ...target, type, styles: [style], ambiguous: other ? evidence.marked : null }
}

/** Two styles that read the same mark differently. */
function contradicts(a: NumberStyle, b: NumberStyle): boolean {
  return a.decimalComma !== b.decimalComma
}

/** How a column writes the type that is declared for it: the way most of its values fit. */
export function declaredTarget(type: ColumnType, raw: RawColumn, reading: Reading): Target {
  const target = {
    type,
    styles: reading.styles,
    order: preferredOrder(ALL_ORDERS),
    ambiguous: null,
    empty: false,
  }
  const fits = new Map<number, number>()
  const count = (bits: number) => {
    for (let bit = 1; bit <= bits; bit *= 2) if ((bits & bit) !== 0) fits.set(bit, (fits.get(bit) ?? 0) + 1)
  }
  if (type === 'string' || type === 'boolean') return target
  const numeric = type === 'integer' || type === 'decimal'
  for (const [start, end] of values(raw, reading.nullValues)) {
    if (end - start > LONGEST_SCALAR || (numeric && isPlainInteger(raw.heap, start, end))) continue
    const text = decodeText(raw.heap, start, end)
    if (!numeric) count(matchMoment(text).orders)
    else {
      const { styles, fractional } = matchNumber(text)
      count(type === 'integer' ? styles & ~fractional : styles)
    }
  }
  const most = (bit: number) => fits.get(bit) ?? 0
  if (!numeric) {
    const order = most(2) > most(1) ? 2 : 1
    return { ...target, order }
  }
  const styles = reading.styles.toSorted((a, b) => most(b.bit) - most(a.bit))
  return { ...target, styles }
}

/** Bounds of the trimmed values that are not null. */
function* values(raw: RawColumn, nullValues: ReadonlySet<string>): Generator<[number, number]> {
  const { heap, offsets } = raw
  const bounds: [number, number] = [0, 0]
  for (let entry = 0; entry + 1 < offsets.length; entry++) {
    const end = trimEnd(heap, offsets[entry] as number, offsets[entry + 1] as number)
    const start = trimStart(heap, offsets[entry] as number, end)
    if (start === end || (nullValues.size > 0 && nullValues.has(decodeText(heap, start, end)))) continue
    bounds[0] = start
    bounds[1] = end
    yield bounds
  }
}
