/** Real counties, invented names of localities, and the register of territorial units in three levels: county, town or commune, locality. */

import type { Random, SampleCell, SampleTable } from './sample-table.ts'

interface County {
  /** Its number in SIRUTA. */
  readonly code: number
  readonly name: string
  readonly region: number
}

/** Each county after its number, a line for each region. */
const REGIONS = [
  '4 Bacău, 7 Botoșani, 22 Iași, 27 Neamț, 33 Suceava, 37 Vaslui',
  '9 Brăila, 10 Buzău, 13 Constanța, 17 Galați, 36 Tulcea, 39 Vrancea',
  '3 Argeș, 51 Călărași, 15 Dâmbovița, 52 Giurgiu, 21 Ialomița, 29 Prahova, 34 Teleorman',
  '16 Dolj, 18 Gorj, 25 Mehedinți, 28 Olt, 38 Vâlcea',
  '2 Arad, 11 Caraș-Severin, 20 Hunedoara, 35 Timiș',
  '5 Bihor, 6 Bistrița-Năsăud, 12 Cluj, 24 Maramureș, 30 Satu Mare, 31 Sălaj',
  '1 Alba, 8 Brașov, 14 Covasna, 19 Harghita, 26 Mureș, 32 Sibiu',
  '40 București, 23 Ilfov',
]

/** All 42, in the order of their SIRUTA numbers. */
export const COUNTIES: readonly County[] = REGIONS.flatMap((counties, region) =>
  counties.split(', ').map((county) => {
    const [code = '', ...name] = county.split(' ')
    return { code: Number(code), name: name.join(' '), region: region + 1 }
  }),
).sort((a, b) => a.code - b.code)

const FIRST = 'Valea Poiana Dealu Fântâna Câmpu Gura Izvoru Lunca Piatra Plopu Râpa'.split(' ')
const SECOND = 'Mare Mică Nouă Verde Lungă Șesului Țapului Ursului Teiului Vulturului'.split(' ')
const STEMS = 'Băl Cor Dum Frăs Glod Hol Lip Măg Neg Ort Păd Rom Stej Șerb Vișn'.split(' ')
const ENDINGS = ['ești', 'eni', 'oasa', 'ița', 'oaia', 'ari', 'eanca', 'ova', 'oiu', 'ata']
const SIDES = ['', '', '', ' de Sus', ' de Jos']

/** A plausible village name; names repeat, as real ones do. */
export function inventLocality(random: Random): string {
  const name = random.chance(0.35)
    ? `${random.pick(FIRST)} ${random.pick(SECOND)}`
    : `${random.pick(STEMS)}${random.pick(ENDINGS)}`
  return name + random.pick(SIDES)
}

// Kinds of unit in the register: 40 county, 1 municipality, 3 commune; 9 seat of a municipality, 22 seat of a commune, 23 village.
const KIND = {
  county: 40,
  municipality: 1,
  commune: 3,
  municipalitySeat: 9,
  communeSeat: 22,
  village: 23,
} as const

function withControlDigit(serial: number): number {
  let sum = 0
  for (let rest = serial, weight = 2; rest > 0; rest = Math.floor(rest / 10), weight++)
    sum += (rest % 10) * weight
  return serial * 10 + (sum % 10)
}

function* sirutaRows(random: Random, rows: number): Generator<SampleCell[]> {
  const units = COUNTIES.map((county) => ({ county, left: 0 }))
  for (let i = 0; i < rows - COUNTIES.length; i++) (units[i % units.length] as { left: number }).left++
  let serial = 100
  for (const { county, left } of units) {
    const { code, region } = county
    const name = `JUDEȚUL ${county.name.toUpperCase()}`
    yield [code * 10, name, null, code, 1, KIND.county, 1, null, region, code, `${region}00`]
    for (let open = left; open > 0; ) {
      const size = Math.min(open, 3 + random.below(8))
      yield* unitRows(random, county, { serial, size, isSeat: open === left })
      serial += size
      open -= size
    }
  }
}

/** A town or commune and its localities, `size` rows in all; the first unit of a county is its seat. */
function* unitRows(
  random: Random,
  { name, code, region }: County,
  { serial, size, isSeat }: { serial: number; size: number; isSeat: boolean },
): Generator<SampleCell[]> {
  const unit = withControlDigit(serial)
  const unitName = isSeat ? `MUNICIPIUL ${name.toUpperCase()}` : inventLocality(random).toUpperCase()
  const area = isSeat ? 1 : 3
  const kind = isSeat ? KIND.municipality : KIND.commune
  yield [unit, unitName, null, code, code * 10, kind, 2, area, region, code, `0${unit}`]
  for (let i = 1; i < size; i++) {
    const seat = isSeat ? KIND.municipalitySeat : KIND.communeSeat
    yield [
      withControlDigit(serial + i),
      i === 1 ? unitName.replace('MUNICIPIUL ', '') : inventLocality(random).toUpperCase(),
      100_000 + code * 1000 + random.below(1000),
      code,
      unit,
      i === 1 ? seat : KIND.village,
      3,
      area,
      region,
      code,
      `0${unit}${i}`,
    ]
  }
}

export const SIRUTA: SampleTable = {
  domain: 'geospatial',
  id: 'siruta',
  columns: ['siruta', 'denloc', 'codp', 'jud', 'sirsup', 'tip', 'niv', 'med', 'regiune', 'fsj', 'fsl'],
  rows: 16_978,
  seed: 1017,
  generate: sirutaRows,
}
