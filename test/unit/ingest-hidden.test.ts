/** What a sheet hides is not published silently: rows go into quarantine, columns are left out and reported. */

import { describe, expect, test } from 'bun:test'
import { CFB, utils, write } from '@e965/xlsx'
import fc from 'fast-check'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { type Cell, ods, xlsx } from '../support/workbooks.ts'

interface Hidden {
  readonly rows?: Readonly<Record<number, string>>
  readonly columns?: Readonly<Record<number, string>>
}
type Rows = readonly (readonly Cell[])[]

const writers = {
  xlsx: (rows: Rows, { rows: rowMarks = {}, columns: columnMarks = {} }: Hidden) =>
    xlsx([{ name: 'Data', rows, rowMarks, columnMarks }]),
  ods: (rows: Rows, { rows: rowMarks = {}, columns: columnMarks = {} }: Hidden) =>
    ods([{ name: 'Data', rows, rowMarks, columnMarks }]),
  xls: (rows: Rows, { rows: hiddenRows = {}, columns = {} }: Hidden) => {
    const sheet = utils.aoa_to_sheet(rows.map((row) => [...row]))
    sheet['!cols'] = (rows[0] ?? []).map((_, at) => ({ wch: 9, hidden: at in columns }))
    const book = utils.book_new()
    utils.book_append_sheet(book, sheet, 'Data')
    const file = CFB.read(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer, { type: 'buffer' })
    const stream = CFB.find(file, '/Workbook') as { content: Uint8Array | number[]; size: number }
    stream.content = withRowRecords(Buffer.from(stream.content), Object.keys(hiddenRows).map(Number))
    stream.size = stream.content.length
    return new Uint8Array(CFB.write(file, { type: 'buffer' }) as Buffer)
  },
}

/** [MS-XLS] 2.4.221: the library that writes the workbook omits the records of rows. */
function withRowRecords(stream: Buffer, hidden: readonly number[]): Buffer {
  const records = hidden.map((row) => {
    const record = Buffer.alloc(20)
    record.writeUInt16LE(0x0208, 0)
    record.writeUInt16LE(16, 2)
    record.writeUInt16LE(row, 4)
    record.writeUInt8(0x20, 16)
    return record
  })
  let at = 0
  for (let begun = 0; begun < 2; at += 4 + stream.readUInt16LE(at + 2))
    if (stream.readUInt16LE(at) === 0x0809) begun++
  return Buffer.concat([stream.subarray(0, at), ...records, stream.subarray(at)])
}
type Format = keyof typeof writers
const MARKS: readonly (readonly [string, Format, string, string])[] = [
  ['hidden', 'xlsx', 'hidden="1"', 'hidden="true"'],
  ['without height or width', 'xlsx', 'ht="0" customHeight="1"', 'width="0" customWidth="1"'],
  ['collapsed', 'ods', 'table:visibility="collapse"', 'table:visibility="collapse"'],
  ['filtered out', 'ods', 'table:visibility="filter"', 'table:visibility="collapse"'],
  ['hidden', 'xls', 'hidden', 'hidden'],
]

const TABLE: Rows = [
  ['oras', 'nota interna', 'locuitori'],
  ['Dej', 'ok', 31475],
  ['Gherla', 'de refacut', 19873],
  ['Turda', 'ok', 43319],
]

describe.each(MARKS)('what is %s in %s', (_, format, rowMark, columnMark) => {
  const bytes = writers[format](TABLE, { rows: { 2: rowMark }, columns: { 1: columnMark } })

  test('is left out, and the report says so', async () => {
    const place = openWorkplace()
    const report = await place.ingest(bytes)
    expect(place.rows()).toEqual([
      { oras: 'Dej', locuitori: 31475 },
      { oras: 'Turda', locuitori: 43319 },
    ])
    expect(place.quarantine()).toMatchObject([{ line: 3, reason: 'hidden' }])
    expect(report.rows).toMatchObject({ read: 3, imported: 2, quarantined: 1 })
    expect(report.warning_codes).toEqual([{ code: 'hidden', values: { rows: 1, columns: 'nota_interna' } }])
    expect(report.warnings).toEqual([expect.stringContaining('--hidden')])
  })

  test('is read on request, or left out without a warning', async () => {
    const place = openWorkplace()
    const all = await place.ingest(bytes, { read: { hidden: true } })
    expect(place.rows()).toHaveLength(3)
    expect(place.rows()[1]).toEqual({ oras: 'Gherla', nota_interna: 'de refacut', locuitori: 19873 })
    expect(all.warnings).toEqual([])
    const definition = writeDefinition({ id: 'sample', domain: 'test', read: { hidden: false } })
    const shown = await place.ingest(bytes, { definition, acceptDrift: true })
    expect([place.rows().length, shown.warning_codes.map(({ code }) => code)]).toEqual([2, []])
  })
})

