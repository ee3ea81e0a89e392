/**
 * Finds what is not data among the rows of a table: headers that a printed report repeats on every page, a second
 * table, notes below the last row, totals at either end. All but totals go into quarantine; totals when asked for.
 */

import { adviseOption } from '../definition/read-options.ts'
import type { Decision, RecordRole } from '../report/decisions.ts'
import type { Fault } from '../report/quarantine.ts'
import type { Block } from './block.ts'
import { isNumeric, plainText } from './cell-kinds.ts'
import { findPageNotes, type Note, type PageEnd } from './footnotes.ts'
import { type Header, shorten } from './header.ts'
import { SecondTable } from './second-table.ts'
import { isTotal, learnAboveNotes, type TypicalRows } from './typical-rows.ts'

/** Headers that a printed report repeats among its rows: whole, or any of their levels, also with the names joined. */
const REPEATED: Fault = { reason: 'repeated_header', column: null, isLayout: true }

/** Bytes that a record of another width may have more or less than the header's. */
const SPARE_BYTES = 64

class RepeatedHeaders {
  /** Where each repetition begins. */
  readonly lines: number[] = []
  private readonly levels: readonly PrintedLevel[]
  private readonly printedBytes: readonly Uint8Array[]
  /** The last row of the block before was part of a repeated header. */
  private endedRepeated = false

  constructor({ printed, records, cells }: Header) {
    const texts = printed.map(({ texts }) => texts)
    const levels = texts.map((level, depth) =>
      describeLevel(level, texts[depth - 1] ?? null, depth < records.length),
    )
    const joined =
      records.length > 1
        ? [
            describeLevel(
              cells.map((cell) => cell.trim()),
              null,
              true,
            ),
          ]
        : []
    // Few columns repeat their names as values more easily than many.
    const isTelling = new Set(cells.map((cell) => cell.trim()).filter((cell) => cell !== '')).size > 1
    this.levels = isTelling ? [...levels, ...joined] : []
    this.printedBytes = isTelling ? printed.slice(0, records.length).map(({ bytes }) => bytes) : []
  }

  /** Marks them, and returns the offsets where they begin. */
  find(block: Block): number[] {
    const starts: number[] = []
    if (this.levels.length === 0) return starts
    const { rows, lines, rowStarts } = block.splitter
    let previous = this.endedRepeated ? -1 : -2
    for (let row = 0; row < rows; row++) {
      const follows = previous === row - 1
      if (!this.isLevel(block, row, follows)) continue
      if (!follows) {
        this.lines.push(lines[row] as number)
        starts.push(rowStarts[row] as number)
      }
      previous = row
      block.out.rows.set(row, REPEATED)
    }
    if (rows > 0) this.endedRepeated = previous === rows - 1
    this.findRagged(block)
    return starts
  }

  /** Whether a row is a level of the header. Asked of every row, so a loop without a closure. */
  private isLevel(block: Block, row: number, follows: boolean): boolean {
    for (const level of this.levels) {
      if (!level.standsAlone && !follows) continue
      if (block.readsAs(row, level.keyColumn, level.keyBytes) && isPrinted(block.row(row), level)) return true
    }
    return false
  }

  private findRagged(block: Block): void {
    for (const record of block.splitter.ragged) {
      const { line, start, end, broken } = record
      const isNear = this.printedBytes.some(({ length }) => Math.abs(length - (end - start)) <= SPARE_BYTES)
      if (broken || !isNear) continue
      const cells = block.cells(block.raggedEntry(record))
      if (!this.levels.some((level) => level.standsAlone && isPrinted(cells, level))) continue
      block.out.ragged.set(record, REPEATED)
      this.lines.push(line)
    }
  }
}

/** What definition and options say; left out: `keep` totals, quarantine footnotes. */
export interface BodyRules {
  readonly totals: 'keep' | 'quarantine'
  readonly footnotes: 'keep' | 'quarantine'
  /** Lines that an earlier pass found to be totals of groups of rows. */
  readonly totalLines?: ReadonlySet<number> | undefined
  /** The records are objects with names of their own: nothing is printed around them. */
  readonly areObjects: boolean
}

/** A row of totals, its cells as the file has them. */
export interface TotalRow {
  readonly line: number
  readonly cells: readonly string[]
}

const TOTAL_ROW: Fault = { reason: 'total_row', column: null, isLayout: true }
/** Rows looked at to see what one usually has, at the beginning of the file and of its last block. */
const TYPICAL_ROWS = 50
/** Lines whose records a report shows. */
const SHOWN_LINES = 1000
/** Names of a second table that are repeated. */
const NAMED = 4

const ROLES: Readonly<Record<string, RecordRole>> = {
  repeated_header: 'header',
  footnote: 'note',
  second_table: 'note',
}

export class BodyWatch {
  readonly totals: TotalRow[] = []
  /** What records at the beginning of the file are, by line; left out: data. */
  readonly roles = new Map<number, RecordRole>()
  private readonly rules: BodyRules
  private readonly isTitled: boolean
  private readonly repeated: RepeatedHeaders
  private readonly second: SecondTable
  private readonly notes: Note[] = []
  /** Rows of the first block. */
  private firstRows: readonly (readonly string[])[] = []
  private typical: TypicalRows | null = null
  private isFirst = true
  private rows = 0

  constructor(header: Header, rules: BodyRules) {
    this.rules = rules
    this.isTitled = header.isTitled
    this.repeated = new RepeatedHeaders(header)
    this.second = new SecondTable(header.cells)
  }

