/** Recognises what a file is by its bytes, whatever its name. */

import { statSync } from 'node:fs'
import type { Format } from '../report/formats.ts'
import { decodeWideHead, findWideEncoding } from './encoding/encoding-names.ts'
import { readHead } from './source.ts'

export interface Recognised {
  /** null: something that cannot be read. */
  readonly format: Format | 'gzip' | 'zip' | null
  /** With its article, for use in a sentence. */
  readonly name: string
}

/** Whole signatures, as a header could begin with their first letters. `end` must also match the end of the file. */
const SIGNATURES: readonly (Partial<Recognised> & { name: string; start: string; end?: string })[] = [
  // A ZIP begins with its first entry or, if it has none, with its end record.
  { name: 'a ZIP archive', start: 'PK\x03\x04', format: 'zip' },
  { name: 'a ZIP archive', start: 'PK\x05\x06', format: 'zip' },
  { name: 'an XLS workbook or another OLE document', start: '\xd0\xcf\x11\xe0', format: 'xls' },
  { name: 'a gzip archive', start: '\x1f\x8b', format: 'gzip' },
  { name: 'an xz archive', start: '\xfd7zXZ' },
  { name: 'a zstd archive', start: '\x28\xb5\x2f\xfd' },
  { name: 'a 7-Zip archive', start: '7z\xbc\xaf\x27\x1c' },
  { name: 'a RAR archive', start: 'Rar!\x1a\x07' },
  { name: 'a PDF document', start: '%PDF-' },
  { name: 'a Parquet file', start: 'PAR1', end: 'PAR1' },
  { name: 'an SQLite database', start: 'SQLite format 3\0' },
]
/** The digit is the block size. */
const BZIP2 = /^BZh[1-9]1AY&SY/

/** Elements that HTML pages and fragments begin with; `<a>,<b>` would be a header. */
const HTML_ELEMENTS =
  /^<(!doctype\s+html|(html|head|body|meta|link|title|base|style|script|noscript|header|nav|main|section|article|aside|footer|div|span|p|br|hr|h[1-6]|a|b|i|strong|em|font|center|img|table|thead|tbody|tr|td|th|ul|ol|li|dl|form|iframe|frameset|pre|svg)(\s[^<>]*)?\/?>(?![,;\t|]))/i

const HEAD_BYTES = 1 << 16
/** Lines of JSON may be long, such as a row with a coastline. */
const LONGEST_HEAD = 1 << 25
const TAIL_BYTES = 8
const LINE_FEED = 0x0a

/** Anything unrecognised is delimited text (`csv`); `zip` is any package, including workbooks. */
export function recogniseFile(path: string): Recognised {
  const { size } = statSync(path)
  const tail = toLatin1(readHead(path, Math.max(0, size - TAIL_BYTES), TAIL_BYTES))
  let head = readHead(path, 0, HEAD_BYTES)
  // Two complete lines show whether objects are on separate lines.
  if (/^\s*\{/.test(toText(head.subarray(0, 256))))
    for (let length = HEAD_BYTES; length < Math.min(size, LONGEST_HEAD); length *= 4) {
      const end = head.indexOf(LINE_FEED)
      if (end >= 0 && head.indexOf(LINE_FEED, end + 2) >= 0) break
      head = readHead(path, 0, length * 4)
    }
  const text = toLatin1(head)
  if (BZIP2.test(text)) return { format: null, name: 'a bzip2 archive' }
  const found = SIGNATURES.find(({ start, end = '' }) => text.startsWith(start) && tail.endsWith(end))
  return found ? { format: null, ...found } : recogniseText(toText(head).trimStart())
}

/** The beginning of a text, right for ASCII: UTF-16 and UTF-32 are decoded, anything else is taken byte by byte. */
function toText(head: Uint8Array): string {
  const wide = findWideEncoding(head)
  return wide === undefined ? toLatin1(head).replace(/^\u00ef\u00bb\u00bf/, '') : decodeWideHead(head, wide)
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

const SCALAR = /(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/.source
const SCALARS = new RegExp(`^\\[\\s*${SCALAR}\\s*(?:,\\s*${SCALAR}|\\]\\s*$)`)

function recogniseText(text: string): Recognised {
  if (/^<\?xml\b/i.test(text)) return { format: null, name: 'an XML document' }
  if (/^<!--/.test(text) || HTML_ELEMENTS.test(text)) return { format: null, name: 'an HTML page' }
  // `<id>,<name>` may be a header; an element with an end tag or attributes is not.
  const element = /^<([a-z][\w:.-]*)(\s[^<>]*=[^<>]*)?\/?>/i.exec(text)
  if (element && (element[2] !== undefined || text.includes(`</${element[1]}>`)))
    return { format: null, name: 'an XML document' }
  // An array of values is not a table; read as text it would be a table with a single line.
  if (/^\[\s*([[{]|\]\s*$)/.test(text) || SCALARS.test(text)) return { format: 'json', name: 'JSON' }
  if (/^\{\s*("[^"]*"\s*:|\}\s*([{\r\n]|$))/.test(text)) return recogniseObject(text)
  return { format: 'csv', name: 'delimited text' }
}

/** Objects on separate lines, or a single object that may contain an array. */
function recogniseObject(text: string): Recognised {
  const [first = '', ...others] = text.split(/\r?\n/, 64)
  const next = others.find((line) => line.trim() !== '')
  // Nothing may follow the single object of a JSON file: anything that does is another line, readable or not.
  const isLines = first.trimEnd().endsWith('}') && isObject(first)
  // A single line with an array of objects in it is a wrapped array, not a row.
  const isWrapped = next === undefined && /:\s*\[\s*\{/.test(first)
  // If the first line is broken, the second one decides.
  const isBroken = !isLines && next !== undefined && isObject(next)
  return (isLines || isBroken) && !isWrapped
    ? { format: 'ndjson', name: 'NDJSON' }
    : { format: 'json', name: 'JSON' }
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
