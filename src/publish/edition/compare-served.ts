/**
 * Compares a file with the served version: rows with the same values in some columns (by text, not by hash), keys (with few
 * in common it may be another table), and the columns with their types, in any order (contract 6).
 */

import { closing } from '../../base/closing.ts'
import { DamagedFileError } from '../../base/errors.ts'
import { columnName } from '../../base/text/snake-case.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { EncodedRecords } from '../../read/cells/encoded-records.ts'
import type { ColumnPlan } from '../../read/definition/columns.ts'
import type { ReadOptions } from '../../read/definition/read-options.ts'
import type { Obstacles } from '../../read/report/decisions.ts'
import { type Warning, warn } from '../../read/report/reasons.ts'
import { INVALID, type TypedColumn } from '../../read/values/conversion.ts'
import { adviseOnObstacles, meansNothing, nameObstacles } from '../../read/values/obstacles.ts'
import { IdPairs, type LoadedColumn, type Verdict } from '../../read/values/validation.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { codeBlocks, readDictionary, VersionFile } from '../../store/files/open-version.ts'
import { compareRows, type HashedRows, hashEntries, storedRows } from './row-hashes.ts'

/** A file's rows, checked. */
export interface CheckedRows {
  readonly columns: readonly LoadedColumn[]
  readonly records: EncodedRecords
  readonly verdict: Verdict
}

/** Values are numbered: 0 is one that the file lacks, 1 is null. */
const NULL_NUMBER = 1

/**
 * Memory: four bytes for each row of either side, plus the file's own values.
 * @param names columns that both have; null equals null
 * @returns 1 for each served row whose values in these columns some accepted row of the file has
 * @throws DamagedFileError
 */
export function markShared(file: VersionFile, rows: CheckedRows, names: readonly string[]): Uint8Array {
  const { records, verdict } = rows
  const ofFile = new Uint32Array(records.rows)
  const ofServed = new Uint32Array(file.rows)
  for (const [place, name] of names.entries()) {
    const { typed, lane } = rows.columns.find(({ plan }) => plan.name === name) as LoadedColumn
    const { ofCell, byText } = numberValues(typed, records.tables[lane]?.count ?? 0)
    const pairs = place === 0 ? null : new IdPairs()
    let row = 0
    for (const ids of records.idsOf(lane)) {
      for (const cell of ids) {
        const number = ofCell[cell] as number
        ofFile[row] = pairs === null ? number : pairs.idOf(ofFile[row] as number, number)
        row++
      }
    }
    numberServed(file, name, byText, pairs, ofServed)
  }
  const wanted = new Uint8Array(ofFile.reduce((most, id) => Math.max(most, id), 0) + 1)
  const { refused } = verdict
  for (let row = 0; row < ofFile.length; row++)
    if (refused === null || refused[row] === 0) wanted[ofFile[row] as number] = 1
  return Uint8Array.from(ofServed, (id) => (id === 0 ? 0 : (wanted[id] as number)))
}

/** A number for each cell id and each text; cells with the same value share one. */
function numberValues({ values, valueIds }: TypedColumn, cells: number) {
  const { heap, offsets } = values
  const byText = new Map<string, number>()
  const ofCell = new Uint32Array(cells + 1).fill(NULL_NUMBER)
  for (let cell = 1; cell <= cells; cell++) {
    const value = valueIds === null ? cell : (valueIds[cell] as number)
    if (value === 0 || value === INVALID) continue
    const text = decodeBytes(heap, offsets, value)
    const number = byText.get(text) ?? byText.size + NULL_NUMBER + 1
    byText.set(text, number)
    ofCell[cell] = number
  }
  return { ofCell, byText }
}

function numberServed(
  file: VersionFile,
  name: string,
  byText: ReadonlyMap<string, number>,
  pairs: IdPairs | null,
  ofServed: Uint32Array,
): void {
  const position = file.columns.findIndex((column) => column.name === name)
  const { column, heap, offsets } = readDictionary(file, position)
  const ofCode = new Uint32Array(column.distinct + 1)
  ofCode[0] = NULL_NUMBER
  for (let code = 1; code < ofCode.length; code++)
    ofCode[code] = byText.get(decodeBytes(heap, offsets, code)) ?? 0
  let row = 0
  for (const codes of codeBlocks(file, position)) {
    for (const code of codes) {
      const number = ofCode[code] as number
      const before = ofServed[row] as number
      if (pairs === null) ofServed[row] = number
      else ofServed[row] = before === 0 || number === 0 ? 0 : pairs.knownId(before, number)
      row++
    }
  }
}

/** Value k, from 1, as a key of a map: one character per byte. */
function decodeBytes(heap: Uint8Array, offsets: Uint32Array, value: number): string {
  const from = offsets[value - 1] as number
  const end = offsets[value] as number
  return Buffer.from(heap.buffer, heap.byteOffset + from, end - from).toString('latin1')
}

/** A smaller share of served keys found in the file gives a warning. */
const FEW = 0.5
type NewTable = CheckedRows & { readonly primaryKey: readonly string[] }

/**
 * A warning when the new file has fewer than half of the served keys; null when it has more, or when nothing can be
 * compared: no key, another key than before, no rows.
 */
