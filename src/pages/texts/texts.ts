/** Tables of texts, and the form of numbers, dates and counts in each language. */

import { byLanguage, type Language, LOCALES } from '../../base/text/language.ts'
import { countEnglish, countRomanian, formatNumber } from '../../base/text/numbers.ts'

export { byLanguage, type InEach, type TextTable, textTable } from '../../base/text/language.ts'
export { countEnglish, countRomanian, formatBytes, formatNumber } from '../../base/text/numbers.ts'

/** How a language writes numbers, lists and waiting times. */
interface Writing {
  readonly decimalMark: string
  /** The separator with which spreadsheet programs open CSV in columns. */
  readonly separator: string
  seconds(count: number): string
  minutes(count: number): string
}

export const WRITING: Readonly<Record<Language, Writing>> = {
  ro: {
    decimalMark: ',',
    separator: ';',
    seconds: (count) => countRomanian(count, 'secundă', 'secunde'),
    minutes: (count) => countRomanian(count, 'minut', 'minute'),
  },
  en: {
    decimalMark: '.',
    separator: ',',
    seconds: (count) => countEnglish(count, 'second', 'seconds'),
    minutes: (count) => countEnglish(count, 'minute', 'minutes'),
  },
}

/** The language of the API's own sentences. */
export const API_LANGUAGE: Language = 'en'

const FORMATS = byLanguage((language) => ({
  compact: new Intl.NumberFormat(LOCALES[language], { notation: 'compact', maximumFractionDigits: 2 }),
  day: new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }),
}))

/** A short form for scales: `200.000` and `1,5 mil.`, `200k` and `1.5m`. Romanian has no short form of thousands. */
export function formatCompact(language: Language, value: number): string {
  if (language === 'ro' && Math.abs(value) < 1e6) return formatNumber(language, value)
  return FORMATS[language].compact.format(value)
}

const DIGITS = /^-?\d+(\.\d+)?$/

/** As `formatNumber`, for a number as the API writes it, possibly with more digits than a double holds. */
export function formatDigits(language: Language, text: string): string {
  if (!DIGITS.test(text)) return /^-?\d.*e/.test(text) ? formatNumber(language, Number(text)) : text
  const [whole = '', fraction] = text.split('.')
  const grouped = formatNumber(language, BigInt(whole))
  const sign = whole.startsWith('-') && !grouped.startsWith('-') ? '-' : ''
  return fraction === undefined ? grouped : `${sign}${grouped}${WRITING[language].decimalMark}${fraction}`
}

/** The day of an RFC 3339 timestamp or a date, in words: `31 ianuarie 2025`. */
export function formatDay(language: Language, timestamp: string): string {
  return FORMATS[language].day.format(new Date(timestamp))
}

/** A share in whole percent; 100 % and 0 % are exact. */
export function formatShare(language: Language, share: number): string {
  const percent = share * 100
  const shown = percent > 99 && percent < 100 ? Math.floor(percent * 10) / 10 : Math.round(percent)
  if (percent > 0 && percent < 1) return `< ${formatNumber(language, 1)} %`
  return `${formatNumber(language, Math.min(shown, percent < 100 ? 99.9 : 100))} %`
}

/** `12,3 ms`, with three significant digits. */
export function formatMilliseconds(language: Language, value: number): string {
  return `${formatNumber(language, Number(value.toPrecision(3)))} ms`
}

const LONGEST_IN_SECONDS = 90

/** A waiting time in words; longer ones in minutes. */
export function formatWait(language: Language, seconds: number): string {
  const words = WRITING[language]
  return seconds <= LONGEST_IN_SECONDS ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60))
}
