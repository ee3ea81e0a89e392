/**
 * Control characters U+0080 to U+009F stand in no document: they are bytes of windows-1252 that some tool took for
 * Latin-1, `–`, `„` or `€`. HTML reads them as these as well (WHATWG HTML 13.2.5.80).
 */

/** In UTF-8 all of them begin with this byte, as do U+00A0 to U+00BF. */
const LEAD = 0xc2
const FIRST = 0x80
const LAST = 0x9f
/** Five of the bytes mean nothing in windows-1252 either, and stay. */
const SIGNS = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => FIRST + i))

/** Whether there is any in bytes of UTF-8. */
export function hasMisreadControls(heap: Uint8Array, start = 0, end = heap.length): boolean {
  const bytes = heap.subarray(start, end)
  for (let at = bytes.indexOf(LEAD); at >= 0; at = bytes.indexOf(LEAD, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && next >= FIRST && next <= LAST && isMeant(next)) return true
  }
  return false
}

/** A control, or two to four characters that are the bytes of one UTF-8 character. */
const CONTROLS =
  /[\u00c3-\u00c5\u00c8\u00cd-\u00d1][\u0080-\u00bf]|\u00e2[\u0080-\u00bf]{2}|\u00f0[\u0080-\u00bf]{3}|[\u0080-\u009f]/g

/**
 * A text with the characters that were meant. Where a control is part of a UTF-8 character that was read byte by byte, as
 * in `Ä` and U+0083 for `ă`, the text stays as it is: a sign in place of the control would make two characters of one.
 */
export function mendControls(text: string): string {
  return text.replace(CONTROLS, (found) =>
    found.length > 1 ? found : (SIGNS[found.charCodeAt(0) - FIRST] as string),
  )
}

function isMeant(byte: number): boolean {
  return SIGNS.charCodeAt(byte - FIRST) > LAST
}
