/**
 * Each shipped definition reads a file in its publisher's layout: the real file if it is available beside the repository
 * (SIRUTA and the vehicle register), otherwise one written here with the publisher's headers.
 */

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shippedDefinitions } from '../../src/publish/edition/identity.ts'
import { encodeText } from '../support/encode-text.ts'
import { openWorkplace, type Row } from '../support/ingest.ts'

const FIXTURES = join(import.meta.dir, '../../../shared/fixtures')
const there = existsSync(FIXTURES)
if (!there) console.warn('skipped: ../shared is missing')

const CEDILLAS: Record<string, string> = { ș: 'ş', ț: 'ţ', Ș: 'Ş', Ț: 'Ţ' }
/** Text as Romanian publishers wrote it before fonts had letters with a comma below. */
const withCedillas = (text: string) => text.replaceAll(/[șțȘȚ]/g, (letter) => CEDILLAS[letter] as string)

interface Layout {
  readonly id: string
  readonly content: string | Uint8Array
  readonly dialect: { readonly encoding: string; readonly delimiter: string }
  /** Some of the served values of the first row. */
  readonly first: Row
  readonly rows: number
  readonly primaryKey: readonly string[]
}

const SALARIES = [
  'Gestionare fonduri europene;Categorie personal;Funcții;Gradația;Salariul de bază lunar;Observații',
  'NU;Funcții publice de execuție;Consilier, clasa I, grad superior;0;6.132;',
  'DA;Funcții publice de execuție;"Auditor, ""clasa I""";5;10.447;majorare 50 %',
]

const TRADE_HEADER =
  'An,Luna,Cod flux,Cod NC8,Cod țară origine,Cod țară parteneră,Cod natura tranzacției,Cod mod de transport,Cod condiții de livrare,Cantitate suplimentară,Masa netă (kg),Valoare (lei),Descriere NC8'
const tradeRows = (year: number) => [
  `${year},1,1,01012100,RO,NA,11,3,EXW,2,950,120000,"Cai reproducători de rasă pură, vii"`,
  `${year},1,2,87032319,DE,XI,11,3,DAP,,1450,98000,Autoturisme`,
  `${year},12,2,27090090,KZ,KZ,11,1,CIF,0,125000000,310000000,"Uleiuri brute din petrol"`,
]
const trade = (year: number): Layout => ({
  id: `comert_international_cu_bunuri_${year}`,
  content: `\ufeff${TRADE_HEADER}\r\n${tradeRows(year).join('\r\n')}\r\n`,
  dialect: { encoding: 'utf-8', delimiter: ',' },
  first: {
    ...{ year, month: 1, flow_code: 1, cn8_code: '01012100', origin_country_code: 'RO' },
    ...{ partner_country_code: 'NA', transaction_nature_code: '11', supplementary_quantity: 2 },
    ...{ net_mass_kg: 950, value_lei: 120000, cn8_description: 'Cai reproducători de rasă pură, vii' },
  },
  rows: 3,
  primaryKey: [],
})

const jobseekers = (id: string, period: string, encoding: 'utf-8' | 'windows-1250'): Layout => {
  const text = withCedillas(
    `Județ;Perioada;Număr persoane\r\nARGEȘ;${period};1.204\r\nMUREȘ;${period};87\r\nCONSTANȚA;${period};\r\nBACĂU;${period};312\r\n`,
  )
  return {
    id,
    content: encodeText(text, encoding),
    dialect: { encoding, delimiter: ';' },
    first: { county: 'ARGEŞ', period, person_count: 1204 },
    rows: 4,
    primaryKey: ['county', 'period'],
  }
}

/** The headers of the published workbook, without diacritics. */
const PUPILS_HEADER =
  'Judet,Cod unitate PJ,Denumire unitate PJ,Cod unitate plan,Denumire unitate plan,Localitate,Mediu,Localitate superioara,Tip finantare,Nivel,Numarul claselor existente,Numarul elevilor existenti,Scoala de maistri,Stagii de practica,Forma de proprietate,Tip invatamant,Forma de invatamant,Tipul formatiunii de studiu,Tip predare,Limba predare,Deficiente,Grad deficiente,Grupa speciala,Mod predare,An de inceput,Materna,Intensiv,Bilingv,Disciplina sportiva,Filiera,Profil,Specializare/Calificare,Domeniu,Domeniu de baza,A doua sansa,Nivel de performanta,Tip unitate,Grupa mixta,Simultan,Integrat'
