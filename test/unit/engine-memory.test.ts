import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { DamagedFileError } from '../../src/base/errors.ts'
import type { SegmentKind, SegmentSource } from '../../src/engine/columns/column.ts'
import {
  addColumnMemory,
  memoryNeeded,
  NO_COLUMNS,
  OpenDataset,
} from '../../src/engine/memory/open-dataset.ts'
import { MemoryRefusedError } from '../../src/engine/memory/regions.ts'
import type { PageQuery } from '../../src/engine/row-query.ts'
import { countRows, listPage } from '../../src/engine/run.ts'
import { exported, page, rowsOf } from '../support/engine-reads.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { matchingRows, rowObject, sortedRows } from '../support/oracle.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { type PlainTable, pageQueriesFor, tables } from '../support/random-table.ts'

const PAGES = 65536

/** A source that records what is read, and fails while `damaged` names a segment. */
function watchedSource(source: SegmentSource) {
  const watched = { reads: [] as string[], damaged: '' }
  const parts = (column: number, kind: SegmentKind) => {
    watched.reads.push(`${column} ${kind}`)
    if (watched.damaged === `${column} ${kind}`) throw new DamagedFileError('1.db', kind)
    return source.parts(column, kind)
  }
  return Object.assign(watched, { rows: source.rows, columns: source.columns, parts })
}

const SMALL: PlainTable = {
  columns: [
    { name: 'name', type: 'string' },
    { name: 'size', type: 'integer' },
    { name: 'note', type: 'string' },
  ],
  rows: [
    ['Ana', 3, 'say "hi"'],
    ['ana', 1, null],
    ['Ion', null, 'a,b'],
    ['ION', 2, ''],
  ],
}

describe('loading', () => {
  test('reads nothing at first, then each segment once, when a query needs it', async () => {
    const source = watchedSource(memorySource(SMALL))
    const dataset = new OpenDataset(source)
    expect(source.reads).toEqual([])
    await countRows(dataset, [{ column: 1, operator: 'is_null', operands: [[true]] }])
    expect(source.reads).toEqual(['1 codes'])
    await countRows(dataset, [{ column: 0, operator: 'contains', operands: [['AN']] }])
    expect(source.reads.slice(1)).toEqual(['0 codes', '0 fold_offsets', '0 fold_heap'])
    await listPage(dataset, page({ sort: [{ column: 0, descending: false }], fields: [1] }))
    expect(source.reads.slice(4)).toEqual(['1 offsets', '1 heap', '0 ranks'])
    await listPage(dataset, page({ fields: [2] }))
    expect(source.reads.slice(7)).toEqual([
      ...['2 codes', '2 offsets', '2 heap', '2 flags', '2 json_codes', '2 json_offsets', '2 json_heap'],
    ])
  })

  test('a damaged segment fails the queries that need it, every time, and no others', async () => {
    const source = watchedSource(memorySource(SMALL))
    source.damaged = '2 heap'
    const dataset = new OpenDataset(source)
    const query = page({ fields: [0, 2] })
    const failAll = async () => {
      expect(() => listPage(dataset, query)).toThrow(DamagedFileError)
      await expect(exported(dataset, { filters: [], format: 'csv', fields: [2] })).rejects.toThrow(
        DamagedFileError,
      )
      expect(() => countRows(dataset, [{ column: 2, operator: 'eq', operands: [['a']] }])).toThrow(
        DamagedFileError,
      )
    }
    await failAll()
    const free = dataset.regions.bytesFree
    for (let i = 0; i < 20; i++) await failAll()
    // Loaded segments stay loaded; the failures leave nothing behind.
    expect(dataset.regions.bytesFree).toBe(free)
    expect(rowsOf((await listPage(dataset, page({ fields: [1] }))).rows)).toHaveLength(4)
    source.damaged = ''
    expect(rowsOf((await listPage(dataset, query)).rows)).toEqual([
      ...[0, 1, 2, 3].map((row) => rowObject(SMALL, row, [0, 2])),
    ])
  })

  test('a sort that fails to load does not block the next one', async () => {
    const source = watchedSource(memorySource(SMALL))
    source.damaged = '1 codes'
    const dataset = new OpenDataset(source)
    const query = page({ sort: [{ column: 1, descending: true }], fields: [0] })
    expect(() => listPage(dataset, query)).toThrow(DamagedFileError)
    source.damaged = ''
    expect(rowsOf((await listPage(dataset, query)).rows)).toEqual([
      ...[0, 3, 1, 2].map((row) => rowObject(SMALL, row, [0])),
    ])
  })
})

