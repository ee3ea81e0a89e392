/** What publishing a draft would change in the served rows (contract 14). */

import { closing } from '../../base/closing.ts'
import { DamagedFileError } from '../../base/errors.ts'
import type { Reading } from '../../read/read.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import { acceptedRows } from '../edition/compare-served.ts'
import type { Edition } from '../edition/edition.ts'
import type { Findings } from '../edition/findings.ts'
import { compareRows, storedRows } from '../edition/row-hashes.ts'

export type Difference = NonNullable<ReturnType<typeof findDifference>>

/** Limit on the distinct values of both sides; each hash takes eight bytes. */
const MOST_VALUES = 16_000_000

/**
 * Rows are identified by the primary key where both sides have its columns, else by all columns that both have.
 * @param served the published dataset; undefined: nothing is published
 * @returns `changed`: rows with the same key but other values; null without a key. Counts are exact where `sampled` is 1;
 * otherwise about one row in `sampled` was compared, and the counts are scaled up. null: nothing is served, the served
 * version cannot be read, the file's rows cannot be added to it, or there are too many values to compare.
 */
export function findDifference(
  served: ServedDataset | undefined,
  { identity, unchangedSince }: Edition,
  reading: Reading,
  findings: Findings,
) {
  const { appended, primaryKey, drift } = findings
  if (served === undefined || (identity.appends && appended === null && unchangedSince === null)) return null
  const { added = [], removed = [], changed: retyped = [] } = drift ?? {}
  const namesOf = (columns: readonly { name: string }[]) => columns.map(({ name }) => name)
  const columns = { added: namesOf(added), removed: namesOf(removed), changed: namesOf(retyped) }
  const changed = primaryKey.length > 0 ? 0 : null
  const same = { by: primaryKey, added: 0, removed: 0, changed, columns, sampled: 1 }
  if (unchangedSince !== null) return same
  const { accepted } = findings.verdict
  if (appended !== null && appended.replaced === null) return { ...same, added: accepted }
  try {
    using own = appended === null ? closing(VersionFile.open(served.file)) : null
    const rows = compareShared(own ?? appended!.file, appended?.replaced ?? null, reading, findings)
    return rows && { ...same, ...rows }
  } catch (error) {
    // The publication reports what is wrong with the served version.
    if (error instanceof DamagedFileError) return null
    throw error
  }
}

/** @param replaced not 0 for each served row that is replaced; null: all are */
function compareShared(
  file: VersionFile,
  replaced: Uint8Array | null,
  { columns, records }: Reading,
  { primaryKey, verdict }: Findings,
) {
  const had = new Map(file.columns.map(({ name, distinct }) => [name, distinct]))
  const shared = columns.filter(({ plan }) => had.has(plan.name))
  const values = shared.reduce(
    (sum, { plan, typed }) => sum + (had.get(plan.name) as number) + typed.values.offsets.length,
    0,
  )
  if (shared.length === 0 || values > MOST_VALUES) return null
  const isGone = replaced === null ? undefined : (row: number) => replaced[row] !== 0
  const compare = (compared: typeof shared) => {
    const names = compared.map(({ plan }) => plan.name)
    return compareRows(storedRows(file, names, isGone), acceptedRows({ columns, records, verdict }, compared))
  }
  const { kept, gone: removed, new: added, sampled } = compare(shared)
  const keys = shared.filter(({ plan }) => primaryKey.includes(plan.name))
  if (primaryKey.length === 0 || keys.length < primaryKey.length)
    return { by: [], added, removed, changed: null, sampled }
  const byKey = compare(keys)
  const changed = Math.max(0, byKey.kept - kept)
  return { by: primaryKey, added: byKey.new, removed: byKey.gone, changed, sampled }
}
