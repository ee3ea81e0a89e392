/** What is printed around the rows of a table without being one: notes below it, its header again, a second table. */

import { expect, test } from 'bun:test'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { type Cell, xlsx } from '../support/workbooks.ts'

const NAMES = ['Alba', 'Arad', 'Arges', 'Bacau', 'Bihor', 'Brasov', 'Cluj', 'Dolj']
const line = (delimiter: string, cells: readonly (string | number)[]) => cells.join(delimiter)
/** Eight rows of a name and numbers. */
const rowsOf = (width: number, delimiter = ',') =>
  NAMES.map((name, i) =>
    line(delimiter, [name, ...Array.from({ length: width - 1 }, (_, column) => 10 * i + column)]),
  )
const tableOf = (width: number, delimiter = ',') => [
  line(delimiter, ['judet', ...Array.from({ length: width - 1 }, (_, column) => `numar ${column + 1}`)]),
  ...rowsOf(width, delimiter),
]

test.each([
  ['Sursa: INS, Recensamant;', 2],
  ['* - valoare confidentiala;', 2],
  ['* - valoare confidentiala;;;', 4],
  ['(a) fara municipii;;', 3],
  ['a) fara municipii;;', 3],
  ['1 The figures are provisional;;', 3],
  ['Disclaimer;;', 3],
  ['12.03.2024;;', 3],
  ['Tiparit la 12.03.2024;;', 3],
  [';Tiparit;', 3],
  ['- date provizorii;;', 3],
  ['Sursa: INS, Recensamant;;;;;;', 3],
  ['* - valoare confidentiala;;;;;;;', 3],
  ['(a) fara municipii, orase;;;;', 3],
  ['Sursa: INS, Recensamant', 4],
  ['\nsituatie provizorie;;', 3],
  ['\nsituatie provizorie;', 2],
  ['12.03.2024;', 2],
  ['12.03.2024', 2],
  ['Източник: НСИ;;', 3],
  ['*** sfarsit ***;;', 3],
  ['(8 randuri)', 3],
  ['(a) fara inchisori; scoli; spitale', 3],
  ['1 Datele sunt provizorii; ca de obicei; si se revizuiesc', 3],
  ['Sursa: INS; 2024', 2],
  ['* - valoare confidentiala; sau lipsa', 2],
  [':;lipsa date;;', 4],
])('a note below the table is not a row: %j in %i columns', async (note, width) => {
  const place = openWorkplace()
  const report = await place.ingest(`${tableOf(width, ';').join('\n')}\n${note}\n`, { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(report.left_out).toEqual([{ kind: 'footnote', count: 1, first_line: expect.any(Number) }])
  expect(place.leftOut()).toMatchObject([{ kind: 'footnote', raw: note.trim() }])
  expect(report.rows).toMatchObject({ read: 8, quarantined: 0, left_out: 1 })
  expect(report.decisions).toContainEqual(expect.objectContaining({ kind: 'footnotes' }))
  expect(report.columns.slice(1).map(({ type }) => type)).toEqual(
    Array.from({ length: width - 1 }, () => 'integer'),
  )
})

test('signatures below a blank record are notes, since they lack a number where all rows have one', async () => {
  const place = openWorkplace()
  const text = [...tableOf(4), '', 'Director,,Intocmit,', 'Ion Popescu,,Ana Ionescu,'].join('\n')
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(place.leftOut().map(({ kind }) => kind)).toEqual(['footnote', 'footnote'])
})

test('the line that ends each page of one row is not a row, although such lines are most of the table', async () => {
  const place = openWorkplace()
  const pages = [1, 2, 3].flatMap((page) => [
    'judet,a,b,c,d',
    'Alba,13,14,15,16',
    ...ending(page),
    ...ending(page),
  ])
  const signed = ['', 'Director,Intocmit,,,', 'Ion Popescu,Ana Pop,,,']
  await place.ingest([...pages, ...signed].join('\n'), { maxQuarantine: 0 })
  expect(place.rows()).toEqual(
    Array.from({ length: 3 }, () => ({ judet: 'Alba', a: 13, b: 14, c: 15, d: 16 })),
  )
  function ending(page: number) {
    return [`Pagina ${page},,,,`]
  }
})

test('one number above does not make a row of texts a note', async () => {
  const place = openWorkplace()
  const columns = ['a', 'b', 'c'].map((name) => ({ name, type: 'string' }))
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns })
  await place.ingest('a,b,c\n,,x\n,y,1\n,X,z\n', { definition, maxQuarantine: 0 })
  expect(place.rows().map(({ c }) => c)).toEqual(['x', '1', 'z'])
})

