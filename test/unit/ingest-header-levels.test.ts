/** Headers of several records: across blank records, with units and labels, of workbooks and printed pages. */

import { expect, test } from 'bun:test'
import { openWorkplace } from '../support/ingest.ts'
import { type Cell, xlsx } from '../support/workbooks.ts'

const NAMES = ['Alba', 'Arad', 'Arges', 'Bacau', 'Bihor', 'Brasov']
const body = (width: number) =>
  NAMES.map((name, i) =>
    [name, ...Array.from({ length: width - 1 }, (_, column) => 100 * i + 7 * column)].join(','),
  )

async function readText(header: readonly string[], rows: readonly string[]) {
  const place = openWorkplace()
  const report = await place.ingest([...header, ...rows].join('\n'), { maxQuarantine: 0 })
  return {
    names: report.columns.map(({ source_name }) => source_name),
    types: report.columns.map(({ type }): string => type),
    header: report.dialect.header_rows,
    roles: report.records.map(({ role }) => role),
    rows: place.rows().length,
  }
}

const GROUPS = ['Judet', 'Populatie Total', 'Populatie Femei', 'Locuinte Total', 'Locuinte Urban']
const NUMBERS: string[] = ['string', 'integer', 'integer', 'integer', 'integer']

const ACROSS: [string, string[]][] = [
  ['a blank record', ['Judet,Populatie,,Locuinte,', '', ',Total,Femei,Total,Urban']],
  ['a record of delimiters', ['Judet,Populatie,,Locuinte,', ',,,,', ',Total,Femei,Total,Urban']],
  ['the first name below', [',Populatie,,Locuinte,', '', 'Judet,Total,Femei,Total,Urban']],
  ['a title above', ['Titlu,,,,', '', 'Judet,Populatie,,Locuinte,', '', ',Total,Femei,Total,Urban']],
]
test.each(ACROSS)('names are joined across blank records: %s', async (_, header) => {
  const { names, types, rows } = await readText(header, body(5))
  expect(names).toEqual(GROUPS)
  expect(types).toEqual(NUMBERS)
  expect(rows).toBe(6)
})

test.each([
  ['below the names', ['Judet,Total,Rata'], ',persoane,%'],
  ['with a word for them', ['Judet,Total,Rata'], 'U.M.,mii persoane,%'],
  ['compound ones', ['Judet,Total,Rata'], ',kg/ha,EUR/MWh'],
  ['unknown ones', ['Judet,Total,Rata'], ',oameni,la suta'],
])('a record of units is not a row: %s', async (kind, header, units) => {
  const { names, types, roles, rows } = await readText([...header, units], body(3))
  const [, first, second] = units.split(',')
  expect(names).toEqual(['Judet', `Total ${first}`, `Rata ${second}`])
  expect(types).toEqual(['string', 'integer', 'integer'])
  expect(roles.slice(0, 3)).toEqual(['header', kind === 'unknown ones' ? 'header' : 'units', 'data'])
  expect(rows).toBe(6)
})

test.each([
  ['above the names', [',persoane,%', 'Judet,Total,Rata']],
  ['with a dash over the first column', ['Judet,Total,Rata', '-,persoane,%']],
  ['below a blank record', ['Judet,Total,Rata', '', ',persoane,%']],
])('units follow the names: %s', async (_, header) => {
  const { names, types, rows } = await readText(header, body(3))
  expect(names).toEqual(['Judet', 'Total persoane', 'Rata %'])
  expect(types).toEqual(['string', 'integer', 'integer'])
  expect(rows).toBe(6)
})

test('names continue below a blank record, each in its column', async () => {
  const { names, types } = await readText(['Judet,Numar,Rata', '', ',de someri,somajului'], body(3))
  expect(names).toEqual(['Judet', 'Numar de someri', 'Rata somajului'])
  expect(types).toEqual(['string', 'integer', 'integer'])
})

