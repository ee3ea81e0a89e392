/** The vehicle register: vehicles by county, category, make and model, makes spelt as the offices spell them. */

import { COUNTIES } from './places.ts'
import type { Random } from './random.ts'
import type { SampleCell, SampleTable } from './sample-table.ts'

interface Make {
  readonly spellings: readonly string[]
  readonly models: readonly string[]
}

const MAKES: readonly Make[] = [
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

export const VEHICLES: SampleTable = {
  domain: 'transport',
  id: 'vehicle_registry',
  columns: [
    'county national_category community_category manufacturer commercial_description fuel',
    'year_of_manufacture vehicle_count',
  ].flatMap((line) => line.split(' ')),
  rows: 24_000,
  seed: 475,
  generate: vehicleRows,
}
