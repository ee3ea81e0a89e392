import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Value } from '../../src/engine/columns/column.ts'
import { countFacets } from '../../src/engine/facets.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter } from '../../src/engine/row-query.ts'
import { countRows } from '../../src/engine/run.ts'
import { facetPlainly, othersOf } from '../support/facet-oracle.ts'
import { memorySource } from '../support/memory-source.ts'
import { matchingRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { fieldsFor, filtersFor, type PlainTable, tables } from '../support/random-table.ts'

const FACET_QUERIES = tables().chain((table) =>
  fc.tuple(
    fc.constant(table),
    fc.array(fc.tuple(filtersFor(table), fieldsFor(table), fc.integer({ min: 1, max: 12 })), {
      minLength: 1,
      maxLength: 8,
    }),
  ),
)

test('facets are the groups of each column, under the filters on the other columns', async () => {
  await fc.assert(
    fc.asyncProperty(FACET_QUERIES, async ([table, queries]) => {
      const dataset = new OpenDataset(memorySource(table))
      for (const [filters, columns, limit] of queries) {
        const facets = await countFacets(dataset, { filters, columns, limit })
        expect(facets).toEqual(columns.map((column) => facetPlainly(table, filters, column, limit)))
        for (const { column, nulls, other, values } of facets) {
          const shown = values.reduce((sum, { count }) => sum + count, 0)
          expect(shown + other + nulls).toBe(await countRows(dataset, othersOf(filters, column)))
        }
      }
    }),
    { numRuns: runs(100) },
  )
})

test('facets over many blocks, masks and lists are counted completely', async () => {
  const size = 270_001
  const rows = Array.from({ length: size }, (_, row): (Value | null)[] => [
    row % 7,
    row % 3 === 0 ? null : row % 300,
    `n${row % 70_000}`,
    row % 2 === 0 ? 'Iași' : 'IAȘI',
  ])
  const table: PlainTable = {
    columns: [
      { name: 'few', type: 'integer' },
      { name: 'some', type: 'integer' },
      { name: 'many', type: 'string' },
      { name: 'spelt', type: 'string' },
    ],
    rows,
  }
  const dataset = new OpenDataset(memorySource(table))
  const asked: Filter[][] = [
    [],
    [{ column: 0, operator: 'lt', operands: [[5]] }],
    [
      { column: 0, operator: 'eq', operands: [[3]] },
      { column: 2, operator: 'starts_with', operands: [['n1']] },
    ],
    [{ column: 2, operator: 'eq', operands: [['n5']] }],
    [{ words: ['iasi'] }],
    [{ words: ['nowhere'] }],
  ]
  const rowsOf = new Map<string, number[]>()
  const countsOf = (filters: readonly Filter[], column: number) => {
    const key = JSON.stringify(filters)
    const found = rowsOf.get(key) ?? matchingRows(table, filters)
    rowsOf.set(key, found)
    const counts = new Map<string | null, number>()
    for (const row of found) {
      const value = rows[row]![column]!
      const text = column === 3 ? 'Iași' : value === null ? null : String(value)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    return counts
  }
  for (const filters of asked) {
    const facets = await countFacets(dataset, { filters, columns: [0, 1, 2, 3], limit: 4 })
    for (const { column, values, nulls, other, distinct } of facets) {
      const counts = countsOf(othersOf(filters, column), column)
      const nothing = counts.get(null) ?? 0
      counts.delete(null)
      expect([distinct, nulls]).toEqual([counts.size, nothing])
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
      expect(values.reduce((sum, { count }) => sum + count, other)).toBe(total)
      for (const { value, count } of values) expect([value, counts.get(value)]).toEqual([value, count])
    }
    if (filters.length === 0) expect(facets[3]!.values).toEqual([{ value: 'Iași', count: size }])
  }
})
