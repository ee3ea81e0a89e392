/** New versions, rollbacks and removals by another process while the service runs. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, errorCodeOf, izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

async function publish(data: string, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, i) => `${i},${rows}`)
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data, '--accept-shrink']
  await succeed(args, { input: `n,edition\n${lines.join('\n')}\n` })
}

const LIST = '/v1/test/numbers?limit=10'

test('a new version is served on the next request, and cursors of the old one expire', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 100)
  const { secret } = await mint(data)
  const service = await serve(data)
  const first = await service.get(LIST, secret)
  expect((await bodyOf(first)).pagination.total).toBe(100)
  const walk = await bodyOf(await service.get(`${LIST}&cursor=start`, secret))

  await publish(data, 200)
  const second = await service.get(LIST, secret, { 'if-none-match': first.headers.get('etag') ?? '' })
  expect(second.status).toBe(200)
  expect((await bodyOf(second)).pagination.total).toBe(200)
  const expired = await service.get(`${LIST}&cursor=${walk.pagination.next_cursor}`, secret)
  expect(expired.status).toBe(422)
  expect(await errorCodeOf(expired)).toBe('cursor_expired')
})

test('the audit log records what the shell does to a dataset, but not what it refuses', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 3)
  await publish(data, 4)
  await succeed(['datasets', 'edit', 'numbers', '--title', 'Some', '--column', 'n.unit lei', '--data', data])
  await succeed(['datasets', 'serve', 'numbers', '1', '--data', data])
  await succeed(['datasets', 'serve', 'numbers', '2', '--data', data])
  await succeed(['datasets', 'rollback', 'numbers', '--data', data])
  expect((await izvor(['datasets', 'serve', 'numbers', '9', '--data', data])).code).toBe(1)
  await succeed(['datasets', 'remove', 'numbers', '--yes', '--data', data])
  const events = JSON.parse(await succeed(['audit', 'list', '--json', '--data', data]))
  expect(events.map((one: Record<string, string>) => `${one.actor} ${one.event} ${one.detail}`)).toEqual([
    'shell dataset_removed test/numbers',
    'shell dataset_served numbers version 1',
    'shell dataset_served numbers version 2',
    'shell dataset_served numbers version 1',
    'shell dataset_changed numbers: title, columns',
    'shell dataset_published numbers version 2',
    'shell dataset_published numbers version 1',
  ])
})

test('a rollback serves the earlier version unchanged on the next request', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 100)
  const { secret } = await mint(data)
  const service = await serve(data)
  const before = await service.get(LIST, secret)
  await publish(data, 200)
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(200)

  const rolled = JSON.parse(await succeed(['datasets', 'rollback', 'numbers', '--data', data, '--json']))
  expect(rolled).toEqual({ dataset: 'numbers', version: 1 })
  const after = await service.get(LIST, secret)
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  expect((await bodyOf(after)).pagination.total).toBe(100)
  expect((await izvor(['datasets', 'rollback', 'numbers', '--data', data])).code).toBe(1)

  await publish(data, 300)
  const shown = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(shown.provenance.ingestion_version).toBe(3)
})

test('a removed dataset is gone on the next request; without --yes nothing is removed', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 100)
  const { secret } = await mint(data)
  const service = await serve(data)
  const unasked = await izvor(['datasets', 'remove', 'numbers', '--data', data])
  expect(unasked.code).toBe(2)
  expect(unasked.stderr).toContain('--yes')
  expect((await service.get(LIST, secret)).status).toBe(200)

  await succeed(['datasets', 'remove', 'numbers', '--yes', '--data', data])
  const gone = await service.get(LIST, secret)
  expect(gone.status).toBe(404)
  expect(await errorCodeOf(gone)).toBe('dataset_not_found')
})

test('an export that runs during a publish finishes with the version it began with', async () => {
  const data = join(tempDir(), 'data')
  const rows = 300_000
  await publish(data, rows)
  const { secret } = await mint(data)
  const service = await serve(data)
  const answer = await service.get('/v1/test/numbers/export', secret, { 'accept-encoding': 'identity' })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let text = new TextDecoder().decode((await reader.read()).value)
  await publish(data, 10)
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(10)
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    text += new TextDecoder().decode(value)
  }
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(rows + 1)
  expect(lines.at(-1)).toBe(`${rows - 1},${rows}`)
})

test('verify finds a changed byte, names the file and ends with 6, and other datasets stay served', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 5000)
  await succeed(['ingest', '-', '--id', 'other', '--domain', 'test', '--data', data], { input: 'a,b\n1,2\n' })
  expect((await izvor(['datasets', 'verify', '--data', data])).code).toBe(0)

  const path = join(data, 'datasets', 'numbers', '1.db')
  const file = openSync(path, 'r+')
  writeSync(file, new Uint8Array(64).fill(0xa5), 0, 64, statSync(path).size >> 1)
  closeSync(file)
  const damaged = await izvor(['datasets', 'verify', '--data', data])
  expect(damaged.code).toBe(6)
  expect(damaged.stderr).toContain(path)
  expect((await izvor(['datasets', 'verify', 'other', '--data', data])).code).toBe(0)

  const { secret } = await mint(data)
  const service = await serve(data)
  expect((await bodyOf(await service.get('/v1/test/other', secret))).pagination.total).toBe(1)
})

test('a rollback to a damaged version ends with 6, and the served version stays served', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 5000)
  await publish(data, 200)
  const { secret } = await mint(data)
  const service = await serve(data)
  const path = join(data, 'datasets', 'numbers', '1.db')
  const file = openSync(path, 'r+')
  writeSync(file, new Uint8Array(64).fill(0xa5), 0, 64, statSync(path).size >> 1)
  closeSync(file)
  const { code, stdout, stderr } = await izvor(['datasets', 'rollback', 'numbers', '--data', data, '--json'])
  expect([code, stdout]).toEqual([6, ''])
  expect(stderr).toContain(`${path} is damaged`)
  expect(stderr).toContain('version 2 of numbers stays')
  expect((await bodyOf(await service.get(LIST, secret))).pagination.total).toBe(200)
})

test('a settings file decides how many versions are kept', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'izvor.toml'), 'keep_versions = 1\n')
  for (const rows of [10, 20]) {
    const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data]
    await succeed(args, { cwd: folder, input: `n\n${'1\n'.repeat(rows)}` })
  }
  const { versions } = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2])
})

test('added files are listed with their rows, and keys that are already served are refused in full sentences', async () => {
  const data = join(tempDir(), 'data')
  const folder = tempDir()
  const definition = join(folder, 'sold.json')
  writeFileSync(definition, JSON.stringify({ id: 'sold', domain: 'test', primary_key: ['month', 'town'] }))
  const add = (name: string, rows: string, ...options: string[]) => {
    const file = join(folder, name)
    writeFileSync(file, `month,town,sold\n${rows}`)
    return izvor(['ingest', file, '--definition', definition, '--data', data, ...options])
  }
  expect((await add('january.csv', '1,Cluj,5\n1,Dej,7\n')).code).toBe(0)
  expect((await add('february.csv', '2,Cluj,6\n', '--append')).code).toBe(0)
  const shown = await succeed(['datasets', 'show', 'sold', '--data', data])
  expect(shown).toMatch(/^january\.csv +2 .*\nfebruary\.csv +1 /m)

  const refused = await add('march.csv', '2,Cluj,8\n', '--append')
  expect(refused.code).toBe(4)
  expect(refused.stderr).toContain(
    '1 row, by the primary key (month, town). Nothing was changed. If the file',
  )
  const again = await add('february.csv', '2,Cluj,6\n', '--append')
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining('unchanged: version 2 has it already'),
  ])
  expect(again.stdout + again.stderr).not.toContain('warning')
})

test('the shell closes and opens the pages of one dataset without a new version', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, 1)
  const edit = async (word: string) =>
    izvor(['datasets', 'edit', 'numbers', '--open-pages', word, '--data', data])
  expect((await edit('off')).code).toBe(0)
  const shown = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(shown).toMatchObject({ open: false, provenance: { ingestion_version: 1 } })
  expect(await succeed(['datasets', 'show', 'numbers', '--data', data])).toContain(
    'rows and files need a key',
  )
  expect(await edit('shut')).toMatchObject({ code: 2, stderr: expect.stringContaining('on or off') })
  const service = await serve(data)
  const rows = () => fetch(`${service.address}/datasets/numbers/rows`)
  expect((await rows()).status).toBe(401)
  expect((await edit('on')).code).toBe(0)
  expect((await rows()).status).toBe(200)
})
