import { expect, test } from 'bun:test'
import { deleteKey, mintKey, revokeKey } from '../../src/accounts/keys/keys.ts'
import { deleteAccount } from '../../src/accounts/people/delete-account.ts'
import { exportAccount } from '../../src/accounts/people/export-account.ts'
import { findSession } from '../../src/accounts/people/sign-in/sessions.ts'
import { changeProfile } from '../../src/accounts/people/user.ts'
import { inTransaction } from '../../src/db/accounts.ts'
import {
  audit,
  mailQueue,
  sessions,
  signIns,
  tokens,
  tombstones,
  users,
} from '../../src/db/schema/accounts-schema.ts'
import { BASE, codeOf, ELSEWHERE, openAccountDesk } from '../support/account-desk.ts'
import { onPostgres } from '../support/accounts-engine.ts'
import { PASSWORD } from '../support/passwords.ts'

const never = () => null
const noSources = { lastUsed: never, daily: [], logs: [] }

test('a deleted account cannot be used, and only its number stays in the audit log', async () => {
  const desk = await openAccountDesk()
  const ana = await desk.signUp('ana.popescu@example.org')
  const ion = await desk.signUp('ion@example.org')
  const { secret, key_id } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  const kept = await mintKey(desk.db, 2, { label: 'portal' }, desk.now())

  await deleteAccount(desk.service, ana.session, { password: PASSWORD }, desk.now())
  const lookup = desk.openLookup()
  expect([
    await lookup.find(secret, desk.now()),
    typeof (await lookup.find(kept.secret, desk.now())),
  ]).toEqual(['api_key_invalid', 'object'])
  lookup.close()
  expect(await findSession(desk.service, ana.token, desk.now())).toBeUndefined()
  expect(await findSession(desk.service, ion.token, desk.now())).toBeDefined()
  expect(await codeOf(() => desk.signIn('ana.popescu@example.org', PASSWORD))).toBe('invalid_credentials')
  expect(await codeOf(() => changeProfile(desk.service, ana.session, {}))).toBe('unauthenticated')

  await desk.service.later.settled()
  expect(desk.forgotten).toEqual([`key ${key_id}`, 'account 1'])
  expect(await desk.db.select().from(tombstones)).toEqual([])
  for (const table of [sessions, signIns, tokens]) {
    expect((await desk.db.select().from(table)).filter((row) => row.userId === 1)).toEqual([])
  }
  expect(await desk.db.select().from(audit)).toContainEqual(
    expect.objectContaining({ event: 'account_deleted', actor: 'account', user_id: 1 }),
  )
})

test.skipIf(onPostgres)(
  'after its notice is sent, no file holds the address of a deleted account',
  async () => {
    const desk = await openAccountDesk()
    const { session } = await desk.signUp('ana.popescu@example.org')
    await codeOf(() => desk.signIn('ana.popescu@example.org', 'not the password', ELSEWHERE))
    await deleteAccount(desk.service, session, { password: PASSWORD }, desk.now())
    await desk.service.later.settled()
    expect(await desk.db.select().from(mailQueue)).toMatchObject([{ kind: 'account_deleted', userId: null }])
    expect(desk.bytes().includes('ana.popescu@example.org')).toBe(true)

    desk.service.start(BASE)
    desk.service.startUpkeep()
    await desk.service.mailer.sendDue()
    await desk.service.later.settled()
    expect(desk.bytes().includes('ana.popescu')).toBe(false)
  },
)

test('deleting an account requires its password', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const remove = (password: string) =>
    codeOf(() => deleteAccount(desk.service, session, { password }, desk.now()))
  for (const wrong of ['', 'not the password']) expect(await remove(wrong)).toBe('invalid_credentials')
  expect(await remove(PASSWORD)).toBe('done')
  expect(await remove(PASSWORD)).toBe('unauthenticated')
})

test('a deletion interrupted after its transaction is finished at the next start', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const { key_id } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  const failing = {
    forget() {
      throw new Error('disk full')
    },
  }
  await deleteAccount({ ...desk.service, usage: failing }, session, { password: PASSWORD }, desk.now())
  await desk.service.later.settled()
  expect(await desk.db.select().from(tombstones)).toMatchObject([
    { kind: 'key', subjectId: key_id },
    { kind: 'account', subjectId: 1 },
  ])

  const next = await openAccountDesk(desk)
  next.service.start(BASE)
  next.service.startUpkeep()
  await next.service.later.settled()
  expect(next.forgotten).toEqual([`key ${key_id}`, 'account 1'])
  expect(await next.db.select().from(tombstones)).toEqual([])
})

