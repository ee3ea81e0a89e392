/** What is done to datasets, in the audit log. It is committed elsewhere, in the catalog, so it is noted afterwards. */

import { and, eq } from 'drizzle-orm'
import { type AccountsDb, inTransaction, type Transaction } from '../../db/accounts.ts'
import { audit } from '../../db/schema/accounts-schema.ts'
import { type AuditEvent, recordEvent } from './audit.ts'

/** Who did it. */
export interface Publishing {
  /** null: the operator's key. */
  readonly accountId: number | null
  /** null: a session of the account. */
  readonly keyId: number | null
}

/** Who published which version. */
export interface Publication extends Publishing {
  readonly dataset: string
  readonly version: number
}

/** Notes a publication, once however often it is reported: numbers of versions are never given twice. */
export async function notePublication(
  db: AccountsDb,
  { dataset, version, ...by }: Publication,
  now: Date,
): Promise<void> {
  const detail = `${dataset} version ${version}`
  await inTransaction(db, async (tx) => {
    const event = 'dataset_published'
    const same = and(eq(audit.event, event), eq(audit.detail, detail))
    const [known] = await tx.select({ id: audit.id }).from(audit).where(same).limit(1)
    if (known === undefined) await record(tx, by, event, detail, now)
  })
}

/** Notes another change of a dataset. @param detail the dataset and what was changed; nothing personal */
export async function noteChange(
  db: AccountsDb,
  by: Publishing | 'shell' | 'service',
  event: AuditEvent,
  detail: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, (tx) => record(tx, by, event, detail, now))
}

function record(
  tx: Transaction,
  by: Publishing | 'shell' | 'service',
  event: AuditEvent,
  detail: string,
  now: Date,
): Promise<void> {
  if (typeof by === 'string') return recordEvent(tx, { actor: by, event, detail }, now)
  const { accountId, keyId } = by
  const actor = accountId === null ? 'operator' : 'account'
  return recordEvent(tx, { actor, event, userId: accountId, keyId, detail }, now)
}
