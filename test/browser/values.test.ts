/** Somebody who looks for a value that the explorer's short lists leave out. */

import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'

setDefaultTimeout(60_000)

const COUNTIES = 'Alba Arad Argeș Bacău Bihor Brașov Cluj Dolj Gorj Iași Olt Sibiu Timiș Vâlcea'.split(' ')
/** Timiș is the rarest, so that the explorer does not list it. */
const LINES = COUNTIES.flatMap((county, at) =>
  Array.from({ length: 40 - 2 * (county === 'Timiș' ? 19 : at) }, (_, n) => `${county},Sat ${n},${n}`),
)

let site: Site
beforeAll(async () => {
  site = await startSite({
    samples: [
      {
        ...{ id: 'sate', domain: 'geospatial', text: `judet,sat,case\n${LINES.join('\n')}\n` },
        definition: { title: 'Sate' },
      },
    ],
  })
})
afterAll(() => site?.stop())

describeInBrowser('all values of a column', () => {
  for (const javaScript of [true, false]) {
    test(`a facet's other values lead to Timiș, ${javaScript ? 'by mouse' : 'without scripts on a telephone'}`, () =>
      look(site, { javaScript, width: javaScript ? 1280 : 390 }, async (page) => {
        await page.goto('/datasets/sate')
        const facets = page.locator('details.facets')
        if (!javaScript) await facets.locator('summary').click()
        await facets
          .getByRole('link', { name: /^alte valori/ })
          .first()
          .click()
        await page.getByRole('heading', { level: 1, name: 'Toate valorile: judet' }).waitFor()
        await expectNoSidewaysScroll(page)
        await page.getByLabel('Căutați o valoare').fill('timis')
        await page.getByRole('button', { name: 'Căutați', exact: true }).click()
        await page.getByText('1 valoare', { exact: true }).waitFor()
        await page.getByRole('link', { name: 'Timiș', exact: true }).click()
        await page.getByText('2 rânduri', { exact: true }).waitFor()
      }))
  }

  test('the same by keyboard alone', () =>
    look(site, { language: 'en' }, async (page) => {
      await page.goto('/datasets/sate/values?column=judet')
      await page.getByLabel('Find a value').focus()
      await page.keyboard.type('timis')
      await page.keyboard.press('Enter')
      await page.getByText('1 value', { exact: true }).waitFor()
      const value = page.getByRole('link', { name: 'Timiș', exact: true })
      for (let tabs = 0; tabs < 20; tabs++) {
        if (await value.evaluate((link) => link === document.activeElement)) break
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Enter')
      await page.getByText('2 rows', { exact: true }).waitFor()
    }))

  test('axe-core has nothing against the page, in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await look(site, { theme }, async (page) => {
        for (const query of ['column=judet', 'column=sat&judet[eq]=Alba', 'column=sat&find=nimic']) {
          await page.goto(`/datasets/sate/values?${query}`)
          await expectAccessible(page)
        }
      })
    }
  })
})
