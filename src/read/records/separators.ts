/** How a file separates cells: bytes, `quote` -1 when quotes mean nothing in it. */
export interface Separators {
  readonly delimiter: number
  readonly quote: number
  /** Lines are counted by records: line ends inside cells do not add to them. For converted files. */
  readonly recordsAreLines?: boolean
}