test.each([
  ['two cells each', ['INSTITUTUL NATIONAL,,Pagina 1', 'Raport,,12.03.2024']],
  ['fewer cells', ['Institutia,INS', 'Data,12.03.2024', '']],
  ['fewer cells, filled up', ['Institutia,INS,', 'Data,12.03.2024,', 'An,2023,', '']],
])('titles of several cells are above a header that names every column: %s', async (_, titles) => {
  const { names, types, roles, rows } = await readText([...titles, 'Judet,Total,Femei'], body(3))
  expect(names).toEqual(['Judet', 'Total', 'Femei'])
  expect(types).toEqual(['string', 'integer', 'integer'])
  expect(roles.slice(0, 2)).toEqual(['title', 'title'])
  expect(rows).toBe(6)
})

test('program comments above a header are titles, and a header that begins like one is not', async () => {
  const { names, header } = await readText(['# one', '# two, three, four', 'Judet,Total,Femei'], body(3))
  expect([names, header]).toEqual([['Judet', 'Total', 'Femei'], [3]])
  expect((await readText(['#Judet,Total,Femei'], body(3))).names).toEqual(['#Judet', 'Total', 'Femei'])
})

test('a single text between two levels that name its columns is a title over all', async () => {
  const { names } = await readText(
    ['Judet,Ani,', ',Anul 2019,Anul 2020', ',UM: Numar persoane,', ',Persoane,Persoane'],
    body(3),
  )
  expect(names).toEqual(['Judet', 'Ani Anul 2019 Persoane', 'Ani Anul 2020 Persoane'])
})

test('a table of fewer cells above another one is not a title', async () => {
  const place = openWorkplace()
  const text = ['judet,total', 'Alba,5', 'Arad,6', '', 'an,femei,barbati', ...body(3)].join('\n')
  await expect(place.ingest(text)).rejects.toThrow(/7 x second_table, first on line 5/)
})

test.each([
  ['Markdown', '| judet | total |\n|---|--:|\n| Alba | 5 |\n| Arad | 6 |\n'],
  ['a database shell', ' judet | total \n-------+-------\n Alba  |     5\n Arad  |     6\n(2 rows)\n'],
  ['a drawn frame', '+---+---+\n| judet | total |\n+---+---+\n| Alba | 5 |\n| Arad | 6 |\n+---+---+\n'],
])('drawn lines are not rows: %s', async (_, text) => {
  const place = openWorkplace()
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toEqual([
    { judet: 'Alba', total: 5 },
    { judet: 'Arad', total: 6 },
  ])
})

test('units may be between the names and the years', async () => {
  const { names, roles, rows } = await readText(
    ['Judet,Total,Femei', ',persoane,persoane', ',2023,2023'],
    body(3),
  )
  expect(names).toEqual(['Judet', 'Total persoane 2023', 'Femei persoane 2023'])
  expect(roles.slice(0, 4)).toEqual(['header', 'units', 'header', 'data'])
  expect(rows).toBe(6)
})

const DAYS = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04']
const days = (width: number) =>
  DAYS.map((day, i) => [day, ...Array.from({ length: width - 1 }, (_, column) => 10 * i + column)].join(','))

test.each([
  [
    'groups',
    ['Site:,Nord,,Sud,', 'Date,Temp,Hum,Temp,Hum'],
    ['Date', 'Nord Temp', 'Nord Hum', 'Sud Temp', 'Sud Hum'],
  ],
  ['one for each column', ['Site:,N,S', 'Date,Temp,Hum'], ['Date', 'N Temp', 'S Hum']],
  ['below the names', ['Date,Temp,Hum', 'Site:,A,B'], ['Date', 'Temp A', 'Hum B']],
  ['with units below', ['Date,Temp,Hum', 'Site:,A,B', 'Units:,°C,%'], ['Date', 'Temp A °C', 'Hum B %']],
])('a record with a leading label is a level of the header: %s', async (_, header, expected) => {
  const { names, rows, types } = await readText(header, days(expected.length))
  expect(names).toEqual(expected)
  expect(types[0]).toBe('date')
  expect(rows).toBe(4)
})

