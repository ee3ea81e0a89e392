/**
 * Finds what is not data among the rows of a table: headers that a printed report repeats on every page, a second table,
 * notes below the last row, totals at either end. Headers and notes are left out, totals if requested; a second table is
 * quarantined.
 */

import { listSome, shorten } from '../../base/text/fit-text.ts'
import { type AroundRule, adviseOption } from '../definition/read-options.ts'
import type { Decision, RecordRole } from '../report/decisions.ts'
import type { Fault } from '../report/quarantine.ts'
import type { Block } from './block.ts'
import { isNumeric, plainText } from './cell-kinds.ts'
import { findPageNotes, type Note } from './footnotes.ts'
import { type Header, LONGEST_QUOTE } from './header.ts'
import { SecondTable } from './second-table.ts'
import { isTotal, learnAboveNotes, type TypicalRows } from './typical-rows.ts'

/**
 * Headers that a printed report repeats among its rows: complete, or any of their levels, or with the levels' names joined.
 */
const REPEATED: Fault = { reason: 'repeated_header', column: null }

class RepeatedHeaders {
  /** The line where each repetition begins. */
  readonly lines: number[] = []
  #levels: readonly PrintedLevel[] = []
  #printedBytes: readonly Uint8Array[] = []
  /** The last row of the previous block was part of a repeated header. */
  #endedRepeated = false

  constructor({ printed, records, cells }: Header) {
    const texts = printed.map(({ texts }) => texts)
    const levels = texts.map((level, depth) =>
      describeLevel(level, texts[depth - 1] ?? null, depth < records.length),
    )
    const names = cells.map((cell) => cell.trim())
    // With few columns, a row may repeat their names as values.
    if (new Set(names.filter((name) => name !== '')).size < 2) return
    this.#levels = records.length > 1 ? [...levels, describeLevel(names, null, true)] : levels
    this.#printedBytes = printed.slice(0, records.length).map(({ bytes }) => bytes)
  }

  /** Marks repeated headers, and returns the offsets where they begin. */
  find(block: Block): number[] {
    const starts: number[] = []
    if (this.#levels.length === 0) return starts
    const { rows, lines, rowStarts } = block.splitter
    let previous = this.#endedRepeated ? -1 : -2
    for (let row = 0; row < rows; row++) {
      const follows = previous === row - 1
      if (!this.#isLevel(block, row, follows)) continue
      if (!follows) {
        this.lines.push(lines[row] as number)
        starts.push(rowStarts[row] as number)
      }
      previous = row
      block.out.rows.set(row, REPEATED)
    }
    if (rows > 0) this.#endedRepeated = previous === rows - 1
    this.#findRagged(block)
    return starts
  }

  /** Whether a row is a level of the header. Called for every row, so a loop without a closure. */
  #isLevel(block: Block, row: number, follows: boolean): boolean {
    for (const level of this.#levels) {
      if (!level.standsAlone && !follows) continue
      if (block.readsAs(row, level.keyColumn, level.keyBytes) && isPrinted(block.row(row), level)) return true
    }
    return false
  }

  #findRagged(block: Block): void {
    for (const record of block.splitter.ragged) {
      const { line, start, end, broken } = record
      const isNear = this.#printedBytes.some(({ length }) => Math.abs(length - (end - start)) <= 64)
      if (broken || !isNear) continue
      const cells = block.cells(block.raggedEntry(record))
      if (!this.#levels.some((level) => level.standsAlone && isPrinted(cells, level))) continue
      block.out.ragged.set(record, REPEATED)
      this.lines.push(line)
    }
  }
}

/** What the definition and options request. */
export interface BodyRules {
  readonly totals: AroundRule
  readonly footnotes: AroundRule
  /** Lines that an earlier pass identified as totals of groups of rows. */
  readonly totalLines?: ReadonlySet<number> | undefined
  /** The records are JSON objects: nothing is printed around them. */
  readonly areObjects: boolean
}

export type TotalRow = Readonly<{ line: number; cells: readonly string[] }>

const TOTAL_ROW: Fault = { reason: 'total_row', column: null, isLayout: true }

const ROLES: Readonly<Record<string, RecordRole>> = {
  repeated_header: 'header',
  footnote: 'note',
  second_table: 'note',
}

export class BodyWatch {
  readonly totals: TotalRow[] = []
  /** What the records at the beginning of the file are, by line; missing: data. */
  readonly roles = new Map<number, RecordRole>()
  readonly #rules: BodyRules
  readonly #isTitled: boolean
  readonly #repeated: RepeatedHeaders
  readonly #second: SecondTable
  readonly #notes: Note[] = []
  /** Learnt from the first block with rows. */
  #typical: TypicalRows | null = null
  #isFirst = true
  #rows = 0

  constructor(header: Header, rules: BodyRules) {
    this.#rules = rules
    this.#isTitled = header.isTitled
    this.#repeated = new RepeatedHeaders(header)
    this.#second = new SecondTable(header.cells)
  }

