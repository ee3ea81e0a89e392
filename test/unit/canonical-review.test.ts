import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../src/base/errors.ts'
import { reviewCanonical } from '../../src/publish/edition/canonical-review.ts'
import { VersionFile } from '../../src/store/files/open-version.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'

const DEFINITION = {
  id: 'sample',
  domain: 'test',
  columns: [
    { name: 'county', type: 'string', canonical: 'counties' },
    { name: 'make', type: 'string', canonical: 'manufacturers' },
    { name: 'n', type: 'integer' },
  ],
}

function review({ catalog, dataDir }: Workplace, column?: string) {
  const record = catalog.record('sample')
  if (record === undefined) throw new Error('nothing is served')
  const file = VersionFile.open(catalog.find('sample')?.file ?? '')
  try {
    return reviewCanonical({ record, file }, dataDir.referenceDir, column)
  } finally {
    file.close()
  }
}

/** One row per place in the list. */
async function ingestCounties(place: Workplace, counties: readonly string[]): Promise<void> {
  const definition = writeDefinition(DEFINITION)
  await place.ingest(`county,make,n\n${counties.map((county) => `${county},VW,1`).join('\n')}\n`, {
    definition,
  })
}

test('known and unknown values are counted by rows and by values; nulls are neither', async () => {
  const place = openWorkplace()
  await ingestCounties(place, ['CLUJ', 'Cluj', 'jud. Cluj', '', 'Clju', 'Clju', 'Atlantida', 'Iaşi'])
  const [counties, makes] = review(place)
  expect(counties).toMatchObject({
    ...{ column: 'county', canonical_column: 'county_canonical', table: 'counties', own_table: false },
    rows: { total: 7, matched: 4, unmatched: 3 },
    values: { total: 6, matched: 4, unmatched: 2 },
  })
  expect(counties?.unmatched).toEqual([
    { value: 'Clju', rows: 2, known_now: null, suggestions: ['Cluj'] },
    { value: 'Atlantida', rows: 1, known_now: null, suggestions: [] },
  ])
  expect(makes).toMatchObject({ column: 'make', rows: { matched: 8, unmatched: 0 }, unmatched: [] })
})

test('a line added to the table shows as known, and counts once the file is ingested again', async () => {
  const place = openWorkplace()
  await ingestCounties(place, ['Cluj', 'Atlantida'])
  const folder = place.dataDir.referenceDir
  mkdirSync(folder)
  writeFileSync(join(folder, 'counties.csv'), 'Cluj,Cluj\nConstanța,Atlantida\n')
  expect(review(place, 'county')[0]).toMatchObject({
    table_file: join(folder, 'counties.csv'),
    own_table: true,
    unmatched: [{ value: 'Atlantida', rows: 1, known_now: 'Constanța', suggestions: [] }],
  })
  await ingestCounties(place, ['Cluj', 'Atlantida'])
  expect(review(place, 'county')[0]).toMatchObject({ rows: { matched: 2, unmatched: 0 }, unmatched: [] })
})

test('codes and long texts get no suggestions: they are near to everything or to nothing', async () => {
  const place = openWorkplace()
  await ingestCounties(place, ['ZZ', '999', 'x'.repeat(500)])
  expect(review(place, 'county')[0]?.unmatched.map(({ suggestions }) => suggestions)).toEqual([[], [], []])
})

test('a column is named by itself or by its sibling; any other is refused with a list of those available', async () => {
  const place = openWorkplace()
  await ingestCounties(place, ['Cluj'])
  expect(review(place, 'make').map(({ column }) => column)).toEqual(['make'])
  expect(review(place, 'make_canonical').map(({ column }) => column)).toEqual(['make'])
  expect(() => review(place, 'n')).toThrow(/'n' of sample has no canonical sibling.*county, make/)
})

test('a dataset without canonical columns says how to get one', async () => {
  const place = openWorkplace()
  await place.ingest('county\nCluj\n')
  expect(() => review(place)).toThrow(CommandError)
  expect(() => review(place)).toThrow(/"canonical": "<table>"/)
})
