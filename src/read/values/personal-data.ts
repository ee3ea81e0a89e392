/**
 * Columns that seem to hold data about people: personal numeric codes (CNP), e-mail addresses, telephone numbers,
 * bank accounts (IBAN). Judged by distinct values, with the column's name as further evidence.
 */

import { columnName } from '../../base/text/snake-case.ts'
import type { RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import type { Obstacles, PersonalColumn } from '../report/decisions.ts'
import { decodeText, distinctTexts, sampleTexts } from './cell-text.ts'
import type { LoadedColumn, Verdict } from './validation.ts'

type Kind = PersonalColumn['kind']

/** `shares`: of sampled distinct values, from which a column is reported; the second applies if its name suggests it. */
const TRAITS = [
  {
    kind: 'email',
    name: /(^|_)(e_?mail|mail|adresa_electronica)(_|$)/,
    shares: [0.5, 0.05],
    // One address, or several with spaces, commas and the like between them.
    fits: (text: string) => text.includes('@') && text.split(/[\s;,/|<>]+/).some((part) => EMAIL.test(part)),
  },
  { kind: 'iban', name: /(^|_)(iban|cont|cont_bancar|account)(_|$)/, shares: [0.5, 0.05], fits: isIban },
  {
    kind: 'phone',
    name: /(^|_)(tel|telefon|telefoane|nr_tel|phone|phones|telephone|mobil|mobile|fax|gsm)(_|$)/,
    shares: [0.5, 0.1],
    fits: isPhone,
  },
] as const

/**
 * @param acknowledged names of the columns that may contain such data; true: all
 * @returns the columns found, in the dataset's order
 */
export function findPersonalData(
  columns: readonly LoadedColumn[],
  records: EncodedRecords,
  verdict: Verdict,
  acknowledged: readonly string[] | true,
): PersonalColumn[] {
  return columns.flatMap((column) => {
    const raw = records.entriesOf(column.lane)
    const { name, sourceName } = column.plan
    const names = [name, columnName(sourceName ?? '')]
    const found = findCodes(raw, names) ?? findTrait(raw, names)
    if (found === null) return []
    const counts = records.countCells(column.lane, verdict.refused)
    const rows = found.cells.reduce((sum, cell) => sum + (counts[cell] as number), 0)
    if (rows === 0) return []
    const share = Math.round((1000 * found.cells.length) / found.distinct) / 1000
    const isKnown = acknowledged === true || acknowledged.includes(name)
    return [{ column: name, kind: found.kind, share, rows, acknowledged: isKnown }]
  })
}

/** The ids of the distinct cells found, and the number of distinct cells. */
type Found = Readonly<{ kind: Kind; cells: readonly number[]; distinct: number }>

function findTrait(raw: RawEntries, names: readonly string[]): Found | null {
  const sample = sampleTexts(raw)
  for (const { kind, name, fits, shares } of TRAITS) {
    const isNamed = names.some((own) => name.test(own))
    const fitting = sample.filter((text) => fits(text, isNamed)).length
    if (fitting === 0 || fitting < shares[isNamed ? 1 : 0] * sample.length) continue
    const cells: number[] = []
    let distinct = 0
    for (const { cell, text } of distinctTexts(raw)) {
      distinct++
      if (fits(text, isNamed)) cells.push(cell)
    }
    return { kind, cells, distinct }
  }
  return null
}

/** One line about a column, for people. */
export function describePersonal({ column, kind, rows, share }: PersonalColumn): string {
  const names: Readonly<Record<Kind, string>> = {
    cnp: 'personal numeric codes (CNP)',
    email: 'e-mail addresses',
    phone: 'telephone numbers',
    iban: 'bank accounts (IBAN)',
  }
  const percent = Math.max(1, Math.round(share * 100))
  return `'${column}' looks like ${names[kind]}: ${percent} % of its different values, in ${rows} rows`
}

/** Share of the distinct values from which codes aren't chance, and the number of codes within texts. */
const CODES_SHARE = 0.2
const CODES_IN_TEXTS = 3
const CODE_DIGITS = 13
/** A single number, not two codes with a comma between them. */
const DECIMAL = /^[+-]?(?!\d{13}[.,]\d{13}$)\d*[.,]\d+$/

/** Personal codes among all distinct cells, alone or within texts. Texts without so many digits cost next to nothing. */
function findCodes(raw: RawEntries, names: readonly string[]): Found | null {
  const cells: number[] = []
  let [alone, numbers, inside] = [0, 0, 0]
  for (const runs of [digitRuns(raw), groupedDigits(raw)])
    for (const { cell, digits, text } of runs) {
      const isWhole = text.replace(/^'/, '') === digits
      if (isWhole) numbers++
      if (!isCnp(digits) || DECIMAL.test(text)) continue
      if (isWhole) alone++
      else inside++
      if (cells.at(-1) !== cell) cells.push(cell)
    }
  if (cells.length === 0) return null
  const distinct = raw.offsets.length - 1
  const isNamed = names.some((name) => /(^|_)(cnp|cod_numeric_personal)(_|$)/.test(name))
  const isAtFault =
    cells.length >= (isNamed ? 0.02 : CODES_SHARE) * distinct ||
    inside >= CODES_IN_TEXTS ||
    // Codes of goods match the checksum by chance, about one in a hundred.
    (alone >= CODES_IN_TEXTS && alone >= CODES_SHARE * numbers)
  return isAtFault ? { kind: 'cnp', cells, distinct } : null
}

/** Digits in a cell with an id from 1, and the cell's trimmed text. */
type DigitRun = Readonly<{ cell: number; digits: string; text: string }>

/** A code with blanks, points, hyphens or slashes, each of up to three bytes. */
const GROUPED = /^'?\d(?:[\s.\-/]?\d){12}$/
const LONGEST_GROUPED = 1 + 4 * CODE_DIGITS

/** Cells with exactly as many digits as a code, in groups. */
function* groupedDigits({ heap, offsets }: RawEntries): Generator<DigitRun> {
  for (let cell = 1; cell < offsets.length; cell++) {
    const first = offsets[cell - 1] as number
    const end = offsets[cell] as number
    if (end - first <= CODE_DIGITS || end - first > LONGEST_GROUPED) continue
    let count = 0
    for (let at = first; at < end; at++) if (isDigit(heap[at] as number)) count++
    if (count !== CODE_DIGITS) continue
    const text = decodeText(heap, first, end).trim()
    const digits = text.replaceAll(/\D/g, '')
    if (GROUPED.test(text) && text.replace("'", '') !== digits) yield { cell, digits, text: digits }
  }
}

/**
 * Runs of exactly as many digits as a code. A column may have ten million cells, so nothing is allocated for each of them,
 * not even a closure. It checks every thirteenth byte until it finds a digit.
 */
function* digitRuns({ heap, offsets }: RawEntries): Generator<DigitRun> {
  let cell = 1
  for (let at = CODE_DIGITS - 1; at < heap.length; at += CODE_DIGITS) {
    if (!isDigit(heap[at] as number)) continue
    while ((offsets[cell] as number) <= at) cell++
    const first = offsets[cell - 1] as number
    const end = offsets[cell] as number
    let from = at
    let to = at + 1
    while (from > first && isDigit(heap[from - 1] as number)) from--
    while (to < end && isDigit(heap[to] as number)) to++
    at = to - 1
    if (to - from !== CODE_DIGITS) continue
    yield { cell, digits: decodeText(heap, from, to), text: decodeText(heap, first, end).trim() }
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

const CNP_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
const EMAIL = /^[^\s@<>"(),;:]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,24}$/i

/** First years of the centuries by sex; for residents and foreigners (7 to 9) the code does not give the century. */
const CENTURIES: readonly (readonly number[])[] = [[1900], [1800], [2000], [1900, 2000]]

/** The personal numeric code of Law 105/1996: sex and century, yymmdd, county, number, and a checksum modulo 11. */
function isCnp(text: string): boolean {
  if (!/^[1-9]\d{12}$/.test(text)) return false
  const [sex, year, month, day] = [text[0], text.slice(1, 3), text.slice(3, 5), text.slice(5, 7)].map(Number)
  const centuries = CENTURIES[Math.min(3, Math.floor(((sex as number) - 1) / 2))] ?? []
  const isDay = centuries.some((century) => {
    const date = new Date(Date.UTC(century + (year as number), (month as number) - 1, day))
    return date.getUTCMonth() === (month as number) - 1 && date.getUTCDate() === day
  })
  // Counties 1 to 46, former sectors 7 and 8, Călărași and Giurgiu, and offices that serve all counties.
  const county = Number(text.slice(7, 9))
  const isCounty = (county >= 1 && county <= 48) || [51, 52, 70, 80, 81, 82, 83].includes(county)
  if (!isDay || !isCounty) return false
  const sum = CNP_WEIGHTS.reduce((total, weight, i) => total + weight * Number(text[i]), 0)
  return Number(text[12]) === (sum % 11 === 10 ? 1 : sum % 11)
}

/** ISO 13616: country and two check digits; the whole modulo 97 is 1. */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false
  const digits = [...plain.slice(4), ...plain.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('')
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1
}

/**
 * A Romanian number (ten digits from 02, 03 or 07, with or without +40), or an international one after `+` or 00. If the
 * column's name suggests it, the leading zero may be missing, as spreadsheets drop it, and several numbers may share a
 * cell.
 */
function isPhone(text: string, named: boolean): boolean {
  const first = (named ? text.split(/[;,\n|]/)[0] : text)?.trim() ?? ''
  if (!/^\+?[\d\s().\-/]+$/.test(first)) return false
  // A fraction such as -0.712345678, whose digits alone would be a telephone number.
  if (/^-?0?\.\d+$/.test(first)) return false
  const digits = first.replaceAll(/[\s().\-/]/g, '')
  if (/^(\+40|0040|0)(2[1-7]|3[1-7]|7\d)\d{7}$/.test(digits)) return true
  if (/^(\+|00)[1-9]\d{7,14}$/.test(digits)) return true
  // A spreadsheet that dropped the zero treated it as a number, so a point in it is a decimal mark.
  return named && !first.includes('.') && /^[237]\d{8}$/.test(digits)
}

/** A value made unreadable, though recognisable to those who know it: `o•••••@•••••••.••`. */
export function maskValue(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}]/gu, (sign, at: number) => (at === 0 ? sign : '•'))
}

/** A text with everything that looks personal made unreadable. */
export function maskPersonal(text: string): string {
  return text
    .replaceAll(/[^\s@<>"(),;:]+@[^\s@<>"(),;:]+/g, maskValue)
    .replaceAll(/(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?/gi, (found) =>
      isIban(found) ? maskValue(found) : found,
    )
    .replaceAll(/(?<!\d)[1-9](?:[\s.\-/]?\d){12}(?!\d)/g, (found) =>
      isCnp(found.replaceAll(/\D/g, '')) ? maskValue(found) : found,
    )
    .replaceAll(/(?<![\d+])\+?\d[\d .()/-]{7,18}\d(?!\d)/g, (found) =>
      isPhone(found, false) ? maskValue(found) : found,
    )
}

/** Values that keep a column from a type, masked. */
export function maskObstacles({ exceptions, values }: Obstacles): Obstacles {
  return { exceptions, values: values.map((one) => ({ ...one, value: maskPersonal(one.value) })) }
}
