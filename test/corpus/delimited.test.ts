/** Files as their publishers wrote them, beside the repository; skipped, and said so, where they are not there. */

import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandError } from '../../src/errors.ts'
import type { IngestRequest } from '../../src/ingest/ingest.ts'
import type { IngestReport } from '../../src/ingest/report.ts'
import { openWorkplace, type Row } from '../support/ingest.ts'

const SHARED = join(import.meta.dir, '../../../shared')
const FIXTURES = join(SHARED, 'fixtures')
const CONFORMANCE = join(SHARED, 'conformance')
const there = existsSync(FIXTURES) && existsSync(CONFORMANCE)
if (!there) console.warn('skipped: ../shared not there')

interface Truth {
  readonly sha256: string
  readonly encoding: string
  readonly delimiter: string
  readonly columns: readonly string[]
  readonly data_records: number
  readonly blank_records: number
  readonly widths: Readonly<Record<string, number>>
  readonly first: readonly string[]
  readonly last_nonblank: readonly string[]
}

const truths: Readonly<Record<string, Truth>> = there
  ? JSON.parse(readFileSync(join(FIXTURES, 'truth.json'), 'utf8'))
  : {}

interface Ingested {
  readonly report: IngestReport
  readonly rows: readonly Row[]
}

async function ingest(path: string, request: Partial<IngestRequest> = {}): Promise<Ingested> {
  const place = openWorkplace()
  const report = await place.ingestPath(path, { id: 'file', domain: 'test', ...request })
  return { report, rows: place.rows(report.dataset) }
}

/** Names of the encodings as Python prints them. */
const PYTHON_NAMES: Record<string, string> = {
  'windows-1250': 'cp1250',
  'windows-1252': 'cp1252',
  'utf-8': 'utf-8',
}

/** A served value against the cell it was read from: numbers by value, text by its trimmed characters. */
function expectCell(value: Row[string] | undefined, cell: string): void {
  const text = cell.trim()
  if (text === '') expect(value).toBeNull()
  else if (typeof value === 'number') expect(value).toBe(Number(text.replace(',', '.')))
  else expect(value).toBe(text)
}

test
  .skipIf(!there)
  .each([
    'f01_siruta-s1-2024.csv',
    'f02_siruta_cp1250_semicolon.csv',
    'f05_date_de_contact_localitati.csv',
    'f06_eu_comext_cn8_2022_2024.csv',
    'f07_localitati.csv',
    'f13_gtfs_cfr_stop_times.csv',
    'f13b_gtfs_cfr_stops.csv',
    'f16_spitale_cp1252.csv',
  ])('%s: dialect, columns, counts, first and last row are those of the truth', async (name) => {
  const truth = truths[name] as Truth
  const { report, rows } = await ingest(join(FIXTURES, name))
  expect(report.source.sha256).toBe(truth.sha256)
  expect(PYTHON_NAMES[report.dialect.encoding]).toBe(truth.encoding)
  expect(report.dialect).toMatchObject({ delimiter: truth.delimiter, header_rows: [1] })
  expect(report.columns.map(({ source_name }) => source_name)).toEqual([...truth.columns])
  const read = truth.data_records - truth.blank_records
  expect(report.rows).toEqual({ read, blank: truth.blank_records, imported: read, quarantined: 0 })
  expect(rows).toHaveLength(read)
  const first = Object.values(rows[0] ?? {})
  const last = Object.values(rows.at(-1) ?? {})
  for (const [i, cell] of truth.first.entries()) expectCell(first[i], cell)
  for (const [i, cell] of truth.last_nonblank.entries()) expectCell(last[i], cell)
})

const typesOf = ({ report }: Ingested) =>
  Object.fromEntries(report.columns.map(({ name, type }) => [name, type]))
const repairsOf = ({ report }: Ingested) =>
  Object.fromEntries(report.repairs.map(({ column, kind, count }) => [`${column} ${kind}`, count]))

