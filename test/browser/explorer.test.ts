/** An analyst in the explorer: totals, charts, words and values, however they use a browser. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  describeInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'

setDefaultTimeout(60_000)

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site?.stop())

/** The groups that the API returns. */
async function groups(query: string): Promise<Record<string, string | number | null>[]> {
  const answer = await fetch(`${site.address}/v1/education/scoli/aggregate?${query}`, {
    headers: { authorization: `Bearer ${site.key}` },
  })
  expect(answer.status).toBe(200)
  return (await answer.json()).data
}

/** The cells of a row of the summary, without separators. */
async function rowOf(page: Page, name: string): Promise<string[]> {
  const row = page.locator('table.summary tr', { has: page.locator('th[scope=row]', { hasText: name }) })
  const cells = await row.locator('td').allTextContents()
  return cells.map((cell) => cell.replaceAll('.', ''))
}

describeInBrowser('summary', () => {
  for (const javaScript of [true, false]) {
    test(`counts, sums and cross-tabulates the filtered rows, ${javaScript ? 'at each choice' : 'without scripts'}`, () =>
      look(site, { javaScript }, async (page) => {
        const show = async () => {
          if (!javaScript) await page.getByRole('button', { name: 'Afișați', exact: true }).click()
        }
        await page.goto('/datasets/scoli?judet[ne]=Alba&q=scoala')
        await page.getByRole('link', { name: 'Totaluri și grafice' }).click()
        await page.getByText('din 280 de rânduri').waitFor()
        await page.getByLabel('Rânduri după').selectOption('judet')
        await show()
        await page.getByLabel('Coloane după').selectOption('nivel')
        await show()
        await page.getByLabel('Măsură').selectOption({ label: 'Suma: Elevi' })
        await show()
        await page.getByRole('heading', { name: 'Suma: Elevi, după Județ și Nivel' }).waitFor()
        const [cluj] = await groups('measures=sum(elevi)&judet=Cluj')
        const [all] = await groups('measures=sum(elevi)&judet[ne]=Alba')
        expect((await rowOf(page, 'Cluj')).at(-1)).toBe(String(cluj!.sum_elevi))
        expect((await rowOf(page, 'Total')).at(-1)).toBe(String(all!.sum_elevi))
        expect(await page.locator('.plot rect').count()).toBe(7)
        await page.getByRole('link', { name: 'Cluj', exact: true }).click()
        await page.getByText('40 de rânduri', { exact: true }).waitFor()
        expect(await page.locator('.filters').textContent()).toContain('cuvintele „scoala”')
      }))
  }

  test('the total of means is the mean of all rows, numbers follow the language, and the file equals the one from the API', () =>
    look(site, { language: 'en' }, async (page) => {
      await page.goto('/datasets/scoli/summary?rows=month(actualizat)&measure=avg(elevi)&lang=en')
      await page.getByRole('heading', { name: 'Mean: Elevi, by Actualizat, by month' }).waitFor()
      const [all] = await groups('measures=avg(elevi)')
      const mean = Number(all!.avg_elevi).toLocaleString('en-GB', {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
      })
      expect(await page.locator('tfoot td').allTextContents()).toEqual([mean])
      expect(await page.locator('.plot circle').count()).toBe(9)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'CSV', exact: true }).click(),
      ])
      expect(new URL(file.url()).pathname).toBe('/datasets/scoli/aggregate')
      const address = await page.locator('#api-address').textContent()
      const api = await fetch(address!, { headers: { authorization: `Bearer ${site.key}` } })
      expect((await api.json()).data.length).toBe(9)
    }))

  test('keyboard focus stays in place, and the address restores the view', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli/summary')
      await page.getByLabel('Măsură').focus()
      await page.keyboard.type('Media: Medie')
      await page.getByRole('heading', { name: 'Media: Medie, după Înființată, pe ani' }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('summary-measure')
      await page.locator('thead').getByRole('link', { name: 'Media: Medie' }).click()
      await page.locator('th[aria-sort=descending]').waitFor()
      await page.goBack()
      await page.locator('th[aria-sort=ascending]').waitFor()
      expect(await page.getByLabel('Măsură').inputValue()).toBe('avg(medie)')
    }))

  test('a measure that does not exist is refused in plain words', () =>
    look(site, { expected: [/422/] }, async (page) => {
      await page.goto('/datasets/scoli/summary?rows=judet&measure=sum(unitate)')
      expect(await page.getByRole('alert').textContent()).toContain('nu se poate calcula')
    }))

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    test(`axe-core finds nothing, and only the table is wider than ${width} pixels, ${theme}`, () =>
      look(site, { theme, width }, async (page) => {
        for (const query of [
          '',
          '?rows=judet&columns=nivel&measure=sum(elevi)',
          '?rows=month(actualizat)&columns=judet&measure=avg(elevi)',
        ]) {
          await page.goto(`/datasets/scoli/summary${query}`)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
      }))
  }
})

