/** Sources that change while the service runs are fetched manually and by schedule, served and reported. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/open.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { selfSigned, startWebServer } from '../support/web-server.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, mint, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

function csv(rows: number): string {
  return `n,square\n${Array.from({ length: rows }, (_, i) => `${i},${i * i}`).join('\n')}\n`
}

function startPublisher() {
  const publisher = { url: '', files: new Map([['numbers', csv(3)]]) }
  const { url } = startWebServer((request) => {
    const body = publisher.files.get(/\/(\w+)\.csv$/.exec(request.url)?.[1] ?? '')
    return body === undefined ? new Response('gone', { status: 404 }) : new Response(body)
  })
  publisher.url = url
  return publisher
}

async function ingest(data: string, address: string, id: string): Promise<void> {
  const definition = join(tempDir(), 'definition.json')
  writeFileSync(definition, JSON.stringify({ id, domain: 'test', refresh: '0 6 * * *' }))
  await succeed(['ingest', address, '--definition', definition, '--data', data])
}

/** Simulates a service that was down at the scheduled time. */
function missRun(data: string, id: string): void {
  const database = openDatabase(join(data, 'catalog.db'))
  database.prepare('UPDATE sources SET next_run_at = ? WHERE dataset_id = ?').run('2025-01-01T06:00:00Z', id)
  database.close()
}

async function rowsOf(service: RunningService, secret: string): Promise<number> {
  return (await bodyOf(await service.get('/v1/test/numbers', secret))).pagination.total
}

test('a served dataset follows its source, even if its scheduled time was missed', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  await ingest(data, `${publisher.url}/numbers.csv`, 'numbers')
  const { secret } = await mint(data)
  publisher.files.set('numbers', csv(5))
  missRun(data, 'numbers')
  const service = await serve(data)
  await until(async () => (await rowsOf(service, secret)) === 5)

  const shown = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(shown.provenance).toMatchObject({ ingestion_version: 2, source_file: 'numbers.csv' })
  expect(shown.refresh).toMatchObject({
    ...{ address: `${publisher.url}/numbers.csv`, schedule: '0 6 * * *', failures: 0, error: null },
    next_run_at: expect.stringMatching(/T06:0\d/),
  })
  const { refresh } = await bodyOf(await service.get('/v1/datasets/numbers', secret))
  expect(refresh.changed_at).toBe(shown.refresh.changed_at)
})

test('a source that fails in a scheduled refresh is reported in health, and its old data stays served', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  await ingest(data, `${publisher.url}/numbers.csv`, 'numbers')
  const { secret } = await mint(data)
  publisher.files.clear()
  missRun(data, 'numbers')
  const service = await serve(data)
  const health = async () => await bodyOf(await fetch(`${service.address}/health/ready`))
  await until(async () => (await health()).status === 'degraded')
  expect((await health()).checks.refresh).toEqual({
    status: 'degraded',
    message: 'could not be refreshed: numbers',
  })
  expect(await rowsOf(service, secret)).toBe(3)
  const { refresh } = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(refresh).toMatchObject({ failures: 1, error: expect.stringContaining('404') })

  publisher.files.set('numbers', csv(3))
  const [again] = JSON.parse(await succeed(['datasets', 'refresh', '--data', data, '--json']))
  expect(again).toMatchObject({ dataset: 'numbers', outcome: 'unchanged', error: null })
  expect((await health()).status).toBe('ok')
})

test('a manual refresh fetches all sources, prints each outcome, and exits with the code of the worst one', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  for (const id of ['drifts', 'fails', 'grows', 'stays']) {
    publisher.files.set(id, csv(3))
    await ingest(data, `${publisher.url}/${id}.csv`, id)
  }
  await succeed(['ingest', '-', '--id', 'by_hand', '--domain', 'test', '--data', data], { input: csv(2) })
  publisher.files.set('grows', csv(9))
  publisher.files.set('drifts', 'other\n1\n')
  publisher.files.delete('fails')

  const all = await izvor(['datasets', 'refresh', '--data', data, '--json'])
  const outcomes = JSON.parse(all.stdout).map(({ dataset, outcome, version }: Record<string, unknown>) => [
    dataset,
    outcome,
    version,
  ])
  expect(outcomes).toEqual([
    ['drifts', 'refused', 1],
    ['fails', 'failed', 1],
    ['grows', 'updated', 2],
    ['stays', 'unchanged', 1],
  ])
  expect(all.code).toBe(1)
  expect(all.stderr).toMatch(/2 of 4 datasets could not be refreshed/)
  const refreshing = (...args: string[]) => izvor(['datasets', 'refresh', ...args, '--data', data])
  expect((await refreshing('drifts')).code).toBe(4)
  expect((await refreshing('grows')).stdout).toMatch(/grows\s+unchanged\s+2\s+9/)
  expect((await refreshing('stays', '--force')).stdout).toMatch(/stays\s+updated\s+2/)
  expect((await refreshing('by_hand')).stderr).toContain('has no source address')
  expect((await refreshing('nothing')).stderr).toContain('there is no dataset nothing')
})

