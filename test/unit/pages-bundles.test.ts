import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleClient } from '../../build/client.ts'
import { STYLESHEET } from '../../src/pages/layout/assets.ts'

const BUNDLES = join(import.meta.dir, '../../src/pages/client/bundle')
const STYLE = join(import.meta.dir, '../../src/pages/style')

test('the committed bundles are what their islands compile to', async () => {
  const committed = readdirSync(BUNDLES).map((file) => [file, readFileSync(join(BUNDLES, file), 'utf8')])
  expect(new Map(committed as [string, string][])).toEqual(await bundleClient())
})

test('every topic of the stylesheet is served, once', () => {
  const topics = readdirSync(STYLE).filter((file) => file.endsWith('.css'))
  expect(topics.length).toBeGreaterThan(5)
  for (const topic of topics) {
    const text = readFileSync(join(STYLE, topic), 'utf8')
    expect([topic, STYLESHEET.split(text).length - 1]).toEqual([topic, 1])
  }
})
