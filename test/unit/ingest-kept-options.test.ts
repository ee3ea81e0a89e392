/** Options of the command line become part of the dataset's definition: desk and refreshes read the next edition by them. */

import { expect, test } from 'bun:test'
import { decided } from '../../src/publish/drafts/decisions.ts'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'

const ROWS = ['Cluj;5', 'Arad;7', 'Bihor;n/a', 'Dolj;9', 'Total;21']
const EDITION = `judet;valoare\n${ROWS.join('\n')}\n`
const NEXT = EDITION.replace('Cluj;5', 'Cluj;6').replace('21', '22')
const CHOICES = { null_values: ['n/a'], totals: 'leave_out' } as const

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

test('a command has the options that it names, and the same ones leave the file unchanged', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  expect(await place.ingest(EDITION, { read: CHOICES })).toMatchObject({ unchanged: true, version: 1 })
  expect(await place.ingest(EDITION, { acceptDrift: true })).toMatchObject({ version: 2, read: {} })
  expect(place.catalog.record('sample')?.definition).toBeNull()
})

test('the options beside a definition join those that it has', async () => {
  const place = openWorkplace()
  const columns = [{ name: 'judet' }, { name: 'valoare', title: 'Valoarea' }]
  const definition = writeDefinition({ id: 'sample', domain: 'test', columns, read: { totals: 'leave_out' } })
  const report = await place.ingest(EDITION, { definition, read: { null_values: ['n/a'] } })
  expect(report).toMatchObject({ read: CHOICES, rows: { imported: 4, left_out: 1 } })
  expect(place.catalog.record('sample')?.definition).toMatchObject({ columns, read: CHOICES })
})

test('columns that may hold personal data are kept beside the options', async () => {
  const place = openWorkplace()
  const people = EDITION.replaceAll(/^([A-D]\w+);/gm, '$1@exemplu.ro;')
  await place.ingest(people, { read: CHOICES, allowPersonalData: ['judet'] })
  expect(place.catalog.record('sample')?.definition).toEqual({
    ...{ id: 'sample', domain: 'test', read: CHOICES },
    personal_data: ['judet'],
  })
})

test('one advice serves all columns whose type is new', async () => {
  const place = openWorkplace()
  const text = (...rows: string[]) => `judet;a;b\n${rows.join('\n')}\n`
  await place.ingest(text('Cluj;5;7', 'Arad;7;8', 'Dolj;9;9'))
  const [refusal] = (await place.attempt(text('Cluj;5;-', 'Arad;n/a;8', 'Dolj;9;9'))).refusals
  const advised = refusal?.message.match(/--null-values (\S+) makes/g)
  expect(advised).toEqual(['--null-values n/a,- makes', '--null-values n/a,- makes'])
})

test('a new type is refused with the values that cause it and both answers', async () => {
  const place = openWorkplace()
  await place.ingest(EDITION, { read: CHOICES })
  const [refusal] = (await place.attempt(NEXT.replace('Dolj;9', 'Dolj;-'), { read: CHOICES })).refusals
  expect(refusal).toMatchObject({ kind: 'drift', override: '--accept-drift' })
  expect(refusal?.message).toContain(
    "column 'valoare' was integer and is string now because of 1 value: '-' (line 5); --null-values n/a,- makes it null",
  )
})
