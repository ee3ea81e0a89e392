/** A reader looks for a value that the explorer's short lists leave out. */

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

const COUNTIES = 'Alba Arad Argeș Bacău Bihor Brașov Cluj Dolj Gorj Iași Olt Sibiu Timiș Vâlcea'.split(' ')
/** Timiș is the rarest, so the explorer does not list it. */
const LINES = COUNTIES.flatMap((county, at) =>
  Array.from({ length: 40 - 2 * (county === 'Timiș' ? 19 : at) }, (_, n) => `${county},Sat ${n},${n}`),
)

/** Some rows have no fuel; counties have equal numbers of rows but different sums. */
const FUELS = ['BENZINA', 'BENZINA', 'MOTORINA', 'ELECTRIC', '']
const CARS = COUNTIES.slice(0, 8).flatMap((county, at) =>
  FUELS.map((fuel, n) => ({ county, fuel, vehicles: 1000 * at + 10 * n + 1 })),
)
const carsOf = (matches: (car: (typeof CARS)[number]) => boolean) =>
  CARS.filter(matches).reduce((sum, { vehicles }) => sum + vehicles, 0)
const figures = (sum: number) => sum.toLocaleString('en', { useGrouping: true })

let site: Site
beforeAll(async () => {
  site = await startSite({
    samples: [
      {
        ...{ id: 'sate', domain: 'geospatial', text: `judet,sat,case\n${LINES.join('\n')}\n` },
        definition: { title: 'Sate' },
      },
      {
        ...{ id: 'auto', domain: 'transport' },
        text: `judet,combustibil,numar_vehicule\n${CARS.map((car) => Object.values(car).join(',')).join('\n')}\n`,
        definition: { title: 'Auto', columns: [{ name: 'numar_vehicule', title: 'Vehicule' }] },
      },
    ],
  })
})
afterAll(() => site?.stop())

describeInBrowser('all values of a column', () => {
  for (const javaScript of [true, false]) {
    test(`the link to all values of a facet leads to Timiș, ${javaScript ? 'by mouse' : 'without scripts on a phone'}`, () =>
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

  for (const javaScript of [true, false]) {
    test(`facets show the first measure beside the rows, ${javaScript ? 'also after a choice' : 'without scripts'}`, () =>
      look(site, { javaScript, language: 'en', width: javaScript ? 1280 : 390 }, async (page) => {
        await page.goto('/datasets/auto')
        const facet = (name: string) => page.locator('.facets section', { hasText: name })
        if (!javaScript) await page.locator('.facets summary').click()
        const fuels = facet('combustibil').getByRole('listitem')
        const expectFuels = async (isIn: (county: string) => boolean) => {
          const line = (fuel: string, name = fuel) => {
            const cars = CARS.filter((car) => isIn(car.county) && car.fuel === fuel)
            return `${name} ${cars.length} · ${figures(carsOf((car) => cars.includes(car)))}`
          }
          await page.getByText(line('ELECTRIC'), { exact: true }).waitFor()
          expect(await fuels.allTextContents()).toEqual([
            ...['BENZINA', 'ELECTRIC', 'MOTORINA'].map((fuel) => line(fuel)),
            line('', 'missing'),
          ])
        }
        await expectFuels(() => true)
        expect(await facet('judet').locator('p').textContent()).toBe('Rows · Sum: Vehicule')
        await facet('judet').getByRole('link', { name: /^Cluj/ }).click()
        await page.getByText('5 rows', { exact: true }).waitFor()
        if (!javaScript) await page.locator('.facets summary').click()
        await expectFuels((county) => county === 'Cluj')
        // The filter on a column does not narrow its own list.
        const dolj = carsOf(({ county }) => county === 'Dolj')
        expect(await facet('judet').getByRole('link', { name: /^Dolj/ }).textContent()).toBe(
          `Dolj 5 · ${figures(dolj)}`,
        )
        await expectNoSidewaysScroll(page)
        if (javaScript) await expectAccessible(page)
      }))
  }

  test('all values are found by keyboard alone', () =>
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

  test('axe-core finds nothing on the page, in either theme', async () => {
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
