/** A site with accounts: real mail, and browsers with different addresses, so that limits count each separately. */

import type { BrowserContext, Page } from 'playwright-core'
import { type LookOptions, look, type Site, type SiteOptions, startSite } from './chromium.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { PASSWORD } from './passwords.ts'

export interface ConsoleSite {
  readonly site: Site
  readonly mail: MailServer
  /** As `look`, from a new address. */
  visit(
    options: LookOptions,
    journey: (page: Page, context: BrowserContext, ip: string) => Promise<void>,
  ): Promise<void>
  /** Makes an account without a browser, then signs the browser in to it. */
  enter(context: BrowserContext, email: string, language?: 'ro' | 'en'): Promise<void>
  /** Calls the account API from the open page. */
  call(page: Page, method: string, path: string, body?: object): Promise<unknown>
  stop(): Promise<void>
}

let visitors = 0

function nextAddress(): string {
  visitors += 1
  return `198.51.100.${visitors}`
}

export interface ConsoleOptions extends Pick<SiteOptions, 'samples'> {
  /** False: the service has no mail server. */
  readonly sendsMail?: boolean
}

/** Stop it in `afterAll`. */
export async function startConsole({ sendsMail = true, ...rest }: ConsoleOptions = {}): Promise<ConsoleSite> {
  const mail = await startMailServer()
  const env = { IZVOR_TRUSTED_PROXIES: '127.0.0.1', ...(sendsMail && { IZVOR_SMTP_URL: mail.url }) }
  const site = await startSite({ env, ...rest })
  return {
    ...{ site, mail },
    visit: (options, journey) =>
      look(site, options, async (page, context) => {
        const ip = nextAddress()
        await context.setExtraHTTPHeaders({ 'X-Forwarded-For': ip })
        await journey(page, context, ip)
      }),
    async enter(context, email, language = 'ro') {
      const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': nextAddress() }
      const body = JSON.stringify({ email, password: PASSWORD, language })
      const answer = await fetch(`${site.address}/account/api/signup`, { method: 'POST', headers, body })
      if (answer.status !== 201) throw new Error(`sign-up: ${answer.status} ${await answer.text()}`)
      const [name = '', value = ''] = answer.headers.getSetCookie()[0]!.split(';')[0]!.split('=')
      await context.addCookies([{ name, value, url: site.address, httpOnly: true, sameSite: 'Lax' }])
    },
    call: (page, method, path, body) =>
      page.evaluate(
        async ([verb, place, sent]) => {
          const me = await (await fetch('/account/api/me')).json()
          const headers = { 'Content-Type': 'application/json', 'X-CSRF-Token': me.csrf_token }
          const init = { method: verb, headers, ...(sent !== null && { body: sent }) }
          const answer = await fetch(`/account/api${place}`, init)
          return answer.status === 204 ? null : await answer.json()
        },
        [method, path, body === undefined ? null : JSON.stringify(body)] as const,
      ),
    async stop() {
      await site.stop()
      await mail.close()
    },
  }
}

/** Presses Tab until the element with this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const called = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null
      const label = element?.labels?.[0]?.textContent ?? element?.textContent ?? ''
      return (element?.getAttribute('aria-label') ?? label).trim()
    })
    if (called(focused)) return
  }
  throw new Error(`Tab never reaches ${name}`)
}
