/** Damage to more than one record: to lines, layout or header. */

import type { Damage, DamagedFile, Piece } from './damaged-file.ts'
import type { Dice } from './dice.ts'
import { readingsOf } from './fitting.ts'
import { type MadeColumn, mayLeaveOff, writeCell, writeCells } from './made-table.ts'

/** How many records show that they share another layout. */
const SHOWN_BY = 3

/** Removes line ends between records. */
function joinRecords(file: DamagedFile, dice: Dice): number {
  const { pieces } = file
  const most = dice.pick([0, 0, 0.1, 0.3])
  const starts = dice.some(
    [...pieces.keys()].slice(0, -1),
    dice.between(1, Math.max(1, most * pieces.length)),
  )
  const joined: Piece[] = []
  let done = 0
  for (const [at, piece] of pieces.entries()) {
    const last = joined.at(-1)
    if (last && starts.includes(at - 1)) {
      joined[joined.length - 1] = { text: last.text + piece.text, isDamaged: true, allowed: [] }
      done++
    } else joined.push(piece)
  }
  file.pieces = joined
  return done
}

function cutFile(file: DamagedFile, dice: Dice): number {
  const { pieces, table } = file
  const kept = dice.between(Math.ceil(pieces.length / 2), pieces.length)
  const last = kept - 1
  const cells = writeCells(table, table.rows[last] as readonly string[])
  if (cells.length < 2) return 0
  const whole = cells.slice(0, dice.between(1, cells.length - 1))
  const end = whole.at(-1) as string
  const isInQuotes = end.startsWith('"') && dice.chance(0.5)
  const text = [...whole.slice(0, -1), isInQuotes ? end.slice(0, -1) : end].join(table.delimiter)
  const row = table.rows[last] as readonly string[]
  const prefix = row.map((value, at) => (at < whole.length ? value : ''))
  const cut = { text, isDamaged: true, allowed: mayLeaveOff(table) ? [prefix] : [] }
  file.pieces = [...pieces.slice(0, last), cut]
  file.isOpen = true
  return 1
}

function addBlankLines(file: DamagedFile, dice: Dice): number {
  const { columns, delimiter } = file.table
  const text = dice.pick([
    '',
    '',
    ' ',
    delimiter.repeat(columns.length - 1),
    delimiter.repeat(columns.length + 1),
  ])
  const count = dice.between(1, 5)
  for (let i = 0; i < count; i++) {
    const at = dice.below(file.pieces.length + 1)
    file.pieces.splice(at, 0, { text, isDamaged: true, allowed: [] })
  }
  return count
}

/** Gives a run of records another layout. */
function changeLayout(
  file: DamagedFile,
  dice: Dice,
  change: (cells: string[], row: readonly string[]) => { cells: string[]; rows: Piece['allowed'] },
): number {
  const { pieces, table } = file
  const count = dice.between(1, Math.max(1, Math.floor(dice.pick([0.1, 0.3, 0.45]) * pieces.length)))
  const from = dice.chance(0.5) ? pieces.length - count : dice.below(pieces.length - count + 1)
  for (let at = from; at < from + count; at++) {
    const row = table.rows[at] as readonly string[]
    const changed = change(writeCells(table, row), row)
    const text = changed.cells.join(table.delimiter)
    pieces[at] = { text, isDamaged: true, allowed: changed.rows }
  }
  return count
}

function loseColumn(file: DamagedFile, dice: Dice): number {
  const { columns, leavesOff } = file.table
  if (columns.length < 3 || leavesOff) return 0
  const column = dice.below(columns.length)
  return changeLayout(file, dice, (cells, row) => ({
    cells: cells.filter((_, at) => at !== column),
    rows: [row.with(column, '')],
  }))
}

function gainColumn(file: DamagedFile, dice: Dice): number {
  const { columns, rows, leavesOff } = file.table
  if (leavesOff) return 0
  const place = dice.below(columns.length + 1)
  const like = dice.below(columns.length)
  const count = changeLayout(file, dice, (cells) => {
    const value = writeCell(file.table, columns[like]!, dice.pick(rows)[like] as string)
    const longer = [...cells.slice(0, place), value === '' ? 'nou' : value, ...cells.slice(place)]
    return { cells: longer, rows: readingsOf(longer, file.table) }
  })
  // Neighbouring records prove that none of them is cut by a delimiter in a text, or has surplus blank cells.
  const changed = file.pieces.filter(({ isDamaged }) => isDamaged)
  const { delimiter } = file.table
  const areAlike = changed.every(({ text }) => text.endsWith(delimiter) || text.endsWith(`${delimiter}""`))
  if (count >= SHOWN_BY && !areAlike) for (const piece of file.pieces) if (piece.isDamaged) piece.allowed = []
  return count
}

