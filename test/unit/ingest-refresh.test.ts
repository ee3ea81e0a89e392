/** Ingests from addresses, and fetching them again: what is kept, what is skipped, what is refused. */

import { expect, test } from 'bun:test'
import { openDatabase } from '../../src/db/open.ts'
import {
  type RefreshOutcome,
  type RefreshSettings,
  refreshDataset,
} from '../../src/publish/refresh/refresh.ts'
import type { Definition } from '../../src/read/definition/definition.ts'
import { openWorkplace, SETTINGS, type Workplace, writeDefinition } from '../support/ingest.ts'
import { cnp } from '../support/personal.ts'
import { startWebServer } from '../support/web-server.ts'

interface Publisher {
  readonly url: string
  /** What the next answers consist of. */
  body: string
  status: number
  etag: string | null
  readonly conditions: (string | null)[]
}

const FIRST = 'town;code\nCluj;01\nIași;02\n'
const SECOND = 'town;code\nCluj;01\nIași;02\nArad;03\n'

function startPublisher(etag: string | null = '"1"'): Publisher {
  const publisher = { url: '', body: FIRST, status: 200, etag, conditions: [] as (string | null)[] }
  const { url } = startWebServer((request) => {
    const condition = request.headers.get('if-none-match')
    publisher.conditions.push(condition)
    if (condition !== null && condition === publisher.etag) return new Response(null, { status: 304 })
    const headers: Record<string, string> = publisher.etag === null ? {} : { etag: publisher.etag }
    return new Response(publisher.body, { status: publisher.status, headers })
  })
  publisher.url = `${url}/orase.csv`
  return publisher
}

const LATER = new Date('2025-06-02T06:00:00Z')

async function refresh(
  place: Workplace,
  id = 'orase',
  force = false,
  settings: RefreshSettings = SETTINGS,
): Promise<RefreshOutcome> {
  const source = place.catalog.sources.find(id)
  if (source === undefined) throw new Error(`${id} has no source`)
  const workplace = { dataDir: place.dataDir, catalog: place.catalog, now: () => LATER }
  return await refreshDataset(workplace, source, { force, settings })
}

test('an address is ingested like a file, and remembered', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  const report = await place.ingestPath(publisher.url, { domain: 'test' })
  expect([report.dataset, report.source.file, report.rows.imported]).toEqual(['orase', 'orase.csv', 2])
  expect(place.catalog.record('orase')?.provenance).toMatchObject({
    source_file: 'orase.csv',
    source_url: publisher.url,
  })
  expect(place.catalog.sources.find('orase')).toMatchObject({
    address: publisher.url,
    schedule: null,
    file: { url: publisher.url, etag: '"1"', lastModified: null },
    checked_at: '2025-06-01T12:30:45Z',
    changed_at: '2025-06-01T12:30:45Z',
    failures: 0,
  })
})

test('what the server reports as unchanged is not fetched, and makes no version', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test' })
  expect(await refresh(place)).toEqual({
    ...{ dataset: 'orase', address: publisher.url, outcome: 'unchanged' },
    ...{ version: 1, rows: 2, error: null, next_run_at: null },
  })
  expect(publisher.conditions).toEqual([null, '"1"'])
  expect(place.catalog.sources.find('orase')).toMatchObject({
    checked_at: '2025-06-02T06:00:00Z',
    changed_at: '2025-06-01T12:30:45Z',
  })
})

test('the same bytes count as unchanged, whatever the server’s headers; with force they are ingested again', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test' })
  publisher.etag = '"2"'
  expect((await refresh(place)).outcome).toBe('unchanged')
  // The new validator is remembered: the third time nothing is sent.
  await refresh(place)
  expect(publisher.conditions).toEqual([null, '"1"', '"2"'])
  expect(await refresh(place, 'orase', true)).toMatchObject({ outcome: 'updated', version: 2 })
})

test('a changed source is ingested with the options and the definition of the last ingest', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  publisher.body = `Situația orașelor\n${FIRST}`
  const definition = writeDefinition({
    id: 'orase',
    domain: 'test',
    title: 'Orașe',
    refresh: '0 6 * * *',
    columns: [{ name: 'cod', source: 'code', type: 'string', required: true }],
  })
  await place.ingestPath(publisher.url, {
    definition,
    read: { delimiter: ';', header_row: 2 },
    maxQuarantine: 0.5,
  })
  publisher.body = `Situația orașelor\n${SECOND}Deva;\n`
  publisher.etag = '"2"'
  expect(await refresh(place)).toMatchObject({ outcome: 'updated', version: 2, rows: 3 })
  expect(place.rows('orase').at(-1)).toEqual({ cod: '03', town: 'Arad' })
  expect(place.quarantine('orase')).toHaveLength(1)
  expect(place.catalog.record('orase')?.dataset.title).toBe('Orașe')
  const { changed_at, next_run_at } = place.catalog.sources.find('orase') ?? {}
  expect(changed_at).toBe('2025-06-02T06:00:00Z')
  expect(next_run_at).toStartWith('2025-06-03T06:0')
  // Once more: what was kept is still there.
  publisher.etag = '"3"'
  publisher.body = `Situația orașelor\n${FIRST}`
  expect(await refresh(place)).toMatchObject({ outcome: 'updated', version: 3, rows: 2 })
})

