import { beforeAll, describe, expect, test } from 'bun:test'
import type { SegmentSource } from '../../src/engine/columns/column.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ColumnFilter, SortField } from '../../src/engine/row-query.ts'
import { listPage } from '../../src/engine/run.ts'
import { findOrder, settleOrder } from '../../src/engine/sort/sort.ts'
import { runInTurns } from '../../src/engine/turns.ts'
import { indexedSource } from '../support/memory-source.ts'
import { randomFrom } from '../support/random-numbers.ts'

/** A column by its sort keys: for each row the number of its place, or null; spellings of one fold share a number. */
interface Shape {
  readonly name: string
  readonly keys: readonly (number | null)[]
  /** How many spellings, which compare equal, each number has. */
  readonly spellings: number
}

const BLOCK = 2 ** 18

function shapes(rows: number, seed: number): Shape[] {
  const random = randomFrom(seed)
  const below = (most: number) => Math.floor(random() * most)
  const make: [string, number, (row: number) => number | null][] = [
    ['unique', 1, (row) => (row * 7919) % rows],
    // Half of the rows share a handful of values, the rest almost none: ties come in groups of every size.
    ['skewed', 1, () => Math.floor(rows ** random())],
    ['skewed_nulls', 1, () => (below(3) === 0 ? null : Math.floor(rows ** random()))],
    ['spelled', 3, () => (below(50) === 0 ? null : Math.floor(rows ** random()))],
    ['few', 1, () => below(5)],
    ['few_nulls', 1, () => (below(2) === 0 ? null : below(200))],
    ['medium', 1, () => below(3000)],
    ['one', 1, () => 0],
    ['one_or_null', 1, () => (below(2) === 0 ? null : 0)],
    ['runs', 1, (row) => row >> 10],
  ]
  return make.map(([name, spellings, key]) => ({
    name,
    spellings,
    keys: Array.from({ length: rows }, (_, row) => key(row)),
  }))
}

function textOf(key: number, spelling: number): string {
  const text = `x${String(key).padStart(7, '0')}y`
  return spelling === 0 ? text : spelling === 1 ? text.toUpperCase() : `${text.slice(0, -1)}Y`
}

function open(rows: number, shaped: readonly Shape[]): OpenDataset {
  return new OpenDataset(sourceOf(rows, shaped))
}

function sourceOf(rows: number, shaped: readonly Shape[]): SegmentSource {
  const columns = shaped.map(({ name, keys, spellings }) => {
    const numbers = new Map<number, number>()
    for (const key of keys) if (key !== null && !numbers.has(key)) numbers.set(key, numbers.size)
    const texts = [...numbers.keys()].flatMap((key) =>
      Array.from({ length: spellings }, (_, spelling) => textOf(key, spelling)),
    )
    const indexOf = (row: number) => {
      const key = keys[row]!
      return key === null ? -1 : numbers.get(key)! * spellings + (row % spellings)
    }
    return { name, type: 'string' as const, texts, indexOf }
  })
  return indexedSource(rows, columns)
}

/** The first place at which two orders differ; -1: none. */
function firstDifference(order: readonly number[], wanted: readonly number[]): number {
  return wanted.findIndex((row, i) => order[i] !== row)
}

/** The rows in order, by the plainest sort there is. */
function sorted(rows: number[], shaped: readonly Shape[], sort: readonly SortField[]): number[] {
  return rows.sort((a, b) => {
    for (const { column, descending } of sort) {
      const left = shaped[column]!.keys[a]!
      const right = shaped[column]!.keys[b]!
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return descending ? right - left : left - right
    }
    return a - b
  })
}

async function orderOf(dataset: OpenDataset, sort: readonly SortField[]): Promise<number[]> {
  const order = await runInTurns(findOrder(dataset, sort, null))
  try {
    await runInTurns(settleOrder(dataset, order, 0, order.count))
    return [...dataset.regions.words.subarray(order.at / 4, order.at / 4 + order.count)]
  } finally {
    order[Symbol.dispose]()
  }
}

