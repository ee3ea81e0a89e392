/** Rows as JSON and CSV. */

import { wide, word } from './addresses'

/** Copies 16 bytes at a time, at least 16: bytes after the target's end, up to 16 of them, are overwritten. */
function copy(target: usize, source: usize, length: usize): void {
  let k: usize = 0
  do {
    v128.store(target + k, v128.load(source + k))
    k += 16
  } while (k < length)
}

/*
 * The description of a column: 17 words of 32 bits. COLUMN in `engine/render.ts` names them.
 *  0 codes   4 width   8 offsets   12 heap   16 flags or 0
 * 20 json_codes  24 entries there  28 json_offsets  32 json_heap
 * 36 csv_codes   40 entries there  44 csv_offsets   48 csv_heap
 * 52 prefix `,"name":` with an opening quote for texts   56 its length   60 1 for texts, else 0
 * 64 short texts, eight bytes for each code, padded with zeros; or 0
 */

const FLAG_CSV_QUOTED: u32 = 1
const FLAG_JSON_DIFFERS: u32 = 2
const FLAG_CSV_DIFFERS: u32 = 4
/** The position of the bit `csvGuarded`, 8. */
const CSV_GUARDED_SHIFT: u32 = 3

/* A cell that was located, in two words: the address of its text, and above three flags its length. */
const CELL_BYTES: usize = 8
const CELL_QUOTED: u32 = 1
const CELL_GUARDED: u32 = 2
const CELL_NULL: u32 = 4
const LENGTH_SHIFT: u32 = 3

/** Position of `code` in an ascending side table that holds it. */
function sideIndex(codes: usize, count: u32, code: u32): u32 {
  let low: u32 = 0
  let high = count
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (load<u32>(codes + ((middle as usize) << 2)) > code) high = middle
    else low = middle
  }
  return low
}

/** The sum of what was read ahead; it only keeps the compiler from removing the reads. */
export let touched: u32 = 0

/** The code of a row of a list. `Code`: the width of the column's codes. */
function codeOf<Code>(codes: usize, rows: usize, i: u32): u32 {
  return load<Code>(codes + ((load<u32>(word(rows, i)) as usize) << alignof<Code>())) as u32
}

/** Reads what the rows' cells have in a table that is too large for the nearest caches. */
function touchTable(codes: usize, rows: usize, count: u32, table: usize, shift: u32): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++)
    sum += load<u32>(table + ((codeOf<u32>(codes, rows, i) as usize) << shift))
  touched += sum
}

function putCell(at: usize, text: usize, length: u32, flags: u32): void {
  store<u32>(at, text as u32)
  store<u32>(at, (length << LENGTH_SHIFT) | flags, 4)
}

/**
 * Locates the cells of a column in `count` rows, and reads their texts' first bytes. A cell waits for memory up to three
 * times (code, offset, text), one cell of a row after the other; column by column the processor waits for many at once.
 * `Format`: u8 is JSON, u16 CSV.
 * @param at the first row's cell @param step bytes from one row's cell to the next
 * @returns the length of all texts together
 */
function locateCells<Format, Code>(column: usize, rows: usize, count: u32, at: usize, step: usize): u64 {
  const codes: usize = load<u32>(column)
  const flags: usize = load<u32>(column, 16)
  const short: usize = load<u32>(column, 64)
  const side = column + (sizeof<Format>() === 1 ? 20 : 36)
  const isLarge = sizeof<Code>() === 4
  let total: u64 = 0
  if (short !== 0) {
    if (isLarge) touchTable(codes, rows, count, short, 3)
    for (let i: u32 = 0; i < count; i++, at += step) {
      const code = codeOf<Code>(codes, rows, i)
      const text = wide(short, code)
      const length = 8 - ((clz(load<u64>(text)) as u32) >> 3)
      putCell(at, text, length, code === 0 ? CELL_NULL : 0)
      total += length
    }
    return total
  }
  if (isLarge) touchTable(codes, rows, count, load<u32>(column, 8), 2)
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++, at += step) {
    const code = codeOf<Code>(codes, rows, i)
    if (code === 0) {
      putCell(at, column, 0, CELL_NULL)
      continue
    }
    const flag: u32 = flags === 0 ? 0 : load<u8>(flags + code)
    let table = column
    let index = code - 1
    if ((flag & (sizeof<Format>() === 1 ? FLAG_JSON_DIFFERS : FLAG_CSV_DIFFERS)) !== 0) {
      // Offsets and heap are at the same distance in the column and in a side table.
      table = side
      index = sideIndex(load<u32>(side), load<u32>(side, 4), code)
    }
    const entry = word(load<u32>(table, 8), index)
    const start = load<u32>(entry)
    const length = load<u32>(entry, 4) - start
    const text = (load<u32>(table, 12) as usize) + start
    sum += load<u8>(text)
    putCell(at, text, length, (flag & FLAG_CSV_QUOTED) | ((flag >> CSV_GUARDED_SHIFT) << 1))
    total += length
  }
  touched += sum
  return total
}

/** Bytes that a cell may need besides its text and prefix: quotes, an apostrophe, a separator, or `null`. */
const CELL_MOST: u64 = 4
/** And a row: a brace, its end, and a line feed. */
const ROW_MOST: u64 = 3
/** Bytes that `copy` may overwrite after the last one. */
const SLACK: u64 = 16

/**
 * Locates the cells of rows, field by field, where `writeRows` looks for them: row by row.
 * @returns the most bytes that writing the rows may take
 */
