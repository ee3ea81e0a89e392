/**
 * Measures of groups. Counts, sums and codes that several measures need are collected once, in regions with one entry for
 * each group number.
 */

import { parseNumber } from '../columns/entry-keys.ts'
import { findShownCodes } from '../filter/code-counts.ts'
import { entryText } from '../filter/entry-search.ts'
import { BRINGING } from '../kernel/kernel-calls.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'
import { type ColumnNumbers, readColumnNumbers } from './column-numbers.ts'
import { type Decimal, decimalText, digitsAt, meanOf, parseDecimal } from './decimal.ts'
import { type Measure, type ResultColumn, readEachPlace } from './group-query.ts'
import type { RowSteps } from './row-steps.ts'

/** What is collected of a column: how many values, their sum, the least, the greatest, how many distinct ones, the middle ones. */
export type Collected = 'present' | 'sum' | 'least' | 'greatest' | 'distinct' | 'middle'

export interface Collector {
  readonly what: Collected
  readonly column: number
  /** Address of one entry for each group number, its bytes, and the value that each byte starts with. */
  readonly at: number
  readonly bytes: number
  readonly first: number
  /**
   * Adds the steps that collect it at an address or, unless `apart` is 0, at four addresses that are `apart` bytes from each
   * other; null where runs are needed, which see all rows at once.
   */
  readonly add: ((steps: RowSteps, at: number, apart: number) => void) | null
  /** How entries of several shares of the rows are combined; null where they cannot be. */
  readonly bringing: (typeof BRINGING)[keyof typeof BRINGING] | null
  readonly numbers: ColumnNumbers | null
}

/** What the collectors of a query are made for. */
export interface Collecting {
  readonly dataset: OpenDataset
  /** Group numbers, and matching rows. */
  readonly size: number
  readonly total: number
  readonly kept: Scratch
  readonly temporary: Scratch
}

/** Distinct values are marked in a bit set of at most this many bits. */
const MOST_SEEN = 2 ** 28

/** What a measure needs. A count of rows, or of a column without nulls, needs nothing more. */
export function neededOf({ columns }: OpenDataset, { kind, column }: Measure): readonly Collected[] {
  if (column === null) return []
  const present: readonly Collected[] = columns[column]!.nullCount === 0 ? [] : ['present']
  switch (kind) {
    case 'count':
      return present
    case 'count_distinct':
      return ['distinct']
    case 'sum':
    case 'avg':
      return [...present, 'sum']
    case 'min':
      return ['least']
    case 'max':
      return ['greatest']
    case 'median':
      return ['middle']
  }
}

/** @throws DamagedFileError when a segment does not load */
export function* makeCollector(work: Collecting, what: Collected, column: number): Work<Collector> {
  const { size, kept } = work
  switch (what) {
    case 'present':
    case 'least':
    case 'greatest': {
      const first = what === 'least' ? 0xff : 0
      const at = yield* kept.filled(size * 4, first)
      const add = (steps: RowSteps, at: number) => void steps.add(what, steps.codes(column), at)
      const bringing = BRINGING[what === 'present' ? 'sum' : what]
      return { what, column, at, bytes: 4, first, add, bringing, numbers: null }
    }
    case 'sum':
      return yield* sumCollector(work, column)
    case 'distinct':
      return yield* distinctCollector(work, column)
    case 'middle': {
      const at = yield* kept.filled(size * 8)
      return { what, column, at, bytes: 8, first: 0, add: null, bringing: null, numbers: null }
    }
  }
}

