import { expect, test } from 'bun:test'
import {
  createAccount,
  deleteAccountOf,
  listAccounts,
  setAccountPlan,
  showAccount,
  signOutAccount,
  verifyAccount,
} from '../../src/accounts/operator.ts'
import { resetPassword } from '../../src/accounts/passwords.ts'
import { findSession } from '../../src/accounts/sessions.ts'
import { listEvents } from '../../src/audit/audit.ts'
import { CommandError } from '../../src/errors.ts'
import { mintAccountKey } from '../../src/keys/account-keys.ts'
import { BASE, codeOf, OTHER_PASSWORD, openAccountDesk, PASSWORD } from '../support/account-desk.ts'
import { startMailServer } from '../support/mail-server.ts'

const invite = { language: 'ro', mail: false } as const

test('an account made by the operator opens with the password its owner sets by the link', async () => {
  const desk = openAccountDesk()
  const { user, token } = createAccount(desk.db, { email: 'Ana@Example.org', ...invite }, desk.now())
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

test('the link goes by mail where there is a mail server', async () => {
  const server = await startMailServer()
  const desk = openAccountDesk({ smtpUrl: server.url })
  const { token } = createAccount(desk.db, { email: 'ana@example.org', ...invite, mail: true }, desk.now())
  desk.service.start(BASE)
  await desk.service.mailer.sendDue()
  expect(server.mails).toMatchObject([{ subject: 'Contul dumneavoastră nou', token }])
  await server.close()
})

test('a taken address and a text that is none are refused', async () => {
  const desk = openAccountDesk()
  const create = (email: string) => createAccount(desk.db, { email, ...invite }, desk.now())
  create('ana@example.org')
  expect(await codeOf(() => create('ANA@example.org'))).toBe('email_taken')
  expect(() => create('ANA@example.org')).toThrow(
    'there is an account with the address ana@example.org already (id 1): izvor users show ana@example.org',
  )
  expect(() => create('ana')).toThrow(new CommandError('usage', '"ana" is not an e-mail address'))
})

test('accounts are listed, shown with what they have, verified, moved to a plan and deleted', async () => {
  const desk = openAccountDesk()
  const { token } = await desk.signUp('ana@example.org')
  await desk.signUp('ion@example.org')
  desk.pass(60)
  await desk.signIn('ana@example.org', PASSWORD)
  const { key_id } = mintAccountKey(desk.service, 1, 'portal', desk.now())
  expect(listAccounts(desk.db).map((user) => user.email)).toEqual(['ana@example.org', 'ion@example.org'])
  expect(showAccount(desk.db, ' ANA@example.org')).toMatchObject({
    ...{ id: 1, active_keys: 1, sessions: 2, last_sign_in_at: '2025-03-01T10:01:00Z' },
  })
  expect(verifyAccount(desk.db, 'ana@example.org', desk.now()).email_verified).toBe(true)
  expect(setAccountPlan(desk.db, 'ana@example.org', 'institution', desk.now()).plan).toBe('institution')
  expect(() => setAccountPlan(desk.db, 'ana@example.org', 'gold', desk.now())).toThrow(
    'there is no plan gold',
  )

  signOutAccount(desk.db, 'ana@example.org', desk.now())
  expect(findSession(desk.service, token, desk.now())).toBeUndefined()
  deleteAccountOf(desk.db, 'ana@example.org', desk.now())
  expect(findSession(desk.service, token, desk.now())).toBeUndefined()
  expect(() => showAccount(desk.db, 'ana@example.org')).toThrow(
    'there is no account with the address ana@example.org',
  )
  const events = listEvents(desk.db, 6)
  expect(events.map(({ actor, event, detail }) => [actor, event, detail])).toEqual([
    ['operator', 'account_deleted', null],
    ['operator', 'sessions_revoked', null],
    ['operator', 'account_plan_changed', 'institution'],
    ['operator', 'email_verified', null],
    ['account', 'key_minted', null],
    ['account', 'account_created', null],
  ])
  expect(events[4]).toMatchObject({ user_id: 1, key_id, at: '2025-03-01T10:01:00Z' })
  expect(JSON.stringify(listEvents(desk.db, 100))).not.toContain('@')
})
