/** Where a table begins and ends: titles, headers of several records, column numbers, totals, notes, blank columns. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseHeaderRows } from '../../src/read/definition/read-options.ts'
import { detectDialect } from '../../src/read/records/dialect.ts'
import type { Span } from '../../src/read/source/conversion/conversion.ts'
import { findHeader } from '../../src/read/structure/find-header.ts'
import { endsLikeNote } from '../support/ends-like-note.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'

function headerOf(text: string, spans: readonly Span[] = []) {
  const sample = { bytes: new TextEncoder().encode(text), whole: true }
  return findHeader(sample, detectDialect(sample, {}), spans)
}

const ROWS = 'Alba,5,2,3\nArad,6,3,3\nCluj,9,4,5\n'

test.each([
  ['a group over two columns, blank cells beside it', `Judet,Populatie,,\n,Total,Femei,Barbati\n${ROWS}`],
  ['a group row that leaves the first name below', `,Populatie,,\nJudet,Total,Femei,Barbati\n${ROWS}`],
])('group names are joined with those of their columns: %s', (_, text) => {
  const header = headerOf(text)
  if (header.records.length === 1) {
    // One text above names that are complete without it is a title.
    expect(header.cells).toEqual(['Judet', 'Total', 'Femei', 'Barbati'])
    return
  }
  expect(header.records).toEqual([1, 2])
  expect(header.cells).toEqual(['Judet', 'Populatie Total', 'Populatie Femei', 'Populatie Barbati'])
  expect(header.decisions).toMatchObject([{ kind: 'header', override: '--header-row' }])
})

test('two groups, years below them, units below these: three records are one header', () => {
  const { cells, records } = headerOf(
    'Judet,Populatie,,Locuinte,\n,2019,2020,2019,2020\n,persoane,persoane,mii,mii\nAlba,1,2,3,4\nArad,5,6,7,8\nCluj,4,3,2,1\n',
  )
  expect(records).toEqual([1, 2, 3])
  expect(cells).toEqual([
    'Judet',
    'Populatie 2019 persoane',
    'Populatie 2020 persoane',
    'Locuinte 2019 mii',
    'Locuinte 2020 mii',
  ])
})

test('merged cells say which columns a group covers, and a title merged over all is not a group', () => {
  const text = `Populatia dupa sex,,,,\nJudet,Total,Sex,,Cod\nJudet,Total,M,F,Cod\nA,1,2,3,4\nAlba,5,2,3,10\nArad,6,3,3,29\nCluj,9,4,5,120\n`
  const header = headerOf(text, [
    { record: 1, cell: 0, width: 5 },
    { record: 2, cell: 2, width: 2 },
  ])
  expect(header.records).toEqual([2, 3])
  expect(header.cells).toEqual(['Judet', 'Total', 'Sex M', 'Sex F', 'Cod'])
  expect(header.nextLine).toBe(5)
  expect(header.decisions.map(({ kind }) => kind)).toEqual(['titles', 'header', 'numbering'])
})

test('a title of several cells over complete names is a title', () => {
  const header = headerOf(`Judetul Alba,,,2023\nComuna,Total,Femei,Barbati\n${ROWS}`)
  expect(header).toMatchObject({ records: [2], cells: ['Comuna', 'Total', 'Femei', 'Barbati'] })
  expect(header.decisions).toMatchObject([{ kind: 'titles' }])
})

test('line breaks within a name are one space', () => {
  expect(headerOf('"Judet\r\n resedinta",Total\nAlba,5\n').cells).toEqual(['Judet resedinta', 'Total'])
})

test.each(['A,1,2,3', '0,1,2,3', '(1),(2),(3),(4)', '1,2,3,4', 'A,B,C,D', '1,2,3,4=2-3', 'A,1,2,A'])(
  'a row of column numbers is not data: %s',
  (numbers) => {
    const header = headerOf(`Judet,Total,Femei,Barbati\n${numbers}\n${ROWS}`)
    expect(header).toMatchObject({ records: [1], nextLine: 3 })
    expect(header.decisions).toMatchObject([{ kind: 'numbering' }])
  },
)

test.each([
  'a,b,c\n1,2,3\n4,5,6\n7,8,9\n',
  'a,b,c,d,e,f\n1,2,3,4,5,6\n7,8,9,10,11,12\n',
  'name,value\n1,2\nAlba,3\n',
  'code,grade\nA,B\nB,C\nC,C\n',
  'name,a,b\nAlba,n/a,n/a\nArad,1,2\nCluj,3,4\nDolj,5,6\n',
  'name,a,b\nAlba,-,…\nArad,1,2\nCluj,3,4\nDolj,5,6\n',
  'name,,note\n,x,y\nAlba,z,w\nArad,u,v\n',
  'year,2019,2020\n1,5,6\n2,7,8\n',
  'class,one,two\nA,1,2\nB,3,4\nC,2,2\n',
  'n1,n2,n3,n4,n5\n1,2,3,4,5\n7,9,12,30,31\n2,5,19,22,40\n',
])('a first row that could be data stays data: %j', (text) => {
  expect(headerOf(text)).toMatchObject({ records: [1], nextLine: 2 })
})

test('a total at the end is kept and reported with its evidence, and left out or quarantined on request', async () => {
  const place = openWorkplace()
  const text = 'judet,total,rata\nAlba,5,2.5\nArad,6,3.5\nTotal,11,3\n'
  const kept = await place.ingest(text)
  expect(kept.rows).toMatchObject({ read: 3, imported: 3 })
  expect(kept.decisions).toMatchObject([
    {
      kind: 'totals',
      reason: expect.stringMatching(/line 4 begins with 'Total'.* in 1 of 2 columns.*kept/),
      override: '--totals leave_out',
    },
  ])
  const without = await place.ingest(text, { read: { totals: 'leave_out' }, maxQuarantine: 0 })
  expect(without.rows).toEqual({ read: 2, blank: 0, imported: 2, quarantined: 0, left_out: 1 })
  expect(place.leftOut()).toEqual([{ line: 4, kind: 'total_row', raw: 'Total,11,3' }])
  expect(place.quarantine()).toEqual([])
  expect(without.decisions[0]?.reason).toContain('in 1 of 2 columns')
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { totals: 'quarantine' } })
  expect((await place.ingest(text, { definition })).quarantine).toMatchObject([{ reason: 'total_row' }])
})

test.each(['Total', 'TOTAL ROMÂNIA', 'Summe', 'Insgesamt', 'Összesen', 'Totale', 'Grand total:', 'Ensemble'])(
  'a total is recognised by %s, at the start of the rows too',
  async (label) => {
    const { decisions } = await openWorkplace().ingest(`judet,x\n${label},11\nAlba,5\nArad,6\n`)
    expect(decisions).toMatchObject([{ kind: 'totals' }])
  },
)

test('a column of nothing but totals is one, and a name that only begins so is not', async () => {
  const place = openWorkplace()
  const series = await place.ingest('name,month,x\nTOTAL,1,5\nTOTAL,2,6\nTOTAL,3,7\n')
  expect(series.decisions).toEqual([])
  const company = await place.ingest('name,x\nAlfa,1\nTotalizator SRL,2\n', { acceptDrift: true })
  expect(company.decisions).toEqual([])
})

test('notes below a table are neither rows nor faults, and the report lists them', async () => {
  const place = openWorkplace()
  const notes = 'Sursa: INS, Tempo, 2024, mai\n\n* date provizorii\n"1) fara municipii, orase"\n'
  const report = await place.ingest(`judet,total,femei\nAlba,5,2\nArad,6,3\nCluj,7,4\n${notes}`, {
    maxQuarantine: 0,
  })
  expect(report.rows).toEqual({ read: 3, blank: 1, imported: 3, quarantined: 0, left_out: 3 })
  expect(report.left_out).toEqual([{ kind: 'footnote', count: 3, first_line: 5 }])
  expect(report.decisions).toMatchObject([
    { kind: 'footnotes', reason: expect.stringContaining('3 lines from line 5') },
  ])
  expect(place.leftOut().map(({ raw }) => raw)).toEqual([
    'Sursa: INS, Tempo, 2024, mai',
    '* date provizorii',
    '"1) fara municipii, orase"',
  ])
})

test('a last row that only lacks values, or is cut off, is not a note', async () => {
  const place = openWorkplace()
  const sparse = await place.ingest('judet,total,femei\nAlba,5,2\nArad,6,3\nVaslui,,\n')
  expect(sparse.rows).toMatchObject({ imported: 3, quarantined: 0 })
  const cut = await place.ingest('judet,total,femei\nAlba,5,2\nArad,6,3\nVas', { maxQuarantine: 1 })
  expect(cut.quarantine).toMatchObject([{ reason: 'too_few_cells' }])
})

test('a last row is not a note where other rows are built like it, or its text is not a first one', async () => {
  const place = openWorkplace()
  const names = Array.from({ length: 40 }, (_, i) => `Primaria comunei cu numarul ${i},`)
  const full = names.slice(0, 30).map((name) => `${name}https://example.org`)
  const sentences = await place.ingest(['nume,adresa', ...full, ...names.slice(30)].join('\n'))
  expect(sentences.rows).toMatchObject({ imported: 40, quarantined: 0 })
  const marked = await place.ingest('nume,total\n1) Alba,5\n2) Arad,6\n3) Olt,\n', {
    acceptDrift: true,
    acceptShrink: true,
  })
  expect(marked.rows).toMatchObject({ imported: 3, quarantined: 0 })
  const described = 'cod,nume,descriere\n1,Alba,text\n2,Arad,text\n,,o descriere care ramane singura\n'
  expect((await place.ingest(described, { acceptDrift: true })).rows).toMatchObject({ imported: 3 })
})

test('footnotes are rows where a definition keeps them', async () => {
  const place = openWorkplace()
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { footnotes: 'keep' } })
  const report = await place.ingest('a,b\nAlba,5\nArad,6\nSursa: INS,\n', { definition })
  expect(report.rows).toMatchObject({ imported: 3, quarantined: 0 })
})

test('a header repeated on every page is left out', async () => {
  const place = openWorkplace()
  const head = 'judet,total,femei\nA,1,2\n'
  const report = await place.ingest(`${head}Alba,5,2\nArad,6,3\n${head}Cluj,7,3\nDolj,8,4\n`, {
    maxQuarantine: 0,
  })
  expect(report.rows).toMatchObject({ imported: 4, quarantined: 0, left_out: 2 })
  expect(report.left_out).toEqual([{ kind: 'repeated_header', count: 2, first_line: 5 }])
  expect(report.columns.map(({ type }) => type)).toEqual(['string', 'integer', 'integer'])
})

test('columns without name and values are left out and reported; those with values stay', async () => {
  const place = openWorkplace()
  const report = await place.ingest(',judet,,total,\n,Alba,7,5,\n,Arad,8,6, \n')
  expect(report.columns.map(({ name }) => name)).toEqual(['judet', 'column_3', 'total'])
  expect(report.decisions).toMatchObject([
    { kind: 'blank_columns', reason: expect.stringContaining('columns 1, 5 have') },
  ])
  expect(place.rows()[0]).toEqual({ judet: 'Alba', column_3: 7, total: 5 })
})

test('a blank column that is already served stays', async () => {
  const place = openWorkplace()
  await place.ingest('a,b,\n1,x,9\n')
  const report = await place.ingest('a,b,\n1,x,\n2,y,\n')
  expect(report.columns.map(({ name }) => name)).toEqual(['a', 'b', 'column_3'])
})

test.each([
  ['names that are one short', 'judet,total', { judet: 'column_1', total: 'column_2', femei: 'column_3' }],
  ['a title', 'Populatia pe judete', { judet: 'column_1', total: 'column_2', femei: 'column_3' }],
])(
  'without a header %s above the rows are not a row, and a definition names the columns',
  async (_, above, names) => {
    const place = openWorkplace()
    const columns = Object.entries(names).map(([name, source]) => ({ name, source }))
    const definition = writeDefinition({ id: 'sample', domain: 'test', read: { header_row: 0 }, columns })
    const report = await place.ingest(`${above}\nAlba,5,2\nArad,6,3\n`, { definition, maxQuarantine: 0 })
    expect(report.rows).toMatchObject({ read: 2, imported: 2 })
    expect(report.records.map(({ role }) => role)).toEqual(['title', 'data', 'data'])
    expect(report.decisions).toMatchObject([
      { kind: 'header', reason: expect.stringContaining(`'${above.replace(',', ' ')}'`) },
    ])
    expect(place.rows()[0]).toEqual({ judet: 'Alba', total: 5, femei: 2 })
  },
)

test('--header-row takes a number, a range, a list and 0', async () => {
  expect([
    parseHeaderRows('3'),
    parseHeaderRows('3-5'),
    parseHeaderRows('2,4'),
    parseHeaderRows('0'),
  ]).toEqual([[3], [3, 4, 5], [2, 4], [0]])
  for (const wrong of ['', 'x', '4-3', '0-1', '3-', '-1', '1.5', '2,2', '1-2-3'])
    expect(() => parseHeaderRows(wrong)).toThrow(/--header-row/)
  const place = openWorkplace()
  const two = await place.ingest('t\na,b\nx,y\n1,2\n', { read: { header_row: [2, 3] } })
  expect(two.dialect.header_rows).toEqual([2, 3])
  expect(two.columns.map(({ source_name }) => source_name)).toEqual(['a x', 'b y'])
  const none = await place.ingest('1,Alba\n2,Arad\n', { read: { header_row: 0 }, acceptDrift: true })
  expect(none.dialect.header_rows).toEqual([])
  expect(place.rows()).toEqual([
    { column_1: 1, column_2: 'Alba' },
    { column_1: 2, column_2: 'Arad' },
  ])
  const blank = await place.ingest('\n,\n1,Alba\n2,Arad\n', { read: { header_row: 2 }, acceptDrift: true })
  expect(blank).toMatchObject({ dialect: { header_rows: [2] }, rows: { read: 2, blank: 1 } })
  const list = writeDefinition({ id: 'sample', domain: 'test', read: { header_row: [1, 2] } })
  const defined = await place.ingest('a,b\nx,y\n1,2\n', { definition: list, acceptDrift: true })
  expect(defined.dialect.header_rows).toEqual([1, 2])
})

const word = fc
  .stringMatching(/^[a-z]{3,9}$/)
  .filter((text) => !/^(total|suma|summe|nota?|sursa|null|none|razem|celkem|spolu|gesamt)/.test(text))
const number = fc.integer({ min: 13, max: 99_999 }).map(String)

/** A table of texts in the first column and numbers in the others. */
const table = fc.integer({ min: 2, max: 6 }).chain((numbers) =>
  fc.record({
    names: fc.uniqueArray(word, { minLength: numbers + 1, maxLength: numbers + 1 }),
    rows: fc.array(fc.tuple(word, fc.array(number, { minLength: numbers, maxLength: numbers })), {
      minLength: 3,
      maxLength: 12,
    }),
  }),
)
const surroundings = fc.record({
  titles: fc.array(fc.constantFrom('Situatia la 1 ianuarie', 'Tabelul 3.2', ''), { maxLength: 3 }),
  groups: fc.boolean(),
  units: fc.boolean(),
  numbering: fc.constantFrom('', 'digits', 'letters', 'brackets'),
  notes: fc.array(fc.constantFrom('Sursa: INS', '* date provizorii', 'Nota: fara municipiul resedinta', ''), {
    maxLength: 3,
  }),
  total: fc.boolean(),
})

