/** Kinds of columns that a made table may have, and what their cells look like. */

import type { Dice } from './dice.ts'

/** What distinguishes the values of one column from those of another at a glance. */
export type Family = 'number' | 'code' | 'date' | 'text'

interface ColumnKind {
  readonly kind: string
  readonly family: Family
  readonly names: readonly string[]
  /** Chooses the properties of the column. @returns a function that gives the cell of a row, from 0 */
  readonly make: (dice: Dice) => (row: number) => string
}

const COUNTIES = ['Alba', 'Argeș', 'Bacău', 'Bihor', 'Brăila', 'Cluj', 'Dolj', 'Galați', 'Iași', 'Mureș']
const FIRST = ['Ana', 'Ion', 'Ștefan', 'Maria', 'Țuțu', 'Radu', 'Elena', 'Mihai', 'Ioana', 'Vlad', 'Dana']
const LAST = ['Popescu', 'Ionescu', 'Bălan', 'Rusu', 'Șerban', 'Nagy', 'Dumitru', 'Țepeș', 'Moga', 'Lazăr']
const STREETS = [
  'Lungă',
  'Mihai Eminescu',
  'Gării',
  'Victoriei',
  '1 Decembrie 1918',
  'Ștefan cel Mare',
  'Morii',
]
const WORDS =
  'apă drum lucrări școală reparații teren clădire proiect nou vechi finalizat amânat pentru fără după comună sat în la cu'.split(
    ' ',
  )

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')
const day = (dice: Dice) => [dice.between(1, 28), dice.between(1, 12), dice.between(1995, 2024)] as const

function grouped(value: number, sign: string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, sign)
}

function words(dice: Dice, least: number, most: number): string {
  return Array.from({ length: dice.between(least, most) }, () => dice.pick(WORDS)).join(' ')
}

function makeDecimal(dice: Dice, mark: '.' | ','): () => string {
  const digits = dice.between(1, 2)
  const isTrimmed = dice.chance(0.4)
  const most = 10 ** dice.between(1, 5)
  return () => {
    const text = (dice.below(most * 10 ** digits) / 10 ** digits).toFixed(digits)
    return (isTrimmed ? String(Number(text)) : text).replace('.', mark)
  }
}

/** A street with its number, sometimes with delimiters in it. */
function makeStreet(dice: Dice): () => string {
  const share = dice.pick([0, 0, 0.3])
  const years = dice.pick([0, 0, 0.05])
  return () => {
    const street = dice.pick(STREETS)
    const number = dice.between(1, 200)
    if (dice.chance(years)) return String(dice.between(1700, 1990))
    return dice.chance(share)
      ? `Str. ${street}, nr. ${number}; ap. ${dice.between(1, 40)}`
      : `Str. ${street} ${number}`
  }
}

function makeFirm(dice: Dice): (row: number) => string {
  const share = dice.pick([0, 0, 0.4])
  return (row) =>
    `${dice.pick(LAST)} ${dice.pick(WORDS)} ${row}${dice.chance(share) ? ', SRL|SA; filială' : ' SRL'}`
}

function makeRemark(dice: Dice): () => string {
  const quotes = dice.pick([0, 0, 0.2])
  const breaks = dice.pick([0, 0, 0, 0.2])
  return () => {
    const text = words(dice, 2, 9)
    if (dice.chance(breaks)) return `${text}\n${words(dice, 1, 4)}`
    return dice.chance(quotes) ? `${words(dice, 1, 2)} "${text}" ${words(dice, 1, 2)}` : text
  }
}

export const COLUMN_KINDS: readonly ColumnKind[] = [
  {
    ...{ kind: 'serial', family: 'number', names: ['nr crt', 'id'] },
    make: (dice) => {
      const first = dice.pick([0, 1, 1, 100])
      return (row) => String(first + row)
    },
  },
  {
    ...{
      kind: 'integer',
      family: 'number',
      names: ['populație', 'bărbați', 'femei', 'elevi', 'total angajați'],
    },
    make: (dice) => {
      const most = 10 ** dice.between(1, 6)
      return () => String(dice.below(most))
    },
  },
  {
    ...{ kind: 'grouped', family: 'number', names: ['buget', 'venituri'] },
    make: (dice) => {
      const sign = dice.pick([',', ' ', ' '])
      return () => grouped(dice.between(1_000_000, 90_000_000), sign)
    },
  },
  { kind: 'decimal', family: 'number', names: ['rată', 'medie'], make: (dice) => makeDecimal(dice, '.') },
  {
    kind: 'decimal comma',
    family: 'number',
    names: ['preț', 'valoare'],
    make: (dice) => makeDecimal(dice, ','),
  },
  {
    kind: 'year',
    family: 'code',
    names: ['an', 'anul'],
    make: (dice) => () => String(dice.between(1990, 2024)),
  },
  {
    ...{ kind: 'code', family: 'code', names: ['cod', 'siruta', 'cod poștal'] },
    make: (dice) => {
      const digits = dice.between(4, 7)
      const least = dice.chance(0.5) ? 0 : 10 ** (digits - 1)
      return () => pad(dice.between(least, 10 ** digits - 1), digits)
    },
  },
  {
    ...{ kind: 'sign', family: 'code', names: ['cif', 'indicativ'] },
    make: (dice) => {
      const digits = dice.between(2, 8)
      const letters = dice.pick(['RO', 'B', 'CJ-'])
      return () => `${letters}${pad(dice.below(10 ** digits), digits)}`
    },
  },
  {
    ...{ kind: 'date', family: 'date', names: ['data', 'din data'] },
    make: (dice) => () => {
      const [date, month, year] = day(dice)
      return `${year}-${pad(month, 2)}-${pad(date, 2)}`
    },
  },
  {
    ...{ kind: 'dotted date', family: 'date', names: ['data actului', 'termen'] },
    make: (dice) => () => {
      const [date, month, year] = day(dice)
      return `${pad(date, 2)}.${pad(month, 2)}.${year}`
    },
  },
  {
    kind: 'category',
    family: 'text',
    names: ['județ', 'regiune'],
    make: (dice) => () => dice.pick(COUNTIES),
  },
  {
    kind: 'answer',
    family: 'text',
    names: ['activ', 'autorizat'],
    make: (dice) => () => dice.pick(['da', 'nu']),
  },
  {
    ...{ kind: 'person', family: 'text', names: ['nume', 'titular'] },
    make: (dice) => () =>
      `${dice.pick(LAST)} ${dice.pick(FIRST)}${dice.chance(0.3) ? ` ${dice.pick(FIRST)}` : ''}`,
  },
  { kind: 'firm', family: 'text', names: ['firmă', 'beneficiar', 'operator'], make: makeFirm },
  { kind: 'street', family: 'text', names: ['adresă', 'stradă'], make: makeStreet },
  { kind: 'remark', family: 'text', names: ['observații', 'obiect'], make: makeRemark },
]
