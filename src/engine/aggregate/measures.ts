/** Measures of groups. */

import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Work } from '../turns.ts'
import { type Decimal, decimalText, digitsAt, meanOf, parseDecimal } from './decimal.ts'
import { textReader } from './group-keys.ts'
import type { ResultColumn } from './groups.ts'
import type { Measure } from './query.ts'
import { findShownCodes } from './shown-spelling.ts'

interface Measured {
  readonly column: number | null
  readonly add: (group: number, code: number) => void
  readonly result: ResultColumn
}

/** @throws DamagedFileError when a segment does not load */
export function* makeMeasure(dataset: OpenDataset, { kind, column }: Measure): Work<Measured> {
  const counts: number[] = []
  const addCount = (group: number) => {
    counts[group] = (counts[group] ?? 0) + 1
  }
  if (column === null) return { column, add: addCount, result: countResult((group) => counts[group] ?? 0) }
  if (kind === 'count') {
    const add = (group: number, code: number) => {
      if (code !== 0) addCount(group)
    }
    return { column, add, result: countResult((group) => counts[group] ?? 0) }
  }
  const codesOf: number[][] = []
  const add = (group: number, code: number) => {
    codesOf[group] ??= []
    if (code !== 0) codesOf[group].push(code)
  }
  const textOf = textReader(dataset, column)
  const numberOf = (code: number) => parseDecimal(textOf(code))
  const shown = yield* findShownCodes(dataset, column)
  const ranks = dataset.segment(column, 'ranks')
  const rankOf = (code: number) => (ranks === 0 ? code : dataset.regions.words[ranks / 4 + code]!)
  const decimal = (decimalOf: (codes: number[]) => Decimal): ResultColumn => ({
    placeOf: (group) => {
      const codes = codesOf[group] ?? []
      return codes.length === 0 ? Number.NaN : Number(decimalText(decimalOf(codes)))
    },
    isExact: false,
    textOf: (group) => {
      const codes = codesOf[group] ?? []
      return codes.length === 0 ? null : decimalText(decimalOf(codes))
    },
  })
  const extreme = (choose: (codes: number[]) => number): ResultColumn => {
    const rank = (group: number) => choose((codesOf[group] ?? []).map(rankOf))
    return {
      placeOf: (group) => (codesOf[group]?.length ? rank(group) : Number.NaN),
      isExact: true,
      textOf: (group) =>
        codesOf[group]?.length ? textOf(shown === null ? rank(group) : shown[rank(group)]!) : null,
    }
  }
  switch (kind) {
    case 'count_distinct':
      return { column, add, result: countResult((group) => new Set((codesOf[group] ?? []).map(rankOf)).size) }
    case 'sum':
      return { column, add, result: decimal((codes) => sumOf(codes.map(numberOf))) }
    case 'avg':
      return { column, add, result: decimal((codes) => meanOf(sumOf(codes.map(numberOf)), codes.length)) }
    case 'min':
      return { column, add, result: extreme((ranks) => ranks.reduce((a, b) => Math.min(a, b))) }
    case 'max':
      return { column, add, result: extreme((ranks) => ranks.reduce((a, b) => Math.max(a, b))) }
    case 'median':
      return { column, add, result: decimal((codes) => medianOf(codes, numberOf)) }
  }
}

function countResult(countOf: (group: number) => number): ResultColumn {
  return { placeOf: countOf, isExact: true, textOf: (group) => String(countOf(group)) }
}

function sumOf(numbers: readonly Decimal[]): Decimal {
  const places = Math.max(...numbers.map((number) => number.places))
  return { digits: numbers.reduce((sum, number) => sum + digitsAt(number, places), 0n), places }
}

function medianOf(codes: readonly number[], numberOf: (code: number) => Decimal): Decimal {
  const sorted = codes.toSorted((a, b) => a - b)
  const low = sorted[(sorted.length - 1) >> 1]!
  const high = sorted[sorted.length >> 1]!
  return low === high ? numberOf(low) : meanOf(sumOf([numberOf(low), numberOf(high)]), 2)
}
