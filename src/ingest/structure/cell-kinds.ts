/** What cells look like, told from their text alone: enough to tell names from data and to see what belongs into a column. */

import { stripDiacritics } from '../../text/snake-case.ts'

/** Numbers, amounts, dates, codes: what a column holds rather than what it is called. */
export function isNumeric(text: string): boolean {
  return /^[-+\u2212]?[£$€]?\d[\d.,:/\s\u00a0\u202f-]*%?$/.test(text)
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

const NUMBER = /^[-+\u2212]?(?:\d+|\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+)(?:[.,]\d+)?\s?%?$/
/** A number of two parts, as an unquoted decimal or thousands comma leaves it. */
const JOINED_DECIMAL = /^[-+\u2212]?\d+,\d+$/
const JOINED_GROUPS = /^[-+\u2212]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
/** Values of one shape that make it the column's. */
const SHAPE_VALUES = 3

/** What the good rows of a file have in one column. */
export interface ColumnKind {
  /** `shape`: all values are built alike, such as `2024-01`; `any`: nothing is known. */
  readonly kind: 'number' | 'shape' | 'text' | 'any'
  readonly shape: string
  /** Some number has a decimal point, some text is a number, some cell begins with a space. */
  readonly hasPoint: boolean
  readonly hasNumbers: boolean
  readonly beginsBlank: boolean
}

/** @param texts cells of one column as they stand */
export function learnKind(texts: Iterable<string>): ColumnKind {
  let count = 0
  let numbers = 0
  let years = 0
  let hasPoint = false
  let beginsBlank = false
  const shapes = new Set<string>()
  for (const cell of texts) {
    const text = cell.trim()
    if (text === '') continue
    beginsBlank ||= /^\s/.test(cell)
    if (isMissingMark(text)) continue
    count++
    if (isYear(text)) years++
    if (NUMBER.test(text)) {
      numbers++
      hasPoint ||= /\.\d+$/.test(text)
    }
    if (shapes.size < 2) shapes.add(shapeOf(text))
  }
  const [shape = ''] = shapes
  const isShape = shapes.size === 1 && shape.includes('9') && count >= SHAPE_VALUES
  if (years === count && count >= SHAPE_VALUES)
    return { kind: 'shape', shape: YEARS, hasPoint, hasNumbers: true, beginsBlank }
  const kind = count === 0 ? 'any' : numbers === count ? 'number' : isShape ? 'shape' : 'text'
  return { kind, shape, hasPoint, hasNumbers: numbers > 0, beginsBlank }
}

/** Whether a cell may stand in a column; @param joined it was put together from several */
export function fitsKind(
  cell: string,
  { kind, shape, hasPoint, hasNumbers }: ColumnKind,
  joined: boolean,
): boolean {
  const text = cell.trim()
  if (kind === 'any') return !joined
  if (text === '' || isMissingMark(text)) return !joined
  if (shape === YEARS && kind === 'shape') return isYear(text)
  if (kind === 'shape') return shapeOf(text) === shape
  if (kind === 'text') return hasNumbers || !NUMBER.test(text)
  if (!joined) return NUMBER.test(text)
  return JOINED_GROUPS.test(text) || (!hasPoint && JOINED_DECIMAL.test(text))
}

/** The shape of a column of years: a number beside one is no part of it. */
const YEARS = 'year'

function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text)
}

/** `2024-01` and `1999-12` are both `9-9`; words have none. */
function shapeOf(text: string): string {
  if (/\p{L}{2}/u.test(text)) return ''
  return text
    .replace(/\d+/g, '9')
    .replace(/\p{L}+/gu, 'a')
    .replace(/\s+/g, ' ')
}
