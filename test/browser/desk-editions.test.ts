/** After the first edition: later editions, other people, a lost session, texts, versions and removal. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { BrowserContext, Page } from 'playwright-core'
import { ABOUT_TEXTS, DATASET_DESK_TEXTS, DESK_TEXTS, VERSION_TEXTS } from '../../src/pages/texts/desk.ts'
import { COLUMN_DESK_TEXTS, NULL_TEXTS } from '../../src/pages/texts/desk-columns.ts'
import { ADVICE_TEXTS, DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { CHANGE_TEXTS, EDITION_TEXTS, POINT_TEXTS } from '../../src/pages/texts/desk-points.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { Clerk, type Way } from '../support/clerk.ts'
import { corpusPath, there, truthOf } from '../support/corpus.ts'
import { type DeskSite, startDesk } from '../support/desk-site.ts'
import { PASSWORD } from '../support/passwords.ts'
import { IS_FULL } from '../support/property-runs.ts'
import { servedAt } from '../support/served.ts'

setDefaultTimeout(120_000)

/** Keyboard in every run; a full run adds the mouse. */
const WAYS: readonly Way[] = IS_FULL ? ['keyboard', 'mouse'] : ['keyboard']

const MONTHS = (month: number, counties: readonly string[]) =>
  `Județ,Luna,Șomeri\n${counties.map((county, index) => `${county},${month},${month * 100 + index}\n`).join('')}`

/** A dataset with a key, which the desk cannot declare. */
const KEYED = {
  id: 'somaj_lunar',
  domain: 'economy',
  text: MONTHS(1, ['Alba', 'Arad', 'Cluj']),
  definition: { title: 'Șomajul lunar', primary_key: ['judet', 'luna'] },
}

