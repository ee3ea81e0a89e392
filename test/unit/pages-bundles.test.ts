import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleClient } from '../../build/client.ts'

const BUNDLES = join(import.meta.dir, '../../src/pages/client/bundle')

test('the committed bundles are what their islands compile to', async () => {
  const committed = readdirSync(BUNDLES).map((file) => [file, readFileSync(join(BUNDLES, file), 'utf8')])
  expect(new Map(committed as [string, string][])).toEqual(await bundleClient())
})
