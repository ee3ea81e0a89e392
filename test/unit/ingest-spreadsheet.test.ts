/** Workbooks: each kind of cell, merged blocks, how a sheet is chosen, and what a reader must refuse. */

import { describe, expect, test } from 'bun:test'
import { utils, type WorkBook, write } from '@e965/xlsx'
import { convertBytes, refusalOf } from '../support/converted.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { type Cell, ods, xlsx } from '../support/workbooks.ts'

const sheet = (rows: readonly (readonly Cell[])[], merges: readonly string[] = []) => [
  { name: 'Data', rows, merges },
]
const writeBook = (rows: readonly (readonly Cell[])[]) => {
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), 'Data')
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer)
}
const rowOf = async (cells: readonly Cell[], is1904 = false) =>
  (await convertBytes(xlsx(sheet([cells]), { is1904 }))).records[0]

test('numbers read as a spreadsheet shows them: fractions of 15 digits, no exponent', async () => {
  const numbers = [0.1 + 0.2, 1e-7, 123456789012345680000, -0.000001234, 1e15, 100, 1.5e21]
  expect(await rowOf(numbers)).toEqual([
    '0.3',
    '0.0000001',
    '123456789012345680000',
    '-0.000001234',
    '1000000000000000',
    '100',
    '1500000000000000000000',
  ])
})

const CODES = ['1234567890123458', '1234567890123459', '4503599627370497']
const codeRows = [['cod', 'nume'], ...CODES.map((code, i) => [Number(code), `n${i}`])]

test.each([
  ['XLSX', xlsx(sheet(codeRows))],
  [
    'XLSX with exponents',
    xlsx(
      sheet([['cod'], ...CODES.map((code) => [{ xml: `<c><v>${Number(code).toExponential()}</v></c>` }])]),
    ),
  ],
  ['ODS', ods(sheet(codeRows))],
  ['XLS', writeBook(codeRows)],
])('%s: whole numbers of 16 digits keep every digit', async (_, bytes) => {
  const place = openWorkplace()
  await place.ingest(bytes)
  expect(place.rows().map(({ cod }) => cod)).toEqual(CODES)
  const definition = writeDefinition({
    id: 'sample',
    domain: 'test',
    columns: [{ name: 'cod', type: 'integer' }],
  })
  await place.ingest(bytes, { definition, acceptDrift: true })
  expect(place.rows().map(({ cod }) => cod)).toEqual(CODES.map(Number))
})

const BOOKS = [
  ['XLSX', (rows: readonly (readonly Cell[])[]) => xlsx(sheet(rows))],
  ['ODS', (rows: readonly (readonly Cell[])[]) => ods(sheet(rows))],
  ['XLS', writeBook],
] as const

describe.each(BOOKS)('%s: a text that could be two numbers', (_, bookOf) => {
  const read = async (values: readonly Cell[], options: object = {}) => {
    const place = openWorkplace()
    const rows = [['nume', 'total'], ...values.map((value, i): Cell[] => [`n${i}`, value])]
    const report = await place.ingest(bookOf(rows), options)
    return {
      report,
      values: place.rows().map(({ total }) => total),
      unproven: place.catalog.quality('sample')?.unproven,
    }
  }

  test('is a whole number beside large whole numbers, with a warning that names the other reading', async () => {
    const { report, values, unproven } = await read(['486.498', 281110])
    expect(values).toEqual([486498, 281110])
    expect(report.warnings).toEqual([
      `The column total has numbers such as 486.498, read as 486498. If that is wrong, "decimal_mark": "." under "read" in a definition says so.`,
    ])
    expect(report.repairs).toEqual([{ column: 'total', kind: 'thousands_separator', count: 1 }])
    expect(unproven).toEqual([{ kind: 'decimal_mark', column: 'total', read_as: ',' }])
    const settled = await read(['486.498', 281110], { read: { decimal_mark: '.' } })
    expect([settled.values, settled.report.warnings]).toEqual([[486.498, 281110], []])
  })

  test('is a decimal beside numbers with a fraction, with a warning', async () => {
    const { report, values } = await read(['486.498', 12.5, 281110])
    expect(values).toEqual([486.498, 12.5, 281110])
    expect(report.warnings).toEqual([expect.stringContaining('of another kind, such as 12.5')])
    expect((await read(['486.498', 12.5], { read: { decimal_mark: '.' } })).report.warnings).toEqual([])
  })

  test('is reported where nothing favours either reading', async () => {
    const { report, values } = await read(['1.234', 5, '5.678'])
    expect(values).toEqual([1.234, 5, 5.678])
    expect(report.warnings).toEqual([expect.stringContaining(`"decimal_mark": ","`)])
  })

  test('is what a declared type says, and never silently one of several numbers', async () => {
    const definition = writeDefinition({
      id: 'sample',
      domain: 'test',
      columns: [{ name: 'total', type: 'integer' }],
    })
    const whole = await read(['486.498', 281110], { definition })
    expect([whole.values, whole.report.warnings]).toEqual([[486498, 281110], []])
    const mixed = await read(['486.498', 1.234, 281110], { definition, maxQuarantine: 1 })
    expect(mixed.values).toEqual([281110])
  })

  test('does not affect cells that are numbers', async () => {
    const { report, values } = await read([486.498, 281110, '12.75'])
    expect([values, report.warnings]).toEqual([[486.498, 281110, 12.75], []])
  })
})

