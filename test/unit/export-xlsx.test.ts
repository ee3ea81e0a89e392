import { describe, expect, test } from 'bun:test'
import { type CellObject, read, utils, type WorkSheet } from '@e965/xlsx'
import fc from 'fast-check'
import type { ColumnType, Value } from '../../src/engine/columns/column.ts'
import { exportXlsx, TooManyRowsError } from '../../src/engine/export/xlsx/xlsx.ts'
import { OpenDataset } from '../../src/engine/memory/open-dataset.ts'
import type { Filter, SortField } from '../../src/engine/row-query.ts'
import { indexedSource, memorySource } from '../support/memory-source.ts'
import { matchingRows, sortedRows } from '../support/oracle.ts'
import { runs } from '../support/property-runs.ts'
import { fieldsFor, filtersFor, type PlainTable, sortsFor, tables } from '../support/random-table.ts'

const FACTS = {
  ...{ title: 'Prețuri & <altele>', publisher: 'INS', changed: new Date('2024-05-01T10:20:30Z') },
  lines: [['Title / Titlu', 'Prețuri & <altele>']] as const,
}

interface Asked {
  readonly filters?: readonly Filter[]
  readonly sort?: readonly SortField[]
  readonly fields?: readonly number[]
}

async function bytesOf(dataset: OpenDataset, { filters = [], sort = [], fields }: Asked = {}) {
  const query = { filters, sort, fields: fields ?? [...dataset.columns.keys()], facts: FACTS }
  const chunks: Uint8Array[] = []
  for await (const chunk of exportXlsx(dataset, query)) chunks.push(chunk.slice())
  return Buffer.concat(chunks)
}

function cellAt(sheet: WorkSheet, row: number, column: number): CellObject | undefined {
  return sheet[utils.encode_cell({ r: row, c: column })]
}

/** Days since 1899-12-30, as spreadsheets count. */
function serial(text: string): number {
  return (Date.parse(text) - Date.UTC(1899, 11, 30)) / 86_400_000
}

/** What a cell holds. A number is a text where a sheet cannot hold all its digits, and so is a moment. */
function expectedCell(type: ColumnType, value: Value | null): readonly [string, Value] | undefined {
  if (value === null) return undefined
  if (type === 'boolean') return ['b', value]
  if (type === 'string') return ['s', value]
  const text = String(value)
  if (type === 'integer') return text.replace('-', '').length > 15 ? ['s', text] : ['n', value]
  if (type === 'decimal') {
    const size = Math.abs(Number(value))
    return size !== 0 && (size >= 1e307 || size <= 1e-307) ? ['s', text] : ['n', value]
  }
  const isFine = /\.\d{4,}Z$/.test(text)
  return text < '1900-03-01' || isFine ? ['s', text] : ['n', serial(text)]
}

/** This reader turns some carriage returns into line feeds; corpus/files-read-back.test.ts compares them unchanged. */
function asRead(value: CellObject['v']): CellObject['v'] {
  return typeof value === 'string' ? value.replaceAll(/\r\n?/g, '\n') : value
}

