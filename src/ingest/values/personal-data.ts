/**
 * Columns that seem to hold data about people: personal numeric codes (CNP), e-mail addresses, telephone numbers,
 * bank accounts (IBAN). Judged by distinct values, with the column's name as further evidence.
 */

import { columnName } from '../../base/text/snake-case.ts'
import { countCells } from '../cells/cell-counts.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { PersonalColumn } from '../report/report.ts'
import { distinctTexts, sampleTexts } from './distinct-texts.ts'
import type { LoadedColumn, Verdict } from './validation.ts'

type Kind = PersonalColumn['kind']

interface Trait {
  readonly kind: Kind
  readonly name: RegExp
  /** Share of the sampled distinct values from which on a column is named; the second one when its name says so too. */
  readonly shares: readonly [number, number]
  readonly fits: (text: string, named: boolean) => boolean
}

const TRAITS: readonly Trait[] = [
  { kind: 'cnp', name: /(^|_)(cnp|cod_numeric_personal)(_|$)/, shares: [0.2, 0.02], fits: isCnp },
  { kind: 'email', name: /(^|_)(e_?mail|mail|adresa_electronica)(_|$)/, shares: [0.5, 0.05], fits: isEmail },
  { kind: 'iban', name: /(^|_)(iban|cont|cont_bancar|account)(_|$)/, shares: [0.5, 0.05], fits: isIban },
  {
    kind: 'phone',
    name: /(^|_)(tel|telefon|telefoane|nr_tel|phone|phones|telephone|mobil|mobile|fax|gsm)(_|$)/,
    shares: [0.5, 0.1],
    fits: isPhone,
  },
]

const NAMES: Readonly<Record<Kind, string>> = {
  cnp: 'personal numeric codes (CNP)',
  email: 'e-mail addresses',
  phone: 'telephone numbers',
  iban: 'bank accounts (IBAN)',
}

/**
 * @param acknowledged names of the columns that may hold such data, or true for all
 * @returns the columns at fault in the dataset's order
 */
export function findPersonalData(
  columns: readonly LoadedColumn[],
  records: EncodedRecords,
  verdict: Verdict,
  acknowledged: readonly string[] | true,
): PersonalColumn[] {
  return columns.flatMap((column) => {
    const raw = records.tables[column.lane]?.entries()
    if (!raw) return []
    const { name, sourceName } = column.plan
    const names = [name, columnName(sourceName ?? '')]
    const sample = sampleTexts(raw)
    const trait = TRAITS.find((candidate) => hasTrait(candidate, names, sample))
    if (!trait) return []
    const isNamed = names.some((own) => trait.name.test(own))
    const counts = countCells(records, column.lane, verdict.refused)
    let distinct = 0
    let fitting = 0
    let rows = 0
    for (const { cell, text } of distinctTexts(raw)) {
      distinct++
      if (!trait.fits(text, isNamed)) continue
      fitting++
      rows += counts[cell] as number
    }
    const share = Math.round((1000 * fitting) / distinct) / 1000
    const isKnown = acknowledged === true || acknowledged.includes(name)
    return [{ column: name, kind: trait.kind, share, rows, acknowledged: isKnown }]
  })
}

function hasTrait(trait: Trait, names: readonly string[], sample: readonly string[]): boolean {
  const isNamed = names.some((name) => trait.name.test(name))
  const fitting = sample.filter((text) => trait.fits(text, isNamed)).length
  return fitting > 0 && fitting >= trait.shares[isNamed ? 1 : 0] * sample.length
}

/** One line about a column, for people. */
export function describePersonal({ column, kind, rows, share }: PersonalColumn): string {
  const percent = Math.max(1, Math.round(share * 100))
  return `'${column}' looks like ${NAMES[kind]}: ${percent} % of its different values, in ${rows} rows`
}

const CNP_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
const EMAIL = /^[^\s@<>"(),;:]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,24}$/i
const BETWEEN_SEVERAL = /[\s;,/|<>]+/

/** The personal numeric code of Law 105/1996: sex and century, yymmdd, county, number, and a checksum modulo 11. */
function isCnp(text: string): boolean {
  if (!/^[1-9]\d{12}$/.test(text)) return false
  const month = Number(text.slice(3, 5))
  const day = Number(text.slice(5, 7))
  if (month < 1 || month > 12 || day < 1 || day > 31) return false
  const sum = CNP_WEIGHTS.reduce((total, weight, i) => total + weight * Number(text[i]), 0)
  return Number(text[12]) === (sum % 11 === 10 ? 1 : sum % 11)
}

/** One address, or several with spaces, commas and the like between them. */
function isEmail(text: string): boolean {
  return text.includes('@') && text.split(BETWEEN_SEVERAL).some((part) => EMAIL.test(part))
}

/** ISO 13616: country, two check digits, and the whole modulo 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}

/** A fraction such as -0.712345678, whose digits alone would be a telephone number. */
const FRACTION = /^-?0?\.\d+$/

/**
 * A Romanian number (ten digits from 02, 03 or 07, with or without +40), or an international one behind `+` or 00. Below
 * a header that says so the leading zero may be lost, as spreadsheets lose it, and several may share a cell.
 */
function isPhone(text: string, named: boolean): boolean {
  const first = (named ? text.split(/[;,\n|]/)[0] : text)?.trim() ?? ''
  if (!/^\+?[\d\s().\-/]+$/.test(first) || FRACTION.test(first)) return false
  const digits = first.replaceAll(/[\s().\-/]/g, '')
  if (/^(\+40|0040|0)(2[1-7]|3[1-7]|7\d)\d{7}$/.test(digits)) return true
  if (/^(\+|00)[1-9]\d{7,14}$/.test(digits)) return true
  // A spreadsheet that took the zero off took the number for one, and leaves no point in it that is no decimal mark.
  return named && !first.includes('.') && /^[237]\d{8}$/.test(digits)
}

/** A value that cannot be read any more but can be recognised by who knows it: `o•••••@•••••••.••`. */
export function maskValue(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}]/gu, (sign, at: number) => (at === 0 ? sign : '•'))
}

/** A text of any kind with what looks personal in it made unreadable. */
export function maskPersonal(text: string): string {
  return text
    .replaceAll(/[^\s@<>"(),;:]+@[^\s@<>"(),;:]+/g, maskValue)
    .replaceAll(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?/gi, (found) =>
      isIban(found) ? maskValue(found) : found,
    )
    .replaceAll(/(?<!\d)[1-9]\d{12}(?!\d)/g, (found) => (isCnp(found) ? maskValue(found) : found))
    .replaceAll(/(?<![\d+])\+?\d[\d .()/-]{7,18}\d(?!\d)/g, (found) =>
      isPhone(found, false) ? maskValue(found) : found,
    )
}
