/** More connections than a process may have open files: it survives, answers 503 at worst, reports no damage, and recovers. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { bodyOf, mint, type RunningService, serve, succeed } from '../journeys/program.ts'
import { FAULT_TIMEOUT } from '../support/fault-moments.ts'
import { freePort } from '../support/free-port.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const hasLimits = process.platform === 'linux'
const LIST = '/v1/test/numbers'
const PROCESSES = join(import.meta.dir, '../support/processes')
/** Answers of a service that may be short of file descriptors; 0 is a refused or closed connection. */
const BEARABLE = [200, 201, 429, 503, 0]

async function newFolder(): Promise<{ data: string; secret: string }> {
  const data = join(tempDir(), 'data')
  await ingest(data, 5000)
  return { data, secret: (await mint(data)).secret }
}

async function ingest(data: string, rows: number): Promise<void> {
  const lines = Array.from({ length: rows }, (_, n) => `${n},text ${n % 100}`)
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data]
  await succeed(args, { input: `n,text\n${lines.join('\n')}\n` })
}

function withFiles(limit: number): readonly string[] {
  return ['sh', '-c', `ulimit -n ${limit}; exec "$@"`, 'sh']
}

/** Connections from another process, open until `end`. */
async function holdConnections({ address }: { address: string }, count: number, ...more: string[]) {
  const command = [process.execPath, join(PROCESSES, 'hold-connections.ts'), address, String(count), ...more]
  const child = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  await child.stdout.getReader().read()
  return async () => {
    await child.stdin.end()
    await child.exited
  }
}

async function statusOf(asked: Promise<Response>): Promise<number> {
  try {
    const answer = await asked
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return 0
  }
}

function signUp({ address }: RunningService, n: number): Promise<Response> {
  const body = JSON.stringify({ email: `ana${n}@example.org`, password: 'girafe verzi pe acoperiș' })
  const headers = { 'content-type': 'application/json' }
  return fetch(`${address}/account/api/signup`, { method: 'POST', headers, body })
}

async function expectTruth(service: RunningService, secret: string): Promise<void> {
  await until(async () => (await statusOf(service.get(`${LIST}?n=7`, secret))) === 200)
  expect(await bodyOf(await fetch(`${service.address}/health/ready`))).toMatchObject({ status: 'ok' })
  const lines = service.output().trim().split('\n')
  for (const line of lines.filter((text) => text.startsWith('{'))) JSON.parse(line)
  expect(service.output()).not.toMatch(/damaged|cannot be read/)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(await service.errors).toBe('')
}

test.skipIf(!hasLimits)(
  'more connections than open files allow stop nothing, cause no false message, and leave no effect once closed',
  async () => {
    const { data, secret } = await newFolder()
    const service = await serve(data, ['serve'], { through: withFiles(1024) })
    const statuses: number[] = []
    for (let round = 0; round < 3; round++) {
      const end = await holdConnections(service, 1500)
      const asked = [
        service.get(`${LIST}?n=${round}`, secret),
        service.get(`${LIST}/export?format=csv&n[gt]=${round}`, secret),
        service.get(`${LIST}/export?format=csv`, secret),
        signUp(service, round),
        fetch(`${service.address}/health/ready`),
      ]
      statuses.push(...(await Promise.all(asked.map(statusOf))))
      if (round === 1) await ingest(data, 6000)
      await end()
      await until(async () => (await statusOf(service.get(`${LIST}?n=${round}`, secret))) === 200)
      expect(await statusOf(signUp(service, 10 + round))).toBe(201)
    }
    expect(statuses.filter((status) => !BEARABLE.includes(status))).toEqual([])
    await expectTruth(service, secret)
  },
)

test.skipIf(!hasLimits)(
  'at max_connections idle connections are closed, and new requests are served without waiting for them',
  async () => {
    const { data, secret } = await newFolder()
    const service = await serve(data, ['serve'], {
      env: { IZVOR_MAX_CONNECTIONS: '40' },
    })
    const before = readdirSync(`/proc/${service.pid}/fd`).length
    const end = await holdConnections(service, 300)
    await until(() => readdirSync(`/proc/${service.pid}/fd`).length < before + 80)
    await until(async () => (await statusOf(service.get(`${LIST}?n=7`, secret))) === 200)
    await end()
    await expectTruth(service, secret)
  },
)