test('while a refresh runs on a folder, a manual one is refused and a scheduled one waits', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  await ingest(data, `${publisher.url}/numbers.csv`, 'numbers')
  missRun(data, 'numbers')
  const lock = new DataDir(data).lock('refresh')
  const byHand = await izvor(['datasets', 'refresh', '--data', data])
  expect([byHand.code, byHand.stderr]).toEqual([1, expect.stringContaining('another refresh is running')])
  const bySchedule = await izvor(['datasets', 'refresh', 'numbers', '--if-due', '--data', data, '--json'])
  expect([bySchedule.code, bySchedule.stdout]).toEqual([0, '[]\n'])
  lock?.release()
  const due = () => succeed(['datasets', 'refresh', 'numbers', '--if-due', '--data', data, '--json'])
  expect(JSON.parse(await due())).toHaveLength(1)
  expect(JSON.parse(await due())).toHaveLength(0)
})

test('stopping the service ends a hanging fetch and leaves nothing behind', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  await ingest(data, `${publisher.url}/numbers.csv`, 'numbers')
  let asked = false
  const hanging = startWebServer(() => {
    asked = true
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(4096)) }))
  })
  const database = openDatabase(join(data, 'catalog.db'))
  database.prepare('UPDATE sources SET address = ?').run(`${hanging.url}/numbers.csv`)
  database.close()
  missRun(data, 'numbers')
  const service = await serve(data)
  await until(async () => asked)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(readdirSync(join(data, 'tmp')).filter((name) => !name.endsWith('.db'))).toEqual([])
  const { refresh } = JSON.parse(await succeed(['datasets', 'show', 'numbers', '--data', data, '--json']))
  expect(refresh.failures).toBe(0)
})

test('a source that moved from the public internet to a private network is not fetched without --allow-private', async () => {
  const publisher = startPublisher()
  const data = join(tempDir(), 'data')
  await ingest(data, `${publisher.url}/numbers.csv`, 'numbers')
  // Simulates that the host name was public at that time.
  const database = openDatabase(join(data, 'catalog.db'))
  database.exec(`UPDATE sources SET options = json_set(options, '$.network', 'public')`)
  database.close()
  publisher.files.set('numbers', csv(5))
  const refused = await izvor(['datasets', 'refresh', 'numbers', '--data', data])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('was on the public internet and is now inside a private network')
  const refresh = async (...options: string[]) =>
    JSON.parse(await succeed(['datasets', 'refresh', 'numbers', ...options, '--data', data, '--json']))
  expect(await refresh('--allow-private')).toMatchObject([{ outcome: 'updated', version: 2 }])
  expect(await refresh()).toMatchObject([{ outcome: 'unchanged' }])
})

test('over HTTPS the certificate must match the host name, although the connection goes to an address', async () => {
  const data = join(tempDir(), 'data')
  const tls = selfSigned(tempDir(), 'DNS:localhost')
  const other = selfSigned(tempDir(), 'DNS:other.example,IP:127.0.0.1')
  if (tls === null || other === null) return console.log('skipped: without openssl there is no certificate')
  const fetchFrom = ({ cert, key, certFile }: typeof tls) => {
    const { url } = startWebServer(() => new Response(csv(3)), { cert, key })
    const address = `https://localhost:${new URL(url).port}/numbers.csv`
    const options = ['--id', 'numbers', '--domain', 'test', '--data', data]
    return izvor(['ingest', address, ...options], { env: { NODE_EXTRA_CA_CERTS: certFile } })
  }
  expect((await fetchFrom(tls)).stderr).not.toContain('certificate')
  expect(readdirSync(join(data, 'datasets'))).toEqual(['numbers'])
  const refused = await fetchFrom(other)
  expect([refused.code, refused.stderr.includes('certificate')]).toEqual([1, true])
})
