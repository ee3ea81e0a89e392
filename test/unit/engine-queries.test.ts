import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { exportRows } from '../../src/engine/export/export-rows.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { ExportQuery, PageQuery, SortField } from '../../src/engine/row-query.ts'
import { countRows, listPage, walkPage } from '../../src/engine/run.ts'
import { exported } from '../support/engine-reads.ts'
import { memorySource } from '../support/memory-source.ts'
import { matchingRows, rowObject, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import {
  fieldsFor,
  filtersFor,
  type PlainTable,
  pageQueriesFor,
  sortsFor,
  tables,
} from '../support/random-table.ts'
import { readRow } from '../support/read-row.ts'
import { parseRfc4180 } from '../support/rfc4180.ts'

const QUERIES_PER_TABLE = 16
/** A failure is reported even while it is still being shrunk. */
const LIMITS = { interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true }
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function parse(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes))
}

function tableWith<T>(make: (table: PlainTable) => fc.Arbitrary<T>): fc.Arbitrary<[PlainTable, T]> {
  return tables().chain((table) => fc.tuple(fc.constant(table), make(table)))
}

async function expectPage(
  dataset: OpenDataset,
  table: PlainTable,
  query: PageQuery,
  defaultSort: readonly SortField[],
) {
  const matching = matchingRows(table, query.filters)
  const order = sortedRows(table, matching, query.sort, defaultSort)
  const wanted = order.slice(query.offset, query.offset + query.limit)
  const page = await listPage(dataset, query)
  expect(parse(page.rows)).toEqual(wanted.map((row) => rowObject(table, row, query.fields)))
  expect(page.total).toBe(query.count ? matching.length : null)
  expect(page.count).toBe(wanted.length)
  expect(page.hasNext).toBe(query.offset + query.limit < matching.length)
}

async function exportText(dataset: OpenDataset, query: ExportQuery): Promise<string> {
  return decoder.decode(await exported(dataset, query))
}

