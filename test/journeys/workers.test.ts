/** Several processes serve one folder on one port: how they start, share, end, and are replaced. */

import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DRAFT_WORKER } from '../../src/base/process/own-command.ts'
import { MOST_RESET, SteadyClient } from '../support/steady-client.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { byWorker, childrenOf, metricsAddress, runs, scrape, workersOf } from '../support/workers.ts'
import { makeCertificate, servedName, untilServed } from './certificate.ts'
import {
  bodyOf,
  izvor,
  JOURNEY_TIMEOUT,
  listening,
  mint,
  type RunningService,
  serve,
  start,
  succeed,
} from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const onLinux = process.platform === 'linux' ? test : test.skip
if (process.platform !== 'linux') console.warn('skipped: processes share a port on Linux only')

const TWO = ['serve', '--workers', '2', '--admin-port', '0']
const COUNT = 'izvor_http_request_duration_seconds_count'
/** An export of these rows does not fit into the buffers between a service and its client. */
const ROWS = 300_000

async function publish(data: string, rows: readonly string[]): Promise<void> {
  const input = `n,town\n${rows.map((town, n) => `${n},${town}\n`).join('')}`
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'test', '--data', data], { input })
}

async function publishBig(data: string): Promise<void> {
  let input = 'n,text\n'
  for (let i = 0; i < ROWS; i++) input += `${i},some text that makes the export long ${i % 1000}\n`
  await succeed(['ingest', '-', '--id', 'big', '--domain', 'test', '--data', data], { input })
}

/** Counted calls, and calls in the request log, once every process has ended. */
function recorded(data: string): { calls: number; logged: number } {
  const database = new Database(join(data, 'usage.db'), { readonly: true })
  try {
    const number = (sql: string) => (database.query(sql).get() as { n: number | null }).n ?? 0
    const inbox = database.query('SELECT records FROM log_inbox').all() as { records: string }[]
    const waiting = inbox.reduce((lines, { records }) => lines + records.split('\n').length, 0)
    return {
      calls: number('SELECT sum(requests) AS n FROM daily_usage'),
      logged: waiting + number('SELECT count(*) AS n FROM request_logs'),
    }
  } finally {
    database.close()
  }
}

/** A request on a new connection, which any worker may get. */
function askAfresh(service: RunningService, path: string, secret: string): Promise<Response> {
  return service.get(path, secret, { connection: 'close' })
}

/** Asks until both workers have answered at least this many more requests; returns the results of `ask`. */
async function askBoth<T>(metrics: string, least: number, ask: () => Promise<T>): Promise<T[]> {
  const counts = async () => byWorker(await scrape(metrics), COUNT)
  const before = await counts()
  const answers: T[] = []
  for (;;) {
    for (let i = 0; i < 2 * least; i++) answers.push(await ask())
    const now = await counts()
    if (['1', '2'].every((worker) => (now.get(worker) ?? 0) - (before.get(worker) ?? 0) >= least))
      return answers
  }
}

onLinux('both workers answer, metrics are by worker, and totals are their sums', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj', 'Iași'])
  const { secret } = await mint(data)
  const service = await serve(data, TWO)
  const metrics = await metricsAddress(service)
  const answers = await askBoth(metrics, 3, async () =>
    bodyOf(await askAfresh(service, '/v1/test/towns', secret)),
  )
  for (const { data: rows } of answers)
    expect(rows).toEqual([
      { n: 0, town: 'Cluj' },
      { n: 1, town: 'Iași' },
    ])
  const list = 'route="/v1/:domain/:dataset"'
  // Answers are counted some milliseconds after they are sent.
  const series = await until(
    () => scrape(metrics),
    (found) =>
      byWorker(found, COUNT, list)
        .values()
        .reduce((sum, n) => sum + n, 0) === answers.length,
  )
  expect([...byWorker(series, COUNT, list).keys()]).toEqual(['1', '2'])
  const totals = await scrape(`${metrics}/total`)
  expect([...byWorker(totals, COUNT, list)]).toEqual([['', answers.length]])
  expect([...byWorker(series, 'process_resident_memory_bytes').keys()]).toEqual(['1', '2', 'supervisor'])
  expect([...byWorker(series, 'izvor_dataset_rows')]).toEqual([['', 2]])
  expect([...byWorker(series, 'izvor_upkeep_holder').values()].sort()).toEqual([0, 1])
  expect([...byWorker(series, 'izvor_memory_budget_bytes').values()]).toEqual([2 ** 29, 2 ** 29])
})

