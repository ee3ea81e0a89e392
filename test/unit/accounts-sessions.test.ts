import { expect, test } from 'bun:test'
import { clearExpired } from '../../src/accounts/people/account-service.ts'
import {
  findSession,
  isCsrfToken,
  listSessions,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from '../../src/accounts/people/sign-in/sessions.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import { sessions, signIns, tokens } from '../../src/db/schema/accounts-schema.ts'
import { codeOf, ELSEWHERE, HOME, openAccountDesk } from '../support/account-desk.ts'
import { PASSWORD } from '../support/passwords.ts'

const DAY = 86_400

test('a session ends 30 days after its last use, and every use counts', async () => {
  const desk = await openAccountDesk()
  const { token } = await desk.signUp('ana@example.org')
  for (let n = 0; n < 3; n++) {
    desk.pass(19 * DAY)
    const found = await findSession(desk.service, token, desk.now())
    expect(found?.renewed).toBe(true)
    expect(found?.expiresAt.getTime()).toBe(desk.now().getTime() + 30 * DAY * 1000)
  }
  desk.pass(30 * DAY)
  expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
})

test('repeated uses within a minute are not recorded', async () => {
  const desk = await openAccountDesk()
  const { token, session } = await desk.signUp('ana@example.org')
  desk.pass(59)
  expect((await findSession(desk.service, token, desk.now()))?.renewed).toBe(false)
  desk.pass(1)
  expect((await findSession(desk.service, token, desk.now()))?.renewed).toBe(true)
  expect((await listSessions(desk.service, session, desk.now()))[0]?.last_seen_at).toBe(
    '2025-03-01T10:01:00Z',
  )
})

test('setting the clock back ends no session', async () => {
  const desk = await openAccountDesk()
  const { token } = await desk.signUp('ana@example.org')
  desk.pass(-3600)
  expect((await findSession(desk.service, token, desk.now()))?.renewed).toBe(false)
})

test('a missing token, a made-up one and a session’s id open nothing', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const made = ['', undefined, null, 'x'.repeat(43), session.sessionId, session.csrfToken, '\0'.repeat(43)]
  for (const token of made) expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
})

test('a CSRF token belongs to one session', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const other = await desk.signIn('ana@example.org', PASSWORD)
  expect(isCsrfToken(session, session.csrfToken)).toBe(true)
  for (const wrong of [other.session.csrfToken, '', null, `${session.csrfToken}x`, 'ș'.repeat(43)]) {
    expect(isCsrfToken(session, wrong)).toBe(false)
  }
})

test('sessions are listed newest first, with browser and address and without tokens', async () => {
  const desk = await openAccountDesk()
  const first = await desk.signUp('ana@example.org')
  desk.pass(60)
  const second = await desk.signIn('ana@example.org', PASSWORD, { ...ELSEWHERE, userAgent: 'x'.repeat(1000) })
  await desk.signUp('ion@example.org')
  expect(await listSessions(desk.service, first.session, desk.now())).toEqual([
    {
      session_id: second.session.sessionId,
      current: false,
      created_at: '2025-03-01T10:01:00Z',
      last_seen_at: '2025-03-01T10:01:00Z',
      ip: ELSEWHERE.ip,
      user_agent: 'x'.repeat(300),
    },
    {
      session_id: first.session.sessionId,
      current: true,
      created_at: '2025-03-01T10:00:00Z',
      last_seen_at: '2025-03-01T10:00:00Z',
      ip: HOME.ip,
      user_agent: 'Firefox',
    },
  ])
})

test('an account can end its own sessions; those of others are not found', async () => {
  const desk = await openAccountDesk()
  const ana = await desk.signUp('ana@example.org')
  const away = await desk.signIn('ana@example.org', PASSWORD, ELSEWHERE)
  const ion = await desk.signUp('ion@example.org')
  const revoke = (id: string) => codeOf(() => revokeSession(desk.service, ana.session, id, desk.now()))
  expect(await revoke(ion.session.sessionId)).toBe('session_not_found')
  expect(await findSession(desk.service, ion.token, desk.now())).toBeDefined()
  expect(await revoke(away.session.sessionId)).toBe('done')
  expect(await revoke(away.session.sessionId)).toBe('session_not_found')
  expect(await findSession(desk.service, away.token, desk.now())).toBeUndefined()
  expect(await revoke(ana.session.sessionId)).toBe('done')
  expect(await findSession(desk.service, ana.token, desk.now())).toBeUndefined()
})

test('ending the other sessions keeps this one, and signing out ends it', async () => {
  const desk = await openAccountDesk()
  const { session, token } = await desk.signUp('ana@example.org')
  const others = [
    await desk.signIn('ana@example.org', PASSWORD),
    await desk.signIn('ana@example.org', PASSWORD),
  ]
  const ion = await desk.signUp('ion@example.org')
  expect(await revokeOtherSessions(desk.service, session, desk.now())).toEqual({
    status: 'ok',
    message: '2 other sessions were signed out.',
  })
  for (const other of others) expect(await findSession(desk.service, other.token, desk.now())).toBeUndefined()
  expect(await findSession(desk.service, token, desk.now())).toBeDefined()
  expect(await findSession(desk.service, ion.token, desk.now())).toBeDefined()
  await signOut(desk.service, session)
  expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
})

test('an account has at most 100 sessions; a new one replaces the least recently used', async () => {
  const desk = await openAccountDesk()
  const { session, token } = await desk.signUp('ana@example.org')
  const [row] = await desk.db.select().from(sessions)
  for (let n = 0; n < 99; n++) {
    const copy = { ...row!, sessionId: `s${n}`, tokenHash: Buffer.alloc(32, n + 1) }
    await inTransaction(desk.db, (tx) =>
      tx.insert(sessions).values({ ...copy, lastSeenAt: '2025-03-01T11:00:00Z' }),
    )
  }
  await desk.signIn('ana@example.org', PASSWORD)
  expect(await listSessions(desk.service, session, desk.now())).toHaveLength(100)
  expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
})

test('expired sessions are cleared, and sign-ins after 180 days', async () => {
  const desk = await openAccountDesk()
  await desk.signUp('ana@example.org')
  for (let n = 0; n < 1200; n++) {
    const attempt = { userId: 1, attemptedAt: '2025-03-01T10:00:00Z', success: false, ip: '192.0.2.1' }
    await inTransaction(desk.db, (tx) => tx.insert(signIns).values(attempt))
  }
  desk.pass(180 * DAY)
  await clearExpired(desk.db, 180 * DAY, desk.now())
  for (const table of [sessions, tokens]) expect(await desk.db.select().from(table)).toEqual([])
  expect(await desk.db.select().from(signIns)).toHaveLength(1200)
  desk.pass(1)
  await clearExpired(desk.db, 180 * DAY, desk.now())
  expect(await desk.db.select().from(signIns)).toEqual([])
})
