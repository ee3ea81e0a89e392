/** A citizen finds a dataset by its contents, and gets to its rows. */

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

const COUNTIES = ['CLUJ', 'IAȘI', 'TIMIȘ']
const FUELS = ['BENZINĂ', 'ELECTRIC', 'MOTORINĂ']
const rows = COUNTIES.flatMap((county) =>
  FUELS.flatMap((fuel) => [2022, 2023, 2024].map((year) => `${county},${fuel},${year},${year - 2000}`)),
)
const FLEET = {
  id: 'parc',
  domain: 'transport',
  text: `Județ,Tip combustibil,An fabricație,Număr vehicule\n${rows.join('\n')}\n`,
  definition: {
    title: 'Parcul auto pe județe',
    columns: [
      { name: 'judet', source: 'Județ', title: 'Județ' },
      { name: 'tip_combustibil', source: 'Tip combustibil', title: 'Tip combustibil' },
    ],
  },
}

let site: Site
beforeAll(async () => {
  site = await startSite({ samples: [FLEET] })
})
afterAll(() => site?.stop())

describeInBrowser('searching the catalog', () => {
  for (const javaScript of [true, false])
    test(`every search that people try finds something, ${javaScript ? 'with' : 'without'} scripts`, () =>
      look(site, { javaScript }, async (page) => {
        for (const q of ['parc auto', 'masini', 'electric', 'mașini electrice', 'cluj', 'autovehicule']) {
          await page.goto('/')
          await page.getByLabel('Căutați un set de date').fill(q)
          if (!javaScript) await page.getByRole('button', { name: 'Căutați', exact: true }).click()
          await page.getByText('Un set de date găsit').waitFor()
          await page.getByRole('link', { name: 'Parcul auto pe județe' }).waitFor()
        }
      }))

  test('four steps lead from the catalog to electric vehicles in Cluj by year, by keyboard', () =>
    look(site, {}, async (page) => {
      await page.goto('/')
      await page.getByLabel('Căutați un set de date').focus()
      // 1: the search.
      await page.keyboard.type('electrice cluj')
      const link = page.getByRole('link', { name: 'Rândurile cu Tip combustibil: ELECTRIC, Județ: CLUJ' })
      await link.waitFor()
      await expectAccessible(page)
      // 2: the rows of the dataset.
      await link.press('Enter')
      await page.locator('table.rows').waitFor()
      expect(await page.locator('table.rows tbody tr').count()).toBe(3)
      // 3: their totals; step 4 would choose other groups than the preselected one, by year.
      await page.getByRole('link', { name: 'Totaluri și grafice' }).press('Enter')
      await page.waitForURL(/\/summary/)
      const text = await page.locator('main').textContent()
      for (const part of ['ELECTRIC', 'CLUJ']) expect(text).toContain(part)
    }))

  test('misspelt words lead to similar words, on a narrow screen in the dark theme', () =>
    look(site, { width: 390, theme: 'dark', language: 'en' }, async (page) => {
      await page.goto('/?q=electrik+cluuj&lang=en')
      await page.getByText('Close to what you are looking for:').waitFor()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('link', { name: 'electric cluj' }).click()
      await page.getByRole('link', { name: /^Rows with/ }).waitFor()
    }))
})
