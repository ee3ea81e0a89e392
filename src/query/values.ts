/** Turns texts of a query into typed values (contract 3). Nothing here knows which parameter a text came from. */

import { shorten } from '../base/text/fit-text.ts'
import type { ColumnType, Value } from '../engine/columns/column.ts'
import { readNumber, stylesBy } from '../read/values/numbers.ts'

/** Why a text is not a value: a sentence for the caller, and what may have been meant. */
export interface Refusal {
  readonly message: string
  readonly suggestions?: readonly string[]
}

/** Whether a coercion ended in a refusal; values are primitives, refusals are objects. */
export function isRefusal(result: Value | readonly Value[] | Refusal): result is Refusal {
  return typeof result === 'object' && !Array.isArray(result)
}

const COERCIONS: Readonly<Record<ColumnType, (text: string) => Value | Refusal>> = {
  string: (text) => text,
  integer: toInteger,
  decimal: toDecimal,
  boolean: toBoolean,
  date: toDate,
  datetime: toDatetime,
}

/** Reads one filter value for a column of `type`, or says why it cannot be one. */
export function coerceValue(type: ColumnType, text: string): Value | Refusal {
  return COERCIONS[type](text)
}

/** Exponents are allowed as lists show them: `1e-7`, `1.5e+21`. */
const NUMBER = /^-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?$/
const WHOLE_NUMBER = /^-?[0-9]+(\.0+)?$/

function toInteger(text: string): number | Refusal {
  if (!NUMBER.test(text)) return notNumber(text, 'an integer', Number.isSafeInteger)
  const value = Number(text)
  const isWhole = text.includes('e') ? Number.isInteger(value) : WHOLE_NUMBER.test(text)
  if (!isWhole) return notNumber(text, 'a whole number', Number.isSafeInteger)
  if (!Number.isSafeInteger(value)) {
    return { message: `${quote(text)} is outside of ±9007199254740991, the range of integers` }
  }
  return value + 0
}

function toDecimal(text: string): number | Refusal {
  if (!NUMBER.test(text)) return notNumber(text, 'a number', Number.isFinite)
  const value = Number(text)
  if (!Number.isFinite(value)) return { message: `${quote(text)} is outside of the range of decimals` }
  return value + 0
}

/** Suggests the numbers that a text in another notation may be: `1,000` is 1000, or 1 with a decimal comma. */
function notNumber(text: string, kind: string, fits: (value: number) => boolean): Refusal {
  const message = `${quote(text)} is not ${kind}`
  const plain = text
    .trim()
    .replace(/^\+/, '')
    .replace(/[eE][+ ]?/, 'e')
  const read = (['.', ','] as const).map((mark) => readNumber(plain, stylesBy(mark)) ?? Number.NaN)
  const found = [...new Set(read.filter(fits))].map(String)
  const suggestions = found.length === 0 && NUMBER.test(plain) && fits(Number(plain)) ? [plain] : found
  if (suggestions.length === 0) return { message }
  const mark = plain.includes(',') ? 'comma' : 'point'
  const either = suggestions.length > 1 ? `, and its ${mark} may separate thousands or decimals` : ''
  return { message: message + either, suggestions }
}

const MOST_DIGITS = 1000

/**
 * Reads a value to compare with a result: like `coerceValue`, but numbers stay exact texts, and integers have no bounds.
 */
export function coerceExact(type: ColumnType, text: string): Value | Refusal {
  const isNumber = type === 'integer' || type === 'decimal'
  if (!isNumber || text.includes('e') || !NUMBER.test(text)) return coerceValue(type, text)
  if (type === 'integer' && !WHOLE_NUMBER.test(text)) return coerceValue(type, text)
  return text.length > MOST_DIGITS ? { message: `${quote(text)} has more than ${MOST_DIGITS} digits` } : text
}

const TRUE_WORDS = ['da', 'yes', 'y', 't', '1', 'true', 'adevarat']
const FALSE_WORDS = ['nu', 'no', 'n', 'f', '0', 'false', 'fals']

