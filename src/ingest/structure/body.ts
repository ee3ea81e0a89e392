/**
 * Watches the rows of a table go by for what is no row of data: headers that a printed report repeats on every page,
 * notes below the last row, totals at either end. Repeated headers and notes go into quarantine, totals when asked for.
 */

import type { RaggedRecord, RecordSplitter } from '../delimited/record-splitter.ts'
import type { Fault } from '../records/quarantine.ts'
import type { Decision } from '../report.ts'
import { isMissingMark, isNumeric } from './cell-kinds.ts'
import type { Header } from './header.ts'
import { shorten } from './header-decisions.ts'
import { isNamedNote, isTotalLabel, NOTE_SIGNS, type NoteSign } from './notes.ts'

/** What definition and options say; left out: `keep` totals, quarantine footnotes. */
export interface BodyRules {
  readonly totals: 'keep' | 'quarantine'
  readonly footnotes: 'keep' | 'quarantine'
}

/** A total that was met, its cells as they stand. */
export interface TotalRow {
  readonly line: number
  readonly cells: readonly string[]
}

/** What of a block is no row: places among the splitter's rows, and records of another width with a truer reason. */
export interface Outcasts {
  readonly rows: ReadonlyMap<number, Fault>
  readonly ragged: ReadonlyMap<RaggedRecord, Fault>
}

const REPEATED: Fault = { reason: 'repeated_header', column: null, isLayout: true }
const FOOTNOTE: Fault = { reason: 'footnote', column: null, isLayout: true }
const TOTAL_ROW: Fault = { reason: 'total_row', column: null, isLayout: true }
/** Records below a table that may be notes. */
const MOST_NOTES = 200
/** Rows looked at to see what one usually has. */
const TYPICAL_ROWS = 50
/** A label stands in one of the first cells. */
const LABEL_CELLS = 3

/** A record at the end of a block. */
interface Entry {
  readonly row: number
  readonly ragged: RaggedRecord | null
  readonly line: number
  readonly start: number
  readonly end: number
}

/** What the rows of a block usually have, to tell notes from them. */
interface Typical {
  /** Cells with text, and the column of the first one. */
  readonly cells: number
  readonly first: number
  /** What no row's first text has: names of institutions may be sentences, too. */
  readonly signs: readonly NoteSign[]
}

export class BodyWatch {
  readonly totals: TotalRow[] = []
  private readonly header: Header
  private readonly rules: BodyRules
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  private readonly repeatedLines: number[] = []
  private readonly notes: { line: number; text: string }[] = []
  private isFirst = true
  /** The last row of the block before was a repeated header. */
  private endedRepeated = false
  /** Few columns repeat their names as values more easily than many. */
  private readonly canRepeat: boolean

  constructor(header: Header, rules: BodyRules) {
    this.header = header
    this.rules = rules
    this.canRepeat = new Set(header.cells.filter((cell) => cell.trim() !== '')).size > 1
  }

  /** Looks at a block that was just split; @param final no other follows */
  inspect(splitter: RecordSplitter, bytes: Uint8Array, final: boolean): Outcasts {
    const found = { rows: new Map<number, Fault>(), ragged: new Map<RaggedRecord, Fault>() }
    if (this.canRepeat) this.findRepeated(splitter, bytes, found)
    if (final && this.rules.footnotes === 'quarantine') this.findNotes(splitter, bytes, found)
    this.findTotals(splitter, bytes, final, found)
    return found
  }

  /** What was decided, in sentences; those about totals come from `totals.ts`. */
  decisions(): Decision[] {
    const { repeatedLines, notes } = this
    const told: Decision[] = []
    if (repeatedLines.length > 0) {
      const times = repeatedLines.length === 1 ? 'once more' : `${repeatedLines.length} times more`
      const reason = `the header stands ${times} among the rows, first on line ${repeatedLines[0]}; it went into quarantine`
      told.push({ kind: 'repeated_header', reason, override: null })
    }
    const [first] = notes
    if (first) {
      const what =
        notes.length === 1
          ? `line ${first.line} is a note`
          : `${notes.length} lines from line ${first.line} on are notes`
      const reason = `${what} below the table and no row ('${shorten(first.text)}'); it went into quarantine`
      told.push({
        kind: 'footnotes',
        reason: notes.length === 1 ? reason : reason.replace('it went', 'they went'),
        override: '"footnotes": "keep" under "read" in a definition',
      })
    }
    return told
  }

  private findRepeated(splitter: RecordSplitter, bytes: Uint8Array, found: MutableOutcasts): void {
    const { printed } = this.header
    const { rows, rowStarts, rowEnds, lines } = splitter
    const lengths = new Set(printed.map(({ length }) => length))
    let previous = this.endedRepeated ? -1 : -2
    for (let row = 0; row < rows; row++) {
      const start = rowStarts[row] as number
      const length = (rowEnds[row] as number) - start
      if (!lengths.has(length)) continue
      const at = printed.findIndex((record) => sameBytes(record, bytes, start, length))
      // The row of column numbers, and any but the first record of a header, is one only right below the others.
      // Nothing is repeated right below itself: such a row is a value of each column.
      if (at < 0 || (at > 0 && previous !== row - 1) || (this.isFirst && row === 0)) continue
      previous = row
      found.rows.set(row, REPEATED)
      if (at === 0) this.repeatedLines.push(lines[row] as number)
    }
    if (rows > 0) this.endedRepeated = previous === rows - 1
    for (const record of splitter.ragged) {
      const length = record.end - record.start
      const isHeader = printed[0] !== undefined && length === printed[0].length
      if (!isHeader || !sameBytes(printed[0] as Uint8Array, bytes, record.start, length)) continue
      found.ragged.set(record, REPEATED)
      this.repeatedLines.push(record.line)
    }
  }

