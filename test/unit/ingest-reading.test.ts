/** How certain a reading is, what is refused as a guess, and the first records as they were read. */

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UnreadFileError } from '../../src/publish/edition/compose-report.ts'
import { composeConfidence } from '../../src/read/report/confidence.ts'
import { refuseGuess } from '../../src/read/table/judge-reading.ts'
import { openWorkplace } from '../support/ingest.ts'
import { tempDir } from '../support/temp-dir.ts'
import { typeCommand } from '../support/type-command.ts'
import { xlsx } from '../support/workbooks.ts'

const ROWS = ['Alba,5,2', 'Arad,6,3', 'Cluj,7,4']

/** The report of a file that is not a table. */
async function refusalOf(text: string | Uint8Array) {
  try {
    await openWorkplace().attempt(text)
  } catch (error) {
    if (error instanceof UnreadFileError) return error.report
    throw error
  }
  throw new Error('it was read')
}

test('a report has the first ten records as read, numbered, each with its role', async () => {
  const text = [
    'Populatia pe judete,,',
    '',
    'Judet,Total,Femei',
    ',persoane,persoane',
    ...ROWS,
    '',
    'Sursa: INS',
    '* provizoriu',
    '(a) nu se arata',
  ].join('\n')
  const { records, dialect } = await openWorkplace().ingest(text)
  expect(dialect.header_rows).toEqual([3, 4])
  expect(records).toEqual([
    { number: 1, role: 'title', cells: ['Populatia pe judete', '', ''] },
    { number: 2, role: 'blank', cells: [] },
    { number: 3, role: 'header', cells: ['Judet', 'Total', 'Femei'] },
    { number: 4, role: 'units', cells: ['', 'persoane', 'persoane'] },
    { number: 5, role: 'data', cells: ['Alba', '5', '2'] },
    { number: 6, role: 'data', cells: ['Arad', '6', '3'] },
    { number: 7, role: 'data', cells: ['Cluj', '7', '4'] },
    { number: 8, role: 'blank', cells: [] },
    { number: 9, role: 'note', cells: ['Sursa: INS'] },
    { number: 10, role: 'note', cells: ['* provizoriu'] },
  ])
})

test('a terminal shows them too, for a published file and a refused one', async () => {
  const folder = tempDir()
  const file = join(folder, 'judete.csv')
  const ingest = async (text: string, ...more: string[]) => {
    writeFileSync(file, text)
    return typeCommand(['ingest', file, '--domain', 'test', '--data', join(folder, 'data'), ...more])
  }
  const read = await ingest(['Populatia,,', 'Judet,Total,Femei', ...ROWS].join('\n'))
  expect(read.text).toContain('the first records as read:')
  expect(read.text).toMatch(/^ +1 +title +Populatia/m)
  expect(read.text).toMatch(/^ +2 +header +Judet \| Total \| Femei$/m)
  expect(read.text).toMatch(/^ +3 +data +Alba \| 5 \| 2$/m)
  const refused = await ingest(ROWS.join('\n'))
  expect(refused.code).toBe(4)
  expect(refused.text).toMatch(/^ +1 +header +Alba \| 5 \| 2$/m)
})

test('the records of a workbook and of JSON are shown too, with personal-looking values masked', async () => {
  const place = openWorkplace()
  const book = await place.ingest(xlsx([{ name: 'S', rows: [['a', 'b'], [], [1, 'x@example.org']] }]))
  expect(book.records.map(({ number, role }) => [number, role])).toEqual([
    [1, 'header'],
    [2, 'blank'],
    [3, 'data'],
  ])
  expect(book.records[2]?.cells).toEqual(['1', 'x@•••••••.•••'])
  const json = await place.ingest('[{"a":1,"b":""},{"a":2,"b":"y"}]', { acceptDrift: true })
  expect(json.records).toEqual([
    { number: 1, role: 'data', cells: ['1', '""'] },
    { number: 2, role: 'data', cells: ['2', 'y'] },
  ])
})

test('a plain table is proven; a single column is nearly so', async () => {
  const place = openWorkplace()
  const plain = await place.ingest(['judet,total,femei', ...ROWS].join('\n'))
  expect(plain.dialect.confidence).toBeGreaterThan(0.9)
  const words = await place.ingest('nume\nAlba\nArad\nCluj\n', { acceptDrift: true })
  expect(words.dialect.confidence).toBe(0.9)
})

test('an unproven encoding warns and never refuses', async () => {
  const parts = [
    { of: 'encoding', sure: 0.3 },
    { of: 'reading', sure: 0.9 },
  ] as const
  expect(composeConfidence(parts)).toBe(0.6)
  expect(refuseGuess(parts)).toBeNull()
  expect(composeConfidence([])).toBe(1)
})

