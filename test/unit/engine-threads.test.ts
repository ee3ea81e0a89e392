import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { aggregateRows } from '../../src/engine/aggregate/aggregate.ts'
import type { AggregateQuery, MeasureKind } from '../../src/engine/aggregate/group-query.ts'
import type { SegmentSource } from '../../src/engine/columns/column.ts'
import { countFacets } from '../../src/engine/facets.ts'
import { KernelThreads } from '../../src/engine/kernel/kernel-threads.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter } from '../../src/engine/row-query.ts'
import { countRows, listPage } from '../../src/engine/run.ts'
import { BusyError, TurnKeeper } from '../../src/engine/turns.ts'
import { aggregatePlainly } from '../support/aggregate-oracle.ts'
import { facetPlainly } from '../support/facet-oracle.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { matchingRows, rowObject, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { aggregateQueriesFor } from '../support/random-aggregate.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { fieldsFor, filtersFor, pageQueriesFor, tables } from '../support/random-table.ts'

/** Three threads, given all the work there is. */
const threads = new KernelThreads(3, -1)

afterAll(() => threads.end())

/** Closed at the end, so that the threads release it. */
async function withThreads<T>(source: SegmentSource, use: (dataset: OpenDataset) => Promise<T>): Promise<T> {
  const dataset = new OpenDataset(source, { threads })
  try {
    return await use(dataset)
  } finally {
    dataset.close()
  }
}

