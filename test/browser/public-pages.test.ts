/** The public pages for everybody: axe-core's rules in both themes, small windows, paper, and what they weigh. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'

setDefaultTimeout(60_000)

const PAGES = [
  '/',
  '/?q=elevi',
  '/?q=nimicnimic',
  '/datasets/scoli',
  '/datasets/consum_zilnic',
  '/datasets/rau_voitor',
]

describeInBrowser('public pages', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.stop())

  for (const theme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing on catalog and dataset pages, ${theme}`, () =>
      look(site, { theme }, async (page) => {
        for (const path of PAGES) {
          await page.goto(path)
          await expectAccessible(page)
        }
        await page.goto('/datasets/scoli?judet=Cluj&sort=-elevi&chart=elevi')
        await page.getByText('Adaugă un filtru').click()
        await page.getByText('Numerele din grafic').click()
        await expectAccessible(page)
      }))
  }

  test('axe-core finds nothing on the page of an error, nor at 360 pixels', () =>
    look(site, { width: 360, expected: [/404/] }, async (page) => {
      for (const path of ['/', '/datasets/scoli', '/datasets/nu_exista']) {
        await page.goto(path)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
    }))

  test('the first page takes less than 100 KB in all, and nothing on it or a dataset page moves', () =>
    look(site, {}, async (page) => {
      let bytes = 0
      page.on('response', async (response) => {
        bytes += (await response.request().sizes()).responseBodySize
      })
      for (const path of ['/', '/datasets/scoli']) {
        await page.goto(path, { waitUntil: 'networkidle' })
        const shift = await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              let sum = 0
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
              }).observe({ type: 'layout-shift', buffered: true })
              requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)))
            }),
        )
        expect([path, shift]).toEqual([path, 0])
        expect(bytes).toBeLessThan(100_000)
      }
      expect(bytes).toBeGreaterThan(5000)
    }))
})
