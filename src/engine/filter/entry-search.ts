/** Binary search for filter values in a column's sorted dictionary. */

import { fold } from '../../base/text/fold.ts'
import { orderKey } from '../../base/text/order.ts'
import type { ColumnType, Value } from '../columns/column.ts'
import { ASCII_KEYS, instantEnd, parseNumber } from '../columns/entry-keys.ts'
import { compareBytes } from '../columns/entry-order.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Compares the entry `bytes[from .. to)` with the value searched for: negative when the entry comes first. */
type CompareEntry = (bytes: Uint8Array, from: number, to: number) => number

/** The text of code 1..distinct of a column. */
export function entryText(dataset: OpenDataset, column: number, code: number): string {
  const offsets = dataset.segment(column, 'offsets') / 4
  const heap = dataset.segment(column, 'heap')
  const { bytes, words } = dataset.regions
  return decoder.decode(bytes.subarray(heap + words[offsets + code - 1]!, heap + words[offsets + code]!))
}

const DATE_LENGTH = 10

/**
 * The codes `[low, high]` of the entries equal to `value`; `low > high` when there are none, and `low` is its place. Every
 * moment of a day is equal to its date.
 */
export function findEqual(dataset: OpenDataset, column: number, value: Value): [low: number, high: number] {
  const { type, distinct, segments } = dataset.columns[column]!
  const compare = comparison(type, value)
  const low = firstNotBefore(dataset, column, compare)
  // Without ranks no two entries compare equal, except those of one day.
  const isDay = type === 'datetime' && String(value).length === DATE_LENGTH
  const highest = segments.ranks === undefined && !isDay ? Math.min(low, distinct) : distinct
  return [low, firstBehind(dataset, column, compare, low, highest) - 1]
}

/** The codes `[low, high]` of the texts that start with `prefix`; `low > high` when there are none. */
export function findPrefix(
  dataset: OpenDataset,
  column: number,
  prefix: string,
): [low: number, high: number] {
  const key = orderKey(fold(prefix))
  const compare: CompareEntry = (bytes, from, to) => compareText(bytes, from, to, key, true)
  const low = firstNotBefore(dataset, column, compare)
  return [low, firstBehind(dataset, column, compare, low, dataset.columns[column]!.distinct) - 1]
}

function firstNotBefore(dataset: OpenDataset, column: number, compare: CompareEntry): number {
  const { distinct } = dataset.columns[column]!
  return search(dataset, column, 1, distinct, (bytes, from, to) => compare(bytes, from, to) >= 0)
}

function firstBehind(
  dataset: OpenDataset,
  column: number,
  compare: CompareEntry,
  lowest: number,
  highest: number,
): number {
  return search(dataset, column, lowest, highest, (bytes, from, to) => compare(bytes, from, to) > 0)
}

/** The first code from `lowest` to `highest` for which `reached` holds, as it does for all after it; else `highest + 1`. */
function search(
  dataset: OpenDataset,
  column: number,
  lowest: number,
  highest: number,
  reached: (bytes: Uint8Array, from: number, to: number) => boolean,
): number {
  const offsets = dataset.segment(column, 'offsets') / 4
  const heap = dataset.segment(column, 'heap')
  const { bytes, words } = dataset.regions
  let low = lowest
  let high = highest + 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (reached(bytes, heap + words[offsets + middle - 1]!, heap + words[offsets + middle]!)) high = middle
    else low = middle + 1
  }
  return low
}

function comparison(type: ColumnType, value: Value): CompareEntry {
  if (type === 'integer' || type === 'decimal') {
    return (bytes, from, to) => parseNumber(bytes, from, to) - Number(value)
  }
  if (type === 'string') {
    const key = orderKey(fold(String(value)))
    return (bytes, from, to) => compareText(bytes, from, to, key, false)
  }
  const text = Buffer.from(String(value), 'latin1')
  if (type !== 'datetime') return (bytes, from, to) => compareBytes(bytes, from, to, text, 0, text.length)
  if (text.length === DATE_LENGTH)
    return (bytes, from) => compareBytes(bytes, from, from + DATE_LENGTH, text, 0, DATE_LENGTH)
  const end = instantEnd(text, 0, text.length)
  return (bytes, from, to) => compareBytes(bytes, from, instantEnd(bytes, from, to), text, 0, end)
}

/**
 * Compares an entry's order key with `key`; with `prefix`, an entry that starts with it counts as equal. ASCII is
 * compared unchanged; a character followed by anything else may combine with it, so then the whole text is folded.
 */
function compareText(bytes: Uint8Array, from: number, to: number, key: string, prefix: boolean): number {
  const shared = Math.min(to - from, key.length)
  for (let k = 0; k < shared; k++) {
    const byte = bytes[from + k]!
    const isPlain = byte < 0x80 && (from + k + 1 === to || bytes[from + k + 1]! < 0x80)
    if (!isPlain) return compareFolded(bytes, from, to, key, prefix)
    const difference = ASCII_KEYS[byte]! - key.charCodeAt(k)
    if (difference !== 0) return difference
  }
  const longer = to - from - key.length
  return prefix && longer > 0 ? 0 : longer
}

function compareFolded(bytes: Uint8Array, from: number, to: number, key: string, prefix: boolean): number {
  const whole = orderKey(fold(decoder.decode(bytes.subarray(from, to))))
  const entry = prefix ? whole.slice(0, key.length) : whole
  if (entry === key) return 0
  return entry < key ? -1 : 1
}
