import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aggregateRows, openGroups } from '../../src/engine/aggregate/aggregate.ts'
import {
  type AggregateQuery,
  MOST_GROUPS,
  type ResultRow,
  resultTypes,
  TooManyGroupsError,
} from '../../src/engine/aggregate/group-query.ts'
import type { Value } from '../../src/engine/columns/column.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { DeadlineError, TurnKeeper } from '../../src/engine/turns.ts'
import { aggregatePlainly } from '../support/aggregate-oracle.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { runs } from '../support/property-runs.ts'
import { aggregateQueriesFor } from '../support/random-aggregate.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { type PlainTable, tables } from '../support/random-table.ts'

const QUERIES_PER_TABLE = 20
const LIMITS = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true }
const TABLE_QUERIES = tables().chain((table) =>
  fc.tuple(
    fc.constant(table),
    fc.array(aggregateQueriesFor(table), { minLength: QUERIES_PER_TABLE, maxLength: QUERIES_PER_TABLE }),
  ),
)

const ALL: AggregateQuery = {
  filters: [],
  groups: [],
  measures: [],
  having: [],
  sort: [],
  limit: 1000,
  offset: 0,
  count: true,
}

type Columns = Record<string, readonly [PlainTable['columns'][number]['type'], readonly (Value | null)[]]>

/** A dataset of the given columns, each with its type and values. */
function open(columns: Columns): OpenDataset {
  const entries = Object.entries(columns)
  const rows = entries[0]![1][1].map((_, row) => entries.map(([, [, values]]) => values[row]!))
  return new OpenDataset(memorySource({ columns: entries.map(([name, [type]]) => ({ name, type })), rows }))
}

async function ask(dataset: OpenDataset, query: Partial<AggregateQuery>): Promise<readonly ResultRow[]> {
  return (await aggregateRows(dataset, { ...ALL, ...query })).rows
}

describe('groups of random tables', () => {
  test('pages agree with the oracle on 5,000 random queries', async () => {
    await fc.assert(
      fc.asyncProperty(TABLE_QUERIES, async ([table, queries]) => {
        const dataset = new OpenDataset(memorySource(table))
        for (const query of queries)
          expect(await aggregateRows(dataset, query)).toEqual(aggregatePlainly(table, query))
      }),
      { numRuns: runs(250), ...LIMITS },
    )
  }, 120_000)

  test('batches hold every group once, in page order', async () => {
    await fc.assert(
      fc.asyncProperty(TABLE_QUERIES, async ([table, queries]) => {
        const dataset = new OpenDataset(memorySource(table))
        for (const query of queries) {
          const groups = await openGroups(dataset, query)
          const rows: ResultRow[] = []
          for await (const batch of groups.batches()) rows.push(...batch)
          groups.close()
          expect(rows).toEqual([...aggregatePlainly(table, { ...query, offset: 0, limit: 1e9 }).rows])
        }
      }),
      { numRuns: runs(50), ...LIMITS },
    )
  }, 120_000)
})

