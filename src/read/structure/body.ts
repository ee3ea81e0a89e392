/**
 * Finds what is no row of data among the rows of a table: headers that a printed report repeats on every page, a second
 * table, notes below the last row, totals at either end. All but totals go into quarantine; totals when asked for.
 */

import { adviseOption } from '../definition/read-options.ts'
import type { RaggedRecord, RecordSplitter } from '../records/record-splitter.ts'
import type { Decision, RecordRole } from '../report/decisions.ts'
import type { Fault } from '../report/quarantine.ts'
import { EntryTexts, type MutableOutcasts, type Outcasts } from './block-entries.ts'
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

  /** Looks at a block that was just split; @param final no other follows */
  inspect(splitter: RecordSplitter, bytes: Uint8Array, final: boolean): Outcasts {
    const found: MutableOutcasts = { rows: new Map<number, Fault>(), ragged: new Map<RaggedRecord, Fault>() }
    const texts = new EntryTexts(splitter, bytes)
    const pages = this.repeated.find(splitter, bytes, found)
    const isOnly = this.firstRows.length === 0
    const typical =
      isOnly || this.typical === null
        ? this.learnFirst(sampleRows(splitter, texts, found), splitter.width)
        : this.typical
    if (!this.rules.areObjects) this.second.find(splitter, bytes, typical, found)
    if (this.rules.footnotes === 'quarantine') this.findNotes(splitter, bytes, found, pages, final)
    this.findTotals(splitter, texts, final, found)
    this.noteRoles(splitter, found)
    this.rows += splitter.rows - found.rows.size
    if (final) this.second.weigh(this.rows)
    return found
  }

  /** @param pages offsets of the headers that are printed again */
  private findNotes(
    splitter: RecordSplitter,
    bytes: Uint8Array,
    found: MutableOutcasts,
    pages: readonly number[],
    final: boolean,
  ): void {
    const { isTitled, second } = this
    const ends: PageEnd[] = [
      ...pages.map((offset) => ({ offset, isTitled })),
      ...second.tops.map((offset) => ({ offset, isTitled: false })),
      ...(final ? [{ offset: Number.POSITIVE_INFINITY, isTitled: false }] : []),
    ]
    const { width } = splitter
    const texts = new EntryTexts(splitter, bytes)
    const learn = () => {
      const own = sampleRows(splitter, texts, found)
      const page = this.rows === 0 || this.typical === null ? this.learnFirst(own, width) : this.typical
      return { page, file: this.rows === 0 ? page : learnAboveNotes([...this.firstRows, ...own], width) }
    }
    this.notes.push(...findPageNotes(splitter, bytes, found, ends, learn))
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

  private findTotals(
    splitter: RecordSplitter,
    texts: EntryTexts,
    final: boolean,
    found: MutableOutcasts,
  ): void {
    const kept: number[] = []
    const { totals, totalLines } = this.rules
    if (this.isFirst && splitter.rows > 0) {
      this.isFirst = false
      kept.push(firstKept(splitter.rows, found.rows))
    }
    if (final && splitter.rows > 0) kept.push(lastKept(splitter.rows, found.rows))
    for (const row of new Set(kept)) {
      if (row < 0 || splitter.rows < 2) continue
      const cells = texts.row(row)
      const neighbour = texts.row(row === kept[0] && row + 1 < splitter.rows ? row + 1 : row - 1)
      if (!isTotal(cells) || isTotal(neighbour)) continue
      this.totals.push({ line: splitter.lines[row] as number, cells })
      if (totals === 'quarantine') found.rows.set(row, TOTAL_ROW)
    }
    if (totalLines !== undefined && totalLines.size > 0)
      for (let row = 0; row < splitter.rows; row++)
        if (totalLines.has(splitter.lines[row] as number)) found.rows.set(row, TOTAL_ROW)
  }

  private noteRoles({ lines }: RecordSplitter, found: Outcasts): void {
    const note = (line: number, { reason }: Fault) => {
      const role = ROLES[reason]
      if (role !== undefined && line <= SHOWN_LINES) this.roles.set(line, role)
    }
    for (const [row, fault] of found.rows) note(lines[row] as number, fault)
    for (const [{ line }, fault] of found.ragged) note(line, fault)
  }
}

/** The first rows of a block that are not known to be none. */
function sampleRows(splitter: RecordSplitter, texts: EntryTexts, found: Outcasts): string[][] {
  const rows: string[][] = []
  for (let row = 0; row < splitter.rows && rows.length < TYPICAL_ROWS; row++)
    if (!found.rows.has(row)) rows.push(texts.row(row))
  return rows
}

function firstKept(rows: number, out: ReadonlyMap<number, Fault>): number {
  for (let row = 0; row < rows; row++) if (!out.has(row)) return row
  return -1
}

function lastKept(rows: number, out: ReadonlyMap<number, Fault>): number {
  for (let row = rows - 1; row >= 0; row--) if (!out.has(row)) return row
  return -1
}
