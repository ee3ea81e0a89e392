/** Adding a file's rows to those of the served version (contract 10): what is taken out first, what comes of the figures. */

import type { ColumnType } from '../../engine/columns/column.ts'
import type { LoadedColumn } from '../../read/values/validation.ts'
import type { ServedDataset, SourceEntry, VersionRecord } from '../../store/catalog/record.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import type { QualityCounts } from './quality.ts'
import { type CheckedRows, markShared } from './shared-rows.ts'

/** The served version that a file is added to. The caller closes its file. */
export interface AppendBase {
  readonly record: VersionRecord
  readonly file: VersionFile
}

/** What the file does to the served rows. */
export interface Appended extends AppendBase {
  /** Not 0 for each served row that is taken out; null: none is. */
  readonly replaced: Uint8Array | null
  readonly replacedRows: number
  /** Served rows that stay and have the primary key of a row of the file. */
  readonly duplicates: number
}

/** @throws DamagedFileError */
export function openBase(served: ServedDataset, record: VersionRecord): AppendBase {
  return { record, file: VersionFile.open(served.file) }
}

/** Types that columns keep. A column that had no value in any file so far may still become anything. */
export function servedTypes(served: ServedDataset | undefined, appends: boolean): Map<string, ColumnType> {
  const typed = served?.columns.filter(({ distinct_count: distinct }) => !appends || distinct > 0) ?? []
  return new Map(typed.map(({ name, type }) => [name, type]))
}

/** The columns of an append stand as they are served. */
export function inServedOrder(
  columns: readonly LoadedColumn[],
  served: ServedDataset['columns'],
): readonly LoadedColumn[] {
  const places = new Map(served.map(({ name }, place) => [name, place]))
  const placeOf = ({ plan: { name } }: LoadedColumn) => places.get(name) ?? places.size
  return columns.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/**
 * @param names of `replace_where`, and of the primary key; columns of both sides
 * @throws DamagedFileError
 */
export function compareWithServed(
  { record, file }: AppendBase,
  rows: CheckedRows,
  { replaceWhere, primaryKey }: { replaceWhere: readonly string[]; primaryKey: readonly string[] },
): Appended {
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

/** The files that the rows are from: those of the served version with the rows that stay, then the one that is added. */
export function addSource({ record, replaced }: Appended, added: SourceEntry): SourceEntry[] {
  let from = 0
  const kept = record.provenance.sources.flatMap((source) => {
    const to = from + source.rows
    const gone = replaced === null ? 0 : count(replaced, from, to)
    from = to
    // None of its rows is served any more, so it may come again.
    return gone > 0 && gone === source.rows ? [] : { ...source, rows: source.rows - gone }
  })
  return [...kept, added]
}

/**
 * The figures of the served version and of the file together. Of rows that were taken out the repairs and failed checks
 * stay counted: nothing says any more which ones they were.
 * @param counts of the file, but for the columns, which are of all rows
 */
export function addQuality({ record, replacedRows }: Appended, counts: QualityCounts): QualityCounts {
  const { quality } = record
  const imported = record.rows - replacedRows + counts.rows.imported
  const quarantined = record.quarantined + counts.rows.quarantined
  const whole = ({ rule }: { rule: string }) => rule.startsWith('reference_')
  return {
    rows: { read: imported + quarantined, imported, quarantined },
    columns: counts.columns,
    repairs: addUp([...quality.repairs, ...counts.repairs] as QualityCounts['repairs'], 'count'),
    validation: addUp(
      [...quality.validation.filter((check) => !whole(check)), ...counts.validation],
      'failed',
    ),
    mended: addUp(
      [
        ...Object.entries(quality.mended).map(([reason, count]) => ({ reason, count, first_line: 1 })),
        ...counts.mended,
      ],
      'count',
    ),
    unproven: [
      ...new Map(
        [...quality.unproven, ...counts.unproven].map((doubt) => [JSON.stringify(doubt), doubt]),
      ).values(),
    ],
    quarantine: addUp(
      [...quality.quarantine.map((reason) => ({ ...reason, first_line: 1 })), ...counts.quarantine],
      'count',
    ),
  }
}

/** Entries that differ in their figure alone become one. */
function addUp<Entry extends object>(entries: readonly Entry[], figure: keyof Entry): Entry[] {
  const sums = new Map<string, Entry>()
  for (const entry of entries) {
    const { [figure]: amount, first_line: _, ...rest } = entry as Entry & { first_line?: number }
    const key = JSON.stringify(rest)
    const known = sums.get(key)
    const sum = (amount as number) + ((known?.[figure] as number | undefined) ?? 0)
    sums.set(key, { ...(known ?? entry), [figure]: sum })
  }
  return [...sums.values()]
}
