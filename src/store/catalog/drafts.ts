/**
 * Drafts: files that publishers sent or named, on their way to becoming editions. The row says whose a draft is and how far
 * it has come; its files stand in a folder of its own (`store/files/draft-folder.ts`). A row has a folder and a folder has a
 * row, but for the moment of a crash, which `sweepDrafts` mends.
 */

import { and, asc, count, desc, eq, inArray, isNull, lt, not, sum } from 'drizzle-orm'
import { alphabet, generateRandomString } from 'oslo/crypto'
import type { ErrorCode } from '../../base/error-codes.ts'
import type { Reason } from '../../base/errors.ts'
import type { CatalogDb, CatalogReading, CatalogTransaction } from '../../db/catalog.ts'
import { drafts } from '../../db/schema/catalog-schema.ts'
import type { DataDir } from '../files/data-dir.ts'
import type { CatalogRows } from './rows.ts'

/** What a draft is doing, or has come to. */
export const DRAFT_STATES = drafts.state.enumValues
export type DraftState = (typeof DRAFT_STATES)[number]

/** Why a step came to nothing: a frozen code, and a sentence for people. */
export interface DraftProblem {
  readonly code: ErrorCode
  readonly message: string
  readonly detail?: readonly { readonly location: string; readonly message: string }[]
  /** What the message says of a file or an address, for pages. */
  readonly reasons?: readonly Reason[]
}

type Row = typeof drafts.$inferSelect

/** As the catalog keeps it. */
export interface Draft extends Omit<Row, 'fetched' | 'changes' | 'answers' | 'problem'> {
  readonly fetched: Readonly<Record<string, unknown>> | null
  readonly changes: Readonly<Record<string, unknown>>
  readonly answers: Readonly<Record<string, unknown>> | null
  readonly problem: DraftProblem | null
}

export type NewDraft = Omit<
  Draft,
  | 'id'
  | 'revision'
  | 'attempts'
  | 'restarts'
  | 'answers'
  | 'baseVersion'
  | 'version'
  | 'problem'
  | 'changedAt'
>

/** Whose drafts: those of an account, those of a key. */
export interface DraftOwner {
  readonly accountId: number | null
  /** null: the account itself. */
  readonly keyId: number | null
}

/** States in which a process works on a draft, or is to. */
const PENDING: readonly DraftState[] = ['receiving', 'waiting', 'reading', 'publishing']
/** Those whose file is not needed any more. */
const OVER: readonly DraftState[] = ['published', 'unchanged']
const ID_LENGTH = 24
const ID_SIGNS = alphabet('a-z', '0-9')
const ID = new RegExp(`^[a-z0-9]{${ID_LENGTH}}$`)

/** For a draft that is about to be added. */
export function newDraftId(): string {
  return generateRandomString(ID_LENGTH, ID_SIGNS)
}

export function isPending({ state }: Pick<Draft, 'state'>): boolean {
  return PENDING.includes(state)
}

/** A key sees its own drafts, an account those of its keys as well. */
export function isOwn(draft: DraftOwner, owner: DraftOwner): boolean {
  return owner.keyId === null ? draft.accountId === owner.accountId : draft.keyId === owner.keyId
}

/** What an owner has lying: drafts that are not over, and bytes of their files. */
export interface HeldDrafts {
  readonly count: number
  readonly bytes: number
}

/** A draft that this process works on. */
export interface DraftHold {
  release(): Promise<void>
}

/** Which process works on a draft, as far as locks of its folder cannot say: on other nodes. */
export interface DraftHolds {
  isHeld(id: string): Promise<boolean>
  /** null while another node works on it */
  hold(id: string): Promise<DraftHold | null>
}

export class Drafts {
  readonly #rows: CatalogRows
  readonly #holds: DraftHolds
  readonly #dataDir: DataDir

  constructor(rows: CatalogRows, holds: DraftHolds, dataDir: DataDir) {
    this.#rows = rows
    this.#holds = holds
    this.#dataDir = dataDir
  }

