/** Makes a data directory the cache of an object store, if the settings name one. */

import { and, eq, gte, lt } from 'drizzle-orm'
import type { Config } from '../../base/config/config.ts'
import type { SharedCatalog } from '../../db/postgres/shared-catalog.ts'
import { objectDigests } from '../../db/schema/nodes-schema.ts'
import type { DataDir } from '../files/data-dir.ts'
import type { KeptDigests } from '../files/remote-files.ts'
import { readS3Place } from './s3-questions.ts'
import { S3Store } from './s3-store.ts'
import { VersionObjects } from './version-objects.ts'

/**
 * @param environment with credentials and region in `AWS_*`
 * @returns the objects, which the caller closes; null without an object store
 * @throws CommandError `usage` without credentials
 */
export function openObjects(
  dataDir: DataDir,
  settings: Pick<Config, 'object_store' | 'object_store_endpoint' | 'version_cache' | 'disk_floor'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): VersionObjects | null {
  const { object_store, object_store_endpoint, version_cache: bytes, disk_floor: diskFloor } = settings
  if (object_store === null) return null
  const place = readS3Place(object_store, object_store_endpoint, environment)
  const objects = new VersionObjects(new S3Store(place), dataDir, { bytes, diskFloor })
  dataDir.remote = objects
  return objects
}

/**
 * For the start of a service: wrong credentials or a missing bucket end it, a store that does not answer now does not.
 * @throws ObjectStoreError `refused`
 */
export async function checkObjects(objects: VersionObjects): Promise<void> {
  await objects.look()
  if (objects.refusal !== null) throw objects.refusal
}

/**
 * Digests of objects other than versions, kept in the database, so that somebody who may write to the bucket cannot
 * replace one. A version's digest is in its record. All methods throw `DatabaseAway`.
 */
export function keptDigests({ now, change }: Pick<SharedCatalog, 'now' | 'change'>): KeptDigests {
  const { key: column } = objectDigests
  return {
    async find(key) {
      const [row] = await now.select().from(objectDigests).where(eq(column, key))
      return row
    },
    put: (key, digest) =>
      change(async (tx) => {
        const row = tx.insert(objectDigests).values({ key, ...digest })
        await row.onConflictDoUpdate({ target: column, set: { ...digest } })
      }),
    async drop(prefix, isMeant = () => true) {
      const begins = and(gte(column, prefix), lt(column, `${prefix}\uffff`))
      const found = await now.select({ key: column }).from(objectDigests).where(begins)
      const meant = found.filter(({ key }) => isMeant(key))
      if (meant.length === 0) return
      await change(async (tx) => {
        for (const { key } of meant) await tx.delete(objectDigests).where(eq(column, key))
      })
    },
  }
}
