/** A first-time visitor asks how many electric vehicles there are, and takes the chart along. */

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
import { Clerk } from '../support/clerk.ts'
import type { SampleFile } from '../support/sample-files.ts'

setDefaultTimeout(60_000)

const COUNTIES = ['Alba', 'Brașov', 'Cluj', 'Dolj', 'Iași', 'Timiș', 'Vâlcea']
const FUELS = ['BENZINĂ', 'ELECTRIC', 'MOTORINĂ']
const LAST_YEAR = 2024
/** A year without vehicles. */
const GAP = 2001

/** Vehicles of 35 years except one, by arithmetic; some values have decimal places. */
const VEHICLES: SampleFile = {
  id: 'parc_auto',
  domain: 'transport',
  text: [
    'county,fuel,manufacturer,year_of_manufacture,vehicle_count,mass_kg',
    ...Array.from({ length: 2100 }, (_, index) => {
      const year = 1990 + (index % 35)
      const county = COUNTIES[index % 7]
      const fuel = FUELS[Math.floor(index / 35) % 3]
      return year === GAP
        ? []
        : `${county},${fuel},Marca ${index % 41},${year},${1 + ((index * 31) % 97)},${(index * 7919) % 1000}.${index % 10}`
    }).flat(),
  ].join('\n'),
  definition: {
    title: 'Parcul auto pe județe',
    publisher: 'Direcția de înmatriculări',
    columns: [
      { name: 'county', source: 'county', title: 'Județ' },
      { name: 'fuel', source: 'fuel', title: 'Combustibil' },
      { name: 'manufacturer', source: 'manufacturer', title: 'Marcă' },
      { name: 'year_of_manufacture', source: 'year_of_manufacture', title: 'An de fabricație' },
      { name: 'vehicle_count', source: 'vehicle_count', title: 'Număr de vehicule' },
      { name: 'mass_kg', source: 'mass_kg', title: 'Masa', unit: 'kg' },
    ],
  },
}

let site: Site
beforeAll(async () => {
  site = await startSite({ samples: [VEHICLES] })
})
afterAll(() => site?.stop())

const SUMMARY = '/datasets/parc_auto/summary'

/** The groups that the API returns, by the text of the group. */
async function groups(query: string, measure: string): Promise<Map<string, string>> {
  const answer = await fetch(`${site.address}/v1/transport/parc_auto/aggregate?limit=1000&${query}`, {
    headers: { authorization: `Bearer ${site.key}` },
  })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const { data } = JSON.parse(text) as { data: Record<string, unknown>[] }
  return new Map(data.map((row) => [String(Object.values(row)[0]), String(row[measure])]))
}

/** The text of the marks of a chart, digits as programs write them: `label: value`. */
const figuresOf = (titles: readonly string[]) =>
  new Map(
    titles.map((title) => {
      const [label = '', value = ''] = title.split(/: (?=[^:]*$)/)
      return [label, value.replaceAll('.', '').replace(',', '.')]
    }),
  )

const drawnOn = async (page: Page) => figuresOf(await page.locator('.plot title').allTextContents())

async function picture(
  query: string,
): Promise<{ answer: Response; text: string; figures: Map<string, string> }> {
  const answer = await fetch(`${site.address}${SUMMARY}.svg?lang=ro&${query}`)
  const text = await answer.text()
  const titles = [...text.matchAll(/<(?:rect|circle)[^>]*><title>([^<]*)<\/title>/g)]
  return { answer, text, figures: figuresOf(titles.map(([, title]) => title!)) }
}