onLinux('a new version and a revocation apply in both workers once the command has ended', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj'])
  const { secret, key_id } = await mint(data)
  const service = await serve(data, TWO)
  const metrics = await metricsAddress(service)
  const ask = async () => {
    const answer = await askAfresh(service, '/v1/test/towns', secret)
    return answer.ok ? ((await answer.json()) as { data: { town: string }[] }).data[0]!.town : answer.status
  }
  expect(new Set(await askBoth(metrics, 2, ask))).toEqual(new Set(['Cluj']))
  await publish(data, ['Iași'])
  expect(new Set(await askBoth(metrics, 4, ask))).toEqual(new Set(['Iași']))
  await succeed(['keys', 'revoke', String(key_id), '--yes', '--data', data])
  expect(new Set(await askBoth(metrics, 4, ask))).toEqual(new Set([401]))
})

onLinux('a worker killed under load is reported and replaced, and the others answer', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj', 'Iași'])
  const { secret } = await mint(data)
  const service = await serve(data, TWO)
  const metrics = await metricsAddress(service)
  const [first, second] = workersOf(service.pid)
  const client = new SteadyClient({
    url: `${service.address}/v1/test/towns`,
    headers: { authorization: `Bearer ${secret}` },
    fresh: 4,
    kept: 4,
  })
  await client.reach(1000)
  await scrape(metrics)
  const before = await scrape(`${metrics}/total`)
  process.kill(first!, 'SIGKILL')
  const answered = client.answered
  await until(() => workersOf(service.pid).length === 2 && !workersOf(service.pid).includes(first!))
  const series = await until(
    () => scrape(metrics),
    (found) => found.get('izvor_worker_up{worker="1"}') === 1 && byWorker(found, COUNT).size === 2,
  )
  expect(client.answered).toBeGreaterThan(answered)
  await client.reach(client.answered + client.failed + 500)
  await client.stop()
  const all = client.answered + client.failed
  console.log(`\nworker killed: ${client.failed} of ${all} requests failed (${[...client.failures]})`)
  // The requests it was answering and those in its queue: eight clients have one request each.
  expect([...client.failures.keys()].filter((reason) => reason !== 'cut off')).toEqual([])
  expect(client.failed).toBeLessThanOrEqual(8)
  expect(
    byWorker(series, 'izvor_worker_restarts_total')
      .values()
      .reduce((sum, n) => sum + n, 0),
  ).toBe(1)
  expect(service.output()).toMatch(/"worker":\d,"code":null,"signal":"SIGKILL"/)
  expect(workersOf(service.pid)).toContain(second!)
  const sum = (found: Map<string, number>) => found.values().reduce((total, n) => total + n, 0)
  const after = await scrape(`${metrics}/total`)
  expect(sum(byWorker(after, COUNT))).toBeGreaterThanOrEqual(sum(byWorker(before, COUNT)))
})

