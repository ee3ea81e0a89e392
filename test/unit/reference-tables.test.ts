/** What the shipped reference tables know, and that none of them is ambiguous. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  loadReference,
  openReference,
  plainSpelling,
  shippedReferences,
} from '../../src/read/values/reference.ts'
import { tempDir } from '../support/temp-dir.ts'

test('every shipped table is free of contradictions, and each canonical spelling maps to itself', () => {
  for (const name of shippedReferences()) {
    const { spellings } = openReference(name, tempDir())
    for (const canonical of new Set(spellings.values()))
      expect(spellings.get(plainSpelling(canonical))).toBe(canonical)
  }
})

test('countries: ISO 3166-1 is complete: 249 alpha-2, alpha-3 and numeric codes, and Kosovo, which has none', () => {
  const { spellings } = openReference('countries', tempDir())
  const codes = new Map<string, string[]>()
  for (const [spelling, canonical] of spellings)
    codes.set(canonical, [...(codes.get(canonical) ?? []), spelling])
  expect([...codes.keys()].filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([])
  expect(codes.size).toBe(250)
  const lacking = [...codes].filter(
    ([code, all]) =>
      code !== 'XK' && !(all.some((s) => /^\d{1,3}$/.test(s)) && all.some((s) => /^[a-z]{3}$/.test(s))),
  )
  expect(lacking).toEqual([])
})

test.each([
  ['RO', ['RO', 'ROU', '642', 'România', 'ROMANIA', 'Roumanie']],
  ['DE', ['DE', 'DEU', '276', 'Germania', 'Germany', 'Federal Republic of Germany']],
  ['AT', ['040', '40', 'Austria']],
  ['AF', ['004', '4', 'Afganistan', 'Afghanistan']],
  ['NA', ['NA', 'NAM', 'Namibia']],
  ['GR', ['EL', 'GR', 'Grecia', 'Greece']],
  ['GB', ['UK', 'XI', 'XU', 'Marea Britanie', 'Regatul Unit', 'U.K.', 'United Kingdom']],
  ['XK', ['XK', 'Kosovo', 'Kosovo*']],
  ['RS', ['XS', 'RS', 'Serbia']],
  ['ES', ['XC', 'XL', 'Spania']],
  ['US', ['SUA', 'S.U.A.', 'USA', 'Statele Unite ale Americii', 'United States']],
  ['NL', ['Olanda', 'Țările de Jos', 'ŢĂRILE DE JOS', 'Netherlands']],
  ['CZ', ['Cehia', 'Republica Cehă', 'Czech Republic']],
  ['MD', ['Republica Moldova', 'Moldova, Republic of']],
  ['CD', ['Republica Democrată Congo', 'Democratic Republic of the Congo']],
  ['TR', ['Turcia', 'Türkiye', 'Turkey']],
  [undefined, ['Congo', 'Coreea', 'Atlantida', 'EU27']],
])('countries: %s is known by %j', (code, spellings) => {
  const find = loadReference('countries', tempDir())
  expect(spellings.map((spelling) => find(spelling))).toEqual(spellings.map(() => code))
})

test('counties: 42, each by name, plate, ISO 3166-2, NUTS and SIRUTA code, in every usual prefix and spelling', () => {
  const { spellings } = openReference('counties', tempDir())
  const counties = [...new Set(spellings.values())]
  expect(counties).toHaveLength(42)
  for (const county of counties) {
    const known = [...spellings].filter(([, canonical]) => canonical === county).map(([spelling]) => spelling)
    for (const shape of [/^[a-z]{1,2}$/, /^ro[a-z]{1,2}$/, /^ro\d{3}$/, /^\d{2,3}$/])
      expect(known.filter((spelling) => shape.test(spelling)).length).toBeGreaterThan(0)
  }
})

test.each([
  [
    'Vâlcea',
    [
      'VÎLCEA',
      'JUDEȚUL VÎLCEA',
      'Judeţul Vâlcea',
      'JUD. VALCEA',
      'Jud Vîlcea',
      'VL',
      'RO-VL',
      'RO415',
      '387',
    ],
  ],
  [
    'București',
    [
      'B',
      'MUNICIPIUL BUCUREŞTI',
      'Mun. Bucuresti',
      'Bucharest',
      'Sector 3',
      'București, Sectorul 6',
      'RO321',
    ],
  ],
  ['Ilfov', ['IF', 'Sectorul Agricol Ilfov', 'ILFOV']],
  ['Caraș-Severin', ['CARAS SEVERIN', 'Caraş-Severin', 'CS', 'RO422']],
  ['Bistrița-Năsăud', ['BISTRITA-NASAUD', 'Bistrița Năsăud', 'BN']],
])('counties: %s is known by %j', (county, spellings) => {
  const find = loadReference('counties', tempDir())
  expect(spellings.map((spelling) => find(spelling))).toEqual(spellings.map(() => county))
})

test('manufacturers: a name that two makes share is left out, and each keeps its own', () => {
  const find = loadReference('manufacturers', tempDir())
  expect(['DaimlerChrysler', 'Opel Vauxhall', 'Daewoo FSO'].map(find)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(
    ['DAIMLER', 'VAUXHALL', 'JOHN DEERE', 'LYNK&CO', 'Rolls Royce', 'KASSBOHRER', 'MTZ'].map(find),
  ).toEqual([...['Daimler', 'Vauxhall', 'John Deere', 'Lynk & Co', 'Rolls-Royce', 'Kässbohrer', 'Belarus']])
})

test('a number is known with and without its leading zeros, and no other text loses a zero', () => {
  fc.assert(
    fc.property(fc.nat(99_999), fc.nat(6), (number, zeros) => {
      expect(plainSpelling('0'.repeat(zeros) + number)).toBe(String(number))
      expect(plainSpelling(`${'0'.repeat(zeros)}${number}a`)).toBe(`${'0'.repeat(zeros)}${number}a`)
    }),
  )
})
