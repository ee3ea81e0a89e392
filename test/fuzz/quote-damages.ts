/** Damage to quotes. */

import { type Damage, type DamagedFile, type Hurt, hurtSome, type Victim } from './damaged-file.ts'
import type { Dice } from './dice.ts'
import { isVisible } from './fitting.ts'

const ofQuotes = (name: string, hurt: (victim: Victim, side: Side) => Hurt | string | null): Damage => ({
  name,
  hurt: (file: DamagedFile, dice: Dice) => {
    file.touchesQuotes = true
    const sides = pickSides(file, dice)
    return hurtSome(file, dice, (victim) => hurt(victim, dice.pick(sides)))
  },
})

type Side = 'left' | 'right'

/** If cells lose quotes on either side, a table of texts does not show which records they join. */
function pickSides({ table }: DamagedFile, dice: Dice): readonly Side[] {
  if (table.columns[0]?.family !== 'text' && dice.chance(0.5)) return ['left', 'right']
  return [dice.pick(['left', 'right'] as const)]
}

/** The place of a random cell with or without quotes, -1 if there is none. */
function pickCell({ cells, dice, table, isLast }: Victim, isQuoted: boolean): number {
  // If blank cells are left off, one more cell might give the record the right width.
  if (cells.length < table.columns.length) return -1
  // Below the last row, the rest of its last text would look like a note.
  if (isLast && cells.at(-1)?.includes('\n')) return -1
  const places = cells.flatMap((cell, at) =>
    cell.startsWith('"') === isQuoted && cell.length > 2 ? [at] : [],
  )
  return places.length === 0 ? -1 : dice.pick(places)
}

function change(victim: Victim, at: number, cell: string): string {
  return victim.cells.with(at, cell).join(victim.table.delimiter)
}

function doubleQuote(victim: Victim): string | null {
  const at = pickCell(victim, true)
  if (at < 0) return null
  const cell = victim.cells[at] as string
  return change(victim, at, victim.dice.pick([`"${cell}`, `${cell}"`, `"${cell}"`]))
}

function strayQuote(victim: Victim): string | null {
  const { dice, cells } = victim
  const at = pickCell(victim, dice.chance(0.3))
  if (at < 0) return null
  const cell = cells[at] as string
  const place = dice.pick([0, dice.between(1, cell.length - 1)])
  return change(victim, at, `${cell.slice(0, place)}"${cell.slice(place)}`)
}

function loseQuote(victim: Victim, side: Side): string | null {
  const at = pickCell(victim, true)
  if (at < 0) return null
  const cell = victim.cells[at] as string
  return change(victim, at, side === 'left' ? cell.slice(1) : cell.slice(0, -1))
}

/** How many rows show that a value is unlike the others of its column. */
const SEEN_ROWS = 20

/** Merges two cells; another cell may restore the width. */
function loseDelimiter(victim: Victim, side: Side): Hurt | null {
  const { cells, table, row, dice } = victim
  const at = pickCell(victim, true)
  const first = side === 'left' ? at - 1 : at
  if (at < 0 || first < 0 || first + 1 >= cells.length || row[first] === '' || row[first + 1] === '')
    return null
  const joined = `${cells[first]}${cells[first + 1]}`
  const written = [...cells.slice(0, first), joined, ...cells.slice(first + 2)]
  const place = dice.below(written.length + 1)
  const surplus = [...written.slice(0, place), 'altceva', ...written.slice(place)]
  // One more value elsewhere restores the width.
  const isMadeUp =
    side === 'left' &&
    table.rows.length >= SEEN_ROWS &&
    surplus.length === table.columns.length &&
    dice.chance(0.3) &&
    isVisible(surplus, table)
  return { text: (isMadeUp ? surplus : written).join(table.delimiter), allowed: [] }
}

export const damageQuotes: readonly Damage[] = [
  ofQuotes('a doubled quote', doubleQuote),
  ofQuotes('a stray quote', strayQuote),
  ofQuotes('a lost quote', loseQuote),
  ofQuotes('a lost delimiter beside a quote', loseDelimiter),
]