function* sumCollector(
  { dataset, size, total, kept, temporary }: Collecting,
  column: number,
): Work<Collector> {
  const numbers = yield* readColumnNumbers(dataset, column, total, temporary)
  const { kind, limbs, width, places } = numbers
  const bytes = 8 * limbs
  const at = yield* kept.filled(size * bytes)
  const add = (steps: RowSteps, at: number, apart: number) => {
    const codes = kind === 'byCode' ? steps.codes(column) : 0
    const read =
      kind === 'byRow'
        ? steps.numbers(numbers.at, width)
        : kind === 'parsed'
          ? steps.parsed(column, places)
          : 0
    const byCode = kind === 'byCode' ? numbers.at : 0
    if (limbs === 1) steps.add('add', codes, read, byCode, width, at, apart)
    else steps.add('addLimbs', codes, read, byCode, limbs, at)
  }
  return { what: 'sum', column, at, bytes, first: 0, add, bringing: BRINGING.wideSum, numbers }
}

function* distinctCollector({ dataset, size, kept, temporary }: Collecting, column: number): Work<Collector> {
  const at = yield* kept.filled(size * 4)
  const common = { what: 'distinct' as const, column, at, bytes: 4, first: 0, bringing: null, numbers: null }
  const values = dataset.columns[column]!.distinct + 1
  if (size * values > MOST_SEEN) return { ...common, add: null }
  const bytes = Math.ceil((size * values) / 8)
  const seen = yield* temporary.filled(bytes)
  const ranks = dataset.segment(column, 'ranks')
  const add = (steps: RowSteps, at: number) =>
    void steps.add('countNew', steps.codes(column), ranks, values, seen, at)
  return { ...common, add }
}

type FindCollector = (what: Collected, column: number) => Collector | undefined

/**
 * A measure as a result, by group number.
 * @param counts address of each group's number of rows
 * @throws DamagedFileError when a segment does not load
 */
export function* readMeasure(
  dataset: OpenDataset,
  { kind, column }: Measure,
  counts: number,
  find: FindCollector,
): Work<ResultColumn> {
  if (column === null) return countResult(dataset, counts)
  const present = find('present', column)?.at ?? counts
  switch (kind) {
    case 'count':
      return countResult(dataset, present)
    case 'count_distinct':
      return countResult(dataset, find('distinct', column)!.at)
    case 'sum':
    case 'avg':
      return sumResult(dataset, kind, find('sum', column)!, present)
    case 'min':
    case 'max':
      return yield* extremeResult(dataset, find(kind === 'min' ? 'least' : 'greatest', column)!)
    case 'median':
      return medianResult(dataset, find('middle', column)!)
  }
}

function countResult({ regions }: OpenDataset, at: number): ResultColumn {
  const countOf = (group: number) => regions.words[at / 4 + group]!
  const readPlaces = (groups: Uint32Array, places: Float64Array) => {
    const { words } = regions
    for (let i = 0; i < groups.length; i++) places[i] = words[at / 4 + groups[i]!]!
  }
  return { places: 'values', readPlaces, textOf: (group) => String(countOf(group)) }
}

/** The highest power of ten that a double holds exactly. */
const EXACT_POWER = 22
const LOW_WORD = 2 ** 32

function sumResult(
  { regions }: OpenDataset,
  kind: 'sum' | 'avg',
  { at, numbers }: Collector,
  counts: number,
): ResultColumn {
  const { limbs, places, most } = numbers!
  const valueAt = (group: number) => {
    const sum = { digits: digitsOf(regions.words, at / 4 + group * limbs * 2, limbs), places }
    return kind === 'sum' ? sum : meanOf(sum, regions.words[counts / 4 + group]!)
  }
  const isSimple = limbs === 1 && places <= EXACT_POWER
  return {
    places: isSimple && kind === 'sum' && most <= BigInt(Number.MAX_SAFE_INTEGER) ? 'values' : 'near',
    isSame: (a, b) => {
      const { words } = regions
      const [left, right] = [words[counts / 4 + a]!, words[counts / 4 + b]!]
      if (kind === 'avg' && left !== right) return false
      for (let word = 0; word < limbs * 2; word++)
        if (words[at / 4 + a * limbs * 2 + word] !== words[at / 4 + b * limbs * 2 + word]) return false
      return true
    },
    readPlaces: isSimple
      ? (groups, target) => {
          const { words } = regions
          const unit = 10 ** places
          for (let i = 0; i < groups.length; i++) {
            const count = words[counts / 4 + groups[i]!]!
            const word = at / 4 + groups[i]! * 2
            const sum = ((words[word + 1]! | 0) * LOW_WORD + words[word]!) / unit
            target[i] = count === 0 ? Number.NaN : kind === 'sum' ? sum : sum / count
          }
        }
      : readEachPlace((group) =>
          regions.words[counts / 4 + group] === 0 ? Number.NaN : Number(decimalText(valueAt(group))),
        ),
    textOf: (group) => (regions.words[counts / 4 + group] === 0 ? null : decimalText(valueAt(group))),
  }
}

