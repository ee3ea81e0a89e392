/** What is printed at the ends of pages: notes, titles of the next page, and lines that come again on every page. */

import type { RecordSplitter } from '../records/record-splitter.ts'
import {
  type Entry,
  EntryTexts,
  entriesAbove,
  isMarked,
  type MutableOutcasts,
  markEntry,
} from './block-entries.ts'
import { FOOTNOTE, findFootnotes, type Note } from './footnotes.ts'
import type { TypicalRows } from './typical-rows.ts'

/** Notes and lines that come again may stand in turns. */
const MOST_TURNS = 5

/** Where rows of a table end in a block. */
export interface PageEnd {
  /** Offset of what stands below: the header printed again, or a second table; infinite at the end of the file. */
  readonly offset: number
  /** The record right above the end is a title of what follows, when it has one text. */
  readonly isTitled: boolean
}

/** What the rows above the ends of pages and above the end of the file usually have. */
export interface UsualRows {
  readonly page: TypicalRows
  readonly file: TypicalRows
}

/**
 * Marks them, and returns them in no order.
 * @param learn from the rows that are not marked: what ends a few short pages looks like half of the table before it is known
 */
export function findPageNotes(
  splitter: RecordSplitter,
  bytes: Uint8Array,
  found: MutableOutcasts,
  ends: readonly PageEnd[],
  learn: () => UsualRows,
): Note[] {
  if (ends.length === 0) return []
  const texts = new EntryTexts(splitter, bytes)
  const tops = ends.map(({ offset }) => offset)
  const notes: Note[] = []
  const take = (page: number, note: Note) => {
    notes.push(note)
    tops[page] = Math.min(tops[page] as number, note.start)
  }
  for (const [page, { isTitled, offset }] of ends.entries()) {
    const title = isTitled ? findSingle(splitter, texts, found, offset) : null
    if (title) take(page, markNote(found, title))
  }
  for (let turn = 0, before = -1; turn < MOST_TURNS && before < notes.length; turn++) {
    before = notes.length
    const usual = learn()
    for (const [page, { offset }] of ends.entries()) {
      const typical = Number.isFinite(offset) ? usual.page : usual.file
      for (const note of findFootnotes(splitter, bytes, typical, found, tops[page])) take(page, note)
    }
    for (const { page, single } of findAlike(splitter, texts, found, tops))
      take(page, markNote(found, single))
  }
  return notes
}

interface Single {
  readonly entry: Entry
  readonly text: string
}

function markNote(found: MutableOutcasts, { entry, text }: Single): Note {
  markEntry(found, entry, FOOTNOTE)
  return { line: entry.line, text, start: entry.start }
}

/** The record right above an offset when it has one text. */
function findSingle(
  splitter: RecordSplitter,
  texts: EntryTexts,
  found: MutableOutcasts,
  offset: number,
): Single | null {
  const [entry] = entriesAbove(splitter, offset)
  if (!entry || isMarked(found, entry)) return null
  const [text, ...others] = texts.cells(entry).filter((cell) => cell !== '')
  return text === undefined || others.length > 0 ? null : { entry, text }
}

/** The last records of pages with one text each, those that others have as well, with whatever digits. */
function findAlike(
  splitter: RecordSplitter,
  texts: EntryTexts,
  found: MutableOutcasts,
  tops: readonly number[],
): { page: number; single: Single }[] {
  const formOf = (text: string) => text.replaceAll(/\d+/g, '0')
  const last = tops.flatMap((top, page) => {
    const single = findSingle(splitter, texts, found, top)
    return single ? [{ page, single }] : []
  })
  if (last.length === 0) return []
  // What stands above a second table is known to be none of the rows.
  const known = [...found.rows].flatMap(([row, fault]) =>
    fault === FOOTNOTE ? [formOf(texts.row(row).join(''))] : [],
  )
  const alike = Map.groupBy(last, ({ single }) => formOf(single.text))
  return [...alike].flatMap(([form, pages]) => (pages.length > 1 || known.includes(form) ? pages : []))
}
