import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import fc from 'fast-check'
import { snakeCase } from '../../src/base/text/snake-case.ts'
import { findDefinition, shippedDefinitions } from '../../src/publish/edition/identity.ts'
import { planColumns } from '../../src/read/definition/columns.ts'
import {
  type Definition,
  definitionSchema,
  findPartProblem,
  parseDefinition,
} from '../../src/read/definition/definition.ts'
import { adviseOption, parseHeaderRows, splitTexts } from '../../src/read/definition/read-options.ts'
import { loadReference, shippedReferences } from '../../src/read/values/reference.ts'
import { runs } from '../support/property-runs.ts'
import { splitArguments } from '../support/shell-words.ts'
import { tempDir } from '../support/temp-dir.ts'

const DATA = join(import.meta.dir, '../../data')

const parse = (definition: unknown) => parseDefinition(JSON.stringify(definition), 'd.json')

test('comparing very many names, which a request may bring, takes bounded time', () => {
  const columns = Array.from({ length: 200_000 }, (_, i) => ({ name: `c${i}` }))
  expect(findPartProblem({ columns })).toBeNull()
  expect(findPartProblem({ columns: [...columns, { name: 'c7' }] })).toBe("column 'c7' is declared twice")
})

test('the embedded definitions are the files of the folder, each in its place and valid', () => {
  const files = [...new Glob('definitions/**/*.json').scanSync(DATA)].sort()
  const places = shippedDefinitions().map(({ domain, id }) => `definitions/${domain}/${id}.json`)
  expect(places).toEqual(files)
  for (const definition of shippedDefinitions()) {
    const path = `definitions/${definition.domain}/${definition.id}.json`
    expect(parseDefinition(readFileSync(join(DATA, path), 'utf8'), path)).toEqual(definition)
    const names = definition.columns?.map(({ name }) => name) ?? []
    for (const key of definition.primary_key ?? []) expect(names).toContain(key)
    for (const { canonical } of definition.columns ?? []) {
      if (canonical !== undefined) expect(shippedReferences()).toContain(canonical)
    }
  }
})

const TRADE =
  'year:integer month:integer flow_code:integer cn8_code:string origin_country_code:string partner_country_code:string transaction_nature_code:string transport_mode_code:string delivery_terms_code:string supplementary_quantity:integer net_mass_kg:integer value_lei:integer cn8_description:string'
const PUPILS =
  'county cod_unitate_pj denumire_unitate_pj cod_unitate_plan denumire_unitate_plan locality mediu localitate_superioara tip_finantare nivel scoala_de_maistri stagii_de_practica forma_de_proprietate tip_invatamant forma_de_invatamant tipul_formatiunii_de_studiu tip_predare limba_predare deficiente grad_deficiente grupa_speciala mod_predare an_de_inceput materna intensiv bilingv disciplina_sportiva filiera profil specializare_calificare domeniu domeniu_de_baza a_doua_sansa nivel_de_performanta tip_unitate grupa_mixta simultan integrat'
    .split(' ')
    .map((name) => `${name}:string`)
    .concat('numarul_claselor_existente:decimal', 'numarul_elevilor_existenti:integer')
    .join(' ')

test.each([
  [
    '2025_salarii_aug_xlsx',
    'gestionare_fonduri_europene:string categorie_personal:string functii:string gradatia:integer salariul_de_baza_lunar:integer observatii:string',
  ],
  ['comert_international_cu_bunuri_2023', TRADE],
  ['comert_international_cu_bunuri_2024', TRADE],
  ['eures_pclm_judete_2019', 'county:string period:string person_count:integer'],
  ['elevi_2015_2016', PUPILS],
])('%s has the columns and types of specification 2.1 and 2.2', (id, columns) => {
  const declared = findDefinition(undefined, id)?.columns?.map(({ name, type }) => `${name}:${type}`)
  expect(declared?.sort()).toEqual(columns.split(' ').sort())
})

test('the vehicle register standardizes its makes, and pupils always have a county', () => {
  const vehicles = findDefinition('transport', 'vehicle_registry')?.columns
  expect(vehicles?.find(({ name }) => name === 'manufacturer')?.canonical).toBe('manufacturers')
  const county = findDefinition('education', 'elevi_2015_2016')?.columns?.[0]
  expect(county).toMatchObject({ name: 'county', required: true })
  expect(findDefinition('economy', 'elevi_2015_2016')).toBeUndefined()
})

