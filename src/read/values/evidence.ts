/**
 * Why a column stayed text although most of it is numbers, dates or booleans: the values that prevent another type, or the
 * rule that keeps identifiers as text. Judged by distinct values, weighted by rows.
 */

import { countEnglish } from '../../base/text/numbers.ts'
import { stripDiacritics } from '../../base/text/snake-case.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { adviseOption, type ReadOptions } from '../definition/read-options.ts'
import type { MixedNotation, NearType } from '../report/decisions.ts'
import { EMPTY_TEXT } from '../report/marks.ts'
import { type DistinctText, distinctTexts, INTEGER_DIGITS, sampleTexts, shorten } from './cell-text.ts'
import { readAs } from './conversion.ts'
import { declaredTarget } from './declared-target.ts'
import { LONGEST_SCALAR } from './inference.ts'
import { matchMoment } from './moments.ts'
import {
  ALL_STYLES,
  BOOLEAN_PAIRS,
  LAKH_GROUPS,
  markOf,
  matchNumber,
  readNumber,
  stylesBy,
} from './numbers.ts'
import type { LoadedColumn, Verdict } from './validation.ts'

/** The type that a column nearly has, its mixed notation, and, in one sentence, why numbers stay text. */
export type Evidence = Readonly<{
  nearly: NearType | null
  notation: MixedNotation | null
  textBecause: string | null
}>

/** From this share of fitting values a column nearly has a type. */
const NEARLY = 0.9
const SHOWN_VALUES = 5

const NOTHING: Evidence = { nearly: null, notation: null, textBecause: null }

/** How near a type has to be, and how many of the preventing values are shown. */
const REPORTED = { share: NEARLY, values: SHOWN_VALUES }

interface ReadCells {
  readonly records: EncodedRecords
  readonly options: ReadOptions
  readonly decoded: { readonly format: string }
}

interface Search {
  /** Texts that mean null. */
  readonly nullValues: ReadonlySet<string>
  readonly hasOwnNumbers: boolean
  /** Number of rows by cell. */
  readonly counts: Uint32Array
  readonly nearness: typeof REPORTED
}

export function findEvidence(
  column: LoadedColumn,
  { records, options, decoded }: ReadCells,
  verdict: Verdict,
  nearness = REPORTED,
): Evidence {
  const nullValues = new Set([EMPTY_TEXT, ...(options.null_values ?? [])])
  const raw = records.entriesOf(column.lane)
  if (column.typed.type !== 'string' || column.plan.type !== null) return NOTHING
  const sample = sampleTexts(raw).filter((text) => !nullValues.has(text))
  const textBecause = sample.every(isDigits)
    ? nameIdentifiers(raw, nullValues)
    : nameLakhs(raw, sample, nullValues)
  if (textBecause !== null || sample.length === 0) return { ...NOTHING, textBecause }
  const { decimalMark } = column.plan
  const counts = records.countCells(column.lane, verdict.refused)
  const search = { nullValues, nearness, counts, hasOwnNumbers: decoded.format !== 'csv' }
  const notation = decimalMark === null ? findNotation(raw, sample, search) : null
  // If fewer values of the sample fit, checking all of them is pointless, unless there are so few that one may be in most
  // rows.
  const isFew = raw.offsets.length <= 1000
  const isMixed = notation !== null || decimalMark !== null
  const likely = [...candidates(sample, isMixed)].filter(({ fits }) => {
    const fitting = sample.filter(fits).length
    return fitting > 0 && (isFew || fitting >= Math.min(0.8, nearness.share) * sample.length)
  })
  const near = findNearType(raw, likely, search)
  const told = notation ?? near.notation
  return { nearly: near.nearly, notation: told, textBecause: told && sayNotation(told) }
}

function isDigits(text: string): boolean {
  return /^[-+]?\d+$/.test(text)
}

/** The rules that keep digits as text, in the order in which they are reported. */
const IDENTIFIERS = [
  { fits: /^[-+]?0\d/, because: 'begin with 0, which a number would lose' },
  {
    fits: new RegExp(`^[-+]?\\d{${INTEGER_DIGITS + 1},}$`),
    because: `have more than ${INTEGER_DIGITS} digits, which a number would not keep`,
  },
  { fits: /^\+/, because: 'begin with +, as telephone numbers do' },
] as const

