/** The restore drill: a backup taken under load is restored elsewhere, is complete, and works. */

import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256File } from '../../src/base/crypto/sha256.ts'
import { openDatabase } from '../../src/db/open.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PASSWORD } from '../support/passwords.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import {
  bodyOf,
  errorCodeOf,
  izvor,
  JOURNEY_TIMEOUT,
  mint,
  type RunningService,
  serve,
  start,
  succeed,
} from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const DATABASES = ['accounts', 'catalog', 'usage'] as const

function csv(rows: number): string {
  return `n,name\n${Array.from({ length: rows }, (_, i) => `${i},name ${i % 997}`).join('\n')}\n`
}

async function ingest(data: string, rows: number, id = 'numbers'): Promise<void> {
  await succeed(['ingest', '-', '--id', id, '--domain', 'test', '--data', data], { input: csv(rows) })
}

async function backUp(data: string, target: string, ...options: string[]) {
  return JSON.parse(await succeed(['backup', target, ...options, '--data', data, '--json']))
}

/** Signs up, mints a key in the console and leaves the address unverified. */
async function signUp(service: RunningService): Promise<{ secret: string; cookie: string }> {
  const account = `${service.address}/account/api`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'ana@example.org', password: PASSWORD })
  const signedUp = await fetch(`${account}/signup`, { method: 'POST', headers, body })
  const { csrf_token: csrf } = await bodyOf(signedUp)
  const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const minted = await fetch(`${account}/keys`, {
    ...{ method: 'POST', headers: { ...headers, cookie, 'x-csrf-token': csrf } },
    body: JSON.stringify({ label: 'portal' }),
  })
  return { secret: (await bodyOf(minted)).secret, cookie }
}

/** Every row of every table of the three databases. */
function contentsOf(data: string): Record<string, unknown[]> {
  const contents: Record<string, unknown[]> = {}
  for (const name of DATABASES) {
    const database = openDatabase(join(data, `${name}.db`))
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
    for (const table of tables)
      contents[`${name}.${table}`] = database.prepare(`SELECT * FROM "${table}"`).all()
    database.close()
  }
  // Every restore raises this, so that no catalog answer is mistaken for an earlier one.
  delete contents['catalog.revision']
  return contents
}

function hashesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = files.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    paths.toSorted().map((path) => [path.slice(folder.length), sha256File(path).sha256]),
  )
}

/** Several clients request lists without a pause until stopped; returns the statuses seen and the longest wait. */
function startLoad(service: RunningService, secret: string) {
  let stopped = false
  let longest = 0
  const statuses = new Map<number, number>()
  const clients = Array.from({ length: 4 }, async (_, client) => {
    for (let i = 0; !stopped; i++) {
      const began = performance.now()
      const answer = await service.get(`/v1/test/numbers?n[gte]=${i % 50}&limit=${client + 1}`, secret)
      await answer.arrayBuffer()
      longest = Math.max(longest, performance.now() - began)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    }
  })
  return async () => {
    stopped = true
    await Promise.all(clients)
    return { statuses, longest }
  }
}

test('backups taken under load, while versions are published and deleted, delay no request and are each consistent', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 5000)
  const { secret } = await mint(data)
  const service = await serve(data)
  const endLoad = startLoad(service, secret)
  // These publishes delete the files of older versions while they are being copied.
  const publishing = (async () => {
    for (let rows = 5001; rows <= 5003; rows++) await ingest(data, rows)
  })()
  await backUp(data, join(folder, 'first.tar'))
  await backUp(data, `${join(folder, 'backups')}/`)
  const streamed = start(['backup', '-', '--data', data])
  await Bun.write(join(folder, 'stream.tar'), new Response(streamed.stdout))
  expect(await streamed.exited).toBe(0)
  await publishing
  const load = await endLoad()
  expect([...load.statuses.keys()]).toEqual([200])
  // No request waits for a backup, which takes hundreds of milliseconds; a busy machine is slow anyway.
  expect(load.longest).toBeLessThan(2000)

  for (const [i, backup] of ['first.tar', 'backups', 'stream.tar'].entries()) {
    const elsewhere = join(folder, `elsewhere-${i}`)
    await succeed(['restore', join(folder, backup), '--data', elsewhere, '--yes'])
    expectOneMoment(elsewhere)
  }
})