test.skipIf(!there)(
  'f01, f02: codes with leading zeros are text, "10,00" is the integer 10, padded cells are counted',
  async () => {
    expect(typesOf(await ingest(join(FIXTURES, 'f01_siruta-s1-2024.csv')))).toMatchObject({
      siruta: 'integer',
      denloc: 'string',
      fsl: 'string',
    })
    const f02 = await ingest(join(FIXTURES, 'f02_siruta_cp1250_semicolon.csv'))
    expect(typesOf(f02)).toMatchObject({ siruta: 'integer', sirsup: 'integer', fsl: 'string' })
    expect(repairsOf(f02)).toMatchObject({ 'siruta decimal_comma': 16978, 'siruta zero_fraction': 16978 })
    expect(f02.rows[0]).toMatchObject({ denloc: 'JUDEŢUL ALBA', fs2: null, fs3: null })
  },
)

test.skipIf(!there)('the shipped definitions read the files they were made for', async () => {
  const f01 = join(FIXTURES, 'f01_siruta-s1-2024.csv')
  const siruta = await ingest(f01, { id: 'siruta', domain: 'geospatial' })
  expect(siruta.report.rows).toMatchObject({ imported: 16978, quarantined: 0 })
  expect(siruta.rows[0]).toMatchObject({ siruta: 10, denloc: 'JUDEŢUL ALBA', fsl: '0100000000000' })
  const place = openWorkplace()
  const path = join(FIXTURES, 'f03_parc_auto_ro_fleet_2025.csv')
  const report = await place.ingestPath(path, { id: 'vehicle_registry' })
  expect(report).toMatchObject({ domain: 'transport', rows: { read: 195, imported: 195 } })
  expect(place.rows('vehicle_registry')[0]).toEqual({
    county: 'ALBA',
    national_category: 'AUTOTURISM',
    community_category: 'M1',
    manufacturer: 'BMW',
    manufacturer_canonical: 'BMW',
    commercial_description: '114D',
    vehicle_count: 3,
    column_1: 475,
  })
  const unknown = place.catalog
    .quality('vehicle_registry')
    ?.validation.find(({ rule }) => rule === 'reference_manufacturers')
  expect(unknown).toEqual({ column: 'manufacturer_canonical', rule: 'reference_manufacturers', failed: 0 })
})

test.skipIf(!there)('f04: thousands in quotes, 48 blank records, an unnamed column', async () => {
  const f04 = await ingest(join(FIXTURES, 'f04_somaj_martie_2019_1.csv'))
  expect(f04.report.rows).toEqual({ read: 43, blank: 48, imported: 43, quarantined: 0 })
  expect(typesOf(f04)).toMatchObject({
    numar_total_someri: 'integer',
    rata_somajului: 'decimal',
    column_10: 'string',
  })
  expect(f04.rows[0]).toMatchObject({
    judet: 'ALBA',
    numar_total_someri: 5294,
    rata_somajului: 3.15,
    column_10: null,
  })
  expect(f04.rows.at(-1)).toMatchObject({ judet: 'Total', numar_total_someri: 278147 })
})

test.skipIf(!there)('f04b: the next month has other columns, which is drift', async () => {
  const place = openWorkplace()
  await place.ingestPath(join(FIXTURES, 'f04_somaj_martie_2019_1.csv'), { id: 'file', domain: 'test' })
  const next = place.ingestPath(join(FIXTURES, 'f04b_somaj_august_2018_1.csv'), { id: 'file' })
  expect(next).rejects.toThrow(/'column_10' \(string\) is gone/)
})

test.skipIf(!there)('f05: line breaks inside quoted cells, both spellings of ş', async () => {
  const { rows } = await ingest(join(FIXTURES, 'f05_date_de_contact_localitati.csv'))
  const addresses = rows.map(({ adresa }) => String(adresa))
  expect(addresses.filter((address) => address.includes('\n')).length).toBeGreaterThan(100)
  expect(
    addresses.some((address) => address.includes('ş')) && addresses.some((address) => address.includes('ș')),
  ).toBe(true)
})

test.skipIf(!there)(
  'f06: NA is Namibia, CN8 codes are text, whole and broken numbers are decimals',
  async () => {
    const f06 = await ingest(join(FIXTURES, 'f06_eu_comext_cn8_2022_2024.csv'))
    expect(typesOf(f06)).toMatchObject({
      partner_iso: 'string',
      product_nc: 'string',
      value_in_euros: 'decimal',
    })
    expect(f06.rows.some(({ partner_iso }) => partner_iso === 'NA')).toBe(true)
    expect(f06.report.columns.every(({ null_count }) => null_count === 0)).toBe(true)
  },
)

