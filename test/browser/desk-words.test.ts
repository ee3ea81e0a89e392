/** A Romanian publisher sees no English in warnings and refusals of real files on the desk. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { describeInBrowser } from '../support/chromium.ts'
import { type DeskSite, dropFile, startDesk } from '../support/desk-site.ts'
import { ENGLISH_WORDS } from '../support/english-words.ts'

setDefaultTimeout(60_000)

const FILES = {
  'dates and numbers that can be read in two ways': 'zi,n\n1/2/2019,"1,234"\n3/4/2019,"5,678"\n',
  'data about people': `nume,email\n${Array.from({ length: 9 }, (_, i) => `Ana,a${i}@example.ro\n`).join('')}`,
  'a header without rows': 'oraș,preț\n',
  'a header that could be data': '1,2\n3,5\n4,6\n',
  'an open quote': `oraș,preț\n${'Cluj,5\n'.repeat(20)}"Iași,6\n`,
  'a page': '<!doctype html><html><body>Nimic</body></html>',
}

describeInBrowser('desk: words', () => {
  let desk: DeskSite
  beforeAll(async () => {
    desk = await startDesk()
  })
  afterAll(() => desk?.stop())

  test.each(Object.entries(FILES))('%s', (name, content) =>
    desk.visit({}, async (page, context) => {
      await desk.enterAsPublisher(context, `${name.replaceAll(' ', '-')}@example.org`)
      await page.goto('/publish')
      await dropFile(page, 'Fisier.csv', content)
      const points = page.locator('.points')
      const text = (await points.textContent()) ?? ''
      expect(text.length).toBeGreaterThan(40)
      expect(text).not.toMatch(ENGLISH_WORDS)
      expect(await points.locator('[lang="en"]').count()).toBe(0)
    }),
  )
})
