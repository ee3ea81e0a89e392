/**
 * The program as people see it: started as a process over a temp folder with ingested samples, and viewed in Debian's
 * chromium. A page that writes an error to its console, asks another host, or has a request fail, fails its test.
 */

import { describe, expect } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { launch, listening, mint, type RunningService, succeed } from '../journeys/program.ts'
import { SAMPLES, type SampleFile } from './sample-files.ts'

export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const isInstalled = existsSync(CHROMIUM)
if (!isInstalled) console.warn(`No browser tests: there is no ${CHROMIUM} (CHROMIUM names another).`)

/** As `describe`, for tests that need the browser: skipped with a message where there is none. */
export const describeInBrowser = describe.skipIf(!isInstalled)

export interface Site {
  readonly address: string
  /** An operator's key without limits. */
  readonly key: string
  readonly data: string
  readonly service: RunningService
  readonly browser: Browser
  stop(): Promise<void>
}

export interface SiteOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly samples?: readonly SampleFile[]
}

/** Starts program and browser; stop them in `afterAll`. It takes a few seconds: once per test file. */
export async function startSite({ env, samples = SAMPLES }: SiteOptions = {}): Promise<Site> {
  const root = mkdtempSync(join(tmpdir(), 'izvor-site-'))
  const data = join(root, 'data')
  for (const sample of samples) await ingest(sample, root, data)
  const { secret } = await mint(data)
  const child = launch(['serve', '--port', '0', '--data', data], env === undefined ? {} : { env })
  const [service, browser] = await Promise.all([
    listening(child),
    chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] }),
  ])
  return {
    ...{ address: service.address, key: secret, data, service, browser },
    async stop() {
      await browser.close()
      child.kill('SIGKILL')
      await child.exited
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function ingest(
  { id, domain, text, definition }: SampleFile,
  root: string,
  data: string,
): Promise<void> {
  const described = join(root, `${id}.json`)
  writeFileSync(described, JSON.stringify({ id, domain, ...definition }))
  await succeed(['ingest', '-', '--definition', described, '--data', data, '--max-quarantine', '50%'], {
    input: text,
  })
}

export interface LookOptions {
  readonly language?: 'ro' | 'en'
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly javaScript?: boolean
  /** Troubles that the journey causes on purpose, such as a refused form: a pattern for each. */
  readonly expected?: readonly RegExp[]
}

/** Runs a journey in a new browser, then fails if anything went wrong on the way. */
export async function look(
  site: Pick<Site, 'address' | 'browser'>,
  options: LookOptions,
  journey: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const { language = 'ro', theme = 'light', width = 1280, javaScript = true, expected = [] } = options
  const context = await site.browser.newContext({
    baseURL: site.address,
    locale: language === 'ro' ? 'ro-RO' : 'en-GB',
    colorScheme: theme,
    viewport: { width, height: 800 },
    javaScriptEnabled: javaScript,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const troubles = watch(page, site.address)
    await journey(page, context)
    expect(troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)))).toEqual([])
  } finally {
    await context.close()
  }
}

/** Notes what must not happen. */
function watch(page: Page, address: string): string[] {
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${address}/`) && !/^(data|blob):/.test(url)) troubles.push(`foreign: ${url}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A download, and a search overtaken by the next letter, end a request without failing.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`failed: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`status ${response.status()}: ${response.url()}`)
  })
  return troubles
}

/**
 * Fails if axe-core finds a violation (WCAG 2.2 A and AA, and its best practices), or if an id is not unique.
 * @param others rules that markup not ours is known to break
 */
export async function expectAccessible(page: Page, others: readonly string[] = []): Promise<void> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    // biome-ignore lint/suspicious/noExplicitAny: put into the page a line above
    (globalThis as any).axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  )
  const ours = (violations as axe.Result[]).filter(({ id }) => !others.includes(id))
  const found = ours.map(({ id, nodes }) => ({
    rule: id,
    places: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
  }))
  expect(found).toEqual([])
  // A label whose id two elements have belongs to the first of them. axe-core no longer looks for it.
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id))
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
}

/** Fails when the page is wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(excess).toBeLessThanOrEqual(0)
}