describeInBrowser('values and words', () => {
  for (const javaScript of [true, false]) {
    const way = javaScript ? 'without leaving the page' : 'without scripts'
    test(`choosing a value filters, the other counts follow, and the value can be removed again, ${way}`, () =>
      look(site, { javaScript }, async (page) => {
        const value = (name: RegExp) => page.locator('.facets').getByRole('link', { name })
        const fetched: string[] = []
        page.on('request', (request) => {
          if (request.resourceType() === 'fetch') fetched.push(new URL(request.url()).pathname)
        })
        await page.goto('/datasets/scoli')
        await value(/^Cluj 40/).click()
        await page.getByText('40 de rânduri', { exact: true }).waitFor()
        await value(/^Primar 40/).waitFor()
        expect(await value(/^Liceal/).count()).toBe(0)
        await value(/^Alba 40/).click()
        await page.getByText('80 de rânduri', { exact: true }).waitFor()
        expect(new URL(page.url()).searchParams.getAll('judet[eq]')).toEqual(['Cluj', 'Alba'])
        await value(/^Cluj 40/).click()
        await page.getByText('40 de rânduri', { exact: true }).waitFor()
        expect(await page.locator('.facets a[aria-current]').allTextContents()).toEqual([
          expect.stringMatching(/^Alba 40 · [\d.]+×$/),
        ])
        await page.locator('thead').getByRole('link', { name: 'Elevi' }).click()
        await page.locator('th[aria-sort=ascending]').waitFor()
        // Each choice sends one request.
        const choices = ['/datasets/scoli', '/datasets/scoli', '/datasets/scoli', '/datasets/scoli/rows']
        expect(fetched).toEqual(javaScript ? choices : [])
      }))

    test(`words are found in any spelling, and an empty result links to a search that finds rows, ${way}`, () =>
      look(site, { javaScript }, async (page) => {
        await page.goto('/datasets/scoli?nivel=Primar')
        await page.getByLabel('Căutați în rânduri').fill('SCOALA cluj')
        await page.keyboard.press('Enter')
        await page.getByText('40 de rânduri', { exact: true }).waitFor()
        await page.getByRole('link', { name: 'Renunțați la filtrul: nivel' }).click()
        await page.waitForURL((url) => !url.searchParams.has('nivel[eq]'))
        await page.getByLabel('Căutați în rânduri').fill('scoala clujj')
        await page.getByRole('button', { name: 'Căutați', exact: true }).click()
        await page.getByRole('link', { name: /^cuvintele „scoala cluj”/i }).click()
        await page.getByText('40 de rânduri', { exact: true }).waitFor()
        expect(await page.getByLabel('Căutați în rânduri').inputValue()).toMatch(/^scoala cluj$/i)
      }))
  }

  test('at 390 pixels the values are collapsed, and the keyboard opens and chooses them', () =>
    look(site, { width: 390 }, async (page) => {
      await page.goto('/datasets/scoli')
      const value = page.locator('.facets').getByRole('link', { name: /^Cluj/ })
      expect(await value.isVisible()).toBe(false)
      await page.locator('.facets summary').focus()
      await page.keyboard.press('Enter')
      await value.focus()
      await page.keyboard.press('Enter')
      await page.getByText('40 de rânduri', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toStartWith('Cluj')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }))

  test('at 390 pixels no date or number of the table is broken over two lines', () =>
    look(site, { width: 390 }, async (page) => {
      for (const path of ['/datasets/scoli', '/embed/scoli?view=rows']) {
        await page.goto(path)
        const lines = await page.locator('table.rows td').evaluateAll((cells) =>
          cells.flatMap((cell) => {
            const text = cell.textContent ?? ''
            const range = document.createRange()
            range.selectNodeContents(cell)
            const tops = new Set([...range.getClientRects()].map(({ top }) => top))
            return /^\d\S*$/.test(text) ? [{ text, lines: tops.size }] : []
          }),
        )
        expect(lines.map(({ text }) => text)).toContain('1890-01-01')
        expect(lines.filter((one) => one.lines > 1)).toEqual([])
        await expectNoSidewaysScroll(page)
      }
    }))

  test('while a filter is typed, values are suggested from the rows that match the other filters', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli?nivel=Primar')
      await page.getByText('Adăugați un filtru').click()
      const field = page.getByRole('combobox', { name: 'Valoare', exact: true })
      const offered = page.locator('#filter-values [role=option]')
      await field.focus()
      await page.keyboard.press('ArrowDown')
      await offered.filter({ hasText: 'Cluj' }).waitFor()
      expect(await offered.allTextContents()).toEqual(['Cluj 40', 'Vâlcea 40'])
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      expect(await offered.filter({ visible: true }).count()).toBe(0)

      // Case and diacritics do not matter; arrows choose, and Enter accepts the choice before it submits.
      await page.goto('/datasets/scoli')
      await page.getByText('Adăugați un filtru').click()
      await field.pressSequentially('timis')
      await offered.filter({ hasText: 'Timiș' }).waitFor()
      await page.keyboard.press('ArrowDown')
      expect(await field.getAttribute('aria-activedescendant')).toBe('filter-values-0')
      await page.keyboard.press('Enter')
      expect(await field.inputValue()).toBe('Timiș')
      await page.keyboard.press('Enter')
      await page.getByText('40 de rânduri', { exact: true }).waitFor()

      // Of several values the last one gets suggestions; by mouse.
      await page.getByLabel('Condiție').selectOption('in')
      await field.fill('Cluj,')
      await field.pressSequentially('mur')
      await offered.filter({ hasText: 'Mureș' }).click()
      expect(await field.inputValue()).toBe('Cluj,Mureș')

      // Typing before the next paint works too.
      await page.evaluate(async () => {
        const column = document.querySelector<HTMLSelectElement>('#filter-column')!
        const value = document.querySelector<HTMLInputElement>('#filter-value')!
        for (const [field, text] of [
          [column, 'unitate'],
          [value, 'nr. 319'],
        ] as const) {
          field.value = text
          field.dispatchEvent(new Event('input', { bubbles: true }))
          await Promise.resolve()
        }
      })
      await offered.filter({ hasText: 'Școala nr. 319 Timiș' }).waitFor()
    }))
})
