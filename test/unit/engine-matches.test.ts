import { describe, expect, test } from 'bun:test'
import { exportRows } from '../../src/engine/export/export-rows.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ColumnFilter } from '../../src/engine/row-query.ts'
import { countRows, listPage, walkPage } from '../../src/engine/run.ts'
import { indexedSource } from '../support/memory-source.ts'
import { randomFrom } from '../support/random-numbers.ts'

const ROWS = 70_001
/** Column values with codes of one byte, in runs and mixed, of two bytes, and of four. */
const DISTINCT = [12, 230, 5000, ROWS]

function valueAt(column: number, row: number): number {
  if (column === 0) return Math.floor((row * 12) / ROWS)
  if (column === 3) return (row * 7_919) % ROWS
  return (Math.imul(row + 1, 0x9e3779b1 + column) >>> 8) % DISTINCT[column]!
}

function open(): OpenDataset {
  const columns = DISTINCT.map((distinct, column) => ({
    name: `c${column}`,
    type: 'integer' as const,
    texts: Array.from({ length: distinct }, (_, i) => String(i)),
    indexOf: (row: number) => valueAt(column, row),
  }))
  return new OpenDataset(indexedSource(ROWS, columns))
}

/** Filters from a few recurring conditions; some leave many rows, some few or none. */
function randomFilters(random: () => number): ColumnFilter[] {
  const below = (most: number) => Math.floor(random() * most)
  const all: ColumnFilter[] = [
    { column: 0, operator: 'eq', operands: [[below(4) * 3]] },
    { column: 1, operator: below(2) ? 'eq' : 'not_in', operands: [[below(5) * 40]] },
    { column: 2, operator: below(2) ? 'eq' : 'gte', operands: [[below(6) * 800]] },
    { column: 3, operator: below(2) ? 'lt' : 'gte', operands: [[below(6) * 12_000 + 40]] },
  ]
  return all.filter(() => below(5) > 1).sort(() => random() - 0.5)
}

function meets(row: number, { column, operator, operands }: ColumnFilter): boolean {
  const value = valueAt(column, row)
  const operand = Number(operands[0]![0])
  if (operator === 'eq') return value === operand
  if (operator === 'not_in') return value !== operand
  return operator === 'lt' ? value < operand : value >= operand
}

function rowsMeeting(filters: readonly ColumnFilter[]): number[] {
  const rows: number[] = []
  for (let row = 0; row < ROWS; row++) if (filters.every((filter) => meets(row, filter))) rows.push(row)
  return rows
}

/** The rows of an answer, by column 3, which identifies them. */
function shown(bytes: Uint8Array): number[] {
  return JSON.parse(Buffer.from(bytes).toString()).map((row: { c3: number }) => row.c3)
}

function fileOrder(rows: readonly number[]): number[] {
  return rows.map((row) => valueAt(3, row))
}

describe('combinations of filters', () => {
  test('are right whichever of their parts were queried before', async () => {
    const random = randomFrom(5)
    const dataset = open()
    for (let round = 0; round < 250; round++) {
      const filters = randomFilters(random)
      const rows = rowsMeeting(filters)
      const offset = Math.floor(random() * rows.length)
      const query = { filters, fields: [3], limit: 20 }
      const page = await listPage(dataset, { ...query, sort: [], offset, count: true })
      expect(page.total).toBe(rows.length)
      expect(shown(page.rows)).toEqual(fileOrder(rows.slice(offset, offset + 20)))
      const from = Math.floor(random() * ROWS)
      const behind = rows.filter((row) => row >= from)
      const step = await walkPage(dataset, { ...query, from })
      expect(shown(step.rows)).toEqual(fileOrder(behind.slice(0, 20)))
      expect(step.next).toBe(behind[20] ?? null)
      const sort = [{ column: 3, descending: round % 2 === 0 }]
      const ordered = fileOrder(rows).sort((a, b) => (round % 2 === 0 ? b - a : a - b))
      const sorted = await listPage(dataset, { ...query, sort, offset, count: true })
      expect(shown(sorted.rows)).toEqual(ordered.slice(offset, offset + 20))
      // Now and then the caches are dropped.
      if (round % 60 === 59) while (dataset.masks.giveUpOldest() || dataset.combinations.giveUpOldest());
    }
  })

  test('an export of few rows holds them all', async () => {
    const filters: ColumnFilter[] = [
      { column: 0, operator: 'eq', operands: [[3]] },
      { column: 1, operator: 'eq', operands: [[40]] },
    ]
    const chunks: Uint8Array[] = []
    for await (const chunk of exportRows(open(), { filters, fields: [3], format: 'csv' })) {
      chunks.push(chunk.slice())
    }
    const lines = Buffer.concat(chunks).toString().split('\r\n').slice(1, -1)
    expect(lines.map(Number)).toEqual(fileOrder(rowsMeeting(filters)))
  })

  test('with the same meaning share a cache entry', async () => {
    const dataset = open()
    const spellings: ColumnFilter[][] = [
      [
        { column: 0, operator: 'eq', operands: [[3]] },
        { column: 1, operator: 'lt', operands: [[100]] },
      ],
      [
        { column: 1, operator: 'lte', operands: [[99]] },
        { column: 0, operator: 'in', operands: [[3, 3]] },
      ],
    ]
    const totals = await Promise.all(spellings.map((filters) => countRows(dataset, filters)))
    expect(totals[1]).toBe(totals[0]!)
    expect(dataset.combinations.giveUpOldest()).toBe(true)
    expect(dataset.combinations.giveUpOldest()).toBe(false)
    expect([dataset.masks.giveUpOldest(), dataset.masks.giveUpOldest()]).toEqual([true, true])
    expect(dataset.masks.giveUpOldest()).toBe(false)
  })

  test('the cache of a small dataset stays small', async () => {
    const dataset = open()
    await listPage(dataset, { filters: [], sort: [], fields: [0, 1, 2, 3], limit: 1, offset: 0, count: true })
    const loaded = dataset.bytes
    for (let i = 0; i < 3000; i++) {
      await countRows(dataset, [
        { column: 3, operator: 'gte', operands: [[i]] },
        { column: 1, operator: 'ne', operands: [[i % 230]] },
      ])
    }
    expect(dataset.bytes - loaded).toBeLessThan(1.5 * loaded)
  })
})