test.each([
  ['numbers only', '1,2\n3,5\n4,6\n'],
  ['a name and numbers, as the rows have', 'Alba,5,2\nArad,6,3\nCluj,7,4\n'],
])('a first record that could be data is not a proven header: %s', async (_, text) => {
  const { refusals, records } = await refusalOf(text)
  expect(refusals).toEqual([
    {
      kind: 'unsure',
      message: expect.stringContaining('50 % sure'),
      override: '--header-row 0 when the file has no header, or --header-row 1 when it is one',
      reasons: [{ code: 'header_like_data', values: { record: 1 } }],
    },
  ])
  expect(records[0]).toEqual({
    number: 1,
    role: 'header',
    cells: text.split('\n')[0]?.split(',') as string[],
  })
  const place = openWorkplace()
  expect((await place.ingest(text, { read: { header_row: 0 } })).rows.imported).toBe(3)
  expect((await place.ingest(text, { read: { header_row: 1 }, acceptDrift: true })).rows.imported).toBe(2)
})

const SERIES = ['Title,GDP', 'CDID,ABMI', 'Unit,', 'Release date,12-08-2024', 'Important notes,']

test('records that describe a time series are not rows, and no header is proven', async () => {
  const text = [...SERIES, '1948,5', '1949,6', '1950,7'].join('\n')
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([
    {
      kind: 'unsure',
      override:
        '--header-row 5 when record 5 names the columns, or --header-row 1,2 when all below it are rows',
    },
  ])
  const place = openWorkplace()
  await place.ingest(text, { read: { header_row: 5 } })
  expect(place.rows()).toHaveLength(3)
})

test('words for missing values in the first rows are values', async () => {
  const text = 'judet,total,femei\nAlba,secret,secret\nArad,secret,lipsa\nCluj,5,6\nDolj,7,8\nGorj,9,1\n'
  expect((await openWorkplace().ingest(text)).rows.imported).toBe(5)
})

test('lines that end early below a header with the same sign are not a single column', async () => {
  const text = 'cod;nume;oras;total\n1\n2;Ana\n3;Ion;Cluj\n4;Eva;Arad;7\n5\n6;Dan\n7;Vlad;Iasi\n'
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([{ kind: 'unsure', override: "--delimiter ';'" }])
})

test('lines that are quoted as a whole are rows that were saved as one column', async () => {
  const text = '"cod,nume,total"\n"1,""Popa, Ana"",5"\n"2,Ion,6"\n"3,Eva,7"\n'
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([
    { kind: 'unsure', message: expect.stringContaining('quotes around each line as a whole') },
  ])
  const { columns } = await openWorkplace().ingest('"nume"\n"Popa, Ana"\n"Pop, Ion"\n"Dan, Eva"\n')
  expect(columns.map(({ name }) => name)).toEqual(['nume'])
})

test('years can be column names', async () => {
  const { columns } = await openWorkplace().ingest('2019,2020,2021\n5,6,7\n8,9,10\n')
  expect(columns.map(({ source_name }) => source_name)).toEqual(['2019', '2020', '2021'])
})

test.each([
  [
    'fixed width',
    'JUDET     TOTAL FEMEI\nALBA          5     2\nARAD          6     3\nCLUJ          7     4\n',
  ],
  ['a printed table', '----------\nJUDET TOTAL\n----------\nALBA 5\nARAD 6\n----------\n'],
  ['delimited by an unusual sign', 'judet¦total\nAlba¦5\nArad¦6\n'],
  ['delimited by a control character', 'judet\u0001total\nAlba\u00015\nArad\u00016\n'],
])('text of one column that looks like more is refused, and read on request: %s', async (_, text) => {
  const { refusals, records } = await refusalOf(text)
  expect(refusals).toMatchObject([{ kind: 'unsure', override: '--delimiter ,' }])
  expect(records[0]).toMatchObject({ number: 1, cells: [expect.any(String)] })
  const { columns } = await openWorkplace().ingest(text, { read: { delimiter: ',' }, maxQuarantine: 1 })
  expect(columns).toHaveLength(1)
})

test.each([
  [
    'of fixed width below names that are not',
    'JUDET TOTAL FEMEI\nALBA      5     2\nBRASOV   16    12\n',
    ',',
  ],
  ['delimited by spaces', 'judet total femei\nAlba 5 2\nArad 6 3\nCluj 7 4\n', "' '"],
  ['a database dump', "INSERT INTO t VALUES (1,'a');\nINSERT INTO t VALUES (2,'b');\n", ','],
])('so are lines %s', async (_, text, delimiter) => {
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([{ kind: 'unsure', override: `--delimiter ${delimiter}` }])
})