test.each<[unknown, RegExp]>([
  [{ id: 'a', domain: 'b', colour: 1 }, /unknown field 'colour'; known are id, domain/],
  [{ id: 'a', domain: 'b', read: { enconding: 'x' } }, /unknown field 'read\.enconding'/],
  [{ id: 'a', domain: 'b', columns: [{ name: 'x', typ: 'y' }] }, /unknown field 'columns\[0\]\.typ'/],
  [{ id: 'a' }, /field 'domain' is missing/],
  [{ id: 'A', domain: 'b' }, /id must consist of small letters/],
  [{ id: 'a', domain: 'search' }, /'search' is reserved/],
  [
    { id: 'a', domain: 'b', columns: [{ name: 'x', type: 'number' }] },
    /columns\[0\]\.type must be one of string, integer.*, not 'number': did you mean integer or decimal\?/,
  ],
  [{ id: 'a', domain: 'b', null_values: ['-'] }, /unknown field 'null_values'.*belongs under "read"/],
  [{ id: 'a', domain: 'b', read: { title: 'x' } }, /unknown field 'read\.title'.*belongs beside "id"/],
  [{ id: 'a', domain: 'b', required: true }, /unknown field 'required'.*belongs in an entry of "columns"/],
  [{ id: 'a', domain: 'b', titel: 'x' }, /unknown field 'titel'.*did you mean title\?/],
  [{ id: 'a', domain: 'b', columns: [{ name: 'x' }, { name: 'x' }] }, /'x' is declared twice/],
  [
    { id: 'a', domain: 'b', columns: [{ name: 'x', canonical: 'c' }, { name: 'x_canonical' }] },
    /'x_canonical' is declared twice/,
  ],
  [{ id: 'a', domain: 'b', primary_key: 'x' }, /primary_key must be a list, not string/],
  [{ id: 'a', domain: 'b', primary_key: ['x', 'x'] }, /names 'x' twice/],
  [{ id: 'a', domain: 'b', read: { header_row: -1 } }, /read\.header_row must be at least 0/],
  [{ id: 'a', domain: 'b', read: { header_row: [3, 2] } }, /read\.header_row must be the number of a record/],
  [{ id: 'a', domain: 'b', read: { header_row: [] } }, /read\.header_row must be the number of a record/],
  [
    { id: 'a', domain: 'b', read: { totals: 'drop' } },
    /read\.totals must be one of keep, leave_out, quarantine/,
  ],
  [{ id: 'a', domain: 'b', read: { header_row: 1.5 } }, /read\.header_row must be of type integer/],
  [{ id: 'a', domain: 'b', read: { quote: '\n' } }, /read\.quote must be one ASCII character/],
  [{ id: 'a', domain: 'b', read: { quote: '\0' } }, /read\.quote must be one ASCII character/],
  [{ id: 'a', domain: 'b', read: { delimiter: '\r' } }, /read\.delimiter must be one ASCII character/],
  [{ id: 'a', domain: 'b', read: { delimiter: '' } }, /read\.delimiter must be one ASCII character/],
  [{ id: 'a', domain: 'b', read: { delimiter: '|', quote: '|' } }, /both '\|'/],
  [{ id: 'a', domain: 'b', read: { format: 'csv', sheet: 'x' } }, /delimited text has none/],
  [{ id: 'a', domain: 'b', title: ' ' }, /title is empty/],
  [{ id: 'a', domain: 'b', title: 'x'.repeat(501) }, /title is too long/],
  [{ id: 'a', domain: 'b', title: null }, /title must be of type string, not null/],
  [[], /must be of type object, not array/],
])('a definition like %j is refused by name', (definition, message) => {
  expect(() => parse(definition)).toThrow(message)
})

test('a definition that is not JSON is refused with the file named', () => {
  expect(() => parseDefinition('{"id":', 'my.json')).toThrow(/^my\.json is not JSON/)
})

test('the published schema knows every field of a full definition', () => {
  const columns = [
    {
      name: 'county',
      title: 'County',
      unit: null,
      source: 'Judet',
      source_number: 1,
      type: 'string',
      required: true,
      description: 'd',
      decimal_mark: ',',
      canonical: 'counties',
    },
  ]
  const read = {
    format: 'xlsx',
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    sheet: 's',
    hidden: true,
    header_row: [1, 2],
    totals: 'quarantine',
    footnotes: 'keep',
    ragged: 'quarantine',
    null_values: ['-'],
    decimal_mark: ',',
    date_order: 'dmy',
  }
  const full = {
    id: 'a',
    domain: 'b',
    title: 't',
    description: 'd',
    publisher: 'p',
    license: 'l',
    keywords: ['k'],
    source_url: 'https://example.org',
    source_package_id: 'p',
    refresh: '0 6 * * 1',
    read,
    columns,
    other_columns: 'keep',
    primary_key: ['county'],
    mode: 'append',
    replace_where: ['county'],
    personal_data: ['county'],
  }
  expect(parse(full)).toEqual(full as unknown as Definition)
  expect(Object.keys(definitionSchema.properties)).toEqual(Object.keys(full))
  expect(Object.keys(definitionSchema.properties.columns.items.properties)).toEqual(
    Object.keys(columns[0] ?? {}),
  )
  expect(Object.keys(definitionSchema.properties.read.properties)).toEqual(Object.keys(read))
})

