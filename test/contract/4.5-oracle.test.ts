import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Value } from '../../src/engine/columns/column.ts'
import type { PageQuery } from '../../src/engine/row-query.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { matchingRows, rowObject, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { type PlainTable, pageQueriesFor, tables } from '../support/random-table.ts'
import { filterParameters, written } from '../support/written-query.ts'

const TABLES = runs(25)
const QUERIES_PER_TABLE = 10
const FROM_FILE = { fromFile: true, mostRows: 60 }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

function cell(value: Value | null): string {
  if (value === null) return ''
  const text = written(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function toCsv(table: PlainTable): string {
  const lines = [table.columns.map((column) => column.name), ...table.rows.map((row) => row.map(cell))]
  return `${lines.map((line) => line.join()).join('\r\n')}\r\n`
}

/** Decimals of two places and moments to the nanosecond, as published files have them; the unit tests go further. */
function asPublished(table: PlainTable): PlainTable {
  const publish = (value: Value | null, column: number) => {
    const { type } = table.columns[column]!
    if (type === 'decimal' && value !== null) return Math.round((Number(value) % 1e6) * 100) / 100 + 0
    return type === 'datetime' && value !== null ? String(value).replace(/(\.\d{9})\d+Z/, '$1Z') : value
  }
  return { ...table, rows: table.rows.map((row) => row.map(publish)) }
}

/** A record without any value is blank and is not read as a row. */
function isWritable(table: PlainTable): boolean {
  return table.rows.length > 0 && table.rows.every((row) => row.some((value) => value !== null))
}

function toQueryString(table: PlainTable, query: PageQuery): string {
  const parameters = new URLSearchParams({ limit: String(query.limit), offset: String(query.offset) })
  const names = (columns: readonly number[]) => columns.map((column) => table.columns[column]!.name)
  parameters.set('fields', names(query.fields).join())
  parameters.set('count', String(query.count))
  const sort = query.sort.map(
    ({ column, descending }) => (descending ? '-' : '') + table.columns[column]!.name,
  )
  if (sort.length > 0) parameters.set('sort', sort.join())
  for (const [name, value] of filterParameters(table.columns, query.filters)) parameters.append(name, value)
  return parameters.toString()
}

let ingested = 0

async function ingest(table: PlainTable): Promise<string> {
  const id = `random_${ingested++}`
  const columns = table.columns.map(({ name, type }) => ({ name, type }))
  // A random text that is the only value of the last row may look like a note.
  const read = { delimiter: ',', encoding: 'utf-8', footnotes: 'keep' }
  await app.ingestCsv(toCsv(table), {
    id,
    domain: 'random',
    definition: { columns, read },
  })
  return `/v1/random/${id}`
}

async function expectAgreement(path: string, table: PlainTable, query: PageQuery): Promise<void> {
  const address = `${path}?${toQueryString(table, query)}`
  const matching = matchingRows(table, query.filters)
  const rows = sortedRows(table, matching, query.sort, []).slice(query.offset, query.offset + query.limit)
  const { status, body } = await app.get(address)
  expect([address, status]).toEqual([address, 200])
  expect(body.data).toEqual(rows.map((row) => rowObject(table, row, query.fields)))
  expect(body.pagination).toMatchObject({
    total: query.count ? matching.length : null,
    count: rows.length,
    has_next: query.offset + query.limit < matching.length,
  })
}

test('random queries to ingested random tables give the same answers as the oracle', async () => {
  const cases = tables(FROM_FILE)
    .map(asPublished)
    .filter(isWritable)
    .chain((table) =>
      fc.tuple(
        fc.constant(table),
        fc.array(pageQueriesFor(table, FROM_FILE), {
          minLength: QUERIES_PER_TABLE,
          maxLength: QUERIES_PER_TABLE,
        }),
      ),
    )
  await fc.assert(
    fc.asyncProperty(cases, async ([table, queries]) => {
      const path = await ingest(table)
      for (const query of queries) await expectAgreement(path, table, query)
      const exported = await app.get(`${path}/export?format=ndjson`)
      const rows = exported.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
      const all = [...table.columns.keys()]
      expect(rows).toEqual(table.rows.map((_, row) => rowObject(table, row, all)))
    }),
    { numRuns: TABLES, endOnFailure: true },
  )
})
