import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Catalog } from '../../src/catalog/catalog.ts'
import { DataDir } from '../../src/storage/data-dir.ts'
import { verifyVersionFile } from '../../src/storage/verify-version.ts'
import { VersionWriter } from '../../src/storage/write-version.ts'
import { UsageRecorder } from '../../src/usage/usage.ts'
import { useKey } from '../support/calls.ts'
import { smallDisk } from '../support/small-disk.ts'
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

/** Leaves no byte free; returns how to give them back. */
function fillDisk(dataDir: DataDir): () => void {
  const filler = join(dataDir.root, 'filler')
  const block = new Uint8Array(4096)
  try {
    for (;;) writeFileSync(filler, block, { flag: 'a' })
  } catch {
    return () => rmSync(filler)
  }
}

test('a version file that does not fit says so, and goes away', () => {
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

test('a publish on a full disk leaves the old version served', () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const catalog = Catalog.open(dataDir)
  publishSample(catalog, dataDir, { title: 'Old' })
  const big = 'x'.repeat(200_000)
  const version = catalog.reserveVersion('sample')
  const work = dataDir.claimWorkFolder()
  const path = join(work.path, 'v.db')
  const record = versionRecord(
    { title: 'New', description: big },
    version,
    writeSample(path, 'sample', version),
  )
  const release = fillDisk(dataDir)
  const publish = () => catalog.publish(record, () => dataDir.placeVersion(path, 'sample', version))
  expect(publish).toThrow(/cannot write .*catalog\.db: the disk is full/)
  expect(versionPaths(dataDir)).toEqual([dataDir.versionFile('sample', 1)])
  const served = catalog.find('sample')
  verifyVersionFile(served?.file ?? '', served?.sha256)
  expect(catalog.descriptor('sample')?.title).toBe('Old')
  work.release()
  release()
  publishSample(catalog, dataDir, { title: 'New', description: big })
  expect(catalog.descriptor('sample')?.title).toBe('New')
  catalog.close()
})

test('counting goes on in memory while the disk is full, and is written when it is not', () => {
  const dataDir = smallDataDir()
  if (!dataDir) return
  const errors: unknown[] = []
  const usage = UsageRecorder.open(dataDir.usageDb, { onError: (error) => errors.push(error) })
  const release = fillDisk(dataDir)
  for (let keyId = 1; keyId <= 2000; keyId++) useKey(usage, keyId, NOW)
  usage.flush()
  expect(errors).toHaveLength(1)
  expect(usage.totals(NOW)).toEqual({ total: 2000, today: 2000 })
  release()
  usage.close()
  const again = UsageRecorder.open(dataDir.usageDb)
  expect(again.totals(NOW)).toEqual({ total: 2000, today: 2000 })
  again.close()
})