test('an option is advised as the command line accepts it, or else as a definition does', () => {
  const [flag, value] = adviseOption('header_row', [3, 4]).split(' ')
  expect(flag).toBe('--header-row')
  expect(parseHeaderRows(value ?? '')).toEqual([3, 4])
  expect(adviseOption('encoding')).toBe('--encoding')
  expect(adviseOption('quote', '')).toBe('--quote none')
  expect(adviseOption('quote', "'")).toBe(`--quote "'"`)
  expect(adviseOption('delimiter', ';')).toBe("--delimiter ';'")
  const values = ['-', 'n/a', '*', 'a, "b"', "it's"]
  const [flagOfTexts, ...texts] = splitArguments(adviseOption('null_values', values))
  expect([flagOfTexts, ...texts.map(splitTexts)]).toEqual(['--null-values', values])
  const advised = [adviseOption('decimal_mark', ','), adviseOption('footnotes', 'keep')]
  const read = Object.assign({}, ...advised.map((text) => JSON.parse(`{${text.split(' under "read"')[0]}}`)))
  expect(read).toEqual({ decimal_mark: ',', footnotes: 'keep' })
})

test.each([
  ['Județ', 'judet'],
  ['  Rata şomajului (%)  ', 'rata_somajului'],
  ['Limba și literatura română\r\nCompetențe', 'limba_si_literatura_romana_competente'],
  ['E-mail general', 'e_mail_general'],
  ['2025 salarii', '2025_salarii'],
  ['Łódź ß', 'lodz_ss'],
  ['Население по области', 'naselenie_po_oblasti'],
  ['Щека, подъезд ы', 'shcheka_podezd_y'],
  ['Πληθυσμός', 'plithysmos'],
  ['人口（万人）', 'ren_kou_wan_ren'],
  ['2023年收入', '2023_nian_shou_ru'],
  ['なまえ', 'namae'],
  ['データベース', 'detabesu'],
  ['인구', 'in_gu'],
  ['จำนวน', 'chamnwn'],
  ['عدد السكان', 'dd_lskn'],
  ['אוכלוסייה', 'vkhlvsyyh'],
  ['қала', 'qala'],
  ['Suprafață (km²)', 'suprafata_km'],
  ['— ? —', ''],
  ['a'.repeat(80), 'a'.repeat(64)],
])('%j becomes %j', (text, name) => {
  expect(snakeCase(text)).toBe(name)
})

test.each([
  ['Rata şomajului (%)', 'rata_somajului_percent'],
  ['# elevi', 'number_elevi'],
  ['№', 'number'],
])('the header %j names its column %j', (header, name) => {
  expect(names([header])).toEqual([name])
})

const names = (header: string[], definition: Definition | null = null) =>
  planColumns(header, definition).columns.map(({ name }) => name)

test('blank and repeated headers are numbered, and no two names are alike', () => {
  expect(names(['', 'A', 'a', ' ', 'a_2', 'Column 1'])).toEqual([
    'column_1',
    'a',
    'a_2',
    'column_4',
    'a_2_2',
    'column_1_2',
  ])
  const long = 'x'.repeat(70)
  expect(names([long, long]).map((name) => name.length)).toEqual([64, 64])
})

test('names that would be cut to the same text keep their last words', () => {
  const group = 'Populația școlară din învățământul preuniversitar pe niveluri de educație'
  const [boys, girls, alone] = names([`${group} băieți`, `${group} fete`, 'x'.repeat(70)])
  expect(boys).toMatch(/^populatia_scolara_din_.*_educatie_baieti$/)
  expect(girls).toMatch(/^populatia_scolara_din_.*_educatie_fete$/)
  expect(alone).toBe('x'.repeat(64))
  for (const name of [boys, girls]) expect(name?.length).toBeLessThanOrEqual(64)
})

