/** The number that ETags of catalog answers hold. */

import { sql } from 'drizzle-orm'
import type { CatalogTransaction } from '../../db/catalog.ts'
import { revision } from '../../db/schema/catalog-schema.ts'

/** Every change that a catalog answer shows raises it. */
export async function raiseRevision(tx: CatalogTransaction): Promise<void> {
  await tx.update(revision).set({ value: sql`${revision.value} + 1` })
}
