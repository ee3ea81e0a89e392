/** A stolen data folder or log holds no password, token, cookie or key. */

import { expect, test } from 'bun:test'
import { Browser, startAccountApp } from '../support/browser.ts'
import { bytesBelow } from '../support/folder-bytes.ts'
import { testsNodes } from '../support/node-settings.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

const EMAIL = 'secrets@example.org'
const PASSWORDS = ['cinci lebede la Techirghiol', 'sase umbrele pe Feleac', 'opt trenuri spre Petrosani']

/** Uses every feature that has a secret, and returns the secrets by name. */
async function useSecrets(
  accounts: Awaited<ReturnType<typeof startAccountApp>>,
): Promise<Map<string, string>> {
  const secrets = new Map<string, string>(
    PASSWORDS.map((password, number) => [`password ${number}`, password]),
  )
  const keep = (name: string, secret: string | undefined) => {
    expect([name, secret?.length ?? 0]).not.toEqual([name, 0])
    secrets.set(`${name} ${secrets.size}`, secret!)
  }
  const keepSession = (browser: Browser) => {
    keep('session token', browser.cookie?.split('=')[1])
    keep('CSRF token', browser.csrf)
  }
  const first = await accounts.signUp(EMAIL, PASSWORDS[0])
  keepSession(first)
  const visitor = new Browser(accounts.app)
  await visitor.post('/password/forgot', { email: EMAIL })
  for (const { token } of await accounts.mailsTo(EMAIL)) keep('mailed token', token)
  const [verification, resetting] = (await accounts.mailsTo(EMAIL)).map(({ token }) => token)
  await visitor.post('/email/verify', { token: verification })
  await visitor.post('/password/reset', { token: resetting, new_password: PASSWORDS[1] })
  await visitor.post('/login', { email: EMAIL, password: PASSWORDS[2] })

  const browser = await accounts.signIn(EMAIL, PASSWORDS[1])
  keepSession(browser)
  await browser.post('/password/change', { current_password: PASSWORDS[1], new_password: PASSWORDS[2] })
  const { key_id, secret } = (await browser.post('/keys', { label: 'x' })).body
  const rotated = (await browser.post(`/keys/${key_id}/rotate`)).body.secret
  const [again] = (await browser.post('/keys/rotate-all')).body
  for (const one of [secret, rotated, again.secret]) {
    keep('key', one)
    await accounts.app.get(TOWNS_PATH, { key: one })
    await accounts.app.get(`${TOWNS_PATH}?county=${one}`, { key: again.secret })
    await accounts.app.get(`/v1/datasets/${one}?key=${one}`, { key: null })
  }
  // Mistakes people make: secrets where none belong.
  await browser.get(`/me?token=${verification}`)
  await browser.post('/login', `{"password":"${PASSWORDS[2]}`)
  await browser.post('/email/resend-verification')
  await visitor.post('/password/forgot', { email: EMAIL })
  for (const { token } of (await accounts.mailsTo(EMAIL)).slice(2))
    if (token !== '') keep('mailed token', token)
  return secrets
}

test.skipIf(testsNodes)(
  'no secret that was used is in any file of the data folder or any line of the log',
  async () => {
    const accounts = await startAccountApp({ log_level: 'trace' })
    try {
      await accounts.app.publish(TOWNS)
      const secrets = await useSecrets(accounts)
      expect(secrets.size).toBeGreaterThan(12)
      await accounts.app.app.usage.logs.settle()
      const files = bytesBelow(accounts.app.app.dataDir.root)
      const log = JSON.stringify(accounts.logLines)
      expect(files.includes(EMAIL)).toBe(true)
      for (const [name, secret] of secrets) {
        expect([name, files.includes(secret), log.includes(secret)]).toEqual([name, false, false])
      }
    } finally {
      await accounts.stop()
    }
  },
)