test('a table is found whatever surrounds it', async () => {
  const place = openWorkplace()
  await fc.assert(
    fc.asyncProperty(table, surroundings, async ({ names, rows }, around) => {
      const width = names.length
      const line = (cells: readonly string[]) =>
        [...cells, ...Array.from({ length: width - cells.length }, () => '')].join(',')
      const body = rows.map(([name, numbers]) => [name, ...numbers])
      const digits = names.map((_, i) => String(i + 1))
      const numbering = {
        '': null,
        digits,
        letters: ['A', ...digits.slice(0, -1)],
        brackets: digits.map((digit) => `(${digit})`),
      }[around.numbering]
      // A group over all columns but the first, whose name is above.
      const header = around.groups
        ? [line([names[0] as string, 'grup']), ['', ...names.slice(1)].join(',')]
        : [line(names)]
      const text = [
        ...around.titles.map((title) => line([title])),
        ...header,
        ...(around.units ? [['', ...names.slice(1).map(() => '(lei)')].join(',')] : []),
        ...(numbering ? [line(numbering)] : []),
        ...body.map(line),
        ...(around.total ? [line(['Total', ...names.slice(1).map(() => '123456')])] : []),
        ...around.notes.map((note) => line([note])),
      ].join('\n')
      const report = await place.ingest(text, {
        maxQuarantine: 0,
        read: { totals: 'leave_out' },
        acceptDrift: true,
      })
      const parts = (name: string) =>
        [...(around.groups ? ['grup'] : []), name, ...(around.units ? ['(lei)'] : [])].join(' ')
      expect(report.columns.map(({ source_name }) => source_name)).toEqual([
        names[0] as string,
        ...names.slice(1).map(parts),
      ])
      expect(place.rows().map((row) => Object.values(row).map(String))).toEqual(body)
      const printed = [...around.notes, ...around.titles].filter((text) => text !== '').length
      expect(report.rows.left_out).toBe(printed + (around.total ? 1 : 0))
      expect(report.rows.quarantined).toBe(0)
    }),
    { numRuns: runs(60) },
  )
})

