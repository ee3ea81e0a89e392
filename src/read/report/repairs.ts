/** Repairs that the ingest makes within a cell, counted by column and kind. */

/** One bit each, so that a cell's repairs fit into one number. */
export const REPAIRS = {
  /** Outer white space removed. */
  trimmed: 1,
  /** `3,5` read as 3.5. */
  decimal_comma: 2,
  /** `1.234.567`, `1,234` or `1 234` read as a whole number. */
  thousands_separator: 4,
  /** A fraction of only zeros removed: `10,00` in a column of whole numbers. */
  zero_fraction: 8,
  /** Leading zeros removed, in a column declared to hold numbers. */
  leading_zeros: 16,
  /** More digits than a double holds. */
  rounded: 32,
  /** `31.01.2024`, `2024/1/31` and other dates converted to ISO 8601. */
  date_format: 64,
  /** A date and time without a zone taken as UTC. */
  assumed_utc: 128,
  /** `da`, `nu`, `yes`, `no`, `1`, `0` read as true or false. */
  boolean_word: 256,
  /** `−5` with a typographic minus; in a declared column also `5-`. */
  minus_sign: 512,
  /** `+5` in a column declared to hold numbers. */
  plus_sign: 1024,
  /** `5 %` read as 5, in a column declared to hold numbers. */
  percent_sign: 2048,
  /** An empty text of JSON read as null, in a column of numbers, dates or truth values. */
  empty_text: 4096,
  /** Control characters of Latin-1 read as the characters that windows-1252 has in their places. */
  misread_windows_1252: 8192,
  /** `45000`, a spreadsheet's number for a day, read as a date, in a column declared to hold dates. */
  serial_date: 16384,
} as const

export type RepairKind =
  | keyof typeof REPAIRS
  | 'stray_quote'
  | 'missing_cells'
  | 'inner_delimiter'
  | 'merged_cell'
  | 'error_cell'

/**
 * Counts repairs by kind.
 * @param bits for each distinct cell; @param counts how often each occurs
 * @returns kinds that occurred, with the number of cells
 */
export function countRepairs(bits: Uint16Array, counts: Uint32Array): { kind: RepairKind; count: number }[] {
  const totals = Object.entries(REPAIRS).map(([kind, bit]) => ({ kind: kind as RepairKind, bit, count: 0 }))
  for (let id = 0; id < bits.length; id++) {
    const set = bits[id] as number
    if (set === 0) continue
    for (const total of totals) if ((set & total.bit) !== 0) total.count += counts[id] as number
  }
  return totals.filter(({ count }) => count > 0).map(({ kind, count }) => ({ kind, count }))
}

/** Repairs of one kind in one column. */
export interface Repair {
  readonly column: string
  readonly kind: RepairKind
  /** Cells of imported rows; `stray_quote`: of all rows read. */
  readonly count: number
}