describe('measures', () => {
  test('without groups there is one row, even when nothing matches', async () => {
    const dataset = open({ a: ['integer', [1, 2]] })
    const filters = [{ column: 0, operator: 'gt' as const, operands: [[5]] }]
    const kinds = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const
    const measures = [{ kind: 'count' as const, column: null }, ...kinds.map((kind) => ({ kind, column: 0 }))]
    expect(await ask(dataset, { filters, measures })).toEqual([['0', '0', '0', null, null, null, null, null]])
  })

  test('sums are exact, beyond 2^53 and with every digit of decimals', async () => {
    const big = Number.MAX_SAFE_INTEGER
    const dataset = open({
      whole: ['integer', [big, big, big, -1]],
      parts: ['decimal', [0.1, 0.2, 1e21, 1e-7]],
    })
    const measures = [0, 1].map((column) => ({ kind: 'sum' as const, column }))
    expect(await ask(dataset, { measures })).toEqual([
      ['27021597764222972', '1000000000000000000000.3000001'],
    ])
  })

  test('means are rounded half to even at the fifteenth digit, and a median that is one of the values is not rounded', async () => {
    const dataset = open({
      a: ['decimal', [0.1, 0.30000000000000004, null]],
      b: ['decimal', [0.30000000000000004, 0.30000000000000004, 0.5]],
      c: ['integer', [1_000_000_000_000_001, 1_000_000_000_000_002, null]],
      d: ['integer', [1_000_000_000_000_005, 1_000_000_000_000_005, null]],
    })
    const measures = [
      { kind: 'median' as const, column: 0 },
      { kind: 'median' as const, column: 1 },
      { kind: 'avg' as const, column: 2 },
      { kind: 'avg' as const, column: 3 },
    ]
    expect(await ask(dataset, { measures })).toEqual([
      ['0.2', '0.30000000000000004', '1000000000000000', '1000000000000000'],
    ])
  })

  test('groups and the least and greatest texts are shown in the spelling most frequent in the whole dataset', async () => {
    const dataset = open({
      town: ['string', ['Iași', 'Iaşi', 'Iaşi', 'IAȘI', 'Brăila', null]],
      year: ['integer', [1, 2, 2, 1, 1, 1]],
    })
    const filters = [{ column: 1, operator: 'eq' as const, operands: [[1]] }]
    const count = { kind: 'count' as const, column: null }
    const most = { kind: 'max' as const, column: 0 }
    const byTown = [{ column: 0, part: null }]
    expect(await ask(dataset, { filters, groups: byTown, measures: [count, most] })).toEqual([
      ['Brăila', '1', 'Brăila'],
      ['Iaşi', '2', 'Iaşi'],
      [null, '1', null],
    ])
  })

  test('a filter on a result compares the displayed value', async () => {
    const dataset = open({ a: ['integer', [1, 1, 2]], b: ['decimal', [1, 2, 4]] })
    const groups = [{ column: 0, part: null }]
    const measures = [{ kind: 'avg' as const, column: 1 }]
    const having = [{ result: 1, operator: 'eq' as const, operands: [[1.5]] }]
    expect(await ask(dataset, { groups, measures, having })).toEqual([['1', '1.5']])
  })

  test('every result has a type', () => {
    const columns = ['datetime', 'decimal', 'integer', 'string'].map(
      (type) => ({ type }) as { type: 'string' },
    )
    const groups = (['year', 'quarter', 'month', 'day', null] as const).map((part) => ({ column: 0, part }))
    const measures = [
      { kind: 'count' as const, column: null },
      { kind: 'count_distinct' as const, column: 3 },
      { kind: 'sum' as const, column: 1 },
      { kind: 'sum' as const, column: 2 },
      { kind: 'avg' as const, column: 2 },
      { kind: 'min' as const, column: 3 },
    ]
    expect(resultTypes(columns, { groups, measures }).join(' ')).toBe(
      'integer string string date datetime integer integer decimal integer decimal string',
    )
  })
})

