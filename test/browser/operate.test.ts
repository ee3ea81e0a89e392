/** The operators' desk: every page, wide and narrow, in both languages and themes, without scripts. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContext } from 'playwright-core'
import { OPERATE_PATHS } from '../../src/pages/operate/operate-places.ts'
import {
  DONE_TEXTS,
  OPERATE_TEXTS,
  OPERATED_KEYS_TEXTS,
} from '../../src/pages/operate/texts/operate-texts.ts'
import { KEYS_TEXTS } from '../../src/pages/texts/account-keys.ts'
import { LAYOUT_TEXTS } from '../../src/pages/texts/site.ts'
import { succeed } from '../journeys/program.ts'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'
import { PASSWORD } from '../support/passwords.ts'

setDefaultTimeout(120_000)

describeInBrowser('operate', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.stop())

  /** Creates an operator and signs in. */
  async function enter({ request }: BrowserContext, email: string): Promise<void> {
    const made = await request.post('/account/api/signup', { data: { email, password: PASSWORD } })
    expect(made.status()).toBe(201)
    await succeed(['users', 'set-role', email, 'operator', '--data', site.data])
  }

  test.each([
    ['light', 1280, 'ro'],
    ['dark', 390, 'en'],
  ] as const)(
    'every page is accessible, and none scrolls sideways: %s, %d px, %s',
    (theme, width, language) =>
      look(site, { theme, width, language }, async (page, context) => {
        await enter(context, `${theme}@example.org`)
        for (const path of Object.values(OPERATE_PATHS)) {
          await page.goto(`${path.replace(':account', '1')}?lang=${language}`)
          for (const details of await page.locator('main li details > summary').all()) await details.click()
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
      }),
  )

  test('an operator reaches a key from the first page and returns, by keyboard alone and without scripts', () =>
    look(site, { language: 'en', width: 390, javaScript: false }, async (page, context) => {
      await enter(context, 'keys@example.org')
      await page.goto('/?lang=en')
      await page.getByRole('link', { name: LAYOUT_TEXTS.en.operate, exact: true }).press('Enter')
      await page.getByRole('link', { name: OPERATE_TEXTS.en.keys, exact: true }).press('Enter')
      const texts = KEYS_TEXTS.en
      const mint = page.locator('form#mintOperatorKey')
      await mint.getByLabel(texts.label).fill('City portal')
      await mint.getByLabel(texts.plan, { exact: true }).selectOption('free')
      await mint.getByRole('button', { name: texts.mint }).press('Enter')
      await page.getByRole('heading', { name: OPERATE_TEXTS.en.secretOnce }).waitFor()
      expect(await page.locator('.code-box code').textContent()).toMatch(/^rok_[0-9A-Za-z]{38}$/)

      const key = page.getByRole('listitem').filter({ hasText: 'City portal' })
      await key.getByText(texts.renameTitle('City portal')).press('Enter')
      await key.getByLabel(texts.label).fill('Town portal')
      await key.getByRole('button', { name: OPERATED_KEYS_TEXTS.en.save }).press('Enter')
      await page.getByRole('status').filter({ hasText: DONE_TEXTS.en.changeAnyKey }).waitFor()
      const renamed = page.getByRole('listitem').filter({ hasText: 'Town portal' })
      await renamed.getByText(texts.revokeTitle('Town portal')).press('Enter')
      await renamed.getByRole('button', { name: texts.revoke }).press('Enter')
      await page.getByRole('status').filter({ hasText: DONE_TEXTS.en.revokeAnyKey }).waitFor()
      expect(await renamed.locator('.tag').textContent()).toBe(texts.stateRevoked)
    }))

  test("at the machine's own address, beside a public one: signs up, and mints a key by a form", async () => {
    const own = await startSite({ env: { IZVOR_BASE_URL: 'https://data.example.org' }, samples: [] })
    try {
      await look(own, { language: 'en' }, async (page) => {
        await page.goto('/account/signup')
        const submit = page.locator('form button[type="submit"]:enabled')
        await submit.waitFor()
        await page.fill('[name="email"]', 'ana@example.org')
        await page.fill('[name="password"]', PASSWORD)
        await submit.click()
        await page.waitForURL('**/account')
        await succeed(['users', 'set-role', 'ana@example.org', 'operator', '--data', own.data])
        await page.goto('/operate/keys')
        const form = page.locator('form#mintOperatorKey')
        await form.getByLabel(KEYS_TEXTS.en.label).fill('City portal')
        await form.getByLabel(KEYS_TEXTS.en.plan, { exact: true }).selectOption('free')
        await form.getByRole('button', { name: KEYS_TEXTS.en.mint }).click()
        await page.getByRole('heading', { name: OPERATE_TEXTS.en.secretOnce }).waitFor()
        expect(new URL(page.url()).host).toBe(new URL(own.address).host)
      })
    } finally {
      await own.stop()
    }
  })
})
