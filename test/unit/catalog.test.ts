import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CommandError } from '../../src/base/errors.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Catalog, type CatalogOptions } from '../../src/store/catalog/catalog.ts'
import { VersionFile, verifyVersionFile } from '../../src/store/files/open-version.ts'
import { onPostgres } from '../support/accounts-engine.ts'
import { openTestCatalog } from '../support/catalog-engine.ts'
import { runScript } from '../support/run-script.ts'
import { tempDataDir, versionPaths } from '../support/temp-dir.ts'
import { publishSample, type SampleDataset, versionRecord, writeSample } from '../support/version.ts'

async function openFresh(options?: CatalogOptions) {
  const { dataDir, catalog } = await openTestCatalog(options)
  return {
    dataDir,
    catalog,
    publish: (sample: SampleDataset = {}) => publishSample(catalog, dataDir, sample),
  }
}

/** For files kept in this folder alone: a node's are copies. */
const inOwnFolder = test.skipIf(onPostgres)

const ALL = { limit: 1000, offset: 0 }

test('a published version is served with its file, and the bodies have the published fields', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  expect(catalog.find('siruta')).toBeUndefined()
  const sample = {
    id: 'siruta',
    domain: 'geospatial',
    title: 'Localități',
    description: 'Toate',
    publisher: 'INS',
    license: 'CC-BY-4.0',
    keywords: ['localități'],
    source_url: 'https://example.org/siruta',
    source_package_id: 'p-1',
    columnNames: ['name', 'code'],
    rows: 16_978,
  }
  expect(await publish(sample)).toBe(1)

  const served = catalog.find('siruta')
  expect(served).toMatchObject({
    id: 'siruta',
    domain: 'geospatial',
    version: 1,
    rows: 16_978,
    lastUpdated: '2025-01-31T08:00:00Z',
    sourceUrl: 'https://example.org/siruta',
    primaryKey: [],
    file: dataDir.versionFile('siruta', 1),
  })
  verifyVersionFile(served?.file ?? '', served?.sha256)

  const { columns, provenance, quality, sample_row } = versionRecord(sample, 1, { sha256: '', bytes: 0 })
  const endpoint = '/v1/geospatial/siruta'
  expect(catalog.list(ALL)).toEqual({
    total: 1,
    datasets: [
      {
        id: 'siruta',
        domain: 'geospatial',
        title: 'Localități',
        description: 'Toate',
        row_count: 16_978,
        last_updated: '2025-01-31T08:00:00Z',
        endpoint,
      },
    ],
  })
  expect(catalog.descriptor('siruta')).toEqual({
    id: 'siruta',
    domain: 'geospatial',
    title: 'Localități',
    description: 'Toate',
    publisher: 'INS',
    license: 'CC-BY-4.0',
    keywords: ['localități'],
    endpoint,
    export_endpoint: `${endpoint}/export`,
    aggregate_endpoint: `${endpoint}/aggregate`,
    facets_endpoint: `${endpoint}/facets`,
    row_count: 16_978,
    columns,
    primary_key: [],
    sample_row,
    provenance,
    refresh: null,
  })
  expect(catalog.quality('siruta')).toEqual(quality)
  expect(catalog.totals()).toEqual({ datasets: 1, domains: 1, rows: 16_978 })
})

test('datasets are listed by domain and id, page by page, with an exact total', async () => {
  const { catalog, publish } = await openFresh()
  for (const [domain, id] of [
    ['transport', 'b'],
    ['economy', 'c'],
    ['transport', 'a'],
    ['economy', 'd'],
  ]) {
    await publish({ id: id ?? '', domain: domain ?? '' })
  }
  const ids = (query: Parameters<typeof catalog.list>[0]) =>
    catalog.list(query).datasets.map((entry) => entry.id)
  expect(ids(ALL)).toEqual(['c', 'd', 'a', 'b'])
  expect(ids({ limit: 2, offset: 1 })).toEqual(['d', 'a'])
  expect(ids({ domain: 'transport', ...ALL })).toEqual(['a', 'b'])
  expect(catalog.list({ domain: 'transport', limit: 1, offset: 5 })).toEqual({ total: 2, datasets: [] })
  expect(catalog.list({ domain: 'none', ...ALL })).toEqual({ total: 0, datasets: [] })
  expect(catalog.totals()).toMatchObject({ datasets: 4, domains: 2 })
})

