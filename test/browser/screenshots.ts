/**
 * Pictures of the public pages, to be looked at: `bun run screenshots [ADDRESS]` takes them of a running service
 * (http://127.0.0.1:3000, such as `bun start`) in both themes, wide and narrow, and on paper, into `dist/screenshots`.
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const ADDRESS = process.argv[2] ?? 'http://127.0.0.1:3000'
const FOLDER = join(import.meta.dir, '..', '..', 'dist', 'screenshots')
const PAGES = {
  catalog: '/',
  search: '/?q=elevi',
  dataset: '/datasets/vehicle_registry?chart=fuel',
  histogram: '/datasets/comert_international_cu_bunuri_2024?flow_code=1&sort=-value_lei&chart=value_lei',
  login: '/account/login',
  signup: '/account/signup',
  missing: '/datasets/nothing',
} as const

mkdirSync(FOLDER, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
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
await browser.close()
console.log(FOLDER)
