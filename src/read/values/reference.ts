/** Reference tables (contract 6): spellings of a thing, and the one under which it is served. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import counties from '../../../data/reference/counties.csv' with { type: 'text' }
import countries from '../../../data/reference/countries.csv' with { type: 'text' }
import manufacturers from '../../../data/reference/manufacturers.csv' with { type: 'text' }
import { CommandError } from '../../base/errors.ts'
import { readRegularText } from '../../base/process/regular-file.ts'
import { stripDiacritics } from '../../base/text/snake-case.ts'
import type { EncodedRecords } from '../cells/encoded-records.ts'
import { sampleTexts } from './cell-text.ts'
import type { LoadedColumn } from './validation.ts'

const SHIPPED: Readonly<Record<string, string>> = { counties, countries, manufacturers }

/** The canonical spelling of a value; undefined if the table does not know it. */
export type Standardize = (value: string) => string | undefined

/** Names of the tables that come with the program. */
export function shippedReferences(): string[] {
  return Object.keys(SHIPPED)
}

/** The table in use: the operator's own, or the shipped one. */
export type ReferenceTable = ReturnType<typeof openReference>

/**
 * @param folder with the operator's own tables, which take precedence over the shipped ones; need not exist
 * @throws CommandError `usage` if there is no such table, `failed` if a line of it is wrong
 */
export function openReference(name: string, folder: string) {
  // The path of the operator's own table, and whether it exists and is used.
  const path = join(folder, `${name}.csv`)
  const own = existsSync(path)
  const text = own ? readRegularText(path) : shippedReferenceText(name)
  if (text === undefined) {
    throw new CommandError(
      'usage',
      `there is no reference table '${name}': neither ${path} nor one of ${shippedReferences().join(', ')}`,
    )
  }
  return { name, path, own, spellings: parseReference(text, own ? path : `${name}.csv`) }
}

/** @throws CommandError as `openReference` does */
export function loadReference(name: string, folder: string): Standardize {
  const { spellings } = openReference(name, folder)
  return (value) => spellings.get(plainSpelling(value))
}

/** A table that comes with the program. @throws TypeError if there is none with this name */
export function loadShippedReference(name: string): Standardize {
  const spellings = parseReference(SHIPPED[name]!, `${name}.csv`)
  return (value) => spellings.get(plainSpelling(value))
}

/** The text of a table that comes with the program. */
export function shippedReferenceText(name: string): string | undefined {
  return Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined
}

/** Ignores case, diacritics, spaces and punctuation, and leading zeros of numbers, which a file may lack. */
export function plainSpelling(text: string): string {
  const plain = stripDiacritics(text).replace(/[^\p{L}\p{N}]+/gu, '')
  return /^0+\d+$/.test(plain) ? plain.replace(/^0+(?=\d)/, '') : plain
}

/** @returns canonical spellings by plain spelling */
function parseReference(text: string, origin: string): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>()
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (index === 0 && /^canonical,\s*variant$/i.test(line.trim()))) continue
    // CSV without line breaks in its cells.
    const cells = (line.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",]*)(?=,|$)/g) ?? []).map((cell) =>
      (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell).trim(),
    )
    const [canonical = '', variant = ''] = cells
    if (cells.length !== 2 || canonical === '' || plainSpelling(variant) === '') {
      throw new CommandError(
        'failed',
        `${origin}, line ${index + 1}: expected 'canonical,variant', found '${line}'`,
      )
    }
    const known = spellings.get(plainSpelling(variant))
    if (known !== undefined && known !== canonical) {
      throw new CommandError('failed', `${origin}, line ${index + 1}: '${variant}' already means '${known}'`)
    }
    spellings.set(plainSpelling(variant), canonical)
    if (!spellings.has(plainSpelling(canonical))) spellings.set(plainSpelling(canonical), canonical)
  }
  return spellings
}

/**
 * Suggests reference tables, by column, for text columns without a declared one.
 * @param folder the operator's own tables, which take precedence over the shipped ones
 * @throws CommandError `failed` if a line of an own table is wrong
 */
export function matchReferences(
  columns: readonly LoadedColumn[],
  records: EncodedRecords,
  folder: string,
): Map<string, string> {
  const tables = shippedReferences().map((name) => [name, loadReference(name, folder)] as const)
  const matches = new Map<string, string>()
  for (const { plan, typed, lane } of columns) {
    if (typed.type !== 'string' || plan.canonical !== null) continue
    const texts = sampleTexts(records.entriesOf(lane))
    // The table knows nearly all distinct values, so it isn't chance.
    const found = tables.find(([, standardize]) => {
      const known = texts.filter((text) => standardize(text) !== undefined).length
      return known >= 5 && known >= 0.9 * texts.length
    })
    if (found) matches.set(plan.name, found[0])
  }
  return matches
}
