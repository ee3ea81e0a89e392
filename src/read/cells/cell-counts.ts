/** How often each distinct cell of a column occurs. */

import type { EncodedRecords } from './encoded-records.ts'

/**
 * Imported rows per cell id, 0 (the empty cell) included.
 * @param refused not 0 for each row to leave out; null: none
 */
export function countCells(records: EncodedRecords, lane: number, refused: Uint16Array | null): Uint32Array {
  const counts = new Uint32Array((records.tables[lane]?.count ?? 0) + 1)
  let row = 0
  for (const ids of records.idsOf(lane)) {
    if (refused === null) for (let i = 0; i < ids.length; i++) counts[ids[i] as number]!++
    else for (let i = 0; i < ids.length; i++) if (refused[row + i] === 0) counts[ids[i] as number]!++
    row += ids.length
  }
  return counts
}
