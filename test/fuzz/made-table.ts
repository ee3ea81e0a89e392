/**
 * Random well-formed tables as publishers write them: codes of one length, numbers, dates, names, streets and remarks, with
 * and without quoted delimiters, with various delimiters, ways to quote and line ends. The seed of a table determines it.
 */

import type { Dice } from './dice.ts'
import { COLUMN_KINDS, type Family } from './made-columns.ts'

export interface MadeColumn {
  readonly name: string
  readonly kind: string
  readonly family: Family
}

export interface MadeTable {
  readonly delimiter: string
  readonly lineEnd: string
  /** `every` includes blank cells. */
  readonly quoting: 'needed' | 'texts' | 'all' | 'every'
  /** Whether all records leave off blank cells at their ends. */
  readonly leavesOff: boolean
  readonly columns: readonly MadeColumn[]
  /** The values of the cells, without quotes. */
  readonly rows: readonly (readonly string[])[]
}

const DELIMITERS = [',', ',', ',', ';', ';', ';', '\t', '|']
const MARKS = ['', '', '', '-', 'n/a']
const MOST_ROWS = [20, 60, 150, 400]

/** A table of 2 to 12 columns and 5 to 400 rows. */
export function makeTable(dice: Dice): MadeTable {
  const columns = makeColumns(dice)
  const made = columns.map((_, at) => {
    const kind = COLUMN_KINDS.find(({ kind: name }) => name === columns[at]?.kind)
    return { cell: kind!.make(dice), nulls: nullShare(dice, at), mark: dice.pick(MARKS) }
  })
  const count = dice.between(5, dice.pick(MOST_ROWS))
  const rows = Array.from({ length: count }, (_, row) =>
    made.map(({ cell, nulls, mark }) => {
      const text = cell(row)
      return dice.chance(nulls) ? mark : text
    }),
  )
  const delimiter = dice.pick(DELIMITERS)
  const lineEnd = dice.pick(['\n', '\n', '\n', '\r\n', '\r\n', '\r'])
  const quoting = dice.pick(['needed', 'needed', 'needed', 'texts', 'all', 'every'] as const)
  const leavesOff = quoting !== 'every' && dice.chance(0.1)
  return { delimiter, lineEnd, quoting, leavesOff, columns, rows }
}

/** The first column is always filled, so that no record is blank. */
function nullShare(dice: Dice, column: number): number {
  return column === 0 ? 0 : dice.pick([0, 0, 0, 0, 0.05, 0.3, 0.8])
}

function makeColumns(dice: Dice): MadeColumn[] {
  const count = dice.between(2, dice.chance(0.7) ? 6 : 12)
  const names = new Set<string>()
  return Array.from({ length: count }, () => {
    const { kind, family, names: known } = dice.pick(COLUMN_KINDS)
    let name = dice.pick(known)
    for (let more = 2; names.has(name); more++) name = `${known[0]} ${more}`
    names.add(name)
    return { name, kind, family }
  })
}

/** A cell as in the file. */
export function writeCell({ delimiter, quoting }: MadeTable, { family }: MadeColumn, text: string): string {
  const isNeeded = text.includes(delimiter) || /["\r\n]/.test(text)
  const isAsked =
    quoting === 'every' || (text !== '' && (quoting === 'all' || (quoting === 'texts' && family === 'text')))
  return isNeeded || isAsked ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether a record that ends early looks as if it left off blank cells: all records do, or no row ends with one. */
export function mayLeaveOff({ leavesOff, rows }: MadeTable): boolean {
  return leavesOff || rows.every((row) => row.at(-1) !== '')
}

/** The value of a cell as in the file. */
export function readCell(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

/** The cells of a record as in the file, at least two. */
export function writeCells(table: MadeTable, row: readonly string[]): string[] {
  const last = table.leavesOff
    ? Math.max(
        1,
        row.findLastIndex((text) => text !== ''),
      )
    : row.length - 1
  return row.slice(0, last + 1).map((text, at) => writeCell(table, table.columns[at] as MadeColumn, text))
}

/** The cells of the header as in the file. */
export function writeHeader(table: MadeTable): string[] {
  return table.columns.map(({ name }) =>
    table.quoting === 'all' || table.quoting === 'every' ? `"${name}"` : name,
  )
}
