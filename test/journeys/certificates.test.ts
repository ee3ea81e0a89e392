/** A service that obtains its certificate by itself, from a test authority. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { Finding } from '../../src/upkeep/desk-work.ts'
import { hasDirectory, startDirectory, type TestDirectory } from '../support/acme-directory.ts'
import { startMailServer } from '../support/mail-server.ts'
import { hasObjectStore, STORE_CREDENTIALS, startObjectStore } from '../support/object-store.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { MOST_RESET, SteadyClient } from '../support/steady-client.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { izvor, JOURNEY_TIMEOUT, mint, type RunningService, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const HOST = 'data.example.test'

/** The certificate served to a new connection. */
function served({ address }: { address: string }): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: Number(new URL(address).port), rejectUnauthorized: false }
    const socket = connect({ ...options, servername: HOST }, () => {
      resolve(new X509Certificate(socket.getPeerCertificate().raw))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

/** Waits until twenty connections in a row get a certificate that `isIt` accepts, and returns one of them. */
async function servedByAll(service: RunningService, isIt: (served: X509Certificate) => boolean) {
  // Connections with the first, self-signed certificate of the service end first.
  const look = () => Promise.all(Array.from({ length: 20 }, () => served(service))).catch(() => [])
  const [one] = await until(look, (all) => all.length > 0 && all.every(isIt))
  return one!
}

const issued = (service: RunningService) => servedByAll(service, ({ issuer }) => issuer.includes('Pebble'))

/** An answer over plain HTTP. */
function ask(port: number, path: string, host = HOST, method = 'GET') {
  return new Promise<{ status?: number; location?: string }>((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (answer) => {
      answer.resume()
      const { statusCode: status, headers } = answer
      resolve({ ...(status && { status }), ...(headers.location && { location: headers.location }) })
    })
    asked.on('error', reject).end()
  })
}

async function publish(data: string): Promise<string> {
  const input = `n,town\n${Array.from({ length: 200 }, (_, n) => `${n},Aiud`).join('\n')}\n`
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'geo', '--data', data], { input })
  return (await mint(data)).secret
}

const linesOf = (service: RunningService) =>
  service
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const failuresOf = (service: RunningService) =>
  linesOf(service).filter(({ msg }) => String(msg).startsWith('no certificate was issued'))

async function certificateFinding(data: string, env: Readonly<Record<string, string>>) {
  const { stdout } = await izvor(['doctor', '--json', '--quick', '--data', data], { env })
  return (JSON.parse(stdout) as Finding[]).find(({ check }) => check === 'certificate')
}

