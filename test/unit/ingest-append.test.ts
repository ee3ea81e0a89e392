/** Appending files to a dataset gives the same as one file of all rows, with or without rows that come again. */

import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { refreshDataset } from '../../src/publish/refresh/refresh.ts'
import { openWorkplace, type Row, SETTINGS, type Workplace, writeDefinition } from '../support/ingest.ts'
import { runs } from '../support/property-runs.ts'
import { startWebServer } from '../support/web-server.ts'

const MONTHLY = {
  ...{ id: 'sample', domain: 'test', mode: 'append' },
  ...{ primary_key: ['month', 'town'], replace_where: ['month'] },
}

const monthly = (extra: object = {}) => ({ definition: writeDefinition({ ...MONTHLY, ...extra }) })

test('a file is added after the served rows, and provenance lists both', async () => {
  const place = openWorkplace()
  const first = await place.ingest('month,town,sold\n1,Cluj,5\n1,Dej,7\n', monthly())
  expect(first.append).toBeNull()
  const second = await place.ingest('town,month,sold\nCluj,2,6\n', monthly())
  expect(second).toMatchObject({
    ...{ version: 2, append: { version: 1, rows: 2, replaced: 0 } },
    ...{ rows: { read: 1, imported: 1 }, warnings: [] },
  })
  expect(place.rows()).toEqual([
    { month: 1, town: 'Cluj', sold: 5 },
    { month: 1, town: 'Dej', sold: 7 },
    { month: 2, town: 'Cluj', sold: 6 },
  ])
  expect(place.catalog.descriptor('sample')).toMatchObject({
    row_count: 3,
    columns: [{ name: 'month' }, { name: 'town' }, { name: 'sold' }],
    provenance: {
      ...{ rows_imported: 1, source_sha256: second.source.sha256 },
      sources: [
        { file: 'sample.csv', sha256: first.source.sha256, rows: 2, imported_at: '2025-06-01T12:30:45Z' },
        { file: 'sample.csv', sha256: second.source.sha256, rows: 1, imported_at: '2025-06-01T12:30:45Z' },
      ],
    },
  })
})

test('a repeated edition replaces its rows, and may come back once none of them is left', async () => {
  const place = openWorkplace()
  const [january, february, mended] = [
    'month,town,sold\n1,Cluj,5\n1,Dej,7\n',
    'month,town,sold\n2,Cluj,6\n',
    'month,town,sold\n1,Cluj,50\n',
  ]
  for (const text of [january, february]) await place.ingest(text, monthly())
  const report = await place.ingest(mended, monthly())
  expect(report.append).toEqual({ version: 2, rows: 3, replaced: 2 })
  expect(place.rows().map(({ sold }) => sold)).toEqual([6, 50])
  expect(place.catalog.record('sample')?.provenance.sources.map(({ rows }) => rows)).toEqual([1, 1])
  expect((await place.ingest(february, monthly())).unchanged).toBe(true)
  expect((await place.ingest(january, monthly())).version).toBe(4)
  expect(place.rows().map(({ sold }) => sold)).toEqual([6, 5, 7])
})

describe('what may not be appended is refused, and the served version stays', () => {
  const start = async (definition: object) => {
    const place = openWorkplace()
    await place.ingest('month,town,sold\n1,Cluj,5\n1,Dej,7\n', monthly(definition))
    return place
  }

  test('a key that is already served', async () => {
    const place = await start({ replace_where: [] })
    const report = await place.attempt('month,town,sold\n2,Dej,1\n1,Dej,9\n', monthly({ replace_where: [] }))
    expect(report.refusals).toEqual([
      {
        kind: 'duplicate_key',
        message:
          'Some rows of the file have the same key as published rows. 1 row, by the primary key (month, town).',
        override: '"replace_where" in a definition',
      },
    ])
    expect(place.rows().length).toBe(2)
    expect((await place.ingest('month,town,sold\n2,Dej,1\n1,Dej,9\n', monthly())).version).toBe(2)
  })

  test('a key twice in the file is quarantined as usual', async () => {
    const place = await start({})
    const report = await place.ingest('month,town,sold\n2,Dej,1\n2,Dej,9\n', {
      ...monthly(),
      maxQuarantine: 1,
    })
    expect(report.quarantine).toEqual([{ reason: 'duplicate_key', count: 1, first_line: 3 }])
    expect(place.quarantine().map(({ raw }) => raw)).toEqual(['2,Dej,9'])
  })

  test.each<[string, string, RegExp]>([
    ['another column', 'month,town,sold,note\n2,Dej,1,x\n', /column 'note' \(string\) is new/],
    ['a missing column', 'month,town\n2,Dej\n', /column 'sold' \(integer\) is gone/],
    ['another type', 'month,town,sold\n2,Dej,?\n', /column 'sold' was integer and is string now/],
  ])('%s, whatever is accepted', async (_, text, message) => {
    const place = await start({})
    const { refusals, append } = await place.attempt(text, { ...monthly(), acceptDrift: true })
    expect(refusals).toMatchObject([{ kind: 'append_drift', override: '"columns" in a definition' }])
    expect(refusals[0]?.message).toMatch(message)
    expect([append, place.catalog.find('sample')?.version]).toEqual([null, 1])
  })

  test('another primary key', async () => {
    const place = await start({})
    const other = monthly({ primary_key: ['town'] })
    await expect(place.ingest('month,town,sold\n2,Dej,1\n', other)).rejects.toThrow(
      'Rows are added by the published key (month, town), which cannot be changed',
    )
  })

  test('an unknown column of replace_where', async () => {
    await expect(start({ replace_where: ['year'] })).rejects.toThrow(
      '“year”, on which a choice depends, is not in the table. (replace_where names it',
    )
  })
})

