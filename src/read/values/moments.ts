/** How publishers write dates and times, and their meaning in ISO 8601 and RFC 3339. */

import { stripDiacritics } from '../../base/text/snake-case.ts'

export const DAY_FIRST = 1
export const MONTH_FIRST = 2
/** Readings of `01/02/2024`, by preference. A date that begins with the year fits both. */
const ORDERS = [DAY_FIRST, MONTH_FIRST] as const
export type DateOrder = (typeof ORDERS)[number]
export const ALL_ORDERS = DAY_FIRST | MONTH_FIRST

const DATE = /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.])(\d{1,2})\6(\d{4}))\.?$/
const TIME =
  /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s?([ap])\.?m\.?)?\s?(Z|[+-]\d{2}:?\d{2})?$/i
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** The orders, as bits, in which a text is a date with or without a time, and whether it has a time. */
export function matchMoment(text: string): { orders: number; hasTime: boolean } {
  if (text.length > 40 || !/^(?:\d{1,4}[-/.]\d|\d{1,2}[-/. ]{1,2}\p{L}{3}|\p{L}{3,10}\.? \d)/u.test(text))
    return { orders: 0, hasTime: false }
  const { date, time } = splitMoment(text)
  let orders = 0
  for (const order of ORDERS) {
    const found = time === null ? parseDay(date, order) : parseDatetime(text, order)
    if (found !== null) orders |= order
  }
  return { orders, hasTime: time !== null }
}

/** `YYYY-MM-DD`, or RFC 3339 with `Z`; whether the date was not in ISO 8601 form, and whether the zone was missing. */
export type ParsedMoment = Readonly<{ text: string; reformatted: boolean; assumedUtc: boolean }>

/** Reads a date. A time of exactly midnight, as spreadsheets and databases add it, is dropped. */
export function parseDate(text: string, order: DateOrder): ParsedMoment | null {
  const { date, time } = splitMoment(text)
  if (time !== null && !/^0?0:00(:00([.,]0+)?)?$/.test(time)) return null
  const day = parseDay(date, order)
  return day === null
    ? null
    : { text: day, reformatted: time !== null || !ISO_DATE.test(date), assumedUtc: false }
}

/** Reads a date with a time, or a date alone as its midnight; UTC if there is no zone. */
export function parseDatetime(text: string, order: DateOrder): ParsedMoment | null {
  const { date, time } = splitMoment(text)
  const day = parseDay(date, order)
  if (day === null) return null
  const reformatted = !ISO_DATE.test(date)
  if (time === null) return { text: `${day}T00:00:00Z`, reformatted, assumedUtc: true }
  const clock = TIME.exec(time)
  if (!clock) return null
  const [, written = '', minute = '', second = '00', fraction = '', half, zone] = clock
  // `12 am` is midnight, `12 pm` noon, and such times only have the hours 1 to 12.
  if (half !== undefined && (Number(written) < 1 || Number(written) > 12)) return null
  const afternoon = half?.toLowerCase() === 'p' ? 12 : 0
  const hour = half === undefined ? written : String((Number(written) % 12) + afternoon)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  let moment = `${day}T${hour.padStart(2, '0')}:${minute}:${second}`
  if (zone !== undefined && !/^z$/i.test(zone)) {
    const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
    if (Number(zone.slice(-2)) > 59 || minutes > 24 * 60) return null
    const shift = zone.startsWith('-') ? minutes : -minutes
    const utc = new Date(Date.parse(`${moment}Z`) + shift * 60_000).toISOString()
    // Years must be 0001 to 9999.
    if (/^[+-]|^0000/.test(utc)) return null
    moment = utc.slice(0, 19)
  }
  const kept = fraction.replace(/0+$/, '')
  return {
    text: `${moment}${kept === '' ? '' : `.${kept}`}Z`,
    reformatted: reformatted || half !== undefined,
    assumedUtc: zone === undefined,
  }
}

/** Names of months and their three-letter abbreviations in Romanian and English, without diacritics; also `sept`. */
const MONTHS = [
  ['ianuarie', 'january'],
  ['februarie', 'february'],
  ['martie', 'march'],
  ['aprilie', 'april'],
  ['mai', 'may'],
  ['iunie', 'june'],
  ['iulie', 'july'],
  ['august'],
  ['septembrie', 'september', 'sept'],
  ['octombrie', 'october'],
  ['noiembrie', 'november'],
  ['decembrie', 'december'],
]
const MONTH_OF = new Map(
  MONTHS.flatMap((names, month) =>
    names.flatMap((name) => [name, name.slice(0, 3)].map((form) => [form, month + 1] as const)),
  ),
)
const DAY_AND_NAME = /^(\d{1,2})(?:\.? |[-/.])(\p{L}+)(?:\.? |[-/.])(\d{4})(?=$|[\sT])/iu
const NAME_AND_DAY = /^(\p{L}+)\.? (\d{1,2}),? (\d{4})(?=$|[\sT])/iu

/** `5 ian. 2024`, `5-Jan-2024` and `January 5, 2024` as `2024/1/5`, the same in either order; other texts unchanged. */
function replaceMonthName(text: string): string {
  if (!/\p{L}{3}/u.test(text)) return text
  const dayFirst = DAY_AND_NAME.exec(text)
  const found = dayFirst ?? NAME_AND_DAY.exec(text)
  if (!found) return text
  const [whole, first = '', second = '', year] = found
  const [day, name] = dayFirst ? [first, second] : [second, first]
  const month = MONTH_OF.get(stripDiacritics(name))
  return month === undefined ? text : `${year}/${month}/${day}${text.slice(whole.length)}`
}

function splitMoment(written: string): { date: string; time: string | null } {
  const text = replaceMonthName(written)
  const at = text.search(/[T\s]/i)
  return at < 0
    ? { date: text, time: null }
    : { date: text.slice(0, at), time: text.slice(at + 1).trimStart() }
}

/** `YYYY-MM-DD` if the text is a valid date in that order, else null. */
function parseDay(text: string, order: DateOrder): string | null {
  const found = DATE.exec(text)
  if (!found) return null
  const [, leadingYear, , second, third, first, , middle, trailingYear] = found
  const [month, day] = (
    leadingYear !== undefined ? [second, third] : order === DAY_FIRST ? [middle, first] : [first, middle]
  ) as [string, string]
  const year = Number(leadingYear ?? trailingYear)
  const isLeap = year % (year % 100 === 0 ? 400 : 4) === 0
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][Number(month) - 1] ?? 0
  if (year === 0 || Number(day) < 1 || Number(day) > days) return null
  return `${leadingYear ?? trailingYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
