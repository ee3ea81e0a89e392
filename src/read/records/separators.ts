/** How a file separates cells: bytes, `quote` -1 when quotes mean nothing in it. */
export interface Separators {
  readonly delimiter: number
  readonly quote: number
  /** Lines are counted by records: line ends inside cells do not add to them. For converted files. */
  readonly recordsAreLines?: boolean
}

/** Bytes that may be read beyond the end of a cell: cells are read four bytes at a time. */
export const READ_AHEAD = 8

/** Bytes an array must hold for a block of `length` bytes to be split in it. */
export function blockRoom(length: number): number {
  return 2 * length + 2 * READ_AHEAD
}
