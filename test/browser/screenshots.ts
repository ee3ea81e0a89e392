/**
 * Screenshots of the public pages and the publishing desk, for review: `bun run screenshots [ADDRESS]` takes them from a
 * running service (by default http://127.0.0.1:3000, as `bun start` serves it) in both themes, wide and narrow, and on
 * paper, into `dist/screenshots`. `bun run screenshots readme [ADDRESS]` takes those of the README, with the demo's data,
 * into `docs/screenshots`. For the desk it creates an account with the role, in the data directory that `izvor` finds
 * (`IZVOR_DATA`).
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { PASSWORD } from '../support/passwords.ts'

const isForReadme = process.argv[2] === 'readme'
const ADDRESS = process.argv[isForReadme ? 3 : 2] ?? 'http://127.0.0.1:3000'
const REPOSITORY = join(import.meta.dir, '..', '..')
const FOLDER = join(REPOSITORY, isForReadme ? 'docs' : 'dist', 'screenshots')
const PAGES = {
  catalog: '/',
  search: '/?q=elevi',
  dataset: '/datasets/vehicle_registry',
  summary: '/datasets/vehicle_registry/summary?rows=county&columns=fuel&measure=sum(vehicle_count)',
  months:
    '/datasets/comert_international_cu_bunuri_2024/summary?rows=month&columns=flow_code&measure=sum(value_lei)',
  ranges: '/datasets/comert_international_cu_bunuri_2024/summary?rows=value_lei&flow_code=1',
  refused: '/datasets/vehicle_registry?year_of_manufacture=mult&county=CLUJ',
  guide: '/docs/guides/queries',
  errors: '/docs/guides/errors',
  login: '/account/login',
  signup: '/account/signup',
  missing: '/datasets/nothing',
} as const
/** Screenshots in the README: the window scrolled down to `from`. */
const README_PICTURES = [
  { name: 'catalog', path: '/', from: 'body', height: 680 },
  {
    name: 'explorer',
    path: '/datasets/vehicle_registry?county=CLUJ&manufacturer=DACIA&year_of_manufacture[gte]=2023&sort=-vehicle_count&fields=county,manufacturer,commercial_description,fuel,year_of_manufacture,vehicle_count',
    from: '.explorer',
    height: 860,
  },
] as const

/** Screenshots in the documents: the explorer and a summary, in both themes, wide and narrow. */
const EXPLORER_PICTURES = {
  rows: '/datasets/vehicle_registry?q=dacia&fields=county,manufacturer,commercial_description,fuel,vehicle_count',
  summary: '/datasets/vehicle_registry/summary?rows=county&columns=fuel&measure=sum(vehicle_count)',
} as const

const PUBLISHER = 'desk@example.org'
/** A typical file of an institution: a title above the table, signs for missing values, a note below it. */
const FILE = {
  name: 'Someri inregistrati 2025.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Șomeri înregistrați pe județe;;;;',
      'luna septembrie 2025;;;;',
      'Județ;Total;din care femei;Rata (%);Actualizat la',
      ...['Alba;4.812;2.301;3,1', 'Arad;3.377;1.598;1,9', 'Argeș;7.046;-;3,0', 'Bacău;9.418;4.402;4,7'].map(
        (row) => `${row};30.09.2025`,
      ),
      ...['Bihor;5.120;2.466;2,1', 'Cluj;4.689;2.275;1,4', 'Dolj;15.902;7.133;6,2', 'Iași;8.013;-;2,8'].map(
        (row) => `${row};30.09.2025`,
      ),
      'Sursa: exemplu;;;;',
    ].join('\n'),
  ),
}

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
await (isForReadme ? takeReadmePictures() : takeAll())
if (isForReadme) await takeExplorerPictures()
await (isForReadme ? takeDeskPicture() : takeDesk())
await browser.close()
console.log(FOLDER)