describe('XLSX', () => {
  test('holds the values, nulls and order of the list, for any table, filter, sort and fields', async () => {
    const cases = tables().chain((table) =>
      fc.tuple(
        ...([fc.constant(table), filtersFor(table)] as const),
        ...([fc.oneof(fc.constant([]), sortsFor(table)), fieldsFor(table)] as const),
      ),
    )
    await fc.assert(
      fc.asyncProperty(cases, async ([table, filters, sort, fields]) => {
        const book = read(await bytesOf(new OpenDataset(memorySource(table)), { filters, sort, fields }))
        const sheet = book.Sheets.data!
        for (const [index, column] of fields.entries())
          expect(cellAt(sheet, 0, index)?.v).toBe(table.columns[column]!.name)
        const matching = matchingRows(table, filters)
        const order = sort.length === 0 ? matching : sortedRows(table, matching, sort, [])
        for (const [place, row] of order.entries()) {
          for (const [index, column] of fields.entries()) {
            const cell = cellAt(sheet, place + 1, index)
            const expected = expectedCell(table.columns[column]!.type, table.rows[row]![column]!)
            expect(cell && [cell.t, asRead(cell.v)]).toEqual(expected && [expected[0], asRead(expected[1])])
          }
        }
        expect(cellAt(sheet, order.length + 1, 0)).toBeUndefined()
      }),
      { numRuns: runs(150), interruptAfterTimeLimit: 100_000, markInterruptAsFailure: true },
    )
  })

  test('texts of all characters read back, including those that look like escapes', async () => {
    const texts = [
      '_x0041_',
      '_x005F_',
      '_X00e9_',
      'a_x12_',
      ' a',
      'b ',
      'line\nbreak',
      '\t',
      '&amp;',
      '<b>"\'',
      '\u0001',
      'c\rd',
      '\uffff\ufffe',
      '😀',
      '',
    ]
    const table: PlainTable = {
      columns: [{ name: 'text', type: 'string' }],
      rows: texts.map((text) => [text]),
    }
    const sheet = read(await bytesOf(new OpenDataset(memorySource(table)))).Sheets.data!
    expect(texts.map((_, row) => cellAt(sheet, row + 1, 0)?.v)).toEqual(texts)
  })

  test('a long text is cut between characters, and the second sheet says how many were cut', async () => {
    const texts = ['x'.repeat(32_767), 'ș'.repeat(40_000), `${'y'.repeat(32_766)}😀`]
    const table: PlainTable = {
      columns: [{ name: 'text', type: 'string' }],
      rows: texts.map((text) => [text]),
    }
    const book = read(await bytesOf(new OpenDataset(memorySource(table))))
    const lengths = texts.map((_, row) => String(cellAt(book.Sheets.data!, row + 1, 0)?.v).length)
    expect(lengths).toEqual([32_767, 32_767, 32_766])
    expect(utils.sheet_to_json(book.Sheets.about!, { header: 1 })).toEqual([
      ['Title / Titlu', 'Prețuri & <altele>'],
      ['Cut / Scurtate', '2 > 32,767'],
    ])
    expect(book.Props).toMatchObject({ Title: 'Prețuri & <altele>', Author: 'INS' })
  })

  test('dates are dates, the header is bold and frozen, and columns have a filter', async () => {
    const table: PlainTable = {
      columns: [
        { name: 'day', type: 'date' },
        { name: 'at', type: 'datetime' },
      ],
      rows: [
        ['1900-02-28', '1900-03-01T00:00:00Z'],
        ['1900-03-01', '2024-02-29T23:59:59.5Z'],
      ],
    }
    const bytes = await bytesOf(new OpenDataset(memorySource(table)))
    const book = read(bytes, { cellNF: true, cellStyles: true, bookFiles: true })
    const sheet = book.Sheets.data!
    expect(['A2', 'A3', 'B2', 'B3'].map((cell) => [sheet[cell].t, sheet[cell].v, sheet[cell].z])).toEqual([
      ['s', '1900-02-28', 'General'],
      ['n', 61, 'yyyy\\-mm\\-dd'],
      ['n', 61, 'yyyy\\-mm\\-dd\\ hh:mm:ss'],
      ['n', serial('2024-02-29T23:59:59.500Z'), 'yyyy\\-mm\\-dd\\ hh:mm:ss.000'],
    ])
    expect(sheet['!autofilter']).toEqual({ ref: 'A1:B3' })
    const files = (book as unknown as { files: Record<string, { content: Uint8Array }> }).files
    const xml = Buffer.from(files['xl/worksheets/sheet1.xml']!.content).toString()
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(xml).toContain('<c r="A1" s="1" t="inlineStr">')
  })

  test('more rows than a sheet has are refused before the first byte', async () => {
    const column = { name: 'n', type: 'integer' as const, texts: ['1'], indexOf: () => 0 }
    const dataset = new OpenDataset(indexedSource(1_048_576, [column]))
    await expect(bytesOf(dataset)).rejects.toThrow(TooManyRowsError)
  })
})