onLinux('a hanging worker does not hold up a scrape', async () => {
  const data = join(tempDir(), 'data')
  const service = await serve(data, TWO)
  const metrics = await metricsAddress(service)
  const [first] = workersOf(service.pid)
  process.kill(first!, 'SIGSTOP')
  const series = await scrape(metrics)
  expect(byWorker(series, 'izvor_upkeep_holder').size).toBe(1)
  expect(series.get('izvor_disk_free_bytes')).toBeGreaterThan(0)
  process.kill(first!, 'SIGCONT')
  await until(async () => byWorker(await scrape(metrics), 'izvor_upkeep_holder').size === 2)
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  onLinux(`${signal} lets running exports of all workers finish, and ends with 0`, async () => {
    const data = join(tempDir(), 'data')
    await publishBig(data)
    const { secret } = await mint(data)
    const service = await serve(data, TWO)
    const workers = workersOf(service.pid)
    const exports = await Promise.all(
      Array.from({ length: 6 }, () =>
        service.get('/v1/test/big/export?n[gte]=0', secret, { 'accept-encoding': 'identity' }),
      ),
    )
    service.signal(signal)
    for (const text of await Promise.all(exports.map((answer) => answer.text())))
      expect(text.trimEnd().split('\r\n')).toHaveLength(ROWS + 1)
    expect(await service.exited).toBe(0)
    expect(workers.filter(runs)).toEqual([])
    expect(existsSync(join(data, 'service.json'))).toBe(false)
    await expect(fetch(`${service.address}/health/live`)).rejects.toThrow()
  })
}

onLinux('a second signal ends all workers at once', async () => {
  const data = join(tempDir(), 'data')
  await publishBig(data)
  const { secret } = await mint(data)
  const service = await serve(data, TWO, { env: { IZVOR_SHUTDOWN_GRACE: '1h' } })
  const workers = workersOf(service.pid)
  // The export is never read.
  await service.get('/v1/test/big/export?n[gte]=0', secret, { 'accept-encoding': 'identity' })
  service.signal('SIGTERM')
  service.signal('SIGINT')
  expect(await service.exited).toBe(1)
  await until(() => workers.filter(runs).length === 0)
})

onLinux('workers whose supervisor is killed let running exports finish, then end', async () => {
  const data = join(tempDir(), 'data')
  await publishBig(data)
  const { secret } = await mint(data)
  const service = await serve(data, TWO)
  const workers = workersOf(service.pid)
  const answer = await service.get('/v1/test/big/export?n[gte]=0', secret, { 'accept-encoding': 'identity' })
  service.signal('SIGKILL')
  expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(ROWS + 1)
  await until(() => workers.filter(runs).length === 0)
})

onLinux(
  'upkeep passes to another worker if its holder is killed, and to a successor on the port',
  async () => {
    const data = join(tempDir(), 'data')
    const service = await serve(data, [...TWO, '--reuse-port'])
    const metrics = await metricsAddress(service)
    const holder = async (address = metrics) => {
      const series = byWorker(await scrape(address), 'izvor_upkeep_holder')
      return [...series].find(([, holds]) => holds === 1)?.[0]
    }
    const pids = new Map(workersOf(service.pid).map((pid, index) => [String(index + 1), pid]))
    const before = await until(() => holder())
    // Pids grow with worker numbers unless they wrapped; then the test ends the other worker, and nothing is passed on.
    process.kill(pids.get(before)!, 'SIGKILL')
    await until(() => holder())
    const { port } = new URL(service.address)
    const rest = ['--reuse-port', '--port', port, '--data', data, '--admin-port', '0']
    const successor = await listening(start(['serve', ...rest]))
    const next = await metricsAddress(successor)
    expect((await scrape(next)).get('izvor_upkeep_holder')).toBe(0)
    service.signal('SIGTERM')
    expect(await service.exited).toBe(0)
    await until(async () => (await scrape(next)).get('izvor_upkeep_holder') === 1)
    expect((await fetch(`${service.address}/health/ready`)).status).toBe(200)
  },
)

onLinux('a service with two workers hands its port to another one under load', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj', 'Iași'])
  const { secret } = await mint(data)
  const before = await serve(data, ['serve', '--workers', '2', '--reuse-port'])
  const { port } = new URL(before.address)
  const client = new SteadyClient({
    url: `${before.address}/v1/test/towns`,
    headers: { authorization: `Bearer ${secret}` },
    fresh: 4,
    kept: 4,
  })
  await client.reach(1000)
  const args = ['serve', '--workers', '2', '--reuse-port', '--port', port, '--data', data]
  const after = await listening(start(args))
  before.signal('SIGTERM')
  expect(await before.exited).toBe(0)
  await client.reach(client.answered + client.failed + 1000)
  await client.stop()
  console.log(`\nhandover: ${client.failed} of ${client.answered + client.failed} requests failed`)
  // Each worker closes one listener.
  expect(client.failed).toBeLessThanOrEqual(2 * MOST_RESET)
  after.signal('SIGTERM')
  expect(await after.exited).toBe(0)
  for (const { output } of [before, after]) expect(output()).not.toMatch(/"level":[56]0/)
  const { calls, logged } = recorded(data)
  expect(calls).toBeWithin(client.answered, client.answered + client.failed + 1)
  expect(logged).toBe(calls)
})

onLinux('a worker that keeps ending is restarted later each time, and the others answer', async () => {
  const data = join(tempDir(), 'data')
  const service = await serve(data, TWO)
  const [, second] = workersOf(service.pid)
  let pid = second!
  for (let end = 1; end <= 3; end++) {
    process.kill(pid, 'SIGKILL')
    await until(() => service.output().match(/"next_ms"/g)?.length === end)
    expect((await fetch(`${service.address}/health/live`)).status).toBe(200)
    pid = await until(() => workersOf(service.pid)[1])
  }
  const waits = [...service.output().matchAll(/"worker":2,"code":null,"signal":"SIGKILL","next_ms":(\d+)/g)]
  expect(waits.map(([, wait]) => Number(wait))).toEqual([500, 1000, 2000])
})

