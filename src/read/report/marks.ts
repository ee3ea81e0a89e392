/**
 * Marks in work files for what delimited text cannot express: characters that Unicode reserves for internal use and that no
 * text has (U+FDD0 to U+FDD2). The first two occur only in converted JSON.
 */

/** A cell of this character alone is an empty text, which is not null. */
export const EMPTY_TEXT = '\ufdd0'
/** A record whose first cell begins with this character, in quotes, is a line that could not be read. */
export const UNREADABLE = '\ufdd1'

/** Replaces bytes that the encoding of the source lacks. */
export const BROKEN_BYTE = '\ufdd2'

const QUOTE = 0x22
const EMPTY_BYTES = Buffer.from(EMPTY_TEXT)
const UNREADABLE_START = Buffer.from(`"${UNREADABLE}`)

/** Whether a cell is the mark of an empty text. */
export function isEmptyText(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === EMPTY_BYTES.length && startsWith(bytes, start, EMPTY_BYTES)
}

/** Whether a record is a line that could not be read. */
export function isUnreadable(bytes: Uint8Array, start: number): boolean {
  return startsWith(bytes, start, UNREADABLE_START)
}

/** A line that could not be read, as the first cell of a record. */
export function markUnreadable(text: string): string {
  return `"${UNREADABLE}${text.replaceAll('"', '""')}"`
}

/** A text for people, with the replacement character for broken bytes. */
export function showBroken(text: string): string {
  return text.replaceAll(BROKEN_BYTE, '\ufffd')
}

/** The text of a refused record, without the marks. */
export function withoutMarks(record: string): string {
  if (!record.startsWith(`"${UNREADABLE}`)) return record.replaceAll(EMPTY_TEXT, '""')
  return record
    .slice(1 + UNREADABLE.length, record.lastIndexOf(String.fromCharCode(QUOTE)))
    .replaceAll('""', '"')
}

function startsWith(bytes: Uint8Array, start: number, sign: Uint8Array): boolean {
  for (let i = 0; i < sign.length; i++) if (bytes[start + i] !== sign[i]) return false
  return true
}
