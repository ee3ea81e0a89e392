/**
 * Decides about the records of another width than the table: first what all of them show alike, then the header, then each
 * by itself. The rules are in `read/README.md`.
 */

import type { CommandError } from '../../base/errors.ts'
import { OPEN } from '../records/ragged-places.ts'
import { refuse } from '../report/reasons.ts'
import { isBesidePart } from './line-breaks.ts'
import { type Cut, prefixPlan } from './plans.ts'
import { type Mend, mendShort, mendWide } from './record-mends.ts'
import {
  findBlocks,
  findCut,
  findLeftOff,
  type LeftOff,
  type RaggedTable,
  readRagged,
} from './table-readings.ts'
import { describeBlock, describeCut, describeLeftOff, describeMends, WidthOutcome } from './width-outcome.ts'

/** Rows of the right width without which no record can be compared with any. */
const FEW_ROWS = 2
/** Records side by side with the same number of cells, which would all be joined, have another layout. */
const LAYOUT_RUN = 3

interface WidthRequest extends RaggedTable {
  /** As `findPieces` has them. */
  readonly pieces: ReadonlySet<number>
  /** Somebody named the header: if it does not fit most rows, the file is read all the same. */
  readonly isHeaderAsked: boolean
}

/**
 * What becomes of each record, or the width that the header has to be filled up to, blank throughout.
 * @throws CommandError `refused` when most rows have another number of cells than the header has names
 */
export function decideWidths(request: WidthRequest): WidthOutcome | { readonly widerHeader: number } {
  const { places, names, rows } = request
  const outcome = new WidthOutcome(places, names.length)
  const filledWidth = lastFilled(request) + 1
  const isComplete = (place: number) =>
    (places.cells[place] as number) >= filledWidth && (places.cells[place] as number) < names.length
  acceptComplete(request, outcome, filledWidth)
  let waiting = 0
  for (let place = 0; place < places.size; place++) if (places.settled[place] === OPEN) waiting++
  const all = rows + waiting
  const cut = findCut(request, all)
  if (cut !== null) readCut(request, cut, outcome)
  const blocks = findBlocks(request)
  const isTaken = (place: number) => outcome.isRow(place) || request.pieces.has(place)
  const isInBlock = (place: number) => blocks.some(({ from, to }) => from <= place && place < to)
  let leftOff = findLeftOff(request, isTaken, all)
  if (!leftOff.throughout || leftOff.places.every(isInBlock)) {
    for (const { from, to, plan, cells } of blocks) {
      if (isComplete(from)) continue
      for (let place = from; place < to; place++) outcome.accept(place, plan, null, filledWidth)
      const line = places.lines[from] as number
      outcome.decisions.push(describeBlock(to - from, line, cells, plan, names))
      outcome.hasReading = true
    }
    leftOff = findLeftOff(request, isTaken, all)
  }
  if (leftOff.throughout) readLeftOff(request, leftOff, outcome, filledWidth)
  const widerHeader = checkHeader(request, outcome)
  if (widerHeader !== null) return { widerHeader }
  mendRecords(request, outcome, cut, leftOff, filledWidth)
  outcome.decisions.push(...describeMends(outcome.mended.counts()))
  return outcome
}

/** The last column that has a name or a value: what records lack behind it is nothing. */
function lastFilled({ names, columns, rows }: WidthRequest): number {
  return names.findLastIndex((name, i) => name.trim() !== '' || rows === 0 || columns[i]?.kind !== 'none')
}

/** Records that lack nothing but columns without a name and a value. */
function acceptComplete({ places, names }: WidthRequest, outcome: WidthOutcome, filledWidth: number): void {
  for (let place = 0; place < places.size; place++) {
    const cells = places.cells[place] as number
    if (places.settled[place] !== OPEN || cells < filledWidth || cells >= names.length) continue
    outcome.accept(place, prefixPlan(cells, names.length), null, filledWidth)
  }
}

/** Reads the records whose cells are cut in the column that the whole table has cut. */
function readCut(request: WidthRequest, cut: Cut, outcome: WidthOutcome): void {
  const { columns, names, delimiter } = request
  const width = names.length
  let count = 0
  let first = 0
  for (const { place, record } of readRagged(request, (cells) => cells > width)) {
    const mend = mendWide(record, { columns, delimiter, cut })
    if (mend?.kind !== 'joined') continue
    const { plan } = mend
    const isOnlyCut = plan.first.every((cell, at) => at === cut.column || plan.last[at] === cell)
    outcome.accept(place, plan, isOnlyCut ? null : 'joined', width)
    if (plan.first[cut.column] === plan.last[cut.column]) continue
    if (count++ === 0) first = request.places.lines[place] as number
  }
  outcome.decisions.push(describeCut(count, first, names[cut.column] ?? '', cut.isDecimal))
  outcome.hasReading = true
}