const printed = fc.record({
  titles: fc.array(fc.constantFrom('Institutia,INS', 'Data,12.03.2024', '# scris de un program', ''), {
    maxLength: 3,
  }),
  drawn: fc.boolean(),
  pages: fc.integer({ min: 1, max: 4 }),
  endings: fc.array(fc.constantFrom('Sursa: INS', 'Pagina', '(a) fara orase, sate'), { maxLength: 2 }),
  signed: fc.boolean(),
  second: fc.constantFrom('', 'wider', 'of the same width'),
})

test('a table is found whatever is printed on its pages', async () => {
  const place = openWorkplace()
  await fc.assert(
    fc.asyncProperty(table, printed, async ({ names, rows }, around) => {
      // Below titles of several cells a record that shares a value with a row may be a row: such a file is refused.
      fc.pre(around.titles.length === 0 || rows.every(([name]) => name !== names[0]))
      const width = names.length
      const line = (cells: readonly string[]) =>
        [...cells, ...Array.from({ length: width - cells.length }, () => '')].join(',')
      const body = rows.map(([name, numbers]) => [name, ...numbers])
      const share = Math.ceil(body.length / around.pages)
      const pages = Array.from({ length: Math.ceil(body.length / share) }, (_, page) =>
        body.slice(page * share, (page + 1) * share),
      )
      const ending = (page: number) =>
        around.endings.flatMap((text) => {
          if (text !== 'Pagina') return [line([text])]
          return pages.length > 1 ? [line([`${text} ${page + 1}`])] : []
        })
      const printedPages = pages.flatMap((page, i) => [
        line(names),
        ...(around.drawn ? [names.map(() => '-----').join(',')] : []),
        ...page.map(line),
        ...ending(i),
      ])
      const numbers = names.slice(1).map((_, i) => String(i))
      const second =
        around.second === ''
          ? []
          : [
              '',
              [
                'cod',
                ...(around.second === 'wider' ? ['fel'] : []),
                ...names.slice(1).map((_, i) => `alt ${i}`),
              ].join(','),
              ['A1', ...(around.second === 'wider' ? ['x'] : []), ...numbers].join(','),
            ]
      const signed = around.signed
        ? ['', line(['Director', 'Intocmit']), line(['Ion Popescu', 'Ana Pop'])]
        : []
      const text = [...around.titles, ...printedPages, ...(second.length > 0 ? second : signed)].join('\n')
      await place.ingest(text, { maxQuarantine: 0, acceptDrift: true })
      expect(place.rows().map((row) => Object.values(row).map(String))).toEqual(body)
    }),
    { numRuns: runs(60) },
  )
})

