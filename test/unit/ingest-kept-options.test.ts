/** Options of the command line are choices about the dataset: its next edition is read by them, as on the desk. */

import { expect, test } from 'bun:test'
import { decided } from '../../src/publish/drafts/decisions.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'

const ROWS = ['Cluj;5', 'Arad;7', 'Bihor;n/a', 'Dolj;9', 'Total;21']
const EDITION = `judet;valoare\n${ROWS.join('\n')}\n`
const NEXT = EDITION.replace('Cluj;5', 'Cluj;6').replace('21', '22')
const CHOICES = { null_values: ['n/a'], totals: 'leave_out' } as const
const KEPT = 'as for the served version: --totals leave_out, --null-values n/a'

const keptIn = ({ decisions }: Awaited<ReturnType<Workplace['ingest']>>) =>
  decisions.filter(({ kind }) => kind === 'kept_options')

test('the next edition is read by the options of the served version, and the report names them', async () => {
  const place = openWorkplace()
  expect(keptIn(await place.ingest(EDITION, { read: CHOICES }))).toEqual([])
  const report = await place.ingest(NEXT)
  expect(report).toMatchObject({ version: 2, read: CHOICES, rows: { imported: 4, left_out: 1 } })
  expect(report.columns[1]).toMatchObject({ type: 'integer', null_count: 1 })
  expect(keptIn(report)).toEqual([{ kind: 'kept_options', reason: KEPT, override: '--forget' }])
})

test('the same file is unchanged, whether its options are given again or kept', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  expect(await place.ingest(EDITION)).toMatchObject({ unchanged: true, version: 1 })
  expect(await place.ingest(EDITION, { read: CHOICES })).toMatchObject({ unchanged: true, version: 1 })
  expect(await place.ingest(EDITION, { read: { totals: 'keep' } })).toMatchObject({ version: 2 })
})

test('an option given again replaces the kept one, and the others stay', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  const report = await place.ingest(NEXT, { read: { totals: 'keep' } })
  expect(report).toMatchObject({ read: { ...CHOICES, totals: 'keep' }, rows: { imported: 5 } })
  expect(keptIn(report)[0]?.reason).toBe('as for the served version: --null-values n/a')
  expect((await place.ingest(EDITION)).read).toEqual({ ...CHOICES, totals: 'keep' })
})

test('--forget reads without them from then on, and a definition says all of them itself', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  const definition = writeDefinition({ id: 'sample', domain: 'test', read: { null_values: ['n/a'] } })
  const defined = await place.ingest(NEXT, { definition })
  expect([defined.read, keptIn(defined)]).toEqual([{ null_values: ['n/a'] }, []])
  expect((await place.ingest(EDITION, { forget: true, acceptDrift: true })).read).toEqual({})
  const later = await place.ingest(NEXT)
  expect([later.read, keptIn(later)]).toEqual([{}, []])
})

test('the options beside a definition are kept as well, but not what else it says', async () => {
  const place = openWorkplace()
  const columns = [{ name: 'judet' }, { name: 'valoare', title: 'Valoarea' }]
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns, read: { totals: 'leave_out' } })
  await place.ingest(EDITION, { definition, read: { null_values: ['n/a'] } })
  expect(place.catalog.record('sample')?.definition).toMatchObject({ columns, read: CHOICES })
  expect((await place.ingest(NEXT)).read).toEqual(CHOICES)
  expect(place.catalog.record('sample')?.definition).toEqual({ id: 'sample', domain: 'test', read: CHOICES })
})

test('an edition on the desk begins with the same choices, and with the texts of the dataset', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES, title: 'Valori' })
  const draft = { changes: {}, dataset: 'sample', fileName: 'noiembrie.csv' }
  expect(decided(place.catalog, draft)).toEqual({
    id: 'sample',
    domain: 'test',
    title: 'Valori',
    read: CHOICES,
  })
})

test('columns that may hold personal data are kept beside the options', async () => {
  const place = openWorkplace()
  const people = EDITION.replaceAll(/^([A-D]\w+);/gm, '$1@exemplu.ro;')
  await place.ingest(people, { read: CHOICES, allowPersonalData: ['judet'] })
  expect(place.catalog.record('sample')?.definition).toEqual({
    ...{ id: 'sample', domain: 'test', read: CHOICES },
    personal_data: ['judet'],
  })
  expect(await place.ingest(people)).toMatchObject({ unchanged: true })
})

test('a file that the kept options do not fit is refused with their names', async () => {
  const place = openWorkplace()
  await place.ingest(`Raport\n\n${EDITION}`, { read: { ...CHOICES, header_row: 3 } })
  await expect(place.ingest('judet;valoare\nCluj;5\n')).rejects.toThrow(
    /The file was read as for the served version: --header-row 3, .*; --forget reads it without/,
  )
})

test('a new type is refused with the values that cause it and both answers', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  const [refusal] = (await place.attempt(NEXT.replace('Dolj;9', 'Dolj;-'))).refusals
  expect(refusal).toMatchObject({ kind: 'drift', override: '--accept-drift' })
  expect(refusal?.message).toContain(
    "column 'valoare' was integer and is string now because of 1 value: '-' (line 5); --null-values n/a,- makes it null",
  )
})
