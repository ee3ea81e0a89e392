/** Ways to damage a record or a file. Damage that nobody could detect is not made. */

import { BROKEN, type Damage, type Hurt, hurtSome, type Victim } from './damaged-file.ts'
import { damageHeader, damageLayout, damageStructure } from './file-damages.ts'
import { isVisible, readingsOf } from './fitting.ts'
import { mayLeaveOff, readCell } from './made-table.ts'
import { damagePrinted } from './printed-damages.ts'
import { damageQuotes } from './quote-damages.ts'

/** How many rows with non-ASCII letters prove the encoding of the file. */
const PROVEN_BY = 10

const eachRecord = (name: string, hurt: Parameters<typeof hurtSome>[2], mostShare?: number): Damage => ({
  name,
  hurt: (file, dice) => hurtSome(file, dice, hurt, mostShare),
})

const join = ({ table }: Victim, cells: readonly string[]) => cells.join(table.delimiter)

/** A record with other cells, unless nobody could see that they are in the wrong columns. */
function rewrite(victim: Victim, cells: readonly string[]): Hurt | null {
  const { table } = victim
  const width = table.columns.length
  const keepsWidth = cells.length === width
  // If blank cells are left off, fewer cells are valid as well.
  if (cells.length === 0 || (table.leavesOff && cells.length <= width)) return null
  if (keepsWidth && !isVisible(cells, table)) return null
  return { text: join(victim, cells), keepsWidth }
}

/** Whether no blank cells are left off this record: otherwise one more cell might give it the right width. */
const isWhole = ({ cells, table }: Victim) => cells.length === table.columns.length

const without = <T>(list: readonly T[], at: number): T[] => list.filter((_, i) => i !== at)
const inserted = <T>(list: readonly T[], at: number, value: T): T[] => [
  ...list.slice(0, at),
  value,
  ...list.slice(at),
]

