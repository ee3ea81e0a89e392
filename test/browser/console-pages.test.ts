/** Every page of the console: what it does, what it refuses, and that it is accessible. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll } from '../support/chromium.ts'
import { type ConsoleSite, startConsole } from '../support/console.ts'
import { OTHER_PASSWORD, PASSWORD } from '../support/passwords.ts'

setDefaultTimeout(60_000)

describeInBrowser('console: every page', () => {
  let desk: ConsoleSite
  beforeAll(async () => {
    desk = await startConsole()
  })
  afterAll(() => desk?.stop())

  const submit = 'button[type="submit"]'

  async function makeCalls(page: Page, count: number): Promise<void> {
    const { secret } = (await desk.call(page, 'POST', '/keys', { label: 'Jurnal' })) as { secret: string }
    const headers = { authorization: `Bearer ${secret}` }
    for (let index = 0; index < count; index++) {
      const path = index % 4 === 0 ? '/v1/datasets/nimic' : `/v1/education/scoli?limit=${(index % 3) + 1}`
      await (await fetch(desk.site.address + path, { headers })).arrayBuffer()
    }
  }

  const ENTRIES = ['login', 'signup', 'forgot', 'verify', 'reset#token=x']
  const SECTIONS = ['', '/usage', '/logs', '/security', '/profile']

  describe.each([
    ['light', 1280, 'ro'],
    ['dark', 360, 'en'],
  ] as const)('accessibility: %s, %d px, %s', (theme, width, language) => {
    test('axe-core finds nothing on any page, and no page scrolls sideways', () =>
      desk.visit({ theme, width, language }, async (page, context) => {
        const check = async () => {
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
        for (const entry of ENTRIES) {
          await page.goto('about:blank')
          await page.goto(`/account/${entry}`)
          await page.locator(`${submit}:enabled, .note`).first().waitFor()
          await check()
        }
        await desk.enter(context, `${theme}${width}@example.org`, language)
        await page.goto('/account')
        await makeCalls(page, 5)
        for (const section of SECTIONS) {
          await page.goto(`/account${section}`)
          await page.locator('.waiting').first().waitFor({ state: 'detached' })
          await page.waitForFunction(() => document.querySelector('.waiting') === null)
          for (const details of await page.locator('main details > summary').all()) await details.click()
          await check()
        }
        await page.locator('button.danger').click()
        await page.locator('dialog[open]').waitFor()
        await check()
      }))
  })

  describe('request log', () => {
    test('every filter narrows the log and its pages, and the address keeps filter and page', () =>
      desk.visit({ language: 'en' }, async (page, context) => {
        await desk.enter(context, 'logs@example.org', 'en')
        await page.goto('/account/logs')
        await page.getByText('Requests made with your keys appear here').waitFor()
        await makeCalls(page, 60)
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByText('1–50 of 60 requests').waitFor()
        await page.getByRole('link', { name: 'Older' }).click()
        await page.getByText('51–60 of 60 requests').waitFor()
        await page.locator('h2:focus').waitFor()
        expect(page.url()).toEndWith('offset=50#log-results')

        await page.getByLabel('Status').selectOption('4xx')
        await page.getByLabel('Path contains').fill('nimic')
        await page.getByLabel('Method').selectOption('GET')
        await page.getByLabel('Key').selectOption({ label: 'Jurnal' })
        await page.getByLabel('From').fill('2020-01-01T00:00')
        await page.getByLabel('Until').fill('2120-01-01T00:00')
        await page.getByLabel('Per page').selectOption('25')
        await page.getByRole('button', { name: 'Filter', exact: true }).click()
        await page.getByText('1–15 of 15 requests').waitFor()
        const { searchParams } = new URL(page.url())
        expect(Object.fromEntries(searchParams)).toMatchObject({
          ...{ status_class: '4xx', q: 'nimic', method: 'GET', limit: '25' },
          until: expect.stringMatching(/^2\d+-\d\d-\d\dT\d\d:\d\d:59Z$/),
        })
        await page.getByLabel('Until').fill('2020-01-02T00:00')
        await page.getByRole('button', { name: 'Filter', exact: true }).click()
        await page.getByText('No requests match the filters.').waitFor()

        await page.goBack()
        await page.getByText('1–15 of 15 requests').waitFor()
        await page.reload()
        await page.getByText('1–15 of 15 requests').waitFor()
        expect(await page.getByLabel('Path contains').inputValue()).toBe('nimic')
        await page.getByRole('button', { name: 'Clear filters' }).click()
        await page.getByText('1–50 of 60 requests').waitFor()
        expect(await page.getByLabel('Path contains').inputValue()).toBe('')
        await page.locator('.log-request summary').first().click()
        await page.getByText('Request id').first().waitFor()
      }))
  })

  describe('account', () => {
    test('profile and language are saved, a new password signs out other browsers, and all data can be downloaded', () =>
      desk.visit({}, async (page, context) => {
        await desk.enter(context, 'profil@example.org')
        await page.goto('/account/profile')
        await page.fill('[name="full_name"]', 'Ana <i>Pop</i>')
        await page.click('#profile button')
        await page.getByText('Profilul a fost salvat.').waitFor()
        await page.selectOption('[name="language"]', 'en')
        await page.click('#profile button')
        await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
        await page.locator('#profile').waitFor()
        expect(await page.inputValue('[name="full_name"]')).toBe('Ana <i>Pop</i>')
        await page.getByRole('button', { name: 'Send the link again' }).click()
        await desk.mail.linkTo('profil@example.org', 2)

        const [download] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')])
        const data = await Bun.file(await download.path()).json()
        expect([data.account.email, data.account.full_name]).toEqual(['profil@example.org', 'Ana <i>Pop</i>'])

        // A second browser is signed in to the same account until the password changes.
        await signInElsewhere('profil@example.org')
        await page.getByRole('link', { name: 'Security' }).click()
        await page.getByRole('button', { name: /^Sign out: / }).waitFor()
        await page.fill('[name="current_password"]', PASSWORD)
        await page.fill('[name="new_password"]', OTHER_PASSWORD)
        await page.click('#password button[type="submit"]')
        await page.getByText('The password has been changed.').waitFor()
        await page.getByRole('button', { name: /^Sign out: / }).waitFor({ state: 'detached' })
        expect(await page.inputValue('[name="new_password"]')).toBe('')
      }))

    test('the dialog reports a wrong password; the right one deletes the account permanently', () =>
      desk.visit({ expected: [/status 4(22|01)/, /console: .*4(22|01)/] }, async (page, context) => {
        await desk.enter(context, 'sters@example.org')
        await page.goto('/account/profile')
        await page.getByRole('button', { name: 'Ștergeți contul…' }).click()
        await page.fill('dialog [name="password"]', OTHER_PASSWORD)
        await page.click('dialog button.danger')
        await page.getByText('Parola actuală este greșită.').waitFor()
        await page.fill('dialog [name="password"]', PASSWORD)
        await page.click('dialog button.danger')
        await page.getByText('Contul a fost șters').waitFor()
        expect(await context.cookies()).toEqual([])
        await page.fill('[name="email"]', 'sters@example.org')
        await page.fill('[name="password"]', PASSWORD)
        await page.click(submit)
        await page.getByText('Adresa de e-mail sau parola este greșită').waitFor()
      }))

    async function signInElsewhere(email: string): Promise<void> {
      const answer = await fetch(`${desk.site.address}/account/api/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.9' },
        body: JSON.stringify({ email, password: PASSWORD }),
      })
      expect(answer.status).toBe(200)
    }
  })

  describe('refusals', () => {
    test('a taken address, too many keys and too many attempts are reported in the reader’s language', () =>
      desk.visit(
        { language: 'en', expected: [/status 4(09|29|01)/, /console: .*4(09|29|01)/] },
        async (page, context, ip) => {
          await desk.enter(context, 'taken@example.org', 'en')
          await page.goto('/account')
          for (let index = 1; index <= 5; index++)
            await desk.call(page, 'POST', '/keys', { label: `K${index}` })
          await page.fill('#mint-label', 'one too many')
          await page.press('#mint-label', 'Enter')
          await page.getByRole('alert').getByText('Your plan does not allow more active keys.').waitFor()

          await context.clearCookies()
          await page.goto('/account/signup')
          await page.fill('[name="email"]', 'Taken@example.org')
          await page.fill('[name="password"]', OTHER_PASSWORD)
          await page.click(submit)
          await page.getByText('An account with this address already exists.').waitFor()
          await page.locator('[name="email"]:focus').waitFor()

          for (let index = 0; index < 10; index++) {
            await fetch(`${desk.site.address}/account/api/login`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': ip },
              body: JSON.stringify({ email: 'nobody@example.org', password: PASSWORD }),
            })
          }
          await page.goto('/account/login?lang=ro')
          await page.fill('[name="email"]', 'nobody@example.org')
          await page.fill('[name="password"]', PASSWORD)
          await page.click(submit)
          await page
            .getByRole('alert')
            .getByText(/^Prea multe încercări\. Reveniți peste .*secunde?\.$/)
            .waitFor()
        },
      ))

    test('a wrong or weak password, a name that is too long, a used link and too many keys are reported in Romanian', () =>
      desk.visit({ expected: [/status 4(09|22)/, /console: .*4(09|22)/] }, async (page, context) => {
        await desk.enter(context, 'refuzat@example.org')
        await page.goto('/account')
        // Longer than the field lets anyone type.
        await page.locator('#mint-label').evaluate((input) => input.removeAttribute('maxlength'))
        await page.fill('#mint-label', 'x'.repeat(101))
        await page.press('#mint-label', 'Enter')
        await page.getByText('Un nume de 1 până la 100 de caractere.').waitFor()
        for (let index = 1; index <= 5; index++)
          await desk.call(page, 'POST', '/keys', { label: `K${index}` })
        await page.fill('#mint-label', 'una prea mult')
        await page.press('#mint-label', 'Enter')
        await page.getByRole('alert').getByText('Planul dumneavoastră nu permite mai multe chei').waitFor()

        await page.goto('/account/security')
        await page.fill('[name="current_password"]', OTHER_PASSWORD)
        await page.fill('[name="new_password"]', `${OTHER_PASSWORD} 2`)
        await page.click('#password button[type="submit"]')
        await page.getByText('Parola actuală este greșită.').waitFor()
        await page.fill('[name="current_password"]', PASSWORD)
        await page.fill('[name="new_password"]', 'parolaparola')
        await page.click('#password button[type="submit"]')
        await page.getByText('Această parolă este ușor de ghicit.').waitFor()

        await page.goto(`/account/verify#token=${'x'.repeat(43)}`)
        await page.getByRole('button', { name: 'Confirmați adresa' }).click()
        await page.getByText('Legătura a fost deja folosită sau a expirat.').waitFor()
      }))

    test('a form that gets no answer says so, keeps what was typed, and works again', () =>
      desk.visit({ expected: [/failed: /, /console: /] }, async (page, context) => {
        await desk.enter(context, 'retea@example.org')
        await page.goto('/account')
        await page.locator('#mint button:enabled').waitFor()
        await context.setOffline(true)
        await page.fill('#mint-label', 'Fără rețea')
        await page.press('#mint-label', 'Enter')
        await page.getByText('Nu am primit niciun răspuns.').waitFor()
        await context.setOffline(false)
        await page.press('#mint-label', 'Enter')
        await page.getByRole('heading', { level: 2, name: 'Fără rețea' }).waitFor()
      }))
  })

  test('without JavaScript every page says that it is needed, and nothing sets a cookie', () =>
    desk.visit({ javaScript: false }, async (page, context) => {
      for (const entry of ['login', 'signup', 'forgot', 'reset', 'verify']) {
        await page.goto(`/account/${entry}`)
        expect(await page.locator('main').textContent()).toContain(
          'Paginile contului au nevoie de JavaScript',
        )
        expect(await page.locator('form').isVisible()).toBe(false)
      }
      expect(await context.cookies()).toEqual([])
      await desk.enter(context, 'fara@example.org')
      await page.goto('/account')
      expect(await page.locator('main').textContent()).toContain('Paginile contului au nevoie de JavaScript')
    }))
})

describeInBrowser('console: a service without a mail server', () => {
  let desk: ConsoleSite
  beforeAll(async () => {
    desk = await startConsole({ sendsMail: false })
  })
  afterAll(() => desk?.stop())

  test('sign-up, a new link and a forgotten password say that no mail was sent, and where the link is', () =>
    desk.visit({ language: 'en' }, async (page, context) => {
      await page.goto('/account/signup')
      await page.getByLabel('E-mail address').fill('ana@example.org')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.locator('button[type="submit"]').click()
      await page.getByText('This service sends no e-mail: ask its operator').waitFor()
      await page.goto('/account/profile')
      await page.getByRole('button', { name: 'Write a new link to the log' }).click()
      await page.getByText('A new link is in the log of the service').waitFor()
      await expectAccessible(page)
      expect(await page.locator('main').textContent()).not.toMatch(/sent|on its way/)

      await context.clearCookies()
      await page.goto('/account/forgot')
      await page.getByText('This service sends no e-mail.').waitFor()
      await page.getByLabel('E-mail address').fill('ana@example.org')
      await page.getByRole('button', { name: 'Request a link' }).click()
      await page.getByText('No e-mail was sent.').waitFor()
      expect(await page.locator('main').textContent()).not.toContain('on its way')
    }))
})