test('labels with one text each are titles', async () => {
  const { names, roles } = await readText(
    ['Institutia:,Primaria,', 'Data:,2024-01-01,', 'Nume,Total,Rata'],
    body(3),
  )
  expect(names).toEqual(['Nume', 'Total', 'Rata'])
  expect(roles.slice(0, 4)).toEqual(['title', 'title', 'header', 'data'])
})

test('a text in a single cell that spans nothing is not a level of the header', async () => {
  const { names, header } = await readText([',,Situatia la zi,,', 'Judet,Total,Femei,Total,Femei'], body(5))
  expect(names).toEqual(['Judet', 'Total', 'Femei', 'Total', 'Femei'])
  expect(header).toEqual([2])
})

test('ages and days can be names', async () => {
  const ages = await readText(['Judet,Varsta,,,', ',0-4,5-9,10-14,15-19'], body(5))
  expect(ages.names).toEqual(['Judet', 'Varsta 0-4', 'Varsta 5-9', 'Varsta 10-14', 'Varsta 15-19'])
  const dates = await readText(['Judet,Situatia la,', ',31.12.2022,31.12.2023'], body(3))
  expect(dates.names).toEqual(['Judet', 'Situatia la 31.12.2022', 'Situatia la 31.12.2023'])
  const plain = await readText(['Judet,31.12.2022,31.12.2023'], body(3))
  expect(plain.names).toEqual(['Judet', '31.12.2022', '31.12.2023'])
})

/** Three levels over 20 columns: population by year or age, and by sex. */
function threeLevels(middle: readonly string[]): Cell[][] {
  const blank = (length: number): null[] => Array.from({ length }, () => null)
  return [
    ['Populatia pe judete, ani si sexe'],
    [],
    ['Sursa datelor: recensamant'],
    ['Nr', 'Judet', 'Populatia', ...blank(17)],
    [null, null, ...middle.flatMap((name) => [name, null, null])],
    [null, null, ...middle.flatMap(() => ['Total', 'Masculin', 'Feminin'])],
    ...NAMES.map((name, i) => [i + 1, name, ...Array.from({ length: 18 }, (_, column) => i * 100 + column)]),
  ]
}
const YEARS = ['2016', '2017', '2018', '2019', '2020', '2021']
const MERGES = [
  'A4:A6',
  'B4:B6',
  'C4:T4',
  ...['C', 'F', 'I', 'L', 'O', 'R'].map((from) => `${from}5:${String.fromCharCode(from.charCodeAt(0) + 2)}5`),
]

test.each([
  ['years', YEARS, MERGES],
  ['years, not merged', YEARS, []],
  ['ages', ['0-4', '5-9', '10-14', '15-19', '20-24', '25-29'], MERGES],
  ['ages, not merged', ['0-4', '5-9', '10-14', '15-19', '20-24', '25-29'], []],
  ['days', YEARS.map((year) => `31.12.${year}`), MERGES],
  ['days, not merged', YEARS.map((year) => `31.12.${year}`), []],
  ['regions, not merged', ['Nord', 'Sud', 'Est', 'Vest', 'Centru', 'Bucuresti'], []],
])('a header of three records in a workbook is read completely: %s', async (_, middle, merges) => {
  const place = openWorkplace()
  const report = await place.ingest(xlsx([{ name: 'S', rows: threeLevels(middle), merges }]), {
    maxQuarantine: 0,
  })
  expect(report.dialect.header_rows).toEqual([4, 5, 6])
  expect(report.columns.map(({ source_name }) => source_name)).toEqual([
    'Nr',
    'Judet',
    ...middle.flatMap((name) => ['Total', 'Masculin', 'Feminin'].map((sex) => `Populatia ${name} ${sex}`)),
  ])
  expect(report.columns.filter(({ type }) => type === 'integer')).toHaveLength(19)
  expect(place.rows()).toHaveLength(6)
})

test.each([
  'strada,numar,total\n1877,5,6\nLunga,7,8\nNoua,9,10\n',
  'judet,a,b\nAlba,confidential,confidential\nArad,1,2\nCluj,3,4\nDolj,5,6\n',
  'cod,nume\nA,Alba\nB,Arad\n',
  'judet,an,total\n,2019,5\nAlba,2020,6\nArad,2021,7\nCluj,2022,8\n',
])('a first row that could be data is data: %j', async (text) => {
  const place = openWorkplace()
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(text.trim().split('\n').length - 1)
})

