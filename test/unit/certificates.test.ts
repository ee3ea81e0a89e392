import { describe, expect, onTestFinished, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { pino } from 'pino'
import { loadConfig } from '../../src/base/config/load.ts'
import { seal, sealingKey, unseal } from '../../src/base/crypto/seal.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { recordsInFolder } from '../../src/upkeep/certificates/acme-records.ts'
import {
  CertificateRenewal,
  isCertificateDue,
  readRenewal,
  retryRenewal,
} from '../../src/upkeep/certificates/renewal.ts'
import { ensureCertificate, signOwnCertificate } from '../../src/upkeep/certificates/served-certificate.ts'
import { tempDir } from '../support/temp-dir.ts'

const HOST = 'data.example.test'
const START = Date.parse('2026-01-01T00:00:00Z')
const day = (n: number) => new Date(START + n * 86_400_000)

test('a certificate is due 30 days before its end, a short-lived one after two thirds of its lifetime', async () => {
  const long = await signOwnCertificate(HOST, day(0), day(90))
  expect(isCertificateDue(long, HOST, day(59))).toBe(false)
  expect(isCertificateDue(long, HOST, day(60))).toBe(true)
  const middle = await signOwnCertificate(HOST, day(0), day(45))
  expect(isCertificateDue(middle, HOST, day(14))).toBe(false)
  expect(isCertificateDue(middle, HOST, day(15))).toBe(true)
  const short = await signOwnCertificate(HOST, day(0), day(6))
  expect(isCertificateDue(short, HOST, day(3))).toBe(false)
  expect(isCertificateDue(short, HOST, day(4))).toBe(true)
  expect(isCertificateDue(long, 'other.example.test', day(1))).toBe(true)
  expect(isCertificateDue(undefined, HOST, day(1))).toBe(true)
})

test('before the first certificate the service makes its own, readable by its owner alone, and keeps it', async () => {
  const dataDir = new DataDir(tempDir())
  await ensureCertificate(dataDir, HOST, day(0))
  const records = recordsInFolder(dataDir)
  const made = await records.read('certificate')
  expect(new X509Certificate(made!).checkHost(HOST)).toBe(HOST)
  if (process.platform !== 'win32') expect(statSync(dataDir.acmeFile('certificate')).mode & 0o777).toBe(0o600)
  await ensureCertificate(dataDir, HOST, day(1))
  expect(await records.read('certificate')).toBe(made)
})

test('sealed data opens only with its key and name, and only unchanged', () => {
  const key = sealingKey('a passphrase of nodes', 'tests')
  const sealed = seal(key, 'account', 'Țară')
  expect(unseal(key, 'account', sealed)).toBe('Țară')
  expect(sealed.toString('latin1')).not.toContain('ar')
  expect(unseal(key, 'certificate', sealed)).toBeUndefined()
  expect(unseal(sealingKey('another passphrase', 'tests'), 'account', sealed)).toBeUndefined()
  sealed[15]! ^= 1
  expect(unseal(key, 'account', sealed)).toBeUndefined()
  expect(unseal(key, 'account', Buffer.alloc(3))).toBeUndefined()
})

/** A renewal by a directory that is always busy, with its own clock. */
function renewBy(answer: () => Response) {
  let asked = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      asked++
      return answer()
    },
  })
  onTestFinished(() => void server.stop(true))
  const clock = { at: START }
  const dataDir = new DataDir(tempDir())
  dataDir.create()
  const records = recordsInFolder(dataDir)
  const config = { acme_email: null, acme_directory: `${server.url}dir`, acme_ca: null }
  const now = () => new Date(clock.at)
  const log = pino({ level: 'silent' })
  const open = () => new CertificateRenewal({ records, config, host: HOST, now, dataDir, log, onIssued() {} })
  return { open, clock, records, asked: () => asked }
}

describe('a directory that refuses', () => {
  test('is asked no sooner than it says, neither after a restart nor by hand', async () => {
    const busy = () =>
      Response.json({ detail: 'too many orders' }, { status: 429, headers: { 'Retry-After': '7200' } })
    const { open, clock, records, asked } = renewBy(busy)
    await open().runDue()
    expect(asked()).toBe(1)
    const { attempt } = await readRenewal(records)
    expect(attempt).toMatchObject({ failures: 1, reason: expect.stringContaining('429: too many orders') })
    await retryRenewal(records)
    clock.at += 7199_000
    await open().runDue()
    expect(asked()).toBe(1)
    clock.at += 2000
    await open().runDue()
    expect(asked()).toBe(2)
  })

  test('that names no delay is asked again after 5 minutes, then 10, or at once by hand', async () => {
    const { open, clock, records, asked } = renewBy(() => new Response('away', { status: 500 }))
    const steps: [seconds: number, asked: number][] = [
      [0, 1],
      [299, 1],
      [1, 2],
      [599, 2],
      [1, 3],
    ]
    for (const [seconds, count] of steps) {
      clock.at += seconds * 1000
      await open().runDue()
      expect(asked()).toBe(count)
    }
    await retryRenewal(records)
    await open().runDue()
    expect(asked()).toBe(4)
    expect((await readRenewal(records)).attempt?.failures).toBe(4)
  })
})

describe('the settings', () => {
  const load = (flags: Record<string, string>) => loadConfig({ flags }).values

  test('a name alone makes the service public', () => {
    const { host, port, base_url, acme_host, acme_http_port } = load({ acme_host: 'Date.Exemplu.RO' })
    expect({ host, port, base_url, acme_host, acme_http_port }).toEqual({
      host: '0.0.0.0',
      port: 443,
      base_url: 'https://date.exemplu.ro',
      acme_host: 'date.exemplu.ro',
      acme_http_port: 80,
    })
    expect(load({ acme_host: 'd.ro', host: '127.0.0.1', port: '8443' })).toMatchObject({
      host: '127.0.0.1',
      base_url: 'https://d.ro:8443',
    })
    const { origins } = loadConfig({ flags: { acme_host: 'd.ro', host: '::' } })
    expect(origins).toMatchObject({
      host: '--host',
      port: 'acme_host',
      base_url: 'acme_host',
      publisher: 'default',
    })
    expect(load({ acme_host: 'd.ro', base_url: 'https://e.ro' }).base_url).toBe('https://e.ro')
    expect(load({ acme_host: 'țară.ro' }).acme_host).toBe('xn--ar-kla13i.ro')
  })

  test('an invalid name, an address without https and half a pair are refused', () => {
    for (const name of ['https://d.ro', 'd.ro:443', '192.0.2.1', '[::1]', '*.d.ro', '', 'd..ro'])
      expect(() => load({ acme_host: name }), name).toThrow('acme-host')
    expect(() => load({ acme_host: 'd.ro', acme_directory: 'http://d.ro/dir' })).toThrow('acme_directory')
    expect(() => load({ acme_host: 'd.ro', tls_cert: 'a.pem' })).toThrow('both set')
    const nodes = { database_url: 'postgres://a@b/c', object_store: 's3://bucket/x' }
    expect(() => load({ acme_host: 'd.ro', ...nodes })).toThrow('acme_secret')
  })
})
