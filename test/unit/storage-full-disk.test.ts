import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { UsageRecorder } from '../../src/accounts/usage/usage.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import { DataDir } from '../../src/store/files/data-dir.ts'
import { verifyVersionFile } from '../../src/store/files/open-version.ts'
import { VersionWriter } from '../../src/store/files/write-version.ts'
import { useKey } from '../support/calls.ts'
import { fillDisk, smallDisk } from '../support/small-disk.ts'
import { versionPaths } from '../support/temp-dir.ts'
import { publishSample, versionRecord, writeSample } from '../support/version.ts'

const NOW = new Date('2025-03-02T00:00:00Z')
const SKIPPED = 'no small disk can be made here (needs root on Linux): the full-disk tests did not run'

function smallDataDir(): DataDir | null {
  const disk = smallDisk(4)
  if (disk === null) {
    console.warn(SKIPPED)
    return null
  }
  const dataDir = new DataDir(join(disk, 'data'))
  dataDir.create()
  return dataDir
}

test('a version file that does not fit on the disk is reported and removed', () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const work = dataDir.claimWorkFolder()
  const writer = new VersionWriter(join(work.path, 'v.db'))
  writer.writeColumn(0, { name: 'a', type: 'string', distinct: 0, nullCount: 0, codeWidth: 1 })
  const write = () => {
    writer.writeSegment(0, 'codes', new Uint8Array(8 << 20))
    writer.finish({ dataset: 'a', domain: 'd', version: 1, rows: 0 })
  }
  expect(write).toThrow(/cannot write .*v\.db: the disk is full/)
  writer.abort()
  work.release()
  expect(dataDir.freeBytes()).toBeGreaterThan(3 << 20)
})

test('a database that nobody has open cannot be opened on a full disk, and the error says so', () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const path = join(dataDir.root, 'a.db')
  const database = openDatabase(path)
  database.exec('CREATE TABLE a (id INTEGER)')
  database.close()
  const release = fillDisk(dataDir.root)
  for (const readonly of [true, false])
    expect(() => openDatabase(path, { readonly }).prepare('SELECT * FROM a').all()).toThrow(
      /cannot open .*a\.db: the disk is full/,
    )
  release()
  expect(openDatabase(path).prepare('SELECT * FROM a').all()).toEqual([])
})

test('publishing on a full disk keeps the old version served', async () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const catalog = Catalog.open(dataDir)
  await publishSample(catalog, dataDir, { title: 'Old' })
  const big = 'x'.repeat(200_000)
  const version = await catalog.reserveVersion('sample')
  const work = dataDir.claimWorkFolder()
  const path = join(work.path, 'v.db')
  const record = versionRecord(
    { title: 'New', description: big },
    version,
    writeSample(path, 'sample', version),
  )
  const release = fillDisk(dataDir.root)
  const publish = () => catalog.publish(record, () => dataDir.placeVersion(path, 'sample', version))
  await expect(publish()).rejects.toThrow(/cannot write .*catalog\.db: the disk is full/)
  expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('sample', 1)])
  const served = catalog.find('sample')
  verifyVersionFile(served?.file ?? '', served?.sha256)
  expect(catalog.descriptor('sample')?.title).toBe('Old')
  work.release()
  release()
  await publishSample(catalog, dataDir, { title: 'New', description: big })
  expect(catalog.descriptor('sample')?.title).toBe('New')
  catalog.close()
})

test('counting continues in memory while the disk is full, and is written later', async () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const errors: unknown[] = []
  const usage = UsageRecorder.open(dataDir.usageDb, { onError: (error) => errors.push(error) })
  const release = fillDisk(dataDir.root)
  for (let keyId = 1; keyId <= 2000; keyId++) useKey(usage, keyId, NOW)
  await usage.flush()
  expect(errors).toHaveLength(1)
  expect(await usage.totals(NOW)).toEqual({ total: 2000, today: 2000 })
  release()
  await usage.close()
  const again = UsageRecorder.open(dataDir.usageDb)
  expect(await again.totals(NOW)).toEqual({ total: 2000, today: 2000 })
  await again.close()
})