const BELOW_NUMBERING: [string, string[], (string | null)[], number[]][] = [
  [
    'two languages',
    ['Judet,Total,din care,', 'County,Total,of which,', ',,Nord,Sud', ',,North,South', 'A,1,2,3'],
    ['Judet County', 'Total', 'din care of which Nord North', 'din care of which Sud South'],
    [1, 2, 3, 4],
  ],
  [
    'a name that goes on below',
    ['Nr.,Judet,Total,', 'crt.,,Numar,%', '0,1,2,3'],
    ['Nr. crt.', 'Judet', 'Total Numar', 'Total %'],
    [1, 2],
  ],
  [
    'units below the numbers',
    ['Judet,Total,Rata,Venit', 'A,1,2,3', ',pers.,%,lei/pers.'],
    ['Judet', 'Total pers.', 'Rata %', 'Venit lei/pers.'],
    [1, 2, 3],
  ],
]
test.each(BELOW_NUMBERING)(
  'all records above the column numbers are the header: %s',
  async (kind, header, expected, records) => {
    const rows = body(4).map((row, i) =>
      kind.startsWith('a name') ? `${i + 1},${row.replace(/,\d+$/, '')}` : row,
    )
    const read = await readText(header, rows)
    expect(read.names).toEqual(expected)
    expect(read.header).toEqual(records)
    expect(read.rows).toBe(6)
    expect(read.types.slice(2)).toEqual(['integer', 'integer'])
  },
)

test.each([
  ['Roman', 'I,II,III,IV'],
  ['with a letter', 'c1,c2,c3,c4'],
  ['none for the first column', ',1,2,3'],
])('columns can be numbered in other ways: %s', async (_, numbering) => {
  const { names, types, rows } = await readText(['Judet,Total,Rata,Venit', numbering], body(4))
  expect(names).toEqual(['Judet', 'Total', 'Rata', 'Venit'])
  expect(types).toEqual(['string', 'integer', 'integer', 'integer'])
  expect(rows).toBe(6)
})

test('column numbers above a column that counts the rows are not a row', async () => {
  const rows = NAMES.map((_, i) => `${i + 1},${700 + i},${90 + i},${5 * i}`)
  expect((await readText(['Nr.,Cod,Total,Rata', '1,2,3,4'], rows)).rows).toBe(6)
  const table = ['x,y,z', '1,2,3', '2,4,6', '3,6,9', '4,8,12']
  expect((await openWorkplace().ingest(table.join('\n'))).rows.imported).toBe(4)
})

test.each([
  ['U.M.: mii lei,,', 'units', 6],
  ['(mii lei),,', 'units', 6],
  ['Persoane,,', 'data', 7],
  ['(nespecificat),,', 'data', 7],
] as const)('one unit for all columns is not a row, a single word is: %s', async (line, role, count) => {
  const { names, types, roles, rows } = await readText(['Judet,Total,Rata', line], body(3))
  expect(names).toEqual(['Judet', 'Total', 'Rata'])
  expect(types).toEqual(['string', 'integer', 'integer'])
  expect(roles[1]).toBe(role)
  expect(rows).toBe(count)
})

test('units beside a name that is merged downwards belong to the header', async () => {
  const rows: Cell[][] = NAMES.map((name, i) => [name, 10 * i, i])
  const sheet: Cell[][] = [
    ['Judet', 'Total', 'Rata'],
    [null, 'mii lei', 'mii lei'],
    [],
    ['TOTAL', 150, 15],
    [],
    ...rows,
  ]
  const { columns } = await openWorkplace().ingest(xlsx([{ name: 'S', rows: sheet, merges: ['A1:A2'] }]))
  expect(columns.map(({ source_name, type }) => `${source_name} ${type}`)).toEqual([
    'Judet string',
    'Total mii lei integer',
    'Rata mii lei integer',
  ])
})
