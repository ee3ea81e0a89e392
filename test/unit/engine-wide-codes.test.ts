import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { SortField } from '../../src/engine/row-query.ts'
import { listPage } from '../../src/engine/run.ts'
import { memorySource } from '../support/memory-source.ts'
import { compareValues, matchingRows, rowObject, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { randomFrom } from '../support/random-numbers.ts'
import { filtersFor, type PlainTable } from '../support/random-table.ts'

/** More distinct values than two bytes can number. */
const ROWS = 67_000
const SPELLINGS = ['Județ ', 'JUDEŢ ', 'judet ', 'Ab', 'aB']

/** Columns with so many distinct values that their codes are one, two and four bytes wide. */
function wideTable(): PlainTable {
  const random = randomFrom(11)
  const below = (most: number) => Math.floor(random() * most)
  const make: [string, ColumnType, (row: number) => Value | null][] = [
    ['small', 'string', () => `v${below(200)}`],
    ['folded', 'string', () => (below(9) === 0 ? null : SPELLINGS[below(5)]! + below(700))],
    ['medium', 'integer', () => (below(3) === 0 ? null : below(40_000) - 20_000)],
    ['unique', 'integer', (row) => (row * 7_919) % 1_000_003],
    ['text', 'string', (row) => (row % 5 === 0 ? null : `${row % 3 === 0 ? 'Č' : 'c'}${row.toString(36)}`)],
    ['wide', 'decimal', (row) => (row < ROWS - 900 ? row / 4 : null)],
  ]
  return {
    columns: make.map(([name, type]) => ({ name, type })),
    rows: Array.from({ length: ROWS }, (_, row) => make.map(([, , value]) => value(row))),
  }
}

describe('codes of one, two and four bytes', () => {
  let table: PlainTable
  let dataset: OpenDataset

  beforeAll(() => {
    table = wideTable()
    dataset = new OpenDataset(memorySource(table))
  })

  test('are all present', () => {
    expect(dataset.columns.map((column) => column.codeWidth)).toEqual([1, 2, 2, 4, 2, 4])
  })

  test('filter as the oracle does', async () => {
    const sample = { ...table, rows: table.rows.slice(0, 60) }
    const queries = fc.sample(filtersFor(sample), { numRuns: runs(25), seed: 5 })
    const fields = [...table.columns.keys()]
    for (const filters of queries.filter((candidate) => candidate.length > 0)) {
      const matching = matchingRows(table, filters)
      const offset = Math.max(0, matching.length - 30)
      const page = await listPage(dataset, { filters, sort: [], fields, limit: 50, offset, count: true })
      expect(page.total).toBe(matching.length)
      const wanted = matching.slice(offset).map((row) => rowObject(table, row, fields))
      expect(JSON.parse(Buffer.from(page.rows).toString())).toEqual(wanted)
    }
  })

  /** All rows in the engine's order, by their number in the file. */
  async function orderOf(sort: readonly SortField[]): Promise<number[]> {
    const rowOf = new Map(table.rows.map((row, number) => [row[3], number]))
    const order: number[] = []
    for (let offset = 0, hasNext = true; hasNext; offset += 1000) {
      const page = await listPage(dataset, {
        filters: [],
        sort,
        fields: [3],
        limit: 1000,
        offset,
        count: false,
      })
      for (const { unique } of JSON.parse(Buffer.from(page.rows).toString())) order.push(rowOf.get(unique)!)
      hasNext = page.hasNext
    }
    return order
  }

  /** Whether the row at one place may precede the row at the next. */
  function stands(before: number, behind: number, sort: readonly SortField[]): boolean {
    for (const { column, descending } of sort) {
      const left = table.rows[before]![column]!
      const right = table.rows[behind]![column]!
      if (left === null || right === null) {
        if (left !== right) return right === null
        continue
      }
      const difference = compareValues(table, column, left, right)
      if (difference !== 0) return descending ? difference > 0 : difference < 0
    }
    return before < behind
  }

  const sorts: SortField[][] = [
    [{ column: 3, descending: true }],
    [{ column: 5, descending: false }],
    [{ column: 1, descending: true }],
    [
      { column: 0, descending: false },
      { column: 1, descending: true },
    ],
    [
      { column: 1, descending: false },
      { column: 2, descending: true },
      { column: 4, descending: false },
    ],
  ]
  for (const sort of sorts) {
    const name = sort.map((field) => (field.descending ? '-' : '+') + field.column).join(' ')
    test(`sort by ${name}: every row once, each after the one before`, async () => {
      const order = await orderOf(sort)
      expect(new Set(order).size).toBe(ROWS)
      const misplaced = order.findIndex((row, at) => at > 0 && !stands(order[at - 1]!, row, sort))
      expect(misplaced).toBe(-1)
    })
  }

  test('few and many matches are sorted alike, from either end, with and without the whole order cached', async () => {
    const sort = sorts[4]!
    const operands = [[Array.from({ length: 20 }, (_, i) => `v${i * 3}`)], [['v77']], [['v5', 'V6', 'v9']]]
    for (const [operand] of operands) {
      const filters = [{ column: 0, operator: 'in' as const, operands: [operand!] }]
      const order = sortedRows(table, matchingRows(table, filters), sort, [])
      const places = [0, Math.floor(order.length / 3), Math.floor(order.length * 0.9), order.length - 5]
      for (const fresh of [true, false]) {
        const opened = fresh ? new OpenDataset(memorySource(table)) : dataset
        for (const offset of places) {
          const page = await listPage(opened, { filters, sort, fields: [3], limit: 20, offset, count: true })
          const wanted = order.slice(offset, offset + 20).map((row) => rowObject(table, row, [3]))
          expect(JSON.parse(Buffer.from(page.rows).toString())).toEqual(wanted)
        }
      }
    }
  })
})
