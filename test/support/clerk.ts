/**
 * What a person does on the pages of the desk, by mouse or by keyboard alone, and in how many steps: a click, a choice made
 * with keys, or a field filled in is one step. By keyboard, only Tab (forwards and back), Enter, Space and arrows are pressed,
 * and texts typed.
 */

import type { Locator, Page } from 'playwright-core'
import type { Language } from '../../src/base/text/language.ts'
import { ABOUT_TEXTS } from '../../src/pages/texts/desk.ts'
import { READING_TEXTS } from '../../src/pages/texts/desk-columns.ts'
import { ADVICE_TEXTS, DRAFT_TEXTS } from '../../src/pages/texts/desk-draft.ts'
import { settled } from './desk-site.ts'

export type Way = 'mouse' | 'keyboard'

/** A path on the disk, or a file by its name and content. */
export type ChosenFile = string | { readonly name: string; readonly content: string | Buffer }

/** No page of the desk has as many places for the focus. */
const MOST_TABS = 400

export class Clerk {
  readonly page: Page
  readonly language: Language
  readonly way: Way
  steps = 0

  constructor(page: Page, language: Language, way: Way = 'mouse') {
    this.page = page
    this.language = language
    this.way = way
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first()
  }

  /** A button or a link. */
  async press(target: Locator): Promise<void> {
    this.steps += 1
    if (this.way === 'mouse') return target.click()
    await this.#focus(target)
    await this.page.keyboard.press('Enter')
  }

  /** A checkbox. */
  async tick(target: Locator): Promise<void> {
    this.steps += 1
    if (this.way === 'mouse') return target.click()
    await this.#focus(target)
    await this.page.keyboard.press('Space')
  }

  /** One of a group of radio buttons. */
  async pick(target: Locator): Promise<void> {
    this.steps += 1
    if (this.way === 'mouse') return target.click()
    // Tab goes to the chosen one of a group; arrows choose another.
    const group = (await target.getAttribute('name')) ?? ''
    await this.#focus(this.page.locator(`input[name="${group}"]:checked`))
    await this.page.keyboard.press('ArrowDown')
  }

  async fill(target: Locator, text: string): Promise<void> {
    this.steps += 1
    if (this.way === 'mouse') return target.fill(text)
    // Arriving by Tab selects what the field holds.
    await this.#focus(target)
    await this.page.keyboard.type(text)
  }

  /** An option of a list, by its text or a part of it. */
  async select(target: Locator, option: string): Promise<void> {
    this.steps += 1
    const texts = await target.locator('option').allTextContents()
    const wanted = texts.findIndex((text) => text.includes(option))
    if (wanted < 0) throw new Error(`none of ${texts.join(' | ')} has ${option}`)
    if (this.way === 'mouse') return void (await target.selectOption({ index: wanted }))
    await this.#focus(target)
    const now = await target.evaluate((list) => (list as unknown as { selectedIndex: number }).selectedIndex)
    await this.page.keyboard.press('Space')
    for (let at = now; at !== wanted; at += Math.sign(wanted - now))
      await this.page.keyboard.press(wanted > now ? 'ArrowDown' : 'ArrowUp')
    await this.page.keyboard.press('Enter')
  }

  /** Chooses a file with the button that opens the browser's dialog. @param button left out: the one for any file */
  async choose(file: ChosenFile, button?: Locator): Promise<void> {
    this.steps += 1
    const chosen = this.page.waitForEvent('filechooser')
    const input = button ?? this.page.locator('.drop input[type="file"]')
    if (this.way === 'mouse') await input.locator('xpath=following-sibling::label').click()
    else {
      await this.#focus(input)
      await this.page.keyboard.press('Enter')
    }
    const { name, content } = typeof file === 'string' ? { name: file, content: null } : file
    const given =
      content === null ? name : { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
    await (await chosen).setFiles(given)
    await this.page.waitForURL('**/publish/drafts/*')
    await this.read()
  }

  /** Waits until the draft is read again after a decision. */
  async read(): Promise<void> {
    await this.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await settled(this.page)
  }

  /** Marks a text as “no value”. */
  async markAsNull(value: string): Promise<void> {
    await this.tick(
      this.page
        .locator('#nulls-title ~ ul li', { has: this.page.getByText(value, { exact: true }) })
        .getByRole('checkbox'),
    )
    await this.read()
  }

  /** Chooses a sheet of a workbook other than the one that was found. */
  async chooseSheet(name: string): Promise<void> {
    await this.press(this.button(ADVICE_TEXTS[this.language].chooseSheet))
    const label = READING_TEXTS[this.language].sheet
    await this.select(this.page.locator('#reading').getByLabel(label, { exact: true }), name)
    await this.read()
  }

  /** Says what a new dataset is. */
  async describe(title: string, domain: string): Promise<void> {
    const about = this.page.locator('form#about')
    await this.select(about.getByLabel(ABOUT_TEXTS[this.language].domain, { exact: true }), domain)
    await this.fill(about.getByLabel(ABOUT_TEXTS[this.language].name), title)
  }

  /** Publishes, and waits until it is done. */
  async publish(): Promise<void> {
    await this.press(this.button(DRAFT_TEXTS[this.language].publish))
    await this.page.locator('#outcome-title').waitFor()
    await this.page.locator('.note.good').waitFor()
    // The pressed button is gone, and the focus is on the outcome.
    if (this.way === 'keyboard') await this.page.locator('#outcome-title:focus').waitFor()
  }

  /** The button beside a dataset on the first page that takes its next edition. */
  editionButton(title: string): Locator {
    const link = this.page.getByRole('link', { name: title, exact: true })
    return this.page.locator('tr', { has: link }).locator('input[type="file"]')
  }

  async #focus(target: Locator): Promise<void> {
    for (let presses = 0; presses < MOST_TABS; presses++) {
      const key = await target.evaluate((element) => {
        const focused = document.activeElement
        if (focused === element) return null
        const isBefore = focused !== null && element.compareDocumentPosition(focused) & 4
        return isBefore && focused !== document.body ? 'Shift+Tab' : 'Tab'
      })
      if (key === null) return
      await this.page.keyboard.press(key)
    }
    throw new Error(`Tab never reaches ${target}`)
  }
}