async function takeAll(): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 360]) {
        const page = await browser.newPage({ colorScheme, locale: 'ro-RO', viewport: { width, height: 900 } })
        await page.goto(ADDRESS + path, { waitUntil: 'networkidle' })
        await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${width}.png`), fullPage: true })
        await page.close()
      }
    }
    const page = await browser.newPage({ locale: 'ro-RO' })
    await page.goto(ADDRESS + path, { waitUntil: 'networkidle' })
    await page.pdf({ path: join(FOLDER, `${name}.pdf`), format: 'A4' })
    await page.close()
  }
}

async function takeReadmePictures(): Promise<void> {
  for (const { name, path, from, height } of README_PICTURES) {
    const page = await browser.newPage({
      colorScheme: 'light',
      locale: 'en-GB',
      viewport: { width: 1280, height },
    })
    await page.goto(ADDRESS + path, { waitUntil: 'networkidle' })
    await page.locator(from).evaluate((element) => element.scrollIntoView())
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
    await page.close()
  }
}

async function takeExplorerPictures(): Promise<void> {
  for (const [name, path] of Object.entries(EXPLORER_PICTURES)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        const viewport = { width, height: width > 1000 ? 740 : 844 }
        const page = await browser.newPage({ colorScheme, locale: 'ro-RO', viewport })
        await page.goto(ADDRESS + path, { waitUntil: 'networkidle' })
        await page
          .locator(name === 'rows' ? '#explore' : '#summary')
          .evaluate((element) => element.scrollIntoView())
        await page.screenshot({ path: join(FOLDER, `explorer-${name}-${colorScheme}-${width}.png`) })
        await page.close()
      }
    }
  }
}

/** For the README: a draft, with the file beside the table made from it. */
async function takeDeskPicture(): Promise<void> {
  const context = await signIn({
    colorScheme: 'light',
    locale: 'en-GB',
    viewport: { width: 1280, height: 900 },
  })
  const page = await openDraft(context, 'en')
  await page.locator('#records-title').evaluate((element) => element.scrollIntoView())
  await page.screenshot({ path: join(FOLDER, 'desk.png') })
  await removeDraft(page)
  await context.close()
}

/** The desk in both languages and themes, wide and narrow: its first page, a draft, a dataset. */
async function takeDesk(): Promise<void> {
  for (const [language, colorScheme, width] of [
    ['ro', 'light', 1280],
    ['en', 'light', 1280],
    ['ro', 'dark', 1280],
    ['ro', 'light', 390],
  ] as const) {
    const context = await signIn({ colorScheme, viewport: { width, height: 900 } })
    const page = await openDraft(context, language)
    const take = async (name: string) => {
      await page.waitForLoadState('networkidle')
      const path = join(FOLDER, `${name}-${language}-${colorScheme}-${width}.png`)
      await page.screenshot({ path, fullPage: true })
    }
    await take('desk-draft')
    const draft = page.url()
    await page.goto(`/publish?lang=${language}`)
    await take('desk-home')
    await page.goto(`/publish/datasets/vehicle_registry?lang=${language}`)
    await take('desk-dataset')
    await page.goto(draft)
    await removeDraft(page)
    await context.close()
  }
}

/** A browser signed in with the role; the account is created the first time. */
async function signIn(options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ ...options, baseURL: ADDRESS })
  const data = { email: PUBLISHER, password: PASSWORD }
  const known = await context.request.post('/account/api/login', { data })
  if (known.ok()) return context
  const made = await context.request.post('/account/api/signup', { data })
  if (!made.ok()) throw new Error(`sign-up: ${await made.text()}`)
  const role = Bun.spawnSync(['bun', 'src/main.ts', 'users', 'set-role', PUBLISHER, 'publisher'], {
    cwd: REPOSITORY,
  })
  if (role.exitCode !== 0) throw new Error(role.stderr.toString())
  return context
}

async function openDraft(context: BrowserContext, language: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`/publish?lang=${language}`)
  await page.setInputFiles('.drop input[type="file"]', FILE)
  await page.waitForURL('**/publish/drafts/*')
  await page.locator('.desk-bar .tag.warn, .desk-bar .tag.good').first().waitFor()
  await page.waitForLoadState('networkidle')
  return page
}

async function removeDraft(page: Page): Promise<void> {
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const me = await (await page.request.get('/account/api/me')).json()
  await page.request.delete(`/publish/api/drafts/${id}`, { headers: { 'X-CSRF-Token': me.csrf_token } })
}
