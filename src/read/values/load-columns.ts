/** From the distinct cells of all columns to typed ones: each by its own values, doubts settled by the others, blank ones left out. */

import { listSome } from '../../base/text/fit-text.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import type { Decision, Unproven } from '../report/decisions.ts'
import type { Warning } from '../report/warnings.ts'
import { convertColumn } from './conversion.ts'
import { settleDateOrders } from './date-order.ts'
import { readingOfTexts, settleDecimalMarks, weighTexts } from './decimal-mark.ts'
import { declaredTarget, inferTarget, type Reading, type Target } from './inference.ts'
import type { LoadedColumn } from './validation.ts'

/** Blank columns that are named by their places. */
const LISTED = 8

/**
 * @param served types of the columns being served, for columns without any value; all those that fit when `adopt` is set
 * @returns the columns in the plan's order, and what stays in doubt
 */
export function loadColumns(
  plan: ColumnPlan,
  records: EncodedRecords,
  reading: Reading,
  served: { readonly types: ReadonlyMap<string, ColumnType>; readonly adopt: boolean },
): { columns: LoadedColumn[]; decisions: Decision[]; warnings: Warning[]; unproven: Unproven[] } {
  let lanes = 0
  const found = plan.columns.map((column) => {
    const lane = column.cell < 0 ? -1 : lanes++
    const raw = records.entriesOf(lane)
    const texts = reading.textNumbers?.find(({ cell }) => cell === column.cell)
    const own = readingOfTexts(reading, texts)
    const target =
      column.type === null ? weighTexts(inferTarget(raw, own), texts) : declaredTarget(column.type, raw, own)
    return { column, lane, raw, target }
  })
  const named = found.map(({ column: { name }, target }) => ({ name, target }))
  const marks = settleDecimalMarks(named, reading)
  const dates = settleDateOrders(named, reading.dateOrder)
  const columns = found.map(({ column, lane, raw }, i) => {
    const target = marks.targets[i] as Target
    // Nothing speaks for any type: what clients know of the column stays true.
    const known = served.types.get(column.name)
    const isKept = target.empty || (served.adopt && column.type === null && isWider(known, target.type))
    const type = (isKept ? known : undefined) ?? target.type
    const order = dates.orders.get(column.name) ?? target.order
    return { plan: column, typed: convertColumn(raw, { ...target, type, order }, reading), lane }
  })
  return {
    columns,
    decisions: [...marks.decisions, ...dates.decisions],
    warnings: [...dates.warnings, ...marks.warnings],
    unproven: [...dates.unproven, ...marks.unproven],
  }
}

/** Whether a column of the first type may hold every value of the second one as it is. */
function isWider(type: ColumnType | undefined, than: ColumnType): boolean {
  return type === 'string' || (type === 'decimal' && than === 'integer')
}

interface Columns {
  readonly plan: ColumnPlan
  readonly columns: readonly LoadedColumn[]
}

/**
 * Leaves out columns without name and values. One that is being served or declared stays, and one is left of a file that
 * has no others.
 * @param kept names of the columns that stay
 */
export function dropBlankColumns(
  { plan, columns }: Columns,
  kept: ReadonlySet<string>,
): Columns & { readonly decisions: readonly Decision[] } {
  const isBlank = ({ plan: { name, sourceName, type }, typed }: LoadedColumn) =>
    sourceName?.trim() === '' && type === null && hasNoValue(typed) && !kept.has(name)
  const blank = columns.filter(isBlank)
  if (blank.length === 0 || blank.length === columns.length) return { plan, columns, decisions: [] }
  const cells = blank.map(({ plan: { cell } }) => cell + 1)
  const what =
    cells.length === 1 ? `column ${cells[0]} has` : `columns ${listSome(cells.map(String), LISTED)} have`
  const reason = `${what} neither a name nor any value, and ${cells.length === 1 ? 'is' : 'are'} left out`
  const dropped = new Set(blank.map(({ plan: { name } }) => name))
  return {
    columns: columns.filter(({ plan: { name } }) => !dropped.has(name)),
    plan: {
      ...plan,
      columns: plan.columns.filter(({ name }) => !dropped.has(name)),
      undeclared: withoutBlank(plan.undeclared, cells.length),
    },
    decisions: [{ kind: 'blank_columns', reason, override: '"columns" in a definition' }],
  }
}

/** Cells of white space are entries too, without a value. */
function hasNoValue({ values, valueIds }: LoadedColumn['typed']): boolean {
  return values.offsets.length < 2 || (valueIds?.every((value) => value === 0) ?? false)
}

/** Takes as many blank headers away as columns were left out; those at the end first. */
function withoutBlank(headers: readonly string[], count: number): string[] {
  let left = count
  return headers
    .toReversed()
    .filter((header) => header.trim() !== '' || left-- <= 0)
    .toReversed()
}
