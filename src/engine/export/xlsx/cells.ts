/** Cells of a sheet (ECMA-376, part 1, 18.3.1.4) from the texts of values. */

import { type ByteSink, copyBytes } from '../../columns/byte-sink.ts'
import type { ColumnType } from '../../columns/column.ts'
import { dayNumber, parseNumber, secondOfDay } from '../../columns/entry-keys.ts'
import type { OpenDataset } from '../../memory/open-dataset.ts'

const NARROWEST = 8
const WIDEST = 60

const LOOKED_AT = 512

const ROOM = 3

/** Cell formats, as `STYLES` in `xlsx.ts` numbers them. */
const STYLE = { plain: 0, bold: 1, date: 2, datetime: 3, milliseconds: 4 } as const

const MOST_DIGITS = 15
/** UTF-16 units of the longest text. */
export const LONGEST_TEXT = 32_767
/** The first day on which the spreadsheets agree, and its number: Excel has a 29th of February in 1900. */
const FIRST_DAY = 61
/** Days from 1899-12-30 to 1970-01-01. */
const EPOCH = 25_569
const LENGTH_OF_SECONDS = '2024-01-31T12:00:00Z'.length
/** Dates have milliseconds and nothing finer. */
const LENGTH_OF_MILLISECONDS = '2024-01-31T12:00:00.000Z'.length
/** A spreadsheet cannot hold decimals beyond these bounds. */
const LARGEST = 1e307
const SMALLEST = 1e-307

/** A sheet has 1,048,576 rows. */
const MOST_ROW_DIGITS = 7

const TAG = {
  row: Buffer.from('<row r="'),
  rowOpen: Buffer.from('">'),
  rowEnd: Buffer.from('</row>'),
  open: Buffer.from('<c r="'),
  number: Buffer.from('"><v>'),
  truth: Buffer.from('" t="b"><v>'),
  text: Buffer.from('" t="inlineStr"><is><t>'),
  keptText: Buffer.from('" t="inlineStr"><is><t xml:space="preserve">'),
  valueEnd: Buffer.from('</v></c>'),
  textEnd: Buffer.from('</t></is></c>'),
  bold: Buffer.from(`" s="${STYLE.bold}" t="inlineStr"><is><t>`),
} as const

/** `AB` for the column with index 27. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(0x41 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

/** Writes the rows of a sheet into a sink. */
export class CellWriter {
  readonly sink: ByteSink
  /** Number of texts that were cut. */
  cut = 0
  readonly #columns: readonly Uint8Array[]
  /** The digits of the row's number, from `#rowFrom` to the end. */
  readonly #row = new Uint8Array(MOST_ROW_DIGITS)
  #rowFrom = MOST_ROW_DIGITS

  constructor(sink: ByteSink, columns: number) {
    this.sink = sink
    this.#columns = Array.from({ length: columns }, (_, index) => Buffer.from(columnName(index)))
  }

  openRow(number: number): void {
    this.#rowFrom = MOST_ROW_DIGITS
    for (let left = number; left > 0; left = Math.floor(left / 10))
      this.#row[--this.#rowFrom] = 0x30 + (left % 10)
    this.#append(TAG.row)
    this.#appendRow()
    this.#append(TAG.rowOpen)
  }

  closeRow(): void {
    this.#append(TAG.rowEnd)
  }

  #appendRow(): void {
    this.sink.append(this.#row, this.#rowFrom, MOST_ROW_DIGITS)
  }

  /** A value of the given type: the text `bytes[from..to)`. */
  cell(column: number, type: ColumnType, bytes: Uint8Array, from: number, to: number): void {
    if (type === 'string') this.text(column, bytes, from, to)
    else if (type === 'boolean') {
      this.#open(column, TAG.truth)
      this.sink.push(bytes[from] === LETTER_T ? 0x31 : 0x30)
      this.#append(TAG.valueEnd)
    } else if (type === 'date' || type === 'datetime') this.#moment(column, type, bytes, from, to)
    else if (isNumber(type, bytes, from, to)) this.#number(column, bytes, from, to)
    else this.text(column, bytes, from, to)
  }

  /** A number with all its digits: as a text where a spreadsheet would not keep them. */
  exact(column: number, bytes: Uint8Array, from: number, to: number): void {
    if (significantDigits(bytes, from, to) <= MOST_DIGITS) this.#number(column, bytes, from, to)
    else this.text(column, bytes, from, to)
  }

  bold(column: number, text: string): void {
    const bytes = Buffer.from(text)
    this.#text(column, TAG.bold, bytes, 0, bytes.length)
  }

  /** A text, cut if it is too long for a cell. */
  text(column: number, bytes: Uint8Array, from: number, to: number): void {
    const end = to - from <= LONGEST_TEXT ? to : cutText(bytes, from, to)
    if (end < to) this.cut++
    const isKept = end > from && (isBlank(bytes[from]!) || isBlank(bytes[end - 1]!))
    this.#text(column, isKept ? TAG.keptText : TAG.text, bytes, from, end)
  }