/** Adds delimiters at the ends of the first records. */
function addBlanks({ table, pieces }: DamagedFile, dice: Dice): number {
  if (table.leavesOff) return 0
  const count = dice.between(1, Math.max(1, Math.floor(0.4 * pieces.length)))
  const blanks = table.delimiter.repeat(dice.between(1, 4))
  for (const piece of pieces.slice(0, count)) {
    piece.text += blanks
    piece.isDamaged = true
  }
  return count
}

/** The form by which values of a column can be told from those of another. */
function formOf({ kind, family }: MadeColumn): string {
  if (family === 'text' || family === 'date' || kind === 'sign') return kind
  return 'digits'
}

/** How many rows show that columns change places, and the share of them that needs a value. */
const SEEN_ROWS = 80
const SEEN_SHARE = 0.9

/** Swaps two columns from some record on. */
function exchangeColumns(file: DamagedFile, dice: Dice): number {
  const { table, pieces } = file
  const { columns, rows } = table
  const isFilled = (at: number) =>
    rows.filter((row) => row[at] !== '' && row[at] !== '-' && row[at] !== 'n/a').length >=
    SEEN_SHARE * rows.length
  const filled = [...columns.keys()].filter(isFilled)
  const one = filled.length === 0 ? -1 : dice.pick(filled)
  const others = filled.filter((at) => formOf(columns[at]!) !== formOf(columns[one]!))
  if (rows.length < SEEN_ROWS || table.leavesOff || others.length === 0) return 0
  const other = dice.pick(others)
  const from = dice.between(Math.ceil(0.3 * rows.length), Math.floor(0.7 * rows.length))
  for (let at = from; at < rows.length; at++) {
    const row = rows[at] as readonly string[]
    const cells = writeCells(table, row)
    const swap = (list: readonly string[]) => list.with(one, list[other]!).with(other, list[one]!)
    pieces[at] = { text: swap(cells).join(table.delimiter), isDamaged: true, allowed: [swap(row)] }
  }
  file.touchesOrder = true
  return rows.length - from
}

function shortenHeader(file: DamagedFile, dice: Dice): number {
  const names = file.header.text.split(file.table.delimiter)
  // A last column without values would not count as a column, and rows of many widths cannot prove a wrong number of names.
  const { rows, leavesOff } = file.table
  if (names.length < 3 || leavesOff || rows.every((row) => row.at(-1) === '')) return 0
  const lost = dice.below(names.length)
  file.header.text = names.filter((_, at) => at !== lost).join(file.table.delimiter)
  file.touchesHeader = true
  return 1
}

function lengthenHeader(file: DamagedFile, dice: Dice): number {
  const names = file.header.text.split(file.table.delimiter)
  // Rows of many widths cannot prove a wrong number of names.
  if (file.table.leavesOff) return 0
  const at = dice.below(names.length + 1)
  file.header.text = [...names.slice(0, at), 'coloană nouă', ...names.slice(at)].join(file.table.delimiter)
  file.touchesHeader = true
  return 1
}

export const damageStructure: readonly Damage[] = [
  { name: 'two records joined', hurt: joinRecords },
  { name: 'the file is cut off', hurt: cutFile },
  { name: 'blank lines', hurt: addBlankLines },
  { name: 'surplus blanks from the first row on', hurt: addBlanks },
]

export const damageLayout: readonly Damage[] = [
  { name: 'another layout of one column less', hurt: loseColumn },
  { name: 'another layout of one column more', hurt: gainColumn },
  { name: 'two columns that change places', hurt: exchangeColumns },
]

export const damageHeader: readonly Damage[] = [
  { name: 'a header one name short', hurt: shortenHeader },
  { name: 'a header with one name more', hurt: lengthenHeader },
]
