/** Formats that are not delimited text, recognised by their first bytes, whatever the file is called. */

const SIGNATURES: readonly { name: string; bytes: readonly number[] }[] = [
  { name: 'an XLS workbook or another OLE document', bytes: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: 'a gzip archive', bytes: [0x1f, 0x8b] },
  { name: 'a bzip2 archive', bytes: [0x42, 0x5a, 0x68] },
  { name: 'an xz archive', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a] },
  { name: 'a zstd archive', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'a 7-Zip archive', bytes: [0x37, 0x7a, 0xbc, 0xaf] },
  { name: 'a RAR archive', bytes: [0x52, 0x61, 0x72, 0x21] },
  { name: 'a PDF document', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { name: 'a Parquet file', bytes: [0x50, 0x41, 0x52, 0x31] },
  { name: 'an SQLite database', bytes: [...new TextEncoder().encode('SQLite format 3\0')] },
]
const ZIP = [0x50, 0x4b, 0x03, 0x04]

/** What the file is if it is no delimited text, with its article, to be put into a sentence; else null. */
export function nameFormat(head: Uint8Array): string | null {
  const startsWith = (bytes: readonly number[]) => bytes.every((byte, i) => head[i] === byte)
  const text = new TextDecoder('latin1').decode(head)
  if (startsWith(ZIP)) return nameZip(text)
  const found = SIGNATURES.find(({ bytes }) => startsWith(bytes))
  return found ? found.name : nameMarkup(text.replace(/^\u00ef\u00bb\u00bf/, '').trimStart())
}

/** A package's kind shows in the names of its first entries. */
function nameZip(text: string): string {
  if (text.includes('application/vnd.oasis.opendocument')) return 'an ODS spreadsheet'
  if (text.includes('xl/') || text.includes('[Content_Types].xml')) return 'an XLSX workbook'
  return 'a ZIP archive'
}

function nameMarkup(text: string): string | null {
  if (/^<(!doctype html|html|head|body)\b/i.test(text)) return 'an HTML page'
  if (/^<\?xml\b/i.test(text)) return 'an XML document'
  if (/^\[\s*[[{]/.test(text) || /^\{\s*"[^"]*"\s*:/.test(text)) return 'JSON'
  return null
}
