import { expect, test } from 'bun:test'
import { mintKey, rotateAllKeys } from '../../src/accounts/keys/keys.ts'
import { composeMessage } from '../../src/accounts/mail/compose.ts'
import { deleteAccount } from '../../src/accounts/people/delete-account.ts'
import { forgotPassword, resetPassword } from '../../src/accounts/people/passwords/passwords.ts'
import { verifyEmail } from '../../src/accounts/people/sign-in/verification.ts'
import { LANGUAGES } from '../../src/base/text/language.ts'
import { audit, mailQueue } from '../../src/db/schema/accounts-schema.ts'
import { BASE, codeOf, HOME, openAccountDesk } from '../support/account-desk.ts'
import { startMailServer } from '../support/mail-server.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

const ADDRESS = { email: 'ana@example.org', key: 'ana@example.org' }
const KINDS = mailQueue.kind.enumValues

async function openWithMail(server?: { url: string }, smtpInsecure = false) {
  const mail = await startMailServer()
  const desk = await openAccountDesk({ smtpUrl: server?.url ?? mail.url, smtpInsecure })
  const send = async () => {
    await desk.service.later.settled()
    await desk.service.mailer.sendDue()
  }
  return { ...desk, ...mail, send, queue: async () => desk.db.select().from(mailQueue) }
}

test('sign-up sends a link that confirms the address', async () => {
  const { service, signUp, send, mails, queue, now, close } = await openWithMail()
  service.start(BASE)
  service.startUpkeep()
  await signUp('ana@example.org')
  await send()
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(mail).toMatchObject({ from: 'no-reply@date.example.org', to: 'ana@example.org' })
  expect(mail?.subject).toBe('Confirm your e-mail address')
  expect(mail?.link).toBe(`${BASE}/account/verify#token=${mail?.token}`)
  expect(mail?.html).toContain(`href="${mail?.link}"`)
  expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
  expect(await queue()).toEqual([])
  expect((await verifyEmail(service, { token: mail?.token ?? '' }, now())).status).toBe('ok')
  await close()
})

test('a server on another machine without encryption gets no mail, unless the settings allow it', async () => {
  // An address that leads here but is not a loopback address: the rule goes by what the setting says.
  const here = await startMailServer()
  const elsewhere = { url: here.url.replace('127.0.0.1', '0.0.0.0') }
  for (const [insecure, sent] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const { service, signUp, send, queue, close } = await openWithMail(elsewhere, insecure)
    service.start(BASE)
    service.startUpkeep()
    await signUp('ana@example.org')
    await send()
    expect([insecure, here.mails.length, (await queue()).length]).toEqual([insecure, sent, 1 - sent])
    await close()
  }
  await here.close()
})

test('forgot sends a link that sets a password; the change is announced by mail', async () => {
  const { service, signUp, send, mails, now, close } = await openWithMail()
  service.start(BASE)
  service.startUpkeep()
  await signUp('ana@example.org')
  await forgotPassword(service, { address: ADDRESS }, HOME, now())
  await send()
  const reset = mails.find((mail) => mail.subject === 'Set a new password')
  expect(reset?.link).toBe(`${BASE}/account/reset#token=${reset?.token}`)
  await resetPassword(service, { token: reset?.token ?? '', new_password: OTHER_PASSWORD }, now())
  await send()
  expect(mails.at(-1)?.subject).toBe('Your password was changed')
  await close()
})

test('new and rotated keys and a deleted account are announced without a secret, many changes at once in one mail', async () => {
  const { service, signUp, send, mails, now, close, queue } = await openWithMail()
  const { session } = await signUp('ana@example.org')
  const secrets: string[] = []
  for (const n of [1, 2, 3]) secrets.push((await mintKey(service.db, 1, { label: `key ${n}` }, now())).secret)
  secrets.push(...(await rotateAllKeys(service.db, 1, () => null, now())).map((key) => key.secret))
  await deleteAccount(service, session, { password: PASSWORD }, now())
  expect((await queue()).map((mail) => mail.kind)).toEqual(['account_deleted'])

  await signUp('ion@example.org')
  for (const n of [1, 2, 3]) await mintKey(service.db, 2, { label: `key ${n}` }, now())
  await rotateAllKeys(service.db, 2, () => null, now())
  service.start(BASE)
  service.startUpkeep()
  await send()
  expect(mails.map((mail) => `${mail.to}: ${mail.subject}`).sort()).toEqual([
    'ana@example.org: Your account was deleted',
    'ion@example.org: A new API key was created',
    'ion@example.org: Confirm your e-mail address',
    'ion@example.org: The secret of an API key was replaced',
  ])
  for (const { raw } of mails) for (const secret of secrets) expect(raw).not.toContain(secret)
  await close()
})

test('an undeliverable mail is retried at growing intervals, also by the next process, and arrives', async () => {
  const { service, signUp, send, mails, queue, pass, dataDir, place, now, refuseNext, close, url, log } =
    await openWithMail()
  service.start(BASE)
  service.startUpkeep()
  refuseNext(451)
  await signUp('ana@example.org')
  await send()
  expect([mails, await queue()]).toMatchObject([[], [{ attempts: 1, nextAttemptAt: '2025-03-01T10:00:30Z' }]])
  await send()
  expect((await queue())[0]?.attempts).toBe(1)
  refuseNext(451)
  pass(30)
  await send()
  expect(await queue()).toMatchObject([{ attempts: 2, nextAttemptAt: '2025-03-01T10:01:30Z' }])
  expect(JSON.stringify(log)).not.toContain('ana@example.org')

  const next = await openAccountDesk({ dataDir, place, smtpUrl: url, at: new Date(now().getTime() + 60_000) })
  next.service.start(BASE)
  next.service.startUpkeep()
  await next.service.mailer.sendDue()
  expect(mails).toHaveLength(1)
  expect(await queue()).toEqual([])
  expect((await verifyEmail(service, { token: mails[0]?.token ?? '' }, now())).status).toBe('ok')
  await close()
})

