/** Groups the rows that filters match, and measures each group. */

import type { Matches } from '../filter/matches.ts'
import { gatherRows } from '../filter/matching-rows.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Work } from '../turns.ts'
import { type KeyColumn, readKey } from './group-keys.ts'
import type { Groups, ResultColumn } from './groups.ts'
import { makeMeasure } from './measures.ts'
import { type GroupsQuery, MOST_GROUPS, TooManyGroupsError } from './query.ts'

const BLOCK = 4096
const ROW_COST = 400

/**
 * @throws TooManyGroupsError
 * @throws DamagedFileError when a segment does not load
 */
export function* groupRows(
  dataset: OpenDataset,
  matches: Matches,
  { groups, measures }: GroupsQuery,
): Work<Groups> {
  const keys: KeyColumn[] = []
  for (const group of groups) keys.push(yield* readKey(dataset, group))
  const measured = []
  for (const measure of measures) measured.push(yield* makeMeasure(dataset, measure))
  const valuesOf = keys.map((): number[] => [])
  const numbers = new Map<string, number>()
  if (keys.length === 0) numbers.set('', 0)
  const rows = dataset.regions.allocate(BLOCK * 4)
  try {
    for (let next = 0; next < dataset.rows; ) {
      const count = gatherRows(dataset, matches, next, rows, BLOCK)
      if (count === 0) break
      const listed = dataset.regions.words.slice(rows / 4, rows / 4 + count)
      for (const row of listed) {
        const values = keys.map(({ column, numberOf, values: nulls }) => {
          const code = codeAt(dataset, column, row)
          return numberOf ? numberOf[code]! : code === 0 ? nulls : code - 1
        })
        const name = values.join()
        let group = numbers.get(name)
        if (group === undefined) {
          group = numbers.size
          if (group === MOST_GROUPS) throw new TooManyGroupsError(largestKey(keys))
          numbers.set(name, group)
          for (const [key, value] of values.entries()) valuesOf[key]!.push(value)
        }
        for (const { column, add } of measured) add(group, column === null ? 0 : codeAt(dataset, column, row))
      }
      next = listed[count - 1]! + 1
      yield count * ROW_COST
    }
  } finally {
    dataset.regions.release(rows)
  }
  const keyResults = keys.map(
    ({ values, textOf }, key): ResultColumn => ({
      placeOf: (group) => {
        const value = valuesOf[key]![group]!
        return value === values ? Number.NaN : value
      },
      isExact: true,
      textOf: (group) => textOf(valuesOf[key]![group]!),
    }),
  )
  return {
    count: numbers.size,
    results: [...keyResults, ...measured.map(({ result }) => result)],
    isOrdered: keys.length === 0,
    release: () => {},
  }
}

/** The grouped column with most values. */
function largestKey(keys: readonly KeyColumn[]): number {
  return keys.toSorted((a, b) => b.values - a.values)[0]!.column
}

function codeAt(dataset: OpenDataset, column: number, row: number): number {
  const { codeWidth } = dataset.columns[column]!
  const at = dataset.segment(column, 'codes') + row * codeWidth
  const { bytes, words } = dataset.regions
  if (codeWidth === 4) return words[at / 4]!
  return codeWidth === 2 ? bytes[at]! | (bytes[at + 1]! << 8) : bytes[at]!
}
