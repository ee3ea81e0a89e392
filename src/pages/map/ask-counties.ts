import { aggregateRows } from '../../engine/aggregate/aggregate.ts'
import type { AggregateQuery } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { COUNT_ROWS } from '../../query/aggregate/first-question.ts'
import { countyOf } from '../question/county-columns.ts'
import type { Planned } from '../summary/ask-summary.ts'

/** The number of classes in the legend; class 0 has the lowest figures. */
export const CLASSES = 5

/** Figures by county, the greatest first; a county without rows is missing. */
export type CountyFigures = Awaited<ReturnType<typeof findCounties>>

/** Measures the rows of a plan by county, with the summary's aggregate. @throws as `aggregateRows` */
export async function findCounties(dataset: OpenDataset, planned: Planned) {
  const { filters, rows: key, measure, measureType } = planned
  const ask = async (change: Partial<AggregateQuery>) => {
    const page = { having: [], sort: [], limit: Number.MAX_SAFE_INTEGER, offset: 0, count: false }
    const query = { filters, groups: [], measures: [measure, COUNT_ROWS], ...page, ...change }
    return (await aggregateRows(dataset, query)).rows
  }
  const [total = null, found = '0'] = (await ask({}))[0] ?? []
  const rows = await ask({ groups: [key] })
  const named = Map.groupBy(rows, ([value]) => (value == null ? undefined : countyOf(value)))
  const figures: { county: string; values: string[]; figure: string | null }[] = []
  for (const [county, [first, ...more]] of named) {
    if (county === undefined) continue
    const values = [first!, ...more].map(([value]) => value!)
    // Several spellings are measured together: their means and medians do not add up.
    const narrow = { column: key.column, operator: 'in', operands: [values] } as const
    const [figure = null] = more.length > 0 ? (await ask({ filters: [...filters, narrow] }))[0]! : [first![1]]
    figures.push({ county, values, figure })
  }
  const compare = orderOf(measureType)
  figures.sort((a, b) => compare(b.figure, a.figure))
  const others = named.get(undefined) ?? []
  const known = figures.flatMap(({ figure }) => figure ?? [])
  const levelOf = levels(known, measureType)
  return {
    ...planned,
    /** `values` name the county; `figure` has all digits, and is null where none of the rows has a value. */
    counties: new Map(
      figures.map(({ county, values, figure }) => [
        county,
        { values, figure, level: figure === null ? null : levelOf(figure) },
      ]),
    ),
    /** Values that name no county, including null. */
    others: others.map(([value = null, figure = null]) => ({ value, figure })),
    /** How many of the `found` rows have no known county. */
    elsewhere: others.reduce((sum, [, , count]) => sum + Number(count), 0),
    found: Number(found),
    total,
  }
}

/** The order of figures; null comes before the lowest. */
function orderOf(type: ColumnType): (a: string | null, b: string | null) => number {
  const isNumber = type === 'integer' || type === 'decimal'
  return (a, b) => {
    if (a === null || b === null) return Number(a !== null) - Number(b !== null)
    return isNumber ? Number(a) - Number(b) : a < b ? -1 : Number(a > b)
  }
}

/**
 * Classes of about equally many counties; equal figures share a class. Up to five different figures get one class each,
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
