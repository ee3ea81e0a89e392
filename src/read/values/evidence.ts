/**
 * Why a column of the file stayed text although most of it is numbers, dates or booleans: the values that prevent it, or
 * the rule that keeps identifiers as they are. Judged by distinct values; rows only give them their weight.
 */

import { stripDiacritics } from '../../base/text/snake-case.ts'
import type { ColumnType, RawEntries } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { adviseOption } from '../definition/read-options.ts'
import type { NearType } from '../report/decisions.ts'
import { mayBeGrouped } from '../source/spreadsheet/number-text.ts'
import { type DistinctText, distinctTexts, INTEGER_DIGITS, sampleTexts, shorten } from './cell-text.ts'
import { LONGEST_SCALAR } from './inference.ts'
import { matchMoment } from './moments.ts'
import { BOOLEAN_PAIRS, type DecimalMark, LAKH_GROUPS, matchNumber } from './numbers.ts'
import type { LoadedColumn, Verdict } from './validation.ts'

/** The type that a column nearly is, and why numbers stay text, in one sentence. */
export type Evidence = Readonly<{ nearly: NearType | null; textBecause: string | null }>

/** From this share on a column is nearly of a type. */
const NEARLY = 0.9
const SHOWN_VALUES = 5

const NOTHING: Evidence = { nearly: null, textBecause: null }

/** How near a type has to be, and how many of the values in its way are shown. */
const REPORTED = { share: NEARLY, values: SHOWN_VALUES }

/** @param nullValues texts that mean null */
export function findEvidence(
  column: LoadedColumn,
  records: EncodedRecords,
  verdict: Verdict,
  nullValues: ReadonlySet<string>,
  nearness = REPORTED,
): Evidence {
  const raw = records.entriesOf(column.lane)
  if (column.typed.type !== 'string' || column.plan.type !== null) return NOTHING
  const sample = sampleTexts(raw).filter((text) => !nullValues.has(text))
  const textBecause = sample.every(isDigits)
    ? nameIdentifiers(raw, nullValues)
    : (nameLakhs(raw, sample, nullValues) ?? nameBothMarks(sample))
  if (textBecause !== null || sample.length === 0) return { nearly: null, textBecause }
  // A sample in which fewer values fit speaks against looking at all of them, unless there are so few that one of them may
  // be in most rows.
  const isFew = raw.offsets.length <= 1000
  const likely = [...candidates(sample)].filter(({ fits }) => {
    const fitting = sample.filter(fits).length
    return fitting > 0 && (isFew || fitting >= Math.min(0.8, nearness.share) * sample.length)
  })
  if (likely.length === 0) return NOTHING
  const counts = records.countCells(column.lane, verdict.refused)
  return { textBecause, nearly: findNearType(raw, likely, counts, nullValues, nearness) }
}

function isDigits(text: string): boolean {
  return /^[-+]?\d+$/.test(text)
}

/** Each rule that keeps digits as text, in the order in which one is named. */
const IDENTIFIERS = [
  { fits: /^[-+]?0\d/, because: 'begin with 0, which a number would lose' },
  {
    fits: new RegExp(`^[-+]?\\d{${INTEGER_DIGITS + 1},}$`),
    because: `have more than ${INTEGER_DIGITS} digits, which a number would not keep`,
  },
  { fits: /^\+/, because: 'begin with +, as telephone numbers do' },
] as const

/** The rule that keeps a column of digits as text; null when it has anything else. */
function nameIdentifiers(raw: RawEntries, nullValues: ReadonlySet<string>): string | null {
  const found = IDENTIFIERS.map((rule) => ({ ...rule, count: 0, example: '' }))
  const lengths = new Set<number>()
  let total = 0
  for (const { text } of distinctTexts(raw)) {
    if (nullValues.has(text)) continue
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
    return `${rule.count} of its ${total} different values, such as '${example}', ${rule.because}`
  }
  const [digits] = lengths
  if (lengths.size !== 1) return null
  return `all of its ${total} different values have ${digits} digits, as codes do and quantities do not`
}

