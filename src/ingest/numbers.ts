/** How publishers write numbers, and what they mean. Plain whole numbers are recognised elsewhere, by their bytes. */

export interface NumberStyle {
  readonly bit: number
  readonly decimalComma: boolean
  readonly grouped: boolean
  readonly pattern: RegExp
}

const GROUP = { none: null, comma: ',', point: '\\.', space: "[ \\u00a0\\u2009\\u202f'’]" }

function style(bit: number, mark: '.' | ',', group: string | null): NumberStyle {
  const fraction = `[${mark}](\\d+)`
  const plain = `(?:0|[1-9]\\d{0,14})`
  const grouped = group === null ? '' : `|[1-9]\\d{0,2}(?:${group}\\d{3}){1,4}`
  const scientific = mark === '.' && group === null ? '(?:[eE][+-]?\\d{1,3})?' : ''
  return {
    bit,
    decimalComma: mark === ',',
    grouped: group !== null,
    pattern: new RegExp(
      `^-?(?:(?:${plain}${grouped})(?:${fraction}${scientific})?|${fraction}${scientific})$`,
    ),
  }
}

/** Decimal mark and thousands separator; where a column fits several, the first one is meant. */
const POINT = style(1, '.', GROUP.none)
const COMMA = style(2, ',', GROUP.none)
const COMMA_GROUPS = style(4, '.', GROUP.comma)
const POINT_GROUPS = style(8, ',', GROUP.point)
const SPACE_GROUPS_POINT = style(16, '.', GROUP.space)
const SPACE_GROUPS_COMMA = style(32, ',', GROUP.space)

export const ALL_STYLES = 63

const ENGLISH = [POINT, COMMA_GROUPS, COMMA, POINT_GROUPS, SPACE_GROUPS_POINT, SPACE_GROUPS_COMMA]
const CONTINENTAL = [POINT, COMMA, POINT_GROUPS, COMMA_GROUPS, SPACE_GROUPS_COMMA, SPACE_GROUPS_POINT]

/**
 * Styles by preference. `5,294` is ambiguous: a file delimited by commas that quotes it means thousands, one that is
 * delimited by semicolons is so because its decimals have commas.
 */
export function stylesFor(delimiter: number): readonly NumberStyle[] {
  return delimiter === 0x2c ? ENGLISH : CONTINENTAL
}

/** The styles a text fits (bits), and those of them in which it has a fraction other than zero. */
export function matchNumber(text: string): { styles: number; fractional: number } {
  let styles = 0
  let fractional = 0
  if (!/^-?[\d.,]/.test(text)) return { styles, fractional }
  for (const { bit, pattern } of ENGLISH) {
    const found = pattern.exec(text)
    if (!found || (/e/i.test(text) && !Number.isFinite(Number(text)))) continue
    styles |= bit
    const fraction = found[1] ?? found[2] ?? ''
    if (/[1-9]/.test(fraction) || /e/i.test(text)) fractional |= bit
  }
  return { styles, fractional }
}

export interface ParsedNumber {
  readonly value: number
  /** The text has a separator of thousands. */
  readonly grouped: boolean
  readonly decimalComma: boolean
  readonly hasFraction: boolean
  /** A double does not hold the digits of the text. */
  readonly rounded: boolean
}

/** Reads a text by the first of the styles that it fits; null when it fits none or is no finite number. */
export function parseNumber(text: string, styles: readonly NumberStyle[]): ParsedNumber | null {
  const fitting = styles.find(({ pattern }) => pattern.test(text))
  if (!fitting) return null
  const mark = fitting.decimalComma ? ',' : '.'
  const at = text.lastIndexOf(mark)
  const whole = (at < 0 ? text : text.slice(0, at)).replace(/[^\d-]/g, '')
  const digits = at < 0 ? whole : `${whole}.${text.slice(at + 1)}`
  const value = Number(digits)
  if (!Number.isFinite(value)) return null
  return {
    value: value === 0 ? 0 : value,
    grouped: fitting.grouped && whole.length < (at < 0 ? text.length : at),
    decimalComma: fitting.decimalComma && at >= 0,
    hasFraction: at >= 0,
    rounded: losesDigits(digits, value),
  }
}

const SAFE_DIGITS = 15

/** A double holds any 15 significant digits; of more, it holds those that its shortest form gives back. */
function losesDigits(digits: string, value: number): boolean {
  if (digits.length <= SAFE_DIGITS) return false
  const source = significantDigits(digits)
  return source.length > SAFE_DIGITS && source !== significantDigits(String(value))
}

function significantDigits(text: string): string {
  const [mantissa = ''] = text.toLowerCase().split('e')
  const digits = mantissa.replace(/[^\d]/g, '').replace(/^0+/, '')
  return digits.replace(/0+$/, '')
}