test('a server that is down delays and loses nothing; after a day the mail is given up visibly', async () => {
  const down = await startMailServer()
  await down.close()
  const { service, signUp, send, queue, pass, db, log, close } = await openWithMail(down)
  service.start(BASE)
  service.startUpkeep()
  await signUp('ana@example.org')
  // The request was answered before any attempt.
  expect(await queue()).toMatchObject([{ attempts: 0 }])
  for (let hour = 0; hour < 23; hour++) {
    await send()
    expect(await queue()).toHaveLength(1)
    pass(3600)
  }
  pass(3600)
  await send()
  expect(await queue()).toEqual([])
  const entry = { actor: 'service', event: 'mail_given_up', user_id: 1, detail: 'verify' }
  expect(await db.select().from(audit)).toContainEqual(expect.objectContaining(entry))
  expect(log.findLast((line) => line.level === 50)).toMatchObject({
    msg: 'a mail was given up',
    mail: { user_id: 1 },
  })
  expect(JSON.stringify(log)).not.toContain('ana@example.org')
  await close()
})

test('mail to a missing mailbox is given up at once', async () => {
  const { service, signUp, send, queue, refuseNext, db, close } = await openWithMail()
  service.start(BASE)
  service.startUpkeep()
  refuseNext(550)
  await signUp('ana@example.org')
  await send()
  expect(await queue()).toEqual([])
  expect((await db.select().from(audit)).map((row) => row.event)).toContain('mail_given_up')
  await close()
})

test('several processes on one folder send each mail once', async () => {
  const { service, signUp, send, mails, dataDir, url, close } = await openWithMail()
  for (let n = 0; n < 5; n++) await signUp(`ana${n}@example.org`)
  const other = await openAccountDesk({ dataDir, smtpUrl: url })
  service.start(BASE)
  service.startUpkeep()
  other.service.start(BASE)
  other.service.startUpkeep()
  await Promise.all([send(), other.service.mailer.sendDue()])
  expect(mails.map((mail) => mail.to).sort()).toEqual([0, 1, 2, 3, 4].map((n) => `ana${n}@example.org`))
  await close()
})

test('a newer reset link cancels the mail of the older one', async () => {
  const { service, signUp, send, mails, now, close } = await openWithMail()
  await signUp('ana@example.org')
  for (let n = 0; n < 3; n++) await forgotPassword(service, { address: ADDRESS }, HOME, now())
  service.start(BASE)
  service.startUpkeep()
  await send()
  const resets = mails.filter((mail) => mail.subject === 'Set a new password')
  expect(resets).toHaveLength(1)
  const request = { token: resets[0]?.token ?? '', new_password: OTHER_PASSWORD }
  expect(await codeOf(() => resetPassword(service, request, now()))).toBe('done')
  await close()
})

test('without a mail server the message with its link goes to the log, at warning level', async () => {
  const desk = await openAccountDesk()
  desk.service.start(BASE)
  desk.service.startUpkeep()
  await desk.signUp('ana@example.org')
  await desk.service.mailer.sendDue()
  expect(desk.service.mailer.sends).toBe(false)
  expect(desk.log).toEqual([expect.objectContaining({ level: 40, to: 'ana@example.org' })])
  expect(desk.log[0]?.text).toContain(`${BASE}/account/verify#token=`)
  expect(await desk.db.select().from(mailQueue)).toEqual([])
})

test('every kind of mail exists in both languages, in different words, with no placeholder left', () => {
  const base = 'https://date.example.org'
  const names = [
    'subject',
    'domain',
    'reason',
    'since',
    'last',
    'free',
    'floor',
    'ends',
    'key',
    'end',
    'columns',
  ]
  const given = Object.fromEntries(names.map((name) => [name, `the ${name}`]))
  const facts = { base, at: '2025-03-01T10:00:00Z', token: 'abc', facts: given }
  for (const kind of KINDS) {
    const [ro, en] = LANGUAGES.map((language) => composeMessage({ ...facts, kind, language }))
    expect(ro?.subject).not.toBe(en?.subject)
    for (const message of [ro, en]) {
      for (const part of [message?.subject, message?.text, message?.html])
        expect(part).not.toMatch(/[{}]|undefined/)
      expect(message?.text).toContain('date.example.org')
      expect(message?.text.includes('#token=abc')).toBe(['verify', 'reset', 'invitation'].includes(kind))
    }
    expect(`${ro?.subject}${ro?.text}`).not.toMatch(/[şţŞŢ]/)
  }
})

test('in HTML no part of an address is markup', () => {
  const facts = {
    kind: 'verify',
    language: 'en',
    base: 'https://a.ro',
    at: '',
    token: '"><b>&',
    facts: {},
  } as const
  expect(composeMessage(facts).html).toContain('#token=&quot;&gt;&lt;b&gt;&amp;"')
})
