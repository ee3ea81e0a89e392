/** The manual and the reference, as readers see them. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { GUIDES } from '../../src/pages/docs/guides.ts'
import { expectAccessible, expectNoSidewaysScroll, look, type Site, startSite } from '../support/chromium.ts'
import { IS_FULL } from '../support/property-runs.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
}, 60_000)
afterAll(() => site.stop())

const PATHS = ['/docs/guides', ...GUIDES.map(({ path }) => path)]
/** Themes differ only in colours, which come from the template, so other guides are checked only in a full run. */
const SWEPT = { light: PATHS, dark: IS_FULL ? PATHS : PATHS.slice(0, 3) }

describe('guides', () => {
  test.each(['light', 'dark'] as const)(
    'axe-core finds nothing on any of them, in the %s theme',
    async (theme) => {
      await look(site, { theme }, async (page) => {
        for (const path of SWEPT[theme]) {
          await page.goto(path)
          await expectAccessible(page)
        }
      })
    },
    60_000,
  )

  test('fit a narrow window, with or without JavaScript', async () => {
    for (const javaScript of [true, false]) {
      await look(site, { width: 360, javaScript, language: 'en' }, async (page) => {
        for (const path of PATHS) {
          await page.goto(path)
          await expectNoSidewaysScroll(page)
        }
      })
    }
  }, 60_000)

  test('the first call can be copied and run', async () => {
    await look(site, {}, async (page) => {
      await page.goto('/docs/guides/first-call')
      await page.locator('.code-box', { hasText: 'limit=5' }).getByRole('button').first().click()
      const line = await page.evaluate(() => navigator.clipboard.readText())
      const shell = Bun.spawn(['sh', '-c', `${line} --silent --fail`], {
        env: { ...process.env, IZVOR_KEY: site.key },
      })
      const answer = JSON.parse(await new Response(shell.stdout).text())
      expect(answer.pagination.limit).toBe(5)
    })
  })

  test('the other language is one click away, and is remembered', async () => {
    await look(site, {}, async (page) => {
      await page.goto('/docs/guides/paging')
      await page.locator('a.language').click()
      expect(await page.locator('h1').textContent()).toBe('Paging correctly')
      await page.getByRole('link', { name: /^Next: / }).click()
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    })
  })

  test('an error page links to the meaning of its code', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs/guides/errors#quota_exceeded')
      const box = await page.locator('#quota_exceeded').boundingBox()
      expect(box!.y).toBeLessThan(200)
    })
  })
})

describe('reference', () => {
  test('a request is edited and tried with the reader’s key, by keyboard, and no other host is contacted', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs')
      await page.getByLabel('Your key').fill(site.key)
      await page.locator('summary', { hasText: '/v1/datasets' }).first().focus()
      await page.keyboard.press('Enter')
      const form = page.getByRole('form', { name: 'Send: listDatasets' })
      await form.getByLabel('Address of the request').fill('/v1/datasets?limit=1')
      await page.keyboard.press('Enter')
      const answer = page.getByRole('status', { name: 'The response' })
      await answer.filter({ hasText: '"limit": 1' }).waitFor()
      expect(await answer.textContent()).toStartWith('200')
      // The key is sent to no other host.
      await form.getByLabel('Address of the request').fill('https://example.org/v1')
      await form.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Only addresses of this service.').waitFor()
    })
  }, 60_000)

  test('a link opens the operation that it names', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs#aggregateRows')
      await page.getByRole('rowheader', { name: 'group_by' }).first().waitFor()
    })
  })

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)(
    'axe-core finds nothing, %s, %i px, with everything open',
    async (theme, width) => {
      await look(site, { theme, width }, async (page) => {
        await page.goto('/docs')
        await expectAccessible(page)
        await page.evaluate(() => {
          for (const box of document.querySelectorAll('details')) box.open = true
        })
        await expectNoSidewaysScroll(page)
        await expectAccessible(page)
      })
    },
    60_000,
  )

  test('loads in under a second and 340 KB, without scripts too', async () => {
    await look(site, { language: 'en', javaScript: false }, async (page) => {
      const loaded = page.waitForLoadState('load')
      const answer = await page.goto('/docs')
      await loaded
      const styles = await (await fetch(new URL(await styleOf(page), site.address))).text()
      expect((await answer!.text()).length + styles.length).toBeLessThan(340_000)
      const { duration } = (await page.evaluate(() =>
        performance.getEntriesByType('navigation')[0]!.toJSON(),
      )) as { duration: number }
      expect(duration).toBeLessThan(1000)
      await page.locator('summary', { hasText: '/v1/datasets' }).first().click()
      await page.locator('details[open]').getByText('curl -g').first().waitFor()
    })
  })

  test('links to the guides and back to the catalog', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs')
      await page.getByRole('link', { name: 'Errors, one by one' }).click()
      expect(await page.locator('h1').textContent()).toBe('Errors, one by one')
    })
  }, 60_000)
})

async function styleOf(page: Page): Promise<string> {
  return (await page.locator('link[rel=stylesheet]').getAttribute('href'))!
}
