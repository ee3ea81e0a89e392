/** Which rows and keys two versions of a dataset have in common, by hashes and in bounded memory. */

import type { VersionRecord } from '../../store/catalog/record.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { textOfCode } from '../../store/files/stored-column.ts'
import { countShared, gatherHashes, hashRows, holds, isSampled, sampleStep } from './row-hashes.ts'
import { type StoredLane, storedLane } from './stored-lanes.ts'

export interface OpenedVersion {
  readonly record: VersionRecord
  readonly file: VersionFile
}

interface Shared {
  readonly kept: number
  /** Only in the earlier version. */
  readonly gone: number
  /** Only in the later one. */
  readonly new: number
}

/** The key's values by column, as texts. */
export type KeyExample = Readonly<Record<string, string | null>>

export interface RowOverlap {
  /** 1: all rows were compared; n: about one in n, and the counts are multiplied by n. */
  readonly sampled: number
  /** Rows that are alike in the columns that both versions have; null when too many values would have to be compared. */
  readonly rows: (Shared & { readonly columns: readonly string[] }) | null
  /** null unless both versions have the same primary key. */
  readonly keys:
    | (Shared & {
        readonly columns: readonly string[]
        /** Rows with a kept key whose other values changed; null without a comparison of rows. */
        readonly changed: number | null
        readonly examples: { readonly gone: readonly KeyExample[]; readonly new: readonly KeyExample[] }
      })
    | null
}

/** Distinct values of all compared columns of one version; their hashes take eight bytes each. */
const MOST_VALUES = 32_000_000
const MOST_EXAMPLES = 10

/** @throws DamagedFileError */
export function compareRows(from: OpenedVersion, to: OpenedVersion): RowOverlap {
  const step = sampleStep(Math.max(from.file.rows, to.file.rows))
  const shared = to.file.columns.map(({ name }) => name).filter((name) => hasColumn(from.file, name))
  const rows = [from, to].every(({ file }) => isComparable(file, shared))
    ? { columns: shared, ...compareBy(from, to, shared, step).counts }
    : null
  const columns = to.record.primary_key
  const sameKey = [...from.record.primary_key].sort().join() === [...columns].sort().join()
  if (columns.length === 0 || !sameKey) return { sampled: step, rows, keys: null }
  const { counts, hashes } = compareBy(from, to, columns, step)
  const examples = {
    gone: counts.gone === 0 ? [] : findExamples(from.file, columns, hashes.to, step),
    new: counts.new === 0 ? [] : findExamples(to.file, columns, hashes.from, step),
  }
  const changed = rows === null ? null : Math.max(0, counts.kept - rows.kept)
  return { sampled: step, rows, keys: { columns, ...counts, changed, examples } }
}

function hasColumn(file: VersionFile, name: string): boolean {
  return file.columns.some((column) => column.name === name)
}

function isComparable(file: VersionFile, names: readonly string[]): boolean {
  const columns = file.columns.filter(({ name }) => names.includes(name))
  return columns.length > 0 && columns.reduce((sum, { distinct }) => sum + distinct, 0) <= MOST_VALUES
}

function compareBy(from: OpenedVersion, to: OpenedVersion, names: readonly string[], step: number) {
  const earlier = gatherFrom(from.file, names, step)
  const later = gatherFrom(to.file, names, step)
  const kept = countShared(earlier, later)
  const counts: Shared = {
    kept: kept * step,
    gone: (earlier.length - kept) * step,
    new: (later.length - kept) * step,
  }
  return { counts, hashes: { from: earlier, to: later } }
}

/** The dictionaries of one version at a time are in memory. */
function gatherFrom(file: VersionFile, names: readonly string[], step: number): Float64Array {
  return gatherHashes(openLanes(file, names), file.rows, step)
}

function openLanes(file: VersionFile, names: readonly string[]): StoredLane[] {
  return names.map((name) => storedLane(file, name))
}

/** The first keys of a version, in the order of its rows, that the other one does not have. */
function findExamples(
  file: VersionFile,
  names: readonly string[],
  others: Float64Array,
  step: number,
): KeyExample[] {
  const lanes = openLanes(file, names)
  const examples: KeyExample[] = []
  for (const { hashes, codes } of hashRows(lanes)) {
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number
      if (!isSampled(hash, step) || holds(others, hash)) continue
      examples.push(
        Object.fromEntries(
          lanes.map(({ dictionary }, lane) => [
            names[lane] as string,
            textOfCode(dictionary, codes[lane]?.[i] ?? 0),
          ]),
        ),
      )
      if (examples.length === MOST_EXAMPLES) return examples
    }
  }
  return examples
}