describeInBrowser('from the catalog to a chart', () => {
  for (const way of ['mouse', 'keyboard'] as const)
    test(`electric vehicles in Cluj by year take four steps, by ${way}`, () =>
      look(site, {}, async (page) => {
        const reader = new Clerk(page, 'ro', way)
        const facet = (name: RegExp) => page.locator('.facets').getByRole('link', { name }).first()
        await page.goto('/')
        await reader.press(page.getByRole('link', { name: 'Parcul auto pe județe' }).first())
        await page.locator('.facets').waitFor()
        await reader.press(facet(/^ELECTRIC/))
        await page.waitForURL(/fuel/)
        await reader.press(facet(/^Cluj/))
        await page.waitForURL(/county/)
        await reader.press(page.getByRole('link', { name: 'Totaluri și grafice' }))
        await page.getByRole('heading', { name: 'Suma: Număr de vehicule, după An de fabricație' }).waitFor()
        expect(reader.steps).toBe(4)
        const api = await groups(
          'group_by=year_of_manufacture&measures=sum(vehicle_count)&fuel=ELECTRIC&county=Cluj',
          'sum_vehicle_count',
        )
        expect(await drawnOn(page)).toEqual(api)
      }))

  test('sensible measures are offered, all others are a click away, and none sums years', () =>
    look(site, {}, async (page) => {
      await page.goto(SUMMARY)
      const offered = () => page.getByLabel('Măsură').locator('option').allTextContents()
      expect(await offered()).toEqual([
        ...['Numărul de rânduri', 'Suma: Număr de vehicule', 'Suma: Masa (kg)'],
        ...['Media: Număr de vehicule', 'Media: Masa (kg)'],
      ])
      await page.getByRole('link', { name: 'Toate măsurile' }).click()
      await page.getByRole('link', { name: 'Numai măsurile potrivite' }).waitFor()
      expect(await offered()).toContain('Minimul: Județ')
      await page.getByLabel('Măsură').selectOption({ label: 'Maximul: Masa (kg)' })
      await page.getByRole('heading', { name: 'Maximul: Masa (kg), după An de fabricație' }).waitFor()
      expect(await offered()).toContain('Minimul: Județ')
    }))
})

describeInBrowser('charts', () => {
  for (const javaScript of [true, false])
    test(`a time axis shows every year up to the latest in each form, ${javaScript ? 'in place' : 'without scripts'}`, () =>
      look(site, { javaScript }, async (page) => {
        const api = await groups('group_by=year_of_manufacture&measures=sum(mass_kg)', 'sum_mass_kg')
        expect(api.size).toBe(34)
        await page.goto(`${SUMMARY}?measure=sum(mass_kg)`)
        expect(await drawnOn(page)).toEqual(api)
        expect(await page.locator('.plot .labels text').allTextContents()).toContain(String(LAST_YEAR))
        // The line breaks at the year without vehicles.
        const path = await page.locator('.plot path').getAttribute('d')
        expect(path!.split('M').length - 1).toBe(2)
        for (const [name, draw] of [
          ['Coloane', 'columns'],
          ['Bare', 'bars'],
        ] as const) {
          await page.getByRole('link', { name, exact: true }).click()
          await page.waitForURL(new RegExp(`draw=${draw}`))
          await page.locator('.draws [aria-current]', { hasText: name }).waitFor()
          expect(await drawnOn(page)).toEqual(api)
        }
        expect(await page.locator('.plot .labels text').allTextContents()).toContain(String(GAP))
        await page.reload()
        expect(await page.locator('.draws [aria-current]').textContent()).toBe('Bare')
      }))

  test('bars share one baseline and show the largest 29 groups, and the others with their exact sum', () =>
    look(site, {}, async (page) => {
      await page.goto(`${SUMMARY}?rows=manufacturer&measure=sum(mass_kg)`)
      const api = await groups('group_by=manufacturer&measures=sum(mass_kg)', 'sum_mass_kg')
      const drawn = await drawnOn(page)
      expect(drawn.size).toBe(30)
      const tenths = (text: string) => Math.round(Number(text) * 10)
      const largest = [...api].toSorted(([, a], [, b]) => Number(b) - Number(a)).slice(0, 29)
      for (const [label, value] of largest) expect([label, drawn.get(label)]).toEqual([label, value])
      const sum = (values: Iterable<string>) => [...values].reduce((all, value) => all + tenths(value), 0)
      expect(tenths(drawn.get('celelalte 12')!)).toBe(
        sum(api.values()) - sum(largest.map(([, value]) => value)),
      )
      const starts = await page
        .locator('.plot rect')
        .evaluateAll((bars) => [...new Set(bars.map((bar) => bar.getBoundingClientRect().left))])
      expect(starts.length).toBe(1)
    }))

  for (const [draw, side] of [
    ['bars', 'width'],
    ['columns', 'height'],
  ] as const)
    test(`${draw}: the bar of the others is cut at the end of the scale, marked, and labelled with its exact value`, () =>
      look(site, { width: draw === 'bars' ? 1280 : 390 }, async (page) => {
        const query = `rows=manufacturer&measure=sum(mass_kg)&draw=${draw}`
        await page.goto(`${SUMMARY}?${query}`)
        const sizes = await page
          .locator('.plot rect')
          .evaluateAll((bars, of) => bars.map((bar) => bar.getBoundingClientRect()[of]), side)
        const others = sizes.pop()!
        expect(sizes).toHaveLength(29)
        expect(Math.abs(others - Math.max(...sizes))).toBeLessThan(1)
        expect(Math.min(...sizes)).toBeGreaterThan(others / 4)
        expect(await page.locator('.plot .break').count()).toBe(1)
        const exact = (await drawnOn(page)).get('celelalte 12')!
        const figure = Number(exact).toLocaleString('ro')
        const said = `Bara „celelalte 12” este întreruptă, fiindcă depășește scara: ${figure}.`
        expect(await page.locator('.drawing p').allTextContents()).toEqual([said])
        await page.locator('.plot > g, .plot > text').getByText(figure, { exact: true }).waitFor()
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
        const { text } = await picture(query)
        expect(text.split('class="break"').length - 1).toBe(1)
        expect(text).toContain(`<desc>${said}</desc>`)
      }))

  test('a chart of means of many groups says that the others are left out', () =>
    look(site, { language: 'en' }, async (page) => {
      await page.goto(`${SUMMARY}?rows=manufacturer&measure=avg(mass_kg)&lang=en`)
      await page.getByText('The chart shows the greatest 29, without the other 12').waitFor()
      expect((await drawnOn(page)).size).toBe(29)
    }))

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const)
    test(`axe-core finds nothing, and no chart is wider than ${width} pixels, ${theme}`, () =>
      look(site, { theme, width }, async (page) => {
        for (const query of [
          '',
          '?columns=fuel&draw=columns',
          '?rows=county&columns=fuel',
          '?rows=manufacturer&draw=columns&measures=all',
          '?columns=county&draw=bars&measure=avg(mass_kg)',
        ]) {
          await page.goto(SUMMARY + query)
          await expectAccessible(page)
          await expectNoSidewaysScroll(page)
        }
      }))
})

