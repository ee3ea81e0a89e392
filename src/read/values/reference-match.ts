/** Which of the shipped reference tables a column seems to be written by. */

import type { EncodedRecords } from '../cells/encoded-records.ts'
import { sampleTexts } from './distinct-texts.ts'
import { loadReference, type Standardize, shippedReferences } from './reference.ts'
import type { LoadedColumn } from './validation.ts'

/** Share of the distinct values that a table must know, and how many of them at least. */
const KNOWN = 0.9
const LEAST_KNOWN = 5

/**
 * Reference tables by column, for columns of text that have none declared.
 * @param folder the operator's own tables, which stand before the shipped ones
 * @throws CommandError `failed` when a line of an own table is wrong
 */
export function matchReferences(
  columns: readonly LoadedColumn[],
  records: EncodedRecords,
  folder: string,
): Map<string, string> {
  const tables = shippedReferences().map((name) => [name, loadReference(name, folder)] as const)
  const matches = new Map<string, string>()
  for (const { plan, typed, lane } of columns) {
    const raw = records.tables[lane]?.entries()
    if (!raw || typed.type !== 'string' || plan.canonical !== null) continue
    const texts = sampleTexts(raw)
    const found = tables.find(([, standardize]) => isKnown(texts, standardize))
    if (found) matches.set(plan.name, found[0])
  }
  return matches
}

function isKnown(texts: readonly string[], standardize: Standardize): boolean {
  const known = texts.filter((text) => standardize(text) !== undefined).length
  return known >= LEAST_KNOWN && known >= KNOWN * texts.length
}
