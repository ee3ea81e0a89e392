/** A citizen finds, filters, sorts and downloads data, however they use a browser. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import {
  describeInBrowser,
  expectNoSidewaysScroll,
  type LookOptions,
  look,
  type Site,
  startSite,
} from '../support/chromium.ts'

setDefaultTimeout(60_000)

/** The values of column `name` in the rows shown. */
async function cells(page: Page, name: string): Promise<string[]> {
  const heads = await page.locator('table.rows thead th').allTextContents()
  const at = heads.findIndex((head) => head.replace(/ [↑↓]$/, '') === name)
  return await page.locator(`table.rows tbody td:nth-child(${at + 1})`).allTextContents()
}

/** Compares what a download link returns with the same query sent to the API. */
async function download(
  site: Site,
  page: Page,
  name: string,
): Promise<{ file: string; text: string; api: string }> {
  const [got] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name, exact: true }).click(),
  ])
  const text = readFileSync(await got.path(), 'utf8')
  const query = new URL(got.url()).search
  const api = await fetch(`${site.address}/v1/education/scoli/export${query}`, {
    headers: { authorization: `Bearer ${site.key}` },
  })
  return { file: got.suggestedFilename(), text, api: await api.text() }
}

/** Goes from the first page to a file, by mouse. */
async function findFilterSortDownload(site: Site, page: Page, hasScripts: boolean): Promise<void> {
  await page.goto('/')
  await page.getByLabel('Căutați un set de date').fill('scoli ELEVI')
  if (!hasScripts) await page.getByRole('button', { name: 'Căutați', exact: true }).click()
  await page.getByText('Un set de date găsit').waitFor()
  await page.getByRole('link', { name: 'Școli și elevi pe județe' }).click()
  await page.getByRole('heading', { level: 1, name: 'Școli și elevi pe județe' }).waitFor()
  expect(await page.locator('.found').textContent()).toContain('320 de rânduri')

  await page.getByText('Adăugați un filtru').click()
  await page.getByLabel('Coloană', { exact: true }).selectOption('judet')
  await page.getByLabel('Condiție').selectOption('contains')
  await page.getByLabel('Valoare', { exact: true }).fill('ș')
  await page.getByRole('button', { name: 'Filtrați' }).click()
  await page.getByText('160 de rânduri', { exact: true }).waitFor()
  expect(new Set(await cells(page, 'Județ'))).not.toContain('Cluj')

  await page.getByRole('link', { name: 'Ordonați după Elevi', exact: true }).click()
  await page.getByRole('link', { name: 'Ordonați după Elevi, acum crescător' }).click()
  await page.locator('th[aria-sort="descending"]').waitFor()
  const pupils = (await cells(page, 'Elevi')).map(Number)
  expect(pupils.length).toBe(25)
  expect(pupils).toEqual(pupils.toSorted((a, b) => b - a))

  for (const [name, file] of [
    ['CSV', 'scoli.csv'],
    ['NDJSON', 'scoli.ndjson'],
  ] as const) {
    const got = await download(site, page, name)
    expect(got.file).toBe(file)
    expect(got.text.length).toBeGreaterThan(5000)
    expect(got.text).toBe(got.api)
  }
}