const LETTERS = [...'abcXYZ019 -._/äöéß', '*', '(', ')', '"', ',', '\n']
const anything = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 })
const code = fc.stringMatching(/^[A-Z]{1,2}\d{0,3}$/)
const columnOf = fc.constantFrom(anything, word, number, code, fc.constantFrom('0', '1', '2', '3'))

test('a table with nothing around it is left unchanged', async () => {
  const place = openWorkplace()
  const plain = fc
    .array(columnOf, { minLength: 1, maxLength: 5 })
    .chain((columns) => fc.array(fc.tuple(...columns), { minLength: 2, maxLength: 12 }))
  await fc.assert(
    fc.asyncProperty(plain, async (rows) => {
      const width = rows[0]?.length ?? 0
      fc.pre(width === 1 || !endsLikeNote(rows))
      const names = Array.from({ length: width }, (_, i) => `nume${i}`)
      const write = (cells: readonly string[]) =>
        cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')
      const columns = names.map((name) => ({ name, type: 'string' }))
      const report = await place.ingest([names, ...rows].map(write).join('\n'), {
        definition: writeDefinition({ id: 'sample', domain: 'test', columns }),
        read: { delimiter: ',' },
        maxQuarantine: 0,
        acceptDrift: true,
      })
      const kept = rows
        .filter((row) => row.some((text) => text.trim() !== ''))
        .map((row) => row.map((text) => text.trim() || null))
      expect(place.rows().map((row) => Object.values(row))).toEqual(kept)
      expect(report.rows).toMatchObject({ read: kept.length, imported: kept.length })
    }),
    { numRuns: runs(80) },
  )
})