test('the number of a deleted account is never reused; its address may be', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  await deleteAccount(desk.service, session, { password: PASSWORD }, desk.now())
  expect((await desk.signUp('ana@example.org')).session.userId).toBe(2)
})

test('the export holds everything of the account, in chunks, without secrets or data of others', async () => {
  const desk = await openAccountDesk()
  const { session, token } = await desk.signUp('ana@example.org')
  await desk.signUp('ion@example.org', ELSEWHERE)
  const { secret, ...key } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  const { secret: foreign } = await mintKey(desk.db, 2, { label: 'not ana’s' }, desk.now())
  for (let n = 0; n < 450; n++) {
    const attempt = { userId: 1, attemptedAt: '2025-03-01T10:00:00Z', success: n % 2 === 0, ip: `ip${n}` }
    await inTransaction(desk.db, (tx) => tx.insert(signIns).values(attempt))
  }
  const sources = {
    lastUsed: never,
    daily: Array.from({ length: 200 }, () => ({ date: '2025-03-01', key_id: 1, requests: 7 })),
    logs: [{ id: 1, path: '/v1' }],
  }
  const pieces = await Array.fromAsync(exportAccount(desk.service, session, sources, desk.now()))
  expect(pieces.length).toBeGreaterThan(5)
  const text = pieces.join('')
  const { sign_ins, ...rest } = JSON.parse(text)
  expect(rest).toEqual({
    generated_at: '2025-03-01T10:00:00Z',
    account: session.body.user,
    sessions: [expect.objectContaining({ session_id: session.sessionId, current: true })],
    keys: [key],
    usage: { daily: sources.daily },
    logs: sources.logs,
  })
  expect(sign_ins.map((attempt: { ip: string }) => attempt.ip)).toEqual(
    Array.from({ length: 450 }, (_, n) => `ip${n}`),
  )
  const [row] = await desk.db.select().from(users)
  for (const hidden of [secret, foreign, token, session.csrfToken, row?.passwordHash, 'ion@', 'not ana']) {
    expect(text).not.toContain(hidden as string)
  }
})

test('the export of an empty account is a complete document', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const pieces = await Array.fromAsync(exportAccount(desk.service, session, noSources, desk.now()))
  const text = pieces.join('')
  expect(JSON.parse(text)).toMatchObject({ sign_ins: [], keys: [], usage: { daily: [] }, logs: [] })
})

test('a profile changes only in the given fields', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const changed = await changeProfile(desk.service, session, {
    full_name: 'Ana',
    organization: 'INS',
    language: 'ro',
  })
  expect(changed).toMatchObject({
    full_name: 'Ana',
    organization: 'INS',
    language: 'ro',
    email: 'ana@example.org',
  })
  expect(await changeProfile(desk.service, session, { organization: null })).toEqual({
    ...changed,
    organization: null,
  })
})

test('the audit log rejects changes and deletions', async () => {
  const { db, signUp } = await openAccountDesk()
  await signUp('ana@example.org')
  await expect(inTransaction(db, (tx) => tx.delete(audit))).rejects.toThrow('append-only')
  const change = inTransaction(db, (tx) => tx.update(audit).set({ event: 'nothing' }))
  await expect(change).rejects.toThrow('append-only')
  expect(JSON.stringify(await db.select().from(audit))).not.toContain('ana')
})

test('an export breaks off when its account is deleted meanwhile, instead of looking complete', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const { key_id } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  await revokeKey(desk.db, 1, key_id, () => null, desk.now())
  const opened = async () => {
    const logs = Array.from({ length: 450 }, (_, id) => ({ id }))
    const pieces = exportAccount(desk.service, session, { ...noSources, logs }, desk.now())
    while (!(await pieces.next()).value?.startsWith('[{"id":0}'));
    return pieces
  }
  const byKey = await opened()
  const minted = await opened()
  await mintKey(desk.db, 1, { label: 'new' }, desk.now())
  expect((await Array.fromAsync(minted)).at(-1)).toBe('}')
  await deleteKey(desk.db, 1, key_id, desk.now())
  expect(await codeOf(() => byKey.next())).toBe('key_not_found')
  const byAccount = await opened()
  await deleteAccount(desk.service, session, { password: PASSWORD }, desk.now())
  expect(await codeOf(() => byAccount.next())).toBe('unauthenticated')
})
