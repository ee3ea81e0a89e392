import type { Separators } from './separators.ts'

/** Whether no cell of a record has text. A first cell with text answers at once. */
export function isBlankRecord(
  bytes: Uint8Array,
  start: number,
  end: number,
  { delimiter, quote }: Separators,
): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte > 32 && byte !== delimiter && byte !== quote) return false
  }
  return !hasQuotedSigns(bytes, start, end, delimiter, quote)
}

/** Whether a record of nothing but white space, delimiters and quotes has these inside of quotes, where they are text. */
function hasQuotedSigns(
  bytes: Uint8Array,
  start: number,
  end: number,
  delimiter: number,
  quote: number,
): boolean {
  let isCellStart = true
  for (let at = start; at < end; at++) {
    if (bytes[at] !== quote || !isCellStart) {
      isCellStart = bytes[at] === delimiter
      continue
    }
    for (at++; at < end && bytes[at] !== quote; at++)
      if (bytes[at] === delimiter && delimiter > 32) return true
    if (at + 1 < end && bytes[at + 1] === quote) return true
    isCellStart = false
  }
  return false
}
