/** A site with a signed-in publisher, and what publishers do on the pages of the desk. */

import type { BrowserContext, Page } from 'playwright-core'
import { succeed } from '../journeys/program.ts'
import { type ConsoleSite, startConsole } from './console.ts'
import type { SampleFile } from './sample-files.ts'

export interface DeskSite extends ConsoleSite {
  /** As `enter`, with the role. @param domains left out: all */
  enterAsPublisher(
    context: BrowserContext,
    email: string,
    options?: { readonly language?: 'ro' | 'en'; readonly domains?: readonly string[] },
  ): Promise<void>
}

/** Stop it in `afterAll`. @param samples datasets that are published already */
export async function startDesk(samples?: readonly SampleFile[]): Promise<DeskSite> {
  const desk = await startConsole(samples === undefined ? {} : { samples })
  return {
    ...desk,
    async enterAsPublisher(context, email, { language = 'ro', domains = [] } = {}) {
      await desk.enter(context, email, language)
      const named = domains.flatMap((domain) => ['--domain', domain])
      await succeed(['users', 'set-role', email, 'publisher', ...named, '--data', desk.site.data])
    },
  }
}

/** Drops a file on the open page and waits until the draft is read. */
export async function dropFile(page: Page, name: string, content: string): Promise<void> {
  await page.locator('#address button:enabled').waitFor()
  const dataTransfer = await page.evaluateHandle(
    ([called, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], called))
      return data
    },
    [name, content] as const,
  )
  await page.dispatchEvent('.drop', 'drop', { dataTransfer })
  await page.waitForURL('**/publish/drafts/*')
  await settled(page)
}

/** Waits until every decision is sent and nothing is being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.desk-bar[aria-busy="true"]').waitFor({ state: 'detached' })
  await page.locator('.desk-bar .tag.warn, .desk-bar .tag.good, .desk-bar .tag.bad').first().waitFor()
}
