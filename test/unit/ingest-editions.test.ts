/** Editions of a dataset: when the same file is not a new one, which are kept, and what is reported of them later. */

import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/open.ts'
import { READING_REVISION } from '../../src/read/report/reading-revision.ts'
import { openWorkplace, type Workplace, writeDefinition } from '../support/ingest.ts'

const TOWNS = 'town,people\nCluj,10\nDej,2\n'

const versionsOf = ({ catalog }: Workplace) => catalog.versions('sample').map(({ version }) => version)

describe('a file that is already served', () => {
  test('is unchanged and makes no version', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    const report = await place.ingest(TOWNS)
    expect(report).toMatchObject({ version: 1, published: false, unchanged: true, refusals: [] })
    expect(versionsOf(place)).toEqual([1])
    expect(place.rows()).toEqual([
      { town: 'Cluj', people: 10 },
      { town: 'Dej', people: 2 },
    ])
  })

  test('is published anyway with force', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    expect(await place.ingest(TOWNS, { force: true })).toMatchObject({ version: 2, unchanged: false })
  })

  test('is reported in a dry run', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    const report = await place.ingest(TOWNS, { dryRun: true })
    expect(report).toMatchObject({ version: null, unchanged: true, rows: { imported: 2 } })
  })

  test('is another edition with other options, with another definition, or when it replaces a later one', async () => {
    const place = openWorkplace()
    const definition = { id: 'sample', domain: 'test', title: 'Towns' }
    await place.ingest(TOWNS)
    expect((await place.ingest(TOWNS, { read: { header_row: 1 } })).version).toBe(2)
    expect((await place.ingest(TOWNS, { definition: writeDefinition(definition) })).version).toBe(3)
    const sorted = { title: 'Towns', domain: 'test', id: 'sample' }
    expect((await place.ingest(TOWNS, { definition: writeDefinition(sorted) })).unchanged).toBe(true)
    expect((await place.ingest('town,people\nAiud,3\n')).version).toBe(4)
    expect((await place.ingest(TOWNS)).version).toBe(5)
  })

  test('is read again if another revision of the program read it', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    expect(place.catalog.record('sample')?.reading?.revision).toBe(READING_REVISION)
    const database = openDatabase(place.dataDir.catalogDb)
    database.exec("UPDATE versions SET record = json_set(record, '$.reading.revision', 0)")
    database.close()
    expect((await place.ingest(TOWNS)).version).toBe(2)
    expect((await place.ingest(TOWNS)).unchanged).toBe(true)
  })

  test('is another edition when a reference table knows more', async () => {
    const place = openWorkplace()
    const columns = [{ name: 'town', canonical: 'towns' }]
    const definition = writeDefinition({ id: 'sample', domain: 'test', columns })
    const table = join(place.dataDir.referenceDir, 'towns.csv')
    mkdirSync(place.dataDir.referenceDir)
    writeFileSync(table, 'canonical,variant\nDEJ,Dej\n')
    await place.ingest(TOWNS, { definition })
    writeFileSync(table, 'canonical,variant\nDEJ,Dej\nCLUJ,Cluj\n')
    expect((await place.ingest(TOWNS, { definition })).version).toBe(2)
    expect(place.rows()[0]?.town_canonical).toBe('CLUJ')
  })
})

describe('kept versions', () => {
  const titled = (title: string) => writeDefinition({ id: 'sample', domain: 'test', title })

  test('correcting a title twice does not cost the previous edition', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    const next = 'town,people\nCluj,11\nDej,2\n'
    for (const title of ['Tonws', 'Twons', 'Towns']) await place.ingest(next, { definition: titled(title) })
    expect(versionsOf(place)).toEqual([4, 3, 1])
    expect(await place.catalog.rollback('sample')).toBe(3)
    expect(await place.catalog.rollback('sample')).toBe(1)
    expect(place.rows()[0]).toEqual({ town: 'Cluj', people: 10 })
  })

  test('a third edition displaces the first one', async () => {
    const place = openWorkplace()
    for (const people of [1, 2, 3]) await place.ingest(`town,people\nCluj,${people}\n`)
    expect(versionsOf(place)).toEqual([3, 2])
  })

  test('any of them can be served, back and forth', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    await place.ingest('town,people\nCluj,11\n')
    expect(await place.catalog.rollback('sample')).toBe(1)
    await place.catalog.serve('sample', 2)
    expect(place.rows()).toEqual([{ town: 'Cluj', people: 11 }])
    await place.catalog.serve('sample', 1)
    expect(place.rows().length).toBe(2)
    await expect(place.catalog.serve('sample', 7)).rejects.toThrow(
      'version 7 of sample is not kept; those that are: 2, 1',
    )
    await expect(place.catalog.serve('other', 1)).rejects.toThrow('there is no dataset other')
  })

  test('a damaged one is not served', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    await place.ingest('town,people\nCluj,11\n')
    writeFileSync(place.dataDir.versionFile('sample', 1), 'nothing')
    await expect(place.catalog.serve('sample', 1)).rejects.toThrow(/version 2 of sample stays the served one/)
    expect(place.catalog.find('sample')?.version).toBe(2)
  })
})