/** The sum at an index of `words`: one part of two words for each limb. */
function digitsOf(words: Uint32Array, index: number, limbs: number): bigint {
  let digits = 0n
  for (let limb = limbs - 1; limb >= 0; limb--) {
    const part = (BigInt(words[index + limb * 2 + 1]! | 0) << 32n) + BigInt(words[index + limb * 2]!)
    digits = (digits << 32n) + part
  }
  return digits
}

function* extremeResult(dataset: OpenDataset, { what, column, at }: Collector): Work<ResultColumn> {
  const { regions } = dataset
  const shown = yield* findShownCodes(dataset, column)
  const ranks = dataset.segment(column, 'ranks')
  // The least code is stored minus one; the result 0 means none.
  const codeOf = (group: number) => (regions.words[at / 4 + group]! + (what === 'least' ? 1 : 0)) >>> 0
  const rankOf = (code: number) => (shown === null ? code : regions.words[ranks / 4 + code]!)
  return {
    readPlaces: readEachPlace((group) => {
      const code = codeOf(group)
      return code === 0 ? Number.NaN : rankOf(code)
    }),
    places: 'ranks',
    textOf: (group) => {
      const code = codeOf(group)
      if (code === 0) return null
      return entryText(dataset, column, shown === null ? code : shown[rankOf(code)]!)
    },
  }
}

function medianResult(dataset: OpenDataset, { column, at }: Collector): ResultColumn {
  const { regions } = dataset
  const offsets = dataset.segment(column, 'offsets') / 4
  const heap = dataset.segment(column, 'heap')
  const lowOf = (group: number) => regions.words[at / 4 + 2 * group]!
  const highOf = (group: number) => regions.words[at / 4 + 2 * group + 1]!
  const numberOf = (code: number) => parseDecimal(entryText(dataset, column, code))
  const medianOf = (group: number): Decimal => {
    const low = numberOf(lowOf(group))
    if (lowOf(group) === highOf(group)) return low
    const high = numberOf(highOf(group))
    const places = Math.max(low.places, high.places)
    return meanOf({ digits: digitsAt(low, places) + digitsAt(high, places), places }, 2)
  }
  const nearOf = (code: number) => {
    const { bytes, words } = regions
    return parseNumber(bytes, heap + words[offsets + code - 1]!, heap + words[offsets + code]!)
  }
  return {
    readPlaces: readEachPlace((group) => {
      if (lowOf(group) === 0) return Number.NaN
      const low = nearOf(lowOf(group))
      const high = nearOf(highOf(group))
      // The mean of a negative and a positive number may be much smaller than the error of either.
      return low < 0 && high > 0 ? Number(decimalText(medianOf(group))) : low / 2 + high / 2
    }),
    isSame: (a, b) => lowOf(a) === lowOf(b) && highOf(a) === highOf(b),
    places: 'near',
    textOf: (group) => {
      const [low, high] = [lowOf(group), highOf(group)]
      if (low === 0) return null
      return low === high ? entryText(dataset, column, low) : decimalText(medianOf(group))
    },
  }
}
