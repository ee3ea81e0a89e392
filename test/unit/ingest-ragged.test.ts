/**
 * Records of another width than the table: mended in three cases, read by what the whole table shows, else quarantined;
 * never lost, and never with a value in another place. The rules are in src/read/README.md.
 */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

const TOWNS = ['Alba', 'Arad', 'Cluj', 'Dolj', 'Gorj', 'Iasi', 'Olt', 'Sibiu', 'Timis', 'Vaslui']
const town = (i: number) => TOWNS[i % TOWNS.length] as string
/** The given number of lines, each by its number. */
const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')
const ALL = { maxQuarantine: 1, maxMended: 1 }

test('surplus blanks at the end are cut, and the record is listed with its text', async () => {
  const place = openWorkplace()
  const good = lines(60, (i) => `${town(i)},RO${i % 9},${i}`)
  const report = await place.ingest(`judet,cod,total\n${good}Cluj,RO4,7,,\n`, { maxQuarantine: 0 })
  expect(place.rows().at(-1)).toEqual({ judet: 'Cluj', cod: 'RO4', total: 7 })
  expect(place.repaired()).toEqual([{ line: 62, kind: 'surplus_blanks', raw: 'Cluj,RO4,7,,' }])
  expect(report.repaired_sample).toEqual(place.repaired())
  expect(report.decisions).toMatchObject([
    { kind: 'ragged', reason: expect.stringContaining('on line 62'), override: '--ragged quarantine' },
  ])
})

test.each([
  ['several of them, where a second record could not begin', 30, 31, ',,'],
  ['on the first rows of a file that numbers its rows', 0, 60, ','],
])('surplus blanks are cut: %s', async (_, from, to, blanks) => {
  const place = openWorkplace()
  const rows = lines(
    200,
    (i) => `Județul ${i + 1},${i + 1},text ${i + 1}${i >= from && i < to ? blanks : ''}`,
  )
  const report = await place.ingest(`judet,nr,nota\n${rows}`, { maxQuarantine: 0, maxMended: 1 })
  expect(report.rows).toMatchObject({ imported: 200 })
  expect(place.rows()[from]).toEqual({ judet: `Județul ${from + 1}`, nr: from + 1, nota: `text ${from + 1}` })
  expect(place.repaired()).toHaveLength(to - from)
})

test('surplus blanks are not cut where a column would lack a value that no other row lacks', async () => {
  const place = openWorkplace()
  const good = lines(20, (i) => `${town(i)},Comuna ${i},Str. ${i},${i % 3 ? 'x' : ''}`)
  const text = `judet,localitate,adresa,observatii\n${good}Timis,,Timisoara,Str. Lunga,\n`
  await place.ingest(text, ALL)
  expect(place.quarantine()).toMatchObject([{ line: 22, reason: 'too_many_cells' }])
  expect(place.repaired()).toEqual([])
})

test('surplus blanks are not cut where a code would then have another length: the text before it is joined', async () => {
  const place = openWorkplace()
  const header = 'nr,judet,localitate,strada,cod,oficiu,sector,obs'
  const good = lines(60, (i) => `${i},${town(i)},Oras,Strada ${i},51${1000 + i},${i % 7},,`)
  const text = `${header}\n${good}130,Alba,Oras,Goldis Vasile bl. 29, 30, 31,510213,4,,\n`
  await place.ingest(text, ALL)
  expect(place.rows().at(-1)).toMatchObject({ strada: 'Goldis Vasile bl. 29, 30, 31', oficiu: 4 })
  expect(String(place.rows().at(-1)?.cod)).toBe('510213')
  expect(place.repaired()).toMatchObject([{ kind: 'joined' }])
  const short = `${header}\n${good}130,Alba,Oras,Goldis Vasile bl. 29, 30, 31,510213,,,,\n`
  await place.ingest(short, { ...ALL, acceptDrift: true })
  for (const row of place.rows()) expect(String(row.cod)).toMatch(/^51\d{4}$/)
})

test('an unquoted delimiter inside a text is joined where its pieces begin with a space', async () => {
  const place = openWorkplace()
  const good = lines(60, (i) => `${town(i)},2024-0${1 + (i % 9)},${i}`)
  const report = await place.ingest(`name,month,value\n${good}Dolj, Olt,2024-04,8\n`, { maxQuarantine: 0 })
  expect(place.rows().at(-1)).toEqual({ name: 'Dolj, Olt', month: '2024-04', value: 8 })
  expect(place.repaired()).toEqual([{ line: 62, kind: 'joined', raw: 'Dolj, Olt,2024-04,8' }])
  expect(report.repairs).toContainEqual({ column: 'name', kind: 'inner_delimiter', count: 1 })
})

