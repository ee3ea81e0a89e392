/** From the distinct cells of all columns to typed ones: each by its own values, doubts settled by the others. */

import type { ColumnType } from '../../engine/columns/column.ts'
import type { Unproven } from '../../store/catalog/record.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { Decision } from '../report/report.ts'
import { type Warning, warn } from '../report/warnings.ts'
import { convertColumn } from './conversion.ts'
import { settleDateOrders } from './date-order.ts'
import {
  type DecimalMark,
  declaredTarget,
  inferTarget,
  type RawColumn,
  type Reading,
  type Target,
} from './inference.ts'
import { parseNumber } from './numbers.ts'
import type { LoadedColumn } from './validation.ts'

const NAMED_COLUMNS = 3
const NO_CELLS: RawColumn = { heap: new Uint8Array(0), offsets: new Uint32Array(1) }

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
    const raw: RawColumn = records.tables[lane]?.entries() ?? NO_CELLS
    const target =
      column.type === null ? inferTarget(raw, reading) : declaredTarget(column.type, raw, reading)
    return { column, lane, raw, target }
  })
  const mark =
    reading.decimalMark ??
    provenMark(
      found.map(({ target }) => target),
      reading,
    )
  const dates = settleDateOrders(
    found.map(({ column: { name }, target }) => ({ name, target })),
    reading.dateOrder,
  )
  const warnings = [...dates.warnings]
  const unproven = [...dates.unproven]
  const settled: string[] = []
  const columns = found.map(({ column, lane, raw, target: own }) => {
    const target = mark === null ? own : settleMark(own, mark)
    if (own.ambiguous !== null && target.ambiguous === null)
      settled.push(`'${column.name}' (${own.ambiguous})`)
    if (target.ambiguous !== null) {
      warnings.push(ambiguityWarning(column.name, target.ambiguous, target))
      unproven.push({ kind: 'decimal_mark', column: column.name, read_as: markOf(target) })
    }
    // Nothing speaks for any type: what clients know of the column stays true.
    const known = served.types.get(column.name)
    const isKept = target.empty || (served.adopt && column.type === null && isWider(known, target.type))
    const type = (isKept ? known : undefined) ?? target.type
    const order = dates.orders.get(column.name) ?? target.order
    return { plan: column, typed: convertColumn(raw, { ...target, type, order }, reading), lane }
  })
  const marks = mark === null || settled.length === 0 ? [] : [markDecision(mark, settled, reading)]
  return { columns, decisions: [...marks, ...dates.decisions], warnings, unproven }
}

/** Whether a column of the first type may hold every value of the second one as it is. */
function isWider(type: ColumnType | undefined, than: ColumnType): boolean {
  return type === 'string' || (type === 'decimal' && than === 'integer')
}

function markDecision(mark: DecimalMark, settled: readonly string[], { decimalMark }: Reading): Decision {
  const named = settled.slice(0, NAMED_COLUMNS).join(', ')
  const more = settled.length > NAMED_COLUMNS ? ` and ${settled.length - NAMED_COLUMNS} more` : ''
  const why = decimalMark === undefined ? 'as in the other columns' : 'as the definition says'
  return {
    kind: 'decimal_mark',
    reason: `numbers of ${named}${more} are read with '${mark}' as the decimal mark, ${why}`,
    override: adviseOption('decimal_mark'),
  }
}

/** The decimal mark that columns leave no doubt about; null when there is none, or when they contradict each other. */
function provenMark(targets: readonly Target[], { hasOwnNumbers }: Reading): DecimalMark | null {
  const proven = targets.flatMap(({ mark }) => mark ?? [])
  const marks = new Set(hasOwnNumbers ? proven.filter((mark) => mark === ',') : proven)
  const [only] = marks
  return marks.size === 1 ? (only as DecimalMark) : null
}

/** A column that could be read with either mark, read with the one of the file. */
function settleMark(target: Target, mark: DecimalMark): Target {
  const { otherwise } = target
  if (otherwise === null) return target
  const isSettled = markOf(target) === mark
  return { ...target, ...(isSettled ? {} : otherwise), ambiguous: null }
}

function markOf({ styles }: Target): DecimalMark {
  return styles[0]?.decimalComma ? ',' : '.'
}

function ambiguityWarning(name: string, text: string, target: Target): Warning {
  const value = parseNumber(text, target.styles)?.value
  const other = markOf(target) === ',' ? '.' : ','
  return warn(
    'decimal_mark',
    { column: name, example: text, value: String(value) },
    `'${name}' has numbers like ${text}, read as ${value}; if that is wrong, ${adviseOption('decimal_mark', other)} says so`,
  )
}
