/** Types all columns: each by its own distinct cells, doubts settled by other columns, blank columns left out. */

import { listSome } from '../../base/text/fit-text.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { ColumnPlan, PlannedColumn } from '../definition/columns.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { Decision, Unproven } from '../report/decisions.ts'
import { type Warning, warn } from '../report/reasons.ts'
import { convertColumn } from './conversion.ts'
import { settleDateOrders } from './date-order.ts'
import { declaredTarget, mixedTarget } from './declared-target.ts'
import { inferTarget, type Target, type ValueRules } from './inference.ts'
import { type DecimalMark, parseNumber } from './numbers.ts'
import type { LoadedColumn } from './validation.ts'

/**
 * @param served types of the served columns, used for columns without any value; with `adopt`, for all that fit
 * @returns the columns in the plan's order, and what stays in doubt
 */
export function loadColumns(
  plan: ColumnPlan,
  records: EncodedRecords,
  reading: ValueRules,
  served: { readonly types: ReadonlyMap<string, ColumnType>; readonly adopt: boolean },
) {
  let lanes = 0
  const found = plan.columns.map((column) => {
    const lane = column.cell < 0 ? -1 : lanes++
    const raw = records.entriesOf(lane)
    return { column, lane, raw, target: findTarget(column, raw, reading) }
  })
  const named = found.map(({ column: { name }, target }) => ({ name, target }))
  const marks = settleDecimalMarks(named, reading)
  const dates = settleDateOrders(named, reading.dateOrder)
  const columns = found.map(({ column, lane, raw }, i) => {
    const target = marks.targets[i] as Target
    // Nothing suggests a type, so the one that clients know stays.
    const known = served.types.get(column.name)
    // The served type can represent every value of the inferred one.
    const isWider = known === 'string' || (known === 'decimal' && target.type === 'integer')
    const isKept = target.empty || (served.adopt && column.type === null && isWider)
    const type = (isKept ? known : undefined) ?? target.type
    const order = dates.orders.get(column.name) ?? target.order
    return { plan: column, typed: convertColumn(raw, { ...target, type, order }, reading), lane }
  })
  return {
    columns,
    /** The rules with the decimal mark that was settled. */
    rules: { ...reading, decimalMark: marks.known },
    decisions: [...marks.decisions, ...dates.decisions],
    warnings: [...dates.warnings, ...marks.warnings],
    unproven: [...dates.unproven, ...marks.unproven],
  }
}

function findTarget(column: PlannedColumn, raw: RawEntries, reading: ValueRules): Target {
  const texts = reading.textNumbers?.find(({ cell }) => cell === column.cell)
  // If some numbers are texts and no number has a fraction, thousands separators may be among them.
  const mayBeGrouped = texts !== undefined && texts.fraction === null
  const own = mayBeGrouped ? { ...reading, styles: reading.textStyles ?? reading.styles } : reading
  const { type: declared, decimalMark: ownMark } = column
  if (ownMark !== null) return mixedTarget(raw, own, ownMark, declared)
  if (declared !== null) return declaredTarget(declared, raw, own)
  const target = inferTarget(raw, own)
  if (texts === undefined) return target
  const { otherwise, type, styles, mark } = target
  // Beside numbers with a fraction such a text stays in doubt; beside large whole numbers it is one of them.
  if (texts.fraction !== null) {
    const doubt = { example: texts.example, proof: texts.fraction }
    return mark === null ? target : { ...target, doubt }
  }
  const isWhole = texts.hasWhole && otherwise?.type === 'integer'
  return isWhole ? { ...target, ...otherwise, otherwise: { type, styles } } : target
}

/** The type that a column would have by these rules, as far as the other columns leave it open. */
export function inferType(column: PlannedColumn, raw: RawEntries, rules: ValueRules): ColumnType {
  const target = findTarget(column, raw, rules)
  return (rules.decimalMark === undefined ? target : readWith(target, rules.decimalMark)).type
}

type Columns = Readonly<{ plan: ColumnPlan; columns: readonly LoadedColumn[] }>

/**
 * Leaves out columns without name and values. Served or declared ones stay, and if a file has no other columns nothing is
 * left out.
 * @param kept names of the columns that stay
 */
