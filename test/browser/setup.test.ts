/** Setting up a service on a desktop, by keyboard alone and without scripts. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { WELCOME_TEXTS } from '../../src/pages/welcome/texts/welcome-texts.ts'
import { SETUP_TEXTS } from '../../src/upkeep/setup/texts/setup-texts.ts'
import {
  CHROMIUM,
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
} from '../support/chromium.ts'
import { onDesktop } from '../support/desktop.ts'

setDefaultTimeout(120_000)

/** `look` has no fixed address of the service: each start takes a new port. A refused step is a 422. */
const EXPECTED = [/^foreign: (file|http:\/\/127\.0\.0\.1)/, /422/]

describeInBrowser('setup', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  const hasFocus = (page: Page, selector: string) =>
    page.locator(`${selector}:focus`).waitFor({ state: 'attached' })

  async function tabTo(page: Page, selector: string): Promise<void> {
    const isThere = async () => (await page.locator(`${selector}:focus`).count()) > 0
    for (let step = 0; step < 60 && !(await isThere()); step++) await page.keyboard.press('Tab')
    await hasFocus(page, selector)
  }

  test.each([
    ['ro', 'light', 390, true],
    ['ro', 'light', 1280, false],
    ['en', 'dark', 1280, true],
    ['en', 'dark', 390, false],
  ] as const)('in %s, %s, at %d px, with scripts: %p: Tab, arrows and Enter are enough', async (...how) => {
    const [language, theme, width, javaScript] = how
    // The check of the whole page is itself a script.
    const examine = async (page: Page) => {
      if (javaScript) await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    await look(
      { browser, address: '' },
      { expected: EXPECTED, language, theme, width, javaScript },
      async (page) => {
        const texts = SETUP_TEXTS[language]
        const desktop = onDesktop()
        await page.goto(await desktop.start().opened, { waitUntil: 'commit' })
        if (!javaScript) await page.getByRole('button').click()
        await page.waitForURL(/\/open$/)
        await page.goto(`${page.url()}?lang=${language}`)
        await page.getByRole('link', { name: WELCOME_TEXTS[language].shareButton }).click()
        await page.getByRole('heading', { name: texts.heading }).waitFor()
        await examine(page)

        await tabTo(page, '#publisher')
        await page.keyboard.press('Enter')
        await page.getByText(texts.missing(texts.publisher)).waitFor()
        await hasFocus(page, '#publisher')
        await examine(page)
        await page.keyboard.type('Școala nr. 7')
        await page.keyboard.press('Enter')
        await page.getByText(texts.nowInForce(texts.publisher)).waitFor()

        await tabTo(page, '#backup input[type="radio"]')
        expect(await page.locator('#backup_dir').isVisible()).toBe(false)
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Tab')
        await hasFocus(page, '#backup_dir')
        const folder = join(desktop.home, 'copii')
        await page.keyboard.type(folder)
        await page.keyboard.press('Enter')
        await page.getByText(texts.backupMade(folder)).waitFor()
        await examine(page)
        expect(readFileSync(join(desktop.data, 'izvor.toml'), 'utf8')).toBe(
          `publisher = "Școala nr. 7"\nbackup_dir = "${folder}"\nbackup_schedule = "30 2 * * *"\n`,
        )
      },
    )
  })
})
