/** Titles, notes, signatures and totals are neither rows nor faults (contract 14). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { type DeskClient, openDesk } from '../support/desk.ts'

let app: TestApp
let desk: DeskClient
beforeAll(async () => {
  app = await startTestApp()
  desk = await openDesk(app)
  await app.ingestCsv(SIGNED, { id: 'signed', domain: 'economy' })
})
afterAll(() => app.stop())

const ROWS = ['Alba', 'Arad', 'Bihor', 'Cluj', 'Dolj'].map((name, at) => `${name},${at + 3},${2 * at}`)
const TABLE = ['judet,locuri,ocupate', ...ROWS]
const SIGNED = [
  'Situatia locurilor,,',
  'Primaria,,',
  ...TABLE,
  '',
  'Sursa: registrul propriu,,',
  'Director,,Intocmit',
  'Ion Popescu,,Ana Ionescu',
  '',
].join('\n')

test('they are counted by kind in the quality report, and are not in quarantine', async () => {
  const { body } = await app.get('/v1/datasets/signed/quality')
  expect(body).toMatchObject({
    rows: { read: 5, imported: 5, quarantined: 0, left_out: 5 },
    left_out: [
      { kind: 'footnote', count: 3 },
      { kind: 'title', count: 2 },
    ],
    quarantine: [],
  })
  expect((await app.get('/v1/datasets/signed')).body.provenance.rows_quarantined).toBe(0)
  expect((await desk.call('GET', '/../datasets/signed/quarantine')).body.data).toEqual([])
})

test.each([
  [
    'ro',
    'Toate cele 5 rânduri citite au fost preluate',
    '3 rânduri de note și semnături, 2 rânduri de titlu',
  ],
  ['en', 'All 5 rows read were imported', '3 lines of notes and signatures, 2 lines of titles'],
])('the page lists them only as provenance: %s', async (lang, all, leftOut) => {
  const { text } = await app.get(`/datasets/signed?lang=${lang}`, { key: null })
  expect(text).toContain(all)
  expect(text).toContain(leftOut)
  expect(text).not.toMatch(/carantin|quarantin|footnote/i)
  const catalog = await app.get(`/?lang=${lang}`, { key: null })
  expect(catalog.text).not.toContain('tag warn')
})

test('totals are left out, and notes kept as rows, on request', async () => {
  const text = [...TABLE, 'TOTAL,25,20', 'Sursa: registrul propriu,,', ''].join('\n')
  const kept = await desk.read('totals.csv', text)
  expect(kept.report.rows).toMatchObject({ imported: 6, quarantined: 0, left_out: 1 })
  expect(kept.report.decisions).toContainEqual(
    expect.objectContaining({ kind: 'totals', override: '--totals leave_out' }),
  )
  const without = await desk.decide(kept.id, { read: { totals: 'leave_out' } })
  expect(without.report).toMatchObject({
    rows: { read: 5, imported: 5, quarantined: 0, left_out: 2 },
    left_out: [
      { kind: 'footnote', count: 1, first_line: 8 },
      { kind: 'total_row', count: 1, first_line: 7 },
    ],
    left_out_sample: [
      { line: 7, kind: 'total_row', raw: 'TOTAL,25,20' },
      { line: 8, kind: 'footnote', raw: 'Sursa: registrul propriu,,' },
    ],
    refusals: [],
  })
  const all = await desk.decide(kept.id, { read: { totals: 'quarantine', footnotes: 'keep' } })
  expect(all.report.rows).toMatchObject({ imported: 6, quarantined: 1, left_out: 0 })
})

test('a dataset with appended files counts what was left out of each', async () => {
  const edition = (year: number) =>
    ['an,judet,locuri', ...ROWS.map((row) => `${year},${row.slice(0, -2)}`), 'Sursa: registru,,', ''].join(
      '\n',
    )
  await app.ingestCsv(edition(2024), { id: 'yearly', domain: 'economy' })
  await app.ingestCsv(edition(2025), { id: 'yearly', domain: 'economy', definition: { mode: 'append' } })
  const { body } = await app.get('/v1/datasets/yearly/quality')
  expect(body.rows).toEqual({ read: 10, imported: 10, quarantined: 0, left_out: 2 })
  expect(body.left_out).toEqual([{ kind: 'footnote', count: 2 }])
})
