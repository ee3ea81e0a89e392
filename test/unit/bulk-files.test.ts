/** Whole datasets as files, written by several processes on one folder. */

import { expect, test } from 'bun:test'
import { readFileSync, statSync } from 'node:fs'
import { pino } from 'pino'
import { BulkFiles } from '../../src/query/files/bulk-files.ts'
import type { ServedDataset } from '../../src/store/catalog/record.ts'
import { tempDataDir } from '../support/temp-dir.ts'

const SERVED: ServedDataset = {
  ...{ id: 'towns', domain: 'test', version: 1, rows: 2, lastUpdated: '2025-01-31T08:00:00Z' },
  ...{
    sourceUrl: null,
    primaryKey: [],
    columns: [],
    open: true,
    file: '',
    bytes: 1,
    sha256: 'ab'.repeat(32),
  },
}
const LIMIT = 1000
const log = pino({ level: 'silent' })

async function* write(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('town\n')
  await Bun.sleep(20)
  yield Buffer.from('Cluj\n')
}

test('of several processes one writes a file, and the others wait for it', async () => {
  const dataDir = tempDataDir()
  const processes = Array.from({ length: 3 }, () => new BulkFiles(dataDir, LIMIT, 0, log))
  const found = await Promise.all(
    processes.flatMap((files) => Array.from({ length: 5 }, () => files.find(SERVED, 'csv', write))),
  )
  expect(new Set(found.map((file) => file?.path)).size).toBe(1)
  expect(readFileSync(found[0]!.path, 'utf8')).toBe('town\nCluj\n')
  expect(processes.reduce((sum, { builds }) => sum + builds, 0)).toBe(1)
})

test('a file that another process failed to write is tried again', async () => {
  const dataDir = tempDataDir()
  const [first, second] = [new BulkFiles(dataDir, LIMIT, 0, log), new BulkFiles(dataDir, LIMIT, 0, log)]
  const failing = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('town\n')
    throw new Error('the dataset is damaged')
  }
  const outcomes = await Promise.allSettled([
    first.find(SERVED, 'csv', failing),
    second.find(SERVED, 'csv', write),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('a file that another process is sending is not the first to be deleted', async () => {
  const dataDir = tempDataDir()
  const [first, second] = [new BulkFiles(dataDir, 25, 0, log), new BulkFiles(dataDir, 25, 0, log)]
  const versions = [1, 2, 3].map((version) => ({ ...SERVED, id: `towns_${version}` }))
  const old = (await first.find(versions[0]!, 'csv', write))!
  const other = (await first.find(versions[1]!, 'csv', write))!
  // As if both had been written long ago.
  for (const file of [old, other]) dataDir.files.noteUse(file, Date.now() - 3_600_000)
  const looked = (await second.find(versions[0]!, 'csv', write))!
  second.hold(looked)()
  expect(statSync(old.path).atimeMs).toBeGreaterThan(Date.now() - 60_000)
  const third = new BulkFiles(dataDir, 25, 0, log)
  await third.find(versions[2]!, 'csv', write)
  expect(dataDir.files.files().some(({ path }) => path === old.path)).toBe(true)
  expect(dataDir.files.files().some(({ path }) => path === other.path)).toBe(false)
})