test('version numbers are never reused, neither after a failure nor after the removal of the dataset', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  expect(await publish()).toBe(1)
  expect(await catalog.reserveVersion('sample')).toBe(2)
  expect(await publish()).toBe(3)
  dataDir.discard(await catalog.remove('sample'))
  expect(await publish()).toBe(4)
  expect(await catalog.reserveVersion('other')).toBe(1)
})

test('two versions are kept, and publishing deletes older ones', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  for (let i = 0; i < 4; i++) await publish()
  expect(catalog.versions('sample').map(({ version, served }) => [version, served])).toEqual([
    [4, true],
    [3, false],
  ])
  expect(versionPaths(dataDir).sort()).toEqual(
    [3, 4].map((version) => dataDir.versionFile('sample', version)),
  )
})

test('a rollback serves the previous version again exactly as it was', async () => {
  const { catalog, publish } = await openFresh()
  await publish({ title: 'First', rows: 3, importedAt: '2025-01-01T00:00:00Z' })
  const first = {
    served: catalog.find('sample'),
    descriptor: catalog.descriptor('sample'),
    list: catalog.list(ALL),
  }
  await publish({ title: 'Second', rows: 9, importedAt: '2025-02-01T00:00:00Z' })
  expect(await catalog.rollback('sample')).toBe(1)
  expect({
    served: catalog.find('sample'),
    descriptor: catalog.descriptor('sample'),
    list: catalog.list(ALL),
  }).toEqual(first)
  expect(catalog.search('first', ALL).total).toBe(1)
  expect(catalog.search('second', ALL).total).toBe(0)
})

test('rollbacks go back one served version at a time, until none is left', async () => {
  const { catalog, publish } = await openFresh({ keepVersions: 3 })
  for (let i = 0; i < 3; i++) await publish()
  expect(await catalog.rollback('sample')).toBe(2)
  expect(await publish()).toBe(4)
  expect(catalog.versions('sample').map(({ version }) => version)).toEqual([4, 2, 1])
  expect(await catalog.rollback('sample')).toBe(2)
  expect(await catalog.rollback('sample')).toBe(1)
  await expect(catalog.rollback('sample')).rejects.toThrow(CommandError)
  await expect(catalog.rollback('sample')).rejects.toThrow(/has no version before 1 that is still kept/)
  expect(catalog.find('sample')?.version).toBe(1)
})

inOwnFolder('a version that an earlier program recorded is served again', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  await publish({ title: 'First' })
  await publish()
  const writer = openDatabase(dataDir.catalogDb)
  const missing = "'$.columns[0].title', '$.columns[0].unit', '$.reading', '$.said', '$.provenance.sources'"
  writer.exec(`UPDATE versions SET record = json_remove(record, ${missing}) WHERE version = 1`)
  writer.close()
  await catalog.serve('sample', 1)
  expect(catalog.search('first', ALL).total).toBe(1)
  await catalog.serve('sample', 2)
  expect(await catalog.rollback('sample')).toBe(1)
})

inOwnFolder(
  'a rollback to a file that is gone, changed or another is refused as damage and changes nothing',
  async () => {
    const { dataDir, catalog, publish } = await openFresh()
    await publish()
    await publish()
    const [file, other] = [1, 2].map((version) => dataDir.versionFile('sample', version)) as [string, string]
    const sound = readFileSync(file)
    const spoilt = Buffer.from(sound)
    spoilt[spoilt.length - 1]! ^= 1
    const cases: [Buffer | null, RegExp][] = [
      [null, /1\.db is damaged: .* is missing/],
      [sound.subarray(0, 5000), /1\.db is damaged/],
      [spoilt, /1\.db is damaged/],
      [readFileSync(other), /1\.db is damaged: its SHA-256/],
    ]
    for (const [content, message] of cases) {
      if (content === null) dataDir.discard([file])
      else writeFileSync(file, content)
      await expect(catalog.rollback('sample')).rejects.toThrow(message)
      await expect(catalog.rollback('sample')).rejects.toThrow(expect.objectContaining({ kind: 'damaged' }))
      expect(catalog.find('sample')?.version).toBe(2)
    }
    writeFileSync(file, sound)
    expect(await catalog.rollback('sample')).toBe(1)
  },
)