test('pieces without a space are joined where the column holds quoted delimiters elsewhere', async () => {
  const place = openWorkplace()
  const good = lines(60, (i) => `"Firma ${i},SRL",2024-0${1 + (i % 9)},${i}`)
  await place.ingest(`name,month,value\n${good}Firma X,SA,2024-04,8\n`, { maxQuarantine: 0 })
  expect(place.rows().at(-1)).toMatchObject({ name: 'Firma X,SA', value: 8 })
  const plain = lines(60, (i) => `Firma ${i},2024-0${1 + (i % 9)},${i}`)
  await place.ingest(`name,month,value\n${plain}Firma X,SA,2024-04,8\n`, ALL)
  expect(place.quarantine()).toMatchObject([{ reason: 'too_many_cells' }])
})

test('thousands separators are joined only where the column has them elsewhere', async () => {
  const place = openWorkplace()
  const plain = lines(40, (i) => `MT,${1980 + i},${i * 7}`)
  await place.ingest(`country,year,value\n${plain}RO,2019,223,162\n`, ALL)
  expect(place.quarantine()).toMatchObject([{ reason: 'too_many_cells' }])
  const grouped = lines(40, (i) => `${i % 2 ? 'RO' : 'MT'},${1980 + i},"${i + 1},500"`)
  await place.ingest(`country,year,value\n${grouped}RO,2019,223,162\n`, ALL)
  expect(place.rows().at(-1)).toMatchObject({ country: 'RO', value: 223_162 })
})

test.each([
  [
    'a number into a name',
    'judet,populatie,rata',
    (i: number) => `${town(i)},${600_000 + i * 37},${i}.2`,
    'Cluj,691106,5.2,1.7',
  ],
  [
    'two records',
    'judet,an,rata',
    (i: number) => `${town(i)},${2000 + (i % 24)},${i}.5`,
    'Cluj,2021,12.5Dolj,2021,33.1',
  ],
  [
    'a date into a name',
    'firma,data,valoare',
    (i: number) => `Firma ${i},2021-01-${10 + (i % 18)},${i}.5`,
    'Firma X,2021-01-05,2021-01-06,12.5',
  ],
  ['one of two texts', 'a,b,c', (i: number) => `x${i}y,z${i}w,${i}`, 'one,two,three,4'],
  [
    'a decimal comma beside decimal points',
    'a,b,c',
    (i: number) => `2024-0${1 + (i % 9)},${i}.5,${i}`,
    '2024-04,1,2,3',
  ],
  ['a quoted cell', 'a,b', (i: number) => `w${i}w,${i}`, '"w","4",5'],
  ['texts alone', 'a,b', (i: number) => `x${i}q,y${i}q`, 'k,l,m'],
] as const)('joining does not swallow %s', async (_, header, line, record) => {
  const place = openWorkplace()
  const good = lines(60, line)
  await place.ingest(`${header}\n${good}${record}\n`, ALL)
  expect(place.quarantine()).toMatchObject([{ line: 62, reason: 'too_many_cells' }])
  expect(place.rows()).toHaveLength(60)
})

