/** What changed between two kept versions of a dataset: `datasets diff`. Field names are public. */

import type { DescriptorColumn, VersionRecord } from '../../store/catalog/record.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { readDictionary, textOfCode } from '../../store/files/open-version.ts'
import type { OpenedVersion } from './append.ts'
import { isSameKey } from './compare-served.ts'
import { compareRows, hashRows, holds, isSampled, sampleStep, storedRows } from './row-hashes.ts'

/** A version as `diff` names it. */
export type VersionFacts = ReturnType<typeof factsOf>

export type VersionDiff = ReturnType<typeof diffVersions>

/** Shares of nulls that differ by this much are notable. */
const FAR_SHARES = 0.05
/** Numbers of distinct values are notable when they differ by this factor, and by more than a handful. */
const FAR_FACTOR = 1.5
const HANDFUL = 5

/** @throws DamagedFileError when one of the files cannot be read */
export function diffVersions(from: OpenedVersion, to: OpenedVersion) {
  const [before, now] = [from.record, to.record]
  const [facts, newFacts] = [factsOf(before), factsOf(now)]
  const lacks = (columns: readonly DescriptorColumn[], name: string) => !columns.some((c) => c.name === name)
  const named = ({ name, type }: DescriptorColumn) => ({ name, type })
  return {
    dataset: now.dataset.id,
    from: facts,
    to: newFacts,
    // Both were made from the same bytes.
    same_source: facts.source_sha256 === newFacts.source_sha256,
    columns: {
      added: now.columns.filter(({ name }) => lacks(before.columns, name)).map(named),
      removed: before.columns.filter(({ name }) => lacks(now.columns, name)).map(named),
      changed: pairs(before, now).flatMap(([old, column]) =>
        (['type', 'required', 'source_name'] as const)
          .filter((field) => spaced(old[field]) !== spaced(column[field]))
          .map((field) => ({ column: column.name, field, from: old[field], to: column[field] })),
      ),
    },
    primary_key: { from: before.primary_key, to: now.primary_key },
    statistics: pairs(before, now).map(([old, column]) =>
      compareStatistics(old, before.rows, column, now.rows),
    ),
    quarantine: countBoth(before.quality.quarantine, now.quality.quarantine, ({ reason }) => ({ reason })),
    repairs: countBoth(before.quality.repairs, now.quality.repairs, ({ column, kind }) => ({ column, kind })),
    overlap: compareVersions(from, to),
  }
}

function factsOf({ version, rows, quarantined, provenance }: VersionRecord) {
  const { imported_at, source_file, source_sha256, source_url } = provenance
  return { version, rows, quarantined, imported_at, source_file, source_sha256, source_url }
}

function pairs(before: VersionRecord, now: VersionRecord): [DescriptorColumn, DescriptorColumn][] {
  const old = new Map(before.columns.map((column) => [column.name, column]))
  return now.columns.flatMap((column) => {
    const earlier = old.get(column.name)
    return earlier === undefined ? [] : [[earlier, column] as [DescriptorColumn, DescriptorColumn]]
  })
}

/** Differences in white space around and within a header do not count. */
function spaced(value: string | boolean | null): string | boolean | null {
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value
}

function compareStatistics(old: DescriptorColumn, oldRows: number, column: DescriptorColumn, rows: number) {
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
): (Name & { readonly from: number; readonly to: number })[] {
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

/** A key's values by column, as texts. */
export type KeyExample = Readonly<Record<string, string | null>>

/** Distinct values of all compared columns of one version; their hashes take eight bytes each. */
const MOST_VALUES = 32_000_000
const MOST_EXAMPLES = 10

/**
 * `sampled` 1: all rows were compared; n: about one in n, and the counts are multiplied by n. `rows`: rows that agree in
 * the columns that both versions have; null when there are too many values to compare. `keys`: null unless both versions
 * have the same primary key; `changed`: rows with a kept key whose other values changed.
 * @throws DamagedFileError
 */
function compareVersions(from: OpenedVersion, to: OpenedVersion) {
  const sampled = sampleStep(Math.max(from.file.rows, to.file.rows))
  const compareBy = (names: readonly string[]) => {
    const {
      sampled: _,
      hashes,
      ...counts
    } = compareRows(storedRows(from.file, names), storedRows(to.file, names))
    return { hashes, counts }
  }
  const had = new Set(from.file.columns.map(({ name }) => name))
  const shared = to.file.columns.map(({ name }) => name).filter((name) => had.has(name))
  const rows = [from, to].every(({ file }) => isComparable(file, shared))
    ? { columns: shared, ...compareBy(shared).counts }
    : null
  const columns = to.record.primary_key
  if (columns.length === 0 || !isSameKey(from.record.primary_key, columns))
    return { sampled, rows, keys: null }
  const { counts, hashes } = compareBy(columns)
  const examples = {
    gone: counts.gone === 0 ? [] : findExamples(from.file, columns, hashes.now, sampled),
    new: counts.new === 0 ? [] : findExamples(to.file, columns, hashes.before, sampled),
  }
  const changed = rows === null ? null : Math.max(0, counts.kept - rows.kept)
  return { sampled, rows, keys: { columns, ...counts, changed, examples } }
}

function isComparable(file: VersionFile, names: readonly string[]): boolean {
  const columns = file.columns.filter(({ name }) => names.includes(name))
  return columns.length > 0 && columns.reduce((sum, { distinct }) => sum + distinct, 0) <= MOST_VALUES
}

/** The first keys of a version, in row order, that the other version does not have. */
function findExamples(
  file: VersionFile,
  names: readonly string[],
  others: Float64Array,
  step: number,
): KeyExample[] {
  const dictionaries = names.map((name) => {
    const position = file.columns.findIndex((column) => column.name === name)
    return [name, readDictionary(file, position)] as const
  })
  const examples: KeyExample[] = []
  for (const { hashes, codes } of hashRows(storedRows(file, names).lanes())) {
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] as number
      if (!isSampled(hash, step) || holds(others, hash)) continue
      const key = dictionaries.map(
        ([name, dictionary], lane) => [name, textOfCode(dictionary, codes[lane]?.[i] ?? 0)] as const,
      )
      examples.push(Object.fromEntries(key))
      if (examples.length === MOST_EXAMPLES) return examples
    }
  }
  return examples
}