test('groups, repeats and styles of ODS hide rows and columns', async () => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const row = (marks: string, ...cells: string[]) =>
    `<table:table-row ${marks}>${cells.map(cell).join('')}</table:table-row>`
  const style = (name: string, kind: string, size: string) =>
    `<style:style style:name="${name}"><style:table-${kind}-properties ${size}="0cm"/></style:style>`
  const content = `<office:document-content><office:automatic-styles>${style('low', 'row', 'style:row-height')}${style('thin', 'column', 'style:column-width')}</office:automatic-styles>
    <office:body><office:spreadsheet><table:table table:name="Data">
    <table:table-column/><table:table-column-group table:display="false"><table:table-column table:number-columns-repeated="2"/></table:table-column-group><table:table-column table:style-name="thin"/><table:table-column/>
    ${row('', 'a', 'x', 'y', 'z', 'b')}${row('', '1', 'x1', 'y1', 'z1', 'b1')}
    <table:table-row-group table:display="false">${row('table:number-rows-repeated="2"', '2', 'x2', 'y2', 'z2', 'b2')}</table:table-row-group>
    ${row('table:style-name="low"', '3', 'x3', 'y3', 'z3', 'b3')}${row('', '4', 'x4', 'y4', 'z4', 'b4')}
    </table:table></office:spreadsheet></office:body></office:document-content>`
  const place = openWorkplace()
  const report = await place.ingest(ods([], content))
  expect(place.rows()).toEqual([
    { a: 1, b: 'b1' },
    { a: 4, b: 'b4' },
  ])
  expect(report.warning_codes).toEqual([{ code: 'hidden', values: { rows: 3, columns: 'x, y, z' } }])
})

test('a hidden header still names its columns, and a hidden title above it is not a row', async () => {
  const place = openWorkplace()
  const titled: Rows = [['Orase, uz intern', null, null], ...TABLE]
  const bytes = writers.xlsx(titled, { rows: { 0: 'hidden="1"', 1: 'hidden="1"' } })
  const report = await place.ingest(bytes)
  expect([Object.keys(place.rows()[0] ?? {}), report.rows.imported, report.rows.quarantined]).toEqual([
    ['oras', 'nota_interna', 'locuitori'],
    3,
    0,
  ])
})

test('a hidden column that a definition declares is missing, so its served values do not vanish silently', async () => {
  const place = openWorkplace()
  await place.ingest(writers.xlsx(TABLE, {}))
  const hidden = writers.xlsx(TABLE, { columns: { 1: 'hidden="1"' } })
  expect((await place.attempt(hidden)).refusals).toMatchObject([{ kind: 'drift' }])
  const columns = [{ name: 'oras' }, { name: 'nota_interna', source: 'nota interna' }, { name: 'locuitori' }]
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns })
  expect((await place.attempt(hidden, { definition })).refusals).toMatchObject([{ kind: 'drift' }])
})

test('a sheet that hides all columns is refused with the option that reads them', () => {
  const marks = Object.fromEntries(TABLE[0]?.map((_, at) => [at, 'hidden="1"']) ?? [])
  expect(openWorkplace().ingest(writers.xlsx(TABLE, { columns: marks }))).rejects.toThrow(
    /hides all .*--hidden/,
  )
})

test('in any workbook every hidden row is quarantined, every hidden column named, and all else served', async () => {
  const width = 4
  const flags = fc.record({
    rows: fc.array(fc.boolean(), { minLength: 2, maxLength: 30 }),
    columns: fc.array(fc.boolean(), { minLength: width - 1, maxLength: width - 1 }),
    format: fc.constantFrom<Format>('xlsx', 'ods', 'xls'),
  })
  await fc.assert(
    fc.asyncProperty(flags, async ({ rows, columns, format }) => {
      const hides = [...columns, false]
      const table = rows.map((_, row) => hides.map((_, at) => `r${row}k${at}`))
      const mark = format === 'ods' ? 'table:visibility="collapse"' : 'hidden="1"'
      const marked = (list: readonly boolean[], from: number) =>
        Object.fromEntries(list.flatMap((hidden, at) => (hidden ? [[at + from, mark]] : [])))
      const bytes = writers[format]([hides.map((_, at) => `nume ${at}`), ...table], {
        ...{ rows: marked(rows, 1), columns: marked(hides, 0) },
      })
      const place = openWorkplace()
      const report = await place.ingest(bytes)
      const shown = table.filter((_, row) => !rows[row])
      expect(place.rows().map((row) => Object.values(row))).toEqual(
        shown.map((cells) => cells.filter((_, at) => !hides[at])),
      )
      expect(place.quarantine().map(({ line, reason }) => [line, reason])).toEqual(
        rows.flatMap((hidden, at) => (hidden ? [[at + 2, 'hidden']] : [])),
      )
      const named = hides.flatMap((hidden, at) => (hidden ? [`nume_${at}`] : [])).join(', ')
      const count = rows.filter(Boolean).length
      const said = report.warning_codes.find(({ code }) => code === 'hidden')?.values
      expect(said).toEqual(count + named.length === 0 ? undefined : { rows: count, columns: named })
    }),
    { numRuns: runs(40) },
  )
})
