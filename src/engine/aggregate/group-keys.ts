/** What rows are grouped by, as numbers in the groups' order: the values of a column, or the parts of its dates. */

import { findShownCodes } from '../filter/code-counts.ts'
import { entryText } from '../filter/entry-search.ts'
import type { OpenDataset } from '../memory/open-dataset.ts'
import type { Scratch } from '../memory/scratch.ts'
import type { Work } from '../turns.ts'
import type { DatePart, GroupKey } from './group-query.ts'

export interface KeyColumn {
  readonly column: number
  /** How many values there are. They are numbered from 0; null comes last and has this number. */
  readonly values: number
  /** The same, counting null where there are nulls. */
  readonly size: number
  /** Address of four bytes for each code: the number of its value plus one, 0 for null. Address 0: that is the code. */
  readonly table: number
  readonly textOf: (value: number) => string | null
}

const DATES_BLOCK = 2 ** 15

/**
 * @param scratch takes the table
 * @throws DamagedFileError when a segment does not load
 */
export function* readKey(
  dataset: OpenDataset,
  { column, part }: GroupKey,
  scratch: Scratch,
): Work<KeyColumn> {
  if (part !== null) return yield* readParts(dataset, column, part, scratch)
  const { distinct } = dataset.columns[column]!
  const shown = yield* findShownCodes(dataset, column)
  const values = shown === null ? distinct : shown.length - 1
  const textOf = (value: number) =>
    value === values ? null : entryText(dataset, column, shown === null ? value + 1 : shown[value + 1]!)
  // Ranks are the numbers that a table holds.
  const table = dataset.segment(column, 'ranks')
  return { column, values, size: sizeOf(dataset, column, values), table, textOf }
}

function sizeOf(dataset: OpenDataset, column: number, values: number): number {
  return Math.max(1, values + (dataset.columns[column]!.nullCount > 0 ? 1 : 0))
}

/** Dates are in order, and so are their parts: a new part begins where the start of the text changes. */
function* readParts(dataset: OpenDataset, column: number, part: DatePart, scratch: Scratch): Work<KeyColumn> {
  const { distinct } = dataset.columns[column]!
  const offsets = dataset.segment(column, 'offsets') / 4
  const heap = dataset.segment(column, 'heap')
  const table = yield* scratch.filled((distinct + 1) * 4)
  const firsts: number[] = []
  for (let from = 1; from <= distinct; from += DATES_BLOCK) {
    const until = Math.min(from + DATES_BLOCK, distinct + 1)
    const { bytes, words } = dataset.regions
    for (let code = from; code < until; code++) {
      const before = code === 1 ? -1 : heap + words[offsets + code - 2]!
      if (before < 0 || !isSamePart(bytes, before, heap + words[offsets + code - 1]!, part)) firsts.push(code)
      words[table / 4 + code] = firsts.length
    }
    yield
  }
  const values = firsts.length
  const textOf = (value: number) =>
    value === values ? null : partText(entryText(dataset, column, firsts[value]!), part)
  return { column, values, size: sizeOf(dataset, column, values), table, textOf }
}

const PART_LENGTHS: Readonly<Record<DatePart, number>> = { year: 4, quarter: 4, month: 7, day: 10 }

/** The quarter, 0 to 3, of the date at an address. */
function quarterAt(bytes: Uint8Array, at: number): number {
  const month = (bytes[at + 5]! - 0x30) * 10 + bytes[at + 6]! - 0x30
  return Math.floor((month - 1) / 3)
}

function isSamePart(bytes: Uint8Array, left: number, right: number, part: DatePart): boolean {
  for (let k = 0; k < PART_LENGTHS[part]; k++) if (bytes[left + k] !== bytes[right + k]) return false
  return part !== 'quarter' || quarterAt(bytes, left) === quarterAt(bytes, right)
}

/** `2024`, `2024-Q1`, `2024-01` or `2024-01-31` of a date or datetime. */
function partText(date: string, part: DatePart): string {
  const text = date.slice(0, PART_LENGTHS[part])
  if (part === 'year') return String(Number(text))
  return part === 'quarter' ? `${text}-Q${quarterAt(Buffer.from(date, 'latin1'), 0) + 1}` : text
}