test('a restored copy is equal to the original and works: datasets, accounts, sessions, keys and usage', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 500)
  mkdirSync(join(data, 'reference'))
  writeFileSync(join(data, 'reference', 'towns.csv'), 'Cluj-Napoca,Cluj\n')
  const revoked = await mint(data)
  const service = await serve(data)
  const person = await signUp(service)
  expect((await service.get('/v1/test/numbers', person.secret)).status).toBe(200)
  await succeed(['keys', 'revoke', String(revoked.key_id), '--yes', '--data', data])
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)

  const archive = join(folder, 'a.tar')
  await backUp(data, archive)
  expect(statSync(archive).mode & 0o777).toBe(0o600)
  const restored = join(folder, 'restored')
  await succeed(['restore', archive, '--data', restored, '--yes'])
  expect(contentsOf(restored)).toEqual(contentsOf(data))
  for (const part of ['datasets', 'reference'])
    expect(hashesBelow(join(restored, part))).toEqual(hashesBelow(join(data, part)))

  const again = await serve(restored)
  const list = await bodyOf(await again.get('/v1/test/numbers?n[gte]=100', person.secret))
  expect(list.pagination.total).toBe(400)
  expect(await errorCodeOf(await again.get('/v1/test/numbers', revoked.secret))).toBe('api_key_revoked')
  const cookie = { headers: { cookie: person.cookie } }
  const summary = await bodyOf(await fetch(`${again.address}/account/api/usage/summary`, cookie))
  expect(summary.total.month).toBe(2)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ email: 'ana@example.org', password: PASSWORD })
  const signedIn = await fetch(`${again.address}/account/api/login`, { method: 'POST', headers, body })
  expect(signedIn.status).toBe(200)
})

/** Counts agree with the rows counted, and each version in the catalog is present as it was published. */
function expectOneMoment(data: string): void {
  const contents = contentsOf(data)
  const keys = new Set((contents['accounts.api_keys'] as { key_id: number }[]).map(({ key_id }) => key_id))
  const used = contents['usage.key_use'] as { key_id: number }[]
  expect(used.filter(({ key_id }) => !keys.has(key_id))).toEqual([])
  const versions = contents['catalog.versions'] as { dataset_id: string; version: number; record: string }[]
  expect(versions.length).toBeGreaterThan(0)
  for (const { dataset_id, version, record } of versions) {
    const file = join(data, 'datasets', dataset_id, `${version}.db`)
    expect(sha256File(file).sha256).toBe(JSON.parse(record).file.sha256)
  }
}

test('restore refuses a damaged backup, asks first, refuses while a server holds the folder, and keeps the old contents', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 10)
  const { secret } = await mint(data)
  const archive = join(folder, 'a.tar')
  await backUp(data, archive)
  await ingest(data, 20)

  const cut = join(folder, 'cut.tar')
  await Bun.write(cut, Bun.file(archive))
  truncateSync(cut, statSync(archive).size - 4096)
  for (const args of [
    ['backup', 'verify', cut],
    ['restore', cut, '--data', data, '--yes'],
  ]) {
    const { code, stderr } = await izvor(args)
    expect([code, stderr]).toEqual([6, expect.stringContaining('cut short')])
  }
  const unasked = await izvor(['restore', archive, '--data', data])
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const service = await serve(data)
  const held = await izvor(['restore', archive, '--data', data, '--yes'])
  expect([held.code, held.stderr]).toEqual([1, expect.stringMatching(/server .* works in .*stop it first/)])
  expect((await bodyOf(await service.get('/v1/test/numbers', secret))).pagination.total).toBe(20)
  service.signal('SIGTERM')
  await service.exited

  const restored = await izvor(['restore', archive, '--data', data, '--yes'])
  expect(restored.code).toBe(0)
  const aside = /former contents are in (\S+):/.exec(restored.stderr)?.[1] as string
  // Files that SQLite leaves beside a database opened for reading are not content.
  const kept = readdirSync(aside).filter((name) => !/-(shm|wal)$/.test(name))
  expect(kept.toSorted()).toEqual(['accounts.db', 'catalog.db', 'datasets', 'usage.db'])
  const rows = async (folder: string) =>
    JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', folder, '--json'])).row_count
  expect([await rows(data), await rows(aside)]).toEqual([10, 20])
})

