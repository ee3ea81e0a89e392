/** The form of a draft loses nothing that is typed, and Publish stays off while a gate would refuse (contract 14). */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { BrowserContext, Page } from 'playwright-core'
import { ABOUT_TEXTS } from '../../src/pages/texts/desk.ts'
import { DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import {
  CHANGE_TEXTS,
  EDITION_TEXTS,
  POINT_TEXTS,
  QUESTION_TEXTS,
} from '../../src/pages/texts/desk-points.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { Clerk, type Way } from '../support/clerk.ts'
import { type DeskSite, startDesk } from '../support/desk-site.ts'
import { cnp } from '../support/personal.ts'

setDefaultTimeout(120_000)

const about = ABOUT_TEXTS.ro
const texts = POINT_TEXTS.ro

/** Parking places, with a column of personal codes. */
const PARKING = (from: number, count: number) =>
  `Nr,CNP,Strada\n${Array.from({ length: count }, (_, i) => `${from + i},${cnp(from + i)},Str. Lungă ${from + i}\n`).join('')}`

describeInBrowser('desk: the form', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk()
  })
  afterAll(() => desk?.stop())

  let people = 0
  const begin = (
    way: Way,
    journey: (clerk: Clerk, context: BrowserContext) => Promise<void>,
    expected: readonly RegExp[] = [],
  ) =>
    desk.visit({ expected }, async (page, context) => {
      people += 1
      await desk.enterAsPublisher(context, `formular-${people}@example.org`)
      await openHome(page)
      await journey(new Clerk(page, 'ro', way), context)
    })

  async function openHome(page: Page): Promise<void> {
    await page.goto('/publish')
    await page.locator('#address button:enabled').waitFor()
  }

  const field = (page: Page, label: string) =>
    page.locator('#about').getByLabel(label, { exact: label === about.domain })

  const described = async (id: string) => {
    const headers = { authorization: `Bearer ${desk.site.key}` }
    return (await fetch(`${desk.site.address}/v1/datasets/${id}`, { headers })).json()
  }

  for (const way of ['mouse', 'keyboard'] as const)
    test(`personal codes by ${way}: Publish leads to the question first; a dataset without them is published in 5 steps`, () =>
      begin(way, async (clerk) => {
        const { page } = clerk
        await clerk.choose({ name: `Parcări ${way}.csv`, content: PARKING(0, 30) })
        const publish = clerk.button(DRAFT_TEXTS.ro.publish)
        expect(await publish.getAttribute('aria-disabled')).toBe('true')
        await clerk.select(field(page, about.domain), DOMAIN_TEXTS.ro.transport)
        await page.getByText(`${QUESTION_TEXTS.ro.personal_data}: cnp`).waitFor()
        await publish.evaluate((button) => (button as unknown as { click(): void }).click())
        await page.locator('#question-personal_data:focus').waitFor()
        expect((await fetch(`${desk.site.address}/datasets/parcari_${way}`)).status).toBe(404)
        await clerk.press(clerk.button(texts.leaveOutOf('cnp')))
        await clerk.read()
        await clerk.fill(field(page, about.name), `Parcări, ${way}`)
        await clerk.publish()
        expect(clerk.steps).toBe(5)
        const { title, columns } = await described(`parcari_${way}`)
        expect([title, columns.map(({ name }: { name: string }) => name)]).toEqual([
          `Parcări, ${way}`,
          ['nr', 'strada'],
        ])
      }))

  test('what is typed is published without pressing another button first', () =>
    begin('mouse', async (clerk) => {
      const { page } = clerk
      await clerk.choose({ name: 'Tastat.csv', content: 'a,b\n1,2\n' })
      expect(await page.locator('#about button').count()).toBe(0)
      expect(await page.getByLabel(about.name).count()).toBe(1)
      await field(page, about.domain).selectOption('economy')
      await field(page, about.description).fill('Tot ce s-a scris.')
      await field(page, about.publisher).fill('Primăria')
      await field(page, about.licence).selectOption('other')
      await field(page, about.licenceName).fill('Licența noastră')
      await field(page, about.id).fill('alt_nume')
      await clerk.publish()
      expect(await described('alt_nume')).toMatchObject({
        ...{ domain: 'economy', description: 'Tot ce s-a scris.', publisher: 'Primăria' },
        license: 'Licența noastră',
      })
    }))

  test('typed texts survive a reload, a wrong name and a second reading of the file', () =>
    begin('mouse', async (clerk) => {
      const { page } = clerk
      await clerk.choose({ name: 'Ținut.csv', content: 'a,b\n1,-\n2,3\n' })
      await field(page, about.description).pressSequentially('Scris chiar acum')
      await page.reload()
      await clerk.read()
      expect(await field(page, about.description).inputValue()).toBe('Scris chiar acum')
      // Text typed while the file is read again stays.
      await clerk.markAsNull('-')
      await field(page, about.name).fill('Titlu')
      await clerk.press(page.getByRole('button', { name: 'Fișierul nu are antet' }))
      await field(page, about.name).fill('Titlu nou')
      await clerk.read()
      expect(await field(page, about.name).inputValue()).toBe('Titlu nou')
      // An invalid name is reported beside its field, and nothing is published.
      await field(page, about.domain).selectOption('economy')
      await field(page, about.id).fill('Nume Greșit')
      await clerk.press(clerk.button(DRAFT_TEXTS.ro.publish))
      await page.getByText(about.wrongId).waitFor()
      await page.locator('#about-id:focus').waitFor()
      expect(await field(page, about.name).inputValue()).toBe('Titlu nou')
      await field(page, about.id).fill('tinut')
      await clerk.publish()
      expect((await described('tinut')).title).toBe('Titlu nou')
    }))

  test('of two windows the later one shows the changes of the other, and reports conflicts', () =>
    begin('mouse', async (clerk, context) => {
      const { page } = clerk
      await clerk.choose({ name: 'Două.csv', content: 'a,b\n1,2\n' })
      const second = await context.newPage()
      await second.goto(page.url())
      const other = new Clerk(second, 'ro')
      await other.read()
      await field(page, about.name).fill('Din prima')
      await field(page, about.publisher).fill('Prima')
      await page.getByText(about.kept).waitFor()
      await field(second, about.name).fill('Din a doua')
      await second.getByText(about.elsewhere(about.name)).waitFor()
      expect(await field(second, about.publisher).inputValue()).toBe('Prima')
      await field(second, about.domain).selectOption('economy')
      await other.publish()
      await field(page, about.description).fill('Prea târziu')
      await page.locator('#outcome-title').waitFor()
      await page.getByText(about.over).waitFor()
      expect((await described('doua')).title).toBe('Din a doua')
      await second.close()
    }))

  test('for a file with another name and the same columns its dataset is proposed, with what will change', () =>
    begin('mouse', async (clerk) => {
      const { page } = clerk
      await clerk.choose({ name: 'Străzi iulie.csv', content: 'strada,locuri\nLungă,5\nScurtă,7\nLată,9\n' })
      await clerk.describe('Străzi', DOMAIN_TEXTS.ro.transport)
      await field(page, about.description).fill('Locuri pe străzi.')
      await clerk.publish()
      await openHome(page)
      clerk.steps = 0
      await clerk.choose({ name: 'cu totul altfel.csv', content: 'strada,locuri\nLungă,5\nNouă,1\n' })
      await clerk.press(clerk.button(texts.isEdition('Străzi')))
      await clerk.read()
      const { added, removed, edition } = CHANGE_TEXTS.ro
      await page.getByText(edition('Străzi', `${added(1)}, ${removed(2)}`)).waitFor()
      await page.getByText(EDITION_TEXTS.ro.rowsMoved(3, 5)).waitFor()
      expect(await field(page, about.description).inputValue()).toBe('Locuri pe străzi.')
      await clerk.publish()
      expect(clerk.steps).toBe(3)
      const id = new URL(
        (await page.locator('section:has(> #outcome-title) code').first().textContent()) ?? '',
      )
      expect(await described(id.pathname.split('/').at(-1) ?? '')).toMatchObject({
        ...{ title: 'Străzi', description: 'Locuri pe străzi.', row_count: 2 },
      })
      // Two clicks undo this.
      await clerk.press(clerk.button(DRAFT_TEXTS.ro.undo(1)))
      await clerk.press(clerk.button(DRAFT_TEXTS.ro.undo(1), page.getByRole('dialog')))
      await page.getByText(DRAFT_TEXTS.ro.undone(1)).waitFor()
    }))

  test('choosing a dataset from the list fills in its texts; choosing a new dataset brings back what was typed', () =>
    begin('keyboard', async (clerk) => {
      const { page } = clerk
      await clerk.choose({ name: 'Prima listă.csv', content: 'x,y\n1,2\n' })
      await clerk.describe('Lista aleasă', DOMAIN_TEXTS.ro.economy)
      await clerk.publish()
      await openHome(page)
      await clerk.choose({ name: 'Altele.csv', content: 'p,q\n1,2\n' })
      await clerk.fill(field(page, about.name), 'Titlul scris')
      const list = page.getByLabel(EDITION_TEXTS.ro.editionOf)
      await clerk.select(list, 'Lista aleasă')
      await clerk.read()
      await page.getByText(texts.drift).waitFor()
      expect(await field(page, about.name).inputValue()).toBe('Lista aleasă')
      await clerk.select(list, EDITION_TEXTS.ro.newDataset)
      await page.getByText(texts.drift).waitFor({ state: 'detached' })
      await clerk.read()
      expect(await field(page, about.name).inputValue()).toBe('Titlul scris')
    }))
})