describe('many rows and groups', () => {
  const ROWS = 20_000
  const random = randomFrom(15)
  const upTo = (most: number) => Math.floor(random() * most)
  const table: PlainTable = {
    columns: [
      { name: 'few', type: 'integer' },
      { name: 'many', type: 'integer' },
      { name: 'large', type: 'integer' },
      { name: 'digits', type: 'decimal' },
      { name: 'long', type: 'decimal' },
      { name: 'kind', type: 'integer' },
    ],
    rows: Array.from({ length: ROWS }, (_, row) => [
      random() < 0.1 ? null : upTo(5),
      random() < 0.05 ? upTo(9) : row,
      random() < 0.05 ? null : (upTo(2e9) - 1e8) * 1e6 + upTo(1e6),
      random() < 0.2 ? null : (upTo(2e6) - 1e6) / 100,
      upTo(1e9) / 10 ** upTo(30),
      upTo(100),
    ]),
  }
  const dataset = new OpenDataset(memorySource(table))
  const kinds = ['count', 'count_distinct', 'sum', 'avg', 'min', 'max', 'median'] as const
  const column = (name: string) => table.columns.findIndex((one) => one.name === name)
  const measuresOf = (name: string) => kinds.map((kind) => ({ kind, column: column(name) }))

  const cases = ['large', 'digits', 'long'].flatMap((measured) =>
    [['few'], ['many'], ['many', 'few'], []].flatMap((grouped) =>
      [100, 50, 2, 0].map((share) => [measured, grouped.join(' and ') || 'nothing', share, grouped] as const),
    ),
  )
  test.each(cases)('measures of %s by %s of %i in a hundred rows', async (measured, _, share, grouped) => {
    const query: AggregateQuery = {
      ...ALL,
      filters: share === 100 ? [] : [{ column: column('kind'), operator: 'lt', operands: [[share]] }],
      groups: grouped.map((name) => ({ column: column(name), part: null })),
      measures: measuresOf(measured),
      sort: [{ result: grouped.length + 3, descending: true }],
    }
    expect(await aggregateRows(dataset, query)).toEqual(aggregatePlainly(table, query))
  })

  test('means that are displayed alike tie, however many groups there are', async () => {
    const numbers = Array.from({ length: 9000 }, (_, row) => 8999 - row)
    const dataset = open({
      a: ['integer', numbers],
      b: ['integer', numbers],
      value: ['integer', numbers.map((row) => 1e15 + ((row * 7919) % 4))],
    })
    const query = {
      groups: [0, 1].map((position) => ({ column: position, part: null })),
      measures: [{ kind: 'avg' as const, column: 2 }],
      sort: [{ result: 2, descending: false }],
      limit: 3,
    }
    expect(await ask(dataset, query)).toEqual(
      ['0', '1', '2'].map((group) => [group, group, '1000000000000000']),
    )
  })

  test('keys of four columns may take more than eight bytes together', async () => {
    const rows = Array.from({ length: 66_000 }, (_, row) =>
      [7, 13, 17, 1].map((step) => (row * step) % 66_000),
    )
    const wide: PlainTable = {
      columns: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'integer' })),
      rows: [...rows, ...rows.slice(0, 100)],
    }
    const query: AggregateQuery = {
      ...ALL,
      groups: [0, 1, 2, 3].map((position) => ({ column: position, part: null })),
      measures: [{ kind: 'count', column: null }],
      limit: 100_000,
    }
    expect(await aggregateRows(new OpenDataset(memorySource(wide)), query)).toEqual(
      aggregatePlainly(wide, query),
    )
  })

  test('numbers with so many values that they are kept by row are right, for all rows and for some', async () => {
    const count = 70_000
    const some: PlainTable = {
      columns: [
        { name: 'kind', type: 'integer' },
        { name: 'whole', type: 'integer' },
        { name: 'money', type: 'decimal' },
        { name: 'large', type: 'integer' },
        { name: 'huge', type: 'integer' },
      ],
      rows: Array.from({ length: count + 5000 }, (_, row) => [
        upTo(50),
        row < count ? row - 1000 : null,
        (row < count ? row * 3 - 5e5 : 7) / 100,
        row < count ? row * 1e9 : upTo(9),
        row < count ? Number.MAX_SAFE_INTEGER - row : -upTo(9),
      ]),
    }
    const opened = new OpenDataset(memorySource(some))
    const taken = () => opened.bytes - opened.regions.bytesFree
    const measures = [1, 2, 3, 4].map((one) => ({ kind: 'sum' as const, column: one }))
    const sizes: number[] = []
    for (const share of [2, 50, 30, 1]) {
      const query: AggregateQuery = {
        ...ALL,
        filters: share === 50 ? [] : [{ column: 0, operator: 'lt', operands: [[share]] }],
        groups: [{ column: 0, part: null }],
        measures,
      }
      expect(await aggregateRows(opened, query)).toEqual(aggregatePlainly(some, query))
      sizes.push(taken())
    }
    // Built once, then cached.
    expect(sizes[1]! - sizes[0]!).toBeGreaterThan(some.rows.length * (4 + 4 + 8 + 8))
    expect(sizes.at(-1)! - sizes[1]!).toBeLessThan(2 ** 18)
  })

  test('queries that need much memory run one after the other', async () => {
    const asked = new OpenDataset(memorySource(table))
    const query: AggregateQuery = {
      ...ALL,
      groups: ['many', 'large'].map((name) => ({ column: column(name), part: null })),
      measures: [{ kind: 'count', column: null }],
      limit: 20,
    }
    const alone = await aggregateRows(asked, query)
    expect(alone).toEqual(aggregatePlainly(table, query))
    const before = asked.bytes - asked.regions.bytesFree
    const { bytes } = asked
    const together = await Promise.all(Array.from({ length: 12 }, async () => aggregateRows(asked, query)))
    for (const page of together) expect(page).toEqual(alone)
    expect(asked.bytes - asked.regions.bytesFree).toBe(before)
    // Each may hold its results, three numbers for each group, but only one at a time the rest.
    const results = 12 * ROWS * (3 * 4)
    expect(asked.bytes - bytes).toBeLessThanOrEqual(results + 2 ** 20)
  })

  test.each([0, 2, 5, 10, 20, 1000])(
    'work with a deadline of %i ms leaves nothing in memory',
    async (deadline) => {
      const limits = { most: 1, deadline: Number.POSITIVE_INFINITY }
      const asked = new OpenDataset(memorySource(table), { turns: new TurnKeeper(limits) })
      const ask = async (filters: AggregateQuery['filters']) =>
        aggregateRows(asked, {
          ...ALL,
          filters,
          groups: ['many', 'few'].map((name) => ({ column: column(name), part: null })),
          measures: measuresOf('large'),
        })
      // Loads the columns.
      await ask([{ column: column('kind'), operator: 'eq', operands: [[1]] }])
      limits.deadline = deadline
      const inUse = () => asked.bytes - asked.regions.bytesFree
      const before = inUse()
      const done = await ask([]).catch((error: unknown) => error)
      if (deadline === 0) expect(done).toBeInstanceOf(DeadlineError)
      expect(inUse()).toBe(before)
    },
  )
})

