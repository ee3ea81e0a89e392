/** What changed from one kept version of a dataset to another: `datasets diff`. Field names are public. */

import type { ColumnType } from '../../engine/columns/column.ts'
import type { DescriptorColumn, VersionRecord } from '../../store/catalog/record.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { compareRows, type RowOverlap } from './version-overlap.ts'

/** A version as `diff` names it. */
export interface VersionFacts {
  readonly version: number
  readonly rows: number
  readonly quarantined: number
  readonly imported_at: string
  readonly source_file: string
  readonly source_sha256: string
  readonly source_url: string | null
}

interface Moved<T> {
  readonly from: T
  readonly to: T
}

interface ColumnChange extends Moved<string | boolean | null> {
  readonly column: string
  readonly field: 'type' | 'required' | 'source_name'
}

export interface ColumnStatistics {
  readonly column: string
  /** 0..1, of the version's rows; six digits. */
  readonly null_share: Moved<number>
  readonly distinct: Moved<number>
  /** Whether one of the two moved far enough to be worth a look. */
  readonly notable: boolean
}

export interface VersionDiff {
  readonly dataset: string
  readonly from: VersionFacts
  readonly to: VersionFacts
  /** Whether both were made from the same bytes. */
  readonly same_source: boolean
  readonly columns: {
    readonly added: readonly { readonly name: string; readonly type: ColumnType }[]
    readonly removed: readonly { readonly name: string; readonly type: ColumnType }[]
    readonly changed: readonly ColumnChange[]
  }
  readonly primary_key: Moved<readonly string[]>
  /** Of the columns that both have. */
  readonly statistics: readonly ColumnStatistics[]
  readonly quarantine: readonly ({ readonly reason: string } & Moved<number>)[]
  readonly repairs: readonly ({ readonly column: string; readonly kind: string } & Moved<number>)[]
  readonly overlap: RowOverlap
}

/** Shares of nulls further apart than this are worth a look. */
const FAR_SHARES = 0.05
/** Distinct values: by this factor, and by more than a handful. */
const FAR_FACTOR = 1.5
const HANDFUL = 5

/** @throws DamagedFileError when one of the files cannot be read */
export function diffVersions(
  from: { readonly record: VersionRecord; readonly file: VersionFile },
  to: { readonly record: VersionRecord; readonly file: VersionFile },
): VersionDiff {
  const [before, now] = [from.record, to.record]
  const [facts, newFacts] = [factsOf(before), factsOf(now)]
  const lacks = (columns: readonly DescriptorColumn[], name: string) => !columns.some((c) => c.name === name)
  const named = ({ name, type }: DescriptorColumn) => ({ name, type })
  return {
    dataset: now.dataset.id,
    from: facts,
    to: newFacts,
    same_source: facts.source_sha256 === newFacts.source_sha256,
    columns: {
      added: now.columns.filter(({ name }) => lacks(before.columns, name)).map(named),
      removed: before.columns.filter(({ name }) => lacks(now.columns, name)).map(named),
      changed: pairs(before, now).flatMap(([old, column]) => changesOf(old, column)),
    },
    primary_key: { from: before.primary_key, to: now.primary_key },
    statistics: pairs(before, now).map(([old, column]) =>
      compareStatistics(old, before.rows, column, now.rows),
    ),
    quarantine: countBoth(before.quality.quarantine, now.quality.quarantine, ({ reason }) => ({ reason })),
    repairs: countBoth(before.quality.repairs, now.quality.repairs, ({ column, kind }) => ({ column, kind })),
    overlap: compareRows(from, to),
  }
}

function factsOf({ version, rows, quarantined, provenance }: VersionRecord): VersionFacts {
  const { imported_at, source_file, source_sha256, source_url } = provenance
  return { version, rows, quarantined, imported_at, source_file, source_sha256, source_url }
}

/** The columns that both have, old and new. */
function pairs(before: VersionRecord, now: VersionRecord): [DescriptorColumn, DescriptorColumn][] {
  const old = new Map(before.columns.map((column) => [column.name, column]))
  return now.columns.flatMap((column) => {
    const earlier = old.get(column.name)
    return earlier === undefined ? [] : [[earlier, column] as [DescriptorColumn, DescriptorColumn]]
  })
}

function changesOf(old: DescriptorColumn, column: DescriptorColumn): ColumnChange[] {
  const fields = ['type', 'required', 'source_name'] as const
  return fields
    .filter((field) => spaced(old[field]) !== spaced(column[field]))
    .map((field) => ({ column: column.name, field, from: old[field], to: column[field] }))
}

/** White space around and within a header is no visible difference. */
function spaced(value: string | boolean | null): string | boolean | null {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value
}

function compareStatistics(
  old: DescriptorColumn,
  oldRows: number,
  column: DescriptorColumn,
  rows: number,
): ColumnStatistics {
  const share = (nulls: number, of: number) => (of === 0 ? 0 : Math.round((nulls / of) * 1e6) / 1e6)
  const nulls = { from: share(old.null_count, oldRows), to: share(column.null_count, rows) }
  const distinct = { from: old.distinct_count, to: column.distinct_count }
  const [few, many] = [Math.min(distinct.from, distinct.to), Math.max(distinct.from, distinct.to)]
  const notable =
    Math.abs(nulls.from - nulls.to) >= FAR_SHARES || (many - few > HANDFUL && many > few * FAR_FACTOR)
  return { column: column.name, null_share: nulls, distinct, notable }
}

/** Counts of two reports side by side, 0 where one has none; largest first. */
function countBoth<Entry extends { readonly count: number }, Name extends object>(
  before: readonly Entry[],
  now: readonly Entry[],
  nameOf: (entry: Entry) => Name,
): (Name & Moved<number>)[] {
  const both = new Map<string, Name & { from: number; to: number }>()
  for (const [side, entries] of [['from', before] as const, ['to', now] as const]) {
    for (const entry of entries) {
      const name = nameOf(entry)
      const known = both.get(JSON.stringify(name)) ?? { ...name, from: 0, to: 0 }
      known[side] += entry.count
      both.set(JSON.stringify(name), known)
    }
  }
  return [...both.values()].sort((a, b) => Math.max(b.from, b.to) - Math.max(a.from, a.to))
}
