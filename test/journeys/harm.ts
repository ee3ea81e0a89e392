/** Shared by the journeys with hostile files: a data folder, and what no file may do to it. */

import { afterAll, expect } from 'bun:test'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { tempDir } from '../support/temp-dir.ts'
import { type Finished, izvor, type RunOptions, succeed } from './program.ts'

const GIGABYTE = 1e9

/**
 * The contents of a data folder: the digest of each file by its path, and of the catalog's tables except the one that
 * records refused files. The lock that guards work folders is empty.
 */
export function digests(data: string): Record<string, string> {
  const entries = readdirSync(data, { recursive: true, withFileTypes: true })
  const files = entries.filter((file) => file.isFile() && !isLeftByReader(join(file.parentPath, file.name)))
  const pairs = files.map((file): [string, string] => {
    const name = relative(data, join(file.parentPath, file.name))
    const content = name === CATALOG ? JSON.stringify(readCatalog(data)) : readFileSync(join(data, name))
    return [name, createHash('sha256').update(content).digest('hex')]
  })
  return Object.fromEntries(pairs.sort())
}

/** What SQLite leaves beside a database opened only for reading: an index, and a log without changes. */
function isLeftByReader(path: string): boolean {
  return path.endsWith('.db-shm') || (path.endsWith('.db-wal') && statSync(path).size === 0)
}

const CATALOG = 'catalog.db'

/** The tables of the catalog, schema included. */
function readCatalog(data: string): [name: string, sql: string | null, rows: unknown[]][] {
  return lookIntoCatalog(data, (catalog) => {
    const tables = catalog.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    const kept = (tables.all() as { name: string; sql: string | null }[]).filter(
      ({ name }) => name !== 'refusals',
    )
    return kept.map(({ name, sql }) => [name, sql, catalog.prepare(`SELECT * FROM "${name}"`).all()])
  })
}

/** The dataset whose file was last refused, and why. */
function notedRefusals(data: string): unknown[] {
  return lookIntoCatalog(data, (catalog) =>
    catalog.prepare('SELECT dataset_id, reason FROM refusals ORDER BY dataset_id').all(),
  )
}

/** Reads a copy, because opening a database leaves files beside it. */
function lookIntoCatalog<T>(data: string, look: (catalog: Database.Database) => T): T {
  const copy = join(tempDir(), CATALOG)
  copyFileSync(join(data, CATALOG), copy)
  const catalog = new Database(copy)
  try {
    return look(catalog)
  } finally {
    catalog.close()
  }
}

/** A data folder and its original contents. */
export interface Served {
  readonly data: string
  readonly before: Record<string, string>
}

/** A data folder that serves the dataset `sample`. */
export async function serveSample(data = join(tempDir(), 'data'), options: RunOptions = {}): Promise<Served> {
  await succeed(['ingest', '-', '--id', 'sample', '--domain', 'test', '--data', data], {
    input: 'nume,valoare\nunu,1\ndoi,2\n',
    ...options,
  })
  return { data, before: digests(data) }
}

/** Ingests a file in place of the sample. */
export const replaceSample = (file: string, data: string, options: RunOptions = {}, more: string[] = []) =>
  izvor(['ingest', file, '--id', 'sample', '--data', data, '--accept-drift', '--json', ...more], options)

/** Expects no control character except line ends, because a terminal obeys the others. */
function expectPlainText(text: string): void {
  const others = [...text].filter((sign) => sign !== '\n' && /\p{Cc}/u.test(sign))
  expect(others).toEqual([])
}

/** Expects that the program ended by itself, in bounded memory, with plain text and no stack trace. */
export function expectHarmless({ code, stdout, stderr, peakBytes }: Finished): void {
  expect(peakBytes).toBeGreaterThan(0)
  expect(peakBytes).toBeLessThan(GIGABYTE)
  expectPlainText(stdout)
  expectPlainText(stderr)
  expect(stderr).not.toMatch(/^\s+at /m)
  if (code !== 0) expect(stderr).toMatch(/^izvor: .{15}/)
}

/** Expects a refusal (4), which is recorded for the operator, or a failure (1), with a reason and no other change. */
export function expectRefused(
  finished: Finished,
  { data, before }: Served,
  code: number,
  reason: RegExp,
): void {
  expectHarmless(finished)
  expect(finished).toMatchObject({ code })
  expect(finished.stderr).toMatch(reason)
  expect(digests(data)).toEqual(before)
  if (code !== 4) return
  expect(notedRefusals(data)).toEqual([{ dataset_id: 'sample', reason: expect.stringMatching(reason) }])
}

export function fileOf(content: string | Uint8Array, name = 'hostile.csv'): string {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  return path
}

/** A sample shared by tests that do not change it, made at the first use. Call this outside a test. */
export function sharedSample(): () => Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let served: Promise<Served> | null = null
  return () => {
    served ??= serveSample(join(folder, 'data'))
    return served
  }
}