describe('work divided among threads', () => {
  test('pages, groups and facets of random tables agree with the oracles', async () => {
    const cases = tables().chain((table) =>
      fc.tuple(
        fc.constant(table),
        fc.array(pageQueriesFor(table), { minLength: 6, maxLength: 6 }),
        fc.array(aggregateQueriesFor(table), { minLength: 6, maxLength: 6 }),
        fc.tuple(filtersFor(table), fieldsFor(table)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(cases, ([table, pages, groups, [filters, columns]]) =>
        withThreads(memorySource(table), async (dataset) => {
          for (const query of pages) {
            const order = sortedRows(table, matchingRows(table, query.filters), query.sort, [])
            const wanted = order.slice(query.offset, query.offset + query.limit)
            const { rows } = await listPage(dataset, query)
            expect(JSON.parse(Buffer.from(rows).toString())).toEqual(
              wanted.map((row) => rowObject(table, row, query.fields)),
            )
          }
          for (const query of groups)
            expect(await aggregateRows(dataset, query)).toEqual(aggregatePlainly(table, query))
          const facets = await countFacets(dataset, { filters, columns, limit: 5 })
          expect(facets).toEqual(columns.map((column) => facetPlainly(table, filters, column, 5)))
        }),
      ),
      { numRuns: runs(60), interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
    )
  })

  test('many rows, in shares of several blocks, give the result of a single thread', async () => {
    const source = manyRows(560_003)
    const alone = new OpenDataset(source)
    await withThreads(source, async (dataset) => {
      for (const filters of FILTERS) {
        expect(await countRows(dataset, filters)).toBe(await countRows(alone, filters))
        const facets = { filters, columns: [0, 1, 2, 3, 4], limit: 20 }
        expect(await countFacets(dataset, facets)).toEqual([...(await countFacets(alone, facets))])
        for (const query of questions(filters))
          expect(await aggregateRows(dataset, query)).toEqual(await aggregateRows(alone, query))
        for (const sort of SORTS)
          for (const offset of [0, 1000, 279_000]) {
            const query = { filters, sort, offset, limit: 500, fields: [5], count: true }
            // The rows of a page are lent until the next page.
            const [page, wanted] = [await textOf(dataset, query), await textOf(alone, query)]
            expect(page).toBe(wanted)
          }
      }
    })
  }, 240_000)

  test('concurrent queries share the threads, and a failing thread fails only its own query', async () => {
    await withThreads(manyRows(30_011), async (dataset) => {
      const asked = FILTERS.map((filters) => countFacets(dataset, { filters, columns: [0, 1], limit: 3 }))
      expect((await Promise.all(asked)).length).toBe(FILTERS.length)
      const broken = threads.run(dataset, [{ calls: [['fillBits', 2 ** 32 - 8, 0, 2 ** 20]], cost: 1 }])
      expect(await broken.then(String, String)).toContain('ut of bounds')
      expect(await countRows(dataset, [{ words: ['n12'] }])).toBeGreaterThan(0)
    })
  })
})

test('a query refused beside other long work leaves nothing working on the memory', async () => {
  const turns = new TurnKeeper({ most: 1, deadline: Number.POSITIVE_INFINITY })
  const dataset = new OpenDataset(manyRows(30_011), { threads, turns })
  const query = { filters: [], columns: [0, 1], limit: 3 }
  const wanted = await countFacets(dataset, query)
  const inUse = () => dataset.bytes - dataset.regions.bytesFree
  const before = inUse()
  const asked = await Promise.allSettled(Array.from({ length: 5 }, async () => countFacets(dataset, query)))
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(refused.map((one) => (one as PromiseRejectedResult).reason)).toEqual(
    new Array(4).fill(expect.any(BusyError)),
  )
  expect(asked.find(({ status }) => status === 'fulfilled')).toMatchObject({ value: wanted })
  expect(inUse()).toBe(before)
  dataset.close()
})

async function textOf(dataset: OpenDataset, query: Parameters<typeof listPage>[1]): Promise<string> {
  return Buffer.from((await listPage(dataset, query)).rows).toString()
}

const WORD: Filter = { words: ['n1'] }
const FILTERS: readonly (readonly Filter[])[] = [
  [],
  [{ column: 0, operator: 'gt', operands: [[2]] }],
  [{ column: 1, operator: 'in', operands: [[3, 7, 250, 251]] }, WORD],
  [{ column: 2, operator: 'contains', operands: [['99']] }],
]

/** The last two in several passes, each over the order of the previous one. */
const SORTS = [
  [{ column: 1, descending: true }],
  [{ column: 4, descending: false }],
  [
    { column: 2, descending: false },
    { column: 0, descending: true },
  ],
  [
    { column: 0, descending: false },
    { column: 4, descending: true },
    { column: 1, descending: false },
  ],
  [
    { column: 3, descending: true },
    { column: 2, descending: false },
    { column: 1, descending: true },
  ],
]

function questions(filters: readonly Filter[]): readonly AggregateQuery[] {
  const measures = (['count', 'sum', 'avg', 'min', 'max', 'median', 'count_distinct'] as MeasureKind[]).map(
    (kind) => ({ kind, column: 4 }),
  )
  const common = { filters, having: [], sort: [], limit: 1000, offset: 0, count: true }
  const key = (column: number) => ({ column, part: null })
  return [
    { ...common, groups: [key(0)], measures: measures.slice(0, 5) },
    { ...common, groups: [key(0), key(3)], measures },
    { ...common, groups: [key(1), key(2)], measures: measures.slice(0, 2) },
    { ...common, groups: [], measures: measures.slice(0, 3) },
  ]
}

/** Few and many values, one in four spellings, with and without nulls; the last column identifies every row. */
function manyRows(rows: number): SegmentSource {
  const random = randomFrom(7)
  const below = (most: number) => Math.floor(random() * most)
  const column = (
    name: string,
    type: 'integer' | 'decimal' | 'string',
    texts: readonly string[],
    hasNulls: boolean,
  ) => {
    const indexes = Int32Array.from({ length: rows }, () =>
      hasNulls && below(9) === 0 ? -1 : below(texts.length),
    )
    return { name, type, texts, indexOf: (row: number) => indexes[row]! }
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i))
  return indexedSource(rows, [
    column('few', 'integer', numbers(7), false),
    column('some', 'integer', numbers(300), true),
    column(
      'many',
      'string',
      numbers(70_000).map((n) => `n${n}`),
      false,
    ),
    column('spelt', 'string', ['Iași', 'IAȘI', 'iasi', 'Cluj'], true),
    column(
      'amount',
      'decimal',
      numbers(90_000).map((n) => `${Number(n) - 40_000}.25`),
      true,
    ),
    { name: 'row', type: 'integer', texts: numbers(rows), indexOf: (row) => row },
  ])
}
