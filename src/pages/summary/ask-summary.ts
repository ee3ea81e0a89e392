import { ownRound } from '../../base/own-round.ts'
import { resultTypes } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { countValues } from '../../engine/filter/code-counts.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { refusingGroups } from '../../query/aggregate/aggregate.ts'
import { type AggregateRequest, parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { periodOf, roleOf } from '../../query/aggregate/column-roles.ts'
import { COUNT_ROWS, firstGroup, firstMeasure } from '../../query/aggregate/first-question.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { DescriptorColumn, ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import type { View } from '../layout/view.ts'
import { entryOf, measureEntryOf } from '../question/measures.ts'
import type { Question } from '../question/question.ts'
import { type ChartFigures, findChartFigures } from './chart-figures.ts'
import { type Choice, groupsAddress, type Order } from './choice.ts'
import { type Figures, findFigures, type Plan } from './figures.ts'
import { type Range, rangesOf } from './ranges.ts'

const PAGE_GROUPS = 50
/** The most periods on a page of the table. */
const MOST_PERIODS = 60
const MOST_ACROSS = 24

export type Planned = ReturnType<typeof toPlan>

export interface Answered extends Planned {
  readonly figures: Figures
  /** Ranges of numbers with their counts; empty if they are not drawn. */
  readonly ranges: readonly Range[]
  /** The figures of the chart where it shows no ranges; null for no chart. */
  readonly chart: ChartFigures | null
}

/**
 * Groups and measures the rows that a question finds. Null if there is nothing to group by.
 * @param find carries out a plan
 * @throws ApiError for a refused query, `too_many_groups`
 */
export async function askSummary<T>(
  { app, exchange }: Pick<View, 'app' | 'exchange'>,
  access: PageAccess,
  served: ServedDataset,
  asked: Choice,
  question: Question,
  find: (dataset: OpenDataset, planned: Planned) => Promise<T>,
): Promise<T | null> {
  const planned = planSummary(served, asked, question)
  if (planned === null) return null
  const run = (dataset: OpenDataset) => find(dataset, planned)
  const found = await refusingGroups(schemaOf(served), () =>
    app.openDatasets.use(served, run, access.share(exchange)),
  )
  // Drawing the result takes a turn.
  await ownRound()
  return found
}

/**
 * The plan for a choice and a question; whatever the choice leaves open comes from the dataset's first question. Null if
 * there is nothing to group by.
 * @throws ApiError for a refused query
 */
export function planSummary(served: ServedDataset, asked: Choice, question: Question): Planned | null {
  const { columns } = served
  if (asked.rows === null && (columns.length === 0 || served.rows === 0)) return null
  const rows = asked.rows ?? entryOf(firstGroup(boundedBy(served, question), fixedBy(question)), columns)!
  const first = isCountedBy(served, asked.rows) ? COUNT_ROWS : firstMeasure(served)
  const measure = asked.measure ?? measureEntryOf(first, columns)
  const address = groupsAddress('', { ...asked, rows, measure }, question)
  return toPlan(served, asked, parseAggregateQuery(address.slice(address.indexOf('?') + 1), schemaOf(served)))
}

/** Names of the columns that filters restrict to one value. */
function fixedBy({ filters }: Question): ReadonlySet<string> {
  const given = Map.groupBy(
    filters.filter(({ operator }) => operator === 'eq'),
    ({ column }) => column,
  )
  return new Set([...given].filter(([, { length }]) => length === 1).map(([name]) => name))
}

/** The dataset with its dates bounded by the filters, so that a single year is grouped by its months. */
function boundedBy(served: ServedDataset, { filters }: Question): ServedDataset {
  const bound = (column: string, operators: readonly string[]) => {
    const given = filters.filter((one) => one.column === column && operators.includes(one.operator))
    return given.length === 1 ? given[0]!.value : undefined
  }
  const columns = served.columns.map((column) =>
    column.type.startsWith('date')
      ? {
          ...column,
          min: bound(column.name, ['gt', 'gte']) ?? column.min,
          max: bound(column.name, ['lt', 'lte']) ?? column.max,
        }
      : column,
  )
  return { ...served, columns }
}

/** Whether rows are grouped by amounts. Those groups are counted; all others are measured by the first measure. */
function isCountedBy({ columns }: ServedDataset, rows: string | null): boolean {
  const column = columns.find(({ name }) => name === rows)
  return column !== undefined && hasRangesOf(column)
}

/** Whether a column's numbers are grouped in ranges; codes and years count as names. */
function hasRangesOf(column: DescriptorColumn): boolean {
  return ['amount', 'rate', 'plain'].includes(roleOf(column))
}

/** Carries out a plan on an open version. @throws as `aggregateRows` */
export async function findSummary(dataset: OpenDataset, planned: Planned): Promise<Answered> {
  const { order, offset } = planned.choice
  const plan: Plan = { ...planned, order, offset, mostColumns: MOST_ACROSS }
  const figures = await findFigures(dataset, plan)
  const ranges = planned.hasRanges
    ? await countValues(dataset, planned.rows.column, planned.filters, rangesOf)
    : []
  const chart = ranges.length > 0 ? null : await findChartFigures(dataset, planned, plan, figures)
  return { ...planned, figures, ranges, chart }
}

/** Types whose groups are sorted by their measure rather than by value. */
const NAMES: readonly ColumnType[] = ['string', 'boolean']

function toPlan(
  { columns: all }: ServedDataset,
  asked: Choice,
  { query: { filters, groups, measures } }: AggregateRequest,
) {
  const rows = groups[0]!
  const columns = groups[1] ?? null
  const measure = measures[0]!
  const types = resultTypes(all, { groups: [rows], measures: [measure] })
  const [rowType, measureType] = types as [ColumnType, ColumnType]
  /** The kind of period of the rows; undefined if they are not periods. */
  const period = rows.part ?? periodOf(all[rows.column]!)
  const isOverTime = period !== undefined
  const order: Order = asked.order ?? (NAMES.includes(rowType) && !isOverTime ? 'measure' : 'rows')
  return {
    choice: {
      ...asked,
      order,
      rows: entryOf(rows, all),
      columns: entryOf(columns, all),
      measure: measureEntryOf(measure, all),
    },
    filters,
    rows,
    columns,
    // Counted numbers are drawn in ranges: hundreds of bars tell nothing.
    hasRanges:
      columns === null &&
      measure.kind === 'count' &&
      measure.column === null &&
      hasRangesOf(all[rows.column]!),
    measure,
    measureType,
    period,
    isOverTime,
    /** Whether the measures of groups add up to that of all rows. */
    isAdditive: measure.kind === 'count' || measure.kind === 'sum',
    isNumeric: measureType === 'integer' || measureType === 'decimal',
    mostRows: isOverTime ? MOST_PERIODS : PAGE_GROUPS,
  }
}
