/**
 * Decides about the records of another width than the table: first what they show together, then the header, then each one
 * alone. The rules are in `read/README.md`.
 */

import { OPEN } from '../records/ragged-reader.ts'
import { refuse } from '../report/reasons.ts'
import { isBesidePart } from './line-breaks.ts'
import { type Cut, prefixPlan } from './plans.ts'
import { type Mend, mendShort, mendWide } from './record-mends.ts'
import { findBlocks, findCut, findLeftOff, type RaggedTable, readRagged } from './table-readings.ts'
import { describeBlock, describeCut, describeLeftOff, describeMends, WidthOutcome } from './width-outcome.ts'

interface WidthRequest extends RaggedTable {
  /** The result of `findPieces`. */
  readonly pieces: ReadonlySet<number>
  /** A person chose the header: even if it does not fit most rows, the file is read. */
  readonly isHeaderAsked: boolean
}

/**
 * The outcome for each record, or the width to which the header has to be extended with blank names.
 * @throws CommandError `refused` when most rows have another number of cells than the header has names
 */
export function decideWidths(request: WidthRequest): WidthOutcome | { readonly widerHeader: number } {
  const { places, names, rows, columns } = request
  const outcome = new WidthOutcome(places, names.length)
  // Up to the last column with a name or a value: cells missing after it do not count.
  const filledWidth =
    1 + names.findLastIndex((name, i) => name.trim() !== '' || rows === 0 || columns[i]?.kind !== 'none')
  const isComplete = (cells: number) => cells >= filledWidth && cells < names.length
  let all = rows
  for (let place = 0; place < places.size; place++) {
    if (places.settled[place] !== OPEN) continue
    all++
    const cells = places.cells[place] as number
    if (isComplete(cells)) outcome.accept(place, prefixPlan(cells, names.length), null, filledWidth)
  }
  const cut = findCut(request, all)
  if (cut !== null) readCut(request, cut, outcome)
  const blocks = findBlocks(request)
  const isTaken = (place: number) => outcome.isRow(place) || request.pieces.has(place)
  const isInBlock = (place: number) => blocks.some(({ from, to }) => from <= place && place < to)
  let leftOff = findLeftOff(request, isTaken, all)
  if (!leftOff.throughout || leftOff.places.every(isInBlock)) {
    for (const { from, to, plan, cells } of blocks) {
      if (isComplete(cells)) continue
      for (let place = from; place < to; place++) outcome.accept(place, plan, null, filledWidth)
      const line = places.lines[from] as number
      outcome.decisions.push(describeBlock(to - from, line, cells, plan, names))
      outcome.hasReading = true
    }
    leftOff = findLeftOff(request, isTaken, all)
  }
  const known = new Set(leftOff.places)
  // A record with too few cells may be a part of one that a line break cut.
  const isPart = (place: number) => request.pieces.has(place) || isBesidePart(request, place, known)
  if (leftOff.throughout) {
    const found = leftOff.places.filter((place) => !isPart(place))
    for (const place of found) {
      const plan = prefixPlan(places.cells[place] as number, names.length)
      outcome.accept(place, plan, null, filledWidth)
    }
    outcome.decisions.push(describeLeftOff(found.length, places.lines[found[0] ?? 0] as number))
    outcome.hasReading = true
  }
  const widerHeader = checkHeader(request, outcome)
  if (widerHeader !== null) return { widerHeader }
  const width = names.length
  const hasOtherLayout = watchRuns(request)
  for (const { place, record } of readRagged(request, (cells) => cells > 1)) {
    if (outcome.isRow(place)) continue
    const isWide = record.texts.length > width
    // A single row of the right width proves nothing.
    if (isWide ? rows < 2 : !leftOff.inGeneral || isPart(place)) continue
    const mend = isWide
      ? mendWide(record, { columns, delimiter: request.delimiter, cut })
      : mendShort(record, columns)
    if (mend === null || hasOtherLayout(place, mend)) continue
    outcome.accept(place, mend.plan, mend.kind, filledWidth)
  }
  outcome.decisions.push(...describeMends(outcome.mended.counts()))
  return outcome
}

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

/** @returns the width of most rows, if they have more cells than there are names and these are all blank */
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
  const isBlankBehind = () => {
    for (const { record } of readRagged(request, (cells) => cells > width))
      if (record.texts.slice(width).some((text) => text.trim() !== '')) return false
    return true
  }
  if (usual > width && isBlankBehind()) return usual
  // Records of many widths do not prove another header.
  if (isHeaderAsked || 2 * most <= all) return null
  throw refuse('header_width', { named: width, cells: usual, rows: most, all })
}

/**
 * Called for records in order, tells whether three or more adjacent records of one width would be mended, which suggests
 * another layout; but blank cells at the ends of all of them may be surplus.
 */
function watchRuns({ places, reader, names }: WidthRequest): (place: number, mend: Mend) => boolean {
  const { rowsBefore, cells, size } = places
  const isBlank = (text: string) => text.trim() === ''
  let from = 0
  let to = 0
  let areBlankBehind = false
  return (place, { kind, byOthers }) => {
    if (!byOthers && kind !== 'surplus_blanks') return false
    if (place >= to) {
      const isAlike = (other: number) =>
        rowsBefore[other] === rowsBefore[place] && cells[other] === cells[place]
      from = place
      while (from > to && isAlike(from - 1)) from--
      to = place + 1
      while (to < size && isAlike(to)) to++
      areBlankBehind = true
      for (let other = from; other < to && areBlankBehind; other++)
        areBlankBehind = reader.read(other)?.texts.slice(names.length).every(isBlank) ?? false
    }
    return to - from > 2 && (byOthers || !areBlankBehind)
  }
}
