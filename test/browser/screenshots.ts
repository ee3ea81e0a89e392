/**
 * Pictures of the public pages, to be looked at: `bun run screenshots [ADDRESS]` takes them of a running service
 * (http://127.0.0.1:3000, such as `bun start`) in both themes, wide and narrow, and on paper, into `dist/screenshots`.
 * `bun run screenshots readme [ADDRESS]` takes the README's, of the demo's data, into `docs/screenshots`.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const isForReadme = process.argv[2] === 'readme'
const ADDRESS = process.argv[isForReadme ? 3 : 2] ?? 'http://127.0.0.1:3000'
const REPOSITORY = join(import.meta.dir, '..', '..')
const FOLDER = join(REPOSITORY, isForReadme ? 'docs' : 'dist', 'screenshots')
const PAGES = {
  catalog: '/',
  search: '/?q=elevi',
  dataset: '/datasets/vehicle_registry?chart=fuel',
  histogram: '/datasets/comert_international_cu_bunuri_2024?flow_code=1&sort=-value_lei&chart=value_lei',
  refused: '/datasets/vehicle_registry?year_of_manufacture=mult&county=CLUJ',
  guide: '/docs/guides/queries',
  errors: '/docs/guides/errors',
  login: '/account/login',
  signup: '/account/signup',
  missing: '/datasets/nothing',
} as const
/** In the README: what the window shows from `from` on, downwards. */
const README_PICTURES = [
  { name: 'catalog', path: '/', from: 'body', height: 680 },
  {
    name: 'explorer',
    path: '/datasets/vehicle_registry?county=CLUJ&manufacturer=DACIA&year_of_manufacture[gte]=2023&sort=-vehicle_count&fields=county,manufacturer,commercial_description,fuel,year_of_manufacture,vehicle_count&chart=commercial_description',
    from: '.explorer',
    height: 860,
  },
] as const

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
await (isForReadme ? takeReadmePictures() : takeAll())
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