export function compareKeys(served: ServedDataset | undefined, table: NewTable): Warning | null {
  const { primaryKey, verdict, columns } = table
  if (served === undefined || served.rows === 0 || verdict.accepted === 0 || primaryKey.length === 0)
    return null
  if (!isSameKey(served.primaryKey, primaryKey)) return null
  const keys = primaryKey.flatMap((name) => columns.find(({ plan }) => plan.name === name) ?? [])
  // The file lacks a column of the key.
  if (keys.length < primaryKey.length || keys.some(({ lane }) => lane < 0)) return null
  try {
    using file = closing(VersionFile.open(served.file))
    const { kept, gone } = compareRows(storedRows(file, served.primaryKey), acceptedRows(table, keys))
    const share = kept + gone === 0 ? 1 : kept / (kept + gone)
    if (share >= FEW) return null
    return warn('few_keys', {
      key: primaryKey.join(', '),
      version: served.version,
      percent: Math.round(1000 * share) / 10,
    })
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    return warn('keys_not_compared', { version: served.version })
  }
}

/** Whether two primary keys have the same columns, in any order. */
export function isSameKey(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join()
}

/** The accepted rows of a file, by some of its columns. */
export function acceptedRows(
  { records, verdict: { refused } }: CheckedRows,
  columns: readonly LoadedColumn[],
): HashedRows {
  const lanes = () =>
    columns.map(({ plan, typed, lane }) => ({
      hashes: hashCells(plan.name, typed),
      blocks: () => records.idsOf(lane),
    }))
  return {
    rows: records.rows,
    lanes,
    isWanted: refused === null ? undefined : (row) => refused[row] === 0,
  }
}

function hashCells(name: string, { values, valueIds }: TypedColumn) {
  const hashes = hashEntries(name, values.heap, values.offsets)
  if (valueIds === null) return hashes
  const pick = (half: Int32Array) =>
    Int32Array.from(valueIds, (value) => (value === INVALID ? 0 : (half[value] as number)))
  return { low: pick(hashes.low), high: pick(hashes.high) }
}

interface NamedType {
  readonly name: string
  readonly type: ColumnType
}

export type Drift = NonNullable<ReturnType<typeof compareColumns>>

/**
 * @param served the columns being served, or null when nothing is
 * @param columns those of the file; `obstaclesTo`: the values that keep one from another type
 * @param plan how the definition, which may refuse other columns, and the file go together
 */
export function compareColumns(
  served: readonly (NamedType & { readonly source_name?: string | null })[] | null,
  columns: readonly (NamedType & { obstaclesTo(type: ColumnType): Obstacles })[],
  { missing, undeclared: others }: ColumnPlan,
  refusesOthers: boolean,
) {
  const before = new Map((served ?? columns).map(({ name, type }) => [name, type]))
  const now = new Map(columns.map(({ name, type }) => [name, type]))
  const named = ([name, type]: [string, ColumnType]) => ({ name, type })
  const added = [...now].filter(([name]) => !before.has(name)).map(named)
  const removed = [...before].filter(([name]) => !now.has(name)).map(named)
  const changed = columns.flatMap(({ name, type: to, obstaclesTo }) => {
    const from = before.get(name)
    return from === undefined || from === to ? [] : [{ name, from, to, ...obstaclesTo(from) }]
  })
  const isNew = (header: string) => !before.has(columnName(header))
  // Missing columns, with a header of the file that resembles their name.
  const renamed = [
    ...missing.flatMap((name) => findHeader(name, others)),
    ...removed.flatMap(({ name }) => {
      const header = served?.find((column) => column.name === name)?.source_name
      // The header is the same, but a definition gave the column another name.
      if (header != null && others.includes(header)) return [{ name, header: header.trim() }]
      return findHeader(name, others.filter(isNew))
    }),
  ]
  const drift = { added, removed, changed, missing, undeclared: refusesOthers ? others : [], renamed }
  return Object.values(drift).some((differences) => differences.length > 0) ? drift : null
}

/** The difference in sentences, one per line. @param read the options by which the file was read */
export function describeDrift(drift: Drift, read: ReadOptions): string {
  const isMissing = ({ name }: NamedType) => drift.missing.includes(name)
  const { null_values: given = [] } = read
  // One option answers for all columns.
  const nothing = drift.changed.flatMap(({ values }) => values.map(({ value }) => value).filter(meansNothing))
  return [
    ...drift.missing.map((name) => `the file has no column for '${name}', which the definition declares`),
    ...drift.undeclared.map((header) => `the definition refuses other columns, and the file has '${header}'`),
    ...drift.added
      .filter((column) => !isMissing(column))
      .map(({ name, type }) => `column '${name}' (${type}) is new`),
    ...drift.removed.map(({ name, type }) => `column '${name}' (${type}) is gone`),
    ...drift.changed.map(({ name, from, to, ...obstacles }) => {
      const what = `column '${name}' was ${from} and is ${to} now`
      if (obstacles.exceptions === 0) return what
      const why = `${what} because of ${nameObstacles(obstacles)}`
      return to === 'string'
        ? `${why}; ${adviseOnObstacles(from, obstacles, { null_values: [...given, ...nothing] })}`
        : why
    }),
    ...drift.renamed.map(
      ({ name, header }) =>
        `perhaps '${name}' has another header now: ${JSON.stringify({ name, source: header })} under "columns" in a definition says so`,
    ),
  ].join('\n')
}

function findHeader(name: string, headers: readonly string[]): { name: string; header: string }[] {
  const [near] = suggest(name, headers.map(columnName))
  const header = headers.find((text) => columnName(text) === near)
  return header === undefined ? [] : [{ name, header: header.trim() }]
}
