/** The licences that the program lists are those of what the bundler puts into it. */

import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledPackages, makeNotice } from '../../build/licenses.ts'

const ROOT = join(import.meta.dir, '..', '..')

test('NOTICE has every package of the bundle, the runtime and its data, and matches the build', async () => {
  const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8')
  const folders = await bundledPackages()
  expect(folders.length).toBeGreaterThan(50)
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
    expect([folder, notice.includes(`\n== ${name} ${version} (`)]).toEqual([folder, true])
  }
  for (const name of ['bun', 'sqlite', 'fxa-common-password-list']) expect(notice).toContain(`\n== ${name} `)
  // After adding, removing or changing a package: bun run build:licenses
  expect(notice).toBe(await makeNotice())
})