describe('an edit', () => {
  const EDIT = {
    dataset: { title: 'Orașe', license: 'CC BY 4.0', keywords: ['oraș'] },
    columns: { people: { title: 'Locuitori', unit: 'persoane' } },
  }

  test('shows in descriptor, list and search without a new version or another digest', async () => {
    const place = openWorkplace()
    const { catalog } = place
    await place.ingest(TOWNS)
    const before = { served: catalog.find('sample'), revision: catalog.revision }
    await catalog.edit('sample', EDIT)
    expect(catalog.descriptor('sample')).toMatchObject({
      ...EDIT.dataset,
      description: null,
      columns: [
        { name: 'town', title: 'town', unit: null },
        { name: 'people', title: 'Locuitori', unit: 'persoane', description: null },
      ],
      provenance: { ingestion_version: 1 },
    })
    expect(catalog.list({ limit: 1, offset: 0 }).datasets[0]?.title).toBe('Orașe')
    for (const word of ['orase', 'locuitori'])
      expect(catalog.search(word, { limit: 1, offset: 0 }).total).toBe(1)
    const { columns: _, ...served } = before.served ?? { columns: [] }
    expect(catalog.find('sample')).toMatchObject(served)
    expect(catalog.revision).toBeGreaterThan(before.revision)
    await catalog.edit('sample', { dataset: { license: null }, columns: {} })
    expect(catalog.descriptor('sample')).toMatchObject({ license: null, title: 'Orașe' })
  })

  test('survives rollbacks and new editions, until an ingest says something new', async () => {
    const place = openWorkplace()
    const { catalog } = place
    await place.ingest(TOWNS)
    await place.ingest('town,people\nCluj,11\n')
    await catalog.edit('sample', EDIT)
    await catalog.rollback('sample')
    expect(catalog.descriptor('sample')).toMatchObject(EDIT.dataset)
    await place.ingest('town,people\nCluj,12\n')
    expect(catalog.descriptor('sample')).toMatchObject({
      ...EDIT.dataset,
      columns: [{}, { title: 'Locuitori', unit: 'persoane' }],
    })
    const columns = [{ name: 'people', title: 'Inhabitants' }]
    const definition = writeDefinition({ id: 'sample', domain: 'test', title: 'Towns', columns })
    await place.ingest('town,people\nCluj,13\n', { definition })
    expect(catalog.descriptor('sample')).toMatchObject({
      ...{ title: 'Towns', license: 'CC BY 4.0' },
      columns: [{ name: 'people', title: 'Inhabitants', unit: 'persoane' }, { name: 'town' }],
    })
  })

  test('that overrides a definition holds as long as the definition says the same', async () => {
    const place = openWorkplace()
    const said = (title: string) => ({ definition: writeDefinition({ id: 'sample', domain: 'test', title }) })
    await place.ingest(TOWNS, said('Tonws'))
    await place.catalog.edit('sample', { dataset: { title: 'Towns' }, columns: {} })
    await place.ingest('town,people\nCluj,12\n', said('Tonws'))
    expect(place.catalog.descriptor('sample')?.title).toBe('Towns')
    await place.ingest('town,people\nCluj,13\n', said('All towns'))
    expect(place.catalog.descriptor('sample')?.title).toBe('All towns')
  })

  test('of an unknown dataset or column changes nothing', async () => {
    const place = openWorkplace()
    await place.ingest(TOWNS)
    const edit = { dataset: { title: 'x' }, columns: { nope: { unit: 'lei' } } }
    await expect(place.catalog.edit('sample', edit)).rejects.toThrow(
      "sample has no column 'nope'; its columns are town, people",
    )
    await expect(place.catalog.edit('other', EDIT)).rejects.toThrow('there is no dataset other')
    expect(place.catalog.descriptor('sample')?.title).toBe('sample')
  })
})

test('titles and units of columns come from a definition', async () => {
  const place = openWorkplace()
  const columns = [
    { name: 'people', title: 'Inhabitants', unit: 'persons' },
    { name: 'town', unit: null },
  ]
  await place.ingest(TOWNS, { definition: writeDefinition({ id: 'sample', domain: 'test', columns }) })
  expect(place.catalog.descriptor('sample')?.columns).toMatchObject([
    { name: 'people', title: 'Inhabitants', unit: 'persons' },
    { name: 'town', title: 'town', unit: null },
  ])
})

function titlesOf({ catalog }: ReturnType<typeof openWorkplace>) {
  return catalog.descriptor('sample')?.columns.map(({ title }) => title)
}

describe('the title of a column', () => {
  test('is its header on one line, and missing where there is none', async () => {
    const place = openWorkplace()
    const header = '"Suprafața\nconstruită  (mp)","Jude\u0163ul",Nr.\u00a0crt.,,a\u0306n'
    await place.ingest(`${header}\n120,Cluj,1,x,5\n90,Iași,2,y,6\n`)
    expect(titlesOf(place)).toEqual(['Suprafața construită (mp)', 'Jude\u0163ul', 'Nr. crt.', null, 'ăn'])
  })

  test('by a person stays while only headers change, and a definition says another', async () => {
    const place = openWorkplace()
    await place.ingest('Orașul,people\nCluj,10\n')
    await place.catalog.edit('sample', { dataset: {}, columns: { orasul: { title: 'Localitatea' } } })
    await place.ingest('ORAȘUL,people\nCluj,11\n')
    await place.ingest('orasul,People\nCluj,12\n')
    expect(titlesOf(place)).toEqual(['Localitatea', 'People'])
    const columns = [{ name: 'orasul', title: 'Municipiul' }]
    await place.ingest('orasul,People\nCluj,13\n', {
      definition: writeDefinition({ id: 'sample', domain: 'test', columns }),
    })
    expect(titlesOf(place)).toEqual(['Municipiul', 'People'])
  })
})
