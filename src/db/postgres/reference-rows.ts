/** The operator's own reference tables, for all nodes: the text of each file by its name. */

import { asc, eq } from 'drizzle-orm'
import { sha256Base64 } from '../../base/crypto/sha256.ts'
import { referenceTables } from '../schema/nodes-schema.ts'
import type { Transaction } from '../transaction.ts'
import type { Asking } from './connection.ts'
import { queriesOver } from './queries.ts'

/** @returns the hash of each text by name @throws DatabaseAway */
export async function listReferences(asking: Asking): Promise<Map<string, string>> {
  const { name, sha256 } = referenceTables
  const queries = queriesOver<Transaction>(asking)
  const rows = await queries.select({ name, sha256 }).from(referenceTables).orderBy(asc(name))
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

/** @throws DatabaseAway */
export async function readReference(asking: Asking, name: string): Promise<string> {
  const queries = queriesOver<Transaction>(asking)
  const [row] = await queries.select().from(referenceTables).where(eq(referenceTables.name, name))
  return row?.contents ?? ''
}

/** @param text null removes the table @throws DatabaseAway */
export async function putReference(asking: Asking, name: string, text: string | null): Promise<void> {
  const queries = queriesOver<Transaction>(asking)
  await queries.delete(referenceTables).where(eq(referenceTables.name, name))
  if (text === null) return
  await queries.insert(referenceTables).values({ name, contents: text, sha256: sha256Base64(text) })
}