test('texts with the delimiter in them below a single name are not a table with a title', async () => {
  const text = 'observatii\nunu; doi\ntrei; patru\ncinci; sase\n'
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([
    { override: '--header-row 2 when it is a title, or --delimiter , when it is the name of one column' },
  ])
  const place = openWorkplace()
  await place.ingest(text, { read: { delimiter: ',' } })
  expect(place.rows()).toEqual([
    { observatii: 'unu; doi' },
    { observatii: 'trei; patru' },
    { observatii: 'cinci; sase' },
  ])
  await place.ingest(text, { read: { header_row: 2 }, acceptDrift: true })
  expect(place.rows()[0]).toEqual({ unu: 'trei', doi: 'patru' })
})

test('fixed-width text that has commas in it is not a table of the pieces', async () => {
  const text = 'JUDET      RATA\nALBA      5,1   2,5\nARAD      6,2   3,5\nCLUJ      7,3   4,5\n'
  const { refusals } = await refusalOf(text)
  expect(refusals).toMatchObject([
    { kind: 'unsure', message: expect.stringContaining('as in a printed report') },
  ])
})

test.each(['[1,2,3]', '["a", "b"]', '[1]', '[\n  1,\n  2\n]'])(
  'an array of values is not a table: %s',
  async (text) => {
    const { refusals } = await refusalOf(text)
    expect(refusals).toMatchObject([{ kind: 'unreadable' }])
  },
)

test.each([
  'name\nIon Popescu\nAna Pop\n',
  'nume prenume\nIon Popescu\nAna Pop\n',
  'moment\n2024-01-01 10:00\n2024-01-01 11:00\n',
  'data ora\n2024-01-01 10:00\n2024-01-01 11:00\n',
  'strada\nLunga 5\nNoua 6\n',
  'adresa\n"Str. Lunga; nr. 5"\n"Str. Noua; nr. 6"\n',
  'x\n2024-01-01\n2024-01-02\n',
])('a genuine single column is read: %j', async (text) => {
  expect((await openWorkplace().ingest(text)).rows.imported).toBe(2)
})

const PRINTED = Array.from({ length: 60 }, (_, at) =>
  at % 20 === 0
    ? 'SITUATIA PLATILOR            pag. 1'
    : `${at}  Furnizor ${'x'.repeat(at % 7)}`.padEnd(40) + String(at * 37).padStart(10),
)

test.each([
  ['a printed report', PRINTED],
  ['lines of delimited text', ['cod;judet;total', ...PRINTED.map((_, at) => `${at};Alba;${at * 3}`)]],
  ['a drawn table', ['-----', 'nr total', '-----', '1 5', '2 6', '-----']],
])('a sheet of one column that holds %s is refused, and read on request', async (_, texts) => {
  const book = xlsx([{ name: 'S', rows: texts.map((text) => [text]) }])
  const { refusals } = await refusalOf(book)
  expect(refusals).toMatchObject([
    {
      kind: 'unsure',
      override: '--header-row 1 when each cell is one text',
      reasons: [{ code: 'sheet_of_lines', values: { record: 1 } }],
    },
  ])
  const { columns } = await openWorkplace().ingest(book, { read: { header_row: 1 } })
  expect(columns).toHaveLength(1)
})

test.each([
  ['aligned by blanks', (name: string) => `${name.padEnd(20)}Bloc A`],
  ['written with wide gaps', (name: string, at: number) => `Str. ${name}    nr. ${at}    bl. 3`],
])('a table whose texts are %s is not fixed-width text', async (_, textOf) => {
  const names = ['Alba', 'Arad', 'Bistrita', 'Cluj', 'Dolj']
  const rows = names.map((name, at) => `${at + 1};${textOf(name, at)};${at * 37}`)
  const { columns, rows: counts } = await openWorkplace().ingest(['cod;adresa;total', ...rows].join('\n'))
  expect(columns.map(({ type }) => type)).toEqual(['integer', 'string', 'integer'])
  expect(counts).toMatchObject({ imported: 5, quarantined: 0 })
})

test('names in one column, some typed with two spaces, are not fixed-width text', async () => {
  const text = 'nume\nPopescu  Ion\nPop  Ana\nIonescu  Dan\nDumitru  Eva\nRadu  Vlad\n'
  expect((await openWorkplace().ingest(text)).rows.imported).toBe(5)
})
