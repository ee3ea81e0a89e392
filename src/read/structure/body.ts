/**
 * Finds what is not data among the rows of a table: headers that a printed report repeats on every page, a second
 * table, notes below the last row, totals at either end. All but totals go into quarantine; totals when asked for.
 */

import { adviseOption } from '../definition/read-options.ts'
import type { Decision, RecordRole } from '../report/decisions.ts'
import type { Fault } from '../report/quarantine.ts'
import type { Block } from './block.ts'
import { findPageNotes, type Note, type PageEnd } from './footnotes.ts'
import { type Header, shorten } from './header.ts'
import { RepeatedHeaders } from './repeated-headers.ts'
import { SecondTable } from './second-table.ts'
import { isTotal, learnAboveNotes, type TypicalRows } from './typical-rows.ts'

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
