/** Maps by mouse and keyboard: counties by arrow keys, points by buttons, keys, dragging and pinching; axe-core finds nothing. */

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

const COUNTIES = ['Cluj', 'Alba', 'Bihor', 'Sălaj', 'Mureș', 'Iași', 'București']
const SAMPLES = [
  {
    id: 'parc',
    domain: 'tests',
    text: `Județ,Combustibil,Număr vehicule\n${COUNTIES.flatMap((county, index) => [`${county},ELECTRIC,${(index + 1) * 100}`, `${county},DIESEL,5`]).join('\n')}\n`,
    definition: { title: 'Parcul auto' },
  },
  {
    id: 'scoli',
    domain: 'tests',
    text: `școala,lat,lon\n${Array.from({ length: 400 }, (_, n) => `Școala ${n},${(44 + (n % 20) / 6).toFixed(3)},${(22 + (n % 37) / 6).toFixed(3)}`).join('\n')}\n`,
    definition: { title: 'Școli' },
  },
]

describeInBrowser('maps', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ samples: SAMPLES })
  })
  afterAll(() => site?.stop())

  test('arrow keys move from county to county and show its name and figure, and Enter shows its rows', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/parc')
      await page.getByRole('link', { name: 'Harta', exact: true }).first().click()
      await page.waitForURL('**/datasets/parc/map')
      await page.getByRole('link', { name: 'Cluj: 105' }).focus()
      expect(await shownName(page)).toBe('Cluj: 105')
      await page.keyboard.press('ArrowDown')
      expect(await shownName(page)).toBe('Alba: 205')
      await page.keyboard.press('ArrowLeft')
      expect(await shownName(page)).toBe('Hunedoara: niciun rând')
      await page.keyboard.press('ArrowRight')
      expect(await shownName(page)).toBe('Alba: 205')
      expect(await page.locator('.county[tabindex="0"]').count()).toBe(1)
      await page.keyboard.press('Enter')
      await page.waitForURL(/datasets\/parc\?.*Alba/)
      await page.getByText('2 rânduri').first().waitFor()
    }))

  test('hovering shows the figure of a county, and a click shows its rows', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/parc/map?lang=en')
      await page.locator('.county[aria-label^="Iași"] path').hover()
      expect(await shownName(page)).toBe('Iași: 605')
      await page.locator('.county[aria-label^="Iași"] path').click()
      await page.getByText('2 rows').first().waitFor()
    }))

  test('buttons, keys, a drag and a pinch move and zoom the points in place', () =>
    look(site, {}, async (page) => {
      await page.goto('/datasets/scoli/map?lang=en')
      const whole = await frameOf(page)
      await page.getByRole('link', { name: 'Zoom in' }).click()
      const closer = await changed(page, whole)
      expect(closer[3]! - closer[2]!).toBeCloseTo((whole[3]! - whole[2]!) / 2, 3)
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-key'))).toBe('+')
      await page.locator('svg.points').focus()
      await page.keyboard.press('ArrowRight')
      const east = await changed(page, closer)
      expect(east[2]!).toBeCloseTo(closer[2]! + (closer[3]! - closer[2]!) / 4, 3)
      expect(east[1]!).toBeCloseTo(closer[1]!, 3)
      await page.keyboard.press('-')
      const wide = await changed(page, east)
      const box = (await page.locator('svg.points').boundingBox())!
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + box.width / 4, y, { steps: 5 })
      await page.mouse.up()
      const dragged = await changed(page, wide)
      // Points to the west come into view.
      expect(dragged[2]!).toBeCloseTo(wide[2]! - (wide[3]! - wide[2]!) / 4, 2)
      await page.goBack()
      expect((await changed(page, dragged))[2]!).toBeCloseTo(wide[2]!, 3)
      await pinch(page, x, y)
      const pinched = await changed(page, wide)
      expect(pinched[3]! - pinched[2]!).toBeCloseTo((wide[3]! - wide[2]!) / 2, 1)
    }))

  for (const theme of ['light', 'dark'] as const) {
    test(`axe-core finds nothing on maps, wide and narrow, ${theme}`, async () => {
      for (const width of [1280, 390]) {
        await look(site, { theme, width }, async (page) => {
          for (const path of ['/datasets/parc/map', '/datasets/scoli/map?lang=en', '/embed/parc?view=map']) {
            await page.goto(path)
            await expectAccessible(page)
            await expectNoSidewaysScroll(page)
          }
        })
      }
    })
  }
})

/** The name and figure shown above the outlines. */
function shownName(page: Page): Promise<string> {
  return page.locator('.pointed:visible').textContent().then(String)
}

async function frameOf(page: Page): Promise<number[]> {
  return (await page.locator('svg.points').getAttribute('data-frame'))!.split(',').map(Number)
}

async function changed(page: Page, before: readonly number[]): Promise<number[]> {
  await page.locator(`svg.points:not([data-frame="${before.join(',')}"])`).waitFor()
  return frameOf(page)
}

/** Moves two fingers apart to twice their distance. */
function pinch(page: Page, x: number, y: number): Promise<void> {
  return page.evaluate(
    ([x, y]) => {
      const target = document.querySelector('svg.points')!
      const send = (type: string, pointerId: number, clientX: number) =>
        target.dispatchEvent(
          new PointerEvent(type, { pointerId, clientX, clientY: y, bubbles: true, pointerType: 'touch' }),
        )
      send('pointerdown', 11, x - 50)
      send('pointerdown', 12, x + 50)
      send('pointermove', 11, x - 100)
      send('pointermove', 12, x + 100)
      send('pointerup', 11, x - 100)
      send('pointerup', 12, x + 100)
    },
    [x, y] as const,
  )
}
