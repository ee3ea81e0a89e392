/**
 * Infers the type of a column from every distinct value of the whole file. One value that does not fit makes it a string:
 * nothing is guessed from the first rows, and identifiers (leading zeros, more than 15 digits) stay text.
 */

import { stripDiacritics } from '../../base/text/snake-case.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import { mayBeGrouped, type TextNumbers } from '../source/spreadsheet/number-text.ts'
import { decodeText, isPlainDecimal, isPlainInteger, trimEnd, trimStart } from './cell-text.ts'
import { type DateOrderName, OpenDates, type OrderOfDates, weighOrders } from './date-order.ts'
import { ALL_ORDERS, DAY_FIRST, type DateOrder, matchMoment } from './moments.ts'
import {
  ALL_STYLES,
  BOOLEAN_PAIRS,
  type DecimalMark,
  matchNumber,
  type NumberStyle,
  weighMarks,
} from './numbers.ts'

export interface ValueRules {
  readonly nullValues: ReadonlySet<string>
  /** Cells may be empty texts (`report/marks.ts`), which are null except in text columns. */
  readonly hasEmptyTexts?: boolean
  readonly styles: readonly NumberStyle[]
  /** The format has its own numbers, written with a decimal point: they prove nothing about numbers in texts. */
  readonly hasOwnNumbers?: boolean | undefined
  /** The mark for columns that could be read either way, if they would otherwise get different ones. */
  readonly usualMark?: DecimalMark
  /** Facts about texts among a workbook's numbers, and the styles that texts may have. */
  readonly textNumbers?: readonly TextNumbers[] | undefined
  readonly textStyles?: readonly NumberStyle[]
  /** Serial day numbers count from 1904 in this file. */
  readonly is1904?: boolean | undefined
  /** The definition's choice if the values leave it open. */
  readonly decimalMark?: DecimalMark | undefined
  readonly dateOrder?: DateOrderName | undefined
}

/** A type, and how the column writes it. */
export interface Target extends Partial<OrderOfDates> {
  readonly type: ColumnType
  /** A value is read by the first style that it fits. */
  readonly styles: readonly NumberStyle[]
  readonly order: DateOrder
  readonly separated: string | null
  /** A value that may have a thousands separator, and one that proves decimals but is rare or of another kind. */
  readonly doubt?: { readonly example: string; readonly proof: string } | null
  /** A value that could mean another number, if that holds for every value of the column; else null. */
  readonly ambiguous: string | null
  /** The values with the other decimal mark, if all can be read that way; else null. */
  readonly otherwise: { readonly type: ColumnType; readonly styles: readonly NumberStyle[] } | null
  /** The decimal mark that the values prove. */
  readonly mark: DecimalMark | null
  readonly empty: boolean
  /** The definition gives the type: signs around numbers are then part of them, and serial numbers are dates. */
  readonly declared?: boolean
}

export const LONGEST_SCALAR = 64
const MINUS = 0x2d
/** This many values that may have a thousands separator are doubtful beside fewer than one clear decimal in twenty. */
const MANY_GROUPED = 20

class Evidence {
  readonly #among: readonly NumberStyle[]
  readonly #commaStyles: number = 0
  values = 0
  styles = ALL_STYLES
  fractional = 0
  /** Some value is like `1e-7`, which is a number if others have fractions. */
  hasPowers = false
  /** A value that is not only digits. */
  marked: string | null = null
  separated: string | null = null
  /** Values that may have a thousands separator, and others with a fraction; the first of each. */
  #grouped = 0
  #fractions = 0
  #groupedText: string | null = null
  #fraction: string | null = null
  orders = ALL_ORDERS
  readonly openDates = new OpenDates()
  hasTime = false
  /** Words seen, as bits: pair * 2 + truth. */
  words = 0
  allWords = true

  constructor(among: readonly NumberStyle[]) {
    this.#among = among
    for (const { bit, decimalComma } of among) if (decimalComma) this.#commaStyles |= bit
  }

  get hopeless(): boolean {
    return this.styles === 0 && this.orders === 0 && !this.allWords
  }

