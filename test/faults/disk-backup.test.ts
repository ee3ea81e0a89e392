/** The disk fills up in the middle of a backup or a restore. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backupName } from '../../src/upkeep/backup/manifest.ts'
import { bodyOf, type Finished, izvor, launch, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { fillDisk, smallDisk, takeNames } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const SKIPPED = 'skipped: a small disk can be mounted by root on Linux only'
const NO_FLOOR = { IZVOR_DISK_FLOOR: '0' }
/** The step between the numbers of free inodes that are tried. */
const STEP = MOMENTS > 1 ? 1 : 5
const LIST = '/v1/test/numbers?limit=1'
const FULL = /the disk is full|takes no more files|free, and .* needed/

function ingest(data: string, rows: number, id = 'numbers'): Promise<string> {
  const text = Array.from({ length: rows }, (_, i) => `${i},${Bun.hash(`${id} ${i}`)}`).join('\n')
  const args = [
    'ingest',
    '-',
    '--id',
    id,
    '--domain',
    'test',
    '--data',
    data,
    '--accept-drift',
    '--accept-shrink',
  ]
  return succeed(args, { input: `n,t\n${text}\n`, env: NO_FLOOR })
}

/** Creates two datasets, one of them a few megabytes, and a key. */
async function newFolder(data: string, rows: number): Promise<string> {
  await ingest(data, rows)
  await ingest(data, 10, 'few')
  const args = ['keys', 'mint', '--plan', 'unlimited', '--json', '--data', data]
  return JSON.parse(await succeed(args, { env: NO_FLOOR })).secret
}

async function rowsServed(data: string, secret: string): Promise<number> {
  const service = await serve(data, ['serve'], { env: NO_FLOOR })
  const { pagination } = await bodyOf(await service.get(LIST, secret))
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  return pagination.total
}

/** The files below a folder, except locks and SQLite's files beside databases. */
function namesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[]
  return names.filter((name) => !/-(?:wal|shm)$|^tmp\/\w+\.db$/.test(name)).toSorted()
}

/** Runs a command, and stops it at the given moment while `meanwhile` runs. */
async function interrupted(
  args: readonly string[],
  moment: () => boolean,
  meanwhile: () => void,
  input?: string,
): Promise<Finished & { hit: boolean }> {
  const through = input === undefined ? [] : ['sh', '-c', 'exec "$@" <"$0"', input]
  const child = launch(args, { env: NO_FLOOR, through })
  let hit = false
  while (child.exitCode === null && !hit) {
    hit = moment()
    if (!hit) await Bun.sleep(0)
  }
  if (hit) {
    process.kill(child.pid, 'SIGSTOP')
    meanwhile()
    process.kill(child.pid, 'SIGCONT')
  }
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr, peakBytes: 0, ownPeakBytes: 0, hit }
}

function expectSaid({ code, stderr }: Finished, place: string): void {
  expect([code, stderr]).toEqual([1, expect.stringMatching(FULL)])
  expect(stderr).toContain(place)
  expect(stderr).not.toMatch(/unexpected failure|damaged/)
}

const hasPartial = (folder: string) => () =>
  existsSync(folder) && readdirSync(folder).some((name) => name.includes('.partial-'))

for (const kind of ['file', 'folder'] as const) {
  test(`a disk that fills up during a backup to a ${kind} is reported, nothing is left behind, and the service keeps running`, async () => {
    const disk = smallDisk(64)
    if (disk === null) return console.log(SKIPPED)
    const data = join(tempDir(), 'data')
    const secret = await newFolder(data, 200_000)
    const service = await serve(data, ['serve'], { env: NO_FLOOR })
    const before = namesBelow(data)
    const target = kind === 'file' ? join(disk, 'backup.tar') : `${disk}/`
    const args = ['backup', target, '--data', data]
    let release = () => {}
    const whenPartial = () =>
      interrupted(args, hasPartial(disk), () => {
        release = fillDisk(disk)
      })
    let failed = await whenPartial()
    // On a busy machine the check may come after the backup has ended.
    for (let again = 0; again < 10 && !failed.hit; again++) {
      for (const name of readdirSync(disk)) rmSync(join(disk, name), { recursive: true })
      failed = await whenPartial()
    }
    expect(failed.hit).toBe(true)
    expectSaid(failed, disk)
    countMoment(`disk full in a backup to a ${kind}`)
    expect(readdirSync(disk)).toEqual(['filler'])
    expect(namesBelow(data).filter((name) => name !== 'backups.json')).toEqual(before)
    expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(200_000)
    release()
    await succeed(args, { env: NO_FLOOR })
    expect(readdirSync(disk)).toHaveLength(1)
  })
}

test('a disk that runs out of inodes stops a backup to a folder halfway, and the older backup stays', async () => {
  const disk = smallDisk(64, 100)
  if (disk === null) return console.log(SKIPPED)
  const data = join(tempDir(), 'data')
  await newFolder(data, 1000)
  const args = ['backup', `${disk}/`, '--data', data]
  await succeed(args, { env: NO_FLOOR })
  const before = namesBelow(disk)
  // Names of backups have a resolution of one second.
  while (existsSync(join(disk, backupName(new Date())))) await Bun.sleep(20)
  for (let left = 0; ; left += STEP) {
    const release = takeNames(disk, left)
    const failed = await izvor(args, { env: NO_FLOOR })
    release()
    if (failed.code === 0) break
    expectSaid(failed, disk)
    countMoment('no names left in a backup')
    expect(namesBelow(disk)).toEqual(before)
  }
  expect(namesBelow(disk).length).toBe(2 * before.length)
})

