import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const TEXTS = join(import.meta.dir, '../../src/pages/texts')

test('every text is there in both languages', async () => {
  const tables: [string, Record<'ro' | 'en', Record<string, unknown>>][] = []
  for (const file of readdirSync(TEXTS).filter((name) => name !== 'texts.ts')) {
    const exported = Object.entries(await import(join(TEXTS, file)))
    tables.push(...exported.map(([name, table]) => [`${file} ${name}`, table] as (typeof tables)[number]))
  }
  expect(tables.length).toBeGreaterThan(3)
  for (const [name, { ro, en }] of tables) {
    expect([name, Object.keys(en).toSorted()]).toEqual([name, Object.keys(ro).toSorted()])
    for (const [key, text] of [...Object.entries(ro), ...Object.entries(en)]) {
      expect([
        name,
        key,
        typeof text === 'function' || (typeof text === 'string' && text.trim() !== ''),
      ]).toEqual([name, key, true])
    }
  }
})
