/** The sample datasets of the demo, in the order in which they are made. */

import { COUNTIES, SIRUTA } from './places.ts'
import { PUPILS } from './pupils.ts'
import type { Random, SampleCell, SampleTable } from './sample-table.ts'
import { tradeTable } from './trade.ts'

/** Vehicles by county, category, make and model, with makes spelt as the offices spell them. */
const MAKES: readonly { readonly spellings: readonly string[]; readonly models: readonly string[] }[] = [
  { spellings: ['DACIA', 'Dacia', 'DACIA '], models: ['LOGAN', 'DUSTER', 'SANDERO', '1310', 'SPRING'] },
  { spellings: ['VOLKSWAGEN', 'VW', 'Volkswagen'], models: ['GOLF', 'PASSAT', 'POLO', 'TIGUAN'] },
  { spellings: ['OPEL'], models: ['ASTRA', 'CORSA', 'VECTRA', 'ZAFIRA'] },
  { spellings: ['FORD', 'Ford'], models: ['FOCUS', 'FIESTA', 'MONDEO', 'TRANSIT'] },
  { spellings: ['RENAULT'], models: ['CLIO', 'MEGANE', 'LAGUNA'] },
  { spellings: ['BMW', 'B.M.W.'], models: ['318D', '320D', '520D', 'X5'] },
  {
    spellings: ['MERCEDES-BENZ', 'MERCEDES', 'MERCEDES BENZ'],
    models: ['C 220', 'E 220', 'ACTROS', 'SPRINTER'],
  },
  { spellings: ['SKODA', 'ŠKODA'], models: ['OCTAVIA', 'FABIA', 'SUPERB'] },
  { spellings: ['AUDI'], models: ['A3', 'A4', 'A6', 'Q5'] },
  { spellings: ['TOYOTA'], models: ['COROLLA', 'YARIS', 'RAV4'] },
  { spellings: ['HYUNDAI'], models: ['I20', 'I30', 'TUCSON'] },
  { spellings: ['KIA'], models: ["CEE'D", 'RIO', 'SPORTAGE'] },
  { spellings: ['MAN', 'M.A.N.'], models: ['TGX', 'TGS', 'TGL'] },
  { spellings: ['IVECO'], models: ['DAILY', 'STRALIS'] },
  { spellings: ['HONDA'], models: ['CIVIC', 'CR-V', 'CBR 600'] },
  { spellings: ['YAMAHA'], models: ['MT-07', 'XMAX'] },
]

const CATEGORIES: readonly (readonly [string, string])[] = [
  ['AUTOTURISM', 'M1'],
  ['AUTOUTILITARA', 'N1'],
  ['AUTOCAMION', 'N3'],
  ['MOTOCICLETA', 'L3e'],
  ['AUTOSPECIALIZATA', 'N2'],
]

const FUELS = ['MOTORINA', 'BENZINA', 'BENZINA+GPL', 'HIBRID', 'ELECTRIC']

const VEHICLES: SampleTable = {
  domain: 'transport',
  id: 'vehicle_registry',
  columns: [
    'county national_category community_category manufacturer commercial_description fuel',
    'year_of_manufacture vehicle_count',
  ].flatMap((line) => line.split(' ')),
  more: [
    { name: 'fuel', title: 'Combustibil', type: 'string', description: 'Combustibilul sau propulsia' },
    {
      name: 'year_of_manufacture',
      title: 'An de fabricație',
      type: 'integer',
      description: 'Anul fabricației',
    },
  ],
  rows: 24_000,
  seed: 475,
  generate: vehicleRows,
}

/** Two tables of the labour market: salaries of public functions, and people who look for work abroad. */
const STAFF = ['Funcție de conducere', 'Funcție de execuție', 'Personal contractual', 'Demnitar']

const POSTS = 'Director, Șef serviciu, Șef birou, Consilier, Expert, Inspector, Referent, Auditor'.split(', ')

const GRADES = ['grad superior', 'grad principal', 'grad asistent', 'grad debutant', 'gradul I', 'gradul II']

const REMARKS = ['include spor de doctorat', 'post vacant', 'detașat', 'cumul de funcții']

const MONTHS = ['ianuarie', 'februarie', 'martie', 'aprilie', 'mai', 'iunie', 'iulie', 'august']

const LATER_MONTHS = ['septembrie', 'octombrie', 'noiembrie', 'decembrie']

const SALARIES: SampleTable = {
  domain: 'economy',
  id: '2025_salarii_aug_xlsx',
  columns:
    'gestionare_fonduri_europene categorie_personal functii gradatia salariul_de_baza_lunar observatii'.split(
      ' ',
    ),
  rows: 1200,
  seed: 2025,
  generate: salaryRows,
}

/** Job seekers abroad by county: a year by month, and half a year by quarter. */
const JOBSEEKERS: readonly SampleTable[] = [
  jobseekerTable('eures_pclm_judete_2019', 2019, [...MONTHS, ...LATER_MONTHS]),
  jobseekerTable('eures_pclm_judete_sem1_2023', 20231, ['Trimestrul I', 'Trimestrul II']),
]

export const SAMPLE_TABLES: readonly SampleTable[] = [
  SIRUTA,
  VEHICLES,
  PUPILS,
  SALARIES,
  tradeTable(2023, 40_000),
  tradeTable(2024, 40_000),
  ...JOBSEEKERS,
]

function* salaryRows(random: Random, rows: number): Generator<SampleCell[]> {
  for (let i = 0; i < rows; i++) {
    const grade = random.below(6)
    const base = 4100 + random.below(80) * 50
    yield [
      random.chance(0.2) ? 'DA' : 'NU',
      random.favour(STAFF, 0.6),
      `${random.pick(POSTS)}, ${random.pick(GRADES)}`,
      grade,
      Math.round(base * (1 + grade * 0.075)),
      random.chance(0.15) ? random.pick(REMARKS) : null,
    ]
  }
}

function jobseekerTable(id: string, seed: number, periods: readonly string[]): SampleTable {
  return {
    domain: 'economy',
    id,
    columns: ['county', 'period', 'person_count'],
    rows: COUNTIES.length * periods.length,
    seed,
    *generate(random) {
      for (const { name } of COUNTIES) {
        const usual = 5 + random.below(120)
        for (const period of periods) yield [name, period, Math.round(usual * (0.7 + random.float() * 0.6))]
      }
    },
  }
}

function* vehicleRows(random: Random, rows: number): Generator<SampleCell[]> {
  for (let i = 0; i < rows; i++) {
    const county = COUNTIES[Math.floor((i * COUNTIES.length) / rows)]
    const make = random.favour(MAKES, 1.6)
    const [national, european] = random.favour(CATEGORIES, 2.5)
    yield [
      (county?.name ?? '').toUpperCase(),
      national,
      european,
      random.favour(make.spellings, 2),
      random.pick(make.models),
      random.favour(FUELS, 1.8),
      1990 + Math.floor(35 * random.float() ** 0.6),
      1 + Math.floor(10 ** (random.float() * 3)),
    ]
  }
}
