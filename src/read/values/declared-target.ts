/** Columns whose type or decimal mark a definition gives: how their values are written. */

import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import { decodeText, isPlainInteger } from './cell-text.ts'
import { OpenDates, weighOrders } from './date-order.ts'
import { LONGEST_SCALAR, type Target, targetOf, type ValueRules, values } from './inference.ts'
import { ALL_ORDERS, DAY_FIRST, MONTH_FIRST, matchMoment } from './moments.ts'
import {
  ALL_STYLES,
  type DecimalMark,
  LAKH_GROUPS,
  matchNumber,
  type NumberStyle,
  readNumber,
  stylesBy,
  weighMarks,
} from './numbers.ts'

/** A column whose numbers may be in any notation. @param declared its type; null: to be inferred */
export function mixedTarget(
  raw: RawEntries,
  reading: ValueRules,
  mark: DecimalMark,
  declared: ColumnType | null,
): Target {
  const target = targetOf(stylesBy(mark))
  if (declared !== null) return { ...target, type: declared, declared: true }
  let type: ColumnType | null = null
  for (const [start, end] of values(raw, reading.nullValues)) {
    const text = end - start > LONGEST_SCALAR ? '' : decodeText(raw.heap, start, end)
    const number = readNumber(text, target.styles)
    if (number === null) return target
    if (type !== 'decimal') type = Number.isInteger(number) ? 'integer' : 'decimal'
  }
  return type === null ? { ...target, empty: true } : { ...target, type }
}

/** How a column with a declared type writes it: in the way that most of its values fit. */
export function declaredTarget(type: ColumnType, raw: RawEntries, reading: ValueRules): Target {
  const among = [...reading.styles, LAKH_GROUPS]
  const target = { ...targetOf(among), type, declared: true }
  const fits = new Map<number, number>()
  const count = (bits: number) => {
    for (let bit = 1; bit <= bits; bit *= 2) if ((bits & bit) !== 0) fits.set(bit, (fits.get(bit) ?? 0) + 1)
  }
  if (type === 'string' || type === 'boolean') return target
  const numeric = type === 'integer' || type === 'decimal'
  let fitting = ALL_STYLES
  let separated: string | null = null
  const open = new OpenDates()
  for (const [start, end] of values(raw, reading.nullValues)) {
    if (end - start > LONGEST_SCALAR || (numeric && isPlainInteger(raw.heap, start, end))) continue
    const text = decodeText(raw.heap, start, end)
    if (!numeric) {
      const { orders } = matchMoment(text)
      count(orders)
      if (orders === ALL_ORDERS) open.add(text)
    } else {
      const { styles, fractional } = matchNumber(text.replace(/^\+|\s?%$|-$/g, ''), among)
      count(type === 'integer' ? styles & ~fractional : styles)
      fitting &= styles
      if (/[.,]/.test(text)) separated = text
    }
  }
  const most = (bit: number) => fits.get(bit) ?? 0
  if (!numeric) {
    const lead = Math.sign(most(DAY_FIRST) - most(MONTH_FIRST))
    return { ...target, ...weighOrders(lead === 0 ? ALL_ORDERS : lead > 0 ? DAY_FIRST : MONTH_FIRST, open) }
  }
  const styles = among.toSorted((a, b) => most(b.bit) - most(a.bit))
  const { other, mark } = weighMarks(fitting, styles[0] as NumberStyle, separated, reading.styles)
  // A declared integer is read in the style that gives whole numbers; only decimals may be settled by other columns.
  const isOpen = other !== null && type === 'decimal'
  const otherwise = isOpen ? { type, styles: [other, ...styles.filter((style) => style !== other)] } : null
  return { ...target, styles, otherwise, mark, separated }
}
