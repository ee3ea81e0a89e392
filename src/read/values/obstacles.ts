/** The values that keep a column from a type: which, how often, on which line first, and what to do about them. */

import { fitText } from '../../base/text/fit-text.ts'
import { countEnglish } from '../../base/text/numbers.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import { type EncodedRecords, ROWS_WITH_LINES } from '../cells/encoded-records.ts'
import { adviseOption, type ReadOptions } from '../definition/read-options.ts'
import type { Obstacles } from '../report/decisions.ts'
import { type DistinctText, distinctTexts, shorten } from './cell-text.ts'
import { readAs } from './conversion.ts'
import { declaredTarget } from './declared-target.ts'
import type { ValueRules } from './inference.ts'
import { stylesBy } from './numbers.ts'

/** At most this many values are named. */
export const SHOWN_VALUES = 5
const VALUE_WIDTH = 24
/** A word for it, or a few signs with at most one letter among them, without digits and currencies. */
const NOTHING =
  /^(?!\p{L}$)(?=.{1,6}$)[^\p{L}\p{N}\p{Sc}]*\p{L}?[^\p{L}\p{N}\p{Sc}]*$|^(?:#?n\/?a|n\.a\.|n\.?d\.?|null|none|lips[aă])$/iu

/** Whether a text means that there is no value. A lone letter may be a code, such as the floor `P`. */
export function meansNothing(text: string): boolean {
  return NOTHING.test(text)
}

/**
 * The values of a column that a type cannot read, in any notation of numbers.
 * @param counts rows by cell @param most values that are listed, the most frequent first
 */
export function findObstacles(
  type: ColumnType,
  lane: number,
  { records, rules }: { readonly records: EncodedRecords; readonly rules: ValueRules },
  counts: Uint32Array,
  most = SHOWN_VALUES,
): Obstacles {
  const raw = records.entriesOf(lane)
  const target = declaredTarget(type, raw, { ...rules, styles: stylesBy('.') })
  const found = distinctTexts(raw, rules.nullValues).filter(({ text }) => readAs(text, target) === null)
  const ranked = rankTexts(found, counts)
  const shown = ranked.slice(0, most)
  const lines = firstLines(records, lane, new Set(shown.map(({ cell }) => cell)))
  const values = shown.map(({ text, count, cell }) => {
    return { value: shorten(text), count, first_line: lines.get(cell) ?? null }
  })
  return { exceptions: ranked.length, values }
}

/** Texts with their number of rows and the first cell that has them, the most frequent first. */
export function rankTexts(found: Iterable<DistinctText>, counts: Uint32Array) {
  const ranked = new Map<string, DistinctText & { readonly count: number }>()
  for (const { cell, text } of found) {
    const known = ranked.get(text) ?? { cell, text, count: 0 }
    ranked.set(text, { ...known, count: known.count + (counts[cell] as number) })
  }
  return [...ranked.values()].sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1))
}

/** The line of the first row with each of some cells, among the rows whose lines are kept. */
function firstLines(records: EncodedRecords, lane: number, cells: ReadonlySet<number>): Map<number, number> {
  const rows = new Map<number, number>()
  let row = 0
  for (const ids of records.idsOf(lane)) {
    for (const id of ids) {
      if (cells.has(id) && !rows.has(id)) rows.set(id, row)
      row++
    }
    if (rows.size === cells.size || row >= ROWS_WITH_LINES) break
  }
  const lines = records.linesOf([...rows.values()])
  return new Map([...rows.keys()].flatMap((cell, i) => (lines[i] === undefined ? [] : [[cell, lines[i]]])))
}

/** `2 values: '-' (3 times, first on line 4), 'n/a' (line 9)` */
export function nameObstacles({ exceptions, values }: Obstacles): string {
  const named = values.map(({ value, count, first_line: line }) => {
    const times = countEnglish(count, 'time', 'times')
    const where = line === null ? times : count > 1 ? `${times}, first on line ${line}` : `line ${line}`
    return `'${fitText(value, VALUE_WIDTH)}' (${where})`
  })
  return `${countEnglish(exceptions, 'value', 'values')}: ${named.join(', ')}${exceptions > values.length ? ' …' : ''}`
}

/** How to get the type in spite of them, for the end of a sentence. @param options in effect, which the advice repeats */
export function adviseOnObstacles(
  type: ColumnType,
  { exceptions, values }: Obstacles,
  { null_values: before = [] }: ReadOptions,
): string {
  const texts = values.map(({ value }) => value)
  const quarantine = `"type": "${type}" in a definition sends their rows to quarantine`
  // Of longer lists the option would name a part, and of cut or masked values something else.
  if (exceptions > texts.length || texts.some((text) => text.length > VALUE_WIDTH || text.includes('•')))
    return quarantine
  const option = adviseOption('null_values', [...new Set([...before, ...texts])])
  const nulls = `${option} makes ${exceptions === 1 ? 'it' : 'them'} null, in every column`
  return texts.every(meansNothing) ? nulls : `${nulls}, or ${quarantine}`
}
