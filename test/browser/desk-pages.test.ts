/** Every page of the desk in its states, with dialogs, is accessible and never wider than the window. */

import { afterAll, beforeAll, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Language } from '../../src/base/text/language.ts'
import { DATASET_DESK_TEXTS, VERSION_TEXTS } from '../../src/pages/texts/desk.ts'
import { COLUMN_DESK_TEXTS } from '../../src/pages/texts/desk-columns.ts'
import { DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { POINT_TEXTS } from '../../src/pages/texts/desk-points.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { describeInBrowser, expectAccessible, expectNoSidewaysScroll } from '../support/chromium.ts'
import { Clerk } from '../support/clerk.ts'
import { type DeskSite, startDesk } from '../support/desk-site.ts'
import { cnp } from '../support/personal.ts'
import { IS_FULL } from '../support/property-runs.ts'

setDefaultTimeout(120_000)

const WIDTHS = [390, 1280]
/** Each width and each language once; a full run checks all pairs. */
const SWEPT: readonly (readonly [Language, readonly number[]])[] = [
  ['ro', IS_FULL ? WIDTHS : [390]],
  ['en', IS_FULL ? WIDTHS : [1280]],
]

const FIRST = 'Județul cu un nume lung,Cod,Șomeri\nAlba,A1,5\nArad,B2,-\nCluj,C3,7\n'
/** A renamed column, a column with another type, a column of personal codes, and rows that lack cells. */
const TROUBLED = `Județ,Cod,Șomeri,CNP\n${Array.from({ length: 40 }, (_, i) =>
  i % 4 === 3 ? `Alba,${i}\n` : `Alba,${i},${i},${cnp(i)}\n`,
).join('')}`

describeInBrowser('desk: every page', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk([])
  })
  afterAll(() => desk?.stop())

  for (const [language, widths] of SWEPT)
    test(`${language}, ${widths.join(' and ')} px: axe-core finds nothing, and nothing is wider than the window`, () =>
      desk.visit({ language }, async (page, context) => {
        await desk.enterAsPublisher(context, `axe-${language}@example.org`, { language })
        const clerk = new Clerk(page, language)
        const check = async () => {
          for (const width of widths) {
            await page.setViewportSize({ width, height: 800 })
            await expectAccessible(page)
            await expectNoSidewaysScroll(page)
          }
        }
        await lookAtHome(page, check)
        await lookAtDrafts(clerk, check)
        await lookAtTrouble(clerk, check)
        await lookAtDataset(clerk, check)
        await lookAtHome(page, check)
      }))

  type Check = () => Promise<void>

  async function lookAtHome(page: Page, check: Check): Promise<void> {
    await page.goto('/publish')
    await page.locator('#address button:enabled').waitFor()
    await page.locator('.waiting').first().waitFor({ state: 'detached' })
    await check()
  }

  /** Publishes two versions of a new dataset, and ends on the page of the outcome. */
  async function lookAtDrafts(clerk: Clerk, check: Check): Promise<void> {
    const { page, language } = clerk
    const name = `Edge ${language}.csv`
    await clerk.choose({ name, content: FIRST })
    await check()
    await page.locator('.served thead button').first().click()
    await page.getByRole('dialog').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await page.locator('#reading > summary').click()
    await clerk.markAsNull('-')
    await clerk.describe(name, DOMAIN_TEXTS[language].economy)
    await check()
    await clerk.publish()
    await check()
    await page.goto('/publish')
    await clerk.choose({ name, content: `${FIRST}Dej,D4,8\n` })
    await clerk.publish()
    await clerk.press(clerk.button(DRAFT_TEXTS[language].undo(1)))
    await page.getByRole('dialog').waitFor()
    await check()
  }

  async function lookAtTrouble(clerk: Clerk, check: Check): Promise<void> {
    const { page, language } = clerk
    await page.goto('/publish')
    await clerk.choose({ name: `Edge ${language}.csv`, content: TROUBLED })
    await page.getByRole('heading', { name: POINT_TEXTS[language].drift }).waitFor()
    await page.getByRole('heading', { name: POINT_TEXTS[language].personal }).waitFor()
    await page.locator('section[aria-labelledby="kept-title"] table').waitFor()
    await check()
    await page.goto('/publish')
    await clerk.choose({
      name: `Page ${language}.csv`,
      content: '<!doctype html><html><body>No</body></html>',
    })
    await check()
  }

  async function lookAtDataset(clerk: Clerk, check: Check): Promise<void> {
    const { page, language } = clerk
    await page.goto(`/publish/datasets/edge_${language}`)
    await page.locator('#about button:enabled').waitFor()
    await clerk.press(page.locator('.columns-texts > summary'))
    await clerk.press(clerk.button(VERSION_TEXTS[language].showDifference))
    await page.getByText(VERSION_TEXTS[language].rowsMoved('3', '4')).waitFor()
    await check()
    const dialogs = [
      COLUMN_DESK_TEXTS[language].editOf('cod'),
      VERSION_TEXTS[language].serveOf(1),
      DATASET_DESK_TEXTS[language].removeButton,
    ]
    for (const name of dialogs) {
      await clerk.press(clerk.button(name))
      await page.getByRole('dialog').waitFor()
      await check()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
})
