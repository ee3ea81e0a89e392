/** From the distinct cells of all columns to typed ones: each by its own values, doubts settled by the others. */

import type { ColumnType } from '../../engine/column.ts'
import type { ColumnPlan } from '../definition/columns.ts'
import type { EncodedRecords } from '../records/encode.ts'
import type { Decision } from '../report.ts'
import { convertColumn } from './conversion.ts'
import {
  type DecimalMark,
  declaredTarget,
  inferTarget,
  type RawColumn,
  type Reading,
  type Target,
} from './inference.ts'
import { isMonthFirst } from './moments.ts'
import { parseNumber } from './numbers.ts'
import type { LoadedColumn } from './validation.ts'

const NAMED_COLUMNS = 3
const NO_CELLS: RawColumn = { heap: new Uint8Array(0), offsets: new Uint32Array(1) }

/**
 * @param servedTypes of the columns being served, for columns without any value
 * @returns the columns in the plan's order, and what stays in doubt
 */
export function loadColumns(
  plan: ColumnPlan,
  records: EncodedRecords,
  reading: Reading,
  servedTypes: ReadonlyMap<string, ColumnType>,
): { columns: LoadedColumn[]; decisions: Decision[]; warnings: string[] } {
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
  const warnings = orderWarnings(found)
  const settled: string[] = []
  const columns = found.map(({ column, lane, raw, target: own }) => {
    const target = mark === null ? own : settleMark(own, mark)
    if (own.ambiguous !== null && target.ambiguous === null)
      settled.push(`'${column.name}' (${own.ambiguous})`)
    if (target.ambiguous !== null) warnings.push(ambiguityWarning(column.name, target.ambiguous, target))
    // Nothing speaks for any type: what clients know of the column stays true.
    const type = (target.empty ? servedTypes.get(column.name) : undefined) ?? target.type
    return { plan: column, typed: convertColumn(raw, { ...target, type }, reading), lane }
  })
  const decisions = mark === null || settled.length === 0 ? [] : [markDecision(mark, settled, reading)]
  return { columns, decisions, warnings }
}

function markDecision(mark: DecimalMark, settled: readonly string[], { decimalMark }: Reading): Decision {
  const named = settled.slice(0, NAMED_COLUMNS).join(', ')
  const more = settled.length > NAMED_COLUMNS ? ` and ${settled.length - NAMED_COLUMNS} more` : ''
  const why = decimalMark === undefined ? 'as in the other columns' : 'as the definition says'
  return {
    kind: 'decimal_mark',
    reason: `numbers of ${named}${more} are read with '${mark}' as the decimal mark, ${why}`,
    override: '"decimal_mark" under "read" in a definition',
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
  const isSettled = (target.styles[0]?.decimalComma ?? false) === (mark === ',')
  return { ...target, ...(isSettled ? {} : otherwise), ambiguous: null }
}

/** Of columns whose dates could be read month first as well, while those of another column must be. */
function orderWarnings(found: readonly { column: { name: string }; target: Target }[]): string[] {
  const other = found.find(({ target }) => isDated(target) && isMonthFirst(target.order))
  if (!other) return []
  return found.flatMap(({ column: { name }, target: { openDate } }) =>
    openDate == null
      ? []
      : `'${name}' has dates like ${openDate}, read with the day first, though '${other.column.name}' has the month first; if that is wrong, declare '${name}' as "string" in a definition or get the file with ISO dates`,
  )
}

function isDated({ type }: Target): boolean {
  return type === 'date' || type === 'datetime'
}

function ambiguityWarning(name: string, text: string, target: Target): string {
  const value = parseNumber(text, target.styles)?.value
  const other = target.styles[0]?.decimalComma ? '.' : ','
  return `'${name}' has numbers like ${text}, read as ${value}; if that is wrong, "decimal_mark": "${other}" under "read" in a definition says so`
}