describe.skipIf(!hasDirectory)('with acme_host', () => {
  test('a certificate is served soon after the start, and a restart keeps it', async () => {
    const directory = await startDirectory()
    const data = join(tempDir(), 'data')
    const service = await serve(data, ['serve'], { env: directory.env })
    const first = await issued(service)
    expect(first.checkHost(HOST)).toBe(HOST)
    const folder = join(data, 'acme')
    for (const name of ['certificate.pem', 'account.pem', 'state'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const answer = await fetch(`${service.address}/health/live`, { tls: { rejectUnauthorized: false } })
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(await certificateFinding(data, directory.env)).toMatchObject({
      state: 'ok',
      what: expect.stringContaining(`for ${HOST} is good until`),
    })
    service.signal('SIGTERM')
    expect(await service.exited).toBe(0)
    // The issued certificate is served without the directory.
    await directory.kill()
    const again = await serve(data, ['serve'], { env: directory.env })
    expect((await served(again)).serialNumber).toBe(first.serialNumber)
    expect(linesOf(again).some(({ msg }) => msg === 'a certificate is ordered')).toBe(false)
  })

  test('plain HTTP redirects to HTTPS at the same name, and answers for no other name', async () => {
    const directory = await startDirectory()
    const { httpPort: port, env } = directory
    // Links use another name; the redirect does not.
    await serve(join(tempDir(), 'data'), ['serve'], {
      env: { ...env, IZVOR_BASE_URL: 'https://www.example.test' },
    })
    const to = await ask(port, '/data?q=ana&page=2')
    expect(to).toMatchObject({
      status: 308,
      location: expect.stringMatching(/^https:\/\/data\.example\.test(:\d+)?\/data\?q=ana&page=2$/),
    })
    expect((await ask(port, '/v1/geo/towns', HOST, 'POST')).status).toBe(308)
    expect((await ask(port, '//evil.example/x')).location).toStartWith(`https://${HOST}`)
    for (const other of ['other.example.test', '127.0.0.1', `x.${HOST}`])
      expect(await ask(port, '/', other)).toEqual({ status: 421 })
    expect(await ask(port, '/.well-known/acme-challenge/unknown')).toEqual({ status: 404 })
    expect(await ask(port, '/.well-known/acme-challenge/unknown', 'other.example.test')).toEqual({
      status: 421,
    })
  })

  test('a renewal 30 days before expiry breaks no connection under load', async () => {
    const directory = await startDirectory(30 + 10 / 86_400)
    const data = join(tempDir(), 'data')
    const secret = await publish(data)
    const service = await serve(data, ['serve'], { env: directory.env })
    const first = await issued(service)
    const headers = { authorization: `Bearer ${secret}` }
    const client = new SteadyClient({
      url: `${service.address}/v1/geo/towns?limit=50`,
      headers,
      fresh: 2,
      kept: 4,
    })
    await client.reach(200)
    await until(() => linesOf(service).filter(({ msg }) => msg === 'a new certificate is served').length >= 2)
    await servedByAll(service, ({ serialNumber }) => serialNumber !== first.serialNumber)
    await client.reach(client.answered + client.failed + 200)
    await client.stop()
    // The system may hand on or reset connections that the former listener has not accepted yet.
    expect([...client.failures.keys()].filter((kind) => kind !== 'refused')).toEqual([])
    expect(client.failed).toBeLessThanOrEqual(MOST_RESET)
  })

  test('a failed renewal keeps the certificate, sends a mail, waits, and is retried at once after a reload', async () => {
    const directory = await startDirectory()
    const mail = await startMailServer()
    const data = join(tempDir(), 'data')
    const env = {
      ...directory.env,
      ...{ IZVOR_SMTP_URL: mail.url, IZVOR_ALERTS_TO: 'op@example.org', IZVOR_ALERTS_LANGUAGE: 'en' },
    }
    const service = await serve(data, ['serve'], { env })
    const first = await issued(service)
    await directory.kill()
    rmSync(join(data, 'acme', 'state'))
    const [failed] = await until(
      () => failuresOf(service),
      ({ length }) => length > 0,
    )
    expect(failed?.reason).toContain('does not answer')
    expect((await served(service)).serialNumber).toBe(first.serialNumber)
    const subjects = () => mail.mails.map(({ subject }) => subject)
    await until(() => subjects().includes(`No new certificate was issued for ${HOST}`))
    expect(await certificateFinding(data, env)).toMatchObject({
      what: expect.stringContaining('does not answer'),
    })
    // A restart does not shorten the wait.
    service.signal('SIGTERM')
    await service.exited
    await directory.start()
    const again = await serve(data, ['serve'], { env })
    await until(() => readFileSync(join(data, 'acme', 'state'), 'utf8').includes('"failures":1'))
    expect(linesOf(again).some(({ msg }) => msg === 'a certificate is ordered')).toBe(false)
    again.signal('SIGHUP')
    await until(async () => (await served(again)).serialNumber !== first.serialNumber)
    await until(() => subjects().includes(`A new certificate was issued for ${HOST}`))
    await mail.close()
  })

  test('a name that resolves elsewhere gets no certificate, and the reason says so', async () => {
    const directory = await startDirectory()
    directory.leadTo('127.0.0.9')
    const data = join(tempDir(), 'data')
    const service = await serve(data, ['serve'], { env: directory.env })
    const [failed] = await until(
      () => failuresOf(service),
      ({ length }) => length > 0,
    )
    expect(failed?.reason).toContain(`http://${HOST}`)
    expect(await certificateFinding(data, directory.env)).toMatchObject({
      state: 'problem',
      what: expect.stringContaining(HOST),
      remedy: expect.stringContaining('systemctl reload izvor'),
    })
    // Meanwhile the service uses its self-signed certificate.
    const options = { tls: { rejectUnauthorized: false } }
    expect((await fetch(`${service.address}/health/live`, options)).status).toBe(200)
    await expect(fetch(`${service.address}/health/live`)).rejects.toThrow()
  })

  test.skipIf(process.platform !== 'linux')('every worker serves the certificate', async () => {
    const directory = await startDirectory()
    const service = await serve(join(tempDir(), 'data'), ['serve', '--workers', '2'], { env: directory.env })
    await issued(service)
    expect(service.output().match(/a certificate was issued/g)).toHaveLength(1)
  })

  test.skipIf(!hasPostgres || !hasObjectStore)(
    'one node requests the certificate, and the other serves it too',
    async () => {
      const [directory, store, postgres] = [
        await startDirectory(),
        await startObjectStore(),
        await startPostgres(),
      ]
      try {
        await askByTwoNodes(directory, {
          ...STORE_CREDENTIALS,
          IZVOR_DATABASE_URL: await postgres.createDatabase(),
          IZVOR_OBJECT_STORE: store.address,
          IZVOR_OBJECT_STORE_ENDPOINT: store.endpoint,
          IZVOR_ACME_SECRET: 'a secret of both nodes',
        })
      } finally {
        await postgres.stop()
      }
    },
  )
})

async function askByTwoNodes(directory: TestDirectory, shared: Record<string, string>) {
  const root = tempDir()
  const env = { ...directory.env, ...shared }
  // The first node does the shared work, but the name does not resolve to it.
  const first = await serve(join(root, 'one'), ['serve'], { env: { ...env, IZVOR_ACME_HTTP_PORT: '0' } })
  await until(
    () => failuresOf(first),
    ({ length }) => length === 1,
  )
  const second = await serve(join(root, 'two'), ['serve'], { env })
  second.signal('SIGHUP')
  const nodes = [first, second]
  const [one, two] = await Promise.all(nodes.map(issued))
  expect(two?.serialNumber).toBe(one!.serialNumber)
  const issues = nodes.flatMap(linesOf).filter(({ msg }) => msg === 'a certificate was issued')
  expect(issues).toHaveLength(1)
  expect(linesOf(second).some(({ msg }) => msg === 'a certificate is ordered')).toBe(false)
  const stranger = await izvor(['serve', '--port', '0', '--data', join(root, 'three')], {
    env: { ...env, IZVOR_ACME_HTTP_PORT: '0', IZVOR_ACME_SECRET: 'another secret altogether' },
  })
  expect(stranger).toMatchObject({ code: 1, stderr: expect.stringContaining('acme_secret does not open') })
}