describe('memory', () => {
  test('pointers above 2 GiB work like those below', async () => {
    const cases = tables().chain((table) =>
      fc.tuple(fc.constant(table), fc.array(pageQueriesFor(table), { minLength: 10, maxLength: 10 })),
    )
    for (const [table, queries] of fc.sample(cases, { numRuns: 8, seed: 21 })) {
      const dataset = new OpenDataset(memorySource(table))
      // Never written to, so it takes no real memory.
      dataset.regions.allocate(2.5 * 2 ** 30)
      for (const query of queries) {
        const order = sortedRows(table, matchingRows(table, query.filters), query.sort, [])
        const wanted = order.slice(query.offset, query.offset + query.limit)
        const { rows } = await listPage(dataset, query)
        expect(rowsOf(rows)).toEqual(wanted.map((row) => rowObject(table, row, query.fields)))
      }
      const fields = [...table.columns.keys()]
      const lines = (await exported(dataset, { filters: [], format: 'ndjson', fields }))
        .toString()
        .split('\n')
        .slice(0, -1)
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        table.rows.map((_, row) => rowObject(table, row, fields)),
      )
    }
  })

  test('the cache between queries stays bounded for any query', async () => {
    const rows = 400_000
    const texts = Array.from({ length: 1000 }, (_, i) => `t${i}`)
    const columns = Array.from({ length: 12 }, (_, column) => ({
      name: `c${column}`,
      type: 'string' as const,
      texts,
      indexOf: (row: number) => (row * (column + 3)) % 1000,
    }))
    const dataset = new OpenDataset(indexedSource(rows, columns))
    for (let round = 0; round < 200; round++) {
      // A different sort each time: 200 orders take 320 MB.
      const second = (round + 1 + (Math.floor(round / 12) % 11)) % 12
      const sort = [
        { column: round % 12, descending: round >= 132 },
        { column: second, descending: false },
      ]
      const filters = [{ column: 0, operator: 'ne' as const, operands: [[`t${round}`]] }]
      await listPage(dataset, page({ sort, filters, offset: round * 100 }))
    }
    const loaded = rows * 2 * 12
    expect(dataset.bytes).toBeLessThan(loaded + (64 + 16 + 40) * 2 ** 20)
  })

  test('a full memory drops the caches before it refuses queries', async () => {
    const dataset = new OpenDataset(memorySource(SMALL))
    const sorted = page({ sort: [{ column: 0, descending: false }] })
    await listPage(dataset, sorted)
    expect(dataset.orders.has('0|')).toBe(true)
    expect(() => dataset.regions.allocate(5 * 2 ** 30)).toThrow('4 GiB')
    expect(dataset.orders.has('0|')).toBe(false)
    expect(rowsOf((await listPage(dataset, sorted)).rows)).toHaveLength(4)
  })

  test('when memory may not grow, answers are right or refused, and nothing leaks', async () => {
    const columns = Array.from({ length: 4 }, (_, column) => ({
      name: `c${column}`,
      type: 'string' as const,
      texts: Array.from({ length: 700 }, (_, i) => `t${i}`),
      indexOf: (row: number) => (row * (column + 3)) % 700,
    }))
    const source = indexedSource(300_000, columns)
    const random = randomFrom(7)
    let share = 0
    const dataset = new OpenDataset(source, { mayGrow: () => random() < share })
    const free = new OpenDataset(source)
    const queries = Array.from({ length: 40 }, (_, i) =>
      page({
        fields: [0, 1, 2, 3],
        sort: [{ column: i % 4, descending: i % 3 === 0 }],
        filters: i % 2 ? [{ column: (i + 1) % 4, operator: 'gte' as const, operands: [[`t${i}`]] }] : [],
        offset: i * 1000,
      }),
    )
    const outcome = async (query: PageQuery) => {
      try {
        return Buffer.from((await listPage(dataset, query)).rows).toString()
      } catch (error) {
        expect(error).toBeInstanceOf(MemoryRefusedError)
        return 'refused'
      }
    }
    const leftOver = () => {
      const { orders, combinations, masks, regions } = dataset
      while (orders.giveUpOldest() || combinations.giveUpOldest() || masks.giveUpOldest());
      return dataset.bytes - regions.bytesFree
    }
    let refused = 0
    for (share of [0, 0.2, 0.7]) {
      for (const query of queries) {
        const answer = await outcome(query)
        if (answer === 'refused') refused++
        else expect(answer).toBe(Buffer.from((await listPage(free, query)).rows).toString())
      }
    }
    expect(refused).toBeGreaterThan(queries.length)
    expect(refused).toBeLessThan(3 * queries.length)
    const held = leftOver()
    share = 0
    for (const query of queries) await outcome(query)
    expect(leftOver()).toBe(held)
  })

  test('memoryNeeded is an upper bound for queries over every column', async () => {
    const cases = tables({ mostRows: 2000 }).chain((table) =>
      fc.tuple(fc.constant(table), fc.array(pageQueriesFor(table), { minLength: 20, maxLength: 20 })),
    )
    for (const [table, queries] of fc.sample(cases, { numRuns: 25, seed: 3 })) {
      const source = memorySource(table)
      const dataset = new OpenDataset(source)
      const fields = [...table.columns.keys()]
      const columns = source.columns.reduce(addColumnMemory, NO_COLUMNS)
      for (const query of queries) await listPage(dataset, query)
      await exported(dataset, { filters: [], format: 'csv', fields })
      await exported(dataset, { filters: [], format: 'ndjson', fields })
      expect(dataset.bytes).toBeLessThanOrEqual(memoryNeeded(source.rows, columns) + 16 * PAGES)
    }
  })

  test('memoryNeeded distinguishes a dataset that fits from one that does not', () => {
    const needed = (rows: number) => {
      const segments = { codes: rows * 4, heap: 1e6, offsets: 4e5 }
      return memoryNeeded(rows, addColumnMemory(NO_COLUMNS, { codeWidth: 4, segments }))
    }
    expect(needed(100_000_000)).toBeLessThan(2 ** 32)
    expect(needed(500_000_000)).toBeGreaterThan(2 ** 32)
  })
})
