/** A strict reader of RFC 4180: anything the RFC does not allow throws. */

/** One field; only an unquoted empty one means null in our exports. */
export interface CsvField {
  readonly text: string
  readonly quoted: boolean
}

/** The records of a CSV text whose lines all end in CRLF. */
export function parseRfc4180(text: string, delimiter = ','): CsvField[][] {
  const records: CsvField[][] = []
  for (let at = 0; at < text.length; ) {
    const record: CsvField[] = []
    for (;;) {
      const { field, end } = text[at] === '"' ? readQuoted(text, at) : readBare(text, at, delimiter)
      record.push(field)
      at = end + 1
      if (text[end] === delimiter) continue
      if (text[end] !== '\r' || text[end + 1] !== '\n') throw new Error(`no separator at ${end}`)
      at++
      break
    }
    records.push(record)
  }
  return records
}

function readQuoted(text: string, start: number): { field: CsvField; end: number } {
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new Error(`the quote at ${start} stays open`)
    if (text[quote + 1] !== '"') {
      return {
        field: { text: text.slice(start + 1, quote).replaceAll('""', '"'), quoted: true },
        end: quote + 1,
      }
    }
    at = quote + 2
  }
}

function readBare(text: string, start: number, delimiter: string): { field: CsvField; end: number } {
  let end = start
  while (end < text.length && !`${delimiter}\r\n"`.includes(text[end]!)) end++
  if (text[end] === '"' || text[end] === '\n' || end === text.length)
    throw new Error(`a bare field may not end at ${end}`)
  return { field: { text: text.slice(start, end), quoted: false }, end }
}
