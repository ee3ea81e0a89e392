/** Lines printed around and among the rows of a table, which are not rows, and totals, which are. */

import type { Damage, DamagedFile } from './damaged-file.ts'
import type { Dice } from './dice.ts'
import { writeCells } from './made-table.ts'

/** How many rows prove the type of a column. */
const LEAST_ROWS = 8
const LEAST_COLUMNS = 3
/** How many rows a group has. */
const GROUP = 4

/** The columns of whole numbers, or none if the first column does not name the rows. */
function numberColumns({ table: { columns, rows } }: DamagedFile): number[] {
  const isFilled = (at: number) => rows.slice(0, LEAST_ROWS).every((row) => /^\d+$/.test(row[at] as string))
  const hasNames = columns[0]?.family === 'text' && rows.every(([name = '']) => /^\p{L}{2}/u.test(name))
  if (rows.length < LEAST_ROWS || !hasNames) return []
  return columns.flatMap(({ kind }, at) => (kind === 'integer' && isFilled(at) ? [at] : []))
}

function printAbove(file: DamagedFile, cells: readonly string[]): number {
  const text = cells.join(file.table.delimiter)
  file.pieces.unshift({ text, isDamaged: true, allowed: [], isPrinted: true })
  return 1
}

function numberTheColumns(file: DamagedFile): number {
  const { columns } = file.table
  // In two columns `A` and 1 may as well be a name and its value.
  if (columns.length < LEAST_COLUMNS || numberColumns(file).length === 0) return 0
  return printAbove(file, ['A', ...columns.slice(1).map((_, at) => String(at + 1))])
}

function addUnits(file: DamagedFile, dice: Dice): number {
  const numbers = numberColumns(file)
  if (numbers.length === 0) return 0
  const unit = dice.pick(['mii lei', 'persoane', '%', 'mc/zi', 'loc./km2'])
  const units = file.table.columns.map((_, at) => (numbers.includes(at) ? unit : ''))
  file.units = units
  return printAbove(file, units)
}

function printBelow(file: DamagedFile, texts: readonly string[]): number {
  const { columns, delimiter, leavesOff } = file.table
  if (columns.length < LEAST_COLUMNS || leavesOff || numberColumns(file).length === 0) return 0
  for (const text of texts) {
    const line = text + delimiter.repeat(columns.length - 1)
    file.pieces.push({ text: line, isDamaged: true, allowed: [] })
  }
  return texts.length
}

/** Adds the sums of each few rows below them; these are rows. */
function addSubtotals(file: DamagedFile): number {
  const numbers = numberColumns(file)
  const { columns, rows, delimiter } = file.table
  if (numbers.length === 0) return 0
  let done = 0
  for (let end = rows.length - (rows.length % GROUP); end > 0; end -= GROUP) {
    const members = rows.slice(end - GROUP, end)
    const sumOf = (at: number) => String(members.reduce((sum, row) => sum + Number(row[at]), 0))
    const row = columns.map((_, at) => (at === 0 ? 'Total zona' : numbers.includes(at) ? sumOf(at) : ''))
    const text = writeCells(file.table, row).join(delimiter)
    file.pieces.splice(end, 0, { text, isDamaged: true, allowed: [row] })
    done++
  }
  return done
}

export const damagePrinted: readonly Damage[] = [
  { name: 'a line that numbers the columns', hurt: numberTheColumns },
  { name: 'a line of units', hurt: addUnits },
  {
    name: 'a note below',
    hurt: (file, dice) =>
      printBelow(file, [
        dice.pick(['Sursa: INS', '* date provizorii', 'Nota: fara municipii', '1) estimate']),
      ]),
  },
  {
    name: 'signatures below',
    hurt: (file, dice) =>
      printBelow(file, [
        ...(dice.chance(0.5) ? [''] : []),
        dice.pick(['Intocmit', 'Director']),
        'Ion Popescu',
      ]),
  },
  { name: 'totals of groups', hurt: addSubtotals },
]