describeInBrowser('citizen', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site?.stop())

  const WAYS: readonly [string, LookOptions][] = [
    ['in a large window', {}],
    ['in the dark', { theme: 'dark' }],
    ['at 360 pixels', { width: 360 }],
    ['without JavaScript', { javaScript: false }],
  ]

  for (const [name, options] of WAYS) {
    test(`finds a dataset without diacritics, filters, sorts and downloads it, ${name}`, () =>
      look(site, options, async (page) => {
        await findFilterSortDownload(site, page, options.javaScript !== false)
        await expectNoSidewaysScroll(page)
      }))
  }

  test('the address of a filtered table holds the whole query, so another reader sees the same', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli')
      await page.locator('.facets').getByRole('link', { name: /^Cluj/ }).click()
      await page.getByText('40 de rânduri', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Pagina următoare' }).click()
      await page.getByText('rândurile 26–40').waitFor()
      const rows = await cells(page, 'Unitate')
      await page.reload()
      expect(await cells(page, 'Unitate')).toEqual(rows)
      await page.goBack()
      await page.getByText('rândurile 1–25').waitFor()
      expect(await cells(page, 'Unitate')).not.toEqual(rows)
      await page.getByRole('link', { name: /^Renunțați la filtrul/ }).click()
      await page.getByText('320 de rânduri', { exact: true }).waitFor()
    }))

  test('switching the language keeps the query, even one that no page was loaded for', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli')
      await page.locator('.facets').getByRole('link', { name: /^Cluj/ }).click()
      await page.getByText('40 de rânduri', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'English' }).click()
      await page.getByText('40 rows', { exact: true }).waitFor()
      await page.goto('/')
      await page
        .getByLabel('Search for a dataset')
        .or(page.getByLabel('Căutați un set de date'))
        .fill('scoli')
      await page.getByText('Un set de date găsit').waitFor()
      await page.getByRole('link', { name: 'English' }).click()
      await page.getByText('One dataset found').or(page.getByText('1 dataset found')).waitFor()
      expect(new URL(page.url()).searchParams.get('q')).toBe('scoli')
    }))

  test('the header of a long table stays visible while it scrolls, and every part of the page is a click away', () =>
    look(site, { width: 390 }, async (page) => {
      await page.goto('/datasets/scoli')
      const box = page.getByRole('group', { name: 'Tabel cu rândurile găsite' })
      const heading = box.locator('thead th').first()
      await box.evaluate((element) => element.scrollTo(0, 300))
      const [inside, top] = await Promise.all([box.boundingBox(), heading.boundingBox()])
      expect(Math.abs(top!.y - inside!.y)).toBeLessThan(3)
      for (const part of [
        'Coloanele',
        'Calitatea datelor',
        'Sursa',
        'Versiuni',
        'Pentru programe',
        'Datele',
      ]) {
        await page
          .getByRole('navigation', { name: 'Părțile paginii' })
          .getByRole('link', { name: part })
          .click()
        const id = new URL(page.url()).hash
        expect(
          await page
            .locator(id)
            .boundingBox()
            .then((at) => at!.y < 844),
        ).toBe(true)
      }
      await expectNoSidewaysScroll(page)
    }))

  test('everything works with the keyboard, and the focus stays where the reader is working', () =>
    look(site, {}, async (page) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
      const tabTo = async (text: string, key = 'Tab') => {
        for (let step = 0; step < 80; step++) {
          await page.keyboard.press(key)
          const label = await page.evaluate(
            () =>
              document.activeElement?.getAttribute('aria-label') ??
              document.activeElement?.textContent?.trim(),
          )
          if (label === text) return
        }
        throw new Error(`"${text}" cannot be reached; the focus is at "${await focused()}"`)
      }
      await page.goto('/')
      await page.keyboard.press('Tab')
      expect(await focused()).toBe('Săriți la conținut')
      await page.keyboard.press('Enter')
      for (
        let step = 0;
        step < 10 && (await page.evaluate(() => document.activeElement?.id)) !== 'q';
        step++
      ) {
        await page.keyboard.press('Tab')
      }
      await page.keyboard.type('scoli')
      await page.getByText('Un set de date găsit').waitFor()
      await tabTo('Școli și elevi pe județe')
      await page.keyboard.press('Enter')
      await page.getByText('320 de rânduri', { exact: true }).waitFor()
      await tabTo('Adăugați un filtru')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.type('Jude')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.type('IAȘI')
      await page.keyboard.press('Enter')
      await page.getByText('40 de rânduri', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter-value')
      await tabTo('Ordonați după Elevi')
      await page.keyboard.press('Enter')
      await page.locator('th[aria-sort="ascending"]').waitFor()
      expect(await page.evaluate(() => document.activeElement?.closest('th')?.ariaSort)).toBe('ascending')
      await tabTo('CSV', 'Shift+Tab')
      const [got] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(got.suggestedFilename()).toBe('scoli.csv')
    }))

  test('choosing columns updates the lines to paste', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli')
      await page.locator('summary', { hasText: 'Coloane' }).click()
      for (const name of ['Nivel', 'Medie', 'Urban', 'Înființată', 'Actualizat'])
        await page.getByRole('checkbox', { name }).uncheck()
      await page.getByRole('button', { name: 'Afișați coloanele alese' }).click()
      await page.locator('summary', { hasText: 'Pentru programe' }).click()
      await page.locator('#api-address', { hasText: 'fields=' }).waitFor()
      expect(await page.locator('table.rows thead th').allTextContents()).toEqual([
        'Județ',
        'Unitate',
        'Elevi',
      ])
      const address = (await page.locator('#api-address').textContent())!
      const answer = await fetch(address, { headers: { authorization: `Bearer ${site.key}` } })
      const { data } = (await answer.json()) as { data: Record<string, unknown>[] }
      expect(Object.keys(data[0]!)).toEqual(['judet', 'unitate', 'elevi'])
      await page.getByRole('button', { name: 'Copiați: curl' }).click()
      await page.getByText('Copiat').waitFor()
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied).toBe(`curl -H 'Authorization: Bearer API_KEY' '${address}'`)
      const curl = Bun.spawn(['sh', '-c', copied.replace('API_KEY', site.key)], {
        stdout: 'pipe',
        stderr: 'ignore',
      })
      expect(JSON.parse(await curl.stdout.text()).data).toEqual(data)
    }))

  test('a query that cannot be answered shows the reason, and the rest of the page stays', () =>
    look(site, { language: 'en', expected: [/422/] }, async (page) => {
      await page.goto('/datasets/scoli?judett=Cluj')
      expect(await page.getByRole('alert').textContent()).toContain(
        'There is no column “judett”. Did you mean “judet”?',
      )
      await page.getByRole('link', { name: /^Remove the filter/ }).click()
      await page.getByText('320 rows', { exact: true }).waitFor()
    }))

  test('a value that a column does not accept is refused in Romanian, with and without scripts', async () => {
    const refusal =
      '„mulți” nu se potrivește: coloana Elevi cere un număr întreg de cel mult 15 cifre, ca 2024.'
    for (const javaScript of [true, false]) {
      await look(site, { javaScript, expected: [/422/] }, async (page) => {
        await page.goto('/datasets/scoli')
        await page.getByText('Adăugați un filtru').click()
        await page.getByLabel('Coloană', { exact: true }).selectOption('elevi')
        await page.getByLabel('Valoare', { exact: true }).fill('mulți')
        await page.getByRole('button', { name: 'Filtrați' }).click()
        await page.getByRole('alert').getByText(refusal).waitFor()
        await page.getByRole('link', { name: /^Renunțați la filtrul/ }).click()
        await page.getByText('320 de rânduri', { exact: true }).waitFor()
      })
    }
  })

  test('a client over its rate reads in Romanian when to retry, in the explorer and in place of a file', async () => {
    const limited = await startSite({ env: { IZVOR_PUBLIC_PER_MINUTE: '2' } })
    try {
      await look(limited, { expected: [/429/] }, async (page, context) => {
        const other = await context.newPage()
        await page.goto('/datasets/scoli')
        await other.goto('/datasets/scoli')
        const refusal = /^Prea multe cereri într-un timp scurt. Încercați din nou peste \d+ (de )?secunde.$/
        await page.getByRole('link', { name: 'Ordonați după Elevi', exact: true }).click()
        await page.getByRole('alert').getByText(refusal).waitFor()
        await other.getByRole('link', { name: 'CSV', exact: true }).click()
        await other.getByRole('heading', { name: 'Prea multe cereri' }).waitFor()
        await other.getByText(refusal).waitFor()
      })
    } finally {
      await limited.stop()
    }
  })

  test('cells, titles and descriptions that attack the page are shown as text', () =>
    look(site, {}, async (page) => {
      await page.goto('/')
      await page.getByRole('link', { name: '<script>alert("titlu")</script> Date rău-voitoare' }).click()
      await page.getByRole('cell', { name: '</script><script>alert(3)</script>' }).waitFor()
      await page.getByRole('link', { name: 'Totaluri și grafice' }).click()
      await page.getByRole('link', { name: '<img src=x onerror=alert(2)>' }).click()
      await page.getByText('1 rând', { exact: true }).waitFor()
      expect(await page.locator('main img, main b, main i').count()).toBe(0)
    }))
})
