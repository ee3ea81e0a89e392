/** A damaged page in any kind of file is noticed and named, and affects only what that file holds. */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { bodyOf, errorCodeOf, izvor, mint, type RunningService, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, randomMoments } from '../support/fault-moments.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const PAGE = 4096
const random = randomMoments('damaged pages')

/** Overwrites the first page of a file, or a random other one. */
function damage(path: string, which: 'first' | 'any'): void {
  const pages = Math.floor(statSync(path).size / PAGE)
  const page = which === 'first' ? 0 : 1 + Math.floor(random() * (pages - 1))
  const noise = Uint8Array.from({ length: PAGE }, () => Math.floor(random() * 256))
  const file = openSync(path, 'r+')
  writeSync(file, noise, 0, PAGE, page * PAGE)
  closeSync(file)
  countMoment('damaged pages')
}

const pristine = mkdtempSync(join(tmpdir(), 'izvor-damage-'))
let secret = ''

beforeAll(async () => {
  for (const id of ['good', 'bad']) {
    const rows = Array.from({ length: 5000 }, (_, i) => `${i},name ${i % 997}`)
    const args = ['ingest', '-', '--id', id, '--domain', 'test', '--data', pristine]
    await succeed(args, { input: `n,name\n${rows.join('\n')}\n` })
  }
  secret = (await mint(pristine)).secret
  // Creates the last database as well, and leaves no write-ahead log behind.
  await UsageRecorder.open(join(pristine, 'usage.db')).close()
})

afterAll(() => rmSync(pristine, { recursive: true }))

function newFolder(): string {
  const data = join(tempDir(), 'data')
  cpSync(pristine, data, { recursive: true })
  return data
}

async function readiness(service: RunningService) {
  return JSON.parse(await (await fetch(`${service.address}/health/ready`)).text())
}

for (const which of ['first', 'any'] as const) {
  test(`a version file with a damaged ${which === 'any' ? 'page' : 'first page'} takes out only its own dataset, which is named`, async () => {
    const data = newFolder()
    const folder = join(data, 'datasets', 'bad')
    damage(join(folder, readdirSync(folder)[0] ?? ''), which)
    const verified = await izvor(['datasets', 'verify', '--data', data])
    expect([verified.code, verified.stdout + verified.stderr]).toEqual([6, expect.stringMatching(/bad/)])
    const service = await serve(data)
    const good = await bodyOf(await service.get('/v1/test/good?name=name%205', secret))
    expect(good.pagination.total).toBeGreaterThan(0)
    // If no answer needs the page, answers stay correct; a wrong answer is never sent.
    const answer = await service.get('/v1/test/bad/export?format=csv', secret)
    expect([200, 503]).toContain(answer.status)
    if (which === 'first') {
      expect([answer.status, await errorCodeOf(answer)]).toEqual([503, 'service_unavailable'])
      const health = await readiness(service)
      expect([health.status, health.checks.datasets.message]).toEqual([
        'degraded',
        expect.stringContaining('bad'),
      ])
    } else if (answer.status === 200) {
      const lines = (await answer.text()).trimEnd().split('\r\n')
      expect(lines.slice(1)).toEqual(Array.from({ length: 5000 }, (_, i) => `${i},name ${i % 997}`))
    }
  })
}

for (const name of ['accounts', 'catalog', 'usage']) {
  test(`a damaged ${name}.db is named by every command that needs it, and no other file is reported`, async () => {
    const data = newFolder()
    damage(join(data, `${name}.db`), 'first')
    const { code, stderr } = await izvor(['serve', '--port', '0', '--data', data])
    expect([code, stderr]).toEqual([6, expect.stringContaining(name)])
    expect(stderr).not.toContain('unexpected failure')
    // The catalog lists the files that should exist, so without it verify cannot check the others.
    if (name === 'catalog') return
    const verified = await izvor(['datasets', 'verify', '--data', data])
    expect(verified.code).toBe(6)
    expect(verified.stderr).toMatch(new RegExp(`1 of \\d+ files failed.*\\n.*${name}\\.db.*\\n$`))
  })
}

/** Overwrites the root page of an index. */
function damageIndex(path: string, index: string): void {
  const database = new Database(path, { readonly: true })
  const row = database.query('SELECT rootpage FROM sqlite_master WHERE name = ?').get(index)
  database.close()
  const file = openSync(path, 'r+')
  writeSync(
    file,
    new Uint8Array(PAGE).fill(0xa5),
    0,
    PAGE,
    ((row as { rootpage: number }).rootpage - 1) * PAGE,
  )
  closeSync(file)
  countMoment('damaged pages')
}

test('when keys cannot be looked up, requests get 503 service_unavailable and the service is not ready', async () => {
  const data = newFolder()
  damageIndex(join(data, 'accounts.db'), 'api_keys_secret_hash')
  const service = await serve(data)
  const answer = await service.get('/v1/test/good', secret)
  expect([answer.status, await errorCodeOf(answer)]).toEqual([503, 'service_unavailable'])
  expect(answer.headers.get('retry-after')).toBeString()
  const ready = await fetch(`${service.address}/health/ready`)
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({
      status: 'unavailable',
      checks: expect.objectContaining({ databases: expect.anything() }),
    }),
  ])
  expect((await fetch(`${service.address}/health/live`)).status).toBe(200)
})

test('a damaged backup is refused, the damaged part is named, and nothing is replaced', async () => {
  const data = newFolder()
  const archive = join(data, '..', 'backup.tar')
  await succeed(['backup', archive, '--data', data])
  damage(archive, 'any')
  for (const args of [
    ['backup', 'verify', archive],
    ['restore', archive, '--yes', '--data', data],
  ]) {
    const { code, stderr } = await izvor(args)
    expect([code, stderr]).toEqual([6, expect.stringContaining('backup.tar')])
  }
  const service = await serve(data)
  expect((await service.get('/v1/test/bad', secret)).status).toBe(200)
})