test('without its own definition the file is read like what is served, texts and key included', async () => {
  const place = openWorkplace()
  const columns = [
    { name: 'town', source: 'Oraș', required: true, unit: null, title: 'Town' },
    { name: 'code' },
  ]
  const definition = { id: 'sample', domain: 'test', title: 'Towns', license: 'CC0-1.0', columns }
  await place.ingest('Oraș,code\nCluj,01\n', {
    definition: writeDefinition({ ...definition, primary_key: ['town'] }),
  })
  await place.ingest('Oraș,code\nDej,2\n', { append: true })
  expect(place.rows()).toEqual([
    { town: 'Cluj', code: '01' },
    { town: 'Dej', code: '2' },
  ])
  expect(place.catalog.descriptor('sample')).toMatchObject({
    ...{ title: 'Towns', license: 'CC0-1.0', primary_key: ['town'] },
    columns: [{ title: 'Town', required: true }, { type: 'string' }],
  })
})

test('a dry run reports the outcome, and changes nothing', async () => {
  const place = openWorkplace()
  await place.ingest('month,town,sold\n1,Cluj,5\n', monthly())
  const report = await place.ingest('month,town,sold\n1,Dej,7\n', { ...monthly(), dryRun: true })
  expect(report).toMatchObject({ version: null, append: { version: 1, rows: 1, replaced: 1 } })
  expect(place.rows()).toEqual([{ month: 1, town: 'Cluj', sold: 5 }])
})

test('of two that start from the same version, the second to publish fails and loses nothing', async () => {
  const place = openWorkplace()
  const { catalog } = place
  await place.ingest('month,town,sold\n1,Cluj,5\n', monthly())
  const base = catalog.record('sample')
  await place.ingest('month,town,sold\n2,Cluj,6\n', monthly())
  const version = await catalog.reserveVersion('sample')
  if (base === undefined) throw new Error('nothing is published')
  await expect(catalog.publish({ ...base, version }, () => {}, null, { expected: 1 })).rejects.toThrow(
    'sample was changed by another process',
  )
  expect(place.rows().length).toBe(2)
})

test('rows are not appended to a damaged served file', async () => {
  const place = openWorkplace()
  await place.ingest('month,town,sold\n1,Cluj,5\n', monthly())
  writeFileSync(place.dataDir.versionFile('sample', 1), 'nothing')
  await expect(place.ingest('month,town,sold\n2,Cluj,6\n', monthly())).rejects.toThrow(/is damaged/)
})

test('a refresh appends the current contents of its address, once', async () => {
  const place = openWorkplace()
  const publisher = { body: 'month,town,sold\n1,Cluj,5\n' }
  const { url } = startWebServer(() => new Response(publisher.body))
  const { definition } = monthly({ replace_where: [] })
  await place.ingestPath(`${url}/sold.csv`, { definition, append: true })
  const { dataDir, catalog } = place
  const refresh = async () => {
    const source = catalog.sources.find('sample')
    if (source === undefined) throw new Error('no source')
    return await refreshDataset({ dataDir, catalog, now: () => new Date('2025-06-02T06:00:00Z') }, source, {
      ...{ force: false, settings: SETTINGS },
    })
  }
  publisher.body = 'month,town,sold\n2,Cluj,6\n'
  expect(await refresh()).toMatchObject({ outcome: 'updated', version: 2, rows: 2 })
  expect(await refresh()).toMatchObject({ outcome: 'unchanged', version: 2 })
  publisher.body = 'month,town,sold\n1,Cluj,5\n'
  expect(await refresh()).toMatchObject({ outcome: 'unchanged', version: 2, rows: 2 })
})