test('a sentence with the delimiter in it is a note in a table of texts too', async () => {
  const place = openWorkplace()
  const table = ['judet,resedinta,nota', ...NAMES.map((name) => `${name},Oras ${name},text`)]
  await place.ingest([...table, 'Sursa: registrul national, 2024, mai'].join('\n'), { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
})

test.each([
  ['a source on every page', [], ['Sursa: INS,,', '']],
  ['a title above each page', [], ['', 'Sud,,']],
  ['a title right above each page, as above the first', ['Nord,,'], ['Sud,,']],
])('what is printed between two pages is not a row: %s', async (_, above, between) => {
  const place = openWorkplace()
  const [header = '', ...rows] = tableOf(3)
  const page = [header, ...rows.slice(4)]
  const text = [...above, header, ...rows.slice(0, 4), ...between, ...page].join('\n')
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(report.left_out.map(({ kind, count }) => [kind, count])).toEqual([
    ['footnote', 1],
    ['repeated_header', 1],
    ...above.map(() => ['title', 1]),
  ])
})

test('page numbers are not rows, nor are the notes above them', async () => {
  const place = openWorkplace()
  const [header = '', ...rows] = tableOf(3)
  const page = (number: number) => ['Sursa: INS,,', `Pag. ${number},,`]
  const text = [header, ...rows.slice(0, 4), ...page(1), header, ...rows.slice(4), ...page(2)].join('\n')
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(place.leftOut().map(({ line, kind }) => [line, kind])).toEqual([
    [6, 'footnote'],
    [7, 'footnote'],
    [8, 'repeated_header'],
    [13, 'footnote'],
    [14, 'footnote'],
  ])
  expect(report.decisions.find(({ kind }) => kind === 'footnotes')?.reason).toStartWith('4 lines from line 6')
})

test('a row with only a name above a repeated header stays a row', async () => {
  const place = openWorkplace()
  const [header = '', ...rows] = tableOf(3)
  const text = [header, ...rows.slice(0, 4), 'Vaslui,,', header, ...rows.slice(4)].join('\n')
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(9)
})

test('notes of several kinds below one another are all notes', async () => {
  const place = openWorkplace()
  const notes = [
    'Sursa: INS, Recensamant;',
    '* - valoare confidentiala;',
    'Disclaimer:;',
    '(a) fara municipii;',
  ]
  const report = await place.ingest([...tableOf(2, ';'), ...notes].join('\n'), { maxQuarantine: 0 })
  expect(report.rows).toEqual({ read: 8, blank: 0, imported: 8, quarantined: 0, left_out: 4 })
})

test.each([
  ['a name without values in three columns', 3, 'Vaslui;;'],
  ['a street whose name is a number', 3, '1877;;'],
  ['a sentence in a column of its own', 1, 'Primaria comunei Valea Mare de Sus'],
  ['a row of text in two columns of text', 0, 'Primaria comunei Valea Mare de Sus;'],
  ['words for missing values over all numbers', 3, 'Vaslui;confidential;lipsa'],
  ['a name without its value in two columns', 2, 'Vaslui;'],
])('a last row that could be data stays a row: %s', async (_, width, last) => {
  const place = openWorkplace()
  const table = width === 0 ? ['nume;primar', ...NAMES.map((name) => `${name};Popescu`)] : tableOf(width, ';')
  await place.ingest([...table, last].join('\n'), { maxQuarantine: 0, read: { delimiter: ';' } })
  expect(place.rows()).toHaveLength(9)
})

test('a lone number with an exponent at the end fits a column of numbers and is a row', async () => {
  const place = openWorkplace()
  await place.ingest('judet,total,rata\nAlba,1,0.5\nArad,2,0.25\nCluj,3,0.75\n,,1e-7\n', {
    maxQuarantine: 0,
  })
  expect(place.rows().at(-1)).toEqual({ judet: null, total: null, rata: 1e-7 })
})

test('a lone mark for a missing value at the end fits its column and is a row', async () => {
  const place = openWorkplace()
  await place.ingest('nr,judet,total\n-,,alfa\n-,,beta\n-,,gama\n-,,\n', { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(4)
})

test.each([
  ['as it is', (header: string) => [header]],
  ['in capitals', (header: string) => [header.toUpperCase()]],
  ['below a blank record', (header: string) => ['', header]],
])('a header repeated right below itself is not a row: %s', async (_, again) => {
  const place = openWorkplace()
  const [header = '', ...rows] = tableOf(3)
  const report = await place.ingest([header, ...again(header), ...rows].join('\n'), { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(report.rows).toMatchObject({ imported: 8, quarantined: 0, left_out: 1 })
  expect(report.columns.map(({ name }) => name)).toEqual(['judet', 'numar_1', 'numar_2'])
})

test('a header of two merged records, repeated 84 times in a workbook, is not a row, merged or not', async () => {
  const place = openWorkplace()
  const head: Cell[][] = [
    ['Judet', 'Populatie', null, 'Locuinte', null],
    [null, 'Total', 'Femei', 'Total', 'Urban'],
  ]
  const rows: Cell[][] = []
  const merges: string[] = []
  for (let page = 0; page < 84; page++) {
    const at = rows.length + 1
    // Some pages print the names in the first column twice, some are not merged.
    if (page % 3 !== 2) merges.push(`A${at}:A${at + 1}`, `B${at}:C${at}`, `D${at}:E${at}`)
    rows.push(...head, [`Alba ${page}`, 1, 2, 3, page], [`Arad ${page}`, 5, 6, 7, page])
  }
  const report = await place.ingest(xlsx([{ name: 'S', rows, merges }]), { maxQuarantine: 0 })
  expect(report.columns.map(({ source_name, type }) => [source_name, type])).toEqual([
    ['Judet', 'string'],
    ['Populatie Total', 'integer'],
    ['Populatie Femei', 'integer'],
    ['Locuinte Total', 'integer'],
    ['Locuinte Urban', 'integer'],
  ])
  expect(report.rows).toMatchObject({ imported: 168, quarantined: 0, left_out: 166 })
  expect(report.left_out).toMatchObject([{ kind: 'repeated_header', count: 166 }])
  expect(report.decisions.find(({ kind }) => kind === 'repeated_header')?.reason).toContain('83 times')
})

test('a repeated header with its names joined in one record is not a row', async () => {
  const place = openWorkplace()
  const text =
    'Judet,Populatie,\n,Total,Femei\nAlba,5,2\nArad,6,3\nJudet,Populatie Total,Populatie Femei\nCluj,7,4\n'
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(report.left_out).toMatchObject([{ kind: 'repeated_header', count: 1 }])
  expect(place.rows()).toHaveLength(3)
})

test.each([
  ['of the same width', 'cod,nume lung,valoare'],
  ['narrower', 'cod,explicatie'],
  ['wider', 'cod,explicatie,valoare,unitate'],
])('a second table below the first is left out and named: %s', async (_, header) => {
  const place = openWorkplace()
  const width = header.split(',').length
  const second = [
    header,
    ...['A', 'B', 'C'].map((code, i) => line(',', [code, `text ${code}`, i, 'kg'].slice(0, width))),
  ]
  const text = [...tableOf(3), '', 'Tabelul 2', ...second].join('\n')
  const report = await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(report.columns.slice(1).map(({ type }) => type)).toEqual(['integer', 'integer'])
  expect(report.quarantine).toEqual([{ reason: 'second_table', count: 4, first_line: 12 }])
  expect(report.left_out).toEqual([{ kind: 'footnote', count: 1, first_line: 11 }])
  expect(report.decisions).toContainEqual({
    kind: 'second_table',
    reason: expect.stringContaining('line 12 (cod'),
    override: '--header-row',
  })
})

test.each([
  ['of texts', ['cod,denumire,sigla', 'A,Alba,AB', 'B,Bihor,BH'], '(cod, denumire, sigla)'],
  ['with years for names', [',2019,2020', 'Alba,5,6', 'Arad,7,8'], '(2019, 2020)'],
])('so is one %s, below a blank record', async (_, second, names) => {
  const place = openWorkplace()
  const report = await place.ingest([...tableOf(3), '', ...second].join('\n'), { maxQuarantine: 0 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(report.quarantine).toEqual([{ reason: 'second_table', count: 3, first_line: 11 }])
  expect(report.decisions.find(({ kind }) => kind === 'second_table')?.reason).toContain(names)
})

test.each([
  ['its rows have another kind of name', ['an,total,rata', '2019,5,6', '2020,6,7']],
  ['it names a column as the first one does', ['judet,total,rata', 'Vaslui,5,6', 'Vrancea,6,7']],
  ['its rows are those of the first one', ['nume,total,rata', 'Alba,5,6', 'Arad,6,7']],
  ['it has the names of the first one in another order', ['numar 1,judet,numar 2', '5,Alba,6', '6,Arad,7']],
  ['it has most names of the first one', ['judet,sex,numar 1', 'Alba,F,5', 'Arad,M,6']],
])('a second table without a blank record above it counts as lost: %s', async (_, second) => {
  const place = openWorkplace()
  const text = [...tableOf(3), ...second].join('\n')
  const { refusals } = await place.attempt(text)
  expect(refusals).toMatchObject([
    { kind: 'quarantine', message: expect.stringContaining('3 x second_table, first on line 10') },
  ])
  await place.ingest(text, { maxQuarantine: 0.5 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
})

test.each([
  ['with its name', 'judet,2022,2023,2024'],
  ['without a name', ',2022,2023,2024'],
])('a repeated header with other years begins a second table: %s', async (_, again) => {
  const place = openWorkplace()
  const more = NAMES.map((name, i) => `${name},${90 + i},${70 - i},${500 + 3 * i}`)
  const text = ['judet,2019,2020,2021', ...more, again, ...more].join('\n')
  const { refusals } = await place.attempt(text)
  expect(refusals).toMatchObject([
    { kind: 'quarantine', message: expect.stringContaining('9 x second_table, first on line 10') },
  ])
})

test('a second table of texts begins where the names of the first one are in another order', async () => {
  const place = openWorkplace()
  const rows = NAMES.map((name, i) => `Scoala ${i},${name},Str. ${i}`)
  const moved = NAMES.map((name, i) => `${name},Liceul ${i},Str. ${i}`)
  const text = ['nume,judet,adresa', ...rows, 'judet,nume,adresa', ...moved].join('\n')
  await place.ingest(text, { maxQuarantine: 0.6 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
  expect(place.quarantine().map(({ line }) => line)).toEqual(Array.from({ length: 9 }, (_, i) => i + 10))
})

test('three different words over columns of numbers begin a second table, whatever its rows are', async () => {
  const place = openWorkplace()
  const text = [...tableOf(4), 'comuna,spitale,paturi,medici', 'Gherla,1,2,3', 'Dej,4,5,6'].join('\n')
  await place.ingest(text, { maxQuarantine: 0.5 })
  expect(place.rows().map(({ judet }) => judet)).toEqual(NAMES)
})

test.each([
  ['words for missing values', ['Vaslui,confidential,lipsa', 'Vrancea,5,6']],
  ['the same words below a blank record', ['', 'Vaslui,secret,lipsa', 'Vrancea,secret,lipsa']],
  ['years below a blank record, with a name', ['', 'Vaslui,2019,2020', 'Vrancea,5,6']],
  ['one column name among its values', ['judet,5,6', 'Vrancea,5,6']],
])('a row among rows begins no second table: %s', async (_, more) => {
  const place = openWorkplace()
  const text = [...tableOf(3).slice(0, 5), ...more, ...tableOf(3).slice(5)].join('\n')
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(10)
})

test('the second table is read where its header is named', async () => {
  const place = openWorkplace()
  const text = [...tableOf(3), '', 'cod,explicatie,valoare', 'A,alfa,1', 'B,beta,2'].join('\n')
  await place.ingest(text, { read: { header_row: 11 } })
  expect(place.rows()).toEqual([
    { cod: 'A', explicatie: 'alfa', valoare: 1 },
    { cod: 'B', explicatie: 'beta', valoare: 2 },
  ])
})

test.each(['\t', '|', ','])(
  'rows that are delimited by %j further down are lost, not notes',
  async (other) => {
    const place = openWorkplace()
    const text = [...tableOf(3, ';'), ...rowsOf(3, other)].join('\n')
    const { refusals, decisions } = await place.attempt(text)
    expect(refusals).toMatchObject([
      { kind: 'quarantine', message: expect.stringContaining('8 x too_few_cells, first on line 10') },
    ])
    expect(decisions.map(({ kind }) => kind)).not.toContain('footnotes')
  },
)

test('a table printed in two blocks of columns, one below the other, is refused', async () => {
  const place = openWorkplace()
  const other = ['judet,altul 1,altul 2', ...NAMES.map((name, i) => `${name},${i},${i * 7}`)]
  const report = await place.attempt([...tableOf(3), '', ...other].join('\n'))
  expect(report.refusals).toMatchObject([
    { kind: 'quarantine', message: expect.stringContaining('second_table') },
  ])
})

test('blank records between rows begin no second table', async () => {
  const place = openWorkplace()
  const text =
    'judet,persoana,total\nAlba,Ion,1\nArad,Ana,2\n\nCluj,Dan,3\nDolj,Eva,c\n\nGorj,Ilie,-\nIasi,Maria,4\n'
  await place.ingest(text, { maxQuarantine: 0 })
  expect(place.rows()).toHaveLength(6)
})

const COUNTIES = ['Alba', 'Arad', 'Bihor', 'Cluj', 'Dolj', 'Gorj']
const COUNTED = COUNTIES.map((name, i) => `${name},${100 + i},${7 * i + 1}`)
const DESCRIBED = COUNTIES.map((name, i) => `${name},urban,nu,Str. ${name} nr. ${i}`)

test.each([
  ['a signature without a blank record', COUNTED, ['Întocmit,,', 'Ion Popescu,,']],
  ['two signatures without a blank record', COUNTED, ['Director,,Întocmit', 'Ion Pop,,Ana Pop']],
  ['two signatures below a table of texts', DESCRIBED, ['', 'Director,,,Întocmit', 'Ion Pop,,,Ana Pop']],
  ['a signature and a day', COUNTED, ['', 'Întocmit,,12.03.2024']],
  ['notes with raised numbers', COUNTED, ['1 Date provizorii,,', '2 Populatia la 1 iulie,,']],
  ['a page number', COUNTED, ['Pagina 1 din 3,,']],
  [
    'signatures below groups with blank records between them',
    [...COUNTED.slice(0, 3), '', ...COUNTED.slice(3)],
    ['', 'Întocmit,,', 'Ana Pop,,'],
  ],
])('signatures below the rows are not rows: %s', async (_, rows, below) => {
  const [first = ''] = rows
  const header = first.split(',').map((__, i) => `c${i}`)
  const place = openWorkplace()
  const { left_out: leftOut } = await place.ingest([header.join(','), ...rows, ...below].join('\n'))
  expect(place.rows()).toHaveLength(COUNTIES.length)
  expect(leftOut).toMatchObject([{ kind: 'footnote', count: below.filter((line) => line !== '').length }])
})

test.each([
  ['a name whose values are missing', [...COUNTED, 'Vrancea,,']],
  ['words for missing values', [...COUNTED, 'Vrancea,lipsa,lipsa']],
  [
    'a director among others',
    ['Director general,1,2', 'Director economic,2,3', 'Contabil,3,4', 'Director,,'],
  ],
])('a last row stays a row: %s', async (_, rows) => {
  const place = openWorkplace()
  await place.ingest(['nume,total,rata', ...rows].join('\n'))
  expect(place.rows()).toHaveLength(rows.length)
})