onLinux('any worker can read, change and publish a draft', async () => {
  const data = join(tempDir(), 'data')
  const minted = ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'publish,read', '--data', data, '--json']
  await serve(data).then(async (service) => {
    service.signal('SIGTERM')
    await service.exited
  })
  const { secret } = JSON.parse(await succeed(minted)) as { secret: string }
  const service = await serve(data, [...TWO, '--admin-port', '0'], { env: { IZVOR_ACCESS_LOG: 'on' } })
  const ask = async (method: string, path: string, body?: string) => {
    const type = body?.startsWith('{') ? { 'content-type': 'application/json' } : {}
    const headers = { authorization: `Bearer ${secret}`, connection: 'close', ...type }
    const answer = await fetch(`${service.address}/publish/api/drafts${path}`, {
      method,
      headers,
      ...(body && { body }),
    })
    return (await answer.json()) as { id: string; state: string; revision: number }
  }
  const settled = async (id: string) => {
    const draft = await until(
      () => ask('GET', `/${id}?wait=25`),
      ({ state }) => !['waiting', 'reading', 'publishing'].includes(state),
    )
    return draft.state
  }
  for (let n = 1; n <= 4; n++) {
    const { id } = await ask('POST', `?filename=towns_${n}.csv`, `n,town\n1,Cluj ${n}\n2,Dej\n`)
    // Read in the same call as the first decisions.
    await ask('PATCH', `/${id}`, JSON.stringify({ id: `towns_${n}`, domain: 'test', title: `Towns ${n}` }))
    expect(await settled(id)).toBe('ready')
    await ask('POST', `/${id}/publish`, '{}')
    expect(await settled(id)).toBe('published')
    const { data: rows } = await bodyOf(await askAfresh(service, `/v1/test/towns_${n}`, secret))
    expect(rows[0].town).toBe(`Cluj ${n}`)
  }
  const drafts = /"worker":(\d),"request_id":"[^"]*","method":"\w+","route":"\/publish\/api\/drafts/g
  const workers = [...service.output().matchAll(drafts)].map(([, worker]) => worker)
  expect(new Set(workers).size).toBe(2)
})

onLinux('a port in use or a damaged folder stops the start with one message', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj'])
  const other = await serve(data)
  const { port } = new URL(other.address)
  const taken = await izvor(['serve', '--workers', '2', '--port', port, '--data', data])
  expect([taken.code, taken.stderr.match(/is taken by another program/g)?.length]).toEqual([1, 1])
  other.signal('SIGTERM')
  await other.exited
  writeFileSync(
    join(data, 'accounts.db'),
    'no database at all, but long enough to be looked at as one'.repeat(20),
  )
  const damaged = await izvor(['serve', '--workers', '2', '--port', '0', '--data', data])
  const alone = await izvor(['serve', '--port', '0', '--data', data])
  expect([damaged.code, damaged.stderr]).toEqual([alone.code, alone.stderr])
  expect(alone.code).not.toBe(0)
})

onLinux('SIGHUP reaches every worker', async () => {
  const service = await serve(join(tempDir(), 'data'), TWO)
  service.signal('SIGHUP')
  await until(() => (service.output().match(/settings were read again/g)?.length ?? 0) >= 2)
  expect(service.output()).toMatch(/"worker":1.*settings were read again/)
  expect(service.output()).toMatch(/"worker":2.*settings were read again/)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})

onLinux('a renewed certificate is served by every worker after SIGHUP', async () => {
  if (Bun.which('openssl') === null) return console.warn('skipped: there is no openssl')
  const folder = tempDir()
  const [first, second] = [makeCertificate(folder, 'first', 2), makeCertificate(folder, 'second', 2)]
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  const put = ({ cert, key }: typeof files) => {
    copyFileSync(cert, files.cert)
    copyFileSync(key, files.key)
  }
  put(first)
  const tls = ['--tls-cert', files.cert, '--tls-key', files.key]
  const service = await serve(join(folder, 'data'), ['serve', '--workers', '2', ...tls])
  expect(await servedName(service.address)).toBe('first')
  put(second)
  service.signal('SIGHUP')
  await until(() => service.output().match(/settings were read again/g)?.length === 2)
  await untilServed(service.address, 'second', 20)
})

onLinux('another worker reads a draft whose worker is killed', async () => {
  const data = join(tempDir(), 'data')
  await publish(data, ['Cluj'])
  const minted = ['keys', 'mint', '--plan', 'unlimited', '--scopes', 'publish', '--data', data, '--json']
  const { secret } = JSON.parse(await succeed(minted)) as { secret: string }
  const service = await serve(data, TWO)
  const headers = { authorization: `Bearer ${secret}` }
  const drafts = `${service.address}/publish/api/drafts`
  const body = `n,text\n${Array.from({ length: 300_000 }, (_, n) => `${n},text of ${n % 9001}\n`).join('')}`
  const added = await fetch(`${drafts}?filename=big.csv`, { method: 'POST', headers, body })
  const { id } = (await added.json()) as { id: string }
  const reading = await until(() => {
    const worker = workersOf(service.pid).find((pid) => childrenOf(pid, DRAFT_WORKER).length > 0)
    return worker === undefined ? null : { worker, process: childrenOf(worker, DRAFT_WORKER)[0]! }
  })
  process.kill(reading.worker, 'SIGKILL')
  await until(() => !runs(reading.process))
  const draft = await until(
    async () => {
      const answer = await fetch(`${drafts}/${id}?wait=25`, {
        headers: { ...headers, connection: 'close' },
      }).catch(() => null)
      return answer?.ok ? ((await answer.json()) as { state: string }) : null
    },
    (found) => found !== null && !['waiting', 'reading'].includes(found.state),
  )
  expect(draft.state).toBe('ready')
})
