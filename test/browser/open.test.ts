/** A person with a laptop and an empty home folder publishes a table by double click, without a shell. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ABOUT_TEXTS } from '../../src/pages/texts/desk.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { END_TEXTS, WELCOME_TEXTS } from '../../src/pages/welcome/texts/welcome-texts.ts'
import {
  CHROMIUM,
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
} from '../support/chromium.ts'
import { Clerk } from '../support/clerk.ts'
import { onDesktop } from '../support/desktop.ts'

setDefaultTimeout(120_000)

/** `look` has no fixed address of the service: each start takes a new port. */
const OWN = /^foreign: (file|http:\/\/127\.0\.0\.1)/
const TABLE = 'Școala,Județul,Elevi\nȘcoala nr. 1,Cluj,312\nȘcoala nr. 2,Iași,208\n'

describeInBrowser('open: on a desktop', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  const visit = (options: Parameters<typeof look>[1], journey: (page: Page) => Promise<void>) =>
    look({ browser, address: '' }, options, journey)

  /** Does what the file opened by the start does by itself. */
  async function openFirst(page: Page, opened: string): Promise<void> {
    await page.goto(opened, { waitUntil: 'commit' })
    await page.waitForURL(/^http:/)
  }

  test('a file is published, the service stopped and the next file opened in six clicks, without a shell', () =>
    visit({ expected: [OWN] }, async (page) => {
      const welcome = WELCOME_TEXTS.ro
      const clerk = new Clerk(page, 'ro')
      const desktop = onDesktop()
      const first = desktop.start()
      await openFirst(page, await first.opened)
      expect(new URL(page.url()).pathname).toBe('/open')
      await expectAccessible(page)

      await clerk.press(page.getByRole('link', { name: welcome.publishButton }))
      await clerk.choose({ name: 'Școli.csv', content: TABLE })
      const domain = page.locator('form#about').getByLabel(ABOUT_TEXTS.ro.domain, { exact: true })
      await clerk.select(domain, DOMAIN_TEXTS.ro.education)
      await clerk.publish()
      await expectAccessible(page)
      await clerk.press(page.getByRole('button', { name: END_TEXTS.ro.end }))
      await page.getByRole('heading', { name: END_TEXTS.ro.ended }).waitFor()
      expect(await first.child.exited).toBe(0)

      const file = join(desktop.home, 'Prețuri de azi.csv')
      writeFileSync(file, 'oraș,preț\nCluj,5\nIași,7\n')
      const second = desktop.start(file)
      await openFirst(page, await second.opened)
      expect(new URL(page.url()).pathname).toMatch(/^\/publish\/drafts\//)
      await page.getByText('Prețuri de azi.csv').first().waitFor()
      expect(clerk.steps).toBeLessThanOrEqual(6)
      await page.goto(new URL('/', page.url()).href)
      await page.getByRole('link', { name: 'Școli' }).waitFor()
      second.child.kill('SIGTERM')
      expect(await second.child.exited).toBe(0)
    }))

  test('the same steps work in English on a narrow screen without scripts, and a button adds sample data', () =>
    visit({ expected: [OWN], language: 'en', theme: 'dark', width: 390, javaScript: false }, async (page) => {
      const texts = WELCOME_TEXTS.en
      const { child, opened } = onDesktop().start()
      await page.goto(await opened)
      await page.getByRole('button').click()
      await page.goto(`${page.url()}?lang=en`)
      await page.getByRole('heading', { name: texts.heading }).waitFor()
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: texts.samplesButton }).click()
      await page.waitForURL((url) => url.pathname !== '/open')
      await page.goBack()
      await page.getByRole('button', { name: END_TEXTS.en.end }).click()
      await page.getByRole('heading', { name: END_TEXTS.en.ended }).waitFor()
      await expectNoSidewaysScroll(page)
      expect(await child.exited).toBe(0)
    }))
})