test('a record that lacks a value in the middle is not a row', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${town(i)},${400 + i},${500 + i},${900 + 2 * i}`)
  await place.ingest(`judet,barbati,femei,total\n${good}${'Alba,423,1840\n'.repeat(4)}`, ALL)
  expect(place.quarantine().map(({ reason }) => reason)).toEqual(Array(4).fill('too_few_cells'))
  expect(place.rows()).toHaveLength(40)
})

test('an unquoted line break quarantines both halves of its record', async () => {
  const place = openWorkplace()
  const good = (from: number) => lines(20, (i) => `${town(i)},${i},Strada ${from + i}`)
  await place.ingest(`judet,nr,adresa\n${good(100)}Alba,7,Strada\nLunga\n${good(200)}`, ALL)
  expect(place.quarantine()).toMatchObject([
    { line: 22, reason: 'line_break', raw: 'Alba,7,Strada' },
    { line: 23, reason: 'line_break', raw: 'Lunga' },
  ])
  const first = lines(20, (i) => `Strada ${i},${i},${town(i)}`)
  await place.ingest(`adresa,nr,judet\n${first}Strada\nLunga,7,Alba\n${first}`, { ...ALL, acceptDrift: true })
  expect(place.quarantine().map(({ raw }) => raw)).toEqual(['Strada', 'Lunga,7,Alba'])
  const middle = lines(20, (i) => `${i},Strada ${i},${town(i)},${i}`)
  await place.ingest(`nr,adresa,judet,x\n${middle}7,Strada\nLunga,Alba,3\n${middle}`, {
    ...ALL,
    acceptDrift: true,
  })
  expect(place.quarantine().map(({ reason }) => reason)).toEqual(['line_break', 'line_break'])
})

test('a short record of totals leaves the row before it unchanged', async () => {
  const place = openWorkplace()
  const good = (from: number) =>
    lines(30, (i) => `${town(i)},2024-01-${10 + (i % 18)},"Nota ${from + i}, verso"`)
  await place.ingest(`judet,data,nota\n${good(0)}Alba,2024-01-05,Nota de\nTotal,30\n${good(100)}`, ALL)
  expect(place.quarantine()).toMatchObject([{ line: 33, reason: 'too_few_cells', raw: 'Total,30' }])
  expect(place.rows()).toHaveLength(61)
})

test('section titles among the rows leave the rows unchanged', async () => {
  const place = openWorkplace()
  const section = (name: string) =>
    `Judetul ${name}\n${lines(9, (i) => `${name} ${i},${i},Strada ${name} ${i}`)}`
  await place.ingest(`nume,nr,adresa\n${['Alba', 'Arad', 'Cluj', 'Dolj'].map(section).join('')}`, ALL)
  expect(place.rows()).toHaveLength(36)
  expect(place.quarantine()).toHaveLength(4)
})

test('a row whose values are one column off is quarantined, and its columns keep their types', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${i},${town(i)},2024-01-${10 + (i % 18)},${i}.5`)
  const report = await place.ingest(
    `nr,judet,data,rata\n${good}Alba,2024-01-05,7.5,\n41,,Alba,2024-01-05\n`,
    ALL,
  )
  expect(place.quarantine()).toMatchObject([
    { line: 42, reason: 'shifted' },
    { line: 43, reason: 'shifted' },
  ])
  expect(report.columns.map(({ type }) => type)).toEqual(['integer', 'string', 'date', 'decimal'])
})

test('a row that lacks its last value and has a decimal among integers is shifted, and the column stays integer', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${town(i)};${2010 + (i % 9)};${100 + i};${i},5`)
  const report = await place.ingest(`judet;an;populatie;rata\n${good}Cluj;555;12,5;\n2015;556;13,5;\n`, ALL)
  expect(place.quarantine()).toMatchObject([
    { line: 42, reason: 'shifted' },
    { line: 43, reason: 'shifted' },
  ])
  expect(report.columns.map(({ type }) => type)).toEqual(['string', 'integer', 'integer', 'decimal'])
})

test('a row whose text was cut by the delimiter, with one blank cell less at the end, is shifted', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${100 + i};Nume ${town(i)} ${i};${i},50;${i % 9};`)
  const text = `cod;nume;pret;cantitate;obs\n${good}150;Nume;alt nume;4,50;3\n151;Nume;5,50;;3\n`
  await place.ingest(text, ALL)
  expect(place.quarantine()).toMatchObject([{ line: 42, reason: 'shifted' }])
  expect(place.rows().at(-1)).toMatchObject({ pret: 5.5, obs: 3 })
})

