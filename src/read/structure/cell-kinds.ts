/** What cells look like by their text alone: enough to separate names from data and to see what fits a column. */

import { stripDiacritics } from '../../base/text/snake-case.ts'

/** Numbers, amounts, dates, codes: what a column holds rather than what it is called. */
export function isNumeric(text: string): boolean {
  return /^[-+\u2212]?[£$€]?\d[\d.,:/\s\u00a0\u202f-]*(?:e[-+]?\d{1,3})?%?$/i.test(text)
}

/** What publishers write where they have no value: it says nothing about its column. */
export function isMissingMark(text: string): boolean {
  return /^(?:[-–—.:*…]+|n\.?\/?[ad]\.?|nan|null|none|x|c)$/i.test(text)
}

/** Small letters without diacritics and outer white space. */
export function plainText(text: string): string {
  return stripDiacritics(text).replace(/\s+/g, ' ').trim()
}

/** Per column, whether the rows have numbers there and nothing else, two at least. */
export function numericColumns(rows: readonly (readonly string[])[], width: number): boolean[] {
  return Array.from({ length: width }, (_, column) => {
    const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '' && !isMissingMark(text))
    return texts.length >= 2 && texts.every(isNumeric)
  })
}

/** Whether a record is a line that was drawn: `---|---`, `+-----+`. */
export function isDrawnLine(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => text !== '')
  return filled.some((text) => /[-=_]{3}/.test(text)) && filled.every((text) => /^[-=_+|: ]+$/.test(text))
}