/** Three rows, the last one without the code that the definition requires. */
const SPOILT = 'town;code\nCluj;01\nIași;02\nArad;\n'
const STRICT_CODES: Definition = {
  ...{ id: 'orase', domain: 'test' },
  columns: [{ name: 'code', type: 'string', required: true }],
}
const LENIENT = { ...SETTINGS, max_quarantine: 0.5 } as const

test('a refresh uses the share that the settings allow unless the ingest gave another one', async () => {
  for (const [maxQuarantine, settings, outcome] of [
    [undefined, SETTINGS, 'refused'],
    [undefined, LENIENT, 'updated'],
    [0.5, SETTINGS, 'updated'],
    [0, LENIENT, 'refused'],
  ] as const) {
    const publisher = startPublisher()
    const place = openWorkplace()
    await place.ingestPath(publisher.url, { definition: writeDefinition(STRICT_CODES), maxQuarantine })
    publisher.body = SPOILT
    publisher.etag = '"2"'
    expect(await refresh(place, 'orase', false, settings)).toMatchObject({ outcome })
  }
})

test('an ingest stores for its refreshes what was requested, and nothing else', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  const optionsOf = () => place.catalog.sources.find('orase')?.options
  await place.ingestPath(publisher.url, { domain: 'test' })
  expect(optionsOf()).toEqual({ definition: null, network: 'private' })
  const asked = { title: 'Orașe', maxQuarantine: 0.2, allowPersonalData: true, acceptDrift: true } as const
  await place.ingestPath(publisher.url, { ...asked, read: { delimiter: ';', header_row: [1] } })
  expect(optionsOf()).toEqual({
    definition: { id: 'orase', domain: 'test', read: { delimiter: ';', header_row: [1] } },
    ...{ network: 'private', title: 'Orașe', max_quarantine: 0.2 },
  })
})

test('drift refuses a refresh, the served version stays, and the failure is kept until it is resolved', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test' })
  publisher.body = 'town;cod postal\nCluj;400001\nIași;700001\n'
  publisher.etag = '"2"'
  const outcome = await refresh(place)
  expect(outcome).toMatchObject({ outcome: 'refused', version: 1, rows: 2 })
  expect(outcome.error).toContain('cod_postal')
  expect(place.catalog.sources.failing()).toEqual(['orase'])
  expect(place.catalog.sources.find('orase')).toMatchObject({
    failed_at: '2025-06-02T06:00:00Z',
    error: outcome.error,
    failures: 1,
    // A refused file does not count as known: it is fetched and examined again.
    file: { etag: '"1"' },
  })
  publisher.body = SECOND
  publisher.etag = '"3"'
  expect((await refresh(place)).outcome).toBe('updated')
  expect(place.catalog.sources.failing()).toEqual([])
})

test('a source that cannot be fetched is a failure of that dataset, and nothing changes', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test' })
  publisher.status = 503
  publisher.etag = null
  expect(await refresh(place)).toMatchObject({ outcome: 'failed', error: expect.stringContaining('503') })
  publisher.status = 200
  publisher.body = '<!doctype html><title>Mentenanță</title>'
  expect(await refresh(place)).toMatchObject({ outcome: 'failed', version: 1 })
  expect(place.catalog.sources.find('orase')?.failures).toBe(2)
  expect(place.rows('orase')).toHaveLength(2)
})

test('a file whose definition names its address is fetched from there', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  const definition = writeDefinition({
    ...{ id: 'sample', domain: 'test', source_url: publisher.url, refresh: '0 6 * * 1' },
  })
  await place.ingest(FIRST, { definition })
  expect(place.catalog.sources.find('sample')).toMatchObject({ checked_at: null, file: null })
  expect((await refresh(place, 'sample')).outcome).toBe('unchanged')
  publisher.body = SECOND
  publisher.etag = '"2"'
  expect(await refresh(place, 'sample')).toMatchObject({ outcome: 'updated', rows: 3 })
})

test('an ingest from elsewhere, or a removal, ends the refreshes', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test', id: 'sample' })
  await place.ingest(SECOND)
  expect(place.catalog.sources.find('sample')).toBeUndefined()
  await place.ingestPath(publisher.url, { domain: 'test', id: 'sample' })
  await place.catalog.remove('sample')
  expect(place.catalog.sources.list()).toEqual([])
})