/** `skewed,-few` as sort fields. */
function sortOf(shaped: readonly Shape[], text: string): SortField[] {
  return text.split(',').map((name) => ({
    column: shaped.findIndex((shape) => shape.name === name.replace('-', '')),
    descending: name.startsWith('-'),
  }))
}

const SORTS = [
  'unique',
  '-unique,few',
  'skewed',
  '-skewed',
  'skewed_nulls',
  '-skewed_nulls',
  '-spelled',
  'few',
  '-few_nulls',
  'one',
  '-one_or_null',
  'few,-few_nulls,one_or_null',
  '-few_nulls,few,medium,runs',
  'medium,-few_nulls,few',
  'few,-unique',
  'few_nulls,-skewed_nulls',
  'skewed,-skewed_nulls',
  '-skewed_nulls,spelled',
  'spelled,-few_nulls,-medium',
  'skewed,-skewed_nulls,medium',
  '-skewed,one,few,-one_or_null',
  '-spelled,skewed_nulls,-skewed,few_nulls',
  'skewed,-unique',
  '-runs,medium,skewed',
]

describe('orders of all rows agree with a plain sort', () => {
  for (const rows of [2, 15, 16, 17, 300, 4095, 4096, 30_000, BLOCK - 1, BLOCK, BLOCK + 1]) {
    test(`${rows} rows`, async () => {
      const shaped = shapes(rows, rows)
      const dataset = open(rows, shaped)
      for (const text of rows < 30_001 ? SORTS : SORTS.filter((_, i) => i % 5 === rows % 5)) {
        const sort = sortOf(shaped, text)
        const wanted = sorted([...Array(rows).keys()], shaped, sort)
        const order = await orderOf(dataset, sort)
        expect({ text, rows: order.length, at: firstDifference(order, wanted) }).toEqual({
          text,
          rows,
          at: -1,
        })
      }
    })
  }
})

interface Prepared {
  readonly rows: number
  readonly shaped: readonly Shape[]
  readonly source: SegmentSource
}

/** Row numbers that `keep` keeps, sorted, and pages of them at many offsets. */
async function expectPages(
  { rows, shaped, source }: Prepared,
  sorts: readonly string[],
  filters: (shaped: readonly Shape[]) => ColumnFilter[],
) {
  const unique = shaped.findIndex(({ name }) => name === 'unique')
  const random = randomFrom(rows)
  const conditions = filters(shaped)
  const isWanted = (row: number) =>
    conditions.every(({ column, operands }) => textOf(shaped[column]!.keys[row] ?? -1, 0) === operands[0]![0])
  const matching = [...Array(rows).keys()].filter(isWanted)
  for (const text of sorts) {
    const dataset = new OpenDataset(source)
    const sort = sortOf(shaped, text)
    const wanted = sorted([...matching], shaped, sort)
    for (let page = 0; page < 60; page++) {
      const offset = Math.floor(random() * matching.length)
      const limit = 1 + Math.floor(random() * (page % 10 === 0 ? 5000 : 60))
      const { rows: bytes } = await listPage(dataset, {
        filters: conditions,
        sort,
        fields: [unique],
        limit,
        offset,
        count: true,
      })
      const got = JSON.parse(Buffer.from(bytes).toString()).map((row: { unique: string }) => row.unique)
      const right = wanted.slice(offset, offset + limit).map((row) => textOf(shaped[unique]!.keys[row]!, 0))
      expect({
        text,
        offset,
        limit,
        at: got.findIndex((value: string, i: number) => value !== right[i]),
      }).toEqual({
        text,
        offset,
        limit,
        at: -1,
      })
      expect(got.length).toBe(right.length)
    }
  }
}

