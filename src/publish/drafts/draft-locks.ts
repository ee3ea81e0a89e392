/**
 * Locks on drafts: between services on one data directory by file locks, which the system frees however a process ends, and
 * between nodes by a hold on the draft.
 */

import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Draft } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Lock } from '../../store/files/work-folder.ts'
import { DRAFTS_AT_ONCE } from './draft-order.ts'

interface Place {
  readonly catalog: Catalog
  readonly dataDir: DataDir
}

/**
 * @returns null: another process works on the draft, on another draft of its owner in this directory, or the directory has
 * reached its number of drafts at once
 * @throws CommandError `failed` when the draft's folder is gone
 */
export async function lockDraft({ catalog, dataDir }: Place, draft: Draft) {
  using locks = lockFiles(dataDir, draft)
  if (locks === null) return null
  const hold = await catalog.drafts.hold(draft.id)
  if (hold === null) return null
  const kept = locks.move()
  return {
    async release() {
      await hold.release()
      kept.dispose()
    },
  }
}

/** Whether `lockDraft` could take the lock. @throws as `lockDraft` */
export async function isDraftFree({ catalog, dataDir }: Place, draft: Draft): Promise<boolean> {
  if (await catalog.drafts.isHeldElsewhere(draft.id)) return false
  using locks = lockFiles(dataDir, draft)
  return locks !== null
}

function lockFiles(dataDir: DataDir, { id, accountId, keyId }: Draft): DisposableStack | null {
  const owner = accountId === null ? (`key_${keyId ?? 0}` as const) : (`account_${accountId}` as const)
  const places = Array.from({ length: DRAFTS_AT_ONCE }, (_, i) => `place_${i + 1}` as const)
  using locks = new DisposableStack()
  const take = (lock: Lock | null) => {
    if (lock !== null) locks.defer(() => lock.release())
    return lock !== null
  }
  const isTaken =
    take(dataDir.draft(id).lock()) &&
    take(dataDir.lock(`drafts_${owner}`)) &&
    places.some((place) => take(dataDir.lock(`drafts_${place}`)))
  return isTaken ? locks.move() : null
}
