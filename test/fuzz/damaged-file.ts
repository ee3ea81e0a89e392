/** A made table as a file of pieces, one per record, some of which are damaged. */

import type { Dice } from './dice.ts'
import { type MadeTable, writeCells, writeHeader } from './made-table.ts'

/** A record as written in the file, including line ends inside it. */
export interface Piece {
  /** Without the final line end. */
  text: string
  isDamaged: boolean
  /** Rows that may be served for this record, as values of the table: the original row, unless the damage destroys it. */
  allowed: readonly (readonly string[])[]
  /** It is printed above or below the rows and may be left out. */
  isPrinted?: boolean
}

export interface DamagedFile {
  readonly table: MadeTable
  readonly header: Piece
  /** The records below the header, in order. */
  pieces: Piece[]
  /** Quotes were damaged, so a text may have one more or one fewer. */
  touchesQuotes: boolean
  /** The names no longer match their columns, so the file must be refused. */
  touchesHeader: boolean
  /** Columns change places further down, which the report must say. */
  touchesOrder: boolean
  /** What another header line adds to the names. */
  units?: readonly string[]
  /** Whether the last line has no line end. */
  isOpen: boolean
}

/** Marks in texts the place of a byte that is invalid in UTF-8. */
export const BROKEN = '\ue000'

export interface Damage {
  readonly name: string
  /** @returns how many places were damaged, 0 if the damage does not apply to the table */
  readonly hurt: (file: DamagedFile, dice: Dice) => number
}

/** What the damage made of one record. */
export interface Hurt {
  readonly text: string
  /** By default the original row. */
  readonly allowed?: Piece['allowed']
  /** The record has the right number of cells, so only values show that they are in the wrong columns. */
  readonly keepsWidth?: boolean
}

/** A record of the table: its values, and its cells as in the file. */
export interface Victim {
  readonly table: MadeTable
  readonly row: readonly string[]
  readonly cells: readonly string[]
  readonly isLast: boolean
  readonly dice: Dice
}

export function writeFile(table: MadeTable, dice: Dice): DamagedFile {
  const pieces = table.rows.map((row) => ({
    ...{ text: writeCells(table, row).join(table.delimiter), isDamaged: false },
    allowed: [row],
  }))
  const header = { text: writeHeader(table).join(table.delimiter), isDamaged: false, allowed: [] }
  return {
    ...{ table, header, pieces },
    touchesQuotes: false,
    touchesHeader: false,
    touchesOrder: false,
    isOpen: dice.chance(0.15),
  }
}

/** One row in this many may be damaged without changing its width; with more, nobody could tell which values are right. */
const ROWS_FOR_ONE = 34

/** Damages some of the records to which the damage applies. @returns how many */
export function hurtSome(
  file: DamagedFile,
  dice: Dice,
  hurt: (victim: Victim) => Hurt | string | null,
  mostShare = 0.4,
): number {
  const { table, pieces } = file
  const most = dice.pick([0, 0, 0.03, 0.1, mostShare])
  const count = dice.between(1, Math.max(1, Math.floor(most * pieces.length)))
  let done = 0
  let unseen = 0
  for (const place of dice.some([...pieces.keys()], count)) {
    const row = table.rows[place] as readonly string[]
    const damage = hurt({
      table,
      row,
      cells: writeCells(table, row),
      isLast: place === pieces.length - 1,
      dice,
    })
    if (damage === null) continue
    const {
      text,
      allowed = [row],
      keepsWidth = false,
    } = typeof damage === 'string' ? { text: damage } : damage
    // Right below the header such a record might be part of it.
    if (keepsWidth && (place === 0 || ++unseen * ROWS_FOR_ONE > pieces.length)) continue
    pieces[place] = { text, allowed, isDamaged: true }
    done++
  }
  return done
}

/** The bytes of the file, and the line on which each piece begins, from 1. */
export function toBytes({ table, header, pieces, isOpen }: DamagedFile): {
  bytes: Uint8Array
  lines: number[]
} {
  const lines: number[] = []
  let line = 1
  for (const { text } of [header, ...pieces]) {
    lines.push(line)
    line += countLines(text) + 1
  }
  const text = [header, ...pieces].map((piece) => piece.text).join(table.lineEnd)
  const encoded = Buffer.from(isOpen ? text : text + table.lineEnd)
  const mark = Buffer.from(BROKEN)
  const parts: Uint8Array[] = []
  let from = 0
  for (let at = encoded.indexOf(mark); at >= 0; at = encoded.indexOf(mark, from)) {
    parts.push(encoded.subarray(from, at), Uint8Array.of(0xff))
    from = at + mark.length
  }
  return { bytes: Buffer.concat([...parts, encoded.subarray(from)]), lines: lines.slice(1) }
}

/** Line ends of any kind. */
export function countLines(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}
