/** What a person who never saw a shell does on the publishing desk. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll } from '../support/chromium.ts'
import { chooseFile, type DeskSite, settled, startDesk } from '../support/desk-site.ts'
import { PASSWORD } from '../support/passwords.ts'

setDefaultTimeout(60_000)

const PRICES = 'oraș,preț\nCluj,5\nIași,-\n<b>Arad</b>,7\n'

describeInBrowser('desk: journeys', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk()
  })
  afterAll(() => desk?.stop())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('nobody publishes without signing in and without the role', () =>
    desk.visit({ expected: [/403/] }, async (page, context) => {
      await page.goto('/publish')
      expect(new URL(page.url()).pathname).toBe('/account/login')
      await desk.enter(context, 'reader@example.org')
      await page.goto('/publish')
      await page.getByRole('heading', { name: 'Contul acesta nu poate publica' }).waitFor()
      await expectAccessible(page)
      await page.goto('/account')
      expect(await page.getByRole('link', { name: 'Publicare', exact: true }).count()).toBe(0)
    }))

  test('a new dataset: choose the file, say what it is, mark a sign as no value, publish', () =>
    desk.visit({ language: 'en' }, async (page, context) => {
      await desk.enterAsPublisher(context, 'clerk@example.org', { language: 'en' })
      await page.goto('/account')
      await page.getByRole('link', { name: 'Publish' }).click()
      await chooseFile(page, 'Prețuri 2025.csv', PRICES)
      await page.getByText('one thing to settle').waitFor()
      // Names and cells are text.
      await page.getByRole('cell', { name: '<b>Arad</b>' }).first().waitFor()
      await page.getByLabel('Domain').first().selectOption({ label: 'Economy' })
      await page.getByLabel('Title').first().fill('Prices')
      await button(page, 'Save').first().click()
      await page.getByText('ready to publish').waitFor()
      await page.getByLabel(/- means/).check()
      await settled(page)
      await page.locator('.served th', { hasText: 'whole number' }).waitFor()
      await button(page, 'Publish').click()
      await page.getByText('“Prices” is published (version 1).').waitFor()
      const rows = await (await fetch(`${desk.site.address}/datasets/preturi_2025/rows`)).json()
      expect(rows.data).toEqual([
        { oras: 'Cluj', pret: 5 },
        { oras: 'Iași', pret: null },
        { oras: '<b>Arad</b>', pret: 7 },
      ])
    }))

  test('the next edition of a known file: choose it, publish', () =>
    desk.visit({}, async (page, context) => {
      await desk.enterAsPublisher(context, 'editii@example.org')
      await page.goto('/publish')
      await chooseFile(page, 'Orase 2024.csv', 'oraș,preț\nCluj,5\n')
      await page.getByLabel('Domeniu').first().selectOption({ label: 'Economie' })
      await button(page, 'Salvează').first().click()
      await page.getByText('gata de publicat').waitFor()
      await button(page, 'Publică').click()
      await page.getByText('(versiunea 1)').waitFor()
      await page.goto('/publish')
      await chooseFile(page, 'Orase 2024.csv', 'oraș,preț\nCluj,6\nDej,7\n')
      await button(page, 'Publică').click()
      await page.getByText('(versiunea 2)').waitFor()
    }))

  test('a session that ends on the way leads to signing in, and back to the same file', () =>
    desk.visit({ expected: [/401/] }, async (page, context) => {
      const email = 'pleaca@example.org'
      await desk.enterAsPublisher(context, email)
      await page.goto('/publish')
      await chooseFile(page, 'Pleaca.csv', PRICES)
      const address = page.url()
      await context.clearCookies()
      await page.getByLabel(/- înseamnă/).click()
      await page.getByText('Sesiunea s-a încheiat.').waitFor()
      await page.fill('[name="email"]', email)
      await page.fill('[name="password"]', PASSWORD)
      await page.click('button[type="submit"]')
      await page.waitForURL(address)
      await settled(page)
    }))

  for (const width of [390, 1280])
    for (const language of ['ro', 'en'] as const)
      test(`${language}, ${width} px: nothing to object to, and nothing wider than the window`, () =>
        desk.visit({ language, width }, async (page, context) => {
          await desk.enterAsPublisher(context, `axe-${language}-${width}@example.org`, { language })
          await page.goto('/publish')
          await page.locator('#address button:enabled').waitFor()
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await chooseFile(page, `Prices ${language} ${width}.csv`, `${PRICES}Dej,8,9\n`)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
          await page.locator('.served thead button').first().click()
          await page.getByRole('dialog').waitFor()
          await expectAccessible(page)
        }))
})