const pupil = (county: string, code: string, classes: string, pupils: string) =>
  `${county},${code},"LICEUL ""HOREA, CLOȘCA ȘI CRIȘAN""",0${code},GRADINITA NR. 1,ALBA IULIA,URBAN,,Bugetar,Prescolar,${classes},${pupils}${','.repeat(28)}`

const LAYOUTS: readonly Layout[] = [
  {
    id: '2025_salarii_aug_xlsx',
    content: encodeText(withCedillas(`${SALARIES.join('\r\n')}\r\n`), 'windows-1250'),
    dialect: { encoding: 'windows-1250', delimiter: ';' },
    first: {
      ...{ gestionare_fonduri_europene: 'NU', categorie_personal: 'Funcţii publice de execuţie' },
      ...{ functii: 'Consilier, clasa I, grad superior', gradatia: 0, salariul_de_baza_lunar: 6132 },
      observatii: null,
    },
    rows: 2,
    primaryKey: [],
  },
  trade(2023),
  trade(2024),
  jobseekers('eures_pclm_judete_2019', 'Trim. I 2019', 'windows-1250'),
  jobseekers('eures_pclm_judete_sem1_2023', 'ianuarie 2023', 'utf-8'),
  {
    id: 'elevi_2015_2016',
    content: `${PUPILS_HEADER}\n${pupil('ALBA', '161104567', '0.5', '12')}\n${pupil('CLUJ', '1261104567', '2', '51')}\n`,
    dialect: { encoding: 'utf-8', delimiter: ',' },
    first: {
      ...{ county: 'ALBA', cod_unitate_pj: '161104567', cod_unitate_plan: '0161104567' },
      ...{ denumire_unitate_pj: 'LICEUL "HOREA, CLOȘCA ȘI CRIȘAN"', localitate_superioara: null },
      ...{ numarul_claselor_existente: 0.5, numarul_elevilor_existenti: 12, integrat: null },
    },
    rows: 2,
    primaryKey: [],
  },
]

test.each(LAYOUTS.map((layout) => [layout.id, layout] as const))(
  "%s reads its publisher's layout into the declared columns, with no row in quarantine",
  async (id, { content, dialect, first, rows, primaryKey }) => {
    const place = openWorkplace()
    const report = await place.ingest(content, { id, domain: undefined, maxQuarantine: 0 })
    const declared = shippedDefinitions().find((definition) => definition.id === id)
    expect(report.domain).toBe(declared?.domain as string)
    expect(report.dialect).toMatchObject(dialect)
    expect(report.columns.map(({ name, type }) => [name, type])).toEqual(
      declared?.columns?.map(({ name, type }) => [name, type as typeof type & string]) ?? [],
    )
    expect(report.rows).toMatchObject({ read: rows, imported: rows, quarantined: 0 })
    expect(place.rows(id)[0]).toMatchObject(first)
    expect(place.catalog.find(id)?.primaryKey).toEqual([...primaryKey])
    expect(place.catalog.descriptor(id)?.provenance.source_url ?? null).toBe(declared?.source_url ?? null)
    // The source is the page of a package, not a file that a refresh could fetch.
    expect(place.catalog.sources.find(id)).toBeUndefined()
  },
)

const REAL = [
  ['siruta', 'f01_siruta-s1-2024.csv', 16978],
  ['vehicle_registry', 'f03_parc_auto_ro_fleet_2025.csv', 195],
] as const

test.skipIf(!there).each(REAL)(
  '%s reads the real file %s into the declared columns and types',
  async (id, name, rows) => {
    const place = openWorkplace()
    const report = await place.ingestPath(join(FIXTURES, name), { id, maxQuarantine: 0 })
    const declared = shippedDefinitions().find((definition) => definition.id === id)?.columns ?? []
    const own = report.columns.filter(({ name: column }) => declared.some((wanted) => wanted.name === column))
    expect(own.map(({ name: column, type }) => [column, type])).toEqual(
      declared.map(({ name: column, type }) => [column, type as typeof type & string]),
    )
    expect(report.rows).toMatchObject({ read: rows, imported: rows, quarantined: 0 })
  },
)

test('every shipped definition is tested with a file', () => {
  const tried = [...LAYOUTS.map(({ id }) => id), ...REAL.map(([id]) => id)]
  expect(
    shippedDefinitions()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(tried.sort())
})