/** What only a number grouped in lakh has: two digits between its groups. */
const HAS_LAKH = /^-?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/

/** That most numbers of a column are grouped as in India; null when it has no such number or many other texts. */
function nameLakhs(
  raw: RawEntries,
  sample: readonly string[],
  nullValues: ReadonlySet<string>,
): string | null {
  if (!sample.some((text) => HAS_LAKH.test(text))) return null
  const isNumber = (text: string) =>
    LAKH_GROUPS.pattern.test(text) || /^-?\d{1,3},\d{3}(?:\.\d+)?$/.test(text)
  const texts = [...distinctTexts(raw)].map(({ text }) => text).filter((text) => !nullValues.has(text))
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

/** That a column has decimals with a point and with a comma; null when it has not, or many other texts. */
function nameBothMarks(sample: readonly string[]): string | null {
  const fits = (text: string, mark: DecimalMark) => {
    const { styles, fractional } = matchNumber(text)
    return (styles & fractional) !== 0 && text.lastIndexOf(mark) > 0 && !mayBeGrouped(text)
  }
  const point = sample.find((text) => fits(text, '.'))
  const comma = sample.find((text) => fits(text, ','))
  const numbers = sample.filter((text) => isDigits(text) || matchNumber(text).styles !== 0)
  if (!point || !comma || numbers.length < NEARLY * sample.length) return null
  const either = sample.find(mayBeGrouped)
  const advice =
    either === undefined ? `"type": "decimal" in a definition reads both` : `'${either}' could be either`
  return `values such as '${point}' and '${comma}' have different decimal marks: ${advice}`
}

type Candidate = Readonly<{ type: ColumnType; fits: (text: string) => boolean }>

/** The type that most of all values fit, when nearly all do. */
function findNearType(
  raw: RawEntries,
  likely: readonly Candidate[],
  counts: Uint32Array,
  nullValues: ReadonlySet<string>,
  nearness: typeof REPORTED,
): NearType | null {
  let best: NearType | null = null
  for (const { type, fits } of likely) {
    const exceptions: DistinctText[] = []
    let distinct = 0
    let rows = 0
    for (const found of distinctTexts(raw)) {
      if (nullValues.has(found.text)) continue
      distinct++
      rows += counts[found.cell] as number
      if (!fits(found.text)) exceptions.push(found)
    }
    const wrongRows = exceptions.reduce((sum, { cell }) => sum + (counts[cell] as number), 0)
    const fitting = Math.max(1 - exceptions.length / distinct, rows === 0 ? 0 : 1 - wrongRows / rows)
    // Rounded down: what is not of a type throughout is never 1.
    const share = Math.floor(1000 * fitting) / 1000
    if (exceptions.length === 0 || share < nearness.share || share <= (best?.share ?? 0)) continue
    const totals = new Map<string, number>()
    for (const { cell, text } of exceptions)
      totals.set(text, (totals.get(text) ?? 0) + (counts[cell] as number))
    const values = [...totals]
      .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
      .slice(0, nearness.values)
      .map(([value, count]) => ({ value: shorten(value), count }))
    best = { type, share, exceptions: exceptions.length, values }
  }
  return best
}

/** Numbers in the style that most of a sample fits, dates in their order, booleans in their pair of words. */
function* candidates(sample: readonly string[]): Generator<Candidate> {
  const texts = sample.filter(({ length }) => length <= LONGEST_SCALAR)
  const matched = texts.map((text) => matchNumber(text))
  const style = mostCommonBit(matched.map(({ styles }) => styles))
  if (style !== 0) {
    const isDecimal = matched.some(({ styles, fractional }) => (fractional & styles & style) !== 0)
    const isNumber = (text: string) =>
      /^-?(?:0|[1-9]\d{0,14})$/.test(text) || (matchNumber(text).styles & style) !== 0
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