describe('too many groups', () => {
  const texts = Array.from({ length: MOST_GROUPS + 1 }, (_, i) => String(i))
  const source = (rows: number) =>
    indexedSource(rows, [
      { name: 'few', type: 'integer', texts: ['1', '2'], indexOf: (row) => row % 2 },
      { name: 'many', type: 'integer', texts: texts.slice(0, rows), indexOf: (row) => row },
    ])
  const groups = [
    { column: 0, part: null },
    { column: 1, part: null },
  ]

  test('are refused, naming the column with the most values', async () => {
    const dataset = new OpenDataset(source(MOST_GROUPS + 1))
    const measures = [{ kind: 'count' as const, column: null }]
    // The first query loads the columns.
    const filters = [{ column: 1, operator: 'lt' as const, operands: [[5]] }]
    await ask(dataset, { filters, groups, measures })
    const before = dataset.bytes - dataset.regions.bytesFree
    const refused = (async () => ask(dataset, { groups, measures }))()
    await expect(refused).rejects.toBeInstanceOf(TooManyGroupsError)
    await expect(refused).rejects.toMatchObject({ column: 1 })
    expect(dataset.bytes - dataset.regions.bytesFree).toBe(before)
  })

  test('are answered up to the limit', async () => {
    const dataset = new OpenDataset(source(MOST_GROUPS))
    const sort = [{ result: 2, descending: true }]
    const measures = [{ kind: 'sum' as const, column: 1 }]
    const page = await aggregateRows(dataset, { ...ALL, groups, measures, sort, limit: 2 })
    expect([page.total, page.rows]).toEqual([
      MOST_GROUPS,
      [
        ['2', String(MOST_GROUPS - 1), String(MOST_GROUPS - 1)],
        ['1', String(MOST_GROUPS - 2), String(MOST_GROUPS - 2)],
      ],
    ])
  })
})

test.each([
  ['eq', '2024-03-01T23:59:59.5Z', 1],
  ['eq', '2024-03-02T00:00:00Z', 0],
  ['in', '2024-03-01T00:00:00Z', 1],
  ['ne', '2024-03-01T08:00:00Z', 0],
  ['ne', null, 0],
] as const)(
  'a date means the whole day for a result that is a moment: %s, %s',
  async (operator, moment, passing) => {
    const dataset = open({ moment: ['datetime', [moment]] })
    const measures = [{ kind: 'max' as const, column: 0 }]
    const having = [{ result: 0, operator, operands: [['2024-03-01']] }]
    expect((await ask(dataset, { measures, having })).length).toBe(passing)
  },
)
