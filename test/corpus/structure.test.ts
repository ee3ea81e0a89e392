/** Published files whose structure is not one header and plain rows: totals, notes, ragged rows, titles, header levels. */

import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import { corpusPath, corpusTest, truthOf } from '../support/corpus.ts'
import { decidedAs } from '../support/decisions.ts'
import { openWorkplace, type Row, type Workplace } from '../support/ingest.ts'

interface Ingested {
  readonly place: Workplace
  readonly report: IngestReport
  readonly rows: readonly Row[]
}

async function ingest(path: string, totals?: 'quarantine' | 'leave_out'): Promise<Ingested> {
  const place = openWorkplace()
  const read = totals === undefined ? {} : { totals }
  const report = await place.ingestPath(path, { id: 'file', domain: 'test', maxQuarantine: 0, read })
  expect(report.rows.read).toBe(report.rows.imported + report.rows.quarantined)
  return { place, report, rows: place.rows('file') }
}

const typesOf = ({ report }: Ingested) =>
  Object.fromEntries(report.columns.map(({ name, type }) => [name, type]))
const repairsOf = ({ report }: Ingested, kind: string) =>
  report.repairs.filter((repair) => repair.kind === kind).map(({ column, count }) => [column, count])

const F04 = 'f04_somaj_martie_2019_1.csv'
corpusTest('fixtures', F04, 'the unnamed column is left out, the total is reported', async (path) => {
  const truth = truthOf(F04)
  const f04 = await ingest(path)
  const read = truth.data_records - truth.blank_records
  expect(f04.report.rows).toEqual({
    read,
    blank: truth.blank_records,
    imported: read,
    quarantined: 0,
    left_out: 0,
  })
  expect(f04.report.columns).toHaveLength(truth.columns.length - 1)
  expect(typesOf(f04)).toMatchObject({ numar_total_someri: 'integer', rata_somajului_percent: 'decimal' })
  expect(f04.rows[0]).toMatchObject({ judet: 'ALBA', numar_total_someri: 5294, rata_somajului_percent: 3.15 })
  expect(f04.rows.at(-1)).toMatchObject({ judet: 'Total', numar_total_someri: 278147 })
  expect(decidedAs(f04.report, 'blank_columns')).toContain('column 10 ')
  expect(decidedAs(f04.report, 'totals')).toMatch(/line 44 .* in 5 of 8 columns/)
})

corpusTest('fixtures', F04, 'the total is left out or quarantined on request', async (path) => {
  const { report, place } = await ingest(path, 'quarantine')
  expect(report.rows).toMatchObject({ imported: 42, quarantined: 1 })
  expect(place.quarantine('file')).toMatchObject([{ line: 44, reason: 'total_row' }])
  const without = await ingest(path, 'leave_out')
  expect(without.report.rows).toMatchObject({ imported: 42, quarantined: 0, left_out: 1 })
})

corpusTest(
  'fixtures',
  'f04b_somaj_august_2018_1.csv',
  'the next month has other columns and is refused as drift',
  async (path) => {
    const place = openWorkplace()
    await place.ingestPath(corpusPath('fixtures', F04), { id: 'file', domain: 'test' })
    await expect(place.ingestPath(path, { id: 'file' })).rejects.toThrow(
      /'numar_someri_neindemnizati' .* is gone/,
    )
  },
)

const F11 = 'f11_dpc_covid19_province_2021-01_schema_change.csv'
corpusTest('fixtures', F11, 'rows of the older layout get nulls for the columns it lacks', async (path) => {
  const f11 = await ingest(path)
  const short = truthOf(F11).widths['11'] as number
  expect(f11.report.rows).toEqual({ read: 1639, blank: 0, imported: 1639, quarantined: 0, left_out: 0 })
  const lacking = ['codice_nuts_1', 'codice_nuts_2', 'codice_nuts_3']
  expect(repairsOf(f11, 'missing_cells')).toEqual(lacking.map((column) => [column, short]))
  expect(typesOf(f11)).toMatchObject({ data: 'datetime', codice_provincia: 'string', totale_casi: 'integer' })
  expect(f11.rows[0]).toMatchObject({ codice_provincia: '066', totale_casi: 11486, codice_nuts_1: null })
  expect(f11.rows.at(-1)).toMatchObject({ totale_casi: 591, codice_nuts_2: 'ITH3', codice_nuts_3: null })
  expect(f11.rows.some(({ sigla_provincia }) => sigla_provincia === 'NA')).toBe(true)
  expect(decidedAs(f11.report, 'ragged')).toContain(`${short} rows, the first on line 2`)
})

const F12 = 'f12_ins_unquoted_decimal_comma.csv'
corpusTest(
  'fixtures',
  F12,
  'numbers and names cut by unquoted commas are joined, in file order',
  async (path) => {
    const f12 = await ingest(path)
    // Only the month has its form, so the cells before and after it are known without the reader's rules.
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => {
        const [, names = '', date = '', value = ''] = /^(.*),(\d{4}-\d{2}),([\d,]+)$/.exec(line) ?? []
        return { cells: names.split(','), date, value, raw: line }
      })
    expect(lines).toHaveLength(11_891)
    const expected = lines.map(({ cells, date, value }) => [
      cells.slice(0, -2).join(','),
      ...cells.slice(-2),
      date,
      Number(value.replace(',', '.')),
    ])
    expect(f12.rows.map((row) => Object.values(row))).toEqual(expected)
    expect(f12.report.rows.quarantined).toBe(0)
    const cut = lines.filter(({ value }) => value.includes(','))
    const joined = lines.filter(({ cells }) => cells.length > 3)
    const [reading, mends] = decidedAs(f12.report, 'ragged').split('\n')
    expect(reading).toStartWith(`${cut.length} rows, `)
    expect(mends).toStartWith(`${joined.length} rows, `)
    expect(f12.report.dialect.confidence).toBeLessThanOrEqual(0.9)
    expect(f12.place.repaired('file').map(({ raw }) => raw)).toEqual(joined.map(({ raw }) => raw))
  },
)

