/** Answers the question of a summary page. */

import { ApiError } from '../../base/errors.ts'
import type { ValueOrPromise } from '../../base/value-or-promise.ts'
import type { DatePart, GroupKey, Measure } from '../../engine/aggregate/query.ts'
import { resultTypes, TooManyGroupsError } from '../../engine/aggregate/query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { countValues } from '../../engine/filter/code-counts.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { Filter } from '../../engine/query.ts'
import { type AggregateRequest, parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { DescriptorColumn, ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import type { Question } from '../explorer/question.ts'
import { type SaidProblem, sayProblem } from '../explorer/say-problem.ts'
import type { View } from '../layout/view.ts'
import { type Choice, groupsAddress, type Order } from './choice.ts'
import { type Figures, findFigures, type Plan } from './figures.ts'
import { type Range, rangesOf } from './histogram.ts'

/** Groups on a page. */
const PAGE_GROUPS = 50
/** Periods on a page: a line needs them all. */
const MOST_PERIODS = 400
const MOST_ACROSS = 24

/** What is summarized, read and completed. */
interface Summarized {
  /** Complete: with rows, with the order that suits them. */
  readonly choice: Choice & { readonly order: Order }
  readonly rows: GroupKey
  readonly columns: GroupKey | null
  readonly measure: Measure
  readonly rowType: ColumnType
  /** Of the columns' groups; that of the rows where there are none. */
  readonly columnType: ColumnType
  readonly measureType: ColumnType
  readonly isOverTime: boolean
  /** Rows on a page. */
  readonly mostRows: number
}

export interface Answered extends Summarized {
  readonly figures: Figures
  /** Of numbers that are counted; none where there is nothing to draw. */
  readonly ranges: readonly Range[]
}

export type SummaryAnswer = Answered | { readonly problem: SaidProblem }

/**
 * Groups and measures the rows that a question finds; a refusal is an answer as well. Null: there is nothing to group by.
 */
export async function askSummary(
  view: View,
  access: PageAccess,
  served: ServedDataset,
  asked: Choice,
  question: Question,
): Promise<SummaryAnswer | null> {
  const rows = asked.rows ?? entryOf(defaultKey(served), served.columns)
  if (rows === null) return null
  const refuse = (error: ApiError) => ({
    problem: sayProblem(view.language, error, question, served.columns),
  })
  const request = readOrRefuse(served, { ...asked, rows }, question)
  if (request instanceof ApiError) return refuse(request)
  const summarized = complete(served, asked, request)
  const plan: Plan = {
    ...summarized,
    ...{ filters: request.query.filters, mostColumns: MOST_ACROSS },
    ...{ order: summarized.choice.order, offset: asked.offset },
  }
  const run = async (dataset: OpenDataset) => ({
    ...summarized,
    figures: await findFigures(dataset, plan),
    ranges: await findRanges(dataset, summarized, plan.filters),
  })
  try {
    return await view.app.openDatasets.use(served, run, access.share(view.exchange))
  } catch (error) {
    if (!(error instanceof TooManyGroupsError)) throw error
    return refuse(new ApiError('too_many_groups', error.message))
  }
}

function readOrRefuse(
  served: ServedDataset,
  choice: Choice,
  question: Question,
): AggregateRequest | ApiError {
  const address = groupsAddress('', choice, question)
  try {
    return parseAggregateQuery(address.slice(address.indexOf('?') + 1), schemaOf(served))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Numbers that are counted are drawn by ranges: hundreds of bars say nothing. */
function findRanges(
  dataset: OpenDataset,
  { rows, columns, measure, rowType, isOverTime }: Summarized,
  filters: readonly Filter[],
): ValueOrPromise<readonly Range[]> {
  const isCounted = columns === null && measure.kind === 'count' && measure.column === null
  if (!isCounted || isOverTime || (rowType !== 'integer' && rowType !== 'decimal')) return []
  return countValues(dataset, rows.column, filters, rangesOf)
}

/** What rows are grouped by unless an address says so. */
function defaultKey(served: ServedDataset): GroupKey | null {
  const column = mostTelling(served)
  return column === undefined ? null : { column, part: null }
}

/** Values that fit a page. */
const FEW = 60

/** The first column whose values repeat; else the first column. Undefined where there are no columns or no rows. */
function mostTelling({ columns, rows }: ServedDataset): number | undefined {
  if (columns.length === 0 || rows === 0) return undefined
  const telling = columns.findIndex(
    ({ distinct_count: distinct }) => distinct > 1 && distinct <= Math.min(FEW, rows / 2),
  )
  return Math.max(0, telling)
}

const MOMENTS: readonly ColumnType[] = ['date', 'datetime']
/** Types whose groups are told apart by their measure rather than by their order. */
const NAMES: readonly ColumnType[] = ['string', 'boolean']

function complete(
  { columns: all }: ServedDataset,
  asked: Choice,
  { query: { groups, measures } }: AggregateRequest,
): Summarized {
  const rows = groups[0]!
  const columns = groups[1] ?? null
  const measure = measures[0]!
  const types = resultTypes(all, { groups: [rows, columns ?? rows], measures: [measure] })
  const [rowType, columnType, measureType] = types as [ColumnType, ColumnType, ColumnType]
  const isOverTime = rows.part !== null || MOMENTS.includes(rowType)
  const order = asked.order ?? (NAMES.includes(rowType) && !isOverTime ? 'measure' : 'rows')
  return {
    choice: {
      ...asked,
      order,
      rows: entryOf(rows, all),
      columns: entryOf(columns, all),
      measure: measureEntryOf(measure, all),
    },
    ...{ rows, columns, measure, rowType, columnType, measureType, isOverTime },
    mostRows: isOverTime ? MOST_PERIODS : PAGE_GROUPS,
  }
}

type Columns = readonly Pick<DescriptorColumn, 'name'>[]

/** A group as an entry of `group_by`. */
export function entryOf(
  key: { column: number; part: DatePart | null } | null,
  columns: Columns,
): string | null {
  if (key === null) return null
  const { name } = columns[key.column]!
  return key.part === null ? name : `${key.part}(${name})`
}

/** A measure as an entry of `measures`. */
export function measureEntryOf({ kind, column }: Measure, columns: Columns): string {
  return column === null ? kind : `${kind}(${columns[column]!.name})`
}
