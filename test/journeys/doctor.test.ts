import { afterEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/upkeep/desk-work.ts'
import { smallDisk } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'
import { makeCertificate } from './certificate.ts'
import { izvor, JOURNEY_TIMEOUT, mint, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

const proxies: Bun.Server<undefined>[] = []
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop(true)
})

/** A reverse proxy that treats `X-Forwarded-For` as configured. */
function startProxy(target: string, forward: (claimed: string | null) => string | null): string {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const headers = new Headers(request.headers)
      const forwarded = forward(headers.get('x-forwarded-for'))
      headers.delete('x-forwarded-for')
      if (forwarded !== null) headers.set('x-forwarded-for', forwarded)
      return fetch(target + new URL(request.url).pathname, { headers })
    },
  })
  proxies.push(proxy)
  return `http://127.0.0.1:${proxy.port}`
}

async function examine(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout } = await izvor(['doctor', '--json', ...args], { env })
  const findings = JSON.parse(stdout) as Finding[]
  const of = (check: string) =>
    findings.filter((finding) => finding.check === check && finding.state !== 'ok')
  return { code, findings, of }
}

test('the doctor finds nothing wrong in a new folder, and its exit code says so', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  const { code, findings } = await examine(['--data', data, '--port', '1'])
  expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
  expect(code).toBe(0)
  for (const { state, why, remedy } of findings)
    expect([why === null, remedy === null]).toEqual([state === 'ok', state === 'ok'])
})

test.skipIf(Bun.which('openssl') === null)('a certificate is reported before it expires', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await mint(data)
  const stateOf = async ({ cert, key }: { cert: string; key: string }) => {
    const { findings } = await examine(['--quick', '--data', data, '--port', '1'], {
      IZVOR_TLS_CERT: cert,
      IZVOR_TLS_KEY: key,
    })
    return findings.filter(({ check }) => check === 'certificate').map(({ state }) => state)
  }
  const [soon, late] = [makeCertificate(folder, 'soon', 2), makeCertificate(folder, 'late', 60)]
  expect(await stateOf(soon)).toEqual(['warning'])
  expect(await stateOf(late)).toEqual(['ok'])
  expect(await stateOf({ ...soon, key: late.key })).toEqual(['problem'])
})

test('every problem of a folder is reported with its reason and the command to type', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  writeFileSync(join(folder, 'towns.csv'), 'name,people\nCluj,300\nDej,30\n')
  await succeed([
    'ingest',
    join(folder, 'towns.csv'),
    '--id',
    'towns',
    '--domain',
    'places',
    '--title',
    'Towns',
    '--data',
    data,
  ])
  await mint(data)
  const version = join(data, 'datasets', 'towns', readdirSync(join(data, 'datasets', 'towns'))[0]!)
  writeFileSync(version, 'no version file')
  mkdirSync(join(data, 'tmp', 'leftbehind'))
  writeFileSync(join(data, 'tmp', 'leftbehind', 'rows'), 'x'.repeat(1000))
  const later = new Date(Date.now() + 86_400_000)
  utimesSync(join(data, 'catalog.db'), later, later)
  chmodSync(data, 0o755)
  const env = {
    IZVOR_MAIL_FROM: 'a@example.org',
    IZVOR_DISK_FLOOR: '1000TB',
    IZVOR_SMTP_URL: '',
    IZVOR_MEMORY_BUDGET: '100TiB',
  }
  const { code, of } = await examine(['--data', data, '--port', '1'], env)
  expect(code).toBe(3)
  expect(of('folder')[0]?.remedy).toBe(`chmod 700 ${data}`)
  expect(of('versions')[0]?.what).toContain(version)
  expect(of('versions')[0]?.remedy).toContain('datasets rollback towns')
  expect(of('unfinished')[0]?.what).toMatch(/1 killed ingest left 1\.0 kB/)
  expect(of('clock')[0]?.state).toBe('problem')
  expect(of('disk')[0]?.state).toBe('problem')
  expect(of('memory')[0]?.remedy).toMatch(/^IZVOR_MEMORY_BUDGET=\d+MiB$/)
  expect(of('settings')[0]?.what).toBe(
    'mail_from (from IZVOR_MAIL_FROM) has no effect: there is no mail server.',
  )
  expect(of('backups')[0]?.what).toBe('There is no backup of this folder.')
  expect(of('service')[0]?.what).toMatch(
    /No service answers at http:\/\/127\.0\.0\.1:1: nothing listens there/,
  )
})

test('files that are read completely are counted by kind, and the service of a copied folder is recognised as another one', async () => {
  const folder = tempDir()
  const data = join(folder, 'data')
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'places', '--data', data], { input: 'a\n1\n' })
  const { address } = await serve(data)
  const archive = join(folder, 'a.tar')
  await succeed(['backup', archive, '--data', data])
  const copy = join(folder, 'copy')
  await succeed(['restore', archive, '--data', copy])
  const { port } = new URL(address)
  const own = await examine(['--data', data, '--port', port])
  const said = (check: string) => own.findings.find((finding) => finding.check === check)?.what
  expect(said('versions')).toBe('1 kept version file and 3 databases were read in full: no damage.')
  expect(said('service')).toBe(`It answers at ${address}.`)
  const { of } = await examine(['--data', copy, '--port', port, '--quick'])
  expect(of('service')).toMatchObject([
    { state: 'warning', what: expect.stringContaining(`Something else answers at ${address}`) },
  ])
})