test('a restore asks nothing if there is nothing to replace', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 10)
  const archive = join(folder, 'a.tar')
  await backUp(data, archive)
  const again = await izvor(['backup', archive, '--data', data])
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${archive} is already a backup`)])
  await backUp(data, archive, '--replace')
  mkdirSync(join(folder, 'empty'))
  for (const elsewhere of ['missing', 'empty']) {
    const { code, stderr } = await izvor(['restore', archive, '--data', join(folder, elsewhere)])
    expect([elsewhere, code]).toEqual([elsewhere, 0])
    expect(stderr).not.toContain('replaces')
  }
  writeFileSync(join(folder, 'file'), '')
  const refused = await izvor(['restore', archive, '--data', join(folder, 'file')])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--yes')])
})

test('a restored copy does not send waiting mail, and says so; the original service sends it', async () => {
  const folder = tempDir()
  const [data, copy, archive] = ['data', 'copy', 'a.tar'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const mail = await startMailServer()
  onTestFinished(mail.close)
  const env = { IZVOR_SMTP_URL: mail.url }
  await succeed(['users', 'create', 'ana@example.org', '--data', data], { env })
  await backUp(data, archive)
  const restored = JSON.parse(await succeed(['restore', archive, '--data', copy, '--json']))
  expect(restored.unsent_mails).toBe(1)
  await serve(copy, ['serve'], { env })
  const givenUp = () => succeed(['audit', 'list', '--data', copy, '--json'])
  await until(async () => (await givenUp()).includes('mail_given_up'))
  expect(mail.mails).toEqual([])
  await serve(data, ['serve'], { env })
  expect(await mail.linkTo('ana@example.org')).toContain('#token=')
})

test('a schedule makes its first backup at once and health reports it; if it fails, health says so and data is still served', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 10)
  const backups = join(folder, 'backups')
  const env = { IZVOR_BACKUP_SCHEDULE: '30 2 * * *', IZVOR_BACKUP_DIR: backups, IZVOR_BACKUP_KEEP: '3' }
  const alone = await izvor(['serve', '--data', data], { env: { IZVOR_BACKUP_SCHEDULE: '@daily' } })
  expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('backup_dir')])

  const service = await serve(data, ['serve'], { env })
  const check = async ({ address }: RunningService) =>
    (await bodyOf(await fetch(`${address}/health/ready`))).checks.backup
  while (!(await check(service)).message.startsWith('the last one'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await succeed(['backup', 'verify', backups])).toContain('whole')
  const notDue = await izvor(['backup', `${backups}/`, '--if-due', '--data', data], { env })
  expect([notDue.code, notDue.stderr]).toEqual([0, 'No backup is due.\n'])
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)

  writeFileSync(join(folder, 'file'), '')
  rmSync(join(data, 'backups.json'))
  const failing = await serve(data, ['serve'], {
    env: { ...env, IZVOR_BACKUP_DIR: join(folder, 'file', 'in') },
  })
  while ((await check(failing)).status === 'ok') await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await check(failing)).toEqual({
    status: 'degraded',
    message: expect.stringMatching(/^failing, at last .*; there is none$/),
  })
  expect(failing.output()).toContain('a backup by schedule failed')
})

test('a backup that is killed or loses its reader leaves no file under its name, and the next one cleans up', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await ingest(data, 60_000)
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const litter = () => readdirSync(backups).filter((name) => name.includes('.partial-'))
  let moments = 0
  for (const target of [join(backups, 'a.tar'), `${backups}/`]) {
    const child = start(['backup', target, '--data', data])
    // Polled every millisecond, since the work of another process shows only on disk.
    while (child.exitCode === null && litter().length === 0)
      await new Promise((resolve) => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await child.exited
    if (child.exitCode === null) moments++
    expect(readdirSync(backups).filter((name) => !name.includes('.partial-'))).toEqual([])
  }
  expect(moments).toBe(2)
  const unread = start(['backup', '-', '--data', data])
  const reader = unread.stdout.getReader()
  await reader.read()
  await reader.cancel()
  expect(await unread.exited).toBe(1)
  await backUp(data, join(backups, 'a.tar'))
  expect(readdirSync(backups)).toEqual(['a.tar'])
  await serve(data)
  expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
})