describeInBrowser('a picture of a summary', () => {
  test('has the figures of the page, and names their source', () =>
    look(site, {}, async (page) => {
      for (const query of [
        'fuel=ELECTRIC&county=Cluj',
        'rows=county&columns=fuel',
        'rows=manufacturer&measure=sum(mass_kg)',
        'rows=vehicle_count',
      ]) {
        await page.goto(`${SUMMARY}?lang=ro&${query}`)
        const { text, figures } = await picture(query)
        expect(figures.size).toBeGreaterThan(1)
        expect(figures).toEqual(await drawnOn(page))
        for (const said of [
          'Parcul auto pe județe',
          'Direcția de înmatriculări',
          `${site.address}${SUMMARY}?`,
        ])
          expect(text).toContain(said)
        expect(text).not.toMatch(/<script|<style|href=|var\(/)
      }
      expect((await picture('fuel=ELECTRIC')).text).toContain('ELECTRIC”')
    }))

  test('is linked, cited and displayed by browsers', () =>
    look(site, {}, async (page) => {
      await page.goto(`${SUMMARY}?rows=county&lang=ro`)
      const cited = await page.locator('#citation').textContent()
      expect(cited).toMatch(
        /^Direcția de înmatriculări, Parcul auto pe județe, \d+ \w+ \d{4}, http:.*rows=county/,
      )
      await page.getByRole('link', { name: 'Imagine (SVG)' }).click()
      await page.waitForURL(/summary\.svg\?/)
      const size = await page.evaluate(() => document.documentElement.getBoundingClientRect().width)
      expect(size).toBe(640)
    }))

  test('is not sent again when unchanged', async () => {
    const { answer } = await picture('rows=county')
    const headers = { 'if-none-match': answer.headers.get('etag')! }
    const again = await fetch(`${site.address}${SUMMARY}.svg?lang=ro&rows=county`, { headers })
    expect([answer.headers.get('content-type'), again.status]).toEqual(['image/svg+xml; charset=utf-8', 304])
  })
})

describeInBrowser('weight', () => {
  test('a summary takes at most 25 KB, a dataset 50 KB', async () => {
    for (const [path, most] of [
      [SUMMARY, 25_000],
      ['/datasets/parc_auto', 50_000],
    ] as const) {
      const answer = await fetch(site.address + path, { headers: { 'accept-encoding': 'identity' } })
      const { length } = await answer.text()
      expect([path, length <= most]).toEqual([path, true])
    }
  })
})
