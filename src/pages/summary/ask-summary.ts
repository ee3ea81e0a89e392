import { ApiError } from '../../base/errors.ts'
import { resultTypes, TooManyGroupsError } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { countValues, type ValueCounts } from '../../engine/filter/code-counts.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { type AggregateRequest, parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { orRefusal, type PageAccess } from '../dataset/ask-rows.ts'
import { entryOf, measureEntryOf } from '../explorer/measures.ts'
import type { Question } from '../explorer/question.ts'
import { type SaidProblem, sayProblem } from '../explorer/say-problem.ts'
import type { View } from '../layout/view.ts'
import { type Choice, groupsAddress, type Order } from './choice.ts'
import { type Figures, findFigures, type Plan } from './figures.ts'

const PAGE_GROUPS = 50
/** Periods on a page: a line needs them all. */
const MOST_PERIODS = 400
const MOST_ACROSS = 24
const FEW_GROUPS = 60

export type Answered = ReturnType<typeof complete> & {
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
  const { columns } = served
  if (asked.rows === null && (columns.length === 0 || served.rows === 0)) return null
  // The first column whose values repeat and fit a page; else the first column.
  const telling = columns.findIndex(
    ({ distinct_count: distinct }) => distinct > 1 && distinct <= Math.min(FEW_GROUPS, served.rows / 2),
  )
  const rows = asked.rows ?? columns[Math.max(0, telling)]!.name
  const refuse = (error: ApiError) => ({
    problem: sayProblem(view.language, error, question, columns),
  })
  const address = groupsAddress('', { ...asked, rows }, question)
  const request = orRefusal(() =>
    parseAggregateQuery(address.slice(address.indexOf('?') + 1), schemaOf(served)),
  )
  if (request instanceof ApiError) return refuse(request)
  const summarized = complete(served, asked, request)
  const { rowType, measure } = summarized
  const isCounted = summarized.columns === null && measure.kind === 'count' && measure.column === null
  // Numbers that are counted are drawn by ranges: hundreds of bars say nothing.
  const hasRanges = isCounted && !summarized.isOverTime && (rowType === 'integer' || rowType === 'decimal')
  const plan: Plan = {
    ...summarized,
    filters: request.query.filters,
    mostColumns: MOST_ACROSS,
    order: summarized.choice.order,
    offset: asked.offset,
  }
  const run = async (dataset: OpenDataset) => ({
    ...summarized,
    figures: await findFigures(dataset, plan),
    ranges: hasRanges ? await countValues(dataset, summarized.rows.column, plan.filters, rangesOf) : [],
  })
  try {
    return await view.app.openDatasets.use(served, run, access.share(view.exchange))
  } catch (error) {
    if (!(error instanceof TooManyGroupsError)) throw error
    return refuse(new ApiError('too_many_groups', error.message))
  }
}

const MOMENTS: readonly ColumnType[] = ['date', 'datetime']
/** Types whose groups are told apart by their measure rather than by their order. */
const NAMES: readonly ColumnType[] = ['string', 'boolean']

function complete(
  { columns: all }: ServedDataset,
  asked: Choice,
  { query: { groups, measures } }: AggregateRequest,
) {
  const rows = groups[0]!
  const columns = groups[1] ?? null
  const measure = measures[0]!
  // Without columns, those of the rows again.
  const types = resultTypes(all, { groups: [rows, columns ?? rows], measures: [measure] })
  const [rowType, columnType, measureType] = types as [ColumnType, ColumnType, ColumnType]
  const isOverTime = rows.part !== null || MOMENTS.includes(rowType)
  const order: Order = asked.order ?? (NAMES.includes(rowType) && !isOverTime ? 'measure' : 'rows')
  return {
    choice: {
      ...asked,
      order,
      rows: entryOf(rows, all),
      columns: entryOf(columns, all),
      measure: measureEntryOf(measure, all),
    },
    rows,
    columns,
    measure,
    rowType,
    columnType,
    measureType,
    isOverTime,
    mostRows: isOverTime ? MOST_PERIODS : PAGE_GROUPS,
  }
}

export interface Range {
  readonly from: string
  /** Where the next range begins; undefined: a range of one whole number. */
  readonly to: string | undefined
  readonly rows: number
}

/** Numbers of at most this many values are shown one by one: grades, months, codes. */
const FEW_VALUES = 20
const BINS = 40

/** The ranges of a column of numbers; none where its values are few. */
export function rangesOf(counts: ValueCounts): Range[] {
  if (counts.distinct <= FEW_VALUES) return []
  const isUsed = (count: number) => count > 0
  const [least, most] = [
    1 + counts.byCode.subarray(1).findIndex(isUsed),
    counts.byCode.findLastIndex(isUsed),
  ].map((code) => Number(counts.textOf(code))) as [number, number]
  const width = niceWidth((most - least) / BINS, counts.type === 'integer')
  const start = Math.floor(least / width)
  const bins = Math.floor(most / width) - start + 1
  const sums = sumRuns(counts, bins, (text, index) => Math.floor(Number(text) / width) - start >= index)
  const write = (index: number) => String(Number(((start + index) * width).toPrecision(12)))
  // A bin of one whole number is not a range.
  const isRange = counts.type !== 'integer' || width !== 1
  return sums.map((rows, index) => ({ from: write(index), to: isRange ? write(index + 1) : undefined, rows }))
}

/**
 * Sums runs of codes, which are in the order of their values. A column may have millions of codes, so a binary search
 * finds only the start of each run.
 * @param begins whether a value belongs to run `index` or a later one
 */
function sumRuns(
  { byCode, textOf }: ValueCounts,
  runs: number,
  begins: (text: string, index: number) => boolean,
): number[] {
  const firstOf = (index: number, from: number) => {
    let low = from
    let high = byCode.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (begins(textOf(middle), index)) high = middle
      else low = middle + 1
    }
    return low
  }
  const sums: number[] = []
  let from = firstOf(0, 1)
  for (let index = 0; index < runs; index++) {
    const until = firstOf(index + 1, from)
    let sum = 0
    for (let code = from; code < until; code++) sum += byCode[code]!
    sums.push(sum)
    from = until
  }
  return sums
}

/** At least `width`, and 1, 2 or 5 times a power of ten, so that ranges begin at round numbers. */
function niceWidth(width: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(width))
  const nice = ([1, 2, 5, 10].find((factor) => factor * power >= width) ?? 10) * power
  return isWhole ? Math.max(1, nice) : nice
}
