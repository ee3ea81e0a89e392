/** The register of territorial units in three levels: county, town or commune, locality. */

import { COUNTIES, inventLocality } from './places.ts'
import type { Random } from './random.ts'
import type { SampleCell, SampleTable } from './sample-table.ts'

// Kinds of unit in the register: 40 county, 1 municipality, 3 commune; 9 seat of a municipality, 22 seat of a commune, 23 village.
const KIND = {
  county: 40,
  municipality: 1,
  commune: 3,
  municipalitySeat: 9,
  communeSeat: 22,
  village: 23,
} as const

/** Appends the control digit that every SIRUTA code ends in; here a plain weighted sum. */
function withControlDigit(serial: number): number {
  let sum = 0
  for (let rest = serial, weight = 2; rest > 0; rest = Math.floor(rest / 10), weight++)
    sum += (rest % 10) * weight
  return serial * 10 + (sum % 10)
}

type County = (typeof COUNTIES)[number]

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
