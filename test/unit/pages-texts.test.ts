import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { REFUSALS } from '../../src/read/report/reasons.ts'
import type { Rows } from '../../src/read/report/texts/row.ts'
import { WARNINGS } from '../../src/read/report/texts/warnings.ts'

const TEXTS = join(import.meta.dir, '../../src/pages/texts')
/** What the tables are made with. */
const MAKERS = ['texts.ts']

type Tables = [string, Record<'ro' | 'en', Record<string, unknown>>][]

async function readTables(): Promise<Tables> {
  const tables: Tables = []
  for (const file of readdirSync(TEXTS).filter((name) => !MAKERS.includes(name))) {
    // Functions choose among a table's texts.
    const exported = Object.entries(await import(join(TEXTS, file))).filter(
      ([, one]) => typeof one !== 'function',
    )
    tables.push(...exported.map(([name, table]) => [`${file} ${name}`, table] as Tables[number]))
  }
  return tables
}

test('every text is there in both languages', async () => {
  const tables = await readTables()
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

test('Romanian readers are addressed formally; only buttons command, and those the program', async () => {
  // Words of address in the singular; commands in the singular that are sentences or the beginning of one.
  const familiar =
    /(?<!\p{L}|se )(tu|tău|ta|tăi|tale|ție|îți|ești|ai|vrei|poți|fă-ți|încearcă(?! din nou$)|verifică|caută(?!$)|explorează)(?!\p{L})/iu
  const rows = Object.entries<Rows[string]>({ ...REFUSALS, ...WARNINGS })
  const ofRows = rows.map(([code, { ro, desk }]) => [code, `${ro} ${desk?.ro}`])
  const found = [...(await readTables()), ['rows', { ro: Object.fromEntries(ofRows) }] as const].flatMap(
    ([name, { ro }]) =>
      Object.entries(ro)
        .filter(([, text]) => familiar.test(String(text)))
        .map(([key]) => `${name} ${key}`),
  )
  expect(found).toEqual([])
})
