/** What an operator relies on: the log, metrics, certificates, and replacement of the process. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../src/base/limits.ts'
import { MOST_RESET, SteadyClient } from '../support/steady-client.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { makeCertificate, servedName, untilServed } from './certificate.ts'
import {
  izvor,
  JOURNEY_TIMEOUT,
  mint,
  type RunningService,
  serve as serveIt,
  start,
  startOnTerminal,
  succeed,
} from './program.ts'

/** A service that logs its answers. */
const serve: typeof serveIt = (data, command, options = {}) =>
  serveIt(data, command, { ...options, env: { IZVOR_ACCESS_LOG: 'on', ...options.env } })

setDefaultTimeout(JOURNEY_TIMEOUT)

type Line = Record<string, unknown>

async function publish(rows = 100): Promise<{ data: string; secret: string }> {
  const data = join(tempDir(), 'data')
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i},some text that makes the export long ${i % 1000}`,
  )
  await succeed(['ingest', '-', '--id', 'big', '--domain', 'test', '--data', data], {
    input: `n,text\n${lines.join('\n')}\n`,
  })
  return { data, secret: (await mint(data)).secret }
}

function linesOf(service: RunningService): Line[] {
  const whole = service.output().split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line))
}

const isAnswer = ({ msg }: Line): boolean => msg === 'answered'

test('every answer is logged with its route, key and rows, and no line contains a secret', async () => {
  const { data, secret } = await publish()
  const service = await serve(data)
  await (await service.get('/v1/test/big?limit=7', secret, { 'x-request-id': 'mine-1' })).text()
  await (await service.get('/v1/test/big/export?format=csv', secret)).text()
  await (
    await fetch(`${service.address}/nothing/${secret}?key=${secret}`, { headers: { 'x-request-id': secret } })
  ).text()
  const lines = await until(
    () => linesOf(service).filter(isAnswer),
    ({ length }) => length === 3,
  )
  expect(lines[0]).toMatchObject({
    ...{ request_id: 'mine-1', method: 'GET', route: '/v1/:domain/:dataset', status: 200 },
    ...{ key_id: 1, dataset: 'big', rows: 7, cache: 'miss', level: 30 },
  })
  expect(lines[0]?.ms).toBeGreaterThan(0)
  expect(lines[0]?.bytes).toBeGreaterThan(100)
  expect(lines[1]).toMatchObject({ route: '/v1/:domain/:dataset/export', dataset: 'big', status: 200 })
  expect(lines[2]).toMatchObject({ route: 'unknown', status: 404 })
  expect(service.output()).not.toContain(secret.slice(4))
})

test.skipIf(process.platform === 'win32')('on a terminal the log is written for people', async () => {
  const { data } = await publish()
  const service = startOnTerminal(['serve', '--port', '0', '--data', data], {
    env: { IZVOR_ACCESS_LOG: 'on' },
  })
  const address = (output: string) => /at (http:\S+) /.exec(output)?.[1]
  const seen = await until(service.output, (output) => address(output) !== undefined)
  await fetch(`${address(seen)}/health/live`)
  const output = await until(service.output, (text) => text.includes('answered'))
  expect(output).toContain('/health/live')
  expect(output).not.toContain('"msg"')
})

test('SIGHUP reads the log level again, and a mistake in the file changes nothing', async () => {
  const { data, secret } = await publish()
  const cwd = tempDir()
  const settings = join(cwd, 'izvor.toml')
  writeFileSync(settings, 'log_level = "info"\n')
  const service = await serve(data, ['serve'], { cwd })
  const reloads = () => linesOf(service).filter(({ msg }) => String(msg).startsWith('settings'))
  writeFileSync(settings, 'log_lvel = "error"\n')
  service.signal('SIGHUP')
  const [mistake] = await until(reloads, ({ length }) => length === 1)
  expect(mistake?.reason).toContain('log_level')
  writeFileSync(settings, 'log_level = "debug"\n')
  service.signal('SIGHUP')
  const [, done] = await until(reloads, ({ length }) => length === 2)
  expect(done).toMatchObject({ log_level: 'debug' })
  writeFileSync(settings, 'log_level = "error"\n')
  service.signal('SIGHUP')
  // The new level takes effect when an answer has no log line.
  await until(
    async () => {
      const before = linesOf(service).length
      await (await service.get('/v1/test/big', secret)).text()
      await Bun.sleep(60)
      return linesOf(service).length - before
    },
    (added) => added === 0,
  )
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})

test('metrics have a separate port on the loopback address, and count answers', async () => {
  const { data, secret } = await publish()
  const service = await serve(data, ['serve', '--admin-port', '0'])
  const address = linesOf(service).find(({ metrics }) => metrics !== undefined)?.metrics as string
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  for (let i = 0; i < 3; i++) await (await service.get('/v1/test/big', secret)).text()
  const signIn = {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.address },
    body: JSON.stringify({ email: 'ana@example.org', password: 'a wrong password' }),
  }
  for (let i = 0; i < LIMITS.sign_in.most + 2; i++)
    await (await fetch(`${service.address}/account/api/login`, signIn)).text()
  const counted =
    'izvor_http_request_duration_seconds_count{route="/v1/:domain/:dataset",method="GET",status="200"} 3'
  const text = await until(
    async () => await (await fetch(address)).text(),
    (found) => found.includes(counted),
  )
  for (const series of [
    'izvor_dataset_rows{dataset="big",domain="test"} 100',
    'izvor_dataset_quarantined_rows{dataset="big",domain="test"} 0',
    'izvor_work_folders 0',
    'izvor_draining 0',
    'izvor_refused_total{limit="sign_in"} 2',
    'izvor_refused_total{limit="sign_up"} 0',
    'izvor_key_cache_misses_total',
    'izvor_wal_bytes{database="usage"}',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(text).toContain(series)
  }
  expect((await fetch(address, { headers: { host: 'attacker.example' } })).status).toBe(421)
  expect((await service.get('/metrics', secret)).status).toBe(404)
})

test.skipIf(Bun.which('openssl') === null)(
  'after SIGHUP a renewed certificate is served, and a broken one is not',
  async () => {
    const { data, secret } = await publish()
    const folder = tempDir()
    const [first, second] = [makeCertificate(folder, 'first', 2), makeCertificate(folder, 'second', 2)]
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
    const put = async ({ cert, key }: typeof files) => {
      writeFileSync(files.cert, await Bun.file(cert).text())
      writeFileSync(files.key, await Bun.file(key).text())
    }
    await put(first)
    const service = await serve(data, ['serve', '--tls-cert', files.cert, '--tls-key', files.key])
    expect(service.address).toStartWith('https://')
    expect(await servedName(service.address)).toBe('first')
    const answer = await fetch(`${service.address}/v1/test/big?limit=1`, {
      headers: { authorization: `Bearer ${secret}` },
      tls: { rejectUnauthorized: false },
    })
    expect(((await answer.json()) as { links: { next: string } }).links.next).toStartWith(
      `${service.address}/v1/test/big?`,
    )
    const reloads = () => linesOf(service).filter(({ msg }) => String(msg).startsWith('settings'))
    await put({ cert: second.cert, key: first.key })
    service.signal('SIGHUP')
    const [refused] = await until(reloads, ({ length }) => length === 1)
    expect(refused?.reason).toContain('does not belong to')
    expect(await servedName(service.address)).toBe('first')
    await put(second)
    service.signal('SIGHUP')
    await until(reloads, ({ length }) => length === 2)
    await untilServed(service.address, 'second', 1)
    const { port } = new URL(service.address)
    const health = await izvor(['healthcheck', '--port', port], { env: { IZVOR_TLS_CERT: files.cert } })
    expect(health).toMatchObject({ code: 0, stdout: 'ready\n' })
    service.signal('SIGTERM')
    expect(await service.exited).toBe(0)
  },
)

test('a service asked to stop reports that it is not ready before it refuses requests', async () => {
  const { data, secret } = await publish()
  const service = await serve(data, ['serve'], { env: { IZVOR_DRAIN_DELAY: '1s' } })
  service.signal('SIGTERM')
  const ready = await until(
    () => fetch(`${service.address}/health/ready`),
    ({ status }) => status !== 200,
  )
  expect(ready.status).toBe(503)
  const answer = await service.get('/v1/test/big', secret)
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
  expect(await service.exited).toBe(0)
})

test('exports may run for longer than other requests', async () => {
  const rows = 400_000
  const { data, secret } = await publish(rows)
  const env = { IZVOR_SHUTDOWN_GRACE: '0s', IZVOR_EXPORT_GRACE: '1m' }
  const service = await serve(data, ['serve'], { env })
  const answer = await service.get('/v1/test/big/export', secret, { 'accept-encoding': 'identity' })
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  let bytes = (await reader.read()).value?.length ?? 0
  service.signal('SIGTERM')
  await until(
    () =>
      fetch(`${service.address}/health/live`).then(
        () => 'answers',
        () => 'refuses',
      ),
    (state) => state === 'refuses',
  )
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    bytes += value.length
  }
  expect(bytes).toBeGreaterThan(rows * 40)
  expect(await service.exited).toBe(0)
})

test.skipIf(process.platform !== 'linux')(
  'a process takes over the port of another, and clients lose almost nothing',
  async () => {
    const { data, secret } = await publish()
    const before = await serve(data, ['serve', '--reuse-port'])
    const { port } = new URL(before.address)
    const client = new SteadyClient({
      url: `${before.address}/v1/test/big?limit=1`,
      headers: { authorization: `Bearer ${secret}` },
      fresh: 4,
      kept: 4,
    })
    const after = start(['serve', '--reuse-port', '--port', port, '--data', data])
    const reader = after.stdout.getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toContain('listening')
    before.signal('SIGTERM')
    expect(await before.exited).toBe(0)
    await client.reach(client.answered + 1000)
    await client.stop()
    expect(client.failed).toBeLessThanOrEqual(MOST_RESET)
  },
)
