/** The warning that a new file may be another table: it has few of the served keys (contract 6). */

import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { openWorkplace, writeDefinition } from '../support/ingest.ts'

const table = (from: number, to: number) =>
  `code,place,value\n${Array.from({ length: to - from }, (_, i) => `c${from + i},p${(from + i) % 3},${i}`).join('\n')}\n`
const keyed = (...primary_key: string[]) => writeDefinition({ id: 'sample', domain: 'test', primary_key })
const ofKeys = (warnings: readonly string[]) =>
  warnings.filter((warning) => /by their key|The keys of/.test(warning))

test.each([
  [49, 'Only 49 % of the published rows are found in the file, by their key (code)'],
  [0, 'Only 0 % of the published rows are found in the file, by their key (code)'],
])('a file that kept %d of 100 keys is published with a warning that says so', async (kept, words) => {
  const place = openWorkplace()
  const definition = keyed('code')
  await place.ingest(table(0, 100), { definition })
  const { published, warnings } = await place.ingest(table(100 - kept, 200 - kept), { definition })
  expect(published).toBe(true)
  expect(ofKeys(warnings)).toEqual([expect.stringContaining(words)])
})

test('a file that kept half of the keys, or grew, gets no warning', async () => {
  const place = openWorkplace()
  const definition = keyed('code')
  await place.ingest(table(0, 100), { definition })
  expect(ofKeys((await place.ingest(table(50, 150), { definition })).warnings)).toEqual([])
  expect(ofKeys((await place.ingest(table(0, 1000), { definition })).warnings)).toEqual([])
})

test('a dry run warns too, and keys of several columns are compared as wholes', async () => {
  const place = openWorkplace()
  const definition = keyed('place', 'code')
  await place.ingest('code,place,value\nx,1,a\ny,2,a\n', { definition })
  const moved = 'code,place,value\nx,2,a\ny,1,a\n'
  const dry = await place.ingest(moved, { definition, dryRun: true })
  expect(ofKeys(dry.warnings)).toEqual([
    expect.stringContaining(
      'Only 0 % of the published rows are found in the file, by their key (place, code)',
    ),
  ])
})

test('quarantined rows do not count as kept, and values are compared as they are served', async () => {
  const place = openWorkplace()
  const columns = [
    { name: 'code', type: 'integer' },
    { name: 'n', type: 'integer' },
  ]
  const definition = writeDefinition({ id: 'sample', domain: 'test', primary_key: ['code'], columns })
  await place.ingest('code;n\n1;1\n2;1\n3;1\n4;1\n5;1\n', { definition })
  const same = await place.ingest('code;n\n" 1";1\n2,0;1\n3;1\n4;1\n5;1\n', { definition })
  expect(ofKeys(same.warnings)).toEqual([])
  const refused = await place.ingest('code;n\n1;x\n2;x\n3;x\n4;1\n5;1\n', { definition, maxQuarantine: 1 })
  expect(ofKeys(refused.warnings)).toEqual([expect.stringContaining('Only 40 %')])
})

test('with another key, no key, or nothing served, there is nothing to compare', async () => {
  const place = openWorkplace()
  expect(ofKeys((await place.ingest(table(0, 10))).warnings)).toEqual([])
  expect(ofKeys((await place.ingest(table(10, 20), { definition: keyed('code') })).warnings)).toEqual([])
  const other = keyed('code', 'place')
  expect(ofKeys((await place.ingest(table(20, 30), { definition: other })).warnings)).toEqual([])
})

test('a damaged served version does not keep a good file from replacing it', async () => {
  const place = openWorkplace()
  const definition = keyed('code')
  await place.ingest(table(0, 10), { definition })
  writeFileSync(place.catalog.find('sample')?.file ?? '', 'not a database')
  const { published, warnings } = await place.ingest(table(0, 10), { definition })
  expect(published).toBe(true)
  expect(ofKeys(warnings)).toEqual([expect.stringContaining('could not be compared')])
})
