/**
 * The program is replaced by another build, as `docs/operating.md` describes, while clients keep sending requests. Needs
 * executables: the one named by IZVOR_BINARY, and two later ones that are built here.
 */

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/free-port.ts'
import { buildOther } from '../support/other-build.ts'
import { MOST_RESET, SteadyClient } from '../support/steady-client.ts'
import { tempDir } from '../support/temp-dir.ts'
import { izvor, JOURNEY_TIMEOUT, listening, mint, type RunningService, start, succeed } from './program.ts'
import { ask, CADDY, NGINX, startCaddy, startNginx } from './proxy.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const REQUESTS = 5000
/** An export of these rows does not fit into the buffers between a service and its client. */
const ROWS = 400_000

const OLD = process.env.IZVOR_BINARY
if (!OLD) console.warn('skipped: replacing one executable by another needs one, in IZVOR_BINARY')

let builds: { readonly folder: string; readonly next: string; readonly migrating: string }
/** A data folder with one dataset and a key, to be copied. */
let published: { readonly data: string; readonly secret: string; readonly keyId: number }
const summary: string[] = []

beforeAll(async () => {
  if (!OLD) return
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'izvor-test-'))
  builds = {
    folder,
    next: buildOther(join(folder, 'next'), { version: '0.1.1-next' }),
    migrating: buildOther(join(folder, 'migrating'), {
      version: '0.2.0-next',
      migration: 'ALTER TABLE api_keys ADD COLUMN later TEXT;',
    }),
  }
  summary.push(`two builds in ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const data = join(folder, 'data')
  let input = 'n,text\n'
  for (let i = 0; i < ROWS; i++) input += `${i},some text that makes the export long ${i % 1000}\n`
  await succeed(['ingest', '-', '--id', 'big', '--domain', 'test', '--data', data], { input })
  const { secret, key_id: keyId } = await mint(data)
  published = { data, secret, keyId }
}, JOURNEY_TIMEOUT)

afterAll(() => {
  if (!OLD) return
  rmSync(builds.folder, { recursive: true, force: true })
  console.log(`\nreplacement: ${summary.join('; ')}`)
})

/** A separate data folder for the test, and the path where the program is installed. */
function setUp(): { data: string; program: string } {
  const folder = tempDir()
  const data = join(folder, 'data')
  cpSync(published.data, data, { recursive: true })
  const program = join(folder, 'izvor')
  install(OLD as string, program)
  return { data, program }
}

/** Replaces the program with the commands from the manual. */
function install(file: string, program: string): void {
  expect(Bun.spawnSync(['install', '-m', '0755', file, `${program}-new`]).exitCode).toBe(0)
  expect(Bun.spawnSync(['mv', `${program}-new`, program]).exitCode).toBe(0)
}

const PATH = '/v1/test/big?limit=1'

function askSteadily(address: string): SteadyClient {
  const headers = { authorization: `Bearer ${published.secret}` }
  return new SteadyClient({ url: address + PATH, headers, fresh: 4, kept: 4 })
}

/** The setting for stopping in the example unit. */
const UNIT = readFileSync(join(import.meta.dir, '../../data/ops/izvor.service'), 'utf8')
const STOPPING = { IZVOR_DRAIN_DELAY: /^Environment=IZVOR_DRAIN_DELAY=(.+)$/m.exec(UNIT)?.[1] as string }

async function versionAt(address: string): Promise<string> {
  return ((await (await ask(`${address}/health/live`)).json()) as { version: string }).version
}

/** Calls in the quota and the request log, once every process has ended. */
function countedCalls(data: string): { month: number; day: number; log: number } {
  const database = new Database(join(data, 'usage.db'), { readonly: true })
  const number = (sql: string, ...values: (string | number)[]) => {
    const row = database.query(sql).get(...values) as { n: number | null }
    return row.n ?? 0
  }
  try {
    const { keyId } = published
    const inbox = database.query('SELECT records FROM log_inbox').all() as { records: string }[]
    return {
      month: number('SELECT sum(requests) AS n FROM monthly_usage WHERE owner = ?', `key:${keyId}`),
      day: number('SELECT sum(requests) AS n FROM daily_usage WHERE key_id = ?', keyId),
      log:
        number('SELECT count(*) AS n FROM request_logs WHERE key_id = ? AND status = 200', keyId) +
        inbox.reduce((lines, { records }) => lines + records.split('\n').length, 0),
    }
  } finally {
    database.close()
  }
}

/** Starts an export and reads one piece; `rest` reads the others and returns the total number of lines. */
async function beginExport(address: string): Promise<{ rest: () => Promise<number> }> {
  const answer = await ask(`${address}/v1/test/big/export`, {
    headers: { authorization: `Bearer ${published.secret}`, 'accept-encoding': 'identity' },
  })
  expect(answer.status).toBe(200)
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const lines = (bytes: Uint8Array) => bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0)
  let count = lines((await reader.read()).value as Uint8Array)
  return {
    async rest() {
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return count
        count += lines(value)
      }
    },
  }
}

async function stop(service: RunningService): Promise<void> {
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
}

/** Starts a new build beside the old one on the same port, under load, and stops the old one. @returns failures and answers */
async function takeOver(): Promise<SteadyClient> {
  const { data, program } = setUp()
  const run = (port: string) =>
    listening(start(['serve', '--reuse-port', '--port', port, '--data', data], { program }))
  const before = await run('0')
  const { address } = before
  const [, version] = (await succeed(['version'])).split(' ')
  expect(await versionAt(address)).toBe(version!)
  const client = askSteadily(address)
  await client.reach(REQUESTS / 4)
  const running = await beginExport(address)
  install(builds.next, program)
  const after = await run(new URL(address).port)
  await client.reach(REQUESTS / 2)
  const ended = stop(before)
  expect(await running.rest()).toBe(ROWS + 1)
  await ended
  await client.reach(Math.max(REQUESTS, client.answered + client.failed + REQUESTS / 4))
  for (let i = 0; i < 10; i++) expect(await versionAt(address)).toBe('0.1.1-next')
  await client.stop()
  await stop(after)
  const calls = client.answered + 1
  expect(countedCalls(data)).toEqual({ month: calls, day: calls, log: calls })
  return client
}

const MIGRATE_REQUESTS = '/proc/sys/net/ipv4/tcp_migrate_req'

/** Runs `work` while the kernel hands waiting connections on, or does not; `null` if this cannot be set. */
async function withMigration<T>(setting: '0' | '1', work: () => Promise<T>): Promise<T | null> {
  if (!existsSync(MIGRATE_REQUESTS)) return null
  const former = readFileSync(MIGRATE_REQUESTS, 'utf8').trim()
  if (former === setting) return await work()
  try {
    writeFileSync(MIGRATE_REQUESTS, setting)
  } catch {
    return null
  }
  try {
    return await work()
  } finally {
    writeFileSync(MIGRATE_REQUESTS, former)
  }
}

function told(client: SteadyClient): string {
  const reasons = [...client.failures].map(([reason, count]) => `${count} ${reason}`).join(', ')
  const failures = client.failed === 0 ? '0 failed' : `${client.failed} failed (${reasons})`
  return `${failures} of ${client.answered + client.failed}, slowest ${client.slowest.toFixed(0)} ms`
}

/** Keyed by the kernel's treatment of the accept queue. With '1', connections accepted at that moment but not read are lost. */
const MOST_LOST = { '1': 2, '0': MOST_RESET }

for (const setting of ['1', '0'] as const) {
  test.skipIf(!OLD || process.platform !== 'linux')(
    `a new build beside the old one loses at most ${MOST_LOST[setting]} with tcp_migrate_req=${setting}, and every answer is counted once`,
    async () => {
      const client = await withMigration(setting, takeOver)
      if (client === null) {
        console.warn(`skipped: net.ipv4.tcp_migrate_req cannot be set to ${setting} here`)
        return
      }
      summary.push(`--reuse-port, tcp_migrate_req=${setting}: ${told(client)}`)
      expect(client.failed).toBeLessThanOrEqual(MOST_LOST[setting])
    },
  )
}

test.skipIf(!OLD || process.platform !== 'linux')(
  'a second signal ends the old build at once, and the new one keeps serving',
  async () => {
    const { data, program } = setUp()
    const args = ['serve', '--reuse-port', '--data', data]
    const env = { IZVOR_SHUTDOWN_GRACE: '1h' }
    const before = await listening(start([...args, '--port', '0'], { program, env }))
    const { address } = before
    // The export is never read.
    await beginExport(address)
    install(builds.next, program)
    const after = await listening(start([...args, '--port', new URL(address).port], { program }))
    before.signal('SIGTERM')
    const asked = performance.now()
    before.signal('SIGINT')
    expect(await before.exited).toBe(1)
    // Well before the hour that it would wait for the export.
    expect(performance.now() - asked).toBeLessThan(10_000)
    expect(await versionAt(address)).toBe('0.1.1-next')
    await stop(after)
  },
)

function schemaOf(data: string): number {
  const database = new Database(join(data, 'accounts.db'), { readonly: true })
  try {
    return (database.query('PRAGMA user_version').get() as { user_version: number }).user_version
  } finally {
    database.close()
  }
}

test.skipIf(!OLD || process.platform !== 'linux')(
  'a build that would migrate the folder of a running one is refused, and migrates it after that one has ended',
  async () => {
    const { data, program } = setUp()
    const before = await listening(
      start(['serve', '--reuse-port', '--port', '0', '--data', data], { program }),
    )
    const { port } = new URL(before.address)
    const client = askSteadily(before.address)
    const schema = schemaOf(data)
    install(builds.migrating, program)
    const run = (...args: string[]) => izvor([...args, '--data', data], { program })
    const refusals = await Promise.all([
      run('serve', '--reuse-port', '--port', port),
      run('keys', 'list'),
      run('upgrade'),
    ])
    for (const { code, stderr } of refusals) {
      expect(code).toBe(1)
      expect(stderr).toContain(`in use by an older version of Izvor`)
      expect(stderr).toContain(`accounts.db from schema ${schema} to ${schema + 1}`)
    }
    const checked = await run('upgrade', '--check')
    expect(checked.stdout).toContain(`accounts.db: schema ${schema}, 1 migration to run`)
    expect((await run('backup', `${data}-backups/`)).code).toBe(0)
    expect([schemaOf(data), existsSync(join(data, 'before-upgrade'))]).toEqual([schema, false])
    await client.reach(REQUESTS)
    await client.stop()
    summary.push(`while a migration was refused: ${told(client)}`)
    expect(client.failed).toBe(0)
    await stop(before)
    const counted = { month: client.answered, day: client.answered, log: client.answered }
    expect(countedCalls(data)).toEqual(counted)

    // Both need the migration: one migrates, the other waits.
    const serving = ['serve', '--reuse-port', '--port', port, '--data', data]
    const both = [start(serving, { program }), start(serving, { program })]
    const [one, other] = (await Promise.all(both.map(listening))) as [RunningService, RunningService]
    expect(await versionAt(one.address)).toBe('0.2.0-next')
    expect(schemaOf(data)).toBe(schema + 1)
    const older = await izvor(serving, { program: OLD as string })
    expect([older.code, older.stderr]).toEqual([1, expect.stringContaining('made by a newer version')])
    await stop(one)
    await stop(other)
    expect(countedCalls(data)).toEqual(counted)
  },
)

/** Keeps sending bodies that are refused with 422 until stopped; `stop` returns all other statuses. */
function postSteadily(address: string): { stop: () => Promise<number[]> } {
  const others: number[] = []
  let going = true
  const posting = (async () => {
    while (going) {
      const body = '{"email": 1}'
      const headers = { 'content-type': 'application/json' }
      const { status } = await ask(`${address}/account/api/login`, { method: 'POST', headers, body })
      if (status !== 422) others.push(status)
      await Bun.sleep(20)
    }
  })()
  return {
    async stop() {
      going = false
      await posting
      return others
    },
  }
}

/**
 * How many requests with a body may fail with 502 while the listener closes. A connection in its accept queue at that
 * moment is reset, and a proxy does not resend a body. Caddy up to 2.11.1 also loses the body if a connection is refused.
 */
const POSTS_LOST = 1

const PROXIES = [
  { name: 'nginx', scheme: 'https', installed: NGINX !== null, startProxy: startNginx },
  { name: 'Caddy', scheme: 'http', installed: CADDY !== null, startProxy: startCaddy },
]

for (const { name, scheme, installed, startProxy } of PROXIES) {
  test.skipIf(!OLD || !installed)(
    `behind ${name} the program is stopped and a new build started, and no request fails`,
    async () => {
      const { data, program } = setUp()
      const proxy = freePort()
      const address = `${scheme}://127.0.0.1:${proxy}`
      const env = { ...STOPPING, IZVOR_BASE_URL: address, IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
      const run = (port: string) =>
        listening(start(['serve', '--port', port, '--data', data], { program, env }))
      const before = await run('0')
      const { host, port } = new URL(before.address)
      await startProxy({ service: host, proxy })
      const client = askSteadily(address)
      const posts = postSteadily(address)
      await client.reach(REQUESTS / 2)
      const running = await beginExport(address)
      install(builds.next, program)
      const ended = stop(before)
      expect(await running.rest()).toBe(ROWS + 1)
      await ended
      const after = await run(port)
      await client.reach(Math.max(REQUESTS, client.answered + client.failed + REQUESTS / 4))
      expect(await versionAt(address)).toBe('0.1.1-next')
      const lost = await posts.stop()
      expect([0, 502]).toContain(lost[0] ?? 0)
      expect(lost.length).toBeLessThanOrEqual(POSTS_LOST)
      await client.stop()
      await stop(after)
      summary.push(`restart behind ${name}: ${told(client)}, ${lost.length} with a body failed`)
      expect(client.failed).toBe(0)
      const calls = client.answered + 1
      expect(countedCalls(data)).toEqual({ month: calls, day: calls, log: calls })
    },
  )
}