/** A value from any column of the table, as in the file. */
function anyValue({ table, dice }: Victim): string {
  const column = dice.below(table.columns.length)
  const text = (dice.pick(table.rows)[column] as string).replace(/["\r\n]/g, '')
  return text === '' || text.includes(table.delimiter) ? 'altceva' : text
}

/** Cuts the end of the record, with at least one delimiter. */
function cutEnd(victim: Victim) {
  const { cells, dice, table, row } = victim
  if (cells.length < 2) return null
  const kept = dice.between(1, cells.length - 1)
  const last = cells[kept - 1] as string
  const isKept = dice.chance(0.5) || last.startsWith('"') || last.length < 2
  const end = isKept ? last : last.slice(0, dice.between(1, last.length - 1))
  const text = join(victim, [...cells.slice(0, kept - 1), end])
  const rest = row.slice(kept).map(() => '')
  return { text, allowed: mayLeaveOff(table) ? [[...row.slice(0, kept - 1), readCell(end), ...rest]] : [] }
}

function cutMiddle(victim: Victim): Hurt | null {
  const { cells, dice } = victim
  if (cells.length < 2 || cells.some((cell) => cell.includes('"'))) return null
  const from = dice.below(cells.length - 1)
  const to = dice.between(from + 1, cells.length - 1)
  const [first = '', last = ''] = [cells[from], cells[to]]
  const merged = first.slice(0, dice.between(0, first.length)) + last.slice(dice.between(0, last.length))
  return rewrite(victim, [...cells.slice(0, from), merged, ...cells.slice(to + 1)])
}

function shiftLeft(victim: Victim): Hurt | null {
  const { cells, dice } = victim
  const rest = cells.slice(1)
  return rewrite(victim, dice.chance(0.5) ? rest : [...rest, ''])
}

function shiftRight(victim: Victim): Hurt | null {
  const { cells, dice } = victim
  return rewrite(victim, ['', ...(dice.chance(0.5) ? cells : cells.slice(0, -1))])
}

function removeSome(victim: Victim): Hurt | null {
  const { cells, dice } = victim
  if (cells.length < 3) return null
  return rewrite(victim, dice.some(cells, dice.between(1, cells.length - 2)))
}

function insertSome(victim: Victim): Hurt | null {
  if (!isWhole(victim)) return null
  const { dice, row, table } = victim
  let cells = victim.cells
  for (let count = dice.between(1, 3); count > 0; count--)
    cells = inserted(cells, dice.below(cells.length + 1), anyValue(victim))
  const hurt = rewrite(victim, cells)
  return hurt && { ...hurt, allowed: [row, ...readingsOf(cells, table)] }
}

function appendSome(victim: Victim): Hurt | null {
  if (!isWhole(victim)) return null
  const { cells, dice, row, table } = victim
  const longer = [...cells, ...Array.from({ length: dice.between(1, 3) }, () => anyValue(victim))]
  const hurt = rewrite(victim, longer)
  return hurt && { ...hurt, allowed: [row, ...readingsOf(longer, table)] }
}

/** Puts an unquoted delimiter into a text. */
function unquotedDelimiter(victim: Victim) {
  const { table, row, cells, dice } = victim
  if (!isWhole(victim)) return null
  const places = table.columns.flatMap(({ family }, at) =>
    family === 'text' && /\S \S/.test(row[at] as string) && !/["\r\n]/.test(row[at] as string) ? [at] : [],
  )
  if (places.length === 0) return null
  const at = dice.pick(places)
  const before = row[at] as string
  const spaces = [...before.matchAll(/(?<=\S) (?=\S)/g)].map(({ index }) => index)
  const space = dice.pick(spaces)
  const sign = table.delimiter + dice.pick([' ', ' ', ''])
  const text = before.includes(table.delimiter)
    ? before
    : before.slice(0, space) + sign + before.slice(space + 1)
  const written = join(victim, cells.with(at, text))
  const asCut = cells.flatMap((cell, place) => (place === at ? text.split(table.delimiter) : [cell]))
  return { text: written, allowed: [row.with(at, text), ...readingsOf(asCut, table)] }
}

function unquotedDecimal(victim: Victim) {
  const { table, row, cells, dice } = victim
  const isDecimal = (text: string) => /^\d+[.,]\d+$/.test(text)
  const places = table.columns.flatMap(({ kind }, at) =>
    kind.startsWith('decimal') && isDecimal(row[at] as string) ? [at] : [],
  )
  if (places.length === 0 || table.delimiter !== ',' || !isWhole(victim)) return null
  const at = dice.pick(places.slice(0, 1))
  const text = (row[at] as string).replace('.', ',')
  const asCut = cells.flatMap((cell, place) => (place === at ? text.split(',') : [cell]))
  return { text: join(victim, cells.with(at, text)), allowed: [row, ...readingsOf(asCut, table)] }
}

/** Puts an unquoted line break into a text, except the last one of the file, whose rest would look like a note. */
function lineBreak(victim: Victim) {
  const { table, row, cells, dice, isLast } = victim
  const last = table.columns.length - 1
  const places = table.columns.flatMap(({ family }, at) =>
    family === 'text' &&
    !(isLast && at === last) &&
    / /.test(row[at] as string) &&
    !/["\r\n]/.test(row[at] as string)
      ? [at]
      : [],
  )
  const at = places.length === 0 ? -1 : dice.pick(places)
  const before = row[at] ?? ''
  if (at < 0 || before.includes(table.delimiter)) return null
  return { text: join(victim, cells.with(at, before.replace(' ', table.lineEnd))), allowed: [] }
}

function doubledDelimiter(victim: Victim): Hurt | null {
  const { cells, dice } = victim
  return rewrite(victim, inserted(cells, dice.between(1, Math.max(1, cells.length - 1)), ''))
}

/** Swaps two neighbours visibly, and adds or removes a cell. */
function swapAndMore(victim: Victim): Hurt | null {
  const { cells, dice, table } = victim
  if (cells.length < 3 || !isWhole(victim)) return null
  const at = dice.below(cells.length - 1)
  const swapped = cells.with(at, cells[at + 1] as string).with(at + 1, cells[at] as string)
  if (!isVisible(swapped, table)) return null
  return rewrite(victim, dice.chance(0.5) ? [...swapped, ''] : swapped.slice(0, -1))
}

function otherDelimiter(victim: Victim): string | null {
  const { table, row, dice } = victim
  const others = [',', ';', '\t', '|'].filter((sign) => sign !== table.delimiter)
  if (row.some((text) => /["\r\n]/.test(text) || text.includes(table.delimiter))) return null
  return row.join(dice.pick(others))
}

/** Puts an invalid UTF-8 byte into a text, if other texts prove that the encoding is UTF-8. */
function brokenByte(victim: Victim) {
  const { table, row, cells, dice } = victim
  const places = table.columns.flatMap(({ family }, at) =>
    family === 'text' && (row[at] as string).length > 2 && !cells[at]?.includes('"') ? [at] : [],
  )
  const proof = table.rows.filter((cells) => cells.some((text) => /[^ -~\s]/.test(text)))
  if (places.length === 0 || proof.length < PROVEN_BY) return null
  const at = dice.pick(places)
  const text = cells[at] as string
  const place = dice.below(text.length)
  return {
    text: join(victim, cells.with(at, text.slice(0, place) + BROKEN + text.slice(place + 1))),
    allowed: [],
  }
}

export const DAMAGES: readonly Damage[] = [
  eachRecord('cut at the end', cutEnd),
  eachRecord('cut in the middle', cutMiddle),
  eachRecord('surplus blanks at the end', (victim) =>
    join(victim, [...victim.cells, ...Array<string>(victim.dice.between(1, 4)).fill('')]),
  ),
  eachRecord('surplus values at the end', appendSome),
  ...damageStructure,
  eachRecord('shifted left', shiftLeft),
  eachRecord('shifted right', shiftRight),
  eachRecord('a value missing in the middle', (victim) =>
    victim.cells.length < 3
      ? null
      : rewrite(victim, without(victim.cells, victim.dice.between(1, victim.cells.length - 2))),
  ),
  eachRecord('short', removeSome),
  eachRecord('long', insertSome),
  eachRecord('an unquoted delimiter in a text', unquotedDelimiter),
  eachRecord('an unquoted decimal comma', unquotedDecimal, 1),
  eachRecord('an unquoted line break', lineBreak),
  eachRecord('a doubled delimiter', doubledDelimiter),
  ...damageQuotes,
  ...damageLayout,
  ...damageHeader,
  ...damagePrinted,
  eachRecord('swapped cells and another width', swapAndMore),
  eachRecord('another delimiter', otherDelimiter),
  eachRecord('a broken byte', brokenByte, 0.1),
  { name: 'nothing', hurt: () => 1 },
]