  /** Only decimals with a point are still possible, and one was seen: another one tells nothing new. */
  get areDecimals(): boolean {
    const { styles, fractional, orders, allWords, separated } = this
    const isSettled = styles !== 0 && (styles & (this.#commaStyles | ~fractional)) === 0
    return isSettled && orders === 0 && !allWords && separated !== null
  }

  /** Fewest and most digits of the whole numbers. */
  leastDigits = Number.POSITIVE_INFINITY
  mostDigits = 0

  /** @param digits its length, or 0 if it has a sign */
  addInteger(digits: number): void {
    this.leastDigits = Math.min(this.leastDigits, digits)
    this.mostDigits = Math.max(this.mostDigits, digits)
    this.orders = 0
    this.allWords = false
  }

  addText(text: string): void {
    this.marked ??= text
    if (this.separated === null && /[.,]/.test(text)) this.separated = text
    if (this.styles !== 0) {
      const number = matchNumber(text, this.#among)
      this.styles &= number.styles | number.powers
      this.fractional |= number.fractional
      this.hasPowers ||= number.powers !== 0
      if (mayBeGrouped(text)) {
        this.#grouped++
        this.#groupedText ??= text
      } else if (number.fractional !== 0) {
        this.#fractions++
        this.#fraction ??= text
      }
    }
    if (this.orders !== 0) {
      const moment = matchMoment(text)
      this.orders &= moment.orders
      if (this.orders === ALL_ORDERS) this.openDates.add(text)
      this.hasTime ||= moment.hasTime
    }
    if (!this.allWords) return
    const word = stripDiacritics(text)
    const pair = BOOLEAN_PAIRS.findIndex((words) => words.includes(word))
    if (pair < 0) this.allWords = false
    else this.words |= 1 << (pair * 2 + (BOOLEAN_PAIRS[pair]?.[1] === word ? 1 : 0))
  }

  /** A decimal when `areDecimals`. */
  addDecimal(heap: Uint8Array, start: number, end: number): void {
    const first = heap[start] === MINUS ? start + 1 : start
    // Such as `123.456`.
    const isGrouped = heap[end - 4] === 0x2e && end - first <= 7 && heap[first] !== 0x30
    if (isGrouped) this.#grouped++
    else this.#fractions++
  }

  /** Nearly all values may have a thousands separator, no plain number is as large, and few are decimals beyond doubt. */
  get doubt(): NonNullable<Target['doubt']> | null {
    const [grouped, example, proof] = [this.#grouped, this.#groupedText, this.#fraction]
    const isRare = grouped >= MANY_GROUPED && this.#fractions * MANY_GROUPED <= grouped && this.mostDigits < 4
    return isRare && example && proof ? { example, proof } : null
  }

  /**
   * Many long numbers of one length, all digits, are codes: quantities differ in length. As texts they keep their order,
   * and their type if a later file has one that begins with 0.
   */
  get isCode(): boolean {
    const { leastDigits, mostDigits, values, marked } = this
    return marked === null && leastDigits === mostDigits && mostDigits > 7 && values >= 20
  }

  /** One pair of words, with both present: `NO` alone may be Norway. `true` or `false` alone is clear. */
  get isBoolean(): boolean {
    const pairs = BOOLEAN_PAIRS.map((_, pair) => (this.words >> (pair * 2)) & 3)
    const used = pairs.filter((seen) => seen !== 0)
    return this.allWords && used.length === 1 && (used[0] === 3 || pairs[0] !== 0)
  }
}

/** The target before any value is seen: text. */
export function targetOf(styles: readonly NumberStyle[]): Target {
  return {
    type: 'string',
    styles,
    order: DAY_FIRST,
    ambiguous: null,
    otherwise: null,
    mark: null,
    separated: null,
    empty: false,
  }
}

/** The narrowest type that all values of a column fit. A column without values is a string. */
export function inferTarget(raw: RawEntries, reading: ValueRules): Target {
  const evidence = new Evidence(reading.styles)
  const target = targetOf(reading.styles)
  for (const [start, end] of values(raw, reading.nullValues)) {
    evidence.values++
    if (isPlainInteger(raw.heap, start, end)) evidence.addInteger(raw.heap[start] === MINUS ? 0 : end - start)
    // `-0` is a whole number, although it is served as 0.
    else if (end - start === 2 && raw.heap[start] === MINUS && raw.heap[start + 1] === 0x30)
      evidence.addInteger(0)
    else if (evidence.areDecimals && isPlainDecimal(raw.heap, start, end))
      evidence.addDecimal(raw.heap, start, end)
    else if (end - start > LONGEST_SCALAR) return target
    else evidence.addText(decodeText(raw.heap, start, end))
    if (evidence.hopeless) return target
  }
  if (evidence.values === 0) return { ...target, empty: true }
  if (evidence.isBoolean) return { ...target, type: 'boolean' }
  if (evidence.orders !== 0) {
    const type = evidence.hasTime ? 'datetime' : 'date'
    return { ...target, type, ...weighOrders(evidence.orders, evidence.openDates) }
  }
  const style = reading.styles.find(({ bit }) => (evidence.styles & bit) !== 0)
  const areCodes = evidence.hasPowers && (evidence.fractional & (style?.bit ?? 0)) === 0
  if (!style || areCodes || evidence.isCode) return target
  const typeOf = ({ bit }: NumberStyle) => ((evidence.fractional & bit) !== 0 ? 'decimal' : 'integer')
  const { other, mark } = weighMarks(evidence.styles, style, evidence.separated, reading.styles)
  return {
    ...target,
    type: typeOf(style),
    styles: [style],
    ambiguous: other ? evidence.separated : null,
    otherwise: other ? { type: typeOf(other), styles: [other] } : null,
    mark,
    separated: evidence.separated,
    doubt: mark === null ? null : evidence.doubt,
  }
}

/** Bounds of the trimmed values that are not null. */
export function* values(raw: RawEntries, nullValues: ReadonlySet<string>): Generator<[number, number]> {
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