const HEADER = 'month;county;sold;share;day'

const line = fc.tuple(
  fc.constantFrom('1', '2', '3', ''),
  fc.constantFrom('Cluj', 'CLUJ', 'cluj', 'Iași', 'Iaşi', 'Altundeva', 'ș"t', ''),
  fc.oneof(fc.integer({ min: -9, max: 300 }).map(String), fc.constant('')),
  fc.constantFrom('0.5', '2', '-1.25', '1e-7', ''),
  fc.constantFrom('2024-01-31', '2024-02-01', ''),
)
const files = fc.array(fc.array(line, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 4 })

const textOf = (rows: readonly (readonly string[])[]) =>
  [HEADER, ...rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))].join(
    '\n',
  )

/** A row at the end of one of several files may look like a note there, but is between others in one file. */
const READ = { header_row: 1, delimiter: ';', footnotes: 'keep' } as const

const TYPED = {
  ...{ id: 'sample', domain: 'test' },
  read: READ,
  columns: [
    { name: 'month', type: 'integer' },
    { name: 'county', type: 'string', canonical: 'counties' },
    { name: 'sold', type: 'integer' },
    { name: 'share', type: 'decimal' },
    { name: 'day', type: 'date' },
  ],
}

function figuresOf({ catalog, rows }: Workplace) {
  const { columns, sample_row, quality } = catalog.record('sample') ?? {}
  const { ingestion_version: _, repairs: __, ...checked } = quality ?? {}
  return { columns, sample_row, checked, rows: rows() }
}

test('files appended one by one give the rows of one file', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (parts) => {
      const definition = writeDefinition(TYPED)
      const place = openWorkplace()
      for (const rows of parts) await place.ingest(textOf(rows), { definition, append: true, force: true })
      const whole = openWorkplace()
      await whole.ingest(textOf(parts.flat()), { definition })
      expect(figuresOf(place)).toEqual(figuresOf(whole))
    }),
    { numRuns: runs(150) },
  )
})

test('where the inferred types agree with those of one file, so do rows and figures', async () => {
  let agreed = 0
  await fc.assert(
    fc.asyncProperty(files, async (parts) => {
      const request = { read: READ, append: true, force: true }
      const place = openWorkplace()
      for (const rows of parts) {
        const report = await place.attempt(textOf(rows), request)
        if (report.refusals.length > 0) return
      }
      const whole = openWorkplace()
      await whole.ingest(textOf(parts.flat()), { read: request.read })
      const types = ({ catalog }: Workplace) =>
        catalog
          .record('sample')
          ?.columns.map(({ type }) => type)
          .join()
      if (types(place) !== types(whole)) return
      expect(figuresOf(place)).toEqual(figuresOf(whole))
      agreed++
    }),
    { numRuns: runs(150) },
  )
  expect(agreed).toBeGreaterThan(0)
})

test('replace_where leaves the rows that filtering and adding leaves', async () => {
  await fc.assert(
    fc.asyncProperty(
      files,
      fc.constantFrom(['month'], ['county'], ['month', 'county'], ['sold', 'day', 'share']),
      async (parts, replaceWhere) => {
        const definition = writeDefinition({ ...TYPED, replace_where: replaceWhere })
        const place = openWorkplace()
        let expected: Row[] = []
        const keyOf = (row: Row) => JSON.stringify(replaceWhere.map((name) => row[name]))
        for (const rows of parts) {
          const alone = openWorkplace()
          await alone.ingest(textOf(rows), { definition })
          const added = alone.rows()
          const keys = new Set(added.map(keyOf))
          expected = [...expected.filter((row) => !keys.has(keyOf(row))), ...added]
          await place.ingest(textOf(rows), { definition, append: true, force: true })
        }
        expect(place.rows()).toEqual(expected)
        const { sources } = place.catalog.record('sample')?.provenance ?? { sources: [] }
        expect(sources.reduce((sum, { rows }) => sum + rows, 0)).toBe(expected.length)
      },
    ),
    { numRuns: runs(100) },
  )
})
