/**
 * Real published files and conformance suites beside the repository (`../shared`): where they are, what is known about
 * them, and how many of them gave the expected result, which `corpus-summary.ts` prints when all tests are over.
 */

import { test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SHARED = join(import.meta.dir, '../../../shared')

const FOLDERS = {
  fixtures: 'fixtures',
  pollock: 'fixtures/pollock/csv',
  'csv-spectrum': 'conformance/csv-spectrum/csvs',
  openspout_csv: 'conformance/openspout_csv',
  openspout_ods: 'conformance/openspout_ods',
  openspout_xlsx: 'conformance/openspout_xlsx',
  calamine: 'conformance/calamine',
} as const

export type Suite = keyof typeof FOLDERS

/** Whether the files are there; otherwise tests that need them are skipped. */
export const there = Object.values(FOLDERS).every((folder) => existsSync(join(SHARED, folder)))

/** What an independent reader found in a fixture of delimited text. */
export interface Truth {
  readonly sha256: string
  readonly encoding: string
  readonly delimiter: string
  readonly columns: readonly string[]
  readonly data_records: number
  readonly blank_records: number
  /** Records by their number of cells. */
  readonly widths: Readonly<Record<string, number>>
  readonly first: readonly string[]
  readonly last_nonblank: readonly string[]
}

const truths: Readonly<Record<string, Truth>> = there
  ? JSON.parse(readFileSync(join(SHARED, 'fixtures/truth.json'), 'utf8'))
  : {}

/** @throws Error when nothing is known about the fixture */
export function truthOf(name: string): Truth {
  const truth = truths[name]
  if (!truth) throw new Error(`truth.json does not know ${name}`)
  return truth
}

/** A file of `../shared`, by its path below it. */
export function sharedPath(path: string): string {
  return join(SHARED, path)
}

export function corpusPath(suite: Suite, name: string): string {
  return join(SHARED, FOLDERS[suite], name)
}

/** The files of a suite; none if they are missing. */
export function corpusFiles(suite: Suite): string[] {
  if (!there) return []
  const entries = readdirSync(join(SHARED, FOLDERS[suite]), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return names.filter((name) => !['README.md', 'truth.json'].includes(name)).sort()
}

/** Per suite, the files that were tried; true while every test of a file has passed. */
const tried = new Map<Suite, Map<string, boolean>>()
const differing = new Map<Suite, Set<string>>()
let skipped = 0

/**
 * A test about one file of a suite, counted for the summary. A file counts as right when all tests about it pass.
 * @param check is given the file's path; throws when the file does not give the expected result
 */
export function corpusTest(
  suite: Suite,
  name: string,
  guarantee: string,
  check: (path: string) => void | Promise<void>,
): void {
  const run = async () => {
    const files = tried.get(suite) ?? new Map<string, boolean>()
    tried.set(suite, files)
    const before = files.get(name) ?? true
    files.set(name, false)
    await check(corpusPath(suite, name))
    files.set(name, before)
  }
  if (!there) skipped++
  test.skipIf(!there)(`${suite}, ${name}: ${guarantee}`, run)
}

/** Called by a test when a file gives something other than its truth says, for a reason that the test knows. */
export function notAsInTruth(suite: Suite, name: string): void {
  const files = differing.get(suite) ?? new Set<string>()
  differing.set(suite, files.add(name))
}

/** How many files of each suite gave the expected result: one line, or null when none was tried. */
export function summarizeCorpus(): string | null {
  if (skipped > 0)
    return `corpus: ../shared is not there, so ${skipped} tests of published files were skipped`
  const parts = [...tried].map(([suite, files]) => {
    const right = [...files].filter(([name, passed]) => passed && !differing.get(suite)?.has(name)).length
    const all = corpusFiles(suite).length
    const notes = [
      ...(all > files.size ? [`${all - files.size} not tried`] : []),
      ...(differing.has(suite) ? [`${differing.get(suite)?.size} differ, the tests say why`] : []),
    ]
    return `${right} of ${files.size} ${suite}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  })
  return parts.length === 0 ? null : `corpus: ${parts.join(', ')}`
}
