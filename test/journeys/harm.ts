/** What the journeys with hostile files share: a folder to lose, and what no file may do to it. */

import { afterAll, expect } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { type Finished, izvor, type RunOptions, succeed } from './program.ts'

const GIGABYTE = 1e9

/** What is in a data folder: the digest of each file by its path. The lock that guards work folders holds nothing. */
export function digests(data: string): Record<string, string> {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const pairs = files.map((file): [string, string] => {
    const path = join(file.parentPath, file.name)
    return [relative(data, path), createHash('sha256').update(readFileSync(path)).digest('hex')]
  })
  return Object.fromEntries(pairs.sort())
}

/** A data folder, and what was in it. */
export interface Served {
  readonly data: string
  readonly before: Record<string, string>
}

/** A data folder that serves the dataset `sample`. */
export async function serveSample(data = join(tempDir(), 'data')): Promise<Served> {
  await succeed(['ingest', '-', '--id', 'sample', '--domain', 'test', '--data', data], {
    input: 'nume,valoare\nunu,1\ndoi,2\n',
  })
  return { data, before: digests(data) }
}

/** Ingests a file in place of the sample. */
export const replaceSample = (file: string, data: string, options: RunOptions = {}, more: string[] = []) =>
  izvor(['ingest', file, '--id', 'sample', '--data', data, '--accept-drift', '--json', ...more], options)

/** No control character but line ends: a terminal obeys the others. */
function expectPlainText(text: string): void {
  const others = [...text].filter((sign) => sign !== '\n' && /\p{Cc}/u.test(sign))
  expect(others).toEqual([])
}

/** It ended by itself, in bounded memory, with plain text and no trace of the program's own code. */
export function expectHarmless({ code, stdout, stderr, peakBytes }: Finished): void {
  expect(peakBytes).toBeGreaterThan(0)
  expect(peakBytes).toBeLessThan(GIGABYTE)
  expectPlainText(stdout)
  expectPlainText(stderr)
  expect(stderr).not.toMatch(/^\s+at /m)
  if (code !== 0) expect(stderr).toMatch(/^izvor: .{15}/)
}

/** A refusal (4), or a failure (1), that says why and changes nothing. */
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
}

export function fileOf(content: string | Uint8Array, name = 'hostile.csv'): string {
  const path = join(tempDir(), name)
  writeFileSync(path, content)
  return path
}

/** A sample for all tests of a file that may not change it, made when the first one asks. To be called outside a test. */
export function sharedSample(): () => Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-hostile-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let served: Promise<Served> | null = null
  return () => {
    served ??= serveSample(join(folder, 'data'))
    return served
  }
}
