import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Value } from '../../src/engine/columns/column.ts'
import { countValues } from '../../src/engine/filter/code-counts.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { memorySource } from '../support/memory-source.ts'
import { matchingRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { filtersFor, type PlainTable, tables } from '../support/random-table.ts'

const TABLE_QUERIES = tables().chain((table) =>
  fc.tuple(fc.constant(table), fc.array(filtersFor(table), { minLength: 1, maxLength: 6 })),
)

/** Occurrences by value, counted in the plainest way. */
function countPlainly(
  table: PlainTable,
  rows: readonly number[],
  column: number,
): Map<string | null, number> {
  const counts = new Map<string | null, number>()
  for (const row of rows) {
    const value = table.rows[row]![column]!
    const text = value === null ? null : String(value)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

test('values are counted as an oracle counts them, with any filters', async () => {
  await fc.assert(
    fc.asyncProperty(TABLE_QUERIES, async ([table, queries]) => {
      const dataset = new OpenDataset(memorySource(table))
      for (const filters of queries) {
        const rows = matchingRows(table, filters)
        for (let column = 0; column < table.columns.length; column++) {
          const counted = await countValues(dataset, column, filters, ({ byCode, textOf, ...counts }) => ({
            ...counts,
            values: [...byCode].flatMap((count, code) =>
              code > 0 && count > 0 ? [[textOf(code), count] as const] : [],
            ),
          }))
          const expected = countPlainly(table, rows, column)
          expect(counted.total).toBe(rows.length)
          expect(counted.missing).toBe(expected.get(null) ?? 0)
          expected.delete(null)
          expect(counted.distinct).toBe(expected.size)
          expect(new Map(counted.values)).toEqual(expected as Map<string, number>)
        }
      }
    }),
    { numRuns: runs(60) },
  )
})

test('masks and lists of more than one block are counted completely', async () => {
  const size = 600_001
  const rows: (Value | null)[][] = Array.from({ length: size }, (_, row) => [
    row % 7,
    row % 3 === 0 ? null : row % 300,
  ])
  const table = {
    columns: [
      { name: 'a', type: 'integer' as const },
      { name: 'b', type: 'integer' as const },
    ],
    rows,
  }
  const dataset = new OpenDataset(memorySource(table))
  for (const [value, most] of [
    [6, 0],
    [3, 4],
  ] as const) {
    const filters = [{ column: 0, operator: 'lte' as const, operands: [[value]] }]
    const found = await countValues(dataset, 1, filters, ({ total, missing, byCode }) => [
      total,
      missing,
      byCode.length,
    ])
    const matching = rows.filter(([a]) => (a as number) <= value)
    expect([most, found]).toEqual([
      most,
      [matching.length, matching.filter(([, b]) => b === null).length, 201],
    ])
  }
})