function readLeftOff(
  request: WidthRequest,
  leftOff: LeftOff,
  outcome: WidthOutcome,
  filledWidth: number,
): void {
  const { names, places } = request
  const known = new Set(leftOff.places)
  const found = leftOff.places.filter((place) => !isPart(request, place, known))
  for (const place of found) {
    const plan = prefixPlan(places.cells[place] as number, names.length)
    outcome.accept(place, plan, null, filledWidth)
  }
  outcome.decisions.push(describeLeftOff(found.length, places.lines[found[0] ?? 0] as number))
  outcome.hasReading = true
}

/** Whether a record of too few cells may be a part of one that a line break cut. */
function isPart(request: WidthRequest, place: number, known: ReadonlySet<number>): boolean {
  return request.pieces.has(place) || isBesidePart(request, place, known)
}

/** @returns the width of most rows when they have more cells than names and nothing but blanks in these */
function checkHeader(request: WidthRequest, outcome: WidthOutcome): number | null {
  const { places, names, rows, isHeaderAsked } = request
  const width = names.length
  const counts = new Map<number, number>()
  for (let place = 0; place < places.size; place++) {
    if (places.settled[place] !== OPEN || outcome.isRow(place)) continue
    const cells = places.cells[place] as number
    counts.set(cells, (counts.get(cells) ?? 0) + 1)
  }
  let usual = width
  let most = rows + outcome.rows
  let all = most
  for (const [cells, count] of counts) {
    all += count
    if (count <= most || cells < 2) continue
    usual = cells
    most = count
  }
  if (usual === width) return null
  if (usual > width && isBlankBehind(request, width)) return usual
  // Of records of many widths none proves another header.
  if (isHeaderAsked || 2 * most <= all) return null
  throw headerError(width, { rows: most, all, cells: usual })
}

/** The refusal of a header that does not fit its rows. @param names how many it has */
export function headerError(
  names: number,
  most: { readonly rows: number; readonly all: number; readonly cells: number },
): CommandError {
  const { rows, all, cells } = most
  return refuse('header_width', { named: names, cells, rows, all })
}

function isBlankBehind(request: WidthRequest, width: number): boolean {
  for (const { record } of readRagged(request, (cells) => cells > width))
    if (record.texts.slice(width).some((text) => text.trim() !== '')) return false
  return true
}

function mendRecords(
  request: WidthRequest,
  outcome: WidthOutcome,
  cut: Cut | null,
  leftOff: LeftOff,
  filledWidth: number,
): void {
  const { columns, names, rows, delimiter } = request
  const width = names.length
  const runs = new Runs(request)
  const known = new Set(leftOff.places)
  for (const { place, record } of readRagged(request, (cells) => cells > 1)) {
    if (outcome.isRow(place)) continue
    const isWide = record.texts.length > width
    if (isWide ? rows < FEW_ROWS : !leftOff.inGeneral || isPart(request, place, known)) continue
    const mend = isWide ? mendWide(record, { columns, delimiter, cut }) : mendShort(record, columns)
    if (mend === null || runs.hasOtherLayout(place, mend)) continue
    outcome.accept(place, mend.plan, mend.kind, filledWidth)
  }
}

/** Records of one width that stand side by side, asked about in their order. */
class Runs {
  private readonly request: WidthRequest
  private from = 0
  private to = 0
  /** All of them have nothing behind the columns. */
  private areBlankBehind = false

  constructor(request: WidthRequest) {
    this.request = request
  }

  /** Whether enough of them would be mended to show another layout; blank cells at the ends of all may be surplus. */
  hasOtherLayout(place: number, { kind, byOthers }: Mend): boolean {
    if (!byOthers && kind !== 'surplus_blanks') return false
    if (place >= this.to) this.find(place)
    return this.to - this.from >= LAYOUT_RUN && (byOthers || !this.areBlankBehind)
  }

  private find(place: number): void {
    const { places, reader, names } = this.request
    const { rowsBefore, cells, size } = places
    const isAlike = (other: number) =>
      rowsBefore[other] === rowsBefore[place] && cells[other] === cells[place]
    this.from = place
    while (this.from > this.to && isAlike(this.from - 1)) this.from--
    this.to = place + 1
    while (this.to < size && isAlike(this.to)) this.to++
    const isBlank = (text: string) => text.trim() === ''
    this.areBlankBehind = true
    for (let other = this.from; other < this.to && this.areBlankBehind; other++)
      this.areBlankBehind = reader.read(other)?.texts.slice(names.length).every(isBlank) ?? false
  }
}
