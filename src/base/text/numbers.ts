/** Numbers and counts as each language writes them. */

import { LANGUAGES, type Language, LOCALES } from './language.ts'

const FORMATS = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 20 }),
  ]),
) as Readonly<Record<Language, Intl.NumberFormat>>

/** `1.234.567,5` or `1,234,567.5`. */
export function formatNumber(language: Language, value: number | bigint): string {
  return FORMATS[language].format(value)
}

/** `1 rând`, `2 rânduri`, `20 de rânduri`: `de` follows numbers whose last two digits are 00 or from 20 on. */
export function countRomanian(count: number, one: string, several: string): string {
  if (count === 1) return `1 ${one}`
  const ending = count % 100
  const withoutDe = count === 0 || (ending > 0 && ending < 20)
  return `${formatNumber('ro', count)} ${withoutDe ? '' : 'de '}${several}`
}

export function countEnglish(count: number, one: string, several: string): string {
  return `${formatNumber('en', count)} ${count === 1 ? one : several}`
}

const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/** `12,3 MB`, by powers of 1000. */
export function formatBytes(language: Language, bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const rounded = value < 10 ? Math.round(value * 10) / 10 : Math.round(value)
  return `${formatNumber(language, rounded)} ${UNITS[power]}`
}