corpusTest(
  'fixtures',
  'f17_gasto_mexico_latin1.csv',
  'the source below the table is read as a note',
  async (path) => {
    const f17 = await ingest(path)
    expect(f17.report).toMatchObject({
      dialect: { encoding: 'windows-1252' },
      rows: { read: 114, blank: 1, imported: 114, quarantined: 0, left_out: 1 },
      left_out: [{ kind: 'footnote', count: 1 }],
    })
    expect(f17.rows[0]).toMatchObject({ gf_id: 1, gasto_total_2011: 229932.5 })
  },
)

corpusTest(
  'fixtures',
  'f18_giss_title_rows_cr_only.csv',
  'titles and a blank record above the header are not data',
  async (path) => {
    const f18 = await ingest(path)
    expect(f18.report).toMatchObject({
      dialect: { line_end: 'cr', header_rows: [4] },
      rows: { read: 133, blank: 1, imported: 133 },
    })
    expect(decidedAs(f18.report, 'titles')).toContain("'Combined Land--Ocean")
    expect(f18.rows.at(-1)).toMatchObject({ year: 2012, jan: 34 })
  },
)

corpusTest(
  'fixtures',
  'f08_rpl2021_etnie_merged_headers.xlsx',
  'the merged header of two rows names the columns, and the numbering is skipped',
  async (path) => {
    const { report, rows } = await ingest(path)
    expect(report.dialect).toMatchObject({ sheet: 'Tab 2.2.2', header_rows: [3, 4] })
    expect(report.columns.map(({ name }) => name).slice(0, 4)).toEqual([
      'judet_municipiu_oras_comuna',
      'populatia_rezidenta_total',
      'etnia_romani',
      'etnia_maghiari',
    ])
    expect(report.columns).toHaveLength(26)
    expect(decidedAs(report, 'numbering')).toContain('record 5')
    expect(decidedAs(report, 'titles')).toContain("'2.2.2 POPULATIA REZIDENTA")
    expect(rows[0]).toMatchObject({
      judet_municipiu_oras_comuna: 'ROMÂNIA',
      populatia_rezidenta_total: 19053815,
    })
    expect(report.rows).toMatchObject({ read: 3224, imported: 3224 })
  },
)

corpusTest(
  'fixtures',
  'f09_siruta_uat_pe_judete_43_sheets.xls',
  'the header of records 4 to 7 is joined, the row of letters below it is not data, blank columns are left out',
  async (path) => {
    const { report, rows } = await ingest(path)
    expect(report.dialect.header_rows[0]).toBe(4)
    expect(report.dialect.header_rows.at(-1)).toBe(7)
    expect(decidedAs(report, 'header')).toContain('records 4 to 7 are one header')
    expect(decidedAs(report, 'numbering')).toContain('record 8 ')
    expect(decidedAs(report, 'blank_columns')).toMatch(/^columns 1, 8 /)
    const names = report.columns.map(({ source_name }) => source_name as string)
    expect(names).toHaveLength(6)
    expect(names.slice(0, 2)).toEqual(['Cod judet', 'Denumire judet'])
    // One name spans two columns, with a separate line below it for each.
    expect(names[2]).toMatch(/^Tipul UAT 11 = CJ = Consiliu judetean .* sector al M\. Buc\. Cod$/)
    expect(names[3]).toMatch(/^Tipul UAT 11 = CJ = Consiliu judetean .* sector al M\. Buc\. Nume$/)
    expect(Object.values(rows[0] as Row)).toEqual([1, 'Alba', 11, 'CJ', 10, 'CONSILIUL JUDETEAN'])
  },
)

/** Names from the benchmark's cleaned files whose headers were joined as this program joins them. */
const POLLOCK_LEVELS: [string, number[], string[]][] = [
  [
    'Note_4_Staff_costs_-_Average_number_of_persons_employed_13-14.csv',
    [3, 4, 5],
    ['Special advisers', '2013-14 Total', '2012-13 Total Restated'],
  ],
  [
    'workforce-management-information-dft_201706.csv',
    [1, 2, 3],
    [
      'Payroll staff AO/AA Headcount',
      'Payroll staff AO/AA Full-time equivalent',
      'Payroll staff costs Salary',
    ],
  ],
]
for (const [name, headerRows, names] of POLLOCK_LEVELS) {
  corpusTest('pollock', name, 'a header of three records gives every column its full name', async (path) => {
    const { report } = await ingest(path)
    expect(report.dialect.header_rows).toEqual(headerRows)
    const found = report.columns.map(({ source_name }) => source_name as string)
    for (const column of names) expect(found).toContain(column)
    expect(report.columns.filter(({ type }) => type !== 'string').length).toBeGreaterThan(1)
  })
}
