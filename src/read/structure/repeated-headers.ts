/** Headers that a printed report repeats among its rows: whole, or any of their levels, also with the names joined. */

import type { Fault } from '../report/quarantine.ts'
import type { Block } from './block.ts'
import { isNumeric, plainText } from './cell-kinds.ts'
import type { Header } from './header.ts'

const REPEATED: Fault = { reason: 'repeated_header', column: null, isLayout: true }
/** Bytes that a record of another width may have more or less than the header's. */
const SPARE_BYTES = 64

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

export class RepeatedHeaders {
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