test.skipIf(!there)(
  'f11: short rows are quarantined, not lost, and refuse the ingest unless allowed',
  async () => {
    const path = join(FIXTURES, 'f11_dpc_covid19_province_2021-01_schema_change.csv')
    const refused = await ingest(path).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(CommandError)
    expect((refused as Error).message).toContain('745 x too_few_cells, first on line 2')
    const f11 = await ingest(path, { maxQuarantine: 0.5 })
    expect(f11.report.rows).toEqual({ read: 1639, blank: 0, imported: 894, quarantined: 745 })
    expect(typesOf(f11)).toMatchObject({
      data: 'datetime',
      codice_provincia: 'string',
      sigla_provincia: 'string',
    })
    expect(f11.rows.some(({ sigla_provincia }) => sigla_provincia === 'NA')).toBe(true)
  },
)

test.skipIf(!there)('f12: rows that unquoted decimal commas made too long are quarantined', async () => {
  const { report } = await ingest(join(FIXTURES, 'f12_ins_unquoted_decimal_comma.csv'), { maxQuarantine: 1 })
  expect(report.columns).toHaveLength(5)
  expect(report.rows).toEqual({ read: 11891, blank: 0, imported: 1150, quarantined: 10741 })
})

test.skipIf(!there)('f14: line breaks in header names, stray quotes in cells', async () => {
  const truth = truths['f14_bac_2013_sept_anon_head20k.csv'] as Truth
  const f14 = await ingest(join(FIXTURES, 'f14_bac_2013_sept_anon_head20k.csv'))
  expect(f14.report.rows).toEqual({ read: 20000, blank: 0, imported: 20000, quarantined: 0 })
  expect(f14.report.columns.map(({ source_name }) => source_name)).toEqual([...truth.columns])
  expect(typesOf(f14)).toMatchObject({
    limba_si_literatura_romana_nota_finala: 'decimal',
    promotie_anterioara: 'boolean',
  })
  expect(f14.rows.at(-1)?.unitatea_de_invatamant).toBe(truth.last_nonblank[3] as string)
})

test.skipIf(!there)(
  'f17, f18: windows-1252, amounts with thousands, carriage returns alone, title rows',
  async () => {
    const f17 = await ingest(join(FIXTURES, 'f17_gasto_mexico_latin1.csv'))
    expect(f17.report).toMatchObject({
      dialect: { encoding: 'windows-1252' },
      rows: { read: 115, blank: 1, quarantined: 0 },
    })
    expect(f17.rows[0]).toMatchObject({ gasto_total_2011: 229932.5 })
    const f18 = await ingest(join(FIXTURES, 'f18_giss_title_rows_cr_only.csv'))
    expect(f18.report).toMatchObject({
      dialect: { line_end: 'cr', header_rows: [4] },
      rows: { read: 133, imported: 133 },
    })
    expect(f18.rows.at(-1)).toMatchObject({ year: 2012, jan: 34 })
  },
)

const spectrum = there ? readdirSync(join(CONFORMANCE, 'csv-spectrum/csvs')) : []

test.skipIf(!there).each(spectrum)('csv-spectrum %s', async (name) => {
  const written = readFileSync(join(CONFORMANCE, 'csv-spectrum/json', name.replace('.csv', '.json')), 'utf8')
  // Its truths were written for CRLF files; where the copy at hand has none, neither can its cells.
  const hasReturns = readFileSync(join(CONFORMANCE, 'csv-spectrum/csvs', name)).includes('\r')
  const json = hasReturns ? written : written.replaceAll('\\r\\n', '\\n')
  const { report, rows } = await ingest(join(CONFORMANCE, 'csv-spectrum/csvs', name))
  const truth = [JSON.parse(json)].flat() as Record<string, string>[]
  const headers = report.columns.map(({ source_name }) => source_name as string)
  // This suite's own truth has another telephone number, and another spelling of the degree sign, than its file.
  const [only = {}] = truth
  if (name === 'location_coordinates.csv') {
    expect(headers).toEqual(Object.keys(only))
    expect(rows[0]).toMatchObject({
      contact_phone_number: 2095257564,
      cities: 'Modesto',
      counties: 'Stanislaus',
    })
    return
  }
  const texts = rows.map((row) => Object.values(row).map((value) => (value === null ? '' : String(value))))
  expect(texts.map((cells) => Object.fromEntries(cells.map((cell, i) => [headers[i], cell])))).toEqual(
    truth.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell.trim()]))),
  )
})

