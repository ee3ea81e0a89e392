/**
 * Finds columns whose values change places further down, as when a second file with another column order was appended: the
 * last values of each are like the first ones of another, and unlike its own first ones.
 */

import { isMissingMark } from '../structure/cell-kinds.ts'
import { looksTyped } from '../widths/fit.ts'
import type { EncodedRecords } from './encoded-records.ts'

/** Share of the values at the end that are like another column's. */
const MOVED_SHARE = 0.5
/** Log odds from which a value belongs to one of two columns; the count assumed for what was never seen. */
const SURE = 1
const UNSEEN = 0.5

/** What characterizes a value: itself, its first and last word, its form; for numbers and dates only the form. */
type Traits = readonly string[]

/** Sampled values at one end of a column, how often each trait occurs among them, and how many of them are different. */
type End = Readonly<{ values: readonly Traits[]; traits: ReadonlyMap<string, number>; different: number }>

/**
 * @returns null: no columns change places; else the lanes, each of which continues with what the next one begins with, and
 * the last one with what the first one begins with; and the first row of the other order
 */
export function findExchange(records: EncodedRecords): { lanes: readonly number[]; row: number } | null {
  const { rows, cells } = records
  // Samples come from an eighth of the rows at either end; from a quarter if there are few rows.
  const span = Math.max(Math.floor(rows / 8), Math.min(Math.floor(rows / 4), 20))
  if (cells.length < 2 || rows < 40) return null
  const count = Math.min(span, 100)
  const samples = Array.from({ length: count }, (_, at) => Math.floor((at * span) / count))
  const readEnd = (lane: number, from: number): End => {
    const rows = samples.map((row) => from + row)
    const ids = records.pickIds(lane, rows).filter((id) => id !== 0)
    const values = ids.map((id) => traitsOf(records, lane, id)).filter((traits) => traits.length > 0)
    const traits = new Map<string, number>()
    for (const trait of values.flat()) traits.set(trait, (traits.get(trait) ?? 0) + 1)
    return { values, traits, different: new Set(ids).size }
  }
  const heads = cells.map((_, lane) => readEnd(lane, 0))
  const tails = cells.map((_, lane) => readEnd(lane, rows - span))
  // In these columns, enough values at the end have a trait that is rare at the beginning.
  const moving = [...cells.keys()].filter((lane) => {
    const [{ values }, head] = [tails[lane], heads[lane]] as [End, End]
    if (Math.min(values.length, head.values.length) < 8) return false
    const rare = values.filter((value) => value.some((trait) => shareOf(head, trait) < Math.exp(-SURE)))
    return rare.length >= MOVED_SHARE * values.length
  })
  // Every one is compared with every other.
  if (moving.length > 200) return null
  const homes = cells.map((_, lane) =>
    moving.includes(lane) ? moving.filter((at) => goesOnWith(tails, lane, heads, at)) : [],
  )
  // A few values may be like others by chance, but not in both directions.
  const lanes = findCycle(homes.map((some, lane) => some.filter((at) => goesOnWith(heads, at, tails, lane))))
  const different = lanes.reduce((sum, lane) => sum + (tails[lane] as End).different, 0)
  // Fewer different values may be flags that merely changed.
  return different < 4 ? null : { lanes, row: findChange(records, lanes, heads) }
}

/** @returns none for a blank cell */
function traitsOf(records: EncodedRecords, lane: number, id: number): Traits {
  const text = records.textOf(lane, id).trim()
  if (text === '' || isMissingMark(text)) return []
  if (looksTyped(text)) return [text.replace(/\d+/g, '9')]
  const words = text.split(/\s+/)
  const form = text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/\p{Ll}+/gu, 'a')
    .replace(/\d+/g, '9')
  const ends = words.length > 1 ? [`${words[0]} …`, `… ${words.at(-1)}`] : []
  return [`=${text}`, ...ends, form]
}

/** Positive if a value rather belongs to the other column. */
function oddsOf(value: Traits, own: End, other: End): number {
  return value.reduce((sum, trait) => sum + Math.log(shareOf(other, trait) / shareOf(own, trait)), 0)
}

function shareOf({ traits, values }: End, trait: string): number {
  return ((traits.get(trait) ?? 0) + UNSEEN) / (values.length + 2 * UNSEEN)
}

/** Whether a column's values at one end are like those of another column at the other end, and unlike its own there. */
function goesOnWith(ends: readonly End[], lane: number, others: readonly End[], at: number): boolean {
  const [own, other] = [others[lane] as End, others[at] as End]
  const { values } = ends[lane] as End
  const mostStaying = 0.25 * values.length
  const mostOthers = (1 - MOVED_SHARE) * values.length
  let [strange, staying] = [0, 0]
  return (
    at !== lane &&
    values.every((value) => {
      const odds = oddsOf(value, own, other)
      if (odds <= SURE) strange++
      if (odds < -SURE) staying++
      return strange <= mostOthers && staying <= mostStaying
    })
  )
}

/** A cycle of lanes, each of which continues with what the next one begins with; empty if there is none. */
function findCycle(homes: readonly (readonly number[])[]): readonly number[] {
  const closed = new Set<number>()
  const follow = (path: readonly number[]): readonly number[] => {
    const at = path.at(-1) as number
    if (homes[at]?.includes(path[0] as number)) return path
    closed.add(at)
    for (const next of homes[at] ?? []) {
      const found = closed.has(next) ? [] : follow([...path, next])
      if (found.length > 0) return found
    }
    return []
  }
  for (const lane of homes.keys()) {
    closed.clear()
    const found = follow([lane])
    if (found.length > 0) return found
  }
  return []
}

/** The row from which the values are like those of the other columns. */
function findChange(records: EncodedRecords, lanes: readonly number[], heads: readonly End[]): number {
  const balance = new Int8Array(records.rows)
  for (const [at, lane] of lanes.entries()) {
    const [own, other] = [heads[lane], heads[lanes[(at + 1) % lanes.length] as number]] as [End, End]
    const known = new Map<number, number>()
    let row = 0
    for (const ids of records.idsOf(lane))
      for (const id of ids) {
        let side = known.get(id)
        if (side === undefined) {
          const odds = oddsOf(traitsOf(records, lane, id), own, other)
          side = Math.abs(odds) > SURE ? -Math.sign(odds) : 0
          known.set(id, side)
        }
        balance[row++]! += side
      }
  }
  let [sum, most, change] = [0, 0, 0]
  for (let row = 0; row < balance.length; row++) {
    sum += balance[row] as number
    if (sum < most) continue
    most = sum
    change = row + 1
  }
  while (balance[change] === 0) change++
  return change
}