describeInBrowser('desk: editions', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk([KEYED])
  })
  afterAll(() => desk?.stop())

  let people = 0
  /** Runs a journey in Romanian, with a publisher created for it. */
  const begin = (
    way: Way,
    journey: (clerk: Clerk, context: BrowserContext, email: string) => Promise<void>,
    expected: readonly RegExp[] = [],
  ) =>
    desk.visit({ expected }, async (page, context) => {
      people += 1
      const email = `editii-${people}@example.org`
      await desk.enterAsPublisher(context, email)
      await openHome(page)
      await journey(new Clerk(page, 'ro', way), context, email)
    })

  async function openHome(page: Page): Promise<void> {
    await page.goto('/publish')
    await page.locator('#address button:enabled').waitFor()
  }

  /** Publishes a first edition, returns to the first page and resets the step count. */
  async function publishFirst(clerk: Clerk, name: string, content: string | Buffer): Promise<void> {
    await clerk.choose({ name, content })
    await clerk.describe(name, DOMAIN_TEXTS.ro.economy)
    await clerk.publish()
    await openHome(clerk.page)
    clerk.steps = 0
  }

  const texts = POINT_TEXTS.ro

  for (const way of WAYS)
    test(`the next edition takes two steps by ${way}, because decisions about the first one apply to it`, () =>
      begin(way, async (clerk) => {
        const name = `Prețuri ${way}.csv`
        await clerk.choose({ name, content: 'oraș,preț\nCluj,5\nIași,-\n' })
        await clerk.markAsNull('-')
        await clerk.describe(name, DOMAIN_TEXTS.ro.economy)
        await clerk.publish()
        await openHome(clerk.page)
        clerk.steps = 0
        await clerk.choose({ name, content: 'oraș,preț\nCluj,-\nDej,7\nZalău,8\n' })
        await clerk.publish()
        expect(clerk.steps).toBe(2)
        const { rows, first, last } = await servedAt(desk.site, `/v1/economy/preturi_${way}`)
        expect([rows, first, last]).toEqual([3, { oras: 'Cluj', pret: null }, { oras: 'Zalău', pret: 8 }])
      }))

  test("next month's file takes two steps: its name does not make it another dataset, and the page says what will change", () =>
    begin('mouse', async (clerk) => {
      const month = (rows: string) => `strada,locuri\nLungă,5\n${rows}`
      await publishFirst(clerk, 'Parcări de reședință septembrie 2026.csv', month('Scurtă,7\nLată,9\n'))
      await clerk.choose({ name: 'Parcări de reședință octombrie 2026.csv', content: month('Nouă,2\n') })
      await clerk.page.getByText(`${CHANGE_TEXTS.ro.added(1)}, ${CHANGE_TEXTS.ro.removed(2)}`).waitFor()
      await clerk.publish()
      expect(clerk.steps).toBe(2)
      const { rows } = await servedAt(desk.site, '/v1/economy/parcari_de_resedinta')
      expect(rows).toBe(2)
    }))

  test.skipIf(!there)(
    'f04, then f04b, by the button beside the dataset: the clerk says that a renamed column is the same; 3 steps',
    () =>
      begin('mouse', async (clerk) => {
        const read = (name: string) => readFileSync(corpusPath('fixtures', name))
        const [march, august] = ['f04_somaj_martie_2019_1.csv', 'f04b_somaj_august_2018_1.csv'] as const
        await clerk.choose({ name: march, content: read(march) })
        await clerk.press(clerk.button(ADVICE_TEXTS.ro.leaveTotals))
        await clerk.read()
        await clerk.describe('Șomaj', DOMAIN_TEXTS.ro.economy)
        await clerk.publish()
        await openHome(clerk.page)
        clerk.steps = 0
        await clerk.choose({ name: august, content: read(august) }, clerk.editionButton('Șomaj'))
        await clerk.page.getByText(texts.lost('numar_someri_neindemnizati')).waitFor()
        await clerk.press(clerk.button(/^numar_someri_neindemnizati și .*aceeași coloană$/))
        await clerk.read()
        await clerk.publish()
        expect(clerk.steps).toBe(3)
        const truth = truthOf(august)
        const { rows, all } = await servedAt(desk.site, '/v1/economy/f04_somaj')
        expect(rows).toBe(truth.data_records - 1)
        const total = (await all()).reduce((sum, row) => sum + Number(row.numar_someri_neindemnizati), 0)
        expect(total).toBe(Number(truth.last_nonblank[5]))
      }),
  )

  test('drift is settled by keyboard: a column is renamed, a new column is left out, a type is kept', () =>
    begin('keyboard', async (clerk) => {
      const name = 'Drumuri.csv'
      await publishFirst(clerk, name, 'județ,cod,lungime\nAlba,A1,5\nArad,B2,6\n')
      await clerk.choose({
        name,
        content: 'Județul,cod,lungime,nota\nAlba,17,7,z\nArad,18,8,x\nCluj,19,9,y\n',
      })
      await clerk.page.getByText(texts.lost('judet')).waitFor()
      await clerk.press(clerk.button(texts.sameAs('judet', 'Județul')))
      await clerk.read()
      await clerk.page.locator('#points-title:focus').waitFor()
      await clerk.press(clerk.button(COLUMN_DESK_TEXTS.ro.dropOf('nota')))
      await clerk.read()
      await clerk.press(clerk.button(texts.keepTypeOf('cod', COLUMN_DESK_TEXTS.ro.type_string)))
      await clerk.read()
      await clerk.page.getByText(DRAFT_TEXTS.ro.ready).waitFor()
      await clerk.publish()
      expect(clerk.steps).toBe(5)
      const { rows, first } = await servedAt(desk.site, '/v1/economy/drumuri')
      expect([rows, first]).toEqual([3, { judet: 'Alba', cod: '17', lungime: 7 }])
    }))

  test('a new type names the values that cause it, and leads to where they mean nothing', () =>
    begin('mouse', async (clerk) => {
      const name = 'Poduri.csv'
      await publishFirst(clerk, name, 'județ,lungime\nAlba,5\nArad,6\nCluj,7\n')
      await clerk.choose({ name, content: 'județ,lungime\nAlba,5\nArad,n/a\nCluj,8\n' })
      await clerk.page.getByText(texts.cause(texts.onLine('n/a', 3))).waitFor()
      await clerk.page.getByRole('link', { name: NULL_TEXTS.ro.title }).click()
      await clerk.pick(clerk.page.getByRole('checkbox', { name: 'n/a' }))
      await clerk.read()
      await clerk.page.getByText(DRAFT_TEXTS.ro.ready).waitFor()
      await clerk.publish()
      const { all } = await servedAt(desk.site, '/v1/economy/poduri')
      expect((await all()).map(({ lungime }) => lungime)).toEqual([5, null, 8])
    }))

  test('rows are added; keys already served are reported, and their edition is replaced', () =>
    begin('mouse', async (clerk) => {
      const february = MONTHS(2, ['Alba', 'Arad'])
      await clerk.choose({ name: 'februarie.csv', content: february }, clerk.editionButton('Șomajul lunar'))
      await clerk.pick(clerk.page.getByLabel(EDITION_TEXTS.ro.mode_append))
      await clerk.read()
      await clerk.publish()
      expect(clerk.steps).toBe(3)
      expect((await servedAt(desk.site, '/v1/economy/somaj_lunar')).rows).toBe(5)

      await openHome(clerk.page)
      const corrected = MONTHS(2, ['Alba', 'Arad', 'Bihor'])
      await clerk.choose(
        { name: 'iar februarie.csv', content: corrected },
        clerk.editionButton('Șomajul lunar'),
      )
      await clerk.page.getByRole('heading', { name: texts.duplicates }).waitFor()
      await clerk.tick(clerk.page.locator('#replace-where').getByLabel('luna', { exact: true }))
      await clerk.press(clerk.button(texts.replaceWhere))
      await clerk.read()
      await clerk.publish()
      expect((await servedAt(desk.site, '/v1/economy/somaj_lunar')).rows).toBe(6)
    }))

  test('when two people publish one dataset, the second is told, reads the file again, and decides', () =>
    begin('mouse', async (one) => {
      const name = 'Împreună.csv'
      await publishFirst(one, name, 'a,b\nx,1\n')
      await begin(
        'mouse',
        async (other) => {
          await one.choose({ name, content: 'a,b\nx,1\ny,2\n' })
          await other.choose({ name, content: 'a,b\nx,1\nz,3\nw,4\n' })
          await one.publish()
          await other.press(other.button(DRAFT_TEXTS.ro.publish))
          await other.page.getByRole('heading', { name: texts.outdated }).waitFor()
          expect((await servedAt(desk.site, '/v1/economy/impreuna')).rows).toBe(2)
          await other.press(other.button(texts.readAgain))
          await other.read()
          await other.page
            .getByText(
              CHANGE_TEXTS.ro.edition(name, `${CHANGE_TEXTS.ro.added(2)}, ${CHANGE_TEXTS.ro.removed(1)}`),
            )
            .waitFor()
          await other.publish()
          await other.page.getByText(DRAFT_TEXTS.ro.publishedText(name, 3)).waitFor()
          expect((await servedAt(desk.site, '/v1/economy/impreuna')).rows).toBe(3)
        },
        [/409/],
      )
    }))

  test('a draft keeps all decisions if the session ends and its owner signs in again', () =>
    begin(
      'keyboard',
      async (clerk, context, email) => {
        const { page } = clerk
        await clerk.choose({
          name: 'Pleacă.csv',
          content: 'oraș,preț\nCluj,5\nIași,-\nArad,*\nDej,6\nZalău,7\nBrad,8\n',
        })
        await clerk.markAsNull('-')
        const address = page.url()
        await context.clearCookies()
        await page.getByLabel(/\* înseamnă/).press('Space')
        await page.waitForURL('**/account/login?*')
        await page.locator('button[type="submit"]:enabled').waitFor()
        await clerk.fill(page.locator('[name="email"]'), email)
        await clerk.fill(page.locator('[name="password"]'), PASSWORD)
        await page.keyboard.press('Enter')
        await page.waitForURL(address)
        await clerk.read()
        expect(await page.getByLabel(/- înseamnă/).isChecked()).toBe(true)
        expect(await page.getByLabel(/\* înseamnă/).isChecked()).toBe(false)
      },
      [/401/],
    ))

  for (const way of WAYS)
    test(`texts change at once, versions are compared, any version can be served, and the dataset is removed: by ${way}`, () =>
      begin(way, async (clerk) => {
        const { page } = clerk
        const name = `Școli ${way}.csv`
        const id = `scoli_${way}`
        await publishFirst(clerk, name, 'oraș,elevi\nCluj,5\nIași,6\n')
        await clerk.choose({ name, content: 'oraș,elevi\nCluj,5\nDej,7\nZalău,8\n' })
        await clerk.publish()
        await clerk.press(page.getByRole('link', { name: DRAFT_TEXTS.ro.manage }))
        await page.locator('#about button:enabled').waitFor()

        const about = page.locator('#about')
        await clerk.fill(about.getByLabel(ABOUT_TEXTS.ro.name), `Școlile, ${way}`)
        await clerk.fill(about.getByLabel(ABOUT_TEXTS.ro.description), 'Elevi pe orașe.')
        await clerk.press(clerk.button(ABOUT_TEXTS.ro.save, about))
        await page.getByText(ABOUT_TEXTS.ro.saved).waitFor()
        await page.getByRole('heading', { level: 1, name: `Școlile, ${way}` }).waitFor()
        await clerk.press(page.locator('.columns-texts > summary'))
        await clerk.press(clerk.button(COLUMN_DESK_TEXTS.ro.editOf('elevi')))
        await clerk.fill(page.getByRole('dialog').getByLabel(COLUMN_DESK_TEXTS.ro.unit), 'elevi')
        await clerk.press(clerk.button(COLUMN_DESK_TEXTS.ro.save, page.getByRole('dialog')))
        // The title and the unit of the column.
        await page
          .locator('.columns-texts')
          .getByRole('cell', { name: 'elevi', exact: true })
          .nth(1)
          .waitFor()

        await clerk.press(clerk.button(VERSION_TEXTS.ro.showDifference))
        await page.getByText(VERSION_TEXTS.ro.rowsMoved('2', '3')).waitFor()
        await clerk.press(clerk.button(VERSION_TEXTS.ro.serveOf(1)))
        await clerk.press(clerk.button(VERSION_TEXTS.ro.serve, page.getByRole('dialog')))
        await page.getByText(VERSION_TEXTS.ro.isServed(1)).waitFor()
        const described = await look(`/v1/datasets/${id}`)
        expect([described.row_count, described.title]).toEqual([2, `Școlile, ${way}`])

        await clerk.press(clerk.button(DATASET_DESK_TEXTS.ro.removeButton))
        await clerk.fill(page.getByRole('dialog').getByRole('textbox'), id)
        await clerk.press(clerk.button(DATASET_DESK_TEXTS.ro.removeButton, page.getByRole('dialog')))
        await page.waitForURL(/\/publish(\?|$)/)
        await page.getByRole('heading', { name: DESK_TEXTS.ro.datasets }).waitFor()
        expect((await fetch(`${desk.site.address}/datasets/${id}`)).status).toBe(404)
      }))

  async function look(path: string) {
    const answer = await fetch(desk.site.address + path, {
      headers: { authorization: `Bearer ${desk.site.key}` },
    })
    return answer.json()
  }
})