/** The rule that keeps a column of digits as text; null if it has anything else. */
function nameIdentifiers(raw: RawEntries, nullValues: ReadonlySet<string>): string | null {
  const found = IDENTIFIERS.map((rule) => ({ ...rule, count: 0, example: '' }))
  const lengths = new Set<number>()
  let total = 0
  for (const { text } of distinctTexts(raw, nullValues)) {
    if (!isDigits(text)) return null
    total++
    lengths.add(text.length)
    for (const rule of found) {
      if (!rule.fits.test(text)) continue
      rule.count++
      rule.example ||= text
    }
  }
  const rule = found.find(({ count }) => count > 0)
  if (rule) {
    const example = shorten(rule.example, 24)
    return `values such as '${example}' ${rule.because} (${rule.count} of ${total} different values)`
  }
  const [digits] = lengths
  if (lengths.size !== 1) return null
  return `all of its ${total} different values have ${digits} digits, as codes do and quantities do not`
}

/** Only numbers grouped in lakh have two digits between separators. */
const HAS_LAKH = /^-?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/

/** A sentence if most numbers of a column are grouped as in India; null if none is, or the column has many other texts. */
function nameLakhs(
  raw: RawEntries,
  sample: readonly string[],
  nullValues: ReadonlySet<string>,
): string | null {
  if (!sample.some((text) => HAS_LAKH.test(text))) return null
  const isNumber = (text: string) =>
    LAKH_GROUPS.pattern.test(text) || /^-?\d{1,3},\d{3}(?:\.\d+)?$/.test(text)
  const texts = [...distinctTexts(raw, nullValues)].map(({ text }) => text)
  const others = texts.filter((text) => !isNumber(text))
  if (others.length > (1 - NEARLY) * texts.length && others.length > SHOWN_VALUES) return null
  const example = texts.find((text) => HAS_LAKH.test(text))
  const type = texts.some((text) => isNumber(text) && text.includes('.')) ? 'decimal' : 'integer'
  const advice = `"type": "${type}" in a definition reads them as numbers`
  const nulls =
    others.length === 0 || others.length > SHOWN_VALUES
      ? ''
      : `, and ${adviseOption('null_values', others)} makes the others null`
  return `values such as '${example}' are grouped in lakh and crore: ${advice}${nulls}`
}

/**
 * The numbers of a column in another notation than most, and also those that could be two numbers; null if there are none,
 * or many texts besides numbers. Numbers of the format itself have a decimal point.
 */
function findNotation(raw: RawEntries, sample: readonly string[], search: Search): MixedNotation | null {
  const { nullValues, nearness, hasOwnNumbers } = search
  const style = mostCommonBit(sample.map((text) => matchNumber(text).styles))
  const isUsual = (text: string) => (matchNumber(text).styles & style) !== 0
  if (style === 0 || sample.every(isUsual)) return null
  const mark = markOf(style) === ',' && !hasOwnNumbers ? ',' : '.'
  const styles = [stylesBy(mark), stylesBy(mark === '.' && !hasOwnNumbers ? ',' : '.')] as const
  const read = (text: string) => styles.map((by) => readNumber(text, by)) as [number | null, number | null]
  const texts = [...distinctTexts(raw, nullValues)]
  const numbers = texts.flatMap((one) => {
    const [number, other] = one.text.length > LONGEST_SCALAR ? [null, null] : read(one.text)
    return number === null ? [] : [{ ...one, isWhole: Number.isInteger(number), isOpen: number !== other }]
  })
  const found = numbers.filter(({ text, isOpen }) => isOpen || !isUsual(text))
  if (found.every(({ isOpen }) => isOpen) || numbers.length < nearness.share * texts.length) return null
  const type = numbers.every(({ isWhole }) => isWhole) ? 'integer' : 'decimal'
  return describeNotation({ type, decimal_mark: mark }, found, search, (text) => {
    const [number, other] = read(text)
    return { read_as: String(number), otherwise: number === other ? null : String(other) }
  })
}

function describeNotation(
  column: Pick<MixedNotation, 'type' | 'decimal_mark'>,
  found: readonly DistinctText[],
  { counts, nearness }: Search,
  read: (text: string) => Pick<MixedNotation['values'][number], 'read_as' | 'otherwise'>,
): MixedNotation {
  const cells = found.reduce((sum, { cell }) => sum + (counts[cell] as number), 0)
  const ranked = rank(found, counts).slice(0, nearness.values)
  const values = ranked.map(([text, count]) => ({ value: shorten(text), count, ...read(text) }))
  return { ...column, exceptions: found.length, cells, values }
}

