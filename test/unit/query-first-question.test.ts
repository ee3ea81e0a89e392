import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ColumnType } from '../../src/engine/columns/column.ts'
import { periodOf, roleOf } from '../../src/query/aggregate/column-roles.ts'
import { firstGroup, firstMeasure, sensibleMeasures } from '../../src/query/aggregate/first-question.ts'
import type { DescriptorColumn } from '../../src/store/catalog/record.ts'

/** `name type distinct min max`, as read from the fixtures beside the repository and the demo. */
function column(line: string, more: Partial<DescriptorColumn> = {}): DescriptorColumn {
  const [name = '', type, distinct, min = '', max = ''] = line.split(' ')
  const isNumber = type === 'integer' || type === 'decimal'
  const value = (text: string) => (isNumber ? Number(text) : text)
  return {
    ...{ name, title: null, unit: null, type: type as ColumnType, required: false, description: null },
    ...{ source_name: name, null_count: 0, distinct_count: Number(distinct) },
    ...{ min: value(min), max: value(max), ...more },
  }
}

const table = (rows: number, lines: readonly string[], primaryKey: readonly string[] = []) => ({
  rows,
  primaryKey,
  columns: lines.map((line) => column(line)),
})

/** What a table is asked first, and what is offered with it. */
function asked(given: ReturnType<typeof table>, fixed: readonly string[] = []) {
  const write = ({ kind, column: at }: { kind: string; column: number | null }) =>
    at === null ? kind : `${kind}(${given.columns[at]!.name})`
  const group = firstGroup(given, new Set(fixed))
  const by = given.columns[group.column]!.name
  return {
    first: `${write(firstMeasure(given))} by ${group.part === null ? by : `${group.part}(${by})`}`,
    offered: sensibleMeasures(given, 100).map(write).join(' '),
  }
}

const VEHICLES = table(24_000, [
  'county string 42 ALBA VRANCEA',
  'community_category string 5 L3e N3',
  'fuel string 5 BENZINA MOTORINA',
  'year_of_manufacture integer 35 1990 2024',
  'vehicle_count integer 900 1 2000',
])

describe('the first question', () => {
  const TABLES: readonly [string, ReturnType<typeof table>, string, string][] = [
    [
      'vehicles by year',
      VEHICLES,
      'sum(vehicle_count) by year_of_manufacture',
      'sum(vehicle_count) avg(vehicle_count)',
    ],
    [
      'the register of places',
      table(16_978, [
        ...[
          'siruta integer 16978 10 180091',
          'denloc string 10678 ALBA ZVORSCA',
          'codp integer 13744 0 927250',
        ],
        ...['jud integer 42 1 52', 'niv integer 3 1 3', 'med integer 3 0 3'],
      ]),
      'count by jud',
      '',
    ],
    [
      'the fleet',
      table(195, [
        'column_1 integer 195 475 24750',
        'judet string 3 ALBA ARGES',
        'total_vehicule integer 70 1 6651',
      ]),
      'sum(total_vehicule) by judet',
      'sum(total_vehicule) avg(column_1) avg(total_vehicule)',
    ],
    [
      'unemployment',
      table(43, [
        ...['judet string 43 ALBA VRANCEA', 'numar_total_someri integer 43 1032 278147'],
        ...['numar_total_someri_femei integer 43 548 123893', 'rata_somajului_percent decimal 42 0.6 8.7'],
      ]),
      'sum(numar_total_someri) by judet',
      'sum(numar_total_someri) sum(numar_total_someri_femei) avg(numar_total_someri) avg(numar_total_someri_femei) avg(rata_somajului_percent) median(rata_somajului_percent)',
    ],
    [
      'places with coordinates',
      table(13_851, [
        ...['id integer 13851 1 13851', 'judet string 42 Alba Vrancea', 'zip integer 13680 10164 927250'],
        ...[
          'populatie integer 2899 3 324576',
          'lat decimal 13611 -24.7 48.2',
          'lng decimal 13648 -65.4 29.6',
        ],
      ]),
      'sum(populatie) by judet',
      'sum(populatie) avg(populatie)',
    ],
    [
      'trade',
      table(26_538, [
        ...['declarant_iso string 27 AT SK', 'product_nc string 66 25041000 81129295', 'flow integer 2 1 2'],
        ...[
          'period integer 3 2022 2024',
          'supplementary_quantity decimal 900 0 9999',
          'value_in_euros decimal 19820 0 1741448765',
        ],
      ]),
      'sum(value_in_euros) by period',
      'sum(supplementary_quantity) sum(value_in_euros) avg(supplementary_quantity) avg(value_in_euros)',
    ],
    [
      'exams',
      table(20_000, [
        'nume string 20000 A Z',
        'pozitia_in_ierarhie integer 3906 1 10281',
        'judetul string 42 AB VS',
        'media decimal 650 0 9.43',
      ]),
      'count by judetul',
      'avg(media) median(media)',
    ],
    [
      'stops of trains',
      table(1695, [
        'stop_name string 1695 A Z',
        'stop_lat decimal 1695 43 47',
        'stop_lon decimal 1695 20 28',
      ]),
      'count by stop_name',
      '',
    ],
    [
      'cases by day',
      table(1639, [
        'data datetime 11 2021-01-10T17:00:00Z 2021-01-20T17:00:00Z',
        'cazuri integer 1357 0 184218',
      ]),
      'sum(cazuri) by day(data)',
      'sum(cazuri) avg(cazuri)',
    ],
    [
      'months as texts',
      table(900, ['luna string 253 2005-01 2026-01', 'judet string 42 A Z']),
      'count by luna',
      '',
    ],
  ]

  for (const [name, given, first, offered] of TABLES)
    test(`of ${name}`, () =>
      expect(asked(given)).toEqual({ first, offered: ['count', offered].join(' ').trim() }))

  test('is not by a column that a filter fixes to one value, and never sums a key', () => {
    expect(asked(VEHICLES, ['year_of_manufacture', 'county', 'community_category']).first).toBe(
      'sum(vehicle_count) by fuel',
    )
    expect(asked(table(90, ['numar integer 90 5 500', 'an integer 3 2020 2022'], ['numar'])).first).toBe(
      'count by an',
    )
    expect(asked(table(90, ['numar integer 90 1 90', 'tip string 3 a c'])).first).toBe('count by tip')
    expect(asked(table(90, ['numar integer 40 1 99', 'tip string 3 a c'])).first).toBe('sum(numar) by tip')
  })

  test('a date is grouped by days, months or years, depending on how many there are', () => {
    const by = (min: string, max: string) => asked(table(90, [`zi date 50 ${min} ${max}`])).first
    expect([
      by('2024-01-01', '2024-02-10'),
      by('2024-01-01', '2024-12-31'),
      by('1990-01-01', '2024-12-31'),
    ]).toEqual([...['count by day(zi)', 'count by month(zi)', 'count by year(zi)']])
  })
})