  private findNotes(splitter: RecordSplitter, bytes: Uint8Array, found: MutableOutcasts): void {
    const width = splitter.width
    if (width < 2) return
    const typical = this.typicalRow(splitter, bytes)
    const notes: { line: number; text: string }[] = []
    for (const entry of entriesFromEnd(splitter)) {
      if (notes.length === MOST_NOTES) break
      const text = this.noteText(splitter, bytes, entry, typical)
      if (text === null) break
      if (entry.ragged) found.ragged.set(entry.ragged, FOOTNOTE)
      else found.rows.set(entry.row, FOOTNOTE)
      notes.unshift({ line: entry.line, text })
    }
    this.notes.push(...notes)
  }

  /** The text of a record that is a note, or null. */
  private noteText(
    splitter: RecordSplitter,
    bytes: Uint8Array,
    entry: Entry,
    typical: Typical,
  ): string | null {
    const isNote = (text: string) => typical.signs.some((sign) => sign(text))
    const isNamed = (text: string) => isNamedNote(text) && isNote(text)
    const raw = this.decoder.decode(bytes.subarray(entry.start, entry.end)).trim()
    if (entry.ragged) {
      const { cells, broken } = entry.ragged
      const text = raw.replace(/^"|"$/g, '')
      if (broken) return null
      return isNamed(text) || (cells === 1 && isNote(text)) ? text : null
    }
    const cells = this.textsOf(splitter, bytes, entry.row)
    const texts = cells.filter((text) => text !== '')
    const [text = ''] = texts
    const isClear = isNamed(text) && /[:.]/.test(text)
    const isFirst = cells.indexOf(text) <= typical.first
    if (texts.length === 1) return typical.cells > 1 && (isClear || (isFirst && isNote(text))) ? text : null
    // A note with delimiters in it may have the table's width by chance.
    return isClear && !texts.slice(1).some(isNumericOrMissing) ? raw : null
  }

  private typicalRow(splitter: RecordSplitter, bytes: Uint8Array): Typical {
    const rows = Array.from({ length: Math.min(TYPICAL_ROWS, splitter.rows) }, (_, row) =>
      this.textsOf(splitter, bytes, row),
    )
    const counts = rows.map((cells) => cells.filter((text) => text !== '').length).sort((a, b) => a - b)
    const full = rows.filter((cells) => cells.filter((text) => text !== '').length > 1)
    const firsts = full.map((cells) => cells.findIndex((text) => text !== ''))
    const labels = full.map((cells, row) => cells[firsts[row] as number] as string)
    return {
      cells: counts[counts.length >> 1] ?? splitter.width,
      first: Math.min(...firsts),
      signs: NOTE_SIGNS.filter((sign) => !labels.some(sign)),
    }
  }

  private findTotals(
    splitter: RecordSplitter,
    bytes: Uint8Array,
    final: boolean,
    found: MutableOutcasts,
  ): void {
    const kept: number[] = []
    if (this.isFirst && splitter.rows > 0) {
      this.isFirst = false
      kept.push(firstKept(splitter.rows, found.rows))
    }
    if (final && splitter.rows > 0) kept.push(lastKept(splitter.rows, found.rows))
    for (const row of new Set(kept)) {
      if (row < 0 || splitter.rows < 2) continue
      const cells = this.textsOf(splitter, bytes, row)
      const neighbour = this.textsOf(
        splitter,
        bytes,
        row === kept[0] && row + 1 < splitter.rows ? row + 1 : row - 1,
      )
      if (!isTotal(cells) || isTotal(neighbour)) continue
      this.totals.push({ line: splitter.lines[row] as number, cells })
      if (this.rules.totals === 'quarantine') found.rows.set(row, TOTAL_ROW)
    }
  }

  private textsOf({ width, starts, ends }: RecordSplitter, bytes: Uint8Array, row: number): string[] {
    return Array.from({ length: width }, (_, column) => {
      const cell = row * width + column
      return this.decoder.decode(bytes.subarray(starts[cell], ends[cell])).trim()
    })
  }
}

interface MutableOutcasts {
  readonly rows: Map<number, Fault>
  readonly ragged: Map<RaggedRecord, Fault>
}

/** Rows and records of another width together, the last one first. */
function* entriesFromEnd({ rows, rowStarts, rowEnds, lines, ragged }: RecordSplitter): Generator<Entry> {
  let row = rows - 1
  let other = ragged.length - 1
  while (row >= 0 || other >= 0) {
    const record = ragged[other]
    if (record && (row < 0 || record.start > (rowStarts[row] as number))) {
      yield { row: -1, ragged: record, line: record.line, start: record.start, end: record.end }
      other--
    } else {
      const place = { start: rowStarts[row] as number, end: rowEnds[row] as number }
      yield { row, ragged: null, line: lines[row] as number, ...place }
      row--
    }
  }
}

function isTotal(cells: readonly string[]): boolean {
  const label = cells.findIndex((cell) => cell !== '')
  return (
    label >= 0 &&
    label < LABEL_CELLS &&
    isTotalLabel(cells[label] as string) &&
    cells.slice(label + 1).some(isNumeric)
  )
}

function isNumericOrMissing(text: string): boolean {
  return isNumeric(text) || isMissingMark(text)
}

function firstKept(rows: number, out: ReadonlyMap<number, Fault>): number {
  for (let row = 0; row < rows; row++) if (!out.has(row)) return row
  return -1
}

function lastKept(rows: number, out: ReadonlyMap<number, Fault>): number {
  for (let row = rows - 1; row >= 0; row--) if (!out.has(row)) return row
  return -1
}

function sameBytes(record: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (record.length !== length) return false
  for (let i = 0; i < length; i++) if (record[i] !== bytes[start + i]) return false
  return true
}
