/** A chart in an article: the code is copied from the page, and an article on another site shows it. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'
import { startWebServer } from '../support/web-server.ts'

setDefaultTimeout(60_000)

const SUMMARY = '/datasets/scoli/summary?rows=judet&measure=sum(elevi)&lang=ro'
const HEADING = 'Puneți în pagina dumneavoastră'
const FIELD = 'Cod HTML'

describeInBrowser('a chart in an article', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.stop())

  /** Serves an article that contains the code, at a separate address. */
  const articleWith = (code: string) =>
    startWebServer(
      () =>
        new Response(
          `<!doctype html><html lang="ro"><title>Articol</title><main><h1>Articol</h1>${code}</main></html>`,
          {
            headers: { 'content-type': 'text/html; charset=utf-8' },
          },
        ),
    ).url

  for (const javaScript of [true, false]) {
    test(`the copied code shows the same figures, ${javaScript ? 'by the button' : 'without scripts'}`, () =>
      look(site, { javaScript, expected: [/^foreign/] }, async (page) => {
        await page.goto(SUMMARY)
        const own = await page.locator('table.summary tbody tr').first().textContent()
        await page.locator('summary', { hasText: HEADING }).focus()
        await page.keyboard.press('Enter')
        const field = page.getByLabel(FIELD, { exact: true })
        if (javaScript) {
          await page.getByRole('button', { name: `Copiați: ${FIELD}` }).click()
          await page.getByText('Copiat', { exact: true }).waitFor()
        } else expect(await page.getByRole('button', { name: `Copiați: ${FIELD}` }).isVisible()).toBe(false)
        const code = javaScript
          ? await page.evaluate(() => navigator.clipboard.readText())
          : await field.inputValue()
        expect(code).toBe(await field.inputValue())

        const [frames] = await Promise.all([page.context().storageState(), page.goto(articleWith(code))])
        expect(frames.cookies).toEqual([])
        const frame = page.frameLocator('iframe')
        await frame.getByRole('heading', { level: 1, name: 'Școli și elevi pe județe' }).waitFor()
        expect(await frame.locator('table.summary tbody tr').first().textContent()).toBe(own)
        // Its links open the service outside the frame.
        const [opened] = await Promise.all([
          page.context().waitForEvent('page'),
          frame.getByRole('link', { name: 'Pagina completă' }).click(),
        ])
        await opened.waitForLoadState()
        expect(new URL(opened.url()).pathname).toBe('/datasets/scoli/summary')
        if (javaScript) expect(await opened.evaluate(() => window.opener)).toBeNull()
      }))
  }

  test('rows can be framed in the same way, and no other page can', () =>
    look(
      site,
      { expected: [/^foreign/, /frame-ancestors|Framing/, /^failed: .*\/datasets\/scoli/] },
      async (page) => {
        await page.goto('/datasets/scoli?judet[eq]=Cluj&lang=ro')
        await page.getByText(HEADING).click()
        const code = await page.getByLabel(FIELD, { exact: true }).inputValue()
        await page.goto(articleWith(code))
        await page.frameLocator('iframe').getByRole('cell', { name: 'Cluj' }).first().waitFor()

        await page.goto(articleWith(code.replace('/embed/scoli?view=rows&amp;', '/datasets/scoli?')))
        await page.getByRole('heading', { name: 'Articol' }).waitFor()
        expect(await page.frameLocator('iframe').getByText('Cluj').count()).toBe(0)
      },
    ))

  for (const theme of ['light', 'dark'] as const) {
    test(`the contents of frames of 300 and 1280 pixels are accessible and fit, ${theme}`, async () => {
      for (const width of [300, 1280]) {
        await look(site, { theme, width, expected: [/422/] }, async (page) => {
          for (const path of [
            '/embed/scoli?view=summary&lang=ro',
            '/embed/scoli?view=summary&rows=judet&columns=nivel&lang=en',
            '/embed/consum_zilnic?view=summary&lang=en',
            '/embed/scoli?view=rows&lang=en',
            '/embed/scoli?view=nothing&lang=ro',
          ]) {
            await page.goto(path)
            await expectAccessible(page)
            await expectNoSidewaysScroll(page)
          }
        })
      }
    })
  }
})
