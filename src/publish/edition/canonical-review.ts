/** Reviews a version's canonical columns: which values their tables know, and which not. Field names are public. */

import { CommandError } from '../../base/errors.ts'
import { suggest } from '../../base/text/suggest.ts'
import type { Definition } from '../../read/definition/definition.ts'
import {
  openReference,
  plainSpelling,
  type ReferenceTable,
  shippedReferences,
} from '../../read/values/reference.ts'
import type { VersionRecord } from '../../store/catalog/record.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { codeBlocks, readDictionary, textOfCode } from '../../store/files/open-version.ts'
import type { OpenedVersion } from './append.ts'

export type CanonicalReview = ReturnType<typeof reviewColumn>

/** Values for which near misses are looked up: the most frequent ones. */
const MOST_SUGGESTED = 200
/** Shorter spellings are codes, and every code is near to another one. */
const SHORTEST_WORD = 4

/**
 * @param referenceDir the operator's own tables
 * @param column a column or its canonical sibling; undefined: all columns that have one
 * @throws CommandError `failed` when there is no such column, or as `openReference`; DamagedFileError
 */
export function reviewCanonical({ record, file }: OpenedVersion, referenceDir: string, column?: string) {
  const pairs = canonicalPairs(record)
  const wanted = pairs.filter(
    ({ name, sibling }) => column === undefined || column === name || column === sibling,
  )
  if (wanted.length === 0) throw nothingToReview(record.dataset.id, column, pairs)
  return wanted.map(({ name, sibling, table }) =>
    reviewColumn(file, name, sibling, openReference(table, referenceDir)),
  )
}

function canonicalPairs(record: VersionRecord): { name: string; sibling: string; table: string }[] {
  const columns = (record.definition as Definition | null)?.columns ?? []
  const names = new Set(record.columns.map(({ name }) => name))
  return columns.flatMap(({ name, canonical }) => {
    const sibling = `${name}_canonical`
    return canonical === undefined || !names.has(sibling) ? [] : [{ name, sibling, table: canonical }]
  })
}

function nothingToReview(id: string, column: string | undefined, pairs: readonly { name: string }[]) {
  const names = pairs.map(({ name }) => name).join(', ')
  const message =
    pairs.length > 0
      ? `'${column}' of ${id} has no canonical sibling; the columns that have one: ${names}`
      : `${id} has no canonical columns; a definition adds one with "canonical": "<table>" at a column; the tables that come with the program are ${shippedReferences().join(', ')}`
  return new CommandError('failed', message)
}

function reviewColumn(file: VersionFile, column: string, sibling: string, table: ReferenceTable) {
  const unmatched: { value: string; rows: number; known_now: string | null }[] = []
  const rows = { total: 0, matched: 0, unmatched: 0 }
  const values = { total: 0, matched: 0, unmatched: 0 }
  for (const { value, served, count } of servedPairs(file, column, sibling)) {
    const known = table.spellings.get(plainSpelling(value))
    const matched = served !== value || known === value
    for (const [counts, weight] of [[rows, count] as const, [values, 1] as const]) {
      counts.total += weight
      counts[matched ? 'matched' : 'unmatched'] += weight
    }
    if (!matched) unmatched.push({ value, rows: count, known_now: known ?? null })
  }
  unmatched.sort((a, b) => b.rows - a.rows || (a.value < b.value ? -1 : 1))
  const suggestFor = nearMisses(table)
  return {
    column,
    canonical_column: sibling,
    table: table.name,
    /**
     * The operator's own table, `<data>/reference/<table>.csv`, or its place if there is none; it replaces a shipped one.
     */
    table_file: table.path,
    own_table: table.own,
    rows,
    values,
    /** Values served as they were written, the most frequent first; `known_now`: what the next ingest will serve. */
    unmatched: unmatched.map((entry, i) => ({
      ...entry,
      suggestions: i < MOST_SUGGESTED && entry.known_now === null ? suggestFor(entry.value) : [],
    })),
  }
}

/** Each distinct value with what is served for it, and the rows that have it. */
function* servedPairs(file: VersionFile, column: string, sibling: string) {
  const position = (name: string) => file.columns.findIndex((stored) => stored.name === name)
  const [raw, canonical] = [position(column), position(sibling)]
  const values = readDictionary(file, raw)
  const spellings = readDictionary(file, canonical)
  const counts = new Float64Array(values.column.distinct + 1)
  const servedAs = new Uint32Array(values.column.distinct + 1)
  const siblings = codeBlocks(file, canonical)
  for (const codes of codeBlocks(file, raw)) {
    const served = siblings.next().value
    for (let row = 0; served && row < codes.length; row++) {
      const code = codes[row] as number
      counts[code]!++
      servedAs[code] = served[row] as number
    }
  }
  for (let code = 1; code < counts.length; code++) {
    const value = textOfCode(values, code) ?? ''
    yield { value, served: textOfCode(spellings, servedAs[code] as number), count: counts[code] as number }
  }
}

function nearMisses({ spellings }: ReferenceTable): (value: string) => string[] {
  const isWord = (plain: string) => plain.length >= SHORTEST_WORD && !/\d/.test(plain)
  const words = [...spellings.keys()].filter(isWord)
  return (value) => {
    const plain = plainSpelling(value)
    if (!isWord(plain)) return []
    return [...new Set(suggest(plain, words).map((near) => spellings.get(near) as string))]
  }
}
