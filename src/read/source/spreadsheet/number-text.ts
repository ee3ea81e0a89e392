/** Numbers of a spreadsheet as text: what it shows, without locale-dependent marks. */

/** `code5`: padded with zeros to at least five digits, like postal codes. */
export type NumberKind = 'number' | 'date' | 'time' | 'datetime' | 'duration' | `code${number}`

/** Formats that a file only refers to by number (ECMA-376 part 1, 18.8.30; 27 to 36 and 50 to 58 are East Asian). */
const BUILT_IN: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 47, 'duration'],
  [50, 54, 'date'],
  [55, 56, 'time'],
  [57, 58, 'date'],
]

export function kindOfBuiltIn(id: number): NumberKind {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
}

/**
 * Parts of a format that are not placeholders: quoted text, escaped characters, fillers, colours, conditions, languages.
 */
const LITERAL = /"[^"]*"?|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi

/**
 * @param code a format such as `dd.mm.yyyy`, `[h]:mm:ss` or `#,##0.00`; of its up to four sections, the first one, for
 * positive numbers, decides
 */
export function kindOfFormat(code: string): NumberKind {
  if (/^general$/i.test(code.trim())) return 'number'
  const [section = ''] = code.replace(LITERAL, '').split(';')
  if (/^0{2,15}$/.test(section.trim())) return `code${section.trim().length}`
  if (/\[(h+|m+|s+)\]/i.test(section)) return 'duration'
  const signs = section.replace(/general|am\/pm|a\/p/gi, '').toLowerCase()
  const hasDay = /[ydgb]|e(?![+-])/.test(signs) && !/[0#?]/.test(signs.replace(/[.,]0+/g, ''))
  const hasClock = /[hs]/.test(signs)
  if (hasDay) return hasClock ? 'datetime' : 'date'
  if (hasClock) return 'time'
  return /m/.test(signs) && !/[0#?]/.test(signs) ? 'date' : 'number'
}

const DIGITS = 15
/** No double needs more digits; a number with more was never one. */
const MOST_DIGITS = 17
const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/
const FRACTION = /^-?\d+\.\d+$/
const SECONDS = 86_400
/** Days from 1970-01-01 back to day 0 of each calendar. */
const EPOCH_1900 = 25_569
const EPOCH_1904 = 24_107
/** 31 December 9999. */
const LAST_DAY = 2_958_465
/** The day that 1900 did not have but spreadsheets count. */
const FALSE_LEAP_DAY = 60

/**
 * Whole numbers with all their digits, as they may be codes; others with at most 15 significant digits, as spreadsheets
 * show and compare them. There is no exponent if the number fits into about 30 characters.
 * @param raw as in the file; returned unchanged if it is not a number, or a fraction with more digits than a double has,
 * which the column counts as rounded
 */
export function formatNumber(raw: string): string {
  if ((!raw.includes('.') || raw.length <= DIGITS + 1) && PLAIN.test(raw)) return raw
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return raw
  if (Number.isSafeInteger(value)) return String(value === 0 ? 0 : value)
  if (FRACTION.test(raw) && raw.replace(/^[-0.]+|0+$|\./g, '').length > MOST_DIGITS) return raw
  const text = String(Number(value.toPrecision(DIGITS)))
  if (!text.includes('e') || Math.abs(value) >= 1e30 || Math.abs(value) < 1e-15) return text
  if (Math.abs(value) > 1) return BigInt(Number(text)).toString()
  const decimals = DIGITS - 1 + Math.ceil(-Math.log10(Math.abs(value)))
  return value.toFixed(decimals).replace(/0+$/, '')
}

/**
 * A number in the format of its cell. A moment outside the calendar stays a number, as spreadsheets cannot show it either.
 * @param is1904 the workbook counts days from 1904
 */
export function formatSerial(raw: string, kind: NumberKind, is1904: boolean): string {
  if (kind === 'number') return formatNumber(raw)
  if (kind.startsWith('code')) {
    // Leading zeros distinguish a code from an amount, so they are kept.
    const number = formatNumber(raw)
    return /^\d+$/.test(number) ? number.padStart(Number(kind.slice('code'.length)), '0') : number
  }
  const serial = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(serial)) return raw
  if (kind === 'duration') return formatDuration(serial)
  const last = is1904 ? LAST_DAY - (EPOCH_1900 - EPOCH_1904) : LAST_DAY
  if (serial < 0 || serial >= last + 1) return formatNumber(raw)
  const seconds = Math.round(serial * SECONDS)
  const day = Math.floor(seconds / SECONDS)
  if (kind === 'date') return formatDay(day, is1904)
  const time = clock(seconds - day * SECONDS)
  return kind === 'time' ? time : `${formatDay(day, is1904)}T${time}`
}

function formatDay(day: number, is1904: boolean): string {
  if (is1904) return isoDate(day - EPOCH_1904)
  if (day === 0) return '1900-01-00'
  if (day === FALSE_LEAP_DAY) return '1900-02-29'
  return isoDate(day - EPOCH_1900 + (day < FALSE_LEAP_DAY ? 1 : 0))
}

/** A sheet has few different days; there are three million at most. */
const dates = new Map<number, string>()

function isoDate(daysSince1970: number): string {
  let date = dates.get(daysSince1970)
  if (date === undefined) {
    date = new Date(daysSince1970 * SECONDS * 1000).toISOString().slice(0, 10)
    dates.set(daysSince1970, date)
  }
  return date
}

/** `26:15:00`; seconds are rounded. */
export function formatDuration(days: number): string {
  const seconds = Math.round(Math.abs(days) * SECONDS)
  return (days < 0 && seconds > 0 ? '-' : '') + clock(seconds)
}

/** Hours may exceed 24. */
function clock(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Texts among the numbers of a sheet that could be two numbers: `486.498` may be 486498, and its column must decide. */
export interface TextNumbers {
  readonly cell: number
  /** One of the texts. */
  readonly example: string
  /** The column has whole numbers of five digits or more: years in headers have four. */
  readonly hasWhole: boolean
  /** A number of the column with a fraction; null: none. */
  readonly fraction: string | null
}

const WHOLE_DIGITS = 5
const LONGEST_GROUPED = 8

/** Whether a text could be two numbers: its mark may separate thousands, or be a decimal mark before three digits. */
export function mayBeGrouped(text: string): boolean {
  return text.length <= LONGEST_GROUPED && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text)
}

/** Notes what each column of a sheet contains, by cell. Both methods return the text. */
export class NumberWatch {
  readonly #examples: string[] = []
  readonly #wholes: boolean[] = []
  readonly #fractions: string[] = []

  text(cell: number, text: string): string {
    if (this.#examples[cell] === undefined && mayBeGrouped(text)) this.#examples[cell] = text
    return text
  }

  /** @param text as `formatNumber` writes it */
  number(cell: number, text: string): string {
    if (text.includes('.')) this.#fractions[cell] ??= text
    else if (text.length >= WHOLE_DIGITS) this.#wholes[cell] = true
    return text
  }

  found(): TextNumbers[] {
    // Cells without an example are skipped.
    return this.#examples.flatMap((example, cell) => [
      { cell, example, hasWhole: this.#wholes[cell] ?? false, fraction: this.#fractions[cell] ?? null },
    ])
  }
}