test('whole numbers with more digits than a double holds keep those of the file', async () => {
  expect(await rowOf([{ xml: '<c><v>12345678901234567891</v></c>' }])).toEqual(['12345678901234567891'])
})

test('a fraction with more digits than a double holds is counted as rounded', async () => {
  const place = openWorkplace()
  const report = await place.ingest(
    xlsx(sheet([['n'], [0.5], [{ xml: '<c><v>0.12345678901234567891</v></c>' }], [0.1 + 0.2]])),
  )
  expect(report.repairs).toEqual([{ column: 'n', kind: 'rounded', count: 1 }])
  expect(place.rows().map(({ n }) => n)).toEqual([0.5, 0.12345678901234568, 0.3])
})

test('dates, times and durations follow the format of the cell', async () => {
  const cells: Cell[] = [
    { value: 44256, format: 'dd.mm.yyyy' },
    { value: 44256.75, format: 'yyyy-mm-dd hh:mm' },
    { value: 0.75, format: 'h:mm AM/PM' },
    { value: 1.09375, format: '[h]:mm:ss' },
    { value: 44256, format: '[$-418]d mmmm yyyy;@' },
    { value: 0.25, format: '0.00%' },
    { value: 1234.5, format: '#,##0.00 "lei d"' },
    { value: 3, format: '[Red]0' },
    { value: -1, format: 'dd.mm.yyyy' },
  ]
  expect(await rowOf(cells)).toEqual([
    '2021-03-01',
    '2021-03-01T18:00:00',
    '18:00:00',
    '26:15:00',
    '2021-03-01',
    '0.25',
    '1234.5',
    '3',
    '-1',
  ])
})

test('the calendar of 1900 keeps its false leap day separate, and that of 1904 has none', async () => {
  const days = [1, 59, 60, 61].map((value) => ({ value, format: 'yyyy-mm-dd' }))
  expect(await rowOf(days)).toEqual(['1900-01-01', '1900-02-28', '1900-02-29', '1900-03-01'])
  expect(await rowOf(days, true)).toEqual(['1904-01-02', '1904-02-29', '1904-03-01', '1904-03-02'])
})

test('an error is null and counted, a formula is its stored value, and one without is reported', async () => {
  const converted = await convertBytes(
    xlsx(
      sheet([
        ['a', 'b', 'c'],
        [
          { xml: '<c t="e"><v>#DIV/0!</v></c>' },
          { xml: '<c><f>1+1</f><v>2</v></c>' },
          { xml: '<c><f>A1</f></c>' },
        ],
      ]),
    ),
  )
  expect(converted.records[1]).toEqual(['', '2', ''])
  expect(converted.errors).toEqual([{ cell: 0, count: 1 }])
  expect(converted.warnings).toEqual([{ code: 'formulas', values: { sheet: expect.any(String), count: 1 } }])
})

test('texts keep rich runs, escapes and line ends, and omit phonetic guides', async () => {
  const cells: Cell[] = [
    { xml: '<c t="inlineStr"><is><r><t>Ia</t></r><r><t>și</t></r><rPh><t>x</t></rPh></is></c>' },
    'a_x000D_b_x005F_',
    '1,5 "x"\ny',
    true,
  ]
  expect(await rowOf(cells)).toEqual(['Iași', 'a\rb_', '1,5 "x"\ny', 'true'])
})

test('cells without references, rows without numbers and gaps end up where they belong', async () => {
  const part = `<x:worksheet xmlns:x="urn:x"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c><x:v>2</x:v></x:c></x:row><x:row r="4"><x:c r="C4"><x:v>3</x:v></x:c></x:row></x:sheetData></x:worksheet>`
  const { records } = await convertBytes(xlsx(sheet([]), { parts: { 'xl/worksheets/sheet1.xml': part } }))
  expect(records).toEqual([['1', '2', ''], [], [], ['', '', '3']])
})

