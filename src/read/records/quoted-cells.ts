/** Reads cells that begin with a quote, by the rules at the top of `record-splitter.ts`. */

import type { CommandError } from '../../base/errors.ts'
import { refuse } from '../report/reasons.ts'
import type { Separators } from './separators.ts'

// What a byte means to the splitter: entries of its byte tables.
export const ORDINARY = 0
export const DELIMITER = 1
const LF = 2
const CR = 3
const QUOTE = 4

/** `read` found no end: the block ends inside the cell and the file does not. */
const NEEDS_MORE = -1
/** The file ends inside the cell. */
export const CUT = -2
/** The cell contains a delimiter or a line end, and text follows its closing quote: it was not a quoted cell. */
export const BROKEN = -3
/** The cell does not begin with a quote. */
export const UNQUOTED = -4

/** A quoted cell that is still open at the end of the file. */
export interface OpenQuote {
  /** Line, from 1, with the quote. */
  readonly line: number
  /** Cell, from 0, within its record. */
  readonly column: number
}

export class QuotedCells {
  // Results of `read`: the bounds of the cell's content, line ends in it, whether quotes broke the rule.
  start = 0
  end = 0
  innerLines = 0
  wasStray = false
  /** For a broken cell: the position of the quote that seemed to close it, if that quote is alone in its cell; else -1. */
  strayAt = -1
  /** Where the next content that differs from its source is assembled. */
  scratch = 0
  /** By byte, what may end a cell: outside quotes, and inside. */
  readonly plain = new Uint8Array(256)
  readonly #quoted = new Uint8Array(256)
  readonly quote: number
  readonly #delimiter: number
  #scratchBefore = 0

  constructor({ delimiter, quote }: Separators) {
    this.quote = quote
    this.#delimiter = delimiter
    this.plain[delimiter] = DELIMITER
    for (const table of [this.plain, this.#quoted]) {
      table[10] = LF
      table[13] = CR
    }
    if (quote >= 0) this.#quoted[quote] = QUOTE
  }

  /**
   * Reads the cell at `open`.
   * @returns the position of its delimiter or line end, or UNQUOTED, NEEDS_MORE, CUT or BROKEN
   */
  read(bytes: Uint8Array, open: number, length: number, final: boolean): number {
    if (bytes[open] !== this.quote) return UNQUOTED
    this.innerLines = 0
    this.wasStray = false
    this.strayAt = -1
    this.start = -1
    this.#scratchBefore = this.scratch
    const closing = this.#findClosing(bytes, open + 1, length, final)
    return closing < 0 ? closing : this.#finish(bytes, open, closing, length, final)
  }

  /** Discards what the last `read` assembled: it was not a quoted cell. */
  undo(): void {
    this.scratch = this.#scratchBefore
  }

  /** Start of the piece of content that is not yet assembled. */
  #from = 0

  /** @returns the position of the closing quote, or NEEDS_MORE or CUT */
  #findClosing(bytes: Uint8Array, start: number, length: number, final: boolean): number {
    const { quote } = this,
      quoted = this.#quoted
    let at = start
    this.#from = start
    for (;;) {
      while (quoted[bytes[at] as number] === ORDINARY) at++
      if (at >= length) return final ? CUT : NEEDS_MORE
      const byte = bytes[at] as number
      if (byte !== quote) {
        if (byte === 10 || bytes[at + 1] !== 10 || at + 1 === length) this.innerLines++
        at++
        continue
      }
      if (at + 1 === length && !final) return NEEDS_MORE
      if (at + 1 === length || bytes[at + 1] !== quote) return at
      this.#keep(bytes, this.#from, at + 1)
      at += 2
      this.#from = at
    }
  }

  /** Text after the closing quote belongs to the cell. */
  #finish(bytes: Uint8Array, open: number, closing: number, length: number, final: boolean): number {
    const { plain } = this,
      from = this.#from
    const tail = closing + 1
    let end = tail
    while (plain[bytes[end] as number] === ORDINARY) end++
    if (end >= length && !final) return NEEDS_MORE
    if (!isSpace(bytes, tail, end) && this.#isDoubtful(bytes, open, closing, end)) return BROKEN
    if (this.start < 0 && end === tail) {
      this.start = from
      this.end = closing
      return end
    }
    this.#keep(bytes, from, closing)
    if (end > tail) {
      this.wasStray = true
      if (bytes[end - 1] === this.quote) this.#keep(bytes, tail - 1, end - 1)
      else this.#keep(bytes, tail, end)
    }
    this.end = this.scratch
    return end
  }

  /** Whether text after the closing quote leaves open where the cell ends. @param end of that text */
  #isDoubtful(bytes: Uint8Array, open: number, closing: number, end: number): boolean {
    if (this.innerLines === 0) return bytes.subarray(open, closing).includes(this.#delimiter)
    let start = closing
    while (this.plain[bytes[start - 1] as number] === ORDINARY) start--
    let quotes = 0
    for (let at = start; at < end; at++) if (bytes[at] === this.quote) quotes++
    if (start < closing && quotes % 2 === 1) this.strayAt = closing
    return true
  }

  /** Appends a piece of the block to the content being assembled. */
  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.start < 0) this.start = this.scratch
    bytes.copyWithin(this.scratch, from, to)
    this.scratch += to - from
  }
}

/** Only spaces and tabs. */
function isSpace(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0x20 && bytes[at] !== 0x09) return false
  return true
}

/** The refusal of a file that ends inside a cell. */
export function openQuoteError({ line, column }: OpenQuote): CommandError {
  return refuse('open_quote', { line, cell: column + 1 })
}