/** Reads `true` or `false`, for boolean columns, `is_null` and `count`. */
export function toBoolean(text: string): boolean | Refusal {
  if (text === 'true') return true
  if (text === 'false') return false
  const spelling = text.trim().toLowerCase()
  const isFalse = FALSE_WORDS.includes(spelling)
  const meant = TRUE_WORDS.includes(spelling) ? ['true'] : isFalse ? ['false'] : ['true', 'false']
  return { message: `${quote(text)} is not a boolean; write true or false`, suggestions: meant }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

function toDate(text: string): string | Refusal {
  if (!DATE.test(text))
    return { message: `${quote(text)} is not a date; write YYYY-MM-DD`, ...dateHint(text) }
  return isCalendarDay(text) ? text : { message: `${quote(text)} is not a day of the calendar` }
}

/** What a day in another notation may have meant: the day of a datetime, or `31.01.2021`. */
function dateHint(text: string): { suggestions?: readonly string[] } {
  const iso = /^(\d{4}-\d{2}-\d{2})[Tt ]/.exec(text)?.[1]
  const dotted = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text)
  const meant =
    iso ?? (dotted && `${dotted[3]}-${dotted[2]!.padStart(2, '0')}-${dotted[1]!.padStart(2, '0')}`)
  return meant && !isRefusal(toDate(meant)) ? { suggestions: [meant] } : {}
}

/** A day past the end of a month may parse as a day of the next month. */
function isCalendarDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

const DATETIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2}))$/
const PLUS_BECAME_BLANK = /^(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?) (\d{2}:\d{2})$/
const NO_ZONE = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)([Zz]?)$/

/** Like `coerceValue`, but a date for a datetime column stays a date: it means the whole day. */
export function coerceToEqual(type: ColumnType, text: string): Value | Refusal {
  return coerceValue(type === 'datetime' && DATE.test(text) ? 'date' : type, text)
}

/** RFC 3339 to the stored form: UTC with `Z`, without a zero fraction or trailing zeros; a date becomes its midnight. */
function toDatetime(text: string): string | Refusal {
  if (DATE.test(text)) {
    const day = toDate(text)
    return isRefusal(day) ? day : `${day}T00:00:00Z`
  }
  const parts = DATETIME.exec(text)
  if (parts === null) return notDatetime(text)
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as number[]
  const outside = { message: `${quote(text)} is not a moment of the calendar` }
  if (!isCalendarDay(text.slice(0, 10)) || hour! > 23 || minute! > 59 || second! > 59) return outside
  const offsetHours = Number(parts[10] ?? 0)
  const offsetMinutes = Number(parts[11] ?? 0)
  if (offsetHours > 23 || offsetMinutes > 59) return outside
  const offset = (parts[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes)
  const moment = new Date(0)
  moment.setUTCFullYear(year!, month! - 1, day!)
  moment.setUTCHours(hour!, minute! - offset, second!)
  if (moment.getUTCFullYear() < 0 || moment.getUTCFullYear() > 9999) return outside
  const fraction = (parts[7] ?? '').replace(/0+$/, '')
  return `${moment.toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`
}

function notDatetime(text: string): Refusal {
  const blank = PLUS_BECAME_BLANK.exec(text)
  if (blank !== null) {
    return {
      message: `${quote(text)} holds a blank where its offset begins: a plus sign in an address is written %2B`,
      suggestions: [`${blank[1]}%2B${blank[2]}`],
    }
  }
  const local = NO_ZONE.exec(text)
  return {
    message: `${quote(text)} is not a datetime; write RFC 3339 such as 2021-01-10T17:00:00Z, or YYYY-MM-DD`,
    ...(local !== null && { suggestions: [`${local[1]}T${local[2]}Z`] }),
  }
}

/**
 * Splits the value of `in` / `not_in` at commas. An item that begins with a double quote extends to the closing one (inner
 * quotes doubled) and may contain commas; everything else is literal, including blanks.
 */
export function splitList(text: string): string[] | Refusal {
  if (text === '') return { message: 'the list is empty: write its values between commas' }
  const items: string[] = []
  let at = 0
  for (;;) {
    if (text.charCodeAt(at) === 0x22) {
      const end = closingQuote(text, at + 1)
      if (end === -1) return { message: `the quote opened before ${quote(text.slice(at + 1))} is not closed` }
      if (end + 1 < text.length && text[end + 1] !== ',') {
        return { message: `a comma must follow the closing quote in ${quote(text.slice(at, end + 2))}` }
      }
      items.push(text.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
    } else {
      const comma = text.indexOf(',', at)
      const end = comma === -1 ? text.length : comma
      if (end === at)
        return { message: 'the list holds an empty item: leave out a comma, or write "" for the empty text' }
      items.push(text.slice(at, end))
      at = end
    }
    if (at >= text.length) return items
    at++
  }
}

/** An item of such a list, quoted if necessary. */
export function listItem(text: string): string {
  return /^$|^"|,/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

const LONGEST_QUOTATION = 80

/** A caller's text for a message, cut if it is long. */
export function quote(text: string): string {
  return JSON.stringify(shorten(text, LONGEST_QUOTATION).toWellFormed())
}
