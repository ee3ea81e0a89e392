/** Converts the cells of a column to canonical values of its type, one distinct cell at a time. */

import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import { isEmptyText } from '../report/marks.ts'
import { REPAIRS } from '../report/repairs.ts'
import { formatSerial } from '../source/spreadsheet/number-text.ts'
import {
  decodeText,
  hasMisreadControls,
  isPlainDecimal,
  isPlainInteger,
  replaceControls,
  TextHeap,
  trimEnd,
  trimStart,
} from './cell-text.ts'
import type { Target, ValueRules } from './inference.ts'
import { parseDate, parseDatetime } from './moments.ts'
import { parseNumber, plainMinus, readBoolean } from './numbers.ts'

/** Marks a value that is not of the column's type. */
export const INVALID = 0xffff_ffff

export interface TypedColumn {
  readonly type: ColumnType
  /** Canonical texts; value k (from 1) is entry k - 1. Some may be equal. */
  readonly values: RawEntries
  /** For each cell id, including 0, the empty cell: its value, 0 for null, or INVALID. null: value k is cell k. */
  readonly valueIds: Uint32Array | null
  /** For each cell id: its repairs, as bits. null: no repairs. */
  readonly repairs: Uint16Array | null
}

type Converted = Readonly<{ text: string; repairs: number }>

/** Converts every distinct cell; may trim texts within `raw`. Only a declared type has INVALID cells, which do not fit. */
export function convertColumn(raw: RawEntries, target: Target, reading: ValueRules): TypedColumn {
  const { heap, offsets } = raw
  const cells = offsets.length - 1
  const hasControls = target.type === 'string' && hasMisreadControls(heap, 0, offsets[cells] as number)
  if (!hasControls && isCanonical(raw, target, reading)) {
    return { type: target.type, values: raw, valueIds: null, repairs: null }
  }
  if (target.type === 'string' && !hasControls && !reading.hasEmptyTexts) return trimTexts(raw, reading)

  const values = new TextHeap(cells, heap.length)
  const valueIds = new Uint32Array(cells + 1)
  const repairs = new Uint16Array(cells + 1)
  const convert = CONVERTERS[target.type]
  for (let cell = 1; cell <= cells; cell++) {
    const from = offsets[cell - 1] as number
    const to = offsets[cell] as number
    const end = trimEnd(heap, from, to)
    const start = trimStart(heap, from, end)
    if (reading.hasEmptyTexts && isEmptyText(heap, start, end)) {
      if (target.type === 'string') valueIds[cell] = values.addBytes(heap, start, start)
      else repairs[cell] = REPAIRS.empty_text
      continue
    }
    if (isNull(heap, start, end, reading)) continue
    const trimmed = start > from || end < to ? REPAIRS.trimmed : 0
    if (hasControls && hasMisreadControls(heap, start, end)) {
      const written = decodeText(heap, start, end)
      const text = replaceControls(written)
      repairs[cell] = trimmed | (text === written ? 0 : REPAIRS.misread_windows_1252)
      if (!reading.nullValues.has(text)) valueIds[cell] = values.addText(text)
      continue
    }
    if (target.type === 'string' || isPlain(heap, start, end, target)) {
      valueIds[cell] = values.addBytes(heap, start, end)
      repairs[cell] = trimmed
      continue
    }
    const converted = convert(decodeText(heap, start, end), target, reading)
    valueIds[cell] = converted === null ? INVALID : values.addAscii(converted.text)
    repairs[cell] = trimmed | (converted?.repairs ?? 0)
  }
  return { type: target.type, values: values.entries(), valueIds, repairs }
}

/** Trims texts in place: there may be too many to hold twice. A null keeps its entry, but no cell refers to it. */
function trimTexts(raw: RawEntries, reading: ValueRules): TypedColumn {
  const { heap, offsets } = raw
  const cells = offsets.length - 1
  const valueIds = new Uint32Array(cells + 1)
  const repairs = new Uint16Array(cells + 1)
  let from = 0
  let kept = 0
  for (let cell = 1; cell <= cells; cell++) {
    const to = offsets[cell] as number
    const end = trimEnd(heap, from, to)
    const start = trimStart(heap, from, end)
    if (!isNull(heap, start, end, reading)) {
      valueIds[cell] = cell
      if (start > from || end < to) repairs[cell] = REPAIRS.trimmed
    }
    if (start > kept) heap.copyWithin(kept, start, end)
    kept += end - start
    offsets[cell] = kept
    from = to
  }
  return { type: 'string', values: { heap: heap.subarray(0, kept), offsets }, valueIds, repairs }
}

function isNull(heap: Uint8Array, start: number, end: number, { nullValues }: ValueRules): boolean {
  return start === end || (nullValues.size > 0 && nullValues.has(decodeText(heap, start, end)))
}

