/** The rows of a version to be: those of a file, or of the served version and a file behind it. */

import { countCells } from '../../read/cells/cell-counts.ts'
import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import { INVALID, type TypedColumn } from '../../read/values/conversion.ts'
import type { LoadedColumn, Verdict } from '../../read/values/validation.ts'
import { codeBlocks, readDictionary, type StoredDictionary } from '../../store/files/stored-column.ts'
import type { Appended } from './append.ts'

export interface VersionRows {
  readonly accepted: number
  /** Rows that stand before those of the file, left out or not. */
  readonly before: number
  /** Not 0 for each row to leave out; null: none. */
  readonly refused: Uint16Array | null
  column(column: LoadedColumn): ColumnRows
}

/** A column by the ids of its cells, which are the same number in all rows that have the same cell. */
export interface ColumnRows {
  readonly typed: TypedColumn
  /** Imported rows per id. */
  readonly counts: Uint32Array
  /** The same for the ids of the file alone. */
  readonly fileCounts: Uint32Array
  /** The ids of all rows, block by block; each block is valid until the next. */
  ids(): Iterable<Uint32Array>
}

/** The rows of a file. */
export function rowsOfFile(records: EncodedRecords, { refused, accepted }: Verdict): VersionRows {
  return {
    accepted,
    before: 0,
    refused,
    column({ typed, lane }) {
      const counts = countCells(records, lane, refused)
      return { typed, counts, fileCounts: counts, ids: () => records.idsOf(lane) }
    },
  }
}

/**
 * The rows of the served version that stay, then those of a file. Ids are the codes of the served column, from 0, and
 * behind them the cells of the file; only the dictionaries of one column at a time are in memory.
 */
export function rowsOfBoth(records: EncodedRecords, verdict: Verdict, appended: Appended): VersionRows {
  const { file, replaced, replacedRows } = appended
  const ofFile = rowsOfFile(records, verdict)
  return {
    accepted: file.rows - replacedRows + verdict.accepted,
    before: file.rows,
    refused: joinMarks(file.rows, replaced, records.rows, verdict.refused),
    column(column) {
      const position = file.columns.findIndex(({ name }) => name === column.plan.name)
      const stored = readDictionary(file, position)
      const added = ofFile.column(column)
      const behind = stored.column.distinct + 1
      const counts = new Uint32Array(behind + added.fileCounts.length)
      countCodes(codeBlocks(file, position), replaced, counts)
      counts.set(added.fileCounts, behind)
      return {
        typed: joinValues(column.typed, stored, added.fileCounts.length),
        counts,
        fileCounts: added.fileCounts,
        *ids() {
          for (const codes of codeBlocks(file, position)) yield new Uint32Array(codes)
          for (const ids of added.ids()) yield ids.map((id) => id + behind)
        },
      }
    },
  }
}

function joinMarks(
  before: number,
  replaced: Uint8Array | null,
  added: number,
  refused: Uint16Array | null,
): Uint16Array | null {
  if (replaced === null && refused === null) return null
  const marks = new Uint16Array(before + added)
  if (replaced !== null) marks.set(replaced)
  if (refused !== null) marks.set(refused, before)
  return marks
}

function countCodes(
  blocks: Iterable<Uint8Array | Uint16Array | Uint32Array>,
  left: Uint8Array | null,
  counts: Uint32Array,
): void {
  let row = 0
  for (const codes of blocks) {
    for (let i = 0; i < codes.length; i++, row++)
      if (left === null || left[row] === 0) counts[codes[i] as number]!++
  }
}

/** The values of both, the served ones first. @param cells ids of the file, 0 among them */
function joinValues(
  { type, values, valueIds }: TypedColumn,
  { column, heap, offsets }: StoredDictionary,
  cells: number,
): TypedColumn {
  const { distinct } = column
  const start = offsets[distinct] as number
  const length = values.offsets.at(-1) as number
  const joined = new Uint8Array(start + length)
  joined.set(heap.subarray(0, start))
  joined.set(values.heap.subarray(0, length), start)
  const ends = new Uint32Array(offsets.length + values.offsets.length - 1)
  ends.set(offsets)
  for (let i = 1; i < values.offsets.length; i++) ends[distinct + i] = start + (values.offsets[i] as number)
  const ids = new Uint32Array(distinct + 1 + cells)
  for (let code = 0; code <= distinct; code++) ids[code] = code
  for (let cell = 0; cell < cells; cell++) {
    const value = valueIds === null ? cell : (valueIds[cell] as number)
    ids[distinct + 1 + cell] = value === 0 || value === INVALID ? 0 : distinct + value
  }
  return { type, values: { heap: joined, offsets: ends }, valueIds: ids, repairs: null }
}
