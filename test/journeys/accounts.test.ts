/** Accounts, plans and the audit log as an operator uses them from the shell, and a person's first call. */

import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../support/temp-dir.ts'
import { bodyOf, izvor, JOURNEY_TIMEOUT, serve, succeed } from './program.ts'

setDefaultTimeout(JOURNEY_TIMEOUT)

async function json(data: string, ...args: string[]) {
  return JSON.parse(await succeed([...args, '--data', data, '--json']))
}

test('an account is created with a link, shown, verified, put on a plan, given a key, and deleted', async () => {
  const data = join(tempDir(), 'data')
  const env = { IZVOR_BASE_URL: 'https://date.example.org' }
  const created = JSON.parse(
    await succeed(['users', 'create', 'ana@example.org', '--data', data, '--json'], { env }),
  )
  expect(created).toMatchObject({ id: 1, email: 'ana@example.org', email_verified: false, language: 'ro' })
  expect(created.password_link).toMatch(/^https:\/\/date\.example\.org\/account\/reset#token=[\w-]{43}$/)

  expect((await json(data, 'users', 'verify', 'ana@example.org')).email_verified).toBe(true)
  expect((await json(data, 'users', 'set-plan', 'ana@example.org', 'institution')).plan).toBe('institution')
  expect((await json(data, 'users', 'sign-out', 'ana@example.org')).id).toBe(1)
  const own = await json(data, 'keys', 'mint', '--email', 'ana@example.org', '--label', 'portal')
  expect(own.plan).toBe('institution')
  expect((await json(data, 'keys', 'mint', '--email', 'ana@example.org', '--plan', 'free')).plan).toBe('free')
  expect(await json(data, 'users', 'show', 'ANA@example.org')).toMatchObject({ active_keys: 2, sessions: 0 })
  expect(await json(data, 'users', 'list')).toHaveLength(1)

  const asked = await izvor(['users', 'delete', 'ana@example.org', '--data', data])
  expect([asked.code, asked.stderr.includes('--yes')]).toEqual([2, true])
  expect((await json(data, 'keys', 'list')).map((key: { user_id: number }) => key.user_id)).toEqual([1, 1])
  expect(await succeed(['keys', 'list', '--data', data])).toMatch(/ account .*\n.* ana@example\.org /)
  expect(await json(data, 'users', 'delete', 'ANA@example.org', '--yes')).toEqual({
    ...{ deleted: true, id: 1, email: 'ana@example.org' },
  })
  expect([await json(data, 'users', 'list'), await json(data, 'keys', 'list')]).toEqual([[], []])
  const events = (await json(data, 'audit', 'list')) as { event: string }[]
  expect(events[0]).toMatchObject({ actor: 'operator', event: 'account_deleted', user_id: 1 })
  expect(JSON.stringify(events)).not.toContain('ana@')
  expect((await json(data, 'audit', 'list', '--limit', '2')) as object[]).toHaveLength(2)

  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    for (const secret of [own.secret, created.password_link.split('=')[1]])
      expect(bytes.includes(secret)).toBe(false)
  }
})

test('a printed link leads to the running service, or else to the address in the settings', async () => {
  const data = join(tempDir(), 'data')
  const service = await serve(data)
  const linkFor = async (email: string, env = {}) =>
    JSON.parse(await succeed(['users', 'create', email, '--data', data, '--json'], { env })).password_link
  expect(await linkFor('a@example.org')).toStartWith(`${service.address}/account/reset#token=`)
  const env = { IZVOR_BASE_URL: 'https://date.example.org' }
  expect(await linkFor('b@example.org', env)).toStartWith('https://date.example.org/account/reset#')
  service.signal('SIGKILL')
  await service.exited
  expect(await linkFor('c@example.org', { IZVOR_PORT: '4321' })).toStartWith('http://127.0.0.1:4321/account/')

  // Another service now runs, perhaps on the port recorded for the killed one.
  const next = await serve(data)
  expect(await linkFor('d@example.org')).toStartWith(next.address)
  expect(await izvor(['doctor', '--quick', '--data', data, '--port', '1'])).toMatchObject({
    stdout: expect.stringContaining(`It answers at ${next.address}, not at http://127.0.0.1:1.`),
  })
  next.signal('SIGTERM')
  expect(await next.exited).toBe(0)
  expect(readdirSync(data)).not.toContain('service.json')
})

