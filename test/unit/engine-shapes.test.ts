import { describe, expect, test } from 'bun:test'
import { exportRows } from '../../src/engine/export/export-rows.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import { listPage } from '../../src/engine/run.ts'
import { exported, page, rowsOf } from '../support/engine-reads.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { rowObject } from '../support/oracle.ts'
import type { PlainTable } from '../support/random-table.ts'
import { readRow } from '../support/read-row.ts'

describe('unusual shapes', () => {
  test('a cell of 5 MB is listed and exported whole', async () => {
    const long = `${'x"y\n'.repeat(1_250_000)}end`
    const table: PlainTable = { columns: [{ name: 'text', type: 'string' }], rows: [['a'], [long], ['b']] }
    const dataset = new OpenDataset(memorySource(table))
    const { rows } = await listPage(dataset, page({}))
    expect(rowsOf(rows)).toEqual([{ text: 'a' }, { text: long }, { text: 'b' }])
    const csv = (await exported(dataset, { filters: [], format: 'csv', fields: [0] })).toString()
    expect(csv).toBe(`text\r\na\r\n"${long.replaceAll('"', '""')}"\r\nb\r\n`)
    expect(readRow(dataset, 1)).toEqual({ text: long })
  })

  test('a row can have thousands of columns', async () => {
    const columns = Array.from({ length: 3000 }, (_, i) => ({ name: `column_${i}`, type: 'string' as const }))
    const rows = [0, 1, 2].map((row) =>
      columns.map((_, i) => ((i + row) % 4 ? `value ${i} of ${row}` : null)),
    )
    const table: PlainTable = { columns, rows }
    const dataset = new OpenDataset(memorySource(table))
    const fields = [...columns.keys()]
    const answer = await listPage(dataset, page({ fields }))
    expect(rowsOf(answer.rows)).toEqual(rows.map((_, row) => rowObject(table, row, fields)))
    const lines = (await exported(dataset, { filters: [], format: 'ndjson', fields })).toString().split('\n')
    expect(JSON.parse(lines[2]!)).toEqual(rowObject(table, 2, fields))
  })

  test.each([
    { of: 'short rows', times: 1 },
    { of: 'rows of which a chunk holds fewer than are located at a time', times: 60 },
  ])('chunks of an export end at whole rows: $of', async ({ times }) => {
    const texts = Array.from({ length: 500 }, (_, i) => `${i} ${'long text '.repeat((i % 50) * times)}`)
    const dataset = new OpenDataset(
      indexedSource(Math.ceil(20_000 / times), [
        { name: 'text', type: 'string', texts, indexOf: (row) => row % 500 },
      ]),
    )
    const expected = Array.from({ length: dataset.rows }, (_, row) => texts[row % 500]!)
    for (const format of ['ndjson', 'csv'] as const) {
      const lines: string[] = []
      let chunks = 0
      for await (const chunk of exportRows(dataset, { filters: [], fields: [0], format })) {
        chunks++
        const text = Buffer.from(chunk).toString()
        expect(text.endsWith('\n')).toBe(true)
        expect(chunk.length).toBeLessThanOrEqual(256 * 1024)
        lines.push(...text.split('\n').slice(0, -1))
      }
      expect(chunks).toBeGreaterThan(10)
      const found =
        format === 'csv'
          ? lines.slice(1).map((line) => line.slice(0, -1))
          : lines.map((line) => JSON.parse(line).text)
      expect(found).toEqual(expected)
    }
  })

  test('a chunk stays as it is while other exports and pages are rendered', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => `text ${i}`)
    const dataset = new OpenDataset(
      indexedSource(50_000, [{ name: 'text', type: 'string', texts, indexOf: (row) => row % 500 }]),
    )
    const query = { filters: [], fields: [0], format: 'csv' } as const
    const [one, other] = [exportRows(dataset, query), exportRows(dataset, { ...query, format: 'ndjson' })]
    const read: Buffer[] = []
    for await (const chunk of one) {
      await other.next()
      await listPage(dataset, page({ fields: [0], limit: 1000 }))
      read.push(Buffer.from(chunk))
    }
    await other.return(undefined)
    expect(read.length).toBeGreaterThan(2)
    expect(Buffer.concat(read).toString()).toBe((await exported(dataset, query)).toString())
  })

  test('a dataset without rows gives empty answers, and its CSV has the header', async () => {
    const columns = [
      { name: 'name', type: 'string' },
      { name: 'size', type: 'integer' },
      { name: 'note', type: 'string' },
    ] as const
    const dataset = new OpenDataset(memorySource({ columns, rows: [] }))
    expect(await listPage(dataset, page({ sort: [{ column: 0, descending: true }] }))).toMatchObject({
      total: 0,
      count: 0,
      hasNext: false,
    })
    expect((await exported(dataset, { filters: [], format: 'csv', fields: [0, 2] })).toString()).toBe(
      'name,note\r\n',
    )
    expect((await exported(dataset, { filters: [], format: 'ndjson', fields: [0] })).length).toBe(0)
  })
})
