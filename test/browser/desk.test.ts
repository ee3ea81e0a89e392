/** Journeys on the publishing desk of a person who has never seen a shell. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { describeInBrowser, expectAccessible } from '../support/chromium.ts'
import { Clerk } from '../support/clerk.ts'
import { type DeskSite, dropFile, settled, startDesk } from '../support/desk-site.ts'

setDefaultTimeout(60_000)

const PRICES = 'oraș,preț\nCluj,5\nIași,-\n<b>Arad</b>,7\n'

describeInBrowser('desk: journeys', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk()
  })
  afterAll(() => desk?.stop())

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('nobody publishes without signing in and having the role', () =>
    desk.visit({ expected: [/403/] }, async (page, context) => {
      await page.goto('/publish')
      expect(new URL(page.url()).pathname).toBe('/account/login')
      await desk.enter(context, 'reader@example.org')
      await page.goto('/publish')
      await page.getByRole('heading', { name: 'Contul acesta nu poate publica' }).waitFor()
      // If the operator names no contact, the page shows the command that grants the role.
      await page.locator('main code', { hasText: /^izvor users set-role \S+@\S+ publisher$/ }).waitFor()
      await expectAccessible(page)
      await page.goto('/account')
      expect(await page.getByRole('link', { name: 'Publicare', exact: true }).count()).toBe(0)
    }))

  test('a new dataset is published by dropping a file, describing it and marking a sign as a missing value', () =>
    desk.visit({ language: 'en' }, async (page, context) => {
      await desk.enterAsPublisher(context, 'clerk@example.org', { language: 'en' })
      await page.goto('/account')
      await page.getByRole('link', { name: 'Publish' }).click()
      await dropFile(page, 'Prețuri 2025.csv', PRICES)
      await page.getByText('one thing to settle').waitFor()
      // Names and cells are text.
      await page.getByRole('cell', { name: '<b>Arad</b>' }).first().waitFor()
      await page.getByLabel('Domain', { exact: true }).selectOption({ label: 'Economy' })
      await page.getByLabel('Title').fill('Prices')
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

  test('the browser asks before an unfinished upload is left, and never when its draft opens', () =>
    desk.visit({}, async (page, context) => {
      await desk.enterAsPublisher(context, 'hidden@example.org')
      // A hidden window paints nothing, so whatever waits for the next paint comes late.
      await page.addInitScript('requestAnimationFrame = () => 0')
      const asked: string[] = []
      page.on('dialog', (dialog) => {
        asked.push(dialog.type())
        void dialog.accept()
      })
      const isLeftFreely = () =>
        page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))
      let isLeftWhileSending: boolean | undefined
      await page.route('**/publish/api/drafts?*', async (route) => {
        isLeftWhileSending = await isLeftFreely()
        await route.continue()
      })
      await page.goto('/publish')
      await page.locator('#address button:enabled').waitFor()
      expect(await isLeftFreely()).toBe(true)
      await new Clerk(page, 'ro').choose({ name: 'Orașe.csv', content: PRICES })
      expect([isLeftWhileSending, asked]).toEqual([false, []])
    }))
})
