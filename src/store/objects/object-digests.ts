/**
 * What objects other than versions must be, kept in the database: someone who may write to the bucket cannot exchange one. A
 * version's digest is in its record.
 */

import { and, eq, gte, lt } from 'drizzle-orm'
import type { SharedCatalog } from '../../db/postgres/shared-catalog.ts'
import { objectDigests } from '../../db/schema/nodes-schema.ts'
import type { FileDigest } from './object-store.ts'

type Rows = Pick<SharedCatalog, 'now' | 'change'>

/** All throw `DatabaseAway`. */
export class ObjectDigests {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** undefined: nothing was kept under the key. */
  async find(key: string): Promise<FileDigest | undefined> {
    const [row] = await this.#rows.now.select().from(objectDigests).where(eq(objectDigests.key, key))
    return row
  }

  async put(key: string, digest: FileDigest): Promise<void> {
    await this.#rows.change(async (tx) => {
      const row = tx.insert(objectDigests).values({ key, ...digest })
      await row.onConflictDoUpdate({ target: objectDigests.key, set: { ...digest } })
    })
  }

  /** Of all keys that begin so. @param isMeant all of them by default */
  async drop(prefix: string, isMeant = (_key: string) => true): Promise<void> {
    const begins = and(gte(objectDigests.key, prefix), lt(objectDigests.key, `${prefix}\uffff`))
    const found = await this.#rows.now.select({ key: objectDigests.key }).from(objectDigests).where(begins)
    const meant = found.filter(({ key }) => isMeant(key))
    if (meant.length === 0) return
    await this.#rows.change(async (tx) => {
      for (const { key } of meant) await tx.delete(objectDigests).where(eq(objectDigests.key, key))
    })
  }
}
