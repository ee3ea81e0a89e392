/** A data directory that is a cache of an object store, as on a node. Use it inside a test. */

import { onTestFinished } from 'bun:test'
import type { DataDir } from '../../src/store/files/data-dir.ts'
import type { ObjectStore } from '../../src/store/objects/s3-store.ts'
import type { CacheBounds } from '../../src/store/objects/version-cache.ts'
import { VersionObjects } from '../../src/store/objects/version-objects.ts'
import { tempDataDir } from './temp-dir.ts'

export interface NodeFolder {
  readonly dataDir: DataDir
  readonly objects: VersionObjects
}

/** @param bounds of the cache; by default it has none @param dataDir an existing folder; left out: a new one */
export function openNodeFolder(
  store: ObjectStore,
  bounds: Partial<CacheBounds> = {},
  dataDir: DataDir = tempDataDir(),
): NodeFolder {
  const objects = new VersionObjects(store, dataDir, { bytes: 0, diskFloor: 0, ...bounds })
  dataDir.remote = objects
  onTestFinished(() => objects.close())
  return { dataDir, objects }
}
