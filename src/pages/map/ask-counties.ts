import { ApiError } from '../../base/errors.ts'
import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import { type AggregateQuery, type Measure, resultTypes } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { parseAggregateQuery } from '../../query/aggregate/aggregate-query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { orRefusal, type PageAccess } from '../dataset/ask-rows.ts'
import { type SaidProblem, sayProblem } from '../explorer/say-problem.ts'
import type { View } from '../layout/view.ts'
import { countyOf } from '../question/county-columns.ts'
import type { Question } from '../question/question.ts'
import { type Choice, groupsAddress } from '../summary/choice.ts'

/** Classes of a legend, from 0, the lowest figures. */
export const CLASSES = 5

export interface CountyFigure {
  /** Values of the column that name the county. */
  readonly values: readonly string[]
  /** The measure of its rows, with all digits; null: none of them has a value. */
  readonly figure: string | null
  /** Of the legend; null: without a figure. */
  readonly level: number | null
}

export interface CountyFigures {
  readonly choice: Choice
  readonly column: number
  readonly measure: Measure
  readonly measureType: ColumnType
  /** By the county's name, from the greatest figure; a county without rows is missing. */
  readonly counties: ReadonlyMap<string, CountyFigure>
  /** Values of the column that name no county, null among them. */
  readonly others: readonly { readonly value: string | null; readonly figure: string | null }[]
  /** Rows without a known county, of `found`. */
  readonly elsewhere: number
  readonly found: number
  readonly total: string | null
}

/**
 * Measures the rows that a question finds, by county: the groups of the same aggregate as the summary's.
 * @param column one of `countyColumns`
 */
export async function askCounties(
  { app, exchange, language }: View,
  access: PageAccess,
  served: ServedDataset,
  { column, choice: asked, question }: { column: number; choice: Choice; question: Question },
): Promise<CountyFigures | { readonly problem: SaidProblem }> {
  const choice = { ...asked, rows: served.columns[column]!.name, columns: null }
  const address = groupsAddress('', choice, question)
  const request = orRefusal(() =>
    parseAggregateQuery(address.slice(address.indexOf('?') + 1), schemaOf(served)),
  )
  if (request instanceof ApiError) return { problem: sayProblem(language, request, question, served.columns) }
  const { groups, measures, filters } = request.query
  const measure = measures[0]!
  const [, measureType] = resultTypes(served.columns, { groups, measures: [measure] })
  const run = async (dataset: OpenDataset) => ({
    ...{ choice, column, measure, measureType: measureType! },
    ...(await findCounties(dataset, measureType!, { filters, groups, measures: [measure, ROWS] })),
  })
  return await app.openDatasets.use(served, run, access.share(exchange))
}

const ROWS: Measure = { kind: 'count', column: null }

async function findCounties(
  dataset: OpenDataset,
  type: ColumnType,
  { groups, ...basis }: Pick<AggregateQuery, 'filters' | 'groups' | 'measures'>,
) {
  const ask = async (change: Partial<AggregateQuery>) => {
    const page = { having: [], sort: [], limit: Number.MAX_SAFE_INTEGER, offset: 0, count: false }
    return (await aggregateRows(dataset, { ...basis, ...page, groups: [], ...change })).rows
  }
  const [total = null, found = '0'] = (await ask({}))[0] ?? []
  const rows = await ask({ groups })
  const named = Map.groupBy(rows, ([value]) => (value == null ? undefined : countyOf(value)))
  const figures: { county: string; values: string[]; figure: string | null }[] = []
  for (const [county, [first, ...more]] of named) {
    if (county === undefined) continue
    const values = [first!, ...more].map(([value]) => value!)
    // The measure of several spellings together: means and medians of them do not add up.
    const narrow = { column: groups[0]!.column, operator: 'in', operands: [values] } as const
    const [figure = null] =
      more.length > 0 ? (await ask({ filters: [...basis.filters, narrow] }))[0]! : [first![1]]
    figures.push({ county, values, figure })
  }
  const compare = orderOf(type)
  figures.sort((a, b) => compare(b.figure, a.figure))
  const others = named.get(undefined) ?? []
  const levelOf = levels(
    figures.flatMap(({ figure }) => figure ?? []),
    type,
  )
  return {
    counties: new Map(
      figures.map(({ county, ...one }) => [
        county,
        { ...one, level: one.figure === null ? null : levelOf(one.figure) },
      ]),
    ),
    others: others.map(([value = null, figure = null]) => ({ value, figure })),
    elsewhere: others.reduce((sum, [, , count]) => sum + Number(count), 0),
    found: Number(found),
    total,
  }
}

/** The order of figures, none before the lowest. */
function orderOf(type: ColumnType): (a: string | null, b: string | null) => number {
  const isNumber = type === 'integer' || type === 'decimal'
  return (a, b) => {
    if (a === null || b === null) return Number(a !== null) - Number(b !== null)
    return isNumber ? Number(a) - Number(b) : a < b ? -1 : Number(a > b)
  }
}

/**
 * Classes of about as many counties each; equal figures are in one class. Up to five different figures have one each,
 * spread over all classes.
 */
export function levels(figures: readonly string[], type: ColumnType): (figure: string) => number {
  const compare = orderOf(type)
  const different = [...new Set(figures)]
  return (figure) => {
    const below = (among: readonly string[]) => among.filter((one) => compare(one, figure) < 0).length
    if (different.length === 1) return Math.floor(CLASSES / 2)
    return different.length <= CLASSES
      ? Math.round((below(different) * (CLASSES - 1)) / (different.length - 1))
      : Math.floor((below(figures) * CLASSES) / figures.length)
  }
}