test('a block merged downwards fills its rows and is counted; one merged sideways is a span', async () => {
  const rows: Cell[][] = [
    ['group', 'name', 'wide', null],
    ['A', 'x', 'over two', null],
    [null, 'y', 'p', 'q'],
    [null, null, null, null],
    [null, 'z', 'r', 's'],
  ]
  const converted = await convertBytes(xlsx(sheet(rows, ['A2:A5', 'C2:D2'])))
  expect(converted.records.map(([first]) => first)).toEqual(['group', 'A', 'A', undefined, 'A'])
  expect(converted.spans).toEqual([{ record: 2, cell: 2, width: 2 }])

  const workplace = openWorkplace()
  const report = await workplace.ingest(xlsx(sheet(rows, ['A2:A5'])))
  expect(report.repairs).toContainEqual({ column: 'group', kind: 'merged_cell', count: 2 })
  expect(workplace.rows().map(({ group }) => group)).toEqual(['A', 'A', 'A'])
})

test('the sheet with the most table rows is chosen, never hidden ones or notes, and the others are named', async () => {
  const table = [['id', 'name'], ...Array.from({ length: 5 }, (_, i) => [i, `n${i}`])]
  const notes = Array.from({ length: 30 }, (_, i) => [`note ${i}`])
  const sheets = [
    { name: 'Notes', rows: notes },
    { name: 'Table', rows: table },
    { name: 'Old', rows: [...table, ...table.slice(1)], hidden: true },
  ]
  for (const bytes of [xlsx(sheets), ods(sheets)]) {
    const chosen = await convertBytes(bytes)
    expect(chosen.sheet).toBe('Table')
    expect(chosen.decisions[0]?.reason).toContain("'Notes' (30 rows), 'Old' (11 rows, hidden)")
    expect((await convertBytes(bytes, { sheet: 'old' })).sheet).toBe('Old')
    expect((await convertBytes(bytes, { sheet: '1' })).sheet).toBe('Notes')
    expect(await refusalOf(bytes, { sheet: 'New' })).toContain("'Notes', 'Table', 'Old'")
  }
})

test('ODS: repeated cells and rows, spaces, lines, covered cells and comments', async () => {
  const content = `<o xmlns:table="t"><table:tracked-changes><table:table-cell><text:p>gone</text:p></table:table-cell></table:tracked-changes><table:table table:name="S"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="0.10"/><table:table-cell office:value-type="string"><office:annotation><text:p>comment</text:p></office:annotation><text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p></table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048500"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row><table:table-cell office:value-type="time" office:time-value="PT26H15M00S"/><table:table-cell office:value-type="date" office:date-value="2021-03-01T00:00:00"/><table:table-cell office:value-type="float" office:value="0" table:formula="x"><text:p>#DIV/0!</text:p></table:table-cell></table:table-row></table:table></o>`
  const { records, errors } = await convertBytes(ods([], content))
  expect(records.slice(0, 3)).toEqual([['0.1', '0.1', 'a  b\nc'], ['0.1', '0.1', 'a  b\nc'], []])
  expect(records.at(-1)).toEqual(['26:15:00', '2021-03-01', ''])
  expect(records.length).toBe(1_048_503)
  expect(errors).toEqual([{ cell: 2, count: 1 }])
})

/** The same small table, in each binary format that the library writes. */
function binaryWorkbook(bookType: 'biff5' | 'biff8'): Uint8Array {
  const table = utils.aoa_to_sheet([
    ['id', 'name', 'day'],
    [1, 'Iași', { t: 'n', v: 44256, z: 'yyyy-mm-dd' }],
    [2.5, 'x, "y"', null],
  ])
  const book: WorkBook = utils.book_new(table, 'Data')
  return new Uint8Array(write(book, { type: 'buffer', bookType }) as Buffer)
}

test.each(['biff5', 'biff8'] as const)('XLS (%s) reads like any other workbook', async (kind) => {
  const { format, records } = await convertBytes(binaryWorkbook(kind))
  expect(format).toBe('xls')
  const name = kind === 'biff8' ? 'Iași' : expect.stringContaining('Ia')
  expect(records).toEqual([
    ['id', 'name', 'day'],
    ['1', name, '2021-03-01'],
    ['2.5', 'x, "y"', ''],
  ])
})

test('a table gives the same rows and types from CSV, XLSX, ODS and XLS, whatever the file is called', async () => {
  const rows: Cell[][] = [
    ['id', 'name', 'share', 'code'],
    [1, 'Cluj', 0.5, '007'],
    [2, 'Alba', 1.25, '010'],
    [3, 'with, comma', 2, '100'],
  ]
  const text = rows.map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\r\n')
  const sheetOf = { name: 'Data', rows }
  const book = utils.book_new(utils.aoa_to_sheet(rows as unknown[][]), 'Data')
  const xls = new Uint8Array(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer)
  const read = await Promise.all(
    [text, xlsx([sheetOf]), ods([sheetOf]), xls].map(async (content) => {
      const workplace = openWorkplace()
      const { columns } = await workplace.ingest(content)
      return { types: columns.map(({ name, type }) => [name, type]), rows: workplace.rows() }
    }),
  )
  expect(read[0]?.rows).toHaveLength(3)
  for (const other of read.slice(1)) expect(other).toEqual(read[0] as (typeof read)[0])
})