function sayNotation({ type, exceptions, decimal_mark: mark, values }: MixedNotation): string {
  const option =
    mark === null
      ? `"type": "${type}" in a definition`
      : `"decimal_mark": "${mark}" of the column in a definition`
  const read = values.slice(0, 3).map(({ value, read_as: one, otherwise }) => {
    const other = otherwise === null ? '' : ` (with the other mark ${otherwise})`
    return `'${value}' as ${one}${other}`
  })
  return `${countEnglish(exceptions, 'of its values is', 'of its values are')} written differently from the others; ${option} reads ${read.join(', ')}`
}

type Candidate = Readonly<{ type: ColumnType; fits: (text: string) => boolean }>

/** The type that the most values fit, if nearly all do, and the values that prevent it: those that it cannot read. */
function findNearType(
  raw: RawEntries,
  likely: readonly Candidate[],
  search: Search,
): Pick<Evidence, 'nearly' | 'notation'> {
  const { nullValues, nearness, counts } = search
  let best = { type: 'string' as ColumnType, share: 0, exceptions: [] as DistinctText[] }
  for (const { type, fits } of likely) {
    const exceptions: DistinctText[] = []
    let distinct = 0
    let rows = 0
    for (const found of distinctTexts(raw, nullValues)) {
      distinct++
      rows += counts[found.cell] as number
      if (!fits(found.text)) exceptions.push(found)
    }
    const wrongRows = exceptions.reduce((sum, { cell }) => sum + (counts[cell] as number), 0)
    const fitting = Math.max(1 - exceptions.length / distinct, rows === 0 ? 0 : 1 - wrongRows / rows)
    // Rounded down, so that it is 1 only if all values fit.
    const share = Math.floor(1000 * fitting) / 1000
    if (exceptions.length === 0 || share < nearness.share || share <= best.share) continue
    best = { type, share, exceptions }
  }
  const { type, share, exceptions } = best
  if (exceptions.length === 0) return NOTHING
  const target = declaredTarget(type, raw, { nullValues, styles: stylesBy('.') })
  const without = exceptions.filter(({ text }) => readAs(text, target) === null)
  const values = rank(without, counts).map(([value, count]) => ({ value: shorten(value), count }))
  const nearly = { type, share, exceptions: without.length, values: values.slice(0, nearness.values) }
  if (without.length > 0) return { nearly, notation: null }
  const read = (text: string) => ({ read_as: readAs(text, target) ?? '', otherwise: null })
  return { nearly: null, notation: describeNotation({ type, decimal_mark: null }, exceptions, search, read) }
}

/** Texts with their number of cells, the most frequent first. */
function rank(found: readonly DistinctText[], counts: Uint32Array): [text: string, count: number][] {
  const totals = new Map<string, number>()
  for (const { cell, text } of found) totals.set(text, (totals.get(text) ?? 0) + (counts[cell] as number))
  return [...totals].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
}

/**
 * Candidate types: numbers in the style that most of a sample fits, dates in their order, booleans in their pair of words.
 */
function* candidates(sample: readonly string[], isMixed: boolean): Generator<Candidate> {
  const texts = sample.filter(({ length }) => length <= LONGEST_SCALAR)
  const matched = texts.map((text) => matchNumber(text))
  const style = mostCommonBit(matched.map(({ styles }) => styles))
  if (style !== 0) {
    const isDecimal = matched.some(({ styles, fractional }) => (fractional & styles & style) !== 0)
    const isNumber = (text: string) =>
      /^-?(?:0|[1-9]\d{0,14})$/.test(text) ||
      (matchNumber(text).styles & (isMixed ? ALL_STYLES : style)) !== 0
    yield {
      type: isDecimal ? 'decimal' : 'integer',
      fits: (text) => text.length <= LONGEST_SCALAR && isNumber(text),
    }
  }
  const moments = texts.map((text) => matchMoment(text))
  const order = mostCommonBit(moments.map(({ orders }) => orders))
  if (order !== 0) {
    const isDatetime = moments.some(({ orders, hasTime }) => hasTime && (orders & order) !== 0)
    const type = isDatetime ? 'datetime' : 'date'
    yield { type, fits: (text) => (matchMoment(text).orders & order) !== 0 }
  }
  const words = new Set(texts.map((text) => stripDiacritics(text)))
  const pair = BOOLEAN_PAIRS.find(([no, yes]) => words.has(no) && words.has(yes))
  if (pair)
    yield {
      type: 'boolean',
      fits: (text) => text.length <= LONGEST_SCALAR && pair.includes(stripDiacritics(text)),
    }
}

function mostCommonBit(masks: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const mask of masks)
    for (let bit = 1; bit <= mask; bit *= 2)
      if ((mask & bit) !== 0) counts.set(bit, (counts.get(bit) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0
}