describe('the role of a column', () => {
  test('follows its words in either language, its title and its unit', () => {
    const role = (line: string, more?: Partial<DescriptorColumn>) => roleOf(column(line, more))
    for (const name of [
      'nr_elevi',
      'Numărul_locuitorilor',
      'valoare',
      'populatie',
      'suprafata_construita_mp',
      'total',
      'suma_lei',
      'valoare_contract',
    ])
      expect([name, role(`${name} integer 90 1 5000`)]).toEqual([name, 'amount'])
    for (const name of [
      'nr',
      'nr_crt',
      'nr_contract',
      'cod_postal',
      'id_judet',
      'siruta',
      'telefon',
      'an',
      'phone_number',
      'niv',
    ])
      expect([name, role(`${name} integer 90 1 5000`)]).toEqual([name, 'code'])
    for (const name of ['pret_lei', 'rata_somajului', 'average_age', 'pondere'])
      expect([name, role(`${name} decimal 90 1 5000`)]).toEqual([name, 'rate'])
    expect(role('x integer 9 1 5', { title: 'Număr de elevi' })).toBe('amount')
    expect(role('x decimal 9 1 5', { unit: 'lei' })).toBe('amount')
    expect(role('x decimal 9 1 5', { unit: 'lei/mp' })).toBe('rate')
    expect(role('an integer 9 1990 2024')).toBe('year')
    expect(periodOf(column('an integer 9 1990 2024'))).toBe('year')
    expect(periodOf(column('trimestru string 9 2020-Q1 2024-Q4'))).toBe('quarter')
    expect(role('judet string 9 A Z')).toBe('other')
  })

  test('never offers the sum of years, codes, identifiers or coordinates, nor anything of texts', () => {
    const words = fc.constantFrom(
      'an',
      'year',
      'cod',
      'id',
      'siruta',
      'lat',
      'longitudine',
      'judet',
      'nr_crt',
      'cod_postal',
    )
    const columns = fc.array(
      fc.tuple(words, fc.constantFrom('integer', 'decimal', 'string', 'boolean', 'date'), fc.nat(300)),
      { minLength: 1, maxLength: 8 },
    )
    fc.assert(
      fc.property(columns, (chosen) => {
        const given = table(
          500,
          chosen.map(([name, type, distinct]) => `${name} ${type} ${distinct} 1 90`),
        )
        expect(asked(given).offered).toBe('count')
      }),
    )
  })
})