test('a data disk without free space or inodes stops a backup, and nothing is left there or at the target', async () => {
  const disk = smallDisk(64, 200)
  if (disk === null) return console.log(SKIPPED)
  const data = join(disk, 'data')
  const secret = await newFolder(data, 1000)
  const target = tempDir()
  const args = ['backup', `${target}/`, '--data', data]
  const before = namesBelow(data)
  const attempt = async (release: () => void): Promise<boolean> => {
    const failed = await izvor(args, { env: NO_FLOOR })
    release()
    if (failed.code === 0) return false
    expectSaid(failed, data)
    countMoment('full data disk in a backup')
    expect([readdirSync(target), namesBelow(data).filter((name) => name !== 'backups.json')]).toEqual([
      [],
      before,
    ])
    return true
  }
  expect(await attempt(fillDisk(disk))).toBe(true)
  let left = 0
  while (await attempt(takeNames(disk, left))) left += STEP
  expect(left).toBeGreaterThan(3)
  expect(await rowsServed(data, secret)).toBe(1000)
})

test('a backup whose data disk fills up at any moment reports it or is complete, and the next one cleans up', async () => {
  const disk = smallDisk(64)
  if (disk === null) return console.log(SKIPPED)
  const data = join(disk, 'data')
  const secret = await newFolder(data, 50_000)
  const random = randomMoments('full data disk')
  for (let i = 0; i < 2 * MOMENTS; i++) {
    const target = tempDir()
    const args = ['backup', join(target, 'backup.tar'), '--data', data]
    const at = performance.now() + random() * 400
    let release = () => {}
    const ended = await interrupted(
      args,
      () => performance.now() > at,
      () => {
        release = fillDisk(disk)
      },
    )
    const there = existsSync(join(target, 'backup.tar'))
    if (ended.code !== 0) expectSaid(ended, data)
    countMoment('data disk full at any moment of a backup')
    release()
    if (there) await succeed(['backup', 'verify', join(target, 'backup.tar')])
    await succeed(['backup', join(target, 'next.tar'), '--data', data], { env: NO_FLOOR })
    expect(readdirSync(target).toSorted()).toEqual(there ? ['backup.tar', 'next.tar'] : ['next.tar'])
    expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
    expect(readdirSync(data).filter((name) => name.startsWith('backups.json'))).toEqual(['backups.json'])
  }
  expect(await rowsServed(data, secret)).toBe(50_000)
})

test('a data disk without free space or inodes stops a restore, and the old data stays and is served', async () => {
  const disk = smallDisk(64, 200)
  if (disk === null) return console.log(SKIPPED)
  const data = join(disk, 'data')
  const archive = join(tempDir(), 'backup.tar')
  const secret = await newFolder(data, 1000)
  await succeed(['backup', archive, '--data', data], { env: NO_FLOOR })
  await ingest(data, 77)
  const attempt = async (release: () => void): Promise<boolean> => {
    const before = namesBelow(data)
    const failed = await izvor(['restore', archive, '--yes', '--data', data], { env: NO_FLOOR })
    const names = namesBelow(data)
    release()
    if (failed.code === 0) return false
    expectSaid(failed, data)
    countMoment('full disk in a restore')
    expect(names).toEqual(before)
    return true
  }
  expect(await attempt(fillDisk(disk))).toBe(true)
  expect(await rowsServed(data, secret)).toBe(77)
  let left = 0
  while (await attempt(takeNames(disk, left))) left += STEP
  expect(left).toBeGreaterThan(5)
  expect(await rowsServed(data, secret)).toBe(1000)
})

test('a restore whose data disk fills up at any moment leaves either the old or the new data served', async () => {
  const disk = smallDisk(64)
  if (disk === null) return console.log(SKIPPED)
  const archive = join(tempDir(), 'backup.tar')
  const random = randomMoments('full disk in a restore')
  const data = join(disk, 'data')
  const secret = await newFolder(data, 100_000)
  await succeed(['backup', archive, '--data', data], { env: NO_FLOOR })
  for (let i = 0; i < 2 * MOMENTS; i++) {
    await ingest(data, 50)
    const at = performance.now() + random() * 500
    const args = ['restore', '-', '--yes', '--data', data]
    let release = () => {}
    const ended = await interrupted(
      args,
      () => performance.now() > at,
      () => {
        release = fillDisk(disk)
      },
      archive,
    )
    if (ended.code !== 0) expectSaid(ended, data)
    countMoment('disk full at any moment of a restore')
    expect(existsSync(join(data, 'restoring'))).toBe(false)
    release()
    expect(await rowsServed(data, secret)).toBe(ended.code === 0 ? 100_000 : 50)
    expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
  }
})

test('a restore into a new folder leaves no folder behind when the disk is full', async () => {
  const disk = smallDisk(4)
  if (disk === null) return console.log(SKIPPED)
  const folder = tempDir()
  const archive = join(folder, 'backup.tar')
  await newFolder(join(folder, 'data'), 150_000)
  await succeed(['backup', archive, '--data', join(folder, 'data')])
  expect(statSync(archive).size).toBeGreaterThan(4e6)
  mkdirSync(join(disk, 'other'))
  const data = join(disk, 'data')
  expectSaid(await izvor(['restore', archive, '--yes', '--data', data], { env: NO_FLOOR }), data)
  const streamed = await izvor(['restore', '-', '--yes', '--data', data], {
    env: NO_FLOOR,
    input: new Uint8Array(await Bun.file(archive).arrayBuffer()),
  })
  expectSaid(streamed, data)
  expect(readdirSync(disk)).toEqual(['other'])
})