test('after a rollback the same file is not published again, a changed one is', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  await place.ingestPath(publisher.url, { domain: 'test' })
  publisher.body = SECOND
  publisher.etag = '"2"'
  await refresh(place)
  await place.catalog.rollback('orase')
  expect(await refresh(place)).toMatchObject({ outcome: 'unchanged', version: 1 })
  publisher.body = `${SECOND}Deva;04\n`
  publisher.etag = '"3"'
  expect(await refresh(place)).toMatchObject({ outcome: 'updated', version: 3, rows: 4 })
})

test('an invalid schedule, or one without an address, stops the ingest and says so', async () => {
  const place = openWorkplace()
  const bad = writeDefinition({ id: 'sample', domain: 'test', refresh: 'every monday' })
  await expect(place.ingest(FIRST, { definition: bad })).rejects.toThrow(
    /refresh: 'every monday' is not a schedule/,
  )
  const nowhere = writeDefinition({ id: 'sample', domain: 'test', refresh: '0 6 * * 1' })
  await expect(place.ingest(FIRST, { definition: nowhere })).rejects.toThrow(/no source_url/)
})

test('a dry run of an address publishes nothing and remembers nothing', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  const report = await place.ingestPath(publisher.url, { domain: 'test', dryRun: true })
  expect([report.published, report.rows.imported]).toEqual([false, 2])
  expect(place.catalog.sources.list()).toEqual([])
})

test('options and definition override what a catalogue says of its data', async () => {
  const { url } = startWebServer((request) => {
    const { origin, pathname } = new URL(request.url)
    if (pathname === '/file/orase.csv') return new Response(FIRST)
    const resources = [{ id: 'r1', name: 'Orașe', format: 'CSV', url: `${origin}/file/orase.csv` }]
    const result = {
      id: 'p-1',
      name: 'orase',
      title: 'Din catalog',
      notes: 'Note',
      tags: [{ name: 'orașe' }],
      resources,
    }
    return Response.json({ success: true, result })
  })
  const place = openWorkplace()
  await place.ingestPath(`ckan:${url}/orase`, { domain: 'test' })
  expect(place.catalog.record('orase')?.dataset).toMatchObject({
    ...{ title: 'Din catalog', description: 'Note', keywords: ['orașe'] },
    ...{ source_url: `${url}/file/orase.csv`, source_package_id: 'p-1' },
  })
  const definition = writeDefinition({ id: 'orase', domain: 'test', description: 'A noastră' })
  await place.ingestPath(`ckan:${url}/orase`, { definition, title: 'Pe linia de comandă' })
  expect(place.catalog.record('orase')?.dataset).toMatchObject({
    ...{ title: 'Pe linia de comandă', description: 'A noastră', keywords: ['orașe'] },
  })
  expect(place.catalog.sources.find('orase')?.address).toBe(`ckan:${url}/orase`)
  expect((await refresh(place)).outcome).toBe('unchanged')
})

test('a refresh keeps columns with personal codes served before this was asked, and refuses new ones', async () => {
  const publisher = startPublisher()
  const place = openWorkplace()
  const table = (names: string, rows: number) =>
    `nr;${names}\n${Array.from(
      { length: rows },
      (_, i) =>
        `${i};${names
          .split(';')
          .map(() => cnp(i))
          .join(';')}\n`,
    ).join('')}`
  publisher.body = table('titular', 20)
  await place.ingestPath(publisher.url, { domain: 'test', settings: { ...SETTINGS, personal_data: 'warn' } })
  const database = openDatabase(place.dataDir.catalogDb)
  database.exec("UPDATE versions SET record = json_set(record, '$.reading.revision', 4)")
  database.close()
  publisher.etag = '"2"'
  publisher.body = table('titular', 21)
  expect(await refresh(place)).toMatchObject({ outcome: 'updated', rows: 21 })
  expect(place.catalog.sources.servingPersonal()).toEqual([{ dataset: 'orase', columns: ['titular'] }])
  publisher.etag = '"3"'
  publisher.body = table('titular', 22)
  expect(await refresh(place)).toMatchObject({ outcome: 'updated', rows: 22 })
  publisher.etag = '"4"'
  publisher.body = table('titular;garant', 22)
  const refused = await refresh(place)
  expect(refused).toMatchObject({ outcome: 'refused', version: 3 })
  expect(refused.error).toContain("'garant' looks like personal numeric codes")
  expect(refused.error).not.toContain("'titular' looks like")
  publisher.etag = '"5"'
  publisher.body = table('titular', 2)
  expect((await refresh(place)).error).toContain('Fewer than half of the published rows')
})
