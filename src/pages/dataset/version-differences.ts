/** What changed from one version of a dataset to the next. */

import type { VersionRecord } from '../../store/catalog/record.ts'

export interface Differences {
  /** Rows more, or fewer when negative. */
  readonly rows: number
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly changed: readonly string[]
  readonly isSameFile: boolean
}

export function differencesOf(before: VersionRecord, after: VersionRecord): Differences {
  const types = (record: VersionRecord) => new Map(record.columns.map(({ name, type }) => [name, type]))
  const [old, now] = [types(before), types(after)]
  const kept = [...now.keys()].filter((name) => old.has(name))
  return {
    rows: after.rows - before.rows,
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: kept.filter((name) => old.get(name) !== now.get(name)),
    isSameFile: before.provenance.source_sha256 === after.provenance.source_sha256,
  }
}
