/**
 * Why a column stayed text although most of it is numbers, dates or booleans: the values that prevent another type, or the
 * rule that keeps identifiers as text. Judged by distinct values, weighted by rows.
 */

import { countEnglish } from '../../base/text/numbers.ts'
import { stripDiacritics } from '../../base/text/snake-case.ts'
import type { RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { MixedNotation, NearType } from '../report/decisions.ts'
import { type DistinctText, distinctTexts, INTEGER_DIGITS, sampleTexts, shorten } from './cell-text.ts'
import { readAs } from './conversion.ts'
import { declaredTarget } from './declared-target.ts'
import { LONGEST_SCALAR, type ValueRules } from './inference.ts'
import { inferType } from './load-columns.ts'
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
import { findObstacles, meansNothing, rankTexts, SHOWN_VALUES } from './obstacles.ts'
import type { LoadedColumn, Verdict } from './validation.ts'

/** The type that a column nearly has, its mixed notation, and, in one sentence, why numbers stay text. */
export type Evidence = Readonly<{
  nearly: NearType | null
  notation: MixedNotation | null
  textBecause: string | null
}>

/** From this share of fitting values a column nearly has a type: in names and codes, many may be numbers by chance. */
const NEARLY = 0.9
/** Texts that mean nothing are no texts: more than half of the values suffice. */
const NEARLY_BESIDE_NOTHING = 0.5

export const NO_EVIDENCE: Evidence = { nearly: null, notation: null, textBecause: null }

/** How near a type has to be, and how many of the preventing values are shown. */
const REPORTED = { share: NEARLY, values: SHOWN_VALUES }

interface ReadCells {
  readonly records: EncodedRecords
  readonly rules: ValueRules
}

interface Search extends ReadCells {
  readonly column: LoadedColumn
  readonly raw: RawEntries
  readonly sample: readonly string[]
  /** Number of rows by cell. */
  readonly counts: Uint32Array
  readonly nearness: typeof REPORTED
}

export function findEvidence(
  column: LoadedColumn,
  { records, rules }: ReadCells,
  verdict: Verdict,
  nearness = REPORTED,
): Evidence {
  const { nullValues } = rules
  const raw = records.entriesOf(column.lane)
  if (column.typed.type !== 'string' || column.plan.type !== null) return NO_EVIDENCE
  const sample = sampleTexts(raw).filter((text) => !nullValues.has(text))
  const textBecause = sample.every(isDigits)
    ? nameIdentifiers(raw, nullValues)
    : nameLakhs(raw, sample, nullValues)
  if (textBecause !== null || sample.length === 0) return { ...NO_EVIDENCE, textBecause }
  const { decimalMark } = column.plan
  const counts = records.countCells(column.lane, verdict.refused)
  const search = { column, raw, sample, records, rules, nearness, counts }
  const notation = decimalMark === null ? findNotation(search) : null
  // If fewer values of the sample fit, checking all of them is pointless, unless there are so few that one may be in most
  // rows.
  const isFew = raw.offsets.length <= 1000
  const isMixed = notation !== null || decimalMark !== null
  const likely = findKinds(sample, isMixed).filter((fits) => {
    const fitting = sample.filter(fits).length
    return fitting > 0 && (isFew || fitting >= Math.min(0.8, nearness.share) * sample.length)
  })
  const near = findNearType(search, likely, notation)
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
function findNotation(search: Search): MixedNotation | null {
  const { raw, sample, nearness, rules } = search
  const { nullValues, hasOwnNumbers } = rules
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
  const cells = countRows(found, counts)
  const ranked = rankTexts(found, counts).slice(0, nearness.values)
  const values = ranked.map(({ text, count }) => ({ value: shorten(text), count, ...read(text) }))
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

type Fits = (text: string) => boolean

/** The type of the kind that the most values fit, if nearly all do, and the values that prevent it: it cannot read them. */
function findNearType(search: Search, likely: readonly Fits[], mixed: MixedNotation | null) {
  const { column, raw, rules, nearness, counts } = search
  const { nullValues } = rules
  const texts = likely.length === 0 ? [] : [...distinctTexts(raw, nullValues)]
  const [distinct, rows] = [texts.length, countRows(texts, counts)]
  let best = { share: 0, exceptions: [] as DistinctText[] }
  for (const fits of likely) {
    const exceptions = texts.filter(({ text }) => !fits(text))
    const wrongRows = countRows(exceptions, counts)
    const fitting = Math.max(1 - exceptions.length / distinct, rows === 0 ? 0 : 1 - wrongRows / rows)
    // Rounded down, so that it is 1 only if all values fit.
    const share = Math.floor(1000 * fitting) / 1000
    const isNear = share >= nearness.share || isBesideNothing(share, exceptions)
    if (exceptions.length === 0 || !isNear || share <= best.share) continue
    best = { share, exceptions }
  }
  const { share, exceptions } = best
  if (exceptions.length === 0) return NO_EVIDENCE
  const others = { ...rules, nullValues: new Set([...nullValues, ...exceptions.map(({ text }) => text)]) }
  const inferred = inferType(column.plan, raw, others)
  const type = inferred === 'string' && mixed ? mixed.type : inferred
  const target = declaredTarget(type, raw, { nullValues, styles: stylesBy('.') })
  // The others alone would stay text, for instance as codes.
  if (type === 'string') return NO_EVIDENCE
  const found = findObstacles(type, column.lane, search, counts, nearness.values)
  if (found.exceptions > 0) return { nearly: { type, share, ...found }, notation: null }
  const read = (text: string) => ({ read_as: readAs(text, target) ?? '', otherwise: null })
  return { nearly: null, notation: describeNotation({ type, decimal_mark: null }, exceptions, search, read) }
}

function countRows(texts: readonly DistinctText[], counts: Uint32Array): number {
  return texts.reduce((sum, { cell }) => sum + (counts[cell] as number), 0)
}

function isBesideNothing(share: number, exceptions: readonly DistinctText[]): boolean {
  return share > NEARLY_BESIDE_NOTHING && exceptions.every(({ text }) => meansNothing(text))
}

/** Kinds of values, by a sample: numbers in their most frequent style, dates in their order, and a pair of words. */
function findKinds(sample: readonly string[], isMixed: boolean): Fits[] {
  const texts = sample.filter(({ length }) => length <= LONGEST_SCALAR)
  const style = mostCommonBit(texts.map((text) => matchNumber(text).styles))
  const order = mostCommonBit(texts.map((text) => matchMoment(text).orders))
  const words = new Set(texts.map((text) => stripDiacritics(text)))
  const pair = BOOLEAN_PAIRS.find(([no, yes]) => words.has(no) && words.has(yes))
  const isWhole = (text: string) => /^-?(?:0|[1-9]\d{0,14})$/.test(text)
  const kinds: Fits[] = [
    (text) =>
      style !== 0 && (isWhole(text) || (matchNumber(text).styles & (isMixed ? ALL_STYLES : style)) !== 0),
    (text) => (matchMoment(text).orders & order) !== 0,
    (text) => pair?.includes(stripDiacritics(text)) === true,
  ]
  return kinds.map((fits) => (text) => text.length <= LONGEST_SCALAR && fits(text))
}

function mostCommonBit(masks: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const mask of masks)
    for (let bit = 1; bit <= mask; bit *= 2)
      if ((mask & bit) !== 0) counts.set(bit, (counts.get(bit) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 0
}