test('a removed dataset is gone from every answer, and an open reader keeps its file', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  await publish()
  await publish()
  const reader = VersionFile.open(dataDir.versionFile('sample', 2))
  const paths = await catalog.remove('sample')
  expect(paths.sort()).toEqual([1, 2].map((version) => dataDir.versionFile('sample', version)))
  dataDir.discard(paths)
  if (process.platform !== 'win32') expect(versionPaths(dataDir)).toEqual([])
  expect([...reader.read(0, 'codes')]).toEqual([1, 0, 2])
  reader.close()

  expect(catalog.find('sample')).toBeUndefined()
  expect(catalog.descriptor('sample')).toBeUndefined()
  expect(catalog.quality('sample')).toBeUndefined()
  expect(catalog.list(ALL).total).toBe(0)
  expect(catalog.search('sample', ALL).total).toBe(0)
  expect(catalog.versions('sample')).toEqual([])
  for (const verb of ['remove', 'rollback'] as const) {
    await expect(catalog[verb]('sample')).rejects.toThrow(
      new CommandError('failed', 'there is no dataset sample'),
    )
  }
})

inOwnFolder('a publish that fails at any step leaves the old version served and no file behind', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  await publish({ title: 'Old' })
  const before = { revision: catalog.revision, descriptor: catalog.descriptor('sample') }
  const version = await catalog.reserveVersion('sample')
  const path = join(dataDir.tmpDir, 'new.db')
  const file = writeSample(path, 'sample', version)
  const record = versionRecord({ title: 'New' }, version, file)
  const broken = new Error('the disk broke')

  const failures: [object, () => void][] = [
    [
      record,
      () => {
        throw broken
      },
    ],
    [
      record,
      () => {
        dataDir.placeVersion(path, 'sample', version)
        throw broken
      },
    ],
    [{ ...record, rows: null }, () => dataDir.placeVersion(writeAgain(), 'sample', version)],
  ]
  function writeAgain(): string {
    writeSample(path, 'sample', version)
    return path
  }
  for (const [bad, move] of failures) {
    await expect(catalog.publish(bad as typeof record, move)).rejects.toThrow()
    expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('sample', 1)])
    expect({ revision: catalog.revision, descriptor: catalog.descriptor('sample') }).toEqual(before)
  }
  await catalog.publish(record, () => dataDir.placeVersion(writeAgain(), 'sample', version))
  expect(catalog.descriptor('sample')?.title).toBe('New')
})

test('an id published in one domain is refused in another until it is removed', async () => {
  const { catalog, publish } = await openFresh()
  await publish({ domain: 'economy' })
  await expect(publish({ domain: 'transport' })).rejects.toThrow(/sample is published in domain economy/)
  // As the command line refuses it when nothing races for the id: wrong usage.
  await expect(publish({ domain: 'transport' })).rejects.toThrow(expect.objectContaining({ kind: 'usage' }))
  expect(catalog.find('sample')?.domain).toBe('economy')
  await catalog.remove('sample')
  await publish({ domain: 'transport' })
  expect(catalog.find('sample')?.domain).toBe('transport')
})

test('the revision changes with every publish, rollback and removal, and with nothing else', async () => {
  const { catalog, publish } = await openFresh()
  const seen = [catalog.revision]
  const note = () => seen.push(catalog.revision)
  await publish()
  note()
  await publish()
  note()
  await catalog.rollback('sample')
  note()
  await catalog.remove('sample')
  note()
  expect(new Set(seen).size).toBe(5)
  await catalog.reserveVersion('sample')
  catalog.list(ALL)
  expect(catalog.revision).toBe(seen.at(-1) ?? -1)
})

inOwnFolder(
  'a publish by another process is served at the next look, and the same object until then',
  async () => {
    const { dataDir, catalog, publish } = await openFresh()
    await publish()
    const before = catalog.find('sample')
    const revision = catalog.revision
    expect(catalog.find('sample')).toBe(before)
    expect(await runScript('publish-sample.ts', dataDir.root, 'sample', '77')).toBe('2')
    expect(catalog.find('sample')).toMatchObject({ version: 2, rows: 77 })
    expect(catalog.revision).not.toBe(revision)
  },
)

