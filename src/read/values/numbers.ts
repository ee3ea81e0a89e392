/** How publishers write numbers and booleans, and what they mean. Plain whole numbers are recognised by their bytes. */

import { stripDiacritics } from '../../base/text/snake-case.ts'

export interface NumberStyle {
  readonly bit: number
  readonly decimalComma: boolean
  readonly grouped: boolean
  readonly pattern: RegExp
}

/** A double keeps any number of this many digits. */
const SAFE_DIGITS = 15

const GROUP = { none: null, comma: ',', point: '\\.', space: "[ \\u00a0\\u2009\\u202f'’]" }

function style(bit: number, mark: '.' | ',', group: string | null): NumberStyle {
  const fraction = `[${mark}](\\d+)`
  const grouped = group === null ? '' : `|[1-9]\\d{0,2}(?:${group}\\d{3})+`
  const scientific = mark === '.' && group === null ? '(?:[eE][+-]?\\d{1,3})?' : ''
  return {
    bit,
    decimalComma: mark === ',',
    grouped: group !== null,
    pattern: new RegExp(`^-?(?:(?:0|[1-9]\\d*${grouped})(?:${fraction})?|${fraction})${scientific}$`),
  }
}

/** Decimal mark and thousands separator; if a column fits several, the first one applies. */
const POINT = style(1, '.', GROUP.none)
const COMMA = style(2, ',', GROUP.none)
const COMMA_GROUPS = style(4, '.', GROUP.comma)
const POINT_GROUPS = style(8, ',', GROUP.point)
const SPACE_GROUPS_POINT = style(16, '.', GROUP.space)
const SPACE_GROUPS_COMMA = style(32, ',', GROUP.space)

/** The styles by which columns are inferred. */
export const ALL_STYLES = 63

/** Thousands, then hundreds of thousands (lakh) and of lakhs (crore): `1,42,782`. Only for declared numbers. */
export const LAKH_GROUPS: NumberStyle = {
  bit: 64,
  decimalComma: false,
  grouped: true,
  pattern: /^-?(?:0|[1-9]\d*|[1-9]\d?(?:,\d{2})*,\d{3})(?:\.(\d+))?$/,
}

const ENGLISH = [POINT, COMMA_GROUPS, COMMA, POINT_GROUPS, SPACE_GROUPS_POINT, SPACE_GROUPS_COMMA]
const CONTINENTAL = [POINT, COMMA, POINT_GROUPS, COMMA_GROUPS, SPACE_GROUPS_COMMA, SPACE_GROUPS_POINT]

/** A single separator could be the decimal point of a format's own number; several, or one before a comma, cannot. */
const CLEAR_POINT_GROUPS: NumberStyle = {
  ...POINT_GROUPS,
  pattern: /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3}){2,}|[1-9]\d{0,2}\.\d{3}(?=,))(?:,(\d+))?|,(\d+))$/,
}

/**
 * Styles by preference. `5,294` is ambiguous: a comma-delimited file that quotes it means thousands; a file is delimited by
 * semicolons because its decimals have commas.
 * @param hasOwnNumbers the file's format has numbers (a workbook, JSON), which have a decimal point
 */
export function stylesFor(delimiter: number, hasOwnNumbers = false): readonly NumberStyle[] {
  const styles = delimiter === 0x2c ? ENGLISH : CONTINENTAL
  return hasOwnNumbers ? styles.map((style) => (style === POINT_GROUPS ? CLEAR_POINT_GROUPS : style)) : styles
}

/** Replaces a typographic minus, or a dash used as one, by the keyboard's minus sign. */
export function plainMinus(text: string): string {
  const first = text.charCodeAt(0)
  return first === 0x2212 || first === 0x2013 ? text.replace(/^[\u2212\u2013](?=[\d.,])/, '-') : text
}

/**
 * The styles that a text fits, as bits, and those of them in which it isn't a whole number. Long runs of digits without a
 * fraction are identifiers, and `1e5` may be a code: neither suggests a number. `powers` are the styles in which a text
 * such as `1e5` is a number if others have fractions.
 */
