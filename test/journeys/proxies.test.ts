/**
 * The examples for nginx and Caddy in `data/ops`, run by the real programs with nothing but addresses, ports and the
 * certificate changed. Where a program is not installed its test is skipped, and says so.
 */

import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findProgram } from '../support/find-program.ts'
import { tempDir } from '../support/temp-dir.ts'
import { JOURNEY_TIMEOUT, mint, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const OPS = join(import.meta.dir, '../../data/ops')
const ROWS = 20_000

const NGINX = findProgram('nginx')
const CADDY = findProgram('caddy')

async function freePort(): Promise<number> {
  return await new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

interface Behind {
  readonly service: RunningService
  readonly secret: string
  readonly port: number
}

/** A service behind a proxy that is to listen on `port`. */
async function behindProxy(scheme: 'http' | 'https'): Promise<Behind> {
  const folder = tempDir()
  const data = join(folder, 'data')
  const file = join(folder, 'rows.csv')
  const rows = Array.from({ length: ROWS }, (_, row) => `${row},rândul ${row}`)
  writeFileSync(file, `id,text\n${rows.join('\n')}\n`)
  await succeed(['ingest', file, '--domain', 'test', '--data', data])
  const { secret } = await mint(data)
  const port = await freePort()
  const env = { IZVOR_BASE_URL: `${scheme}://127.0.0.1:${port}`, IZVOR_TRUSTED_PROXIES: '127.0.0.1' }
  return { service: await serve(data, ['serve'], { env }), secret, port }
}

/** Starts a proxy and waits until it answers. */
async function startProxy(command: readonly string[], address: string): Promise<void> {
  // Caddy keeps what it knows below its user's home.
  const env = { ...process.env, HOME: tempDir(), XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' }
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe', env })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await child.exited
  })
  for (let attempt = 0; attempt < 400; attempt++) {
    const answer = await ask(`${address}/health/live`).catch(() => null)
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error(`${command[0]}: ${await child.stderr.text()}`)
    await Bun.sleep(10)
  }
  throw new Error(`${command[0]} does not answer at ${address}`)
}

function ask(address: string, init: RequestInit = {}): Promise<Response> {
  return fetch(address, { ...init, tls: { rejectUnauthorized: false } } as RequestInit)
}

/** What must hold through either proxy. */
async function expectWholeService(address: string, { service, secret }: Behind): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` }
  const list = await ask(`${address}/v1/test/rows?id[gte]=5&sort=-id&limit=2`, { headers })
  expect(list.status).toBe(200)
  const page = (await list.json()) as { pagination: { total: number }; links: { next: string } }
  expect(page.pagination.total).toBe(ROWS - 5)
  expect(page.links.next).toStartWith(address)
  expect((await ask(page.links.next, { headers })).status).toBe(200)
  const tag = list.headers.get('etag') as string
  const again = await ask(`${address}/v1/test/rows?id[gte]=5&sort=-id&limit=2`, {
    headers: { ...headers, 'if-none-match': tag },
  })
  expect(again.status).toBe(304)
  const path = '/v1/test/rows/export?format=csv'
  const through = await (await ask(address + path, { headers })).text()
  expect(through).toBe(await (await service.get(path, secret)).text())
  const large = new Blob(['x'.repeat(2_000_000)])
  const refused = await ask(`${address}/account/api/login`, { method: 'POST', body: large })
  expect(refused.status).toBe(413)
}

/** Sign-ups are limited by address: a made-up one must not count as another. */
async function expectNobodyChoosesTheirAddress(address: string): Promise<void> {
  const statuses: number[] = []
  for (let i = 0; i < 7; i++) {
    const answer = await ask(`${address}/account/api/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` },
      body: JSON.stringify({ email: `p${i}@example.org`, password: 'girafe verzi pe acoperiș' }),
    })
    statuses.push(answer.status)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
}

test.skipIf(NGINX === null)('behind nginx, as its example says, the whole service is there', async () => {
  const behind = await behindProxy('https')
  const folder = tempDir()
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const made = Bun.spawnSync(
    [
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=data.example.org',
    ].concat(['-keyout', key, '-out', certificate]),
  )
  expect(made.exitCode).toBe(0)
  const plain = await freePort()
  const example = readFileSync(join(OPS, 'nginx.conf'), 'utf8')
    .replace('server 127.0.0.1:3000;', `server ${new URL(behind.service.address).host};`)
    .replace('/etc/ssl/izvor/fullchain.pem', certificate)
    .replace('/etc/ssl/izvor/privkey.pem', key)
    .replaceAll(/listen \[::\]:\d+.*;/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ssl;', `listen 127.0.0.1:${behind.port} ssl;`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  )
  const main = `pid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${example}\n}\n`
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, main)
  const address = `https://127.0.0.1:${behind.port}`
  await startProxy([NGINX as string, '-p', folder, '-c', config, '-g', 'daemon off;'], address)
  await expectWholeService(address, behind)
  await expectNobodyChoosesTheirAddress(address)
  const moved = await ask(`http://127.0.0.1:${plain}/docs`, { redirect: 'manual' })
  expect([moved.status, moved.headers.get('location')]).toEqual([301, 'https://127.0.0.1/docs'])
})

test.skipIf(CADDY === null)('behind Caddy, as its example says, the whole service is there', async () => {
  const behind = await behindProxy('http')
  const folder = tempDir()
  const example = readFileSync(join(OPS, 'Caddyfile'), 'utf8')
    .replace('data.example.org {', `http://127.0.0.1:${behind.port} {`)
    .replace('127.0.0.1:3000', new URL(behind.service.address).host)
  const config = join(folder, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n}\n${example}`)
  const address = `http://127.0.0.1:${behind.port}`
  await startProxy([CADDY as string, 'run', '--config', config, '--adapter', 'caddyfile'], address)
  await expectWholeService(address, behind)
  await expectNobodyChoosesTheirAddress(address)
})
