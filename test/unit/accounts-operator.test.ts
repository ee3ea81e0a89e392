import { expect, test } from 'bun:test'
import { listEvents } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import {
  createAccount,
  deleteAccountOf,
  listAccounts,
  setAccountPlan,
  setAccountRole,
  showAccount,
  signOutAccount,
  verifyAccount,
} from '../../src/accounts/people/operator.ts'
import { resetPassword } from '../../src/accounts/people/passwords/passwords.ts'
import { findSession } from '../../src/accounts/people/sign-in/sessions.ts'
import { CommandError } from '../../src/base/errors.ts'
import { BASE, codeOf, openAccountDesk } from '../support/account-desk.ts'
import { startMailServer } from '../support/mail-server.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

const invite = { language: 'ro', mail: false } as const

test('an account created by the operator opens with the password its owner sets through the link', async () => {
  const desk = await openAccountDesk()
  const { user, token } = await createAccount(desk.db, { email: 'Ana@Example.org', ...invite }, desk.now())
  expect(user).toMatchObject({
    id: 1,
    email: 'Ana@Example.org',
    email_verified: false,
    plan: 'free',
    language: 'ro',
  })
  expect(await codeOf(() => desk.signIn('ana@example.org', ''))).toBe('invalid_credentials')
  desk.pass(86_399)
  await resetPassword(desk.service, { token, new_password: OTHER_PASSWORD }, desk.now())
  expect((await desk.signIn('ana@example.org', OTHER_PASSWORD)).body.user.email_verified).toBe(true)
})

test('the link is mailed where there is a mail server', async () => {
  const server = await startMailServer()
  const desk = await openAccountDesk({ smtpUrl: server.url })
  const { token } = await createAccount(
    desk.db,
    { email: 'ana@example.org', ...invite, mail: true },
    desk.now(),
  )
  desk.service.start(BASE)
  desk.service.startUpkeep()
  await desk.service.mailer.sendDue()
  expect(server.mails).toMatchObject([{ subject: 'Contul dumneavoastră nou', token }])
  await server.close()
})

test('an address in use and a malformed one are refused', async () => {
  const desk = await openAccountDesk()
  const create = (email: string) => createAccount(desk.db, { email, ...invite }, desk.now())
  await create('ana@example.org')
  expect(await codeOf(() => create('ANA@example.org'))).toBe('email_taken')
  expect(() => create('ANA@example.org')).toThrow(
    'an account with the address ana@example.org already exists (id 1): izvor users show ana@example.org',
  )
  expect(() => create('ana')).toThrow(new CommandError('usage', '"ana" is not an e-mail address'))
})

test('the operator lists, shows, verifies and deletes accounts, and moves them to a plan', async () => {
  const desk = await openAccountDesk()
  const { token } = await desk.signUp('ana@example.org')
  await desk.signUp('ion@example.org')
  desk.pass(60)
  await desk.signIn('ana@example.org', PASSWORD)
  const { key_id } = await mintKey(desk.db, 1, { label: 'portal' }, desk.now())
  expect((await listAccounts(desk.db)).map((user) => user.email)).toEqual([
    'ana@example.org',
    'ion@example.org',
  ])
  expect(await showAccount(desk.db, ' ANA@example.org')).toMatchObject({
    ...{ id: 1, active_keys: 1, sessions: 2, last_sign_in_at: '2025-03-01T10:01:00Z' },
  })
  expect((await verifyAccount(desk.db, 'ana@example.org', desk.now())).email_verified).toBe(true)
  expect((await setAccountPlan(desk.db, 'ana@example.org', 'institution', desk.now())).plan).toBe(
    'institution',
  )
  await expect(setAccountPlan(desk.db, 'ana@example.org', 'gold', desk.now())).rejects.toThrow(
    'there is no plan gold',
  )

  await signOutAccount(desk.db, 'ana@example.org', desk.now())
  expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
  await deleteAccountOf(desk.db, 'ana@example.org', desk.now())
  expect(await findSession(desk.service, token, desk.now())).toBeUndefined()
  await expect(showAccount(desk.db, 'ana@example.org')).rejects.toThrow(
    'there is no account with the address ana@example.org',
  )
  const events = await listEvents(desk.db, 6)
  expect(events.map(({ actor, event, detail }) => [actor, event, detail])).toEqual([
    ['operator', 'account_deleted', null],
    ['operator', 'sessions_revoked', null],
    ['operator', 'account_plan_changed', 'institution'],
    ['operator', 'email_verified', null],
    ['account', 'key_minted', null],
    ['account', 'account_created', null],
  ])
  expect(events[4]).toMatchObject({ user_id: 1, key_id, at: '2025-03-01T10:01:00Z' })
  expect(JSON.stringify(await listEvents(desk.db, 100))).not.toContain('@')
})

test('the operator makes accounts publishers of all or some domains, and readers again; the audit log records it', async () => {
  const desk = await openAccountDesk()
  const made = await createAccount(
    desk.db,
    { email: 'ana@example.org', ...invite, role: { role: 'publisher', publisher_domains: null } },
    desk.now(),
  )
  expect(made.user).toMatchObject({ role: 'publisher', publisher_domains: null })
  await desk.signUp('ion@example.org')
  const some = { role: 'publisher', publisher_domains: ['economy', 'health'] } as const
  expect(await setAccountRole(desk.db, 'ion@example.org', some, desk.now())).toMatchObject(some)
  expect(await listAccounts(desk.db)).toMatchObject([{ role: 'publisher' }, some])
  const none = { role: 'reader', publisher_domains: [] } as const
  expect(await setAccountRole(desk.db, 'ion@example.org', none, desk.now())).toMatchObject(none)
  expect(await showAccount(desk.db, 'ion@example.org')).toMatchObject(none)
  await expect(setAccountRole(desk.db, 'nobody@example.org', some, desk.now())).rejects.toThrow(
    'there is no account with the address nobody@example.org',
  )
  const changes = (await listEvents(desk.db, 100)).filter(({ event }) => event === 'account_role_changed')
  expect(changes.map(({ actor, user_id, detail }) => [actor, user_id, detail])).toEqual([
    ['operator', 2, 'reader'],
    ['operator', 2, 'publisher of economy, health'],
    ['operator', 1, 'publisher'],
  ])
})
