/** `--write-definition` saves what was decided, so that ingesting with it gives the same dataset. */

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Definition, parseDefinition } from '../../src/read/definition/definition.ts'
import { openWorkplace, STRICT, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'

function readDefinition(path: string): Definition {
  return parseDefinition(readFileSync(path, 'utf8'), path)
}

const newPath = () => join(tempDir(), 'saved.json')

test('in full it holds what was decided, and nothing incidental', async () => {
  const path = newPath()
  const text =
    'Județ;Cod unitate;Valoare (mii lei);Data;Gol\nCluj;00001;1,5;01.03.2024;\nIași;00002;2,5;2.3.2024;\n'
  await openWorkplace().ingest(text, {
    ...{ writeDefinition: path, fullDefinition: true, read: { header_row: 1 } },
  })
  const { columns, ...rest } = readDefinition(path)
  expect(rest).toEqual({
    ...{ id: 'sample', domain: 'test', title: 'sample' },
    read: { format: 'csv', encoding: 'utf-8', delimiter: ';', quote: '"', header_row: 1 },
  })
  expect(columns?.slice(0, 4)).toEqual([
    { name: 'judet', source: 'Județ', type: 'string' },
    { name: 'cod_unitate', source: 'Cod unitate', type: 'string' },
    { name: 'valoare_mii_lei', source: 'Valoare (mii lei)', type: 'decimal' },
    { name: 'data', type: 'date' },
  ])
  // A column without values has no type yet, whether kept or left out.
  for (const column of columns?.slice(4) ?? []) expect(column).toEqual({ name: 'gol' })
})

test('otherwise it leaves out what the next file shows itself', async () => {
  const path = newPath()
  const text = 'Județ;Valoare (mii lei);Valoare (mii lei);;Cod\nCluj;1,5;2;x;01\nIași;2,5;3;y;02\n'
  const read = { null_values: ['-'] }
  await openWorkplace().ingest(text, { writeDefinition: path, read, append: true })
  expect(readDefinition(path)).toEqual({
    ...{ id: 'sample', domain: 'test', title: 'sample', read, mode: 'append' },
    columns: [
      { name: 'judet' },
      { name: 'valoare_mii_lei', source: 'Valoare (mii lei)' },
      { name: 'valoare_mii_lei_2', source: 'Valoare (mii lei)' },
      { name: 'column_4' },
      { name: 'cod' },
    ],
  })
})

test('a column that is nearly numbers gets no type in it, so the advice about its values still helps', async () => {
  const path = newPath()
  const text = `town,people\n${Array.from({ length: 20 }, (_, i) => `t${i},${i % 5 === 0 ? '-' : i}\n`).join('')}`
  const report = await openWorkplace().ingest(text, { writeDefinition: path, fullDefinition: true })
  expect(report.columns[1]?.nearly?.values).toEqual([{ value: '-', count: 4, first_line: 2 }])
  expect(readDefinition(path).columns?.[1]).toEqual({ name: 'people' })
  const again = await openWorkplace().ingest(text, { definition: path, read: { null_values: ['-'] } })
  expect(again.columns[1]).toMatchObject({ type: 'integer', null_count: 4 })
})

test('a file that is not a table gets one too, to be completed with what the refusal names', async () => {
  const path = newPath()
  const text = 'town,note\nCluj,"open\nDej,x\n'
  const asked = { writeDefinition: path, read: { delimiter: ',' } }
  await expect(openWorkplace().ingest(text, asked)).rejects.toThrow(/is never closed/)
  const written = readDefinition(path)
  expect(written).toEqual({ id: 'sample', domain: 'test', title: 'sample', read: { delimiter: ',' } })
  const definition = writeDefinition({ ...written, read: { ...written.read, quote: '' } })
  const place = openWorkplace()
  await place.ingest(text, { definition })
  expect(place.rows()[0]).toEqual({ town: 'Cluj', note: '"open' })
})

test('a definition given as the data is refused with what to type', async () => {
  const place = openWorkplace()
  for (const definition of [
    { id: 'sample', domain: 'test', columns: [{ name: 'a', type: 'integer' }] },
    { id: 'sample', domain: 'test', colums: [{ name: 'a' }] },
  ]) {
    const path = writeDefinition(definition)
    await expect(place.ingestPath(path, { domain: 'test' })).rejects.toThrow(
      'definition.json is a definition, not data: name the file with the data first, izvor ingest FILE --definition definition.json',
    )
  }
  const data = JSON.stringify([{ id: 'a', domain: 'b' }])
  expect((await place.ingest(data)).published).toBe(true)
})

test('a given definition is kept: what it declares overrides what was found', async () => {
  const path = newPath()
  const definition = writeDefinition({
    ...{ id: 'sample', domain: 'test', title: 'Titlu', license: 'CC BY 4.0', keywords: ['a'] },
    read: { null_values: ['-'] },
    columns: [{ name: 'b', type: 'decimal', required: true, description: 'd' }],
    primary_key: ['b'],
  })
  await openWorkplace().ingest('a,b\nx,1\n-,2\n', {
    definition,
    writeDefinition: path,
    read: { header_row: 1 },
  })
  expect(readDefinition(path)).toMatchObject({
    ...{ title: 'Titlu', license: 'CC BY 4.0', keywords: ['a'], primary_key: ['b'] },
    read: { null_values: ['-'], header_row: 1 },
    columns: [{ name: 'b', type: 'decimal', required: true, description: 'd' }, { name: 'a' }],
  })
})

test('an existing file is not overwritten, and nothing is ingested', async () => {
  const path = newPath()
  writeFileSync(path, 'mine')
  const place = openWorkplace()
  expect(place.ingest('a,b\n1,2\n', { writeDefinition: path })).rejects.toThrow(/is not overwritten/)
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(place.catalog.find('sample')).toBeUndefined()
})

test('a missing folder is reported before anything is read', async () => {
  const path = join(tempDir(), 'nowhere', 'a.json')
  const place = openWorkplace()
  expect(place.ingest('a,b\n1,2\n', { writeDefinition: path })).rejects.toThrow(/nowhere does not exist/)
  expect(place.catalog.find('sample')).toBeUndefined()
})

test('a dry run and a refused ingest save it too', async () => {
  for (const request of [{ dryRun: true }, STRICT] as const) {
    const path = newPath()
    const text = 'email,b\na@exemplu.ro,1\nb@exemplu.ro,2\n'
    const report = await openWorkplace().attempt(text, {
      ...request,
      writeDefinition: path,
      read: { header_row: 1 },
    })
    expect([report.published, existsSync(path)]).toEqual([false, true])
  }
})

test('personal data acknowledged by an option are acknowledged in it', async () => {
  const path = newPath()
  const text = 'email,b\na@exemplu.ro,1\nb@exemplu.ro,2\n'
  const request = { ...STRICT, read: { header_row: 1 } }
  await openWorkplace().ingest(text, { ...request, allowPersonalData: true, writeDefinition: path })
  expect(readDefinition(path).personal_data).toEqual(['email'])
  expect((await openWorkplace().ingest(text, { ...request, definition: path })).published).toBe(true)
})

describe('reference tables', () => {
  const counties = ['ALBA', 'Arad', 'Argeș', 'Bacău', 'Bihor', 'Cluj', 'Iași', 'Timiș']
  const text = `judet,valoare\n${counties.map((county, i) => `${county},${i}\n`).join('')}`

  test('are suggested before anything is published', async () => {
    const path = newPath()
    await openWorkplace().ingest(text, { dryRun: true, writeDefinition: path, read: { header_row: 1 } })
    expect(readDefinition(path).columns?.[0]).toEqual({
      name: 'judet',
      canonical: 'counties',
    })
    const place = openWorkplace()
    await place.ingest(text, { definition: path })
    expect(place.rows()[0]).toMatchObject({ judet: 'ALBA', judet_canonical: 'Alba' })
  })

  test('are not suggested where they would change what is published', async () => {
    const place = openWorkplace()
    const path = newPath()
    await place.ingest(text, { writeDefinition: path, read: { header_row: 1 } })
    expect(readDefinition(path).columns?.[0]).not.toHaveProperty('canonical')
    expect((await place.ingest(text, { definition: path })).drift).toBeNull()
  })
})

test('ingesting again with the saved definition gives the same dataset', async () => {
  const name = fc.constantFrom(
    'a',
    'A',
    'Județ',
    'judet',
    'Valoare (mii)',
    '',
    'a b',
    'a_2',
    'x'.repeat(80),
    '1',
  )
  const kinds = [
    fc.integer({ min: -5000, max: 5000 }).map(String),
    fc.integer({ min: 0, max: 99_999 }).map((n) => (n / 100).toFixed(2).replace('.', ',')),
    fc.constantFrom('1.234', '5.678', '12.345'),
    fc.constantFrom('001', '12', '077'),
    fc.constantFrom('da', 'nu', 'Da'),
    fc.constantFrom('2024-01-05', '6.1.2024', '31.12.2023'),
    fc.constantFrom('3/14/2024', '1/2/2024'),
    fc.constantFrom('5 mai 2024', '2024-01-05 10:00'),
    fc.constantFrom('x', ' y ', 'ș;ț', '"q"', '-', 'NA', 'rând\nnou'),
    fc.constant(''),
  ]
  const cell = (kind: fc.Arbitrary<string>) => fc.option(kind, { nil: '', freq: 8 })
  const table = fc
    .array(fc.tuple(name, fc.constantFrom(...kinds)), { minLength: 2, maxLength: 6 })
    .chain((columns) =>
      fc.record({
        header: fc.constant(columns.map(([title]) => title)),
        rows: fc.array(fc.tuple(...columns.map(([, kind]) => cell(kind))), { minLength: 1, maxLength: 8 }),
      }),
    )
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom(',', ';', '\t'),
      fc.boolean(),
      fc.boolean(),
      async ({ header, rows }, mark, real, fullDefinition) => {
        const text = [header, ...rows].map((cells) => `${cells.map(quote).join(mark)}\n`).join('')
        const path = newPath()
        const place = openWorkplace()
        const request = {
          ...{ maxQuarantine: 1, writeDefinition: path, fullDefinition },
          read: { header_row: 1, delimiter: mark },
        }
        const first = await place.ingest(text, { ...request, dryRun: !real })
        const again = openWorkplace()
        const second = await again.ingest(text, { definition: path, maxQuarantine: 1 })
        const shape = (report: typeof first) =>
          report.columns
            .filter(({ name }) => real || !name.endsWith('_canonical'))
            .map(({ name, type, source_name: source }) => ({ name, type, source }))
        expect(shape(second)).toEqual(shape(first))
        expect(second.rows).toEqual(first.rows)
        if (real) expect(again.rows()).toEqual(place.rows())
      },
    ),
    { numRuns: runs(60) },
  )
})
