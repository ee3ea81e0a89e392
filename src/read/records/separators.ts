/** How a file separates cells, as bytes; `quote` is -1 if there are no quotes. */
export interface Separators {
  readonly delimiter: number
  readonly quote: number
  /** Lines are counted as records: line ends inside cells do not count. For converted files. */
  readonly recordsAreLines?: boolean
}

/** Whether no cell of a record has text. Usually the first cell decides. */
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
  // White space, delimiters and quotes inside of quotes are text.
  let isCellStart = true
  for (let at = start; at < end; at++) {
    if (bytes[at] !== quote || !isCellStart) {
      isCellStart = bytes[at] === delimiter
      continue
    }
    for (at++; at < end && bytes[at] !== quote; at++)
      if (bytes[at] === delimiter && delimiter > 32) return false
    if (at + 1 < end && bytes[at + 1] === quote) return false
    isCellStart = false
  }
  return true
}
