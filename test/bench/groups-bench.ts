/** Groups with their measures, over the version file and in DuckDB, whose answers must be the same. */

import { aggregateRows } from '../../src/engine/aggregate/aggregate.ts'
import type { AggregateQuery, MeasureKind, ResultRow } from '../../src/engine/aggregate/group-query.ts'
import type { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter } from '../../src/engine/row-query.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { timed } from './engine-work.ts'
import { openVersion } from './open-version.ts'
import type { DuckDbAnswer, DuckDbQuestion, DuckDbRows } from './peers/duckdb.ts'
import { conditionSql } from './peers/sql.ts'
import { type Condition, toFilter } from './queries.ts'
import { atMost, type Figures, type Measurement, median, plainly } from './report.ts'

interface Question {
  readonly work: string
  readonly groups: readonly string[]
  readonly measures: readonly (readonly [kind: MeasureKind, column?: string])[]
  /** Which result sorts them, the greatest first; absent: the groups' order. */
  readonly sortedBy?: number
  /** Time that 2,000,000 rows may take, in ms. */
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

/** Rows for which the targets hold. With more, there are more pairs than an answer may have. */
const TARGET_ROWS = 2_000_000
/** One filter for each time, so that each is new; each matches about six rows of ten. */
const FILTERS: readonly Condition[] = [5000, 5001, 5002, 5003, 5004].map((kg) => ['net_mass_kg', 'lt', kg])
const TIMES = 5
const LEAST_MS = 2

const firstUse = (work: string) => `${work}, first use`
const filtered = (work: string) => `${work}, filtered`

/**
 * Each query at its first use, on a version just opened; the median of five more; and the median of five with new filters.
 * Between one time and the next only columns and numbers by row are kept.
 */
export async function measureGroups(path: string): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const question of QUESTIONS) {
    const { work, targetMs, groups } = question
    const file = VersionFile.open(path)
    try {
      const dataset = openVersion(file)
      const share = dataset.rows / TARGET_ROWS
      if (groups.length > 1 && share > 1) continue
      const query = queryOf(dataset, question)
      const ask = (filters: Filter[]) => timed(() => aggregateRows(dataset, { ...query, filters }))
      const firstMs = await ask([])
      const times: number[] = []
      while (times.length < TIMES) times.push(await ask([]))
      const filteredMs: number[] = []
      for (const filter of FILTERS) filteredMs.push(await ask([toFilter(dataset, filter)]))
      const target = Math.max(LEAST_MS, targetMs * share)
      const { total } = await aggregateRows(dataset, query)
      measurements.push(
        atMost(work, median(times), target, ' ms', `${total?.toLocaleString('en-US')} groups`),
        plainly(firstUse(work), firstMs, ' ms', 'with its columns read from the file'),
        plainly(filtered(work), median(filteredMs), ' ms', 'some six rows of ten'),
      )
    } finally {
      file.close()
    }
  }
  return measurements
}

/** For new groups. */
export const UNSEEN_GROUPS: readonly string[] = Array.from({ length: 5000 }, (_, i) => {
  const asked =
    i % 2 === 0 ? 'measures=count_distinct(cn8_code),median(value_lei)' : 'measures=sum(value_lei)'
  return `/v1/bench/trade/aggregate?group_by=month&${asked}&value_lei[gte]=${1000 + i * 37}`
})

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
export const GROUP_QUERIES: readonly DuckDbQuestion[] = QUESTIONS.map(({ groups, measures, sortedBy }) => {
  const results = measures.map(([kind, column]) => {
    if (column === undefined) return 'count(*)'
    return kind === 'count_distinct' ? `count(DISTINCT ${column})` : `${kind}(${column})`
  })
  const order = sortedBy === undefined ? groups.join(', ') : `${sortedBy + 1} DESC, ${groups.join(', ')}`
  const keys = groups.join(', ')
  const ask = (where: string) =>
    `SELECT ${keys}, ${results.join(', ')} FROM trade${where} GROUP BY ${keys} ORDER BY ${order} LIMIT 50`
  return { query: ask(''), filtered: FILTERS.map((filter) => ask(` WHERE ${conditionSql(filter)}`)) }
})

/**
 * The times of DuckDB, by the names of our lines.
 * @param path of the version file @param answered what DuckDB answered to `GROUP_QUERIES`, in their order
 * @throws Error if its answer differs
 */
export async function groupsOfDuckDb(path: string, answered: readonly DuckDbAnswer[]): Promise<Figures> {
  const file = VersionFile.open(path)
  try {
    const dataset = openVersion(file)
    for (const [i, question] of QUESTIONS.entries()) {
      if (question.groups.length > 1 && dataset.rows > TARGET_ROWS) continue
      const query = queryOf(dataset, question)
      const { rows, filteredRows } = answered[i]!
      const theirs = [rows, ...filteredRows]
      for (const [nth, filter] of [null, ...FILTERS].entries()) {
        const filters = filter === null ? [] : [toFilter(dataset, filter)]
        const ours = await aggregateRows(dataset, { ...query, filters })
        if (!isSame(ours.rows, theirs[nth]!))
          throw new Error(`${question.work} ${filter ?? ''}: DuckDB has another answer`)
      }
    }
  } finally {
    file.close()
  }
  return QUESTIONS.flatMap(({ work }, i) => {
    const { ms, firstMs, filteredMs } = answered[i]!
    return [[work, ms] as const, [firstUse(work), firstMs] as const, [filtered(work), filteredMs] as const]
  })
}

/** DuckDB's means are doubles of its own sums, and it reads codes with leading zeros as numbers. */
const NEAR = 1e-12

function isSame(ours: readonly ResultRow[], theirs: DuckDbRows): boolean {
  const isSameValue = (a: string | null, b: string | null) =>
    a === b || (a !== null && b !== null && Math.abs(Number(a) - Number(b)) <= NEAR * Math.abs(Number(a)))
  return (
    ours.length === theirs.length &&
    ours.every((row, i) => row.every((value, result) => isSameValue(value, theirs[i]![result] ?? null)))
  )
}