export function matchNumber(
  written: string,
  among: readonly NumberStyle[] = ENGLISH,
): { styles: number; fractional: number; powers: number } {
  let styles = 0
  let fractional = 0
  let powers = 0
  const text = plainMinus(written)
  if (!/^-?[\d.,]/.test(text)) return { styles, fractional, powers }
  for (const { bit, pattern } of among) {
    const found = pattern.exec(text)
    if (!found) continue
    const fraction = found[1] ?? found[2]
    const isLong = text.replace(/\D/g, '').length - (fraction?.length ?? 0) > SAFE_DIGITS
    const hasExponent = /e/i.test(text)
    if (hasExponent && !Number.isFinite(Number(text))) continue
    if (fraction === undefined && hasExponent && !isLong) powers |= bit
    if (fraction === undefined && (isLong || hasExponent)) continue
    styles |= bit
    if (isLong || hasExponent || /[1-9]/.test(fraction ?? '')) fractional |= bit
  }
  return { styles, fractional, powers }
}

/**
 * Reads a text by the first style that it fits; null if it fits none or isn't finite.
 * @returns `grouped`: the text has a thousands separator; `rounded`: a double does not keep its digits
 */
export function parseNumber(text: string, styles: readonly NumberStyle[]) {
  const fitting = styles.find(({ pattern }) => pattern.test(text))
  if (!fitting) return null
  const mark = fitting.decimalComma ? ',' : '.'
  const [mantissa = '', exponent] = text.split(/e/i)
  const at = mantissa.lastIndexOf(mark)
  const whole = (at < 0 ? mantissa : mantissa.slice(0, at)).replace(/[^\d-]/g, '')
  const fraction = at < 0 ? '' : `.${mantissa.slice(at + 1)}`
  const digits = `${whole}${fraction}${exponent === undefined ? '' : `e${exponent}`}`
  const value = Number(digits)
  if (!Number.isFinite(value)) return null
  // A double keeps any 15 significant digits; of more, those that its shortest form returns. It keeps fewer digits of a
  // subnormal number, and finally none.
  const isRisky = digits.length > SAFE_DIGITS || Math.abs(value) < 2 ** -1022
  return {
    value: value === 0 ? 0 : value,
    grouped: fitting.grouped && whole.length < (at < 0 ? mantissa.length : at),
    decimalComma: fitting.decimalComma && at >= 0,
    hasFraction: at >= 0,
    hasExponent: exponent !== undefined,
    rounded: isRisky && significantDigits(digits) !== significantDigits(String(value)),
  }
}

/** All styles, those with this decimal mark first, so that it decides how ambiguous texts are read. */
export function stylesBy(mark: DecimalMark): NumberStyle[] {
  return [...CONTINENTAL, LAKH_GROUPS].sort(
    (a, b) => Number(b.decimalComma === (mark === ',')) - Number(a.decimalComma === (mark === ',')),
  )
}

/** The decimal mark of a style, by its bit. */
export function markOf(style: number): DecimalMark {
  return CONTINENTAL.find(({ bit }) => bit === style)?.decimalComma === true ? ',' : '.'
}

/** A text as a number in the first style that it fits, in any notation; null if it is not one. */
export function readNumber(text: string, styles: readonly NumberStyle[]): number | null {
  if (matchNumber(text).styles === 0) return null
  return parseNumber(plainMinus(text), styles)?.value ?? null
}

function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e')
  return mantissa.replace(/[^\d]/g, '').replace(/^0+|0+$/g, '')
}

/** Pairs of words, false first. A boolean column uses a single pair. */
export const BOOLEAN_PAIRS: readonly (readonly [string, string])[] = [
  ['false', 'true'],
  ['nu', 'da'],
  ['no', 'yes'],
  ['fals', 'adevarat'],
]

/** The boolean that a word of any pair means; null for any other text. */
export function readBoolean(text: string): boolean | null {
  const word = stripDiacritics(text)
  if (word === '1' || word === '0') return word === '1'
  const pair = BOOLEAN_PAIRS.find((words) => words.includes(word))
  return pair ? pair[1] === word : null
}

export type DecimalMark = '.' | ','

/**
 * Whether the values of a column could also be read with the other decimal mark.
 * @param fitting styles that all values fit, as bits; @param separated a value with a point or a comma
 */
export function weighMarks(
  fitting: number,
  chosen: NumberStyle,
  separated: string | null,
  styles: readonly NumberStyle[],
): { other: NumberStyle | null; mark: DecimalMark | null } {
  if (separated === null || fitting === 0) return { other: null, mark: null }
  const isOther = (style: NumberStyle) =>
    (fitting & style.bit) !== 0 && style.decimalComma !== chosen.decimalComma
  const other = styles.find(isOther) ?? null
  return { other, mark: other === null ? (chosen.decimalComma ? ',' : '.') : null }
}