test('long names that end alike keep more of their end, and none differs by a number alone', () => {
  const staff = 'Number of non-payroll staff (contingent labour and consultants/consultancy)'
  const groups = ['Agency staff', 'Interim managers', 'Specialist Contractors', 'Consultants/consultancy']
  expect(names(groups.map((group) => `${staff} ${group} Full-time equivalent`))).toEqual([
    'number_of_non_payroll_staff_contingen_staff_full_time_equivalent',
    'number_of_non_payroll_staff_contin_managers_full_time_equivalent',
    'number_of_non_payrol_specialist_contractors_full_time_equivalent',
    'number_of_non_payroll_staff_con_consultancy_full_time_equivalent',
  ])
})

test('columns keep the names that earlier releases gave them, under one header or several equal ones', () => {
  const header = ['Rata (%)', 'Город', 'A', 'A', `${'x '.repeat(40)}a`, `${'x '.repeat(40)}b`, 'Nou (%)']
  const names = ['rata', 'column_2', 'a', 'a_2', `${'x_'.repeat(31)}x`, `${'x_'.repeat(31)}_2`]
  const served = names.map((name, i) => ({ name, source_name: header[i] as string }))
  const plan = planColumns(header, null, served)
  expect(plan.columns.map(({ name }) => name)).toEqual([...names, 'nou_percent'])
  expect(plan.former.map(({ name, byHeader }) => [name, byHeader]).slice(0, 2)).toEqual([
    ['rata', 'rata_percent'],
    ['column_2', 'gorod'],
  ])
})

test('a name that only a definition gave is not kept without it', () => {
  const served = [{ name: 'unemployment', source_name: 'Rata' }]
  expect(planColumns(['Rata'], null, served).columns.map(({ name }) => name)).toEqual(['rata'])
})

test('a definition that names a column by position still finds it when its header gets a name', () => {
  const columns = [{ name: 'code', source: 'column_1' }, { name: 'column_2' }]
  const plan = planColumns(['编号', '姓名', '数量'], parse({ id: 'a', domain: 'b', columns }))
  expect(plan.missing).toEqual([])
  expect(plan.columns.map(({ name, cell }) => [name, cell])).toEqual([
    ['code', 0],
    ['column_2', 1],
    ['shu_liang', 2],
  ])
})

test('a definition that names a column by its header without signs still finds it', () => {
  const definition = parse({ id: 'a', domain: 'b', columns: [{ name: 'rata_somajului', type: 'decimal' }] })
  const { columns, missing } = planColumns(['judet', 'Rata șomajului (%)'], definition)
  expect(missing).toEqual([])
  expect(columns[0]).toMatchObject({ name: 'rata_somajului', cell: 1 })
})

test('headers match their declared column regardless of case, spaces and diacritics, by source or by name', () => {
  const definition = parse({
    id: 'a',
    domain: 'b',
    columns: [
      { name: 'county', source: 'Județul de reședință' },
      { name: 'total_count', source: 'Total' },
      { name: 'gone' },
    ],
  })
  const plan = planColumns(['altceva', 'TOTAL_COUNT', 'judetul  de resedinta'], definition)
  expect(plan.columns.map(({ name, cell }) => [name, cell])).toEqual([
    ['county', 2],
    ['total_count', 1],
    ['gone', -1],
    ['altceva', 0],
  ])
  expect(plan).toMatchObject({ missing: ['gone'], undeclared: ['altceva'] })
  const dropping = parse({ ...definition, other_columns: 'drop' })
  expect(names(['altceva', 'county'], dropping)).toEqual(['county', 'total_count', 'gone'])
})

