/** Rows as JSON and CSV. */

import { codeAt, wide, word } from './addresses'

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

let textAt: usize = 0
let textLength: u32 = 0

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

/** Finds the text of a cell, in a side table where its escaped form differs. `Format`: u8 is JSON, u16 CSV. @returns its flags */
function locateCell<Format>(column: usize, code: u32): u32 {
  const flags: usize = load<u32>(column, 16)
  const flag: u32 = flags === 0 ? 0 : load<u8>(flags + code)
  if (code === 0) {
    textLength = 0
    return flag
  }
  const isEscaped = (flag & (sizeof<Format>() === 1 ? FLAG_JSON_DIFFERS : FLAG_CSV_DIFFERS)) !== 0
  const side = column + (sizeof<Format>() === 1 ? 20 : 36)
  const index = isEscaped ? sideIndex(load<u32>(side), load<u32>(side, 4), code) : code - 1
  // Offsets and heap are at the same distance in the column and in a side table.
  const table = isEscaped ? side : column
  const entry = word(load<u32>(table, 8), index)
  const start = load<u32>(entry)
  textAt = (load<u32>(table, 12) as usize) + start
  textLength = load<u32>(entry, 4) - start
  return flag
}

/** Rows read ahead at a time: few enough that their data stays in the processor's nearest cache until they are written. */
const AHEAD: u32 = 64

/** The sum of what was read ahead; it only keeps the compiler from removing the reads. */
export let touched: u32 = 0

/**
 * Reads what rendering the next rows will read, column by column. A cell waits for memory up to three times (code,
 * offset, text), one cell after the other; here the processor waits for many at once, which takes a third off an export.
 * @param spread whether the rows are far apart, as those of a page are; else the processor prefetches the codes, and the
 *   texts of columns with few values (one byte of code) stay in its caches anyway
 */
function touchRows(fields: usize, fieldCount: u32, rows: usize, count: u32, spread: bool): void {
  for (let field: u32 = 0; field < fieldCount; field++) {
    const column: usize = load<u32>(fields + ((field as usize) << 2))
    const width = load<u32>(column, 4)
    if (width === 1 && !spread) continue
    const codes: usize = load<u32>(column)
    const offsets: usize = load<u32>(column, 8)
    const heap: usize = load<u32>(column, 12)
    const short: usize = load<u32>(column, 64)
    let sum: u32 = 0
    for (let i: u32 = 0; i < count; i++) {
      const code = codeAt(codes, width, load<u32>(word(rows, i)))
      const entry = word(offsets, code === 0 ? 0 : code - 1)
      sum += load<u8>(short !== 0 ? wide(short, code) : heap + load<u32>(entry))
    }
    touched += sum
  }
}

let rowsDone: u32 = 0

export function rowsRendered(): u32 {
  return rowsDone
}

const OPEN_BRACE: u32 = 0x7b
const CLOSE_BRACE: u32 = 0x7d
const QUOTE: u32 = 0x22
const COMMA: u32 = 0x2c
const APOSTROPHE: u32 = 0x27
/** `null` in the byte order of memory. */
const NULL: u32 = 0x6c6c756e

/** Bytes that a cell may need besides its text: quotes, separators, line end, and the slack of `copy`. */
const CELL_SLACK: usize = 32

/**
 * Writes `count` rows, whose numbers are at `rows`, to `out .. limit`: as JSON objects, each followed by the byte `end`, or
 * as CSV records (RFC 4180, except for the delimiter `end`), where null is an empty field without quotes. `fields` points to
 * `fieldCount` pointers to columns. Stops before the first row that does not fit; `rowsRendered` says how many did. Returns
 * where the output ends.
 */
export function render(
  fields: usize,
  fieldCount: u32,
  rows: usize,
  count: u32,
  out: usize,
  limit: usize,
  end: u32,
  isJson: bool,
): usize {
  if (isJson) return renderRows<u8>(fields, fieldCount, rows, count, out, limit, end)
  return renderRows<u16>(fields, fieldCount, rows, count, out, limit, end)
}

/** Writes the quote and the apostrophe that a text of CSV needs before it. */
function openCell(at: usize, flag: u32): usize {
  store<u8>(at, QUOTE)
  const inner = at + (flag & FLAG_CSV_QUOTED)
  store<u8>(inner, APOSTROPHE)
  return inner + ((flag >> CSV_GUARDED_SHIFT) & 1)
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
  rows: usize,
  count: u32,
  out: usize,
  limit: usize,
  end: u32,
): usize {
  const isJson = sizeof<Format>() === 1
  let at = out
  for (let i: u32 = 0; i < count; i++) {
    if (i % AHEAD === 0)
      touchRows(fields, fieldCount, word(rows, i), min(count - i, AHEAD), isJson && end === COMMA)
    const rowStart = at
    const row = load<u32>(word(rows, i))
    for (let field: u32 = 0; field < fieldCount; field++) {
      const column: usize = load<u32>(word(fields, field))
      const code = codeAt(load<u32>(column), load<u32>(column, 4), row)
      const prefixLength: usize = isJson ? load<u32>(column, 56) : 0
      const short: usize = load<u32>(column, 64)
      let text: u64 = 0
      let flag: u32 = 0
      let length: usize
      if (short !== 0) {
        text = load<u64>(wide(short, code))
        length = 8 - ((clz(text) as usize) >> 3)
      } else {
        flag = locateCell<Format>(column, code)
        length = textLength
      }
      if (limit - at < prefixLength + length + CELL_SLACK) {
        rowsDone = i
        return rowStart
      }
      let quoted: usize = flag & FLAG_CSV_QUOTED
      if (isJson) {
        copy(at, load<u32>(column, 52), prefixLength)
        at += prefixLength
        quoted = load<u32>(column, 60)
        if (code === 0) {
          store<u32>(at - quoted, NULL)
          at += 4 - quoted
          continue
        }
      } else if (flag !== 0) at = openCell(at, flag)
      if (short !== 0) store<u64>(at, text)
      else if (length !== 0) copy(at, textAt, length)
      at += length
      store<u8>(at, QUOTE)
      at += quoted
      if (!isJson) store<u8>(at++, end)
    }
    at = endRow<Format>(rowStart, at, end)
  }
  rowsDone = count
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