/** Whether a number is already canonical. */
function isPlain(heap: Uint8Array, start: number, end: number, { type, styles }: Target): boolean {
  if (type !== 'integer' && type !== 'decimal') return false
  if (isPlainInteger(heap, start, end)) return true
  return type === 'decimal' && styles[0]?.decimalComma === false && isPlainDecimal(heap, start, end)
}

/** Whether every cell is already canonical, as in most columns of texts or numbers. */
function isCanonical({ heap, offsets }: RawEntries, target: Target, reading: ValueRules): boolean {
  const cells = offsets.length - 1
  for (let cell = 0; cell < cells; cell++) {
    const from = offsets[cell] as number
    const to = offsets[cell + 1] as number
    if (target.type !== 'string' && !isPlain(heap, from, to, target)) return false
    if (trimEnd(heap, from, to) !== to || trimStart(heap, from, to) !== from) return false
    if (isNull(heap, from, to, reading)) return false
  }
  return true
}

const CONVERTERS: Record<
  ColumnType,
  (text: string, target: Target, reading: ValueRules) => Converted | null
> = {
  string: (text) => ({ text, repairs: 0 }),
  integer: toNumber,
  decimal: toNumber,
  boolean: (text) => {
    const value = readBoolean(text)
    if (value === null) return null
    const word = String(value)
    return { text: word, repairs: text.toLowerCase() === word ? 0 : REPAIRS.boolean_word }
  },
  date: toMoment,
  datetime: toMoment,
}

/** A text as a value of a column, in canonical form; null if it is not one. */
export function readAs(text: string, target: Target): string | null {
  return CONVERTERS[target.type](text, target, { nullValues: new Set(), styles: target.styles })?.text ?? null
}

/** Only declared integers may have leading zeros and 16 digits. A number with an exponent is measured, and `-0` is 0. */
function toNumber(written: string, target: Target): Converted | null {
  const { text, repairs } = plainSigns(written, target)
  const isInteger = target.type === 'integer'
  const zeros = /^-?0\d/.test(text) ? REPAIRS.leading_zeros : 0
  if (isInteger && /^[+-]?\d+$/.test(text)) {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) return null
    return { text: String(value === 0 ? 0 : value), repairs: repairs | zeros }
  }
  const bare = isInteger ? text : text.replace(/^(-?)0+(?=\d)/, '$1')
  const number = parseNumber(text, target.styles) ?? parseNumber(bare, target.styles)
  if (number === null) return null
  if (isInteger && (number.hasExponent || number.rounded || !Number.isSafeInteger(number.value))) return null
  return {
    text: String(number.value),
    repairs:
      repairs |
      (number.grouped ? REPAIRS.thousands_separator : 0) |
      (number.decimalComma ? REPAIRS.decimal_comma : 0) |
      (number.rounded ? REPAIRS.rounded : 0) |
      (isInteger && number.hasFraction ? REPAIRS.zero_fraction : 0) |
      zeros,
  }
}

/** Days from 1927 to 2173; a number with fewer digits may be a year, one with more a date without separators. */
const SERIALS = { date: /^\d{5}$/, datetime: /^\d{5}([.,]\d+)?$/ }

function toMoment(text: string, { type, declared, order }: Target, { is1904 }: ValueRules): Converted | null {
  const kind = type === 'date' ? type : 'datetime'
  // A moment that lost its format: only a declared type distinguishes it from a number.
  const isSerial = declared && SERIALS[kind].test(text)
  const serial = isSerial ? formatSerial(text.replace(',', '.'), kind, is1904 === true) : null
  const moment = (kind === 'date' ? parseDate : parseDatetime)(serial ?? text, order)
  if (moment === null) return null
  const form = serial !== null ? REPAIRS.serial_date : moment.reformatted ? REPAIRS.date_format : 0
  return { text: moment.text, repairs: form | (moment.assumedUtc ? REPAIRS.assumed_utc : 0) }
}

/**
 * Removes signs around a number. `+5`, `5-` and `5 %` may be codes or mean something else, so only a declared type reads
 * them as numbers; inferred number columns do not have any.
 */
function plainSigns(written: string, { declared }: Target): { text: string; repairs: number } {
  let text = plainMinus(written)
  let repairs = text === written ? 0 : REPAIRS.minus_sign
  if (!declared) return { text, repairs }
  if (/\d\s?%$/.test(text)) {
    text = text.replace(/\s?%$/, '')
    repairs |= REPAIRS.percent_sign
  }
  if (/^\+[\d.,]/.test(text)) {
    text = text.slice(1)
    repairs |= REPAIRS.plus_sign
  }
  if (/^\d.*-$/.test(text)) {
    text = `-${text.slice(0, -1)}`
    repairs |= REPAIRS.minus_sign
  }
  return { text, repairs }
}