describe('one of several equal headers', () => {
  const header = ['an', 'Valoare', 'valoare ', 'VALOARE']
  const planOf = (columns: object[], rest: object = {}) =>
    planColumns(header, parse({ id: 'a', domain: 'b', columns, ...rest }))
  const cells = ({ columns }: ReturnType<typeof planColumns>) => columns.map(({ name, cell }) => [name, cell])

  test('is selected by its number, so that the first one can be left out', () => {
    const second = { name: 'value', source: 'valoare', source_number: 2 }
    expect(cells(planOf([second], { other_columns: 'drop' }))).toEqual([['value', 2]])
    expect(cells(planOf([{ name: 'valoare', source_number: 3 }], { other_columns: 'drop' }))).toEqual([
      ['valoare', 3],
    ])
  })

  test('is not given to a column without a number, whichever is declared first', () => {
    const columns = [
      { name: 'a', source: 'valoare' },
      { name: 'b', source: 'valoare', source_number: 1 },
      { name: 'c', source: 'valoare' },
    ]
    const expected = [
      ['a', 2],
      ['b', 1],
      ['c', 3],
      ['an', 0],
    ]
    expect(cells(planOf(columns))).toEqual(expected)
  })

  test('that the file lacks is missing, and no other one takes its place', () => {
    const plan = planOf([{ name: 'valoare', source_number: 4 }], { other_columns: 'drop' })
    expect(plan.missing).toEqual(['valoare'])
    expect(cells(plan)).toEqual([['valoare', -1]])
  })

  test('belongs to one column alone', () => {
    const twice = [1, 2].map((i) => ({ name: `v${i}`, source: 'Valoare', source_number: 2 }))
    expect(() => planOf(twice)).toThrow(/two columns ask for number 2 of the headers 'valoare'/)
    expect(() => planOf([{ name: 'v', source_number: 0 }])).toThrow(/source_number must be at least 1/)
  })

  test('goes to each numbered column, and the others follow in order, for any declaration', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 5 })
    const property = fc.property(numbers, fc.nat({ max: 3 }), (asked, free) => {
      const equal = Array.from({ length: 5 }, () => 'x')
      const columns = [
        ...Array.from({ length: free }, (_, i) => ({ name: `f${i}`, source: 'x' })),
        ...asked.map((number) => ({ name: `n${number}`, source: 'x', source_number: number })),
      ]
      const definition = parse({ id: 'a', domain: 'b', columns })
      const { columns: planned } = planColumns(equal, definition)
      const cellOf = new Map(planned.map(({ name, cell }) => [name, cell]))
      for (const number of asked) expect(cellOf.get(`n${number}`)).toBe(number - 1)
      const rest = equal.map((_, cell) => cell).filter((cell) => !asked.includes(cell + 1))
      for (let i = 0; i < free; i++) expect(cellOf.get(`f${i}`)).toBe(rest[i] ?? -1)
    })
    fc.assert(property, { numRuns: runs(200) })
  })
})

test('a definition that leaves no column is refused', () => {
  for (const columns of [[], undefined]) {
    const definition = parse({ id: 'a', domain: 'b', columns, other_columns: 'drop' })
    expect(() => planColumns(['x', 'y'], definition)).toThrow(/Put back at least one/)
  }
})

test('a column of the file never takes the name of a declared or canonical one', () => {
  const definition = parse({
    id: 'a',
    domain: 'b',
    columns: [{ name: 'make', source: 'Marca', canonical: 'manufacturers' }],
  })
  expect(names(['Marca', 'make', 'make canonical'], definition)).toEqual([
    'make',
    'make_2',
    'make_canonical_2',
  ])
})

test('counties: each of the 42 is known by its name, its code, and older and plain spellings', () => {
  const find = loadReference('counties', tempDir())
  const lines = readFileSync(join(DATA, 'reference/counties.csv'), 'utf8').trim().split('\n').slice(1)
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(42)
  const spellings = [
    'Județul Argeş',
    'ARGES',
    'jud. arges',
    'AG',
    'VÎLCEA',
    'BISTRITA NASAUD',
    'Caraş - Severin',
    'Mun. Bucureşti',
    '403',
    'Atlantida',
  ]
  expect(spellings.map(find)).toEqual([
    'Argeș',
    'Argeș',
    'Argeș',
    'Argeș',
    'Vâlcea',
    'Bistrița-Năsăud',
    'Caraș-Severin',
    'București',
    'București',
    undefined,
  ])
})

test('manufacturers: the spellings of a make become one', () => {
  const find = loadReference('manufacturers', tempDir())
  expect(['VW', 'ŠKODA', 'skoda', 'MERCEDES', 'Mercedes Benz', 'B.M.W.', 'DACIA '].map(find)).toEqual([
    'Volkswagen',
    'Škoda',
    'Škoda',
    'Mercedes-Benz',
    'Mercedes-Benz',
    'BMW',
    'Dacia',
  ])
})

test("an operator's own table overrides the shipped one, and its mistakes are reported by line", () => {
  const folder = tempDir()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'counties.csv'), 'canonical,variant\n"Alba, județ",ALBA\n')
  expect(loadReference('counties', folder)('alba')).toBe('Alba, județ')
  writeFileSync(join(folder, 'mine.csv'), 'A,x\nB,x\n')
  expect(() => loadReference('mine', folder)).toThrow(/mine\.csv, line 2: 'x' already means 'A'/)
  writeFileSync(join(folder, 'mine.csv'), 'A;x\n')
  expect(() => loadReference('mine', folder)).toThrow(/mine\.csv, line 1: expected 'canonical,variant'/)
  expect(() => loadReference('other', folder)).toThrow(/no reference table 'other'/)
})