for (const rows of [300, 30_000, BLOCK + 1])
  describe('pages are right at any first offset', () => {
    const sorts =
      rows < BLOCK ? SORTS : ['skewed,-skewed_nulls,medium', 'few_nulls,-unique', '-spelled,-skewed,few']
    let prepared: Prepared
    beforeAll(() => {
      const shaped = shapes(rows, rows + 1)
      prepared = { rows, shaped, source: sourceOf(rows, shaped) }
    })

    test(`${rows} rows`, () => expectPages(prepared, sorts, () => []))

    test(`some of ${rows} rows, picked from the order of all, from either end`, () =>
      expectPages(prepared, sorts, (shaped) => {
        const column = shaped.findIndex(({ name }) => name === 'few')
        return [{ column, operator: 'eq', operands: [[textOf(3, 0)]] }]
      }))
  })

test('many callers can settle one order at the same time, even if some give up', async () => {
  const rows = 200_000
  const shaped = shapes(rows, 11)
  const dataset = open(rows, shaped)
  const random = randomFrom(5)
  for (const text of [
    'skewed,-skewed_nulls,medium',
    '-spelled,unique',
    'few,few_nulls,-unique',
    'runs,skewed',
  ]) {
    const sort = sortOf(shaped, text)
    const order = await runInTurns(findOrder(dataset, sort, null))
    const works = Array.from({ length: 12 }, () => {
      const from = Math.floor(random() * rows)
      return settleOrder(dataset, order, from, Math.min(rows, from + Math.floor(random() * rows)))
    })
    while (works.length > 0) {
      const at = Math.floor(random() * works.length)
      const work = works[at]!
      if (random() < 0.05) work.return()
      if (work.next().done) works.splice(at, 1)
    }
    order[Symbol.dispose]()
    const wanted = sorted([...Array(rows).keys()], shaped, sort)
    expect({ text, at: firstDifference(await orderOf(dataset, sort), wanted) }).toEqual({ text, at: -1 })
  }
})

test('where nearly every row has one value, sorting the ties ends before it starts, and the order is right', async () => {
  const rows = 2 ** 19 + 40_000
  const random = randomFrom(3)
  const keys = (few: number) => Array.from({ length: rows }, () => Math.floor(random() * few))
  const mostly = Array.from({ length: rows }, (_, row) => (row % 16 === 0 ? row : 1))
  const shaped = [
    { name: 'mostly', spellings: 1, keys: mostly },
    { name: 'few', spellings: 1, keys: keys(7) },
  ]
  const sort = sortOf(shaped, '-mostly,few')
  const wanted = sorted([...Array(rows).keys()], shaped, sort)
  expect(firstDifference(await orderOf(open(rows, shaped), sort), wanted)).toBe(-1)
})

test('matching rows are sorted like all rows', async () => {
  const rows = 30_000
  const shaped = shapes(rows, 9)
  const dataset = open(rows, shaped)
  const few = shaped.findIndex(({ name }) => name === 'few_nulls')
  const unique = shaped.findIndex(({ name }) => name === 'unique')
  const filters: ColumnFilter[] = [{ column: few, operator: 'eq', operands: [[textOf(77, 0)]] }]
  const matching = [...Array(rows).keys()].filter((row) => shaped[few]!.keys[row] === 77)
  expect(matching.length).toBeGreaterThan(40)
  for (const text of SORTS) {
    const sort = sortOf(shaped, text)
    const wanted = sorted([...matching], shaped, sort).map((row) => textOf(shaped[unique]!.keys[row]!, 0))
    const page = await listPage(dataset, {
      filters,
      sort,
      fields: [unique],
      limit: 500,
      offset: 0,
      count: true,
    })
    const got = JSON.parse(Buffer.from(page.rows).toString()).map((row: { unique: string }) => row.unique)
    expect({ text, got }).toEqual({ text, got: wanted })
  }
})

test('a sort releases all memory but the order', async () => {
  const rows = 30_000
  const shaped = shapes(rows, 4)
  const dataset = open(rows, shaped)
  const free = async () => {
    for (const text of SORTS) await orderOf(dataset, sortOf(shaped, text))
    while (dataset.orders.giveUpOldest());
    return dataset.regions.bytesFree
  }
  const before = await free()
  expect(await free()).toBe(before)
})