  /** Marks the records of a block that are not rows, right after it was split. @param final it is the last block */
  inspect(block: Block, final: boolean): void {
    const { splitter, out } = block
    const pages = this.#repeated.find(block)
    const typical = this.#learn(block)
    if (!this.#rules.areObjects) this.#second.find(block, typical)
    if (this.#rules.footnotes !== 'keep') {
      const ends = [
        ...pages.map((offset) => ({ offset, isTitled: this.#isTitled })),
        ...this.#second.tops.map((offset) => ({ offset, isTitled: false })),
        ...(final ? [{ offset: Number.POSITIVE_INFINITY, isTitled: false }] : []),
      ]
      this.#notes.push(...findPageNotes(block, ends, () => this.#learn(block)))
    }
    this.#findTotals(block, final)
    const note = (line: number, { reason }: Fault) => {
      const role = ROLES[reason]
      // A report only shows records of the first lines.
      if (role !== undefined && line <= 1000) this.roles.set(line, role)
    }
    for (const [row, fault] of out.rows) note(splitter.lines[row] as number, fault)
    for (const [{ line }, fault] of out.ragged) note(line, fault)
    this.#rows += splitter.rows - out.rows.size
    if (final) this.#second.weigh(this.#rows)
  }

  /** Learns only from the first block with rows, and there from the rows not marked yet. */
  #learn(block: Block): TypicalRows {
    if (this.#rows === 0 || this.#typical === null)
      this.#typical = learnAboveNotes(block.firstRows(50), block.splitter.width)
    return this.#typical
  }

  /** The decisions, in sentences; those about totals come from `totals.ts`. */
  decisions(): Decision[] {
    const decisions: Decision[] = []
    const { lines } = this.#repeated
    if (lines.length > 0) {
      const times = lines.length === 1 ? 'once' : `${lines.length} times`
      const reason = `the header is repeated ${times} among the rows, first on line ${lines[0]}, and left out there`
      decisions.push({ kind: 'repeated_header', reason, override: null })
    }
    const { start, records } = this.#second
    if (start !== null) {
      const names = listSome(
        start.names.map((name) => shorten(name, LONGEST_QUOTE)),
        4,
      )
      const reason = `a second table begins on line ${start.line} (${names}) and is left out: its ${records} records went into quarantine. To publish it, ingest the file under another id and name that header`
      decisions.push({ kind: 'second_table', reason, override: adviseOption('header_row') })
    }
    const notes = this.#notes.toSorted((a, b) => a.line - b.line)
    const [first] = notes
    if (first) {
      const text = shorten(first.text, LONGEST_QUOTE)
      const isOne = notes.length === 1
      const what = isOne
        ? `line ${first.line} is a note, not a row ('${text}'); it`
        : `${notes.length} lines from line ${first.line} on are notes, not rows ('${text}'); they`
      const leftOut = isOne ? 'is left out' : 'are left out'
      const reason = `${what} ${this.#rules.footnotes === 'leave_out' ? leftOut : 'went into quarantine'}`
      decisions.push({ kind: 'footnotes', reason, override: adviseOption('footnotes', 'keep') })
    }
    return decisions
  }

  #findTotals(block: Block, final: boolean): void {
    const { rows, lines } = block.splitter
    const found = block.out.rows
    const { totals, totalLines } = this.#rules
    const places = this.#isFirst || final ? [...Array(rows).keys()].filter((row) => !found.has(row)) : []
    const kept = [...(this.#isFirst ? places.slice(0, 1) : []), ...(final ? places.slice(-1) : [])]
    if (rows > 0) this.#isFirst = false
    for (const row of new Set(kept)) {
      if (rows < 2) continue
      const cells = block.row(row)
      const neighbour = block.row(row === kept[0] && row + 1 < rows ? row + 1 : row - 1)
      if (!isTotal(cells) || isTotal(neighbour)) continue
      this.totals.push({ line: lines[row] as number, cells })
      if (totals !== 'keep') found.set(row, TOTAL_ROW)
    }
    if (totalLines !== undefined && totalLines.size > 0)
      for (let row = 0; row < rows; row++) if (totalLines.has(lines[row] as number)) found.set(row, TOTAL_ROW)
  }
}

type PrintedLevel = ReturnType<typeof describeLevel>

function describeLevel(level: readonly string[], above: readonly string[] | null, isNames: boolean) {
  const texts = level.map(plainText)
  const over = above?.map(plainText) ?? null
  const own = texts.map((text, column) => (text === over?.[column] ? '' : text))
  const longest = own.reduce(
    (best, text, column) => (text.length > (own[best] ?? '').length ? column : best),
    0,
  )
  const distinct = new Set(own.filter((text) => text !== ''))
  return {
    texts,
    above: over,
    // The column in which rows are compared first, and its text.
    keyColumn: longest,
    keyBytes: new TextEncoder().encode(level[longest] ?? ''),
    // It is recognised without the level above it. A record with as many numbers as names could be data.
    standsAlone: isNames && distinct.size > 1 && [...distinct].filter(isNumeric).length * 2 < distinct.size,
  }
}

/** Whether cells are those of a level; a name merged downwards may be blank in either, or combined with the text above. */
function isPrinted(cells: readonly string[], { texts, above }: PrintedLevel): boolean {
  let equal = 0
  const width = Math.max(cells.length, texts.length)
  for (let column = 0; column < width; column++) {
    const text = plainText(cells[column] ?? '')
    const printed = texts[column] ?? ''
    if (text === printed) equal += text === '' ? 0 : 1
    else if ((text !== '' && printed !== '') || above?.[column] !== text + printed) return false
  }
  return equal > 0
}