describe('queries on random tables', () => {
  test('pages agree with the oracle on 2,400 random queries', async () => {
    const cases = tableWith((table) =>
      fc.tuple(
        fc.array(pageQueriesFor(table), { minLength: QUERIES_PER_TABLE, maxLength: QUERIES_PER_TABLE }),
        fc.oneof(fc.constant([]), sortsFor(table)),
      ),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [queries, defaultSort]]) => {
        const dataset = new OpenDataset(memorySource(table), { defaultSort })
        // Twice: the second time from the cache.
        for (const query of [...queries, ...queries]) await expectPage(dataset, table, query, defaultSort)
      }),
      { numRuns: runs(150), ...LIMITS },
    )
  })

  test('pages by offset hold every matching row exactly once', async () => {
    const cases = tableWith((table) =>
      fc.tuple(filtersFor(table), sortsFor(table), fc.integer({ min: 1, max: 9 })),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [filters, sort, limit]]) => {
        const dataset = new OpenDataset(memorySource(table))
        const fields = [...table.columns.keys()]
        const rows: unknown[] = []
        for (let offset = 0, hasNext = true; hasNext; offset += limit) {
          const page = await listPage(dataset, { filters, sort, fields, limit, offset, count: false })
          rows.push(...(parse(page.rows) as unknown[]))
          hasNext = page.hasNext
        }
        const wanted = sortedRows(table, matchingRows(table, filters), sort, [])
        expect(rows).toEqual(wanted.map((row) => rowObject(table, row, fields)))
      }),
      { numRuns: runs(100), ...LIMITS },
    )
  })

  test('a cursor walk visits every matching row once, in file order, in steps of any size', async () => {
    const cases = tableWith((table) => fc.tuple(filtersFor(table), fieldsFor(table)))
    await fc.assert(
      fc.asyncProperty(cases, fc.integer({ min: 1, max: 30 }), async ([table, [filters, fields]], limit) => {
        const dataset = new OpenDataset(memorySource(table), {
          defaultSort: [{ column: 0, descending: true }],
        })
        const rows: unknown[] = []
        for (let from: number | null = 0; from !== null; ) {
          const step = await walkPage(dataset, { filters, fields, limit, from })
          const part = parse(step.rows) as unknown[]
          expect(part.length).toBe(step.count)
          rows.push(...part)
          from = step.next
        }
        expect(rows).toEqual(matchingRows(table, filters).map((row) => rowObject(table, row, fields)))
      }),
      { numRuns: runs(200), ...LIMITS },
    )
  })

  test('an NDJSON export holds every matching row once, in file order', async () => {
    const cases = tableWith((table) => fc.tuple(filtersFor(table), fieldsFor(table)))
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [filters, fields]]) => {
        const dataset = new OpenDataset(memorySource(table))
        const lines = (await exportText(dataset, { filters, fields, format: 'ndjson' })).split('\n')
        expect(lines.pop()).toBe('')
        const wanted = matchingRows(table, filters).map((row) => rowObject(table, row, fields))
        expect(lines.map((line) => JSON.parse(line))).toEqual(wanted)
        expect(await countRows(dataset, filters)).toBe(wanted.length)
      }),
      { numRuns: runs(150), ...LIMITS },
    )
  })

  test('a CSV export, read by a strict parser, equals the table: null is nothing and empty text is quoted', async () => {
    const cases = tableWith((table) => fc.tuple(filtersFor(table), fieldsFor(table)))
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [filters, fields]]) => {
        const dataset = new OpenDataset(memorySource(table))
        const [header, ...records] = parseRfc4180(
          await exportText(dataset, { filters, fields, format: 'csv' }),
        )
        expect(header!.map((field) => field.text)).toEqual(
          fields.map((column) => table.columns[column]!.name),
        )
        const read = records.map((record) =>
          record.map(({ text, quoted }) => (text === '' && !quoted ? null : text)),
        )
        const wanted = matchingRows(table, filters).map((row) =>
          fields.map((column) => {
            const value = table.rows[row]![column]!
            return value === null ? null : String(value)
          }),
        )
        expect(read).toEqual(wanted)
      }),
      { numRuns: runs(150), ...LIMITS },
    )
  })

  test('sorted exports hold the rows of the pages with the same sort, whatever is cached', async () => {
    const cases = tableWith((table) =>
      fc.tuple(filtersFor(table), sortsFor(table), fc.oneof(fc.constant([]), sortsFor(table)), fc.boolean()),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [filters, sort, defaultSort, isKept]]) => {
        const dataset = new OpenDataset(memorySource(table), { defaultSort })
        const fields = [...table.columns.keys()]
        // With the order of all rows cached, matching rows are picked from it.
        if (isKept) await listPage(dataset, { filters: [], sort, fields, limit: 1, offset: 0, count: false })
        const text = await exportText(dataset, { filters, fields, format: 'ndjson', sort })
        const lines = text.split('\n').slice(0, -1)
        const matching = matchingRows(table, filters)
        const order = sort.length === 0 ? matching : sortedRows(table, matching, sort, defaultSort)
        expect(lines.map((line) => JSON.parse(line))).toEqual(
          order.map((row) => rowObject(table, row, fields)),
        )
      }),
      { numRuns: runs(150), ...LIMITS },
    )
  })

  test('CSV with another delimiter, and with guarded texts, reads back as the table', async () => {
    const forms = fc.record({ delimiter: fc.constantFrom(',', ';', '|', '\t'), safe: fc.boolean() })
    const cases = tableWith((table) => fc.tuple(fieldsFor(table), forms))
    await fc.assert(
      fc.asyncProperty(cases, async ([table, [fields, csv]]) => {
        const dataset = new OpenDataset(memorySource(table))
        const text = await exportText(dataset, { filters: [], fields, format: 'csv', csv })
        const [header, ...records] = parseRfc4180(text, csv.delimiter)
        expect(header!.map((field) => field.text)).toEqual(
          fields.map((column) => table.columns[column]!.name),
        )
        const wanted = table.rows.map((row) =>
          fields.map((column) => {
            const value = row[column]!
            if (value === null) return null
            const isFormula = table.columns[column]!.type === 'string' && /^[=+\-@]/.test(String(value))
            return csv.safe && isFormula ? `'${value}` : String(value)
          }),
        )
        const read = records.map((record) =>
          record.map(({ text, quoted }) => (text === '' && !quoted ? null : text)),
        )
        expect(read).toEqual(wanted)
      }),
      { numRuns: runs(150), ...LIMITS },
    )
  })

  test('a sorted export of many batches continues where it was, even after its order was evicted', async () => {
    const table: PlainTable = {
      columns: [
        { name: 'key', type: 'integer' },
        { name: 'n', type: 'integer' },
      ],
      rows: Array.from({ length: 100_000 }, (_, n) => [(n * 7919) % 1000, n]),
    }
    const sort = [{ column: 0, descending: true }]
    for (const filters of [[], [{ column: 1, operator: 'gte' as const, operands: [[5000]] }]]) {
      const dataset = new OpenDataset(memorySource(table))
      let text = ''
      for await (const chunk of exportRows(dataset, { filters, fields: [1], format: 'ndjson', sort })) {
        text += decoder.decode(chunk)
        while (dataset.orders.giveUpOldest());
      }
      const wanted = sortedRows(table, matchingRows(table, filters), sort, [])
      expect(text.split('\n').slice(0, -1)).toEqual(wanted.map((row) => `{"n":${row}}`))
    }
  })

  test('a column of only nulls is exported as nothing, whatever memory held before', async () => {
    const dataset = new OpenDataset(
      memorySource({ columns: [{ name: 'text', type: 'string' }], rows: [[null], [null]] }),
    )
    const used = dataset.regions.allocate(2 ** 16)
    dataset.regions.bytes.fill(0x41, used, used + 2 ** 16)
    dataset.regions.release(used)
    const query = { filters: [], fields: [0] }
    expect(await exportText(dataset, { ...query, format: 'csv' })).toBe('text\r\n\r\n\r\n')
    expect(await exportText(dataset, { ...query, format: 'ndjson' })).toBe('{"text":null}\n{"text":null}\n')
  })

  test('texts of up to eight bytes are exported like longer ones', async () => {
    const texts = ['12345678', 'ăîșț', 'a', null, '1234567', '123456789', '"', '=1', 'a;b']
    const shorter = texts.filter((text) => text === null || text.length < 9)
    for (const values of [shorter, texts, shorter.filter((text) => text !== '"')]) {
      const dataset = new OpenDataset(
        memorySource({
          columns: [
            { name: 'text', type: 'string' },
            { name: 'number', type: 'integer' },
          ],
          rows: values.map((text, i) => [text, i === 3 ? null : 10 ** i - 5]),
        }),
      )
      const query = { filters: [], fields: [0, 1] }
      const rows = values.map((text, i) => ({ text, number: i === 3 ? null : 10 ** i - 5 }))
      const ndjson = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      const csv = [['text', 'number'], ...rows.map(({ text, number }) => [text ?? '', `${number ?? ''}`])]
      // The second time from the cache.
      for (let i = 0; i < 2; i++) {
        expect(await exportText(dataset, { ...query, format: 'ndjson' })).toBe(ndjson)
        const read = parseRfc4180(await exportText(dataset, { ...query, format: 'csv' }))
        expect(read.map((record) => record.map((field) => field.text))).toEqual(csv)
      }
    }
  })

  test('a single row is read as the table has it', () => {
    fc.assert(
      fc.property(tables(), (table) => {
        const dataset = new OpenDataset(memorySource(table))
        const fields = [...table.columns.keys()]
        for (const row of table.rows.keys())
          expect(readRow(dataset, row)).toEqual(rowObject(table, row, fields))
      }),
      { numRuns: runs(50), ...LIMITS },
    )
  })
})
