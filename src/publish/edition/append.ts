/**
 * The rows of a new version: those of a file, or those of the served version followed by a file's (contract 10), which
 * served rows the file replaces, and the figures that result.
 */

import type { ColumnType } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import { INVALID, type TypedColumn } from '../../read/values/conversion.ts'
import type { LoadedColumn, Verdict } from '../../read/values/validation.ts'
import type { Quality, ServedDataset, SourceEntry, VersionRecord } from '../../store/catalog/record.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { codeBlocks, readDictionary, type StoredDictionary } from '../../store/files/open-version.ts'
import { type CheckedRows, markShared } from './compare-served.ts'
import type { RowCounts } from './report.ts'

/** A version with its file, which the caller closes. */
export interface OpenedVersion {
  readonly record: VersionRecord
  readonly file: VersionFile
}

/** How the file's rows relate to the served ones. */
export type Appended = ReturnType<typeof compareWithServed>

/** Types that columns keep. In an append, a column without any value so far may get any type. */
export function servedTypes(served: ServedDataset | undefined, appends: boolean): Map<string, ColumnType> {
  const typed = served?.columns.filter(({ distinct_count: distinct }) => !appends || distinct > 0) ?? []
  return new Map(typed.map(({ name, type }) => [name, type]))
}

/** An append keeps the served order of columns. */
export function inServedOrder(
  columns: readonly LoadedColumn[],
  served: ServedDataset['columns'],
): readonly LoadedColumn[] {
  const places = new Map(served.map(({ name }, place) => [name, place]))
  const placeOf = ({ plan: { name } }: LoadedColumn) => places.get(name) ?? places.size
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/**
 * @param names columns of `replace_where` and of the primary key, which both sides have
 * @returns `replaced`: not 0 for each served row that is replaced, null: none is; `duplicates`: served rows that stay and
 * have the primary key of a row of the file
 * @throws DamagedFileError
 */
export function compareWithServed(
  { record, file }: OpenedVersion,
  rows: CheckedRows,
  { replaceWhere, primaryKey }: { replaceWhere: readonly string[]; primaryKey: readonly string[] },
) {
  const replaced = replaceWhere.length === 0 ? null : markShared(file, rows, replaceWhere)
  const replacedRows = replaced === null ? 0 : count(replaced)
  let duplicates = 0
  if (primaryKey.length > 0) {
    const same = markShared(file, rows, primaryKey)
    for (let row = 0; row < same.length; row++) if (same[row] === 1 && replaced?.[row] !== 1) duplicates++
  }
  return { record, file, replaced: replacedRows === 0 ? null : replaced, replacedRows, duplicates }
}

function count(marks: Uint8Array, from = 0, to = marks.length): number {
  let marked = 0
  for (let row = from; row < to; row++) marked += marks[row] as number
  return marked
}

/** The files that the rows come from: those of the served version with the rows that stay, then the added one. */
export function addSource({ record, replaced }: Appended, added: SourceEntry): SourceEntry[] {
  let from = 0
  const kept = record.provenance.sources.flatMap((source) => {
    const to = from + source.rows
    const gone = replaced === null ? 0 : count(replaced, from, to)
    from = to
    // None of its rows is served any more, so the file may be added again.
    return gone > 0 && gone === source.rows ? [] : { ...source, rows: source.rows - gone }
  })
  return [...kept, added]
}

/** Row counts of the served version without the replaced rows, plus the file's. */
export function addRows({ record, replacedRows }: Appended, added: RowCounts): RowCounts {
  const imported = record.rows - replacedRows + added.imported
  const quarantined = record.quarantined + added.quarantined
  const left_out = record.quality.rows.left_out + added.left_out
  return { read: imported + quarantined, imported, quarantined, left_out }
}

/**
 * The quality of the served version and of the file together. Repairs and failed checks of replaced rows stay counted, as
 * nothing records which rows they belong to.
 * @param added the file's quality, but with rows and columns of the whole version
 */
export function addQuality({ record: { quality } }: Appended, added: Quality): Quality {
  const isOfFile = ({ rule }: { rule: string }) => !rule.startsWith('reference_')
  const { surplus_blanks, joined, left_off } = quality.mended
  const doubts = [...quality.unproven, ...added.unproven]
  return {
    ...added,
    mended: {
      surplus_blanks: surplus_blanks + added.mended.surplus_blanks,
      joined: joined + added.mended.joined,
      left_off: left_off + added.mended.left_off,
    },
    unproven: [...new Map(doubts.map((doubt) => [JSON.stringify(doubt), doubt])).values()],
    repairs: addUp([...quality.repairs, ...added.repairs], 'count'),
    validation: addUp([...quality.validation.filter(isOfFile), ...added.validation], 'failed'),
    quarantine: addUp([...quality.quarantine, ...added.quarantine], 'count'),
    left_out: addUp([...quality.left_out, ...added.left_out], 'count'),
  }
}

/** Adds up entries that differ only in their figure. */
function addUp<Entry extends object>(entries: readonly Entry[], figure: keyof Entry): Entry[] {
  const alike = Map.groupBy(entries, ({ [figure]: _, ...rest }) => JSON.stringify(rest))
  return [...alike.values()].map((all) => {
    const sum = all.reduce((sum, entry) => sum + (entry[figure] as number), 0)
    return { ...(all[0] as Entry), [figure]: sum }
  })
}

export interface VersionRows {
  readonly accepted: number
  /** Rows before those of the file, left out or not. */
  readonly before: number
  /** Not 0 for each row to leave out; null: none. */
  readonly refused: Uint16Array | null
  column(column: LoadedColumn): ColumnRows
}

/** A column as cell ids: rows with the same cell have the same id. */
export interface ColumnRows {
  readonly typed: TypedColumn
  /** Imported rows per id. */
  readonly counts: Uint32Array
  /** The same for the file's ids only. */
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
      const counts = records.countCells(lane, refused)
      return { typed, counts, fileCounts: counts, ids: () => records.idsOf(lane) }
    },
  }
}

/**
 * The served rows that stay, then those of a file. Ids are first the codes of the served column, from 0, then the cells of
 * the file; only one column's dictionaries are in memory at a time.
 */
export function rowsOfBoth(records: EncodedRecords, verdict: Verdict, appended: Appended): VersionRows {
  const { file, replaced, replacedRows } = appended
  const ofFile = rowsOfFile(records, verdict)
  const isWhole = replaced === null && verdict.refused === null
  const marks = isWhole ? null : new Uint16Array(file.rows + records.rows)
  if (replaced !== null) marks?.set(replaced)
  if (verdict.refused !== null) marks?.set(verdict.refused, file.rows)
  return {
    accepted: file.rows - replacedRows + verdict.accepted,
    before: file.rows,
    refused: marks,
    column(column) {
      const position = file.columns.findIndex(({ name }) => name === column.plan.name)
      const stored = readDictionary(file, position)
      const added = ofFile.column(column)
      const behind = stored.column.distinct + 1
      const counts = new Uint32Array(behind + added.fileCounts.length)
      let row = 0
      for (const codes of codeBlocks(file, position)) {
        for (let i = 0; i < codes.length; i++, row++)
          if (replaced === null || replaced[row] === 0) counts[codes[i] as number]!++
      }
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

/** The values of both, the served ones first. @param cells number of the file's cell ids, including 0 */
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