test.skipIf(!hasLimits)(
  'a max_connections above the limit of open files is reported in the log and by doctor, and lowered',
  async () => {
    const { data, secret } = await newFolder()
    const env = { IZVOR_MAX_CONNECTIONS: '5000' }
    const service = await serve(data, ['serve'], { through: withFiles(1024), env })
    await until(() => service.output().includes('"bound":768'))
    expect(service.output()).toContain(
      'max_connections is 5000, but of 1024 open files 768 may be connections',
    )
    const args = ['doctor', '--quick', '--data', data, '--json']
    const found = await succeed(args, { through: withFiles(1024), env })
    expect(found).toContain('max_connections is 5000, but of 1024 open files 768 may be connections')
    await expectTruth(service, secret)
  },
)

test.skipIf(!hasLimits)(
  'a storm of connections on the port for plain HTTP does not stop the service from answering over HTTPS',
  async () => {
    const port = freePort()
    const env = {
      IZVOR_ACME_HOST: 'data.example.test',
      IZVOR_ACME_EMAIL: 'ana@example.test',
      IZVOR_ACME_DIRECTORY: 'https://127.0.0.1:1/dir',
      IZVOR_ACME_HTTP_PORT: String(port),
    }
    const service = await serve(join(tempDir(), 'data'), ['serve'], { through: withFiles(1024), env })
    const tls = { rejectUnauthorized: false }
    const health = () => statusOf(fetch(`${service.address}/health/live`, { keepalive: false, tls }))
    const plain = () =>
      statusOf(
        fetch(`http://127.0.0.1:${port}/`, { headers: { host: 'data.example.test' }, redirect: 'manual' }),
      )
    expect(await plain()).toBe(308)
    const end = await holdConnections({ address: `http://127.0.0.1:${port}` }, 2500, 'again')
    await until(() => service.output().includes('the limit of connections is reached'))
    for (let n = 0; n < 20; n++) await until(async () => (await health()) === 200)
    expect(service.output()).not.toContain('cannot listen')
    await end()
    await until(async () => (await plain()) === 308)
    service.signal('SIGTERM')
    expect(await service.exited).toBe(0)
  },
)

const ownAddress = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

test.skipIf(ownAddress === undefined)(
  'an address with too many requests in progress gets a 503 that closes its connection, and others are served',
  async () => {
    const { data } = await newFolder()
    const env = { IZVOR_MAX_CONNECTIONS_PER_ADDRESS: '8' }
    const service = await serve(data, ['serve', '--host', '0.0.0.0'], { env })
    const port = Number(new URL(service.address).port)
    const host = ownAddress ?? ''
    const health = (of: string) => fetch(`http://${of}:${port}/health/live`, { keepalive: false })
    const head = 'POST /account/api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n'
    const waiting = Array.from({ length: 8 }, () => connect(port, host))
    for (const socket of waiting) {
      socket.on('error', () => {})
      socket.write(`${head}Content-Type: application/json\r\n\r\n{`)
    }
    const refused = await until(
      () => health(host),
      ({ status }) => status === 503,
    )
    expect(refused.headers.get('connection')).toBe('close')
    expect((await health('127.0.0.1')).status).toBe(200)
    for (const socket of waiting) socket.destroy()
    await until(
      () => health(host),
      ({ status }) => status === 200,
    )
  },
)

test.skipIf(!hasLimits)(
  'a version file, database or work folder that cannot be opened for lack of file descriptors is reported as such',
  async () => {
    const { data } = await newFolder()
    const [name = ''] = readdirSync(join(data, 'datasets'), { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.sqlite') || path.endsWith('.db'),
    )
    const script = join(PROCESSES, 'open-without-files.ts')
    const path = join(data, 'datasets', name)
    const child = Bun.spawnSync([...withFiles(80), process.execPath, script, path, tempDir()])
    expect(child.stderr.toString()).toBe('')
    expect(JSON.parse(child.stdout.toString())).toEqual(
      ['opened', 'no files', 'opened'].map((result) => [result, result, result]),
    )
  },
)