  #text(column: number, tag: Uint8Array, bytes: Uint8Array, from: number, to: number): void {
    this.#open(column, tag)
    appendEscaped(this.sink, bytes, from, to)
    this.#append(TAG.textEnd)
  }

  #number(column: number, bytes: Uint8Array, from: number, to: number): void {
    this.#open(column, TAG.number)
    this.sink.reserve(to - from)
    copyBytes(bytes, from, to, this.sink.bytes, this.sink.length)
    this.sink.length += to - from
    this.#append(TAG.valueEnd)
  }

  #moment(column: number, type: 'date' | 'datetime', bytes: Uint8Array, from: number, to: number): void {
    const day = dayNumber(bytes, from) + EPOCH
    const length = to - from
    if (day < FIRST_DAY || length > LENGTH_OF_MILLISECONDS) {
      this.text(column, bytes, from, to)
      return
    }
    let serial = String(day)
    let style: number = STYLE.date
    if (type === 'datetime') {
      style = length > LENGTH_OF_SECONDS ? STYLE.milliseconds : STYLE.datetime
      const fraction =
        length > LENGTH_OF_SECONDS ? parseNumber(bytes, from + 20, to - 1) / 10 ** (length - 21) : 0
      serial = String(day + (secondOfDay(bytes, from) + fraction) / 86_400)
    }
    this.#open(column, STYLED[style]!)
    this.sink.appendLatin1(serial)
    this.#append(TAG.valueEnd)
  }

  #open(column: number, tag: Uint8Array): void {
    this.#append(TAG.open)
    this.#append(this.#columns[column]!)
    this.#appendRow()
    this.#append(tag)
  }

  #append(bytes: Uint8Array): void {
    this.sink.append(bytes, 0, bytes.length)
  }
}

const STYLED = Object.values(STYLE).map((style) => Buffer.from(`" s="${style}"><v>`))

const LETTER_T = 0x74
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Whether a spreadsheet holds the number with all its digits. */
function isNumber(type: 'integer' | 'decimal', bytes: Uint8Array, from: number, to: number): boolean {
  if (type === 'integer') return (bytes[from] === MINUS ? to - from - 1 : to - from) <= MOST_DIGITS
  const size = Math.abs(parseNumber(bytes, from, to))
  return size === 0 || (size < LARGEST && size > SMALLEST)
}

function significantDigits(bytes: Uint8Array, from: number, to: number): number {
  let digits = 0
  for (let at = from; at < to; at++) {
    const isDigit = bytes[at] !== MINUS && bytes[at] !== POINT
    if (isDigit && (digits > 0 || bytes[at] !== ZERO)) digits++
  }
  return digits
}

function isBlank(byte: number): boolean {
  return byte <= 0x20
}

/** The end of the longest beginning that fits into a cell; no character is split. */
function cutText(bytes: Uint8Array, from: number, to: number): number {
  let units = 0
  for (let at = from; at < to; ) {
    const lead = bytes[at]!
    const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    units += length === 4 ? 2 : 1
    if (units > LONGEST_TEXT) return at
    at += length
  }
  return to
}

const PLAIN = 0
const NAMED = 1
const CODED = 2
const UNDERSCORE = 3
const NONCHARACTER = 4
/** How a byte is written in a text of XML. */
const CLASS = new Uint8Array(256)
CLASS.fill(CODED, 0, 0x20)
CLASS[0x09] = PLAIN
CLASS[0x0a] = PLAIN
for (const byte of Buffer.from('&<>')) CLASS[byte] = NAMED
CLASS[0x5f] = UNDERSCORE
CLASS[0xef] = NONCHARACTER

const NAMES: Readonly<Record<number, string>> = { 38: '&amp;', 60: '&lt;', 62: '&gt;' }

/**
 * Appends a text as XML. Characters that XML cannot hold are written as spreadsheets write them, `_x0001_`, and so is an
 * underscore that begins such a code in the text (ECMA-376, part 1, 22.9.2.19).
 */
function appendEscaped(sink: ByteSink, bytes: Uint8Array, from: number, to: number): void {
  // The longest escape takes seven bytes.
  sink.reserve((to - from) * 7)
  const target = sink.bytes
  let length = sink.length
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    const kind = CLASS[byte]!
    if (kind === PLAIN) {
      target[length++] = byte
      continue
    }
    sink.length = length
    at += appendSpecial(sink, kind, bytes, at, to)
    length = sink.length
  }
  sink.length = length
}

function appendSpecial(sink: ByteSink, kind: number, bytes: Uint8Array, at: number, to: number): number {
  const byte = bytes[at]!
  if (kind === NAMED) sink.appendLatin1(NAMES[byte]!)
  else if (kind === CODED) sink.appendLatin1(`_x${byte.toString(16).toUpperCase().padStart(4, '0')}_`)
  else if (kind === NONCHARACTER && bytes[at + 1] === 0xbf && bytes[at + 2]! >= 0xbe) {
    sink.appendLatin1(bytes[at + 2] === 0xbe ? '_xFFFE_' : '_xFFFF_')
    return 2
  } else if (kind === UNDERSCORE && looksCoded(bytes, at, to)) sink.appendLatin1('_x005F_')
  else sink.push(byte)
  return 0
}

function looksCoded(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at + 1]! !== 0x78 && bytes[at + 1]! !== 0x58) return false
  return /^_x[0-9a-f]{4}_/i.test(Buffer.from(bytes.subarray(at, Math.min(to, at + 7))).toString('latin1'))
}

/** The width of a column with this name and values of up to `longest` characters. */
export function widthOf(name: string, longest: number): number {
  return Math.min(WIDEST, Math.max(NARROWEST, name.length + ROOM, longest + 1))
}

/** The width of each column, from its name and the longest of some values, counted in bytes: close enough. */
export function columnWidths(dataset: OpenDataset, fields: readonly number[]): number[] {
  return fields.map((column) => {
    const { name, distinct, type } = dataset.columns[column]!
    if (type === 'datetime') return widthOf(name, 'yyyy-mm-dd hh:mm:ss'.length)
    const { words } = dataset.regions
    const offsets = dataset.segment(column, 'offsets') / 4
    const step = Math.max(1, Math.floor(distinct / LOOKED_AT))
    let longest = 0
    for (let code = 1; code <= distinct; code += step)
      longest = Math.max(longest, words[offsets + code]! - words[offsets + code - 1]!)
    return widthOf(name, longest)
  })
}
