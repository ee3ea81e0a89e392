/**
 * What work files say that delimited text cannot, by characters that Unicode keeps for such inner use and that no text has
 * (U+FDD0 to U+FDD2). The first two mean something in converted JSON only.
 */

/** A cell of this character alone is an empty text, which is not null. */
export const EMPTY_TEXT = '\ufdd0'
/** A record whose first cell begins with this character, in quotes, is a line that could not be read. */
export const UNREADABLE = '\ufdd1'

/** Stands for bytes that the encoding of the source does not have. */
export const BROKEN_BYTE = '\ufdd2'

const QUOTE = 0x22
const EMPTY_BYTES = Buffer.from(EMPTY_TEXT)
const UNREADABLE_START = Buffer.from(`"${UNREADABLE}`)

/** Whether a cell says that it is an empty text. */
export function isEmptyText(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === EMPTY_BYTES.length && startsWith(bytes, start, EMPTY_BYTES)
}

/** Whether a record holds a line that could not be read. */
export function isUnreadable(bytes: Uint8Array, start: number): boolean {
  return startsWith(bytes, start, UNREADABLE_START)
}

/** A line that could not be read, as the first cell of a record. */
export function markUnreadable(text: string): string {
  return `"${UNREADABLE}${text.replaceAll('"', '""')}"`
}

/** A text for people, in which broken bytes are the replacement character. */
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
