/** Cells that a spreadsheet merged side by side: one value that stands for several columns. */

export interface Span {
  /** Record, from 1, blank ones included: the row of the sheet. */
  readonly record: number
  /** The first of the cells, from 0. */
  readonly cell: number
  /** How many cells, at least 2. */
  readonly width: number
}
