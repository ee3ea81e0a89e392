/** Published files, unchanged, beside the repository; skipped with a message if they are missing. */

import { expect, test } from 'bun:test'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import type { IngestRequest } from '../../src/publish/ingest.ts'
import { corpusPath, corpusTest, there, truthOf } from '../support/corpus.ts'
import { openWorkplace, type Row } from '../support/ingest.ts'

interface Ingested {
  readonly report: IngestReport
  readonly rows: readonly Row[]
}

async function ingest(path: string, request: Partial<IngestRequest> = {}): Promise<Ingested> {
  const place = openWorkplace()
  const report = await place.ingestPath(path, { id: 'file', domain: 'test', ...request })
  return { report, rows: place.rows(report.dataset) }
}

/** Python's names of the encodings. */
const PYTHON_NAMES: Record<string, string> = {
  'windows-1250': 'cp1250',
  'windows-1252': 'cp1252',
  'utf-8': 'utf-8',
}

/** Compares a served value with its cell: numbers by value, text without surrounding spaces. */
function expectCell(value: Row[string] | undefined, cell: string): void {
  const text = cell.trim()
  if (text === '') expect(value).toBeNull()
  else if (typeof value === 'boolean') expect(value).toBe(/^(da|yes|true)$/i.test(text))
  else if (typeof value === 'number') expect(value).toBe(Number(text.replace(',', '.')))
  else expect(value).toBe(text)
}

const oneLine = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim()

/** Fixtures of delimited text with one header line and rows of one width; the others are in structure.test.ts. */
const PLAIN = [
  'f01_siruta-s1-2024.csv',
  'f02_siruta_cp1250_semicolon.csv',
  'f03_parc_auto_ro_fleet_2025.csv',
  'f04b_somaj_august_2018_1.csv',
  'f05_date_de_contact_localitati.csv',
  'f06_eu_comext_cn8_2022_2024.csv',
  'f07_localitati.csv',
  'f13_gtfs_cfr_stop_times.csv',
  'f13b_gtfs_cfr_stops.csv',
  'f14_bac_2013_sept_anon_head20k.csv',
  'f16_spitale_cp1252.csv',
]

for (const name of PLAIN) {
  corpusTest(
    'fixtures',
    name,
    'dialect, columns, counts, first and last row are as in the recorded truth',
    async (path) => {
      const truth = truthOf(name)
      const { report, rows } = await ingest(path)
      expect(report.source.sha256).toBe(truth.sha256)
      expect(PYTHON_NAMES[report.dialect.encoding]).toBe(truth.encoding.replace('-sig', ''))
      expect(report.dialect).toMatchObject({ delimiter: truth.delimiter, header_rows: [1] })
      expect(report.columns.map(({ source_name }) => oneLine(source_name))).toEqual(
        truth.columns.map(oneLine),
      )
      const read = truth.data_records - truth.blank_records
      expect(report.rows).toEqual({
        read,
        blank: truth.blank_records,
        imported: read,
        quarantined: 0,
        left_out: 0,
      })
      expect(rows).toHaveLength(read)
      const first = Object.values(rows[0] ?? {})
      const last = Object.values(rows.at(-1) ?? {})
      for (const [i, cell] of truth.first.entries()) expectCell(first[i], cell)
      for (const [i, cell] of truth.last_nonblank.entries()) expectCell(last[i], cell)
    },
  )
}

const typesOf = ({ report }: Ingested) =>
  Object.fromEntries(report.columns.map(({ name, type }) => [name, type]))
const repairsOf = ({ report }: Ingested) =>
  Object.fromEntries(report.repairs.map(({ column, kind, count }) => [`${column} ${kind}`, count]))

test.skipIf(!there)(
  'f01, f02: codes with leading zeros are text, "10,00" is the integer 10, padded cells are counted',
  async () => {
    expect(typesOf(await ingest(corpusPath('fixtures', 'f01_siruta-s1-2024.csv')))).toMatchObject({
      siruta: 'integer',
      denloc: 'string',
      fsl: 'string',
    })
    const f02 = await ingest(corpusPath('fixtures', 'f02_siruta_cp1250_semicolon.csv'))
    expect(typesOf(f02)).toMatchObject({ siruta: 'integer', sirsup: 'integer', fsl: 'string' })
    expect(repairsOf(f02)).toMatchObject({ 'siruta decimal_comma': 16978, 'siruta zero_fraction': 16978 })
    expect(f02.rows[0]).toMatchObject({ denloc: 'JUDEŢUL ALBA', fs2: null, fs3: null })
  },
)

test.skipIf(!there)('the shipped definitions read the files they were made for', async () => {
  const f01 = corpusPath('fixtures', 'f01_siruta-s1-2024.csv')
  const siruta = await ingest(f01, { id: 'siruta', domain: 'geospatial' })
  expect(siruta.report.rows).toMatchObject({ imported: 16978, quarantined: 0 })
  expect(siruta.rows[0]).toMatchObject({ siruta: 10, denloc: 'JUDEŢUL ALBA', fsl: '0100000000000' })
  const place = openWorkplace()
  const path = corpusPath('fixtures', 'f03_parc_auto_ro_fleet_2025.csv')
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

test.skipIf(!there)('f05: line breaks inside quoted cells, both spellings of ş', async () => {
  const { rows } = await ingest(corpusPath('fixtures', 'f05_date_de_contact_localitati.csv'))
  const addresses = rows.map(({ adresa }) => String(adresa))
  expect(addresses.filter((address) => address.includes('\n')).length).toBeGreaterThan(100)
  expect(
    addresses.some((address) => address.includes('ş')) && addresses.some((address) => address.includes('ș')),
  ).toBe(true)
})

test.skipIf(!there)(
  'f06: NA is Namibia, CN8 codes are text, a column with whole and fractional numbers is decimal',
  async () => {
    const f06 = await ingest(corpusPath('fixtures', 'f06_eu_comext_cn8_2022_2024.csv'))
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
  'f14: school marks are decimals, DA and NU booleans, despite stray quotes nearby',
  async () => {
    const f14 = await ingest(corpusPath('fixtures', 'f14_bac_2013_sept_anon_head20k.csv'))
    expect(typesOf(f14)).toMatchObject({
      limba_si_literatura_romana_nota_finala: 'decimal',
      promotie_anterioara: 'boolean',
    })
  },
)
