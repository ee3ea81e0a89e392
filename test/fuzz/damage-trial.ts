/** Ingests one damaged table as a user would and compares what is served, mended and quarantined with the table. */

import { CommandError } from '../../src/base/errors.ts'
import type { IngestReport } from '../../src/publish/edition/compose-report.ts'
import type { Workplace } from '../support/ingest.ts'
import { countLines, type DamagedFile, toBytes, writeFile } from './damaged-file.ts'
import { DAMAGES } from './damages.ts'
import { Dice } from './dice.ts'
import { makeTable } from './made-table.ts'
import { isSameRow } from './same-row.ts'

export interface Trial {
  readonly seed: number
  readonly damage: string
  readonly isRefused: boolean
  readonly served: number
  readonly mended: number
  readonly quarantined: number
  /** Undamaged records of a file that was not refused, and how many of them were served. */
  readonly undamaged: number
  readonly undamagedServed: number
  /** Served rows that are not rows of the table, and other faults. */
  readonly wrong: readonly string[]
  /** Records that are neither served nor in quarantine. */
  readonly lost: readonly string[]
}

export interface MadeFile {
  readonly damage: string
  readonly file: DamagedFile
  readonly bytes: Uint8Array
  /** The line on which each piece begins. */
  readonly lines: readonly number[]
  readonly areLimitsUsual: boolean
}

/** The most tables that are made to find one to which a damage applies. */
const TABLES = 2000
/** What a refusal has to mention: an option, a definition, or what to do about the file. */
const ANSWER = /--[a-z]|definition|\bmend\b|get the whole file/i

/** The damaged file of a seed. */
export function makeFile(seed: number): MadeFile {
  const dice = new Dice(seed)
  const damage = DAMAGES[seed % DAMAGES.length]!
  for (let i = 0; i < TABLES; i++) {
    const file = writeFile(makeTable(dice), dice)
    if (damage.hurt(file, dice) === 0) continue
    return { damage: damage.name, file, ...toBytes(file), areLimitsUsual: dice.chance(0.25) }
  }
  throw new Error(`no table of seed ${seed} can have the damage '${damage.name}'`)
}

export async function tryTable(place: Workplace, seed: number): Promise<Trial> {
  const made = makeFile(seed)
  const nothing = { served: 0, mended: 0, quarantined: 0, undamaged: 0, undamagedServed: 0 }
  const refused = { seed, damage: made.damage, isRefused: true, ...nothing, lost: [] }
  try {
    const limits = made.areLimitsUsual ? {} : { maxQuarantine: 1, maxMended: 1 }
    const report = await place.attempt(made.bytes, { acceptDrift: true, acceptShrink: true, ...limits })
    if (report.refusals.length === 0) return { ...refused, isRefused: false, ...compare(made, place, report) }
    const unnamed = report.refusals.filter(({ override, message }) => !ANSWER.test(override + message))
    return { ...refused, wrong: unnamed.map(({ message }) => `a refusal without an answer: ${message}`) }
  } catch (error) {
    const isAnswer = error instanceof CommandError && error.kind === 'refused' && ANSWER.test(error.message)
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    return { ...refused, wrong: isAnswer ? [] : [`a refusal without an answer: ${message}`] }
  }
}

type Found = Omit<Trial, 'seed' | 'damage' | 'isRefused'>

function compare(made: MadeFile, place: Workplace, report: IngestReport): Found {
  const { file, lines } = made
  const quarantine = place.quarantine()
  const repaired = place.repaired()
  const rows = place.rows()
  const kept = linesOf([...quarantine, ...place.leftOut()])
  const mendedLines = linesOf(repaired)
  const columns = report.columns.map(({ source_name }) =>
    file.table.columns.findIndex(
      ({ name }, at) => `${name} ${file.units?.[at] ?? ''}`.trim() === source_name,
    ),
  )
  const wrong: string[] = columns.includes(-1)
    ? [`other names: ${report.columns.map(({ source_name }) => source_name).join(' | ')}`]
    : []
  const isExchanged = report.warning_codes.some(({ code }) => code === 'columns_exchanged')
  if (file.touchesOrder !== isExchanged)
    wrong.push(
      isExchanged ? 'columns are said to change places' : 'columns change places, and nothing says so',
    )
  if (file.touchesHeader) wrong.push('the header does not fit the rows, and the file is served')
  const served = match(
    made,
    rows.map((row) => report.columns.map(({ name }) => row[name] ?? null)),
    columns,
    kept,
  )
  for (const row of served.strangers) wrong.push(`no row of the table: ${JSON.stringify(rows[row])}`)
  const lost: string[] = []
  let undamaged = 0
  for (const [at, { text, isDamaged, isPrinted }] of file.pieces.entries()) {
    if (!isDamaged) undamaged++
    if (served.pieces.has(at) || isPrinted) continue
    for (const [offset, line] of text.split(/\r\n|\r|\n/).entries()) {
      const number = (lines[at] as number) + offset
      if (!isBlank(line, file) && !kept.has(number) && !mendedLines.has(number))
        lost.push(`line ${number}: ${line}`)
    }
  }
  const undamagedServed = [...served.pieces].filter((at) => !file.pieces[at]?.isDamaged).length
  const counts = { served: rows.length, mended: repaired.length, quarantined: quarantine.length }
  return { ...counts, undamaged, undamagedServed, wrong, lost }
}

/** Whether a line has only delimiters and quotes. */
function isBlank(line: string, { table }: DamagedFile): boolean {
  return line.replaceAll(table.delimiter, '').replaceAll('"', '').trim() === ''
}

/** All lines that the texts of listed records span. */
function linesOf(records: readonly { readonly line: number; readonly raw: string }[]): Set<number> {
  const lines = new Set<number>()
  for (const { line, raw } of records)
    for (let more = countLines(raw); more >= 0; more--) lines.add(line + more)
  return lines
}

/**
 * Finds the record of each served row, in order; records in quarantine are skipped.
 * @param columns of the table, in the order served
 */
function match(
  { file, lines }: MadeFile,
  rows: readonly (readonly unknown[])[],
  columns: readonly number[],
  kept: ReadonlySet<number>,
): { pieces: Set<number>; strangers: number[] } {
  const pieces = new Set<number>()
  const strangers: number[] = []
  let next = 0
  for (const [row, values] of rows.entries()) {
    const isOrigin = (at: number) =>
      !kept.has(lines[at] as number) &&
      !isBlank(file.pieces[at]?.text ?? '', file) &&
      file.pieces[at]?.allowed.some((texts) => isSameRow(values, texts, columns, file))
    let at = next
    while (at < file.pieces.length && !isOrigin(at)) at++
    if (at === file.pieces.length) strangers.push(row)
    else {
      pieces.add(at)
      next = at + 1
    }
  }
  return { pieces, strangers }
}
