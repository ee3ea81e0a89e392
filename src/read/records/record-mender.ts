/** Between the splitter, which cuts records into cells, and who makes rows of those of another width. */

/** A record of another width than the header's, cut into its cells: bounds within `bytes`, quotes taken off. */
export interface CutRecord {
  readonly bytes: Uint8Array
  readonly line: number
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly quoted: readonly boolean[]
  /** Some quote in it stands neither at the beginning nor at the end of a cell, or is alone there. */
  readonly hasStray: boolean
}

/** Bounds of as many cells as the header has. */
export interface MendedRecord {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Makes rows of records of another width, where the evidence allows it (`widths/width-outcome.ts`). */
export interface RecordMender {
  /** Records of more cells are not looked into. */
  readonly mostCells: number
  mend(record: CutRecord): MendedRecord | null
}