  /** Marks the records of a block that are not rows, right after it that was just split. @param final no other follows */
  inspect(block: Block, final: boolean): void {
    const { splitter, out } = block
    const pages = this.repeated.find(block)
    const typical =
      this.firstRows.length === 0 || this.typical === null
        ? this.learnFirst(block.firstRows(TYPICAL_ROWS), splitter.width)
        : this.typical
    if (!this.rules.areObjects) this.second.find(block, typical)
    if (this.rules.footnotes === 'quarantine') this.findNotes(block, pages, final)
    this.findTotals(block, final)
    this.noteRoles(block)
    this.rows += splitter.rows - out.rows.size
    if (final) this.second.weigh(this.rows)
  }

  /** @param pages offsets of the headers that are printed again */
  private findNotes(block: Block, pages: readonly number[], final: boolean): void {
    const { isTitled, second } = this
    const ends: PageEnd[] = [
      ...pages.map((offset) => ({ offset, isTitled })),
      ...second.tops.map((offset) => ({ offset, isTitled: false })),
      ...(final ? [{ offset: Number.POSITIVE_INFINITY, isTitled: false }] : []),
    ]
    const { width } = block.splitter
    const learn = () => {
      const own = block.firstRows(TYPICAL_ROWS)
      const page = this.rows === 0 || this.typical === null ? this.learnFirst(own, width) : this.typical
      return { page, file: this.rows === 0 ? page : learnAboveNotes([...this.firstRows, ...own], width) }
    }
    this.notes.push(...findPageNotes(block, ends, learn))
  }

  private learnFirst(rows: readonly (readonly string[])[], width: number): TypicalRows {
    this.firstRows = rows
    this.typical = learnAboveNotes(rows, width)
    return this.typical
  }

  /** What was decided, in sentences; those about totals come from `totals.ts`. */
  decisions(): Decision[] {
    return [...this.describeRepeated(), ...this.describeSecond(), ...this.describeNotes()]
  }

  private describeRepeated(): Decision[] {
    const { lines } = this.repeated
    if (lines.length === 0) return []
    const times = lines.length === 1 ? 'once more' : `${lines.length} times more`
    const reason = `the header stands ${times} among the rows, first on line ${lines[0]}; it went into quarantine`
    return [{ kind: 'repeated_header', reason, override: null }]
  }

  private describeSecond(): Decision[] {
    const { start, records } = this.second
    if (start === null) return []
    const names = start.names.slice(0, NAMED).map(shorten).join(', ')
    const more = start.names.length > NAMED ? ', …' : ''
    const reason = `a second table begins on line ${start.line} (${names}${more}) and is left out: its ${records} records went into quarantine. To publish it, ingest the file under another id and name that header`
    return [{ kind: 'second_table', reason, override: adviseOption('header_row') }]
  }

  private describeNotes(): Decision[] {
    const notes = this.notes.toSorted((a, b) => a.line - b.line)
    const [first] = notes
    if (!first) return []
    const text = shorten(first.text)
    const reason =
      notes.length === 1
        ? `line ${first.line} is a note and no row ('${text}'); it went into quarantine`
        : `${notes.length} lines from line ${first.line} on are notes and no rows ('${text}'); they went into quarantine`
    return [{ kind: 'footnotes', reason, override: adviseOption('footnotes', 'keep') }]
  }

  private findTotals(block: Block, final: boolean): void {
    const { rows, lines } = block.splitter
    const found = block.out.rows
    const { totals, totalLines } = this.rules
    const isRow = (row: number) => !found.has(row)
    const places = this.isFirst || final ? [...Array(rows).keys()] : []
    const first = this.isFirst ? [places.findIndex(isRow)] : []
    const kept = [...first, ...(final ? [places.findLastIndex(isRow)] : [])]
    if (rows > 0) this.isFirst = false
    for (const row of new Set(kept)) {
      if (row < 0 || rows < 2) continue
      const cells = block.row(row)
      const neighbour = block.row(row === kept[0] && row + 1 < rows ? row + 1 : row - 1)
      if (!isTotal(cells) || isTotal(neighbour)) continue
      this.totals.push({ line: lines[row] as number, cells })
      if (totals === 'quarantine') found.set(row, TOTAL_ROW)
    }
    if (totalLines !== undefined && totalLines.size > 0)
      for (let row = 0; row < rows; row++) if (totalLines.has(lines[row] as number)) found.set(row, TOTAL_ROW)
  }

  private noteRoles({ splitter, out }: Block): void {
    const note = (line: number, { reason }: Fault) => {
      const role = ROLES[reason]
      if (role !== undefined && line <= SHOWN_LINES) this.roles.set(line, role)
    }
    for (const [row, fault] of out.rows) note(splitter.lines[row] as number, fault)
    for (const [{ line }, fault] of out.ragged) note(line, fault)
  }
}

interface PrintedLevel {
  /** Trimmed, small letters, without diacritics. */
  readonly texts: readonly string[]
  readonly above: readonly string[] | null
  /** The cell that rows are compared by first, and what it holds. */
  readonly keyColumn: number
  readonly keyBytes: Uint8Array
  /** It is recognised without the level above it. */
  readonly standsAlone: boolean
}

function describeLevel(
  level: readonly string[],
  above: readonly string[] | null,
  isNames: boolean,
): PrintedLevel {
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
    keyColumn: longest,
    keyBytes: new TextEncoder().encode(level[longest] ?? ''),
    // A record with as many numbers as names could be data.
    standsAlone: isNames && distinct.size > 1 && [...distinct].filter(isNumeric).length * 2 < distinct.size,
  }
}

/** Whether cells are a level's; a name merged downwards may be blank in either, or stand here as above. */
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
