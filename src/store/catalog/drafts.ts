/**
 * Drafts: files that publishers sent or named, on their way to becoming editions. The row says whose a draft is and how
 * far it has come; its files are in a folder of its own (`store/files/draft-folder.ts`). Each row has a folder and each
 * folder a row, except after a crash, until `sweepDrafts` removes the rest.
 */

import { and, asc, count, desc, eq, inArray, isNull, lt, not, sum } from 'drizzle-orm'
import { alphabet, generateRandomString } from 'oslo/crypto'
import type { CatalogDb, CatalogRows } from '../../db/catalog.ts'
import type { LeaseTable } from '../../db/postgres/shared-catalog.ts'
import { drafts } from '../../db/schema/catalog-schema.ts'
import type { DbReading, Transaction } from '../../db/transaction.ts'
import type { DataDir } from '../files/data-dir.ts'

export const DRAFT_STATES = drafts.state.enumValues
export type DraftState = (typeof DRAFT_STATES)[number]

export type Draft = typeof drafts.$inferSelect
export type DraftProblem = NonNullable<Draft['problem']>

type DraftFile = 'fileName' | 'bytes' | 'sha256' | 'address' | 'fetched'
export type NewDraft = Pick<
  Draft,
  keyof DraftOwner | DraftFile | 'state' | 'dataset' | 'changes' | 'createdAt'
>

/** Whose drafts: those of an account (`keyId` null), those of a key. */
export type DraftOwner = Pick<Draft, 'accountId' | 'keyId'>

/** States in which a process works on a draft or is going to. */
const PENDING: readonly DraftState[] = ['receiving', 'waiting', 'reading', 'publishing']

export function newDraftId(): string {
  return generateRandomString(24, alphabet('a-z', '0-9'))
}

export function isPending({ state }: Pick<Draft, 'state'>): boolean {
  return PENDING.includes(state)
}

/** A key sees its own drafts, an account those of its keys as well. */
export function isOwn(draft: DraftOwner, owner: DraftOwner): boolean {
  return owner.keyId === null ? draft.accountId === owner.accountId : draft.keyId === owner.keyId
}

/** An owner's unfinished drafts: their number, and the bytes of their files. */
export type HeldDrafts = Awaited<ReturnType<typeof heldBy>>

/** The node that works on a draft renews a lease on it; a while after its process is gone, another may take it. */
const LEASE_MS = 15_000
const RENEW_MS = 4_000

export class Drafts {
  readonly #rows: CatalogRows
  readonly #leases: LeaseTable | null
  readonly #dataDir: DataDir

  /** @param leases of all nodes; null on a single machine, where a lock in a draft's folder serves the same purpose */
  constructor(rows: CatalogRows, leases: LeaseTable | null, dataDir: DataDir) {
    this.#rows = rows
    this.#leases = leases
    this.#dataDir = dataDir
  }

