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
/** Only colours differ between the themes, and they belong to the template: the other guides are left to a full run. */
const SWEPT = { light: PATHS, dark: IS_FULL ? PATHS : PATHS.slice(0, 3) }

describe('guides', () => {
  test.each(['light', 'dark'] as const)(
    'axe-core has nothing against any of them, in the %s theme',
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

  test('nothing is wider than a narrow window, with or without JavaScript', async () => {
    for (const javaScript of [true, false]) {
      await look(site, { width: 360, javaScript, language: 'en' }, async (page) => {
        for (const path of PATHS) {
          await page.goto(path)
          await expectNoSidewaysScroll(page)
        }
      })
    }
  }, 60_000)

  test('the first call can be copied and runs', async () => {
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

  test('the other language is one click away, and stays', async () => {
    await look(site, {}, async (page) => {
      await page.goto('/docs/guides/paging')
      await page.locator('a.language').click()
      expect(await page.locator('h1').textContent()).toBe('Paging correctly')
      await page.getByRole('link', { name: 'Next: Data tools' }).click()
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
    })
  })

  test('an error page leads to what its code means', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs/guides/errors#quota_exceeded')
      const box = await page.locator('#quota_exceeded').boundingBox()
      expect(box!.y).toBeLessThan(200)
    })
  })
})

/** Waits until nothing has been added to the page for a second. */
async function untilDrawn(page: Page): Promise<void> {
  let before = -1
  for (;;) {
    const now = await page.evaluate(() => document.querySelectorAll('*').length)
    if (now === before) return
    before = now
    await page.waitForTimeout(1000)
  }
}

describe('reference', () => {
  test('a request is tried out with the reader’s key, and no other host is asked', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs')
      await page.getByPlaceholder('Token').first().fill(site.key)
      await page
        .getByRole('link', { name: /List the datasets/ })
        .first()
        .click()
      await page.getByRole('button', { name: /Test Request\s*\(get \/v1\/datasets\)$/ }).click()
      const answered = page.waitForResponse((response) => response.url().includes('/v1/datasets'))
      await page.getByRole('button', { name: /^Send Request/ }).click()
      expect((await answered).status()).toBe(200)
    })
  }, 60_000)

  // Its pages come from Scalar: the second look is left to a full run.
  test.each(
    (
      [
        ['light', 1280],
        ['dark', 360],
      ] as const
    ).slice(0, IS_FULL ? 2 : 1),
  )(
    'axe-core has nothing against it but habits of Scalar’s own, %s, %i px',
    async (theme, width) => {
      await look(site, { theme, width }, async (page) => {
        await page.goto('/docs', { waitUntil: 'networkidle' })
        // On a busy machine the network rests before the page is drawn.
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        await untilDrawn(page)
        // Copy buttons without a name, and a list that is called otherwise than it reads: no style can mend them.
        // In the dark, paragraphs it renders late keep the light theme's colour for a while.
        const late = theme === 'dark' ? ['color-contrast'] : []
        await expectAccessible(page, ['button-name', 'label-content-name-mismatch', ...late])
      })
    },
    60_000,
  )

  test('leads to the guides and back to the catalog', async () => {
    await look(site, { language: 'en' }, async (page) => {
      await page.goto('/docs')
      await page.locator('.izvor-bar').getByRole('link', { name: 'Errors' }).click()
      expect(await page.locator('h1').textContent()).toBe('Errors, one by one')
    })
  }, 60_000)
})
