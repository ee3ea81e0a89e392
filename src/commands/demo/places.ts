/** Real counties, and invented names of localities. */

import type { Random } from './random.ts'

export interface County {
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