test('a settings file with a secret that everybody can read is named with the command that protects it', async () => {
  const folder = tempDir()
  const file = join(folder, 'izvor.toml')
  const read = async (text: string, mode: number) => {
    writeFileSync(file, text)
    chmodSync(file, mode)
    const { stdout } = await izvor(['doctor', '--json', '--quick', '--data', join(folder, 'data')], {
      cwd: folder,
    })
    return (JSON.parse(stdout) as Finding[]).find(({ what }) => what.includes('izvor.toml (mode'))
  }
  const secret = 'smtp_url = "smtp://ana:secret@127.0.0.1:1"\n'
  expect(await read(secret, 0o644)).toMatchObject({
    ...{ check: 'settings', state: 'warning' },
    remedy: expect.stringContaining('chmod 640 izvor.toml'),
  })
  expect(await read(secret, 0o640)).toBeUndefined()
  expect(await read('smtp_url = "smtp://127.0.0.1:1"\n', 0o644)).toBeUndefined()
  expect(await read('port = 3000\n', 0o644)).toBeUndefined()
})

test('copies made before an upgrade or a restore are named once they are old or take much of the free space', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  const aside = join(data, 'before-restore-20250131T023000Z')
  const copies = join(data, 'before-upgrade')
  for (const folder of [copies, aside]) mkdirSync(folder)
  writeFileSync(join(copies, 'accounts.schema-2.db'), 'x'.repeat(2000))
  writeFileSync(join(aside, 'catalog.db'), 'x')
  const look = async () => (await examine(['--data', data, '--port', '1', '--quick'])).of('old copies')
  expect(await look()).toEqual([])
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  utimesSync(copies, daysAgo(31.5), daysAgo(31.5))
  expect(await look()).toEqual([
    {
      ...{ check: 'old copies', state: 'note' },
      what: `Databases as they were before an upgrade are in ${copies}: 2.0 kB, 31 days old.`,
      why: expect.stringContaining('deleted since'),
      remedy: expect.stringContaining(`rm -r ${copies}   (`),
    },
  ])
  utimesSync(aside, daysAgo(40), daysAgo(40))
  expect((await look()).map(({ remedy }) => remedy?.split('   ')[0])).toEqual([
    `rm -r ${copies}`,
    `rm -r ${aside}`,
  ])
  const disk = smallDisk(8)
  if (disk === null) return console.log('skipped in part: a small disk can be mounted by root on Linux only')
  const small = join(disk, 'data')
  await succeed(['keys', 'mint', '--plan', 'free', '--data', small], { env: { IZVOR_DISK_FLOOR: '0' } })
  mkdirSync(join(small, 'before-upgrade'))
  writeFileSync(join(small, 'before-upgrade', 'usage.schema-2.db'), new Uint8Array(1_000_000))
  const { of } = await examine(['--data', small, '--port', '1', '--quick'])
  expect(of('old copies')[0]?.what).toContain('1.0 MB, 0 days old')
})

test('a missing folder is a problem, and is not created', async () => {
  const data = join(tempDir(), 'missing')
  const { code, of } = await examine(['--data', data])
  expect([code, of('folder')[0]?.what]).toEqual([3, `There is no data directory at ${data}.`])
  expect(() => readdirSync(data)).toThrow()
})

test('the forwarding of client addresses by the proxy is tested through the public address', async () => {
  const data = join(tempDir(), 'data')
  const trusting = await serve(data, ['serve'], { env: { IZVOR_TRUSTED_PROXIES: '127.0.0.1' } })
  const port = new URL(trusting.address).port
  const look = async (forward: (claimed: string | null) => string | null, trusted = '127.0.0.1') => {
    const base = startProxy(trusting.address, forward)
    const env = { IZVOR_BASE_URL: base, IZVOR_TRUSTED_PROXIES: trusted }
    const { of } = await examine(['--data', data, '--port', port, '--quick'], env)
    expect(of('service')).toEqual([])
    return of('proxy').map(({ state, what }) => `${state}: ${what}`)
  }
  expect(await look((claimed) => `${claimed}, 198.51.100.7`)).toEqual([])
  expect(await look(() => '198.51.100.7')).toEqual([])
  expect(await look((claimed) => claimed)).toEqual([
    expect.stringMatching(/^problem: .*passes on the X-Forwarded-For/),
  ])
  expect(await look(() => null)).toEqual([expect.stringMatching(/^warning: .*no X-Forwarded-For arrives/)])
  expect(await look(() => '198.51.100.7', '')).toEqual([
    expect.stringMatching(/^warning: .*it is not trusted/),
  ])
})

test('a mail server and a public address that do not answer are named', async () => {
  const data = join(tempDir(), 'data')
  await mint(data)
  const env = { IZVOR_SMTP_URL: 'smtp://user:hidden@127.0.0.1:1', IZVOR_BASE_URL: 'http://127.0.0.1:1' }
  const { code, findings, of } = await examine(['--data', data, '--quick', '--port', '1'], env)
  expect([code, of('mail')[0]?.state, of('base_url')[0]?.state]).toEqual([3, 'problem', 'warning'])
  expect(JSON.stringify(findings)).not.toContain('hidden')
})

test('only the owner of the folder learns which proxies are used', async () => {
  const { address } = await serve(join(tempDir(), 'data'))
  const probe = `${Date.now()}.${'0'.repeat(64)}`
  for (const value of [probe, 'x', `${Date.now()}.`]) {
    const answer = await fetch(`${address}/health/live`, { headers: { 'X-Izvor-Probe': value } })
    expect([answer.status, answer.headers.get('X-Izvor-Probe')]).toEqual([200, null])
  }
})