  async find(id: string): Promise<Draft | undefined> {
    return ID.test(id) ? await findDraft(this.#rows.now, id) : undefined
  }

  /** Of a draft that is looked at again and again: its decisions may be a megabyte. */
  async stateOf(id: string): Promise<DraftState | undefined> {
    const [row] = await this.#rows.now.select({ state: drafts.state }).from(drafts).where(eq(drafts.id, id))
    return row?.state
  }

  /** Whether a process on another node works on a draft. */
  isHeldElsewhere(id: string): Promise<boolean> {
    return this.#holds.isHeld(id)
  }

  /** Keeps other nodes from working on a draft; null while one does. */
  hold(id: string): Promise<DraftHold | null> {
    return this.#holds.hold(id)
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
    return (await rows.orderBy(desc(drafts.createdAt), asc(drafts.id))) as Draft[]
  }

  /** Of an account with its keys, or of an operator's key. */
  held(owner: DraftOwner): Promise<HeldDrafts> {
    return heldBy(this.#rows.now, owner)
  }

  /** Accounts that have drafts. */
  async accounts(): Promise<number[]> {
    const ids = await this.#rows.now.select({ id: drafts.accountId }).from(drafts).groupBy(drafts.accountId)
    return ids.flatMap(({ id }) => id ?? [])
  }

  async all(): Promise<Draft[]> {
    return (await this.#rows.now.select().from(drafts)) as Draft[]
  }

  /** Those that a process works on, or is to: the longest waiting first. */
  async pending(): Promise<Draft[]> {
    const rows = this.#rows.now.select().from(drafts).where(inArray(drafts.state, PENDING))
    return (await rows.orderBy(asc(drafts.changedAt), asc(drafts.id))) as Draft[]
  }

  /** Those whose file no table can be made of. */
  async refused(): Promise<Draft[]> {
    return (await this.#rows.now.select().from(drafts).where(eq(drafts.state, 'refused'))) as Draft[]
  }

  /** Those that nobody has changed since a moment, and no process works on. */
  async untouchedSince(moment: string): Promise<Draft[]> {
    const old = and(lt(drafts.changedAt, moment), not(inArray(drafts.state, PENDING)))
    return (await this.#rows.now.select().from(drafts).where(old)) as Draft[]
  }

  /**
   * @param admit throws when the draft may not be added; given what its owner has in this transaction
   * @param fill puts the file into the draft's folder; inside the transaction, so that no sweep takes it
   * @param id from `newDraftId`, where the file is kept under it before
   */
  async add(
    draft: NewDraft,
    admit: (held: HeldDrafts) => void,
    fill: (folder: DraftFolderOf) => void = () => {},
    id = newDraftId(),
  ): Promise<Draft> {
    const row: Draft = {
      ...{ ...draft, id, revision: 1, attempts: 0, restarts: 0, changedAt: draft.createdAt },
      ...{ answers: null, baseVersion: null, version: null, problem: null },
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
   * Changes a draft by what it is at that moment.
   * @param decide what becomes of it; null: it stays as it is. May throw, and may be asked twice
   * @returns the draft as it is then; undefined when it is gone
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

type DraftFolderOf = ReturnType<DataDir['draft']>

async function findDraft(db: CatalogReading, id: string): Promise<Draft | undefined> {
  const [row] = await db.select().from(drafts).where(eq(drafts.id, id))
  return row as Draft | undefined
}

async function heldBy(db: CatalogReading, { accountId, keyId }: DraftOwner): Promise<HeldDrafts> {
  const own =
    accountId !== null
      ? eq(drafts.accountId, accountId)
      : and(isNull(drafts.accountId), keyId === null ? isNull(drafts.keyId) : eq(drafts.keyId, keyId))
  const [held] = await db
    .select({ count: count(), bytes: sum(drafts.bytes) })
    .from(drafts)
    .where(and(own, not(inArray(drafts.state, OVER))))
  return { count: held?.count ?? 0, bytes: Number(held?.bytes ?? 0) }
}

/** Inside the transaction that publishes it. */
export async function markPublished(
  tx: CatalogTransaction,
  id: string,
  version: number,
  at: string,
): Promise<void> {
  const changed = { state: 'published', version, problem: null, changedAt: at } as const
  const asked = and(eq(drafts.id, id), eq(drafts.state, 'publishing'))
  const rows = await tx.update(drafts).set(changed).where(asked).returning({ id: drafts.id })
  if (rows.length === 0) throw new Error(`the draft ${id} is gone, or not to be published any more`)
}

/**
 * Removes rows without a folder and folders without a row, which crashes and restores leave. Call it under the write lock.
 */
export function sweepDrafts(db: CatalogDb, dataDir: DataDir): void {
  const folders = new Set(dataDir.draftIds())
  const known = db.writing.prepare<[], string>('SELECT id FROM drafts').pluck().all()
  const forget = db.writing.prepare<[string]>('DELETE FROM drafts WHERE id = ?')
  for (const id of known) if (!folders.has(id)) forget.run(id)
  for (const id of folders) if (!known.includes(id)) dataDir.draft(id).remove()
}