  async find(id: string): Promise<Draft | undefined> {
    return /^[a-z0-9]{24}$/.test(id) ? await findDraft(this.#rows.now, id) : undefined
  }

  /** For polling: does not read the decisions, which may be a megabyte. */
  async stateOf(id: string): Promise<DraftState | undefined> {
    const [row] = await this.#rows.now.select({ state: drafts.state }).from(drafts).where(eq(drafts.id, id))
    return row?.state
  }

  /** Whether a process on another node works on a draft. */
  async isHeldElsewhere(id: string): Promise<boolean> {
    return (await this.#leases?.isHeld(`draft ${id}`)) ?? false
  }

  /**
   * Keeps other nodes from working on a draft; null while one does. A holder that loses the lease, because it was
   * frozen or without the database, does no harm: its reading is written again with the same result, and its
   * publication is refused because of the draft's state.
   */
  async hold(id: string): Promise<{ release(): Promise<void> } | null> {
    const leases = this.#leases
    if (leases === null) return { release: async () => {} }
    const [name, holder] = [`draft ${id}`, crypto.randomUUID()]
    if (!(await leases.take(name, holder, LEASE_MS))) return null
    const renew = () => void leases.take(name, holder, LEASE_MS).catch(() => {})
    const timer = setInterval(renew, RENEW_MS).unref()
    return {
      release: async () => {
        clearInterval(timer)
        // If this fails, the lease ends by itself soon.
        await leases.release(name, holder).catch(() => {})
      },
    }
  }

  /** Newest first. */
  async list({ accountId, keyId }: DraftOwner): Promise<Draft[]> {
    const own =
      keyId !== null
        ? eq(drafts.keyId, keyId)
        : accountId === null
          ? and(isNull(drafts.accountId), isNull(drafts.keyId))
          : eq(drafts.accountId, accountId)
    const rows = this.#rows.now.select().from(drafts).where(own)
    return await rows.orderBy(desc(drafts.createdAt), asc(drafts.id))
  }

  /** The drafts of an account with its keys, or of an operator's key. */
  held(owner: DraftOwner): Promise<HeldDrafts> {
    return heldBy(this.#rows.now, owner)
  }

  /** Accounts that have drafts. */
  async accounts(): Promise<number[]> {
    const ids = await this.#rows.now.select({ id: drafts.accountId }).from(drafts).groupBy(drafts.accountId)
    return ids.flatMap(({ id }) => id ?? [])
  }

  async all(): Promise<Draft[]> {
    return await this.#rows.now.select().from(drafts)
  }

  /** Drafts that a process works on or is going to, the longest waiting first. */
  async pending(): Promise<Draft[]> {
    const rows = this.#rows.now.select().from(drafts).where(inArray(drafts.state, PENDING))
    return await rows.orderBy(asc(drafts.changedAt), asc(drafts.id))
  }

  /** Drafts whose file cannot become a table. */
  async refused(): Promise<Draft[]> {
    return await this.#rows.now.select().from(drafts).where(eq(drafts.state, 'refused'))
  }

  /** Drafts that nobody has changed since a moment and no process works on. */
  async untouchedSince(moment: string): Promise<Draft[]> {
    const old = and(lt(drafts.changedAt, moment), not(inArray(drafts.state, PENDING)))
    return await this.#rows.now.select().from(drafts).where(old)
  }

  /**
   * @param admit throws when the draft may not be added; gets the owner's drafts as of this transaction
   * @param fill puts the file into the draft's folder, inside the transaction, so that no sweep removes it
   * @param id from `newDraftId`, if the file is already kept under it
   */
  async add(
    draft: NewDraft,
    admit: (held: HeldDrafts) => void,
    fill: (folder: ReturnType<DataDir['draft']>) => void = () => {},
    id = newDraftId(),
  ): Promise<Draft> {
    const row: Draft = {
      ...draft,
      id,
      revision: 1,
      attempts: 0,
      restarts: 0,
      changedAt: draft.createdAt,
      answers: null,
      baseVersion: null,
      version: null,
      problem: null,
    }
    const folder = this.#dataDir.draft(id)
    let isFilled = false
    try {
      await this.#rows.change(async (tx) => {
        admit(await heldBy(tx, draft))
        await tx.insert(drafts).values(row)
        if (isFilled) return
        folder.create()
        fill(folder)
        isFilled = true
      })
    } catch (error) {
      folder.remove()
      throw error
    }
    return row
  }

  /**
   * Changes a draft depending on its current state.
   * @param decide returns the change; null: none. May throw, and may be called twice
   * @returns the draft after it; undefined when the draft is gone
   */
  change(
    id: string,
    decide: (draft: Draft) => Partial<Omit<Draft, 'id'>> | null,
  ): Promise<Draft | undefined> {
    return this.#rows.change(async (tx) => {
      const draft = await findDraft(tx, id)
      if (draft === undefined) return undefined
      const changed = decide(draft)
      if (changed === null) return draft
      await tx.update(drafts).set(changed).where(eq(drafts.id, id))
      return { ...draft, ...changed }
    })
  }

  /** @param decide may throw; runs inside the transaction */
  async remove(id: string, decide: (draft: Draft) => void = () => {}): Promise<boolean> {
    const isGone = await this.#rows.change(async (tx) => {
      const draft = await findDraft(tx, id)
      if (draft === undefined) return false
      decide(draft)
      await tx.delete(drafts).where(eq(drafts.id, id))
      return true
    })
    if (isGone) this.#dataDir.draft(id).remove()
    return isGone
  }
}

/** Removes only the rows; the caller removes the folders. */
export async function removeDrafts(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.delete(drafts).where(inArray(drafts.id, [...ids]))
}

async function findDraft(db: DbReading, id: string): Promise<Draft | undefined> {
  const [row] = await db.select().from(drafts).where(eq(drafts.id, id))
  return row
}

async function heldBy(db: DbReading, { accountId, keyId }: DraftOwner) {
  const own =
    accountId !== null
      ? eq(drafts.accountId, accountId)
      : and(isNull(drafts.accountId), keyId === null ? isNull(drafts.keyId) : eq(drafts.keyId, keyId))
  const [held] = await db
    .select({ count: count(), bytes: sum(drafts.bytes) })
    .from(drafts)
    .where(and(own, not(inArray(drafts.state, ['published', 'unchanged']))))
  return { count: held?.count ?? 0, bytes: Number(held?.bytes ?? 0) }
}

/** Inside the transaction that publishes it. */
export async function markPublished(tx: Transaction, id: string, version: number, at: string): Promise<void> {
  const changed = { state: 'published', version, problem: null, changedAt: at } as const
  const asked = and(eq(drafts.id, id), eq(drafts.state, 'publishing'))
  const rows = await tx.update(drafts).set(changed).where(asked).returning({ id: drafts.id })
  if (rows.length === 0) throw new Error(`the draft ${id} is gone, or not to be published any more`)
}

/** Removes rows without a folder and folders without a row, after crashes and restores. Needs the write lock. */
export function sweepDrafts(db: CatalogDb, dataDir: DataDir): void {
  const folders = new Set(dataDir.draftIds())
  const known = db.writing.prepare<[], string>('SELECT id FROM drafts').pluck().all()
  const forget = db.writing.prepare<[string]>('DELETE FROM drafts WHERE id = ?')
  for (const id of known) if (!folders.has(id)) forget.run(id)
  for (const id of folders) if (!known.includes(id)) dataDir.draft(id).remove()
}