test('plans are listed, changed and created; wrong usage names the mistake', async () => {
  const data = join(tempDir(), 'data')
  expect(await json(data, 'plans', 'set', 'free', '--per-minute', '60')).toEqual({
    ...{ name: 'free', monthly_quota: 10_000, max_active_keys: 5, per_minute: 60 },
  })
  expect((await json(data, 'plans', 'list')) as object[]).toHaveLength(3)
  const all = ['--monthly-quota', 'none', '--max-active-keys', '3', '--per-minute', '10']
  expect(await json(data, 'plans', 'set', 'press', ...all)).toMatchObject({ monthly_quota: null })
  for (const [args, said] of [
    [['plans', 'set', 'gold', '--per-minute', '1'], '--monthly-quota'],
    [['plans', 'set', 'free', '--per-minute', '1.5'], 'whole number'],
    [['plans', 'set', 'free'], 'at least one'],
    [['keys', 'mint', '--label', 'x'], '--email'],
    [['users', 'create', 'nobody'], 'not an e-mail address'],
  ] as const) {
    const { code, stderr } = await izvor([...args, '--data', data])
    expect([code, stderr]).toEqual([2, expect.stringContaining(said)])
  }
  const missing = await izvor(['users', 'show', 'x@y.ro', '--data', data])
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('there is no account')])
})

test('a person signs up, mints a key, makes a call, and sees it in the log and the statistics', async () => {
  const data = join(tempDir(), 'data')
  await succeed(['ingest', '-', '--id', 'towns', '--domain', 'd', '--data', data], {
    input: 'name,people\nCluj,286598\nDej,31475\n',
  })
  const service = await serve(data)
  const account = `${service.address}/account/api`
  const signedUp = await fetch(`${account}/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ana@example.org', password: 'girafe verzi pe acoperiș' }),
  })
  const { csrf_token } = await bodyOf(signedUp)
  const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  const minted = await fetch(`${account}/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, 'x-csrf-token': csrf_token },
    body: JSON.stringify({ label: 'portal' }),
  })
  const { key_id, secret } = await bodyOf(minted)
  expect((await bodyOf(await service.get('/v1/d/towns?people[gt]=100000', secret))).pagination.total).toBe(1)

  const look = async (path: string) => bodyOf(await fetch(account + path, { headers: { cookie } }))
  const { data: records } = await look(`/logs?key_id=${key_id}`)
  expect(records).toHaveLength(1)
  expect(records[0]).toMatchObject({
    method: 'GET',
    path: '/v1/d/towns',
    query: 'people[gt]=100000',
    status: 200,
  })
  expect((await look('/logs/stats')).statuses).toEqual([{ status: 200, requests: 1 }])
  expect((await look('/usage/summary')).total).toEqual({ month: 1, day: 1, remaining: 9999 })
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})

test('the operator grants publisher roles in the shell, and list, show and the audit log report them', async () => {
  const data = join(tempDir(), 'data')
  const users = (...args: string[]) => succeed(['users', ...args, '--data', data])
  const created = JSON.parse(await users('create', 'ana@example.org', '--publisher', '--json'))
  expect(created).toMatchObject({ role: 'publisher', publisher_domains: null })
  const given = ['--domain', 'health', '--domain', 'economy', '--domain', 'health', '--json']
  const changed = JSON.parse(await users('set-role', 'ana@example.org', 'publisher', ...given))
  expect(changed).toMatchObject({ role: 'publisher', publisher_domains: ['economy', 'health'] })
  for (const shown of [await users('list'), await users('show', 'ana@example.org')])
    expect(shown).toContain('publisher of economy, health')
  await users('set-role', 'ana@example.org', 'reader')
  expect(JSON.parse(await users('list', '--json'))).toMatchObject([{ role: 'reader', publisher_domains: [] }])
  const events = JSON.parse(await succeed(['audit', 'list', '--json', '--data', data]))
  expect(events.map(({ event }: { event: string }) => event).slice(0, 3)).toEqual(
    Array(3).fill('account_role_changed'),
  )
  for (const wrong of [
    ['admin'],
    ['publisher', '--domain', 'Economy'],
    ['publisher', '--domain', 'search'],
    ['reader', '--domain', 'economy'],
  ]) {
    const refused = await izvor(['users', 'set-role', 'ana@example.org', ...wrong, '--data', data])
    expect([wrong, refused.code]).toEqual([wrong, 2])
  }
})