function locateRows<Format>(fields: usize, fieldCount: u32, rows: usize, count: u32, cells: usize): u64 {
  const step = wide(0, fieldCount)
  let most: u64 = SLACK
  for (let field: u32 = 0; field < fieldCount; field++) {
    const column: usize = load<u32>(word(fields, field))
    const width = load<u32>(column, 4)
    const at = wide(cells, field)
    if (width === 1) most += locateCells<Format, u8>(column, rows, count, at, step)
    else if (width === 2) most += locateCells<Format, u16>(column, rows, count, at, step)
    else most += locateCells<Format, u32>(column, rows, count, at, step)
    most += (count as u64) * (CELL_MOST + (sizeof<Format>() === 1 ? (load<u32>(column, 56) as u64) : 0))
  }
  return most + (count as u64) * ROW_MOST
}

let rowsDone: u32 = 0

export function rowsRendered(): u32 {
  return rowsDone
}

const OPEN_BRACE: u32 = 0x7b
const CLOSE_BRACE: u32 = 0x7d
const QUOTE: u32 = 0x22
const APOSTROPHE: u32 = 0x27
/** `null` in the byte order of memory. */
const NULL: u32 = 0x6c6c756e

/**
 * Writes `count` rows, whose numbers are at `rows`, to `out .. limit`: as JSON objects, each followed by the byte `end`, or
 * as CSV records (RFC 4180, except for the delimiter `end`), where null is an empty field without quotes. `fields` points to
 * `fieldCount` pointers to columns. Stops before rows that may not fit; `rowsRendered` says how many were written.
 * @param cells eight bytes for each cell of `ahead` rows, which are located at a time
 * @returns where the output ends
 */
export function render(
  fields: usize,
  fieldCount: u32,
  cells: usize,
  ahead: u32,
  rows: usize,
  count: u32,
  out: usize,
  limit: usize,
  end: u32,
  isJson: bool,
): usize {
  if (isJson) return renderRows<u8>(fields, fieldCount, cells, ahead, rows, count, out, limit, end)
  return renderRows<u16>(fields, fieldCount, cells, ahead, rows, count, out, limit, end)
}

/** Writes the quote and the apostrophe that a text of CSV needs before it. */
function openCell(at: usize, info: u32): usize {
  store<u8>(at, QUOTE)
  const inner = at + (info & CELL_QUOTED)
  store<u8>(inner, APOSTROPHE)
  return inner + ((info & CELL_GUARDED) >> 1)
}

/** Ends a row after its last cell. `Format`: u8 is JSON, u16 CSV. */
function endRow<Format>(start: usize, at: usize, end: u32): usize {
  if (sizeof<Format>() !== 1) {
    store<u16>(at - 1, 0x0a0d)
    return at + 1
  }
  store<u8>(start, OPEN_BRACE)
  store<u8>(at, CLOSE_BRACE)
  store<u8>(at + 1, end)
  return at + 2
}

function renderRows<Format>(
  fields: usize,
  fieldCount: u32,
  cells: usize,
  ahead: u32,
  rows: usize,
  count: u32,
  out: usize,
  limit: usize,
  end: u32,
): usize {
  let at = out
  rowsDone = 0
  while (rowsDone < count) {
    const block = min(count - rowsDone, ahead)
    const most = locateRows<Format>(fields, fieldCount, word(rows, rowsDone), block, cells)
    if (most <= ((limit - at) as u64)) {
      at = writeRows<Format>(fields, fieldCount, cells, block, at, end)
      rowsDone += block
    } else if (rowsDone === 0 && block > 1) ahead = block >> 1
    else break
  }
  return at
}

/** Writes rows that were located. */
function writeRows<Format>(
  fields: usize,
  fieldCount: u32,
  cells: usize,
  count: u32,
  out: usize,
  end: u32,
): usize {
  const isJson = sizeof<Format>() === 1
  let at = out
  let cell = cells
  for (let i: u32 = 0; i < count; i++) {
    const rowStart = at
    for (let field: u32 = 0; field < fieldCount; field++, cell += CELL_BYTES) {
      const info = load<u32>(cell, 4)
      const length: usize = info >> LENGTH_SHIFT
      if (isJson) {
        const column: usize = load<u32>(word(fields, field))
        const prefixLength: usize = load<u32>(column, 56)
        const quoted: usize = load<u32>(column, 60)
        copy(at, load<u32>(column, 52), prefixLength)
        at += prefixLength
        if ((info & CELL_NULL) !== 0) {
          store<u32>(at - quoted, NULL)
          at += 4 - quoted
          continue
        }
        copy(at, load<u32>(cell), length)
        at += length
        store<u8>(at, QUOTE)
        at += quoted
      } else {
        const quoted = info & CELL_QUOTED
        if ((info & (CELL_QUOTED | CELL_GUARDED)) !== 0) at = openCell(at, info)
        copy(at, load<u32>(cell), length)
        at += length
        store<u16>(at, quoted !== 0 ? (end << 8) | QUOTE : end)
        at += 1 + quoted
      }
    }
    at = endRow<Format>(rowStart, at, end)
  }
  return at
}

/**
 * Writes the entries of the codes `from` to `to` (not included) to `short`, eight bytes for each code, padded with zeros.
 * @returns false when one is longer
 */
export function writeShort(offsets: usize, heap: usize, from: u32, to: u32, short: usize): bool {
  for (let code = from; code < to; code++) {
    const start = load<u32>(word(offsets, code - 1))
    const length = load<u32>(word(offsets, code)) - start
    if (length > 8) return false
    const unused = ((8 - length) << 3) as u64
    store<u64>(wide(short, code), length === 0 ? 0 : (load<u64>(heap + start) << unused) >> unused)
  }
  return true
}
