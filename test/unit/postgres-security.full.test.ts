/** Who the database is, and who can listen in. 0.0.0.0 is an address of this machine that is not written as one. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../../src/base/errors.ts'
import { Postgres } from '../../src/db/postgres/open.ts'
import { isRoot, NOBODY } from '../support/nobody.ts'
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'izvor-security-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A self-signed certificate. */
function makeCertificate(name: string, altNames: string): { key: string; certificate: string } {
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)] as const
  const made = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=database'],
    ...['-addext', `subjectAltName=${altNames}`, '-keyout', key, '-out', certificate],
  ])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  if (isRoot) for (const path of [folder, key, certificate]) chownSync(path, NOBODY, NOBODY)
  return { key, certificate }
}

const AUTHENTICATION_CLEAR = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])
const AUTHENTICATION_MD5 = Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4])

/** Listens where a database is expected. @param onBytes what it says to each packet; it refuses TLS unless that does more */
async function listen(onBytes: (socket: Socket, bytes: Buffer) => void) {
  const got: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      got.push(bytes)
      onBytes(socket, bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    got: () => Buffer.concat(got).toString('latin1'),
    [Symbol.dispose]: () => void server.close(),
  }
}

/** @returns the message of a refused start */
async function refusal(url: string): Promise<string> {
  const outcome = await Postgres.open(url).then(
    (opened) => opened.close(),
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(CommandError)
  return (outcome as CommandError).message
}

describe('a server on another machine that is not the database', () => {
  for (const [name, question] of [
    ['as it is', AUTHENTICATION_CLEAR],
    ['as a digest', AUTHENTICATION_MD5],
  ] as const) {
    test(`gets no password without TLS, asked for ${name}, in whatever packets`, async () => {
      let at = 0
      using server = await listen((socket) => {
        // After a notice, and byte by byte: messages and packets differ.
        const all = Buffer.concat([Buffer.from([0x4e, 0, 0, 0, 5, 0]), question])
        socket.setNoDelay(true)
        for (; at < all.length; at++) socket.write(all.subarray(at, at + 1))
      })
      const said = await refusal(`postgres://izvor:the-secret@0.0.0.0:${server.port}/izvor?sslmode=disable`)
      expect(said).toContain('this server gets no password without TLS')
      expect(said).not.toContain('the-secret')
      expect(server.got()).toContain('izvor')
      expect(server.got()).not.toMatch(/the-secret|md5/)
    })
  }

  test('learns neither user nor password when it does not speak TLS, and the start says so', async () => {
    using server = await listen((socket, bytes) => (bytes.length === 8 ? socket.write('N') : socket.end()))
    expect(await refusal(`postgres://izvor:the-secret@0.0.0.0:${server.port}/izvor`)).toContain(
      'it does not speak TLS; where nobody else is on the way to it, add ?sslmode=disable',
    )
    expect(server.got()).not.toMatch(/izvor|the-secret/)
  })
})

describe.skipIf(!hasPostgres)('a database that speaks TLS', () => {
  const own = makeCertificate('own', 'IP:0.0.0.0')
  const other = makeCertificate('other', 'IP:0.0.0.0')
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres({ ssl: 'on', ssl_cert_file: own.certificate, ssl_key_file: own.key })
  })
  afterAll(() => server?.stop())

  async function addressOf(host: string, parameters: string): Promise<string> {
    return `${(await server.createDatabase()).replace('127.0.0.1', host)}${parameters}`
  }

  /** Whether the connection that `url` makes is encrypted. */
  async function isEncrypted(url: string): Promise<unknown> {
    const opened = await Postgres.open(url)
    const { rows } = await opened.ask('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    opened.close()
    return rows[0]?.[0]
  }

  test('proves its name on another machine through the authority that the address names', async () => {
    expect(await isEncrypted(await addressOf('0.0.0.0', `?sslrootcert=${own.certificate}`))).toBe(1)
    const named = `?sslmode=verify-full&sslrootcert=${own.certificate}`
    expect(await isEncrypted(await addressOf('0.0.0.0', named))).toBe(1)
  })

  test('is refused with an untrusted certificate, one of another authority or one for another host', async () => {
    const why = 'its certificate does not prove that it is this server'
    expect(await refusal(await addressOf('0.0.0.0', ''))).toContain(why)
    expect(await refusal(await addressOf('0.0.0.0', `?sslrootcert=${other.certificate}`))).toContain(why)
    for (const host of ['127.0.0.1', 'localhost']) {
      const elsewhere = await addressOf(host, `?sslmode=verify-full&sslrootcert=${own.certificate}`)
      expect(await refusal(elsewhere)).toContain(why)
    }
  })

  test('is checked less strictly where sslmode says so', async () => {
    expect(await isEncrypted(await addressOf('0.0.0.0', '?sslmode=require'))).toBe(1)
    const authority = `?sslmode=verify-ca&sslrootcert=${own.certificate}`
    expect(await isEncrypted(await addressOf('localhost', authority))).toBe(1)
    expect(await isEncrypted(await addressOf('0.0.0.0', '?sslmode=disable'))).toBe(0)
    expect(await isEncrypted(await addressOf('127.0.0.1', ''))).toBe(0)
    expect(await isEncrypted(await addressOf('127.0.0.1', '?sslmode=require'))).toBe(1)
  })

  test('is not contacted when the file of authorities is missing', async () => {
    const missing = join(folder, 'missing.pem')
    expect(await refusal(await addressOf('0.0.0.0', `?sslrootcert=${missing}`))).toContain(missing)
  })
})