export function dropBlankColumns(
  { plan, columns }: Columns,
  kept: ReadonlySet<string>,
): Columns & { readonly decisions: readonly Decision[] } {
  // White-space cells are entries too, without a value.
  const hasNoValue = ({ values, valueIds }: LoadedColumn['typed']) =>
    values.offsets.length < 2 || (valueIds?.every((value) => value === 0) ?? false)
  const isBlank = ({ plan: { name, sourceName, type }, typed }: LoadedColumn) =>
    sourceName?.trim() === '' && type === null && hasNoValue(typed) && !kept.has(name)
  const blank = columns.filter(isBlank)
  if (blank.length === 0 || blank.length === columns.length) return { plan, columns, decisions: [] }
  const cells = blank.map(({ plan: { cell } }) => cell + 1)
  const what =
    cells.length === 1 ? `column ${cells[0]} has` : `columns ${listSome(cells.map(String), 8)} have`
  const reason = `${what} neither a name nor any value, and ${cells.length === 1 ? 'is' : 'are'} left out`
  const dropped = new Set(blank.map(({ plan: { name } }) => name))
  // Removes as many blank headers as columns were left out, from the end.
  let left = cells.length
  const undeclared = plan.undeclared.toReversed().filter((header) => header.trim() !== '' || left-- <= 0)
  return {
    columns: columns.filter(({ plan: { name } }) => !dropped.has(name)),
    plan: {
      ...plan,
      columns: plan.columns.filter(({ name }) => !dropped.has(name)),
      undeclared: undeclared.toReversed(),
    },
    decisions: [{ kind: 'blank_columns', reason, override: '"columns" in a definition' }],
  }
}

type MarkedColumn = Readonly<{ name: string; target: Target }>

/**
 * Settles the decimal mark: `1.234` is between one and two, or above a thousand. The definition settles columns in doubt,
 * or columns whose values can be read in only one way. If nothing proves it, one mark is used throughout, with a warning.
 * @returns targets in the order of the columns
 */
function settleDecimalMarks(
  columns: readonly MarkedColumn[],
  reading: ValueRules,
): {
  targets: Target[]
  known: DecimalMark | undefined
  decisions: Decision[]
  warnings: Warning[]
  unproven: Unproven[]
} {
  // By mark, the first column that proves it. Numbers of a format that has its own prove nothing about texts.
  const proofs = new Map<DecimalMark, MarkedColumn>()
  for (const column of columns) {
    const { mark, doubt } = column.target
    if (mark === null || doubt != null || (reading.hasOwnNumbers && mark === '.') || proofs.has(mark))
      continue
    proofs.set(mark, column)
  }
  const [only] = proofs.keys()
  const known = reading.decimalMark ?? (proofs.size === 1 ? only : undefined)
  const open = columns.filter(({ target }) => target.ambiguous !== null)
  const differ = new Set(open.map(({ target }) => markOf(target))).size > 1
  const targets = columns.map(({ target }) => {
    if (known !== undefined) return { ...readWith(target, known), ambiguous: null }
    return differ && target.ambiguous !== null ? readWith(target, reading.usualMark ?? '.') : target
  })
  const unsure = columns
    .map(({ name }, i) => ({ name, target: targets[i] as Target }))
    .filter(({ target }) => target.ambiguous !== null || (target.doubt != null && markOf(target) !== known))
  const named = [...proofs].map(([mark, { name, target }]) => `'${mark}' in '${name}' (${target.separated})`)
  const both = `values prove both decimal marks, ${named.join(' and ')}: each column is read with its own`
  const settled = open.map(({ name, target }) => `'${name}' (${target.ambiguous})`)
  const why = reading.decimalMark === undefined ? 'as in the other columns' : 'as the definition says'
  const reason = `numbers of ${listSome(settled, 3)} are read with '${known}' as the decimal mark, ${why}`
  const decisions: Decision[] = []
  if (known !== undefined && open.length > 0)
    decisions.push({ kind: 'decimal_mark', reason, override: adviseOption('decimal_mark') })
  if (proofs.size > 1) decisions.push({ kind: 'decimal_mark', reason: both, override: null })
  return {
    targets,
    known,
    decisions,
    warnings: unsure.map(describeDoubt),
    unproven: unsure.map(({ name, target }) => ({
      kind: 'decimal_mark',
      column: name,
      read_as: markOf(target),
    })),
  }
}

function readWith(target: Target, mark: DecimalMark): Target {
  const { otherwise } = target
  return otherwise === null || markOf(target) === mark ? target : { ...target, ...otherwise }
}

function markOf({ styles }: Target): DecimalMark {
  return styles[0]?.decimalComma ? ',' : '.'
}

function describeDoubt({ name, target: { doubt, ambiguous, styles } }: MarkedColumn): Warning {
  const example = doubt?.example ?? ambiguous ?? ''
  const values = { column: name, example, value: String(parseNumber(example, styles)?.value) }
  return doubt == null
    ? warn('decimal_mark', values)
    : warn('decimal_mark_rare', { ...values, proof: doubt.proof })
}