test('a refused row is reported by its row in the sheet, whatever line ends its cells hold', async () => {
  const workplace = openWorkplace()
  const { writeDefinition } = await import('../support/ingest.ts')
  const definition = writeDefinition({
    id: 'sample',
    domain: 'test',
    columns: [{ name: 'id', type: 'integer' }],
  })
  const rows = [
    ['id', 'text'],
    [1, 'two\nlines'],
    [2, 'b'],
    ['x', 'c'],
    [3, 'd'],
    [4, 'e'],
  ]
  await workplace.ingest(xlsx(sheet(rows)), { definition, maxQuarantine: 1 })
  expect(workplace.quarantine().map(({ line, column }) => [line, column])).toEqual([[4, 'id']])
})

test('the report states format and sheet, and the hash is that of the file as it came', async () => {
  const bytes = xlsx(
    sheet([
      ['a', 'b'],
      [1, 2],
    ]),
  )
  const { dialect, source } = await openWorkplace().ingest(bytes)
  expect(dialect).toMatchObject({ format: 'xlsx', sheet: 'Data', header_rows: [1] })
  expect(source).toMatchObject({
    bytes: bytes.length,
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
  })
})

test('damaged, protected and foreign packages are refused as what they are', async () => {
  const whole = xlsx(
    sheet([
      ['a', 'b'],
      [1, 2],
    ]),
  )
  expect(await refusalOf(whole.subarray(0, whole.length - 40))).toContain('damaged or cut off')
  const cut = { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v>' }
  expect(await refusalOf(xlsx(sheet([]), { parts: cut }))).toContain('not well-formed XML')
  expect(await refusalOf(xlsx([]))).toContain('no text')
  expect(await refusalOf(xlsx(sheet([])))).toContain('no text')
  expect(await refusalOf(xlsx(sheet([]), { parts: { 'word/document.xml': '<w/>' } }))).toContain(
    'not a table',
  )
  expect(await refusalOf(xlsx(sheet([]), { parts: { 'xl/workbook.bin': '' } }))).toContain('XLSB')
  expect(await refusalOf(Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and no more', 'latin1'))).toContain(
    'damaged or cut off',
  )
})

test('an XLS workbook cut off anywhere is refused in our own words', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => [`text ${i}`, i])
  const book = utils.book_new(utils.aoa_to_sheet(rows), 'Data')
  const whole = new Uint8Array(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer)
  for (let length = 600; length < whole.length; length += 1500)
    expect(await refusalOf(whole.subarray(0, length))).toMatch(/damaged or cut off/)
})

test('custom entities, absurd dimensions and endless repetitions are refused, not followed', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><worksheet><sheetData/></worksheet>'
  expect(await refusalOf(xlsx(sheet([]), { parts: { 'xl/worksheets/sheet1.xml': bomb } }))).toContain(
    'entities',
  )
  const far =
    '<worksheet><dimension ref="A1:XFD1048576"/><sheetData><row r="1048577"><c><v>1</v></c></row></sheetData></worksheet>'
  expect(await refusalOf(xlsx(sheet([]), { parts: { 'xl/worksheets/sheet1.xml': far } }))).toContain(
    '1048576 rows',
  )
  const repeated = (row: string) => `<o><table:table table:name="S">${row}</table:table></o>`
  const cell = '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'
  const rows = `<table:table-row table:number-rows-repeated="1000000000">${cell}</table:table-row>`
  expect(await refusalOf(ods([], repeated(rows)))).toContain('claims more than 1048576 rows')
  const cells = `<table:table-row>${cell.replace('<table:table-cell', '<table:table-cell table:number-columns-repeated="1000000000"')}</table:table-row>`
  expect(await refusalOf(ods([], repeated(cells)))).toContain('claims more than 1048576 rows')
})

test('a missing shared text makes the workbook damaged, not the cell empty', async () => {
  const rows = [
    ['a', 'b'],
    [1, { xml: '<c r="B2" t="s"><v>3</v></c>' }],
  ]
  expect(await refusalOf(xlsx(sheet(rows)))).toContain('text 3 of 0')
})

test('booleans may be written as words', async () => {
  const cells = ['true', 'TRUE', '1', 'false', '0'].map((word) => ({ xml: `<c t="b"><v>${word}</v></c>` }))
  expect(await rowOf(cells)).toEqual(['true', 'true', 'true', 'false', 'false'])
})