inOwnFolder(
  'publishes of several processes at once each get a number and a file, while another sweeps',
  async () => {
    const { dataDir, catalog } = await openFresh()
    let running = true
    const publishing = Promise.all(
      ['a', 'b', 'a', 'b'].map((id) => runScript('publish-sample.ts', dataDir.root, id)),
    )
    const published = publishing.finally(() => {
      running = false
    })
    while (running) {
      catalog.sweep()
      dataDir.sweep()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await published).toSorted()).toEqual(['1', '1', '2', '2'])
    for (const id of ['a', 'b']) {
      for (const { file, sha256 } of catalog.versions(id)) verifyVersionFile(file, sha256)
      expect(catalog.versions(id)).toHaveLength(2)
    }
  },
)

inOwnFolder(
  'a process killed between move and commit leaves the old version served, and a sweep takes what it left',
  async () => {
    const { dataDir, catalog, publish } = await openFresh()
    await publish()
    await expect(runScript('publish-sample.ts', dataDir.root, 'sample', '9', 'crash')).rejects.toThrow()
    expect(versionPaths(dataDir)).toHaveLength(2)
    expect(catalog.find('sample')).toMatchObject({ version: 1, rows: 3 })
    catalog.sweep()
    dataDir.sweep()
    expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('sample', 1)])
    expect(readdirSync(dataDir.tmpDir)).toEqual(['gate.db'])
    expect(await publish()).toBe(3)
  },
)

inOwnFolder('a sweep deletes files of its own numbers without a record, and keeps all others', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  await publish()
  await publish()
  await catalog.reserveVersion('sample')
  await catalog.reserveVersion('never_published')
  const orphans = [dataDir.versionFile('sample', 3), dataDir.versionFile('never_published', 1)]
  const unknown = [dataDir.versionFile('sample', 4), dataDir.versionFile('of_another_catalog', 1)]
  for (const path of [...orphans, ...unknown]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'half')
  }
  catalog.sweep()
  expect(orphans.some((path) => existsSync(path))).toBe(false)
  expect(
    catalog
      .unknownFiles()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(unknown.toSorted())
  for (const { file, sha256 } of catalog.versions('sample')) verifyVersionFile(file, sha256)
  expect(catalog.versions('sample')).toHaveLength(2)
})

inOwnFolder.each(['missing', 'of no length', 'new'])(
  'a catalog that is %s is refused beside version files',
  async (how) => {
    const { dataDir, catalog, publish } = await openFresh()
    await publish()
    catalog.close()
    const files = ['', '-wal', '-shm'].map((suffix) => dataDir.catalogDb + suffix)
    dataDir.discard(files)
    if (how === 'of no length') writeFileSync(dataDir.catalogDb, '')
    if (how === 'new') {
      const elsewhere = tempDataDir()
      Catalog.open(elsewhere).close()
      copyFileSync(elsewhere.catalogDb, dataDir.catalogDb)
    }
    expect(() => Catalog.open(dataDir)).toThrow(/catalog\.db .* holds a version file .* backup/)
    expect(() => Catalog.open(dataDir)).toThrow(expect.objectContaining({ kind: 'damaged' }))
    expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('sample', 1)])
    if (how === 'missing') expect(existsSync(dataDir.catalogDb)).toBe(false)
  },
)

inOwnFolder('a catalog older than its folder gives no number that a file has already', async () => {
  const { dataDir, catalog, publish } = await openFresh()
  await publish()
  for (const version of [3, 2]) {
    const later = dataDir.versionFile('sample', version)
    writeFileSync(later, 'of a later catalog')
    await expect(publish()).rejects.toThrow(
      `${version}.db exists, but ${dataDir.catalogDb} would assign the number 2`,
    )
    expect(readFileSync(later, 'utf8')).toBe('of a later catalog')
    dataDir.discard([later])
  }
  expect(catalog.find('sample')?.version).toBe(1)
  expect(await publish()).toBe(2)
})

test('the definition and the record of every kept version can be read', async () => {
  const { catalog, publish } = await openFresh()
  await publish({ title: 'First' })
  await publish({ title: 'Second' })
  expect(catalog.record('sample')?.dataset.title).toBe('Second')
  expect(catalog.record('sample', 1)?.dataset.title).toBe('First')
  expect(catalog.record('sample', 1)?.definition).toEqual({ id: 'sample', domain: 'economy' })
  expect(catalog.record('sample', 9)).toBeUndefined()
  expect(readFileSync(catalog.versions('sample')[1]?.file ?? '').length).toBe(
    catalog.record('sample', 1)?.file.bytes ?? -1,
  )
})
