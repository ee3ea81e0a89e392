/** Mails from a running service to its operator about events in other processes. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { startMailServer } from '../support/mail-server.ts'
import { tempDir } from '../support/temp-dir.ts'
import { until } from '../support/until.ts'
import { makeCertificate } from './certificate.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

async function startWithMail() {
  const mail = await startMailServer()
  const env = { IZVOR_SMTP_URL: mail.url, IZVOR_ALERTS_TO: 'op@example.org', IZVOR_ALERTS_LANGUAGE: 'en' }
  const subjects = () => mail.mails.map(({ subject }) => subject)
  const told = (count: number) => until(subjects, ({ length }) => length === count)
  return { mail, env, told }
}

test('the service reports a file refused in a shell, and when it is settled, once each, also across a restart', async () => {
  const { mail, env, told } = await startWithMail()
  const data = join(tempDir(), 'data')
  const ingest = (input: string) =>
    izvor(['ingest', '-', '--id', 'towns', '--domain', 'd', '--data', data], { input })
  expect((await ingest('name,people\nCluj,286598\nDej,31475\n')).code).toBe(0)
  const service = await serve(data, ['serve'], { env })
  expect((await ingest('name,area\nCluj,180\nDej,109\n')).code).toBe(4)
  expect(await told(1)).toEqual(['A file for towns was refused'])
  service.signal('SIGKILL')
  await service.exited
  const next = await serve(data, ['serve'], { env })
  expect((await ingest('name,people\nCluj,286599\nDej,31475\n')).code).toBe(0)
  expect(await told(2)).toEqual(['A file for towns was refused', 'The refused file for towns is settled'])
  next.signal('SIGTERM')
  expect(await next.exited).toBe(0)
  await mail.close()
})

test('a draft whose file is refused is reported, and reported as settled once it is removed', async () => {
  const { mail, env, told } = await startWithMail()
  const data = join(tempDir(), 'data')
  const minted = await succeed([
    'keys',
    'mint',
    '--plan',
    'unlimited',
    '--scopes',
    'publish',
    '--data',
    data,
    '--json',
  ])
  const { secret } = JSON.parse(minted)
  const service = await serve(data, ['serve'], { env })
  const drafts = `${service.address}/publish/api/drafts`
  const headers = { authorization: `Bearer ${secret}` }
  const body = '<!doctype html><html><body>Not here</body></html>'
  const sent = await fetch(`${drafts}?filename=towns.csv`, { method: 'POST', headers, body })
  expect(await told(1)).toEqual(['A file for towns was refused'])
  expect(mail.mails[0]?.text).toContain('The draft on the publishing desk says why.')
  const { id } = (await bodyOf(sent)) as { id: string }
  expect((await fetch(`${drafts}/${id}`, { method: 'DELETE', headers })).status).toBe(204)
  expect(await told(2)).toEqual(['A file for towns was refused', 'The refused file for towns is settled'])
  await mail.close()
})

test.skipIf(Bun.which('openssl') === null)(
  'a certificate that expires soon is reported, and so is its renewal',
  async () => {
    const { mail, env, told } = await startWithMail()
    const folder = tempDir()
    const data = join(folder, 'data')
    const { cert, key } = makeCertificate(folder, 'own', 2)
    const service = await serve(data, ['serve', '--tls-cert', cert, '--tls-key', key], { env })
    expect((await told(1))[0]).toStartWith('The certificate of 127.0.0.1:')
    makeCertificate(folder, 'own', 60)
    service.signal('SIGHUP')
    expect((await told(2))[1]).toEndWith('no longer ends soon')
    const created = await succeed(['users', 'create', 'a@example.org', '--data', data, '--json'])
    expect(JSON.parse(created).password_link).toStartWith(service.address)
    await mail.close()
  },
)

test('without a mail server the alert goes to the log, and the doctor says so', async () => {
  const data = join(tempDir(), 'data')
  const env = { IZVOR_ALERTS_TO: 'op@example.org', IZVOR_DISK_FLOOR: '9000TB' }
  const service = await serve(data, ['serve'], { env })
  await until(service.output, (output) => output.includes('este aproape plin'))
  const { stdout } = await izvor(['doctor', '--quick', '--data', data], { env })
  expect(stdout).toContain(
    'alerts_to (from IZVOR_ALERTS_TO) has no effect: there is no mail server, so alerts go',
  )
})
