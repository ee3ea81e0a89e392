/** How many of the served keys a new file still has (contract 6): few of them, and it may be another table. */

import { DamagedFileError } from '../../base/errors.ts'
import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import { type Warning, warn } from '../../read/report/warnings.ts'
import { INVALID, type TypedColumn } from '../../read/values/conversion.ts'
import type { LoadedColumn, Verdict } from '../../read/values/validation.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import { countShared, gatherHashes, type HashLane, hashEntries, sampleStep } from './row-hashes.ts'
import { storedLane } from './stored-lanes.ts'

/** Below this share of served keys found again a warning is due. */
const FEW = 0.5

/** The new table, checked and not yet published. */
export interface NewTable {
  readonly columns: readonly LoadedColumn[]
  readonly records: EncodedRecords
  readonly verdict: Verdict
  readonly primaryKey: readonly string[]
}

/**
 * A warning when the new file has fewer than half of the keys being served; null when it has more, or when there is
 * nothing to compare: no key, another key than before, no rows.
 */
export function compareKeys(served: ServedDataset | undefined, table: NewTable): Warning | null {
  const { primaryKey, verdict } = table
  if (served === undefined || served.rows === 0 || verdict.accepted === 0 || primaryKey.length === 0)
    return null
  if ([...served.primaryKey].sort().join() !== [...primaryKey].sort().join()) return null
  const newLanes = laneOfKeys(table)
  if (newLanes === null) return null
  try {
    const share = shareKept(served, table, newLanes)
    if (share >= FEW) return null
    const percent =
      share === 0 ? 'none' : share < 0.001 ? 'less than 0.1 %' : `only ${(100 * share).toFixed(1)} %`
    return warn(
      'few_keys',
      { key: primaryKey.join(', '), version: served.version, percent: Math.round(1000 * share) / 10 },
      `the new file has ${percent} of the keys (${primaryKey.join(', ')}) that version ${served.version} serves: is it the same table? Once it is published, datasets diff ${served.id} shows more and datasets rollback ${served.id} takes it back`,
    )
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    return warn(
      'keys_not_compared',
      { version: served.version },
      `the keys of version ${served.version} could not be compared: ${error.message}`,
    )
  }
}

/** 0..1, of the served keys. */
function shareKept(served: ServedDataset, table: NewTable, newLanes: readonly HashLane[]): number {
  const { records, verdict } = table
  const step = sampleStep(Math.max(served.rows, records.rows))
  const file = VersionFile.open(served.file)
  try {
    const lanes = served.primaryKey.map((name) => storedLane(file, name))
    const before = gatherHashes(lanes, served.rows, step)
    const { refused } = verdict
    const now = gatherHashes(
      newLanes,
      records.rows,
      step,
      refused === null ? undefined : (row) => refused[row] === 0,
    )
    return before.length === 0 ? 1 : countShared(before, now) / before.length
  } finally {
    file.close()
  }
}

/** null when the file lacks a column of the key. */
function laneOfKeys({ primaryKey, columns, records }: NewTable): HashLane[] | null {
  const keys = primaryKey.flatMap((name) => columns.find(({ plan }) => plan.name === name) ?? [])
  if (keys.length < primaryKey.length || keys.some(({ lane }) => lane < 0)) return null
  return keys.map(({ plan, typed, lane }) => ({
    hashes: hashCells(plan.name, typed),
    blocks: () => records.idsOf(lane),
  }))
}

/** The hashes of a column's values, by the ids of its cells. */
function hashCells(name: string, { values, valueIds }: TypedColumn) {
  const hashes = hashEntries(name, values.heap, values.offsets)
  if (valueIds === null) return hashes
  const pick = (half: Int32Array) =>
    Int32Array.from(valueIds, (value) => (value === INVALID ? 0 : (half[value] as number)))
  return { low: pick(hashes.low), high: pick(hashes.high) }
}