const STANDARD = [
  { csv_11: 'csv--21', csv_12: 'csv--22', csv_13: 'csv--23' },
  { csv_11: 'csv--31', csv_12: 'csv--32', csv_13: 'csv--33' },
]

test
  .skipIf(!there)
  .each([
    'csv_standard.csv',
    'csv_delimited_with_pipes.csv',
    'csv_with_CR_EOL.csv',
    'csv_with_encoding_cp1252.csv',
    'csv_with_encoding_utf16le_no_bom.csv',
    'csv_with_utf8_bom.csv',
    'csv_with_utf16be_bom.csv',
    'csv_with_utf16le_bom.csv',
    'csv_with_utf32be_bom.csv',
    'csv_with_utf32le_bom.csv',
    'csv_test_create_from_file_by_mime_type.csv',
  ])('openspout %s holds the standard table', async (name) => {
  const { rows } = await ingest(join(CONFORMANCE, 'openspout_csv', name))
  expect(rows).toEqual(STANDARD)
})

const delimited = there
  ? [
      ...readdirSync(join(CONFORMANCE, 'openspout_csv')).map((name) =>
        join(CONFORMANCE, 'openspout_csv', name),
      ),
      ...readdirSync(join(FIXTURES, 'pollock/csv')).map((name) => join(FIXTURES, 'pollock/csv', name)),
    ]
  : []
const WITHOUT_TEXT = ['csv_empty.csv', 'csv_all_lines_empty.csv', 'locations-1998.csv']

test.skipIf(!there)(
  `${delimited.length} more delimited files: every row is imported or in quarantine; files without text are refused`,
  async () => {
    const place = openWorkplace()
    for (const [i, path] of delimited.entries()) {
      const id = `file_${i}`
      const ingested = place.ingestPath(path, { id, domain: 'test', maxQuarantine: 1 })
      if (WITHOUT_TEXT.includes(basename(path))) {
        expect(ingested).rejects.toThrow(CommandError)
        continue
      }
      const { rows } = await ingested
      expect(rows.read).toBe(rows.imported + rows.quarantined)
      expect(place.rows(id)).toHaveLength(rows.imported)
      expect(place.quarantine(id)).toHaveLength(rows.quarantined)
    }
  },
)

/** Rows of the cleaned Pollock files whose structure is one header and plain rows. */
test.skipIf(!there).each([
  ['HMRC_spending_over_25000_for_September_2018.csv', 0],
  ['Kokad pollen.csv', 0],
  ['air_quality_station3_2006.csv', 0],
  ['planning-application-aug-17.csv', 0],
  ['download (10).csv', 2],
])('pollock %s: as many records as its cleaned version', async (name, titles) => {
  const { report } = await ingest(join(FIXTURES, 'pollock/csv', name))
  const clean = await ingest(join(FIXTURES, 'pollock/clean', name))
  expect(report.dialect.header_rows).toEqual([titles + 1])
  expect(report.rows.read).toBe(clean.report.rows.read)
  expect(report.columns.map((column) => column.name)).toEqual(
    clean.report.columns.map((column) => column.name),
  )
})

test.skipIf(!there).each([
  ['f07_localitati.xlsx', /is an XLSX workbook/],
  ['f09b_structura_eTransport.xls', /is an XLS workbook/],
  ['f15_civil_service_postcodes_2021.ods', /is an ODS spreadsheet/],
])('%s is refused as what it is', (name, message) => {
  expect(ingest(join(FIXTURES, name))).rejects.toThrow(message)
})
