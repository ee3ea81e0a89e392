/**
 * What objects other than versions must be, kept in the database: someone who may write to the bucket cannot exchange one. A
 * version's digest is in its record.
 */

import { and, eq, gte, lt } from 'drizzle-orm'
import type { SharedCatalog } from '../../db/postgres/shared-catalog.ts'
import { objectDigests } from '../../db/schema/nodes-schema.ts'
import type { KeptDigests } from '../files/remote-files.ts'

/** All throw `DatabaseAway`. */
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
