/** After a crash or on a full disk the old version is served, and the next start leaves no leftovers. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { smallDisk } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, serve, start, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const ROWS = 150_000

function bigFile(folder: string): string {
  const path = join(folder, 'big.csv')
  let text = 'n,name,amount\n'
  for (let i = 0; i < ROWS; i++) text += `${i},name of ${i % 90_001},${(i * 7919) % 1_000_003}\n`
  writeFileSync(path, text)
  return path
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

const SMALL = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data']

/** Starts a command and kills it as soon as a condition holds; returns whether it was still running then. */
async function killWhen(args: readonly string[], there: () => boolean): Promise<boolean> {
  const child = start(args)
  // Polled every millisecond, since the work of another process shows only on disk.
  while (child.exitCode === null && !there()) await new Promise((resolve) => setTimeout(resolve, 1))
  child.kill('SIGKILL')
  await child.exited
  return child.exitCode !== 0
}

/** True once files that were not in `tmp` when this was called have grown to this many bytes. */
function workInProgress(data: string, bytes: number): () => boolean {
  const folders = () =>
    readdirSync(join(data, 'tmp'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const before = new Set(folders().map(({ name }) => name))
  return () => {
    const fresh = folders().filter(({ name }) => !before.has(name))
    const sizes = fresh.flatMap(({ name }) => {
      const folder = join(data, 'tmp', name)
      return readdirSync(folder).map(
        (file) => statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0,
      )
    })
    return sizes.length > 0 && sizes.reduce((sum, size) => sum + size, 0) >= bytes
  }
}

test('kill -9 during an ingest leaves the old version served, and no leftovers after the next start', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  const args = ['ingest', bigFile(folder), '--id', 'numbers', '--domain', 'test', '--data', data]
  await succeed([...SMALL, data], { input: 'n,name,amount\n1,a,2\n' })
  const { secret } = await mint(data)

  // Reading takes 1.5 MB of codes, then the version file takes 5 MB: these moments cover both.
  for (const bytes of [0, 1, 700_000, 1_700_000, 3_000_000]) {
    expect(await killWhen(args, workInProgress(data, bytes))).toBe(true)
  }
  const service = await serve(data)
  expect((await bodyOf(await service.get('/v1/test/numbers', secret))).pagination.total).toBe(1)
  expectNoLitter(data, [1])
  service.signal('SIGTERM')
  await service.exited

  // At the moment of publishing either the old or the new version is served, complete.
  const placed = filesUnder(join(data, 'datasets')).length
  await killWhen(args, () => filesUnder(join(data, 'datasets')).length > placed)
  const restarted = await serve(data)
  const { pagination } = await bodyOf(await restarted.get('/v1/test/numbers', secret))
  expect([1, ROWS]).toContain(pagination.total)
  const { versions } = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expectNoLitter(
    data,
    versions.map(({ version }: { version: number }) => version),
  )
  await succeed(['datasets', 'verify', '--data', data])
})

/** All files except those that a running service creates and removes at any time: database logs and locks. */
function lastingFiles(data: string): string[] {
  return filesUnder(data).filter((name) => !/-(wal|shm|journal)$/.test(name) && !/^tmp\/\w+\.db$/.test(name))
}

/** Expects only these versions of the dataset on disk, and no work in progress. */
function expectNoLitter(data: string, versions: readonly number[]): void {
  const files = filesUnder(data)
  const kept = versions.map((version) => `datasets/numbers/${version}.db`)
  expect(files.filter((name) => name.startsWith('datasets'))).toEqual(kept.toSorted())
  expect(files.filter((name) => name.startsWith('tmp/') && !/^tmp\/\w+\.db$/.test(name))).toEqual([])
}

test('kill -9 of the service loses no dataset and no key', async () => {
  const data = join(tempDir(), 'data')
  await succeed([...SMALL, data], { input: 'n\n1\n2\n' })
  const { secret } = await mint(data)
  const first = await serve(data)
  expect((await first.get('/v1/test/numbers', secret)).status).toBe(200)
  first.signal('SIGKILL')
  await first.exited
  const second = await serve(data)
  expect((await bodyOf(await second.get('/v1/test/numbers', secret))).pagination.total).toBe(2)
})

test('on a full disk the ingest fails with the reason, the old version stays served and no files are left behind', async () => {
  const disk = smallDisk(24)
  if (disk === null) return console.log('skipped: a small disk can be mounted by root on Linux only')
  const data = join(disk, 'data')
  await succeed([...SMALL, data], { input: 'n,name,amount\n1,a,2\n', env: { IZVOR_DISK_FLOOR: '0' } })
  const { secret } = await mint(data)
  const service = await serve(data, ['serve'], { env: { IZVOR_DISK_FLOOR: '0' } })
  const before = lastingFiles(data)
  writeFileSync(join(disk, 'filler'), new Uint8Array(21_000_000))
  const full = await izvor([
    'ingest',
    bigFile(tempDir()),
    '--id',
    'numbers',
    '--domain',
    'test',
    '--data',
    data,
  ])
  expect(full.code).toBe(1)
  expect(full.stderr).toMatch(/disk|space/i)
  expect((await bodyOf(await service.get('/v1/test/numbers', secret))).pagination.total).toBe(1)
  expect(lastingFiles(data)).toEqual(before)
})