test('a row that lacks its last value, with all others in place, stays', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${town(i)};${2010 + (i % 9)};${100 + i};${i},5`)
  await place.ingest(`judet;an;populatie;rata\n${good}Cluj;2015;555;\n`, { maxQuarantine: 0 })
  expect(place.rows().at(-1)).toEqual({ judet: 'Cluj', an: 2015, populatie: 555, rata: null })
})

test('a number with an exponent, in a row that lacks its last value, is not a shifted row', async () => {
  const place = openWorkplace()
  const text = `luna,parte,zi\n${lines(6, (i) => `1,0.${i + 1},${i % 2 === 0 ? '2024-01-31' : ''}`)}1,1e-7,\n`
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().at(-1)).toEqual({ luna: 1, parte: 1e-7, zi: null })
})

test('a value of another kind in its own place is not a shifted row', async () => {
  const place = openWorkplace()
  const good = lines(40, (i) => `${i},${town(i)},${i}.5`)
  await place.ingest(`nr,judet,rata\n${good}41,Alba,confidential\n42,1877,3.5\n`, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(42)
})

test('decimals split by unquoted commas throughout are a reading of the table, never above 90 % sure', async () => {
  const place = openWorkplace()
  const text = `name,month,value\n${lines(100, (i) => `${town(i)},2024-0${1 + (i % 9)},${i}${i % 10 ? `,${i % 10}` : ''}`)}`
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()[11]).toEqual({ name: 'Arad', month: '2024-03', value: 11.1 })
  expect(place.repaired()).toEqual([])
  expect(report.dialect.confidence).toBeLessThanOrEqual(0.9)
  expect(report.decisions).toMatchObject([{ kind: 'ragged', reason: expect.stringContaining('90 rows') }])
  const strict = await place.attempt(text, { read: { ragged: 'quarantine' } })
  expect(strict.rows).toMatchObject({ imported: 10, quarantined: 90 })
})

test('adjacent records of one smaller width that fit in only one way are an older layout', async () => {
  const place = openWorkplace()
  const short = lines(12, (i) => `${town(i)},${i}`)
  const good = lines(30, (i) => `${town(i)},${i},RO${i % 9},nota ${town(i)} x`)
  const report = await place.ingest(`judet,total,cod,nota\n${short}${good}`, { maxQuarantine: 0 })
  expect(place.rows()[0]).toEqual({ judet: 'Alba', total: 0, cod: null, nota: null })
  expect(report.repairs).toEqual([
    { column: 'cod', kind: 'missing_cells', count: 12 },
    { column: 'nota', kind: 'missing_cells', count: 12 },
  ])
  expect(report.decisions).toMatchObject([{ kind: 'ragged', reason: expect.stringContaining('12 rows') }])
  const twoWays = lines(12, (i) => `${town(i)},${i},${i + 1}`)
  const numbers = lines(30, (i) => `${town(i)},${i},${i + 1},${i + 2}`)
  const other = await place.ingest(`judet,a,b,c\n${twoWays}${numbers}`, { ...ALL, acceptDrift: true })
  expect(other.rows).toMatchObject({ imported: 30, quarantined: 12 })
})

test('blank cells left off throughout are null', async () => {
  const place = openWorkplace()
  const text = 'judet,total,cod,nota\nAlba,5,RO1,a\nArad,6,,b\nCluj,7,RO3,c\nIasi,1\nOlt,2,RO9\nDolj,3\n'
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()[4]).toEqual({ judet: 'Olt', total: 2, cod: 'RO9', nota: null })
  expect(report.repairs).toMatchObject([
    { column: 'cod', count: 2 },
    { column: 'nota', count: 3 },
  ])
  const other = await place.ingest(`${text}Gorj,4,,\n`, ALL)
  expect(other.rows).toMatchObject({ imported: 4, quarantined: 3 })
})

test('a last cell left off throughout is null where the other cells fit no other columns', async () => {
  const place = openWorkplace()
  const nota = (i: number) => (i % 3 === 0 ? '' : `,nota ${town(i)} x`)
  const text = `judet,total,cod,nota\n${lines(90, (i) => `${town(i)},${i},RO${i % 9}${nota(i)}`)}`
  const report = await place.ingest(text, { maxQuarantine: 0, maxMended: 0 })
  expect(place.rows()[3]).toEqual({ judet: 'Dolj', total: 3, cod: 'RO3', nota: null })
  expect(report.dialect.confidence).toBeLessThanOrEqual(0.9)
  expect(report.decisions).toMatchObject([{ kind: 'ragged', reason: expect.stringContaining('30 rows') }])
  const strict = await place.attempt(text, { read: { ragged: 'quarantine' } })
  expect(strict.rows).toMatchObject({ imported: 60, quarantined: 30 })
  const numbers = lines(90, (i) => `${town(i)},${i},${2 * i}${i % 3 === 0 ? '' : `,${3 * i}`}`)
  const other = await place.attempt(`judet,a,b,c\n${numbers}`, { maxQuarantine: 1 })
  expect(other.rows).toMatchObject({ imported: 60, quarantined: 30 })
})

test('a few records that end early are mended where the file leaves blank cells off, and listed', async () => {
  const place = openWorkplace()
  const good = lines(80, (i) => `${town(i)},${i},${i % 5 ? `RO${i % 9}` : ''},nota ${i}`)
  await place.ingest(`judet,total,cod,nota\n${good}Iasi,1\nOlt,2,RO9\nDolj,3\n`, { maxQuarantine: 0 })
  expect(place.repaired().map(({ kind }) => kind)).toEqual(['left_off', 'left_off', 'left_off'])
  expect(place.rows().at(-2)).toEqual({ judet: 'Olt', total: 2, cod: 'RO9', nota: null })
})

test('a layout that changes far into a file is found', async () => {
  const place = openWorkplace()
  const rows = lines(20_000, (i) => `name ${i},${i},more text`)
  const report = await place.ingest(`a,b,c\n${rows}${'x,7\n'.repeat(500)}`, { maxQuarantine: 0 })
  expect(report.rows).toMatchObject({ read: 20_500, imported: 20_500 })
  expect(place.rows().at(-1)).toEqual({ a: 'x', b: 7, c: null })
})

test('records with more cells further down are not rows', async () => {
  const place = openWorkplace()
  const text = `judet,total,rata\n${lines(60, (i) => `${town(i)},${i},${i}.5`)}${lines(20, (i) => `${town(i)},x${i},${i},${i}.5`)}`
  const report = await place.ingest(text, ALL)
  expect(report.rows).toMatchObject({ imported: 60, quarantined: 20 })
})

test.each([
  [
    'fewer names than most rows have cells',
    'judet,barbati',
    (i: number) => `${town(i)},${400 + i},${500 + i}`,
  ],
  [
    'more names than most rows have cells',
    'judet,barbati,femei,total',
    (i: number) => `${town(i)},${400 + i},${500 + i}`,
  ],
])('a header with %s is refused', async (_, header, line) => {
  const report = openWorkplace().attempt(`${header}\n${lines(30, line)}`, ALL)
  await expect(report).rejects.toThrow(
    /The header has \d names, but 30 of 30 rows have 3 cells.*--header-row/,
  )
})

test('60 of 80 rows with one cell more refuse the header', async () => {
  const text = `judet,an,rata\n${lines(20, (i) => `${town(i)},${2000 + i},${i}.5`)}${lines(60, (i) => `${town(i)},m,${2000 + (i % 24)},${i}.5`)}`
  await expect(openWorkplace().attempt(text, ALL)).rejects.toThrow(
    /The header has 3 names, but 60 of 80 rows/,
  )
})

test('records of several widths, none in the majority, are quarantined and leave the header', async () => {
  const place = openWorkplace()
  await place.ingest('a,b,c\nx,y,1\nz,2\nu,v\nw\n', ALL)
  expect(place.rows()).toEqual([{ a: 'x', b: 'y', c: 1 }])
  expect(place.quarantine().map(({ raw }) => raw)).toEqual(['z,2', 'u,v', 'w'])
  const half = await place.attempt('a,b,c\nx,y\nz\n', { acceptDrift: true })
  expect(half.rows).toMatchObject({ read: 2, quarantined: 2 })
  expect(half.refusals.map(({ kind }) => kind)).toContain('quarantine')
})

test('a header without names for blank cells at the ends of the rows stays', async () => {
  const place = openWorkplace()
  const every = await place.ingest('a,b\n1,x,\n2,y,\n3,z,\n', { maxQuarantine: 0 })
  expect(every.columns.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(every.decisions).toMatchObject([{ kind: 'blank_columns' }])
  const most = await place.ingest(`a,b\n${lines(5, (i) => `${i},x`)}${lines(15, (i) => `${i},y,`)}`, {
    maxQuarantine: 0,
  })
  expect(most.rows).toMatchObject({ imported: 20 })
  expect(most.columns).toHaveLength(2)
  const header = await place.ingest('a,b,,\n1,x\n2,y\n3,z\n', { maxQuarantine: 0, acceptShrink: true })
  expect(header.columns).toHaveLength(2)
})

test('more mended records than allowed refuse the file', async () => {
  const place = openWorkplace()
  const text = `name,month,value\n${lines(30, (i) => `${town(i)},2024-0${1 + (i % 9)},${i}`)}${'Dolj, Olt,2024-04,8\n'.repeat(3)}`
  const report = await place.attempt(text)
  expect(report.refusals).toMatchObject([{ kind: 'too_many_mended', override: '--max-mended' }])
  const allowed = await place.attempt(text, { maxMended: 0.1 })
  expect(allowed).toMatchObject({ refusals: [], published: true })
  expect(place.catalog.quality('sample')?.mended).toEqual({ surplus_blanks: 0, joined: 3, left_off: 0 })
})

test('nothing is mended when an option or the definition says so', async () => {
  const place = openWorkplace()
  const text = `name,month,value\n${lines(60, (i) => `${town(i)},2024-01,${i}`)}Dolj, Olt,2024-04,8\n`
  const byOption = await place.ingest(text, { read: { ragged: 'quarantine' }, ...ALL })
  expect(byOption.quarantine).toMatchObject([{ reason: 'too_many_cells', count: 1 }])
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { ragged: 'quarantine' } })
  const byDefinition = await place.ingest(text, { definition, ...ALL })
  expect(byDefinition.quarantine).toMatchObject([{ reason: 'too_many_cells', count: 1 }])
  expect(byDefinition.repaired_sample).toEqual([])
})

test('mending keeps cells with doubled quotes, blocks and lines in place', async () => {
  const place = openWorkplace()
  const good = Array.from({ length: 9000 }, (_, i) => `"row ""${i}""",2024-01,n ${i},${i}\n`)
  const mixed = good.map((row, i) => (i % 27 === 3 ? `"q ""${i}""\nx",2024-02,n, m,${i}\n` : row))
  const report = await place.ingest(`name,month,text,value\n${mixed.join('')}`, { maxQuarantine: 0 })
  expect(report.rows.imported).toBe(9000)
  expect(place.repaired()).toHaveLength(334)
  for (const [i, row] of place.rows().entries()) {
    const isMended = i % 27 === 3
    expect(row.name).toBe(isMended ? `q "${i}"\nx` : `row "${i}"`)
    expect(row.text).toBe(isMended ? 'n, m' : `n ${i}`)
    expect(row.value).toBe(i)
  }
})

const word = fc
  .stringMatching(/^[A-Z][a-z]{2,8}$/)
  .filter((text) => !/^(Tot|Sum|Not|Sur|Gesamt|Null|None|Nan)/.test(text))
const cell = fc.oneof(
  word,
  fc.integer({ min: 0, max: 9999 }).map(String),
  fc.constantFrom('', ' x', '5', '2024-01'),
)
const record = fc.array(cell, { minLength: 1, maxLength: 7 })

test('good rows are served in their order or beside a line break, and none is lost, whatever else is in the file', async () => {
  const place = openWorkplace()
  const good = fc.tuple(word, fc.integer({ min: 10, max: 99_999 }), word)
  await fc.assert(
    fc.asyncProperty(
      fc.array(good, { minLength: 4, maxLength: 10 }),
      fc.array(fc.tuple(fc.nat(9), record), { maxLength: 3 }),
      async (rows, others) => {
        const all = rows.map((row) => row.join(','))
        for (const [at, cells] of others) all.splice(Math.min(at, all.length), 0, cells.join(','))
        const filled = all.filter((line) => /[^\s,]/.test(line)).length
        const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'string' }))
        const report = await place.ingest(`a,b,c\n${all.join('\n')}\n`, {
          definition: writeDefinition({ id: 'sample', domain: 'test', columns }),
          read: { delimiter: ',', header_row: 1 },
          acceptDrift: true,
          ...ALL,
        })
        const { read, imported, quarantined } = report.rows
        const refused = place.quarantine()
        expect([read, imported + quarantined, refused.length]).toEqual([filled, filled, quarantined])
        const served = place.rows().map(({ a, b, c }) => `${a},${b},${c}`)
        expect(served).toHaveLength(imported)
        const taken = refused.filter(({ reason }) => reason !== 'too_few_cells').map(({ raw }) => raw)
        let at = 0
        for (const row of rows.map((cells) => cells.join(','))) {
          const next = served.indexOf(row, at)
          if (next >= 0) at = next + 1
          else expect(taken).toContain(row)
        }
      },
    ),
    { numRuns: runs(60) },
  )
})
