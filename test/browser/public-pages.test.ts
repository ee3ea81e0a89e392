/** Accessibility and weight of the public pages: axe-core's rules in both themes, small windows, and transfer sizes. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'
import { IS_FULL } from '../support/property-runs.ts'

setDefaultTimeout(60_000)

/** The catalog and a dataset. */
const TEMPLATES = ['/', '/datasets/scoli']
const PAGES = [...TEMPLATES, '/?q=elevi', '/?q=nimicnimic', '/datasets/consum_zilnic', '/datasets/rau_voitor']
/** Themes differ only in colours, which come from the template, so other pages are checked only in a full run. */
const SWEPT = { light: PAGES, dark: IS_FULL ? PAGES : TEMPLATES }

/** 300 columns; text with invisible letters or reversed direction; a word of 5,000 letters. */
const ODD_SAMPLES = [
  {
    id: 'wide',
    domain: 'tests',
    text: [
      Array.from({ length: 300 }, (_, index) => `c${index}`),
      Array.from({ length: 300 }, (_, index) => (index % 5 === 0 ? '\u202eabc<b>' : '\u200b')),
    ].join('\n'),
    definition: { title: '\u202e<script>' },
  },
  {
    id: 'odd',
    domain: 'constructor',
    text: `constructor,n,long\n${['x', 'y'].map((value) => `${value},,${'w'.repeat(5000)}`).join('\n')}\n`,
    definition: {},
  },
  { id: 'zero', domain: 'tests', text: 'a,b\n', definition: {} },
  {
    id: 'places',
    domain: 'tests',
    text: 'place,lat,lon\nCluj,46.77,23.6\nIași,47.16,27.58\n',
    definition: {},
  },
]

describeInBrowser('odd tables', () => {
  test('are accessible at 360 pixels, and a wide one can be sorted by its first hundred columns', async () => {
    const site = await startSite({ samples: ODD_SAMPLES })
    try {
      await look(site, { width: 360 }, async (page) => {
        for (const path of [
          '/',
          '/datasets/wide',
          '/datasets/odd/summary?rows=long',
          '/datasets/zero',
          '/datasets/places/map',
        ]) {
          await page.goto(path)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
        await page.goto('/datasets/wide')
        await page.getByRole('link', { name: 'Ordonați după c3', exact: true }).click()
        await page.waitForURL('**/datasets/wide?sort=c3#explore')
        await page.locator('th[aria-sort=ascending]').waitFor()
        expect(await page.locator('table.rows th').count()).toBe(100)
      })
    } finally {
      await site.stop()
    }
  })
})

describeInBrowser('public pages', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.stop())

  for (const theme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing on catalog and dataset pages, ${theme}`, () =>
      look(site, { theme }, async (page) => {
        for (const path of SWEPT[theme]) {
          await page.goto(path)
          await expectAccessible(page)
        }
        await page.goto('/datasets/scoli?judet=Cluj&sort=-elevi')
        await page.getByText('Adăugați un filtru').click()
        await expectAccessible(page)
        await page.goto('/datasets/scoli/summary?rows=elevi')
        await expectAccessible(page)
      }))
  }

  test('axe-core finds nothing on an error page, nor at 360 pixels', () =>
    look(site, { width: 360, expected: [/404/] }, async (page) => {
      for (const path of ['/', '/datasets/scoli', '/datasets/nu_exista']) {
        await page.goto(path)
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
    }))

  test('the labels of a chart are large enough at 360 pixels and do not touch', () =>
    look(site, { width: 360 }, async (page) => {
      await page.goto('/datasets/consum_zilnic/summary')
      const words = await page.locator('svg.plot').evaluate((chart) => {
        const { left, right } = chart.getBoundingClientRect()
        return [...chart.querySelectorAll('.labels text')]
          .map((text) => text.getBoundingClientRect())
          .filter(({ width }) => width > 0)
          .map((box) => ({
            height: box.height,
            from: box.left - left,
            to: box.right - left,
            room: right - left,
          }))
      })
      expect(words.length).toBeGreaterThan(1)
      for (const [index, { height, from, to, room }] of words.entries()) {
        expect(height).toBeGreaterThan(10)
        expect(to).toBeLessThanOrEqual(room + 1)
        expect(from).toBeGreaterThan(words[index - 1]?.to ?? -1)
      }
    }))

  test('an error page links to the meaning of its code', () =>
    look(site, { language: 'en', expected: [/404/] }, async (page) => {
      await page.goto('/datasets/nu_exista?lang=en')
      await page.getByRole('link', { name: 'dataset_not_found' }).click()
      await page.waitForURL('**/docs/guides/errors?lang=en#dataset_not_found')
    }))

  test('the first page takes less than 100 KB in total, and neither it nor a dataset page shifts while loading', () =>
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
