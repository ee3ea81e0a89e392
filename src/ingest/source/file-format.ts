/** Formats that are not delimited text, recognised by their first bytes, whatever the file is called. */

/**
 * Whole signatures: a header may well begin with their first letters.
 * `end` stands at the end of the file as well.
 */
const SIGNATURES: readonly { name: string; start: string; end?: string }[] = [
  { name: 'an XLS workbook or another OLE document', start: '\xd0\xcf\x11\xe0' },
  { name: 'a gzip archive', start: '\x1f\x8b' },
  { name: 'an xz archive', start: '\xfd7zXZ' },
  { name: 'a zstd archive', start: '\x28\xb5\x2f\xfd' },
  { name: 'a 7-Zip archive', start: '7z\xbc\xaf\x27\x1c' },
  { name: 'a RAR archive', start: 'Rar!\x1a\x07' },
  { name: 'a PDF document', start: '%PDF-' },
  { name: 'a Parquet file', start: 'PAR1', end: 'PAR1' },
  { name: 'an SQLite database', start: 'SQLite format 3\0' },
]
/** The digit is the size of its blocks. */
const BZIP2 = /^BZh[1-9]1AY&SY/
const ZIP = 'PK\x03\x04'

/** Elements that pages and pieces of pages begin with; `<a>,<b>` would be a header. */
const HTML_ELEMENTS =
  /^<(!doctype\s+html|(html|head|body|meta|link|title|base|style|script|noscript|header|nav|main|section|article|aside|footer|div|span|p|br|hr|h[1-6]|a|b|i|strong|em|font|center|img|table|thead|tbody|tr|td|th|ul|ol|li|dl|form|iframe|frameset|pre|svg)(\s[^<>]*)?\/?>(?![,;\t|]))/i

/**
 * @param head the first bytes of a file @param tail its last ones, at least as many as a signature has
 * @returns what the file is if it is no delimited text, with its article, to be put into a sentence; else null
 */
export function nameFormat(head: Uint8Array, tail: Uint8Array): string | null {
  const text = toLatin1(head)
  if (text.startsWith(ZIP)) return nameZip(text)
  if (BZIP2.test(text)) return 'a bzip2 archive'
  const found = SIGNATURES.find(
    ({ start, end = '' }) => text.startsWith(start) && toLatin1(tail).endsWith(end),
  )
  return found ? found.name : nameMarkup(text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart())
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** A package's kind shows in the names of its first entries. */
function nameZip(text: string): string {
  if (text.includes('application/vnd.oasis.opendocument')) return 'an ODS spreadsheet'
  if (text.includes('xl/') || text.includes('[Content_Types].xml')) return 'an XLSX workbook'
  return 'a ZIP archive'
}

function nameMarkup(text: string): string | null {
  if (/^<\?xml\b/i.test(text)) return 'an XML document'
  if (/^<!--/.test(text) || HTML_ELEMENTS.test(text)) return 'an HTML page'
  // `<id>,<name>` may be a header; an element that is closed again, or has attributes, is none.
  const element = /^<([a-z][\w:.-]*)(\s[^<>]*=[^<>]*)?\/?>/i.exec(text)
  if (element && (element[2] !== undefined || text.includes(`</${element[1]}>`))) return 'an XML document'
  if (/^\[\s*[[{]/.test(text) || /^\{\s*"[^"]*"\s*:/.test(text)) return 'JSON'
  return null
}
