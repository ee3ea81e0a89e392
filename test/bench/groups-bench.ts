/** Groups with their measures, over the version file and beside DuckDB, whose answers must be the same. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRows } from '../../src/engine/aggregate/aggregate.ts'
import type { AggregateQuery, MeasureKind, ResultRow } from '../../src/engine/aggregate/group-query.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { timed } from './engine-work.ts'
import { LIST } from './http-bench.ts'
import { type Load, putLoad } from './load-job.ts'
import type { DuckDbAnswer } from './peers/duckdb.ts'
import type { Service } from './process.ts'
import { atMost, type Measurement, median } from './report.ts'

interface Question {
  readonly work: string
  readonly groups: readonly string[]
  readonly measures: readonly (readonly [kind: MeasureKind, column?: string])[]
  /** Which result sorts them, the greatest first; absent: the groups' order. */
  readonly sortedBy?: number
  /** What 2,000,000 rows may take, in ms. */
  readonly targetMs: number
}

const VALUE = 'value_lei'

const QUESTIONS: readonly Question[] = [
  { work: 'groups: sum by month', groups: ['month'], measures: [['sum', VALUE]], targetMs: 8 },
  {
    work: 'groups: count, sum, mean by partner, by the sum',
    groups: ['partner_country_code'],
    measures: [['count'], ['sum', VALUE], ['avg', VALUE]],
    sortedBy: 2,
    targetMs: 15,
  },
  {
    work: 'groups: top 50 pairs of product and partner',
    groups: ['cn8_code', 'partner_country_code'],
    measures: [['sum', VALUE]],
    sortedBy: 2,
    targetMs: 120,
  },
  {
    work: 'groups: distinct products and median by month',
    groups: ['month'],
    measures: [
      ['count_distinct', 'cn8_code'],
      ['median', VALUE],
    ],
    targetMs: 80,
  },
]

/** Rows that the targets are for. With more there are more pairs than an answer may have. */
const TARGET_ROWS = 2_000_000
const TIMES = 5
const LEAST_MS = 2

/** The middle of five times each, with the columns loaded and numbers kept by row; nothing else is kept from one time to the next. */
export async function measureGroups(path: string): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = new OpenDataset(file)
    const share = dataset.rows / TARGET_ROWS
    const questions = QUESTIONS.filter(({ groups }) => groups.length === 1 || share <= 1)
    for (const question of questions) await aggregateRows(dataset, queryOf(dataset, question))
    const measurements: Measurement[] = []
    for (const question of questions) {
      const query = queryOf(dataset, question)
      const { total } = await aggregateRows(dataset, query)
      const times: number[] = []
      for (let i = 0; i < TIMES; i++) times.push(await timed(() => aggregateRows(dataset, query)))
      const target = Math.max(LEAST_MS, question.targetMs * share)
      const note = `${total?.toLocaleString('en-US')} groups`
      measurements.push(atMost(question.work, median(times), target, ' ms', note))
    }
    return measurements
  } finally {
    file.close()
  }
}

/**
 * How long a list over one connection takes while another one asks for groups that nobody asked for before.
 * @param folder for files of the load; it must not have been used for another one
 */
export async function measureListsBesideGroups(
  izvor: Service,
  secret: string,
  folder: string,
  seconds: number,
): Promise<Load> {
  const headers = { authorization: `Bearer ${secret}` }
  const put = (name: string, paths: readonly string[]) => {
    mkdirSync(join(folder, name), { recursive: true })
    return putLoad(izvor, join(folder, name), { paths, headers, seconds, connections: 1 })
  }
  const groups = Array.from({ length: 5000 }, (_, i) => {
    const asked =
      i % 2 === 0 ? 'measures=count_distinct(cn8_code),median(value_lei)' : 'measures=sum(value_lei)'
    return `/v1/bench/trade/aggregate?group_by=month&${asked}&value_lei[gte]=${1000 + i * 37}`
  })
  const [lists] = await Promise.all([put('lists-beside-groups', [LIST]), put('groups', groups)])
  return lists
}

function queryOf(dataset: OpenDataset, { groups, measures, sortedBy }: Question): AggregateQuery {
  const columnAt = (name: string) => dataset.columns.findIndex((column) => column.name === name)
  return {
    filters: [],
    groups: groups.map((name) => ({ column: columnAt(name), part: null })),
    measures: measures.map(([kind, name]) => ({ kind, column: name === undefined ? null : columnAt(name) })),
    having: [],
    sort: sortedBy === undefined ? [] : [{ result: sortedBy, descending: true }],
    limit: 50,
    offset: 0,
    count: true,
  }
}

/** The same in SQL. */
export const GROUP_QUERIES: readonly string[] = QUESTIONS.map(({ groups, measures, sortedBy }) => {
  const results = measures.map(([kind, column]) => {
    if (column === undefined) return 'count(*)'
    return kind === 'count_distinct' ? `count(DISTINCT ${column})` : `${kind}(${column})`
  })
  const order = sortedBy === undefined ? groups.join(', ') : `${sortedBy + 1} DESC, ${groups.join(', ')}`
  const keys = groups.join(', ')
  return `SELECT ${keys}, ${results.join(', ')} FROM trade GROUP BY ${keys} ORDER BY ${order} LIMIT 50`
})

/**
 * @param path of the version file @param answered what DuckDB answered to `GROUP_QUERIES`, in their order
 * @throws Error where it answered something else
 */
export async function groupsBesideDuckDb(
  path: string,
  izvor: ReadonlyMap<string, number>,
  answered: readonly DuckDbAnswer[],
): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = new OpenDataset(file)
    const measurements: Measurement[] = []
    for (const [i, question] of QUESTIONS.entries()) {
      const { ms, rows } = answered[i]!
      const { work } = question
      if (!izvor.has(work)) continue
      const ours = await aggregateRows(dataset, queryOf(dataset, question))
      if (!isSame(ours.rows, rows)) throw new Error(`${work}: DuckDB has another answer`)
      measurements.push(atMost(`${work}, beside DuckDB`, izvor.get(work)!, ms, ' ms', 'the same answer'))
    }
    return measurements
  } finally {
    file.close()
  }
}

/** DuckDB's means are doubles of its own sums, and it reads codes with leading zeros as numbers. */
const NEAR = 1e-12

function isSame(ours: readonly ResultRow[], theirs: DuckDbAnswer['rows']): boolean {
  const isSameValue = (a: string | null, b: string | null) =>
    a === b || (a !== null && b !== null && Math.abs(Number(a) - Number(b)) <= NEAR * Math.abs(Number(a)))
  return (
    ours.length === theirs.length &&
    ours.every((row, i) => row.every((value, result) => isSameValue(value, theirs[i]![result] ?? null)))
  )
}
