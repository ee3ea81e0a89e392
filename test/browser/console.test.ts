/** Journeys of a developer and a key holder in the console. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { appCode } from '../support/authenticator.ts'
import { describeInBrowser, expectAccessible } from '../support/chromium.ts'
import { type ConsoleSite, startConsole, tabTo } from '../support/console.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

setDefaultTimeout(60_000)

describeInBrowser('console: journeys', () => {
  let desk: ConsoleSite
  beforeAll(async () => {
    desk = await startConsole()
  })
  afterAll(() => desk?.stop())

  const submit = 'button[type="submit"]'

  /** Calls the API with a key, as a program would. */
  async function ask(secret: string, path = '/v1/datasets'): Promise<number> {
    const answer = await fetch(desk.site.address + path, { headers: { authorization: `Bearer ${secret}` } })
    await answer.arrayBuffer()
    return answer.status
  }

  async function mintKey(page: Page, label: string): Promise<string> {
    await page.fill('#mint-label', label)
    await page.press('#mint-label', 'Enter')
    await page.getByRole('heading', { level: 2, name: label }).waitFor()
    return (await page.locator('.secret code').first().textContent())!
  }

  test('a developer signs up, confirms the address, creates a key, copies the curl line and runs it', () =>
    desk.visit({ expected: [/status 422/, /console: .*422/] }, async (page, context) => {
      const email = 'dezvoltator@example.org'
      await page.goto('/')
      expect(await context.cookies()).toEqual([])
      await page.getByRole('link', { name: 'Cont', exact: true }).click()
      expect(page.url()).toEndWith('/account/login')
      await page.getByRole('link', { name: 'Creați unul' }).click()

      // Each field says what is missing, and the first one gets the focus.
      await page.click(submit)
      expect(await page.locator('.error').first().textContent()).toBe('Completați acest câmp.')
      await page.locator('[name="email"]:focus').waitFor()
      await page.fill('[name="email"]', email)
      await page.fill('[name="password"]', 'parolaparola')
      await page.click(submit)
      await page.getByText('Această parolă este ușor de ghicit.').waitFor()
      await page.locator('[aria-describedby~="signup-password-error"]:focus').waitFor()
      await page.fill('[name="password"]', PASSWORD)
      await page.click(submit)
      await page.waitForURL('**/account')
      await page.getByText(`V-am trimis un mesaj la ${email}`).waitFor()

      const link = await desk.mail.linkTo(email)
      const mailPage = await context.newPage()
      await mailPage.goto(link)
      await mailPage.getByRole('button', { name: 'Confirmați adresa' }).click()
      await mailPage.getByText('Adresa este confirmată.').waitFor()
      expect(mailPage.url()).not.toContain('token')
      await mailPage.getByRole('link', { name: 'Mergeți la cont' }).click()
      await mailPage.getByText('Încă nu aveți nicio cheie.').waitFor()
      expect(await mailPage.getByText('V-am trimis').count()).toBe(0)
      await mailPage.close()

      await page.reload()
      const secret = await mintKey(page, 'Portal <b>"de"</b> mobilitate')
      await page.getByRole('button', { name: 'Copiați: Cererea cu curl' }).click()
      await page.getByText('Copiat.', { exact: true }).waitFor({ state: 'attached' })
      const line = await page.evaluate(() => navigator.clipboard.readText())
      expect(line).toContain(secret)
      const curl = Bun.spawn(['sh', '-c', `${line} --silent --show-error`], {
        env: { PATH: process.env.PATH ?? '' },
        stdout: 'pipe',
      })
      const answer = JSON.parse(await curl.stdout.text())
      expect(answer.pagination.total).toBe(3)

      // Back from the terminal, the page has counted the call, and the secret cannot be shown again.
      await page.getByRole('button', { name: 'Am copiat, ascundeți' }).click()
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.getByText('1 luna aceasta, 1 astăzi').waitFor()
      expect(await page.content()).not.toContain(secret)
      await page.reload()
      await page.getByText('1 luna aceasta, 1 astăzi').waitFor()
      expect(await page.content()).not.toContain(secret)
    }))

  test('a key holder replaces, renames, revokes and deletes keys, and sees usage change', () =>
    desk.visit({ language: 'en' }, async (page, context) => {
      await desk.enter(context, 'holder@example.org', 'en')
      await page.goto('/account')
      const first = await mintKey(page, 'Reports')
      const second = await mintKey(page, 'Maps')
      expect([await ask(first), await ask(second)]).toEqual([200, 200])

      await page.getByRole('button', { name: 'New secret: Reports' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click()
      await page.getByRole('heading', { level: 2, name: 'Reports' }).waitFor()
      // The page may still show the previous secret.
      const fresh = (await page.locator('.secret code').filter({ hasNotText: second }).first().textContent())!
      expect([await ask(first), await ask(fresh), await ask(second)]).toEqual([401, 200, 200])

      await page.getByRole('button', { name: 'Edit: Maps' }).click()
      await page.fill('dialog [name="label"]', 'Atlas')
      await page.press('dialog [name="label"]', 'Enter')
      await page.getByText('The key “Atlas” has been changed.').waitFor()

      await page.getByRole('button', { name: 'New secrets for all keys' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Replace all secrets' }).click()
      await page.getByRole('heading', { name: 'The new secrets' }).waitFor()
      const both = await page.locator('.secret code').allTextContents()
      expect(await Promise.all([fresh, second, ...both].map((secret) => ask(secret)))).toEqual([
        401, 401, 200, 200,
      ])

      await page.getByRole('button', { name: 'Revoke: Atlas' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
      expect(await ask(both[1]!)).toBe(200)
      await page.getByRole('button', { name: 'Revoke: Atlas' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click()
      await page.getByText('The key “Atlas” has been revoked.').waitFor()
      expect(await ask(both[1]!)).toBe(401)
      await page.getByRole('button', { name: 'Delete: Atlas' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete the key' }).click()
      await page.getByText('The key “Atlas” has been deleted.').waitFor()
      expect(await page.getByRole('listitem').filter({ hasText: 'Atlas' }).count()).toBe(0)

      await page.getByRole('link', { name: 'Usage' }).click()
      await page.getByText('9,993', { exact: true }).waitFor()
      expect(await page.locator('#month-calls').textContent()).toBe('7')
      await page.getByLabel('Period').selectOption('7')
      await page.getByRole('img', { name: /all keys.*: 7 in all/ }).waitFor()
      await page.getByRole('heading', { name: 'Response time' }).waitFor()
      expect(await page.getByRole('group', { name: 'By address' }).textContent()).toContain('/v1/datasets')
    }))

  test('a key gets scopes, an expiry date and a quota, each refused beside its field, and loses them again', () =>
    desk.visit({ language: 'en', expected: [/status 422/, /console: .*422/] }, async (page, context) => {
      await desk.enter(context, 'terms@example.org', 'en')
      await page.goto('/account')
      await page.locator('#mint button:enabled').waitFor()
      await page.fill('[name="label"]', 'Nightly')
      await page.getByText('Expiry, scopes, quota').click()
      const scopes = page.getByRole('group', { name: 'Scopes' })
      await scopes.getByLabel('Read all data').uncheck()
      await page.fill('#mint [name="expires_at"]', '2020-01-01T10:00')
      await page.fill('#mint [name="monthly_quota"]', '1e3')
      await page.press('#mint [name="label"]', 'Enter')
      await page.getByText('Choose at least one scope').waitFor()
      await page.getByText('A whole number, at least 1').waitFor()

      // By keyboard: a dataset of a domain, then the whole domain in its place.
      await scopes.getByText('Only some datasets of Education').focus()
      await page.keyboard.press('Enter')
      await scopes.getByLabel('read:education/scoli').focus()
      await page.keyboard.press('Space')
      expect(await page.locator('#mint [name="scopes"]').inputValue()).toBe('read:education/scoli')
      await page.fill('#mint [name="monthly_quota"]', '500')
      await page.press('#mint [name="label"]', 'Enter')
      await page.getByText('Choose a moment in the future.').waitFor()
      await page.fill('#mint [name="expires_at"]', '2099-12-31T10:00')
      await page.press('#mint [name="label"]', 'Enter')
      await page.getByRole('heading', { level: 2, name: 'Nightly' }).waitFor()
      const card = page.locator('.key', { hasText: 'Nightly' })
      await card.getByText('read:education/scoli').waitFor()
      // The key permits the first request.
      const curl = (await page.locator('.secret code').nth(1).textContent())!
      const [, secret = '', path = ''] = /Bearer (\S+)" "[^"]*?(\/v1[^"]*)"/.exec(curl) ?? []
      expect([path, await ask(secret, path)]).toEqual(['/v1/education/scoli?limit=5', 200])
      expect(await ask(secret, '/v1/education/scoli')).toBe(200)
      await card.getByText('31 Dec 2099, 10:00').waitFor()
      await card.getByText('500', { exact: true }).waitFor()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Edit: Nightly' }).click()
      await expectAccessible(page)
      for (const name of ['expires_at', 'monthly_quota']) await page.fill(`dialog [name="${name}"]`, '')
      await page.locator('dialog').getByLabel('Read all data').check()
      await page.press('dialog [name="label"]', 'Enter')
      await page.getByText('The key “Nightly” has been changed.').waitFor()
      expect(await card.textContent()).not.toMatch(/scoli|2099|500/)
    }))

  test('a dialog can be answered as soon as it is shown', () =>
    desk.visit({ language: 'en' }, async (page, context) => {
      await desk.enter(context, 'quick@example.org', 'en')
      await page.goto('/account')
      await mintKey(page, 'Maps')
      const opener = await page.getByRole('button', { name: 'Edit: Maps' }).elementHandle()
      const isDisabled = await page.evaluate(
        (button) =>
          new Promise((resolve) => {
            const look = () => {
              const submit = document.querySelector<HTMLButtonElement>('dialog button[type="submit"]')
              if (submit !== null) resolve(submit.disabled)
            }
            new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
            ;(button as HTMLElement).click()
          }),
        opener,
      )
      // Enter sends nothing while the button of a form is disabled.
      expect(isDisabled).toBe(false)
    }))

  test('keys can be managed by keyboard alone, at 360 px and in the dark theme', () =>
    desk.visit({ language: 'en', theme: 'dark', width: 360 }, async (page) => {
      await page.goto('/account/signup')
      await page.locator(`${submit}:enabled`).waitFor()
      await tabTo(page, 'E-mail address')
      await page.keyboard.type('keyboard@example.org')
      await tabTo(page, 'Password')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/account')
      await page.locator('#mint button:enabled').waitFor()
      await tabTo(page, 'Name of the key')
      await page.keyboard.type('Tab')
      await page.keyboard.press('Enter')
      const heading = page.locator('h2:focus', { hasText: 'The secret of “Tab”' })
      await heading.waitFor()
      await tabTo(page, 'Copy: The secret, Tab')
      await page.keyboard.press('Space')
      await page.getByText('Copied.', { exact: true }).waitFor({ state: 'attached' })
      const secret = await page.evaluate(() => navigator.clipboard.readText())
      expect(await ask(secret)).toBe(200)

      // A dialog keeps the focus inside, starts on the harmless choice, and returns the focus when it closes.
      await tabTo(page, 'Revoke: Tab')
      await page.keyboard.press('Enter')
      await page.locator('dialog button:focus', { hasText: 'Cancel' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.key button:focus', { hasText: 'Revoke' }).waitFor()
      await page.keyboard.press('Enter')
      await tabTo(page, 'Revoke the key')
      await page.keyboard.press('Enter')
      await page.locator('h3:focus', { hasText: 'Tab' }).waitFor()
      expect(await ask(secret)).toBe(401)
    }))

  test('two-step sign-in is turned on with an app, required at the next sign-in, and turned off', () =>
    desk.visit(
      { expected: [/status 401/, /console: .*40[13]/, /status 422/, /console: .*422/] },
      async (page, context) => {
        const email = 'doi.pasi@example.org'
        await desk.enter(context, email, 'en')
        await page.goto('/account/security')
        await page.getByRole('button', { name: 'Turn it on' }).click()
        await page.fill('#second-factor-password', PASSWORD)
        await page.press('#second-factor-password', 'Enter')
        await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
        await expectAccessible(page)
        const secret = (await page.locator('#factor-secret').textContent())!
        await page.fill('#factor-code-code', '000000')
        await page.press('#factor-code-code', 'Enter')
        await page.getByText('The code is wrong, too old or already used.').waitFor()
        await page.fill('#factor-code-code', appCode(secret, new Date()))
        await page.press('#factor-code-code', 'Enter')
        await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
        const recovery = (await page.locator('#recovery-codes').textContent())!.split('\n')
        expect(recovery).toHaveLength(10)
        await page.getByRole('button', { name: 'I have kept them' }).click()

        await page.getByRole('button', { name: 'Sign out', exact: true }).click()
        await page.waitForURL('**/account/login**')
        await page.fill('[name="email"]', email)
        await page.fill('[name="password"]', PASSWORD)
        await page.click(submit)
        await page.waitForFunction(() => document.activeElement?.id === 'second-step-code')
        await expectAccessible(page)
        await page.fill('#second-step-code', recovery[0]!)
        await page.press('#second-step-code', 'Enter')
        await page.waitForURL('**/account')

        await page.goto('/account/security')
        await page.getByRole('button', { name: 'Turn it off' }).click()
        await page.fill('#turn-off-password', PASSWORD)
        await page.fill('#turn-off-code', recovery[0]!)
        await page.press('#turn-off-code', 'Enter')
        await page.getByText('The code is wrong, too old or already used.').waitFor()
        await page.fill('#turn-off-code', recovery[1]!)
        await page.press('#turn-off-code', 'Enter')
        await page.getByText('Two-step sign-in is off.').waitFor()
        await page.getByRole('button', { name: 'Turn it on' }).waitFor()
      },
    ))

  test('a forgotten password is reset by mail, and other sessions end', () =>
    desk.visit({ expected: [/status 401/, /console: .*401/] }, async (page, context) => {
      const email = 'uituc@example.org'
      await desk.enter(context, email)
      await page.goto('/account/security')
      await page.getByText('acest browser').waitFor()

      const entry = await context.newPage()
      await entry.goto('/account/forgot')
      await entry.fill('[name="email"]', email)
      await entry.click(submit)
      await entry.locator('h2:focus', { hasText: 'Verificați căsuța de e-mail' }).waitFor()
      await entry.goto(await desk.mail.linkTo(email, 2))
      // Switching the language keeps the token.
      await entry.locator('a.language').click()
      await entry.fill('[name="new_password"]', OTHER_PASSWORD)
      await entry.click(submit)
      await entry.getByText('The new password is saved.').waitFor()
      await entry.fill('[name="email"]', email)
      await entry.fill('[name="password"]', PASSWORD)
      await entry.click(submit)
      await entry.getByText('The e-mail address or the password is wrong.').waitFor()

      // At its next call the open page learns that its session has ended; after signing in it is shown again.
      await page.fill('[name="current_password"]', PASSWORD)
      await page.fill('[name="new_password"]', `${PASSWORD} 2`)
      await page.click(submit)
      await page.getByText('Sesiunea s-a încheiat.').waitFor()
      await page.fill('[name="email"]', email)
      await page.fill('[name="password"]', OTHER_PASSWORD)
      await page.click(submit)
      await page.waitForURL('**/account/security')
      await page.getByRole('group', { name: 'Autentificări' }).getByText('parolă greșită').waitFor()
    }))
})
