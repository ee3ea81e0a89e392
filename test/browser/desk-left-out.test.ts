/** Text around the rows of a clerk's file, and numbers in another notation: on the desk and on the public page. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { COLUMN_DESK_TEXTS, NOTATION_TEXTS } from '../../src/pages/texts/desk-columns.ts'
import { ADVICE_TEXTS, RECORDS_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { DOMAIN_TEXTS } from '../../src/pages/texts/parts.ts'
import { describeInBrowser, expectAccessible } from '../support/chromium.ts'
import { Clerk, type Way } from '../support/clerk.ts'
import { type DeskSite, startDesk } from '../support/desk-site.ts'

setDefaultTimeout(120_000)

const PLAIN = Array.from({ length: 30 }, (_, i) => `Localitatea ${i},${i + 2},${1000 + i}.${10 + i}`)
const OTHERS = ['"220.264,45"', '"1.220,5"', '1.234'].map((text, i) => `Orașul ${i},${40 + i},${text}`)
const TEXT = [
  'Situația încasărilor,,',
  'Localitate,Nr,Suma',
  ...PLAIN,
  ...OTHERS,
  'TOTAL,683,253349.3',
  '',
  'Sursa: registrul propriu,,',
  'Director,,Întocmit',
  'Ion Popescu,,Ana Ionescu',
  '',
].join('\n')

describeInBrowser('desk: left out and read', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk()
  })
  afterAll(() => desk?.stop())

  test.each([
    ['ro', 'mouse'],
    ['en', 'keyboard'],
  ] as const)(
    'numbers are read as the clerk says, and signature lines are not reported as errors: %s, by %s',
    (language, way: Way) =>
      desk.visit({}, async (page, context) => {
        await desk.enterAsPublisher(context, `${way}@example.org`, { language })
        await page.goto('/publish')
        await page.locator('#address button:enabled').waitFor()
        const clerk = new Clerk(page, language, way)
        const texts = NOTATION_TEXTS[language]
        await clerk.choose({ name: `incasari ${way}.csv`, content: TEXT })
        const section = page.locator('section[aria-labelledby="notation-title"]')
        expect(await section.locator('table').textContent()).toMatch(/220\.264,45\s*220264[.,]45/)
        expect(await section.locator('table').textContent()).toContain(
          texts.either(language === 'ro' ? '1,234' : '1.234', '1234'),
        )
        expect(await page.locator('#nulls-title').count()).toBe(0)
        expect(await page.locator('main').textContent()).not.toContain(
          COLUMN_DESK_TEXTS[language].identifiers,
        )
        const leftOut = page.locator('details', { hasText: RECORDS_TEXTS[language].leftOutText })
        expect(await leftOut.textContent()).toContain('Ion Popescu,,Ana Ionescu')
        expect(await page.locator('#kept-title').count()).toBe(0)
        await expectAccessible(page)
        await clerk.press(page.getByRole('button', { name: `${texts.readSo('1.234', '1234')}: suma` }))
        await clerk.read()
        await section.waitFor({ state: 'detached' })
        await clerk.press(clerk.button(ADVICE_TEXTS[language].leaveTotals))
        await clerk.read()
        await clerk.describe(`Incasari ${way}`, DOMAIN_TEXTS[language].economy)
        await clerk.publish()
        await page.goto(`/datasets/incasari_${way}?lang=${language}`)
        const provenance = await page.locator('section[aria-labelledby="provenance"]').textContent()
        expect(provenance).toContain(
          language === 'ro' ? '3 rânduri de note și semnături' : '3 lines of notes and signatures',
        )
        expect(provenance).toContain(language === 'ro' ? '1 rând de totaluri' : '1 row of totals')
        expect(await page.locator('main').textContent()).not.toMatch(/carantin|quarantin/i)
        const { data } = await (
          await page.request.get(`/datasets/incasari_${way}/rows?sort=-nr&limit=3`)
        ).json()
        expect(data.map(({ suma }: { suma: number }) => suma)).toEqual([1234, 1220.5, 220264.45])
      }),
  )
})
