/** A disk fills up or a folder becomes read-only while data is served and ingested. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bodyOf, errorCodeOf, izvor, type RunOptions, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT } from '../support/fault-moments.ts'
import { asNobody, canBeRefused, isRoot, NOBODY } from '../support/nobody.ts'
import { PASSWORD } from '../support/passwords.ts'
import { fillDisk, smallDisk } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const LIST = '/v1/test/numbers'
const SKIPPED = 'skipped: a small disk can be mounted by root on Linux only'
const NO_FLOOR = { IZVOR_DISK_FLOOR: '0' }

async function newFolder(folder: string, options: RunOptions = { env: NO_FLOOR }) {
  const data = join(folder, 'data')
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data]
  await succeed(args, { input: 'n\n1\n2\n', ...options })
  const minted = await succeed(['keys', 'mint', '--plan', 'unlimited', '--json', '--data', data], options)
  return { data, secret: JSON.parse(minted).secret as string }
}

function ingest(data: string, rows: number, options: RunOptions = { env: NO_FLOOR }) {
  const text = Array.from({ length: rows }, (_, i) => `${i},text ${i}`).join('\n')
  const args = [
    'ingest',
    '-',
    '--id',
    'numbers',
    '--domain',
    'test',
    '--data',
    data,
    '--accept-drift',
    '--accept-shrink',
  ]
  return izvor(args, { input: `n,t\n${text}\n`, ...options })
}

test('on a full disk requests are answered, an ingest says why it fails, and later everything works again, counts included', async () => {
  const disk = smallDisk(24)
  if (disk === null) return console.log(SKIPPED)
  const { data, secret } = await newFolder(disk)
  const service = await serve(data, ['serve'], { env: NO_FLOOR })
  expect((await service.get(LIST, secret)).status).toBe(200)
  const release = fillDisk(disk)
  for (let i = 0; i < 50; i++) expect((await service.get(`${LIST}?n[gte]=${i}`, secret)).status).toBe(200)
  const failed = await ingest(data, 20_000)
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/disk|space/i)])
  expect(failed.stderr).not.toContain('unexpected failure')
  const minted = await izvor(['keys', 'mint', '--plan', 'free', '--data', data])
  expect(minted.stderr).not.toContain('unexpected failure')
  const signUp = () =>
    fetch(`${service.address}/account/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.org', password: PASSWORD }),
    })
  const refused = await signUp()
  expect([refused.status, await errorCodeOf(refused)]).toEqual([503, 'service_unavailable'])
  countMoment('full disk')
  release()
  expect((await signUp()).status).toBe(201)
  expect(await ingest(data, 20_000)).toMatchObject({ code: 0 })
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(20_000)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  const again = await serve(data, ['serve'], { env: NO_FLOOR })
  expect((await bodyOf(await fetch(`${again.address}/stats`))).requests_total).toBe(52)
  expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
})

/** Makes a folder writable or read-only for this user. */
function setWritable(data: string, writable: boolean): void {
  const folders = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  )
  const paths = [data, ...folders.map((entry) => join(entry.parentPath, entry.name))]
  for (const path of paths) chmodSync(path, writable ? 0o700 : 0o500)
}

test('in a folder that turns read-only requests are answered, an ingest says why it fails, and later everything works again', async () => {
  if (!canBeRefused) return console.log('skipped: run as root, and no other user is available')
  const folder = tempDir()
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const options = { through: asNobody, env: NO_FLOOR }
  const { data, secret } = await newFolder(folder, options)
  const service = await serve(data, ['serve'], options)
  expect((await service.get(LIST, secret)).status).toBe(200)
  setWritable(data, false)
  for (let i = 0; i < 50; i++) expect((await service.get(`${LIST}?n[gte]=${i}`, secret)).status).toBe(200)
  const failed = await ingest(data, 10, options)
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringMatching(/no rights|may not write|cannot be used/),
  ])
  expect(failed.stderr).not.toContain('unexpected failure')
  countMoment('read-only folder')
  setWritable(data, true)
  expect(await ingest(data, 10, options)).toMatchObject({ code: 0 })
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(10)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  const again = await serve(data, ['serve'], options)
  expect((await bodyOf(await fetch(`${again.address}/stats`))).requests_total).toBe(52)
})

test('on a disk remounted read-only failed changes give the reason, and later everything works again', async () => {
  const disk = smallDisk(24)
  if (disk === null) return console.log(SKIPPED)
  const { data, secret } = await newFolder(disk)
  const remount = (mode: 'ro' | 'rw') =>
    expect(Bun.spawnSync(['mount', '-o', `remount,${mode}`, disk]).success).toBe(true)
  remount('ro')
  const refused = [await ingest(data, 10), await izvor(['keys', 'revoke', '1', '--yes', '--data', data])]
  for (const { code, stderr } of refused) {
    expect([code, stderr]).toEqual([1, expect.stringMatching(/read-only/)])
    expect(stderr).not.toContain('unexpected failure')
  }
  countMoment('read-only disk')
  remount('rw')
  expect(await ingest(data, 10)).toMatchObject({ code: 0 })
  const service = await serve(data, ['serve'], { env: NO_FLOOR })
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(10)
})
