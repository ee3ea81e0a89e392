/** What publishing a draft changes in the served rows (contract 14). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, openDesk } from '../support/desk.ts'

let app: TestApp
let desk: DeskClient
beforeAll(async () => {
  app = await startTestApp()
  desk = await openDesk(app)
})
afterAll(() => app.stop())

const NO_COLUMNS = { added: [], removed: [], changed: [] }
const ofTowns = (...rows: string[]) => `town;year;people\n${rows.join('\n')}\n`
const TOWNS = ['Cluj;2024;1,5', 'Cluj;2025;2', 'Iași;2024;3', 'Iași;2025;']

test('a dataset that is not served yet has no difference', async () => {
  const { difference } = await desk.read('first.csv', ofTowns(...TOWNS))
  expect(difference).toBeNull()
})

test('with a primary key rows are added, removed and changed', async () => {
  await app.ingestCsv(ofTowns(...TOWNS), {
    ...{ id: 'keyed', domain: 'economy', definition: { primary_key: ['town', 'year'] } },
  })
  const next = ofTowns('Cluj;2025;2,0', 'Iași;2024;4,5', 'Iași;2025;7', 'Sibiu;2025;1', 'Sibiu;2025;2')
  const { difference, report } = await desk.read('keyed.csv', next)
  expect(report.rows).toMatchObject({ imported: 4, quarantined: 1 })
  expect(difference).toEqual({
    ...{ by: ['town', 'year'], added: 1, removed: 1, changed: 2, sampled: 1, columns: NO_COLUMNS },
  })
})

test('without a primary key rows are compared as a whole, by the columns that both have', async () => {
  await app.ingestCsv(ofTowns(...TOWNS), { id: 'keyless', domain: 'economy' })
  const wider = 'year;town;people;area\n2024;Cluj;1,5;9\n2025;Cluj;3;9\n2024;Cluj;1,5;9\n'
  const { difference } = await desk.read('keyless.csv', wider)
  expect(difference).toEqual({
    ...{ by: [], added: 2, removed: 3, changed: null, sampled: 1 },
    columns: { ...NO_COLUMNS, added: ['area'] },
  })
  const same = await desk.read('keyless.csv', ofTowns(...TOWNS))
  expect([same.report.unchanged, same.difference]).toEqual([
    true,
    { by: [], added: 0, removed: 0, changed: null, sampled: 1, columns: NO_COLUMNS },
  ])
})

test('appended rows replace those of their period, or none', async () => {
  await app.ingestCsv(ofTowns(...TOWNS), { id: 'added', domain: 'economy' })
  const draft = await desk.read('added.csv', ofTowns('Cluj;2025;2', 'Iași;2025;8', 'Sibiu;2025;1'))
  expect(draft.difference).toMatchObject({ added: 2, removed: 3 })
  const appended = await desk.decide(draft.id, { mode: 'append' })
  expect(appended.difference).toMatchObject({ added: 3, removed: 0, changed: null })
  const replacing = await desk.decide(draft.id, { mode: 'append', replace_where: ['year'] })
  expect(replacing.difference).toMatchObject({ added: 2, removed: 1 })
})

test('rows that cannot be appended have no difference', async () => {
  await app.ingestCsv(ofTowns(...TOWNS), { id: 'unlike', domain: 'economy' })
  const { id } = await desk.read('unlike.csv', 'town;area\nCluj;1\n')
  expect((await desk.decide(id, { mode: 'append' })).difference).toBeNull()
})

test('the counts are those of a plain comparison', async () => {
  const table = fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(2)), {
    ...{ selector: ([key]) => key, minLength: 1, maxLength: 20 },
  })
  const [seed] = fc.sample(table, 1)
  const text = (rows: readonly (readonly number[])[]) => `k,v\n${rows.map((row) => row.join()).join('\n')}\n`
  await app.ingestCsv(text(seed ?? []), {
    ...{ id: 'plain', domain: 'economy', definition: { primary_key: ['k'] } },
  })
  const before = new Map(seed)
  for (const rows of fc.sample(table, 4)) {
    const now = new Map(rows)
    const { difference } = await desk.read('plain.csv', text(rows))
    expect(difference).toMatchObject({
      added: rows.filter(([key]) => !before.has(key)).length,
      removed: [...before.keys()].filter((key) => !now.has(key)).length,
      changed: rows.filter(([key, value]) => before.has(key) && before.get(key) !== value).length,
    })
  }
})
