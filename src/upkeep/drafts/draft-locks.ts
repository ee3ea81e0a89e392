/** Who may work on a draft, over all services on a data directory. The system frees these locks however a process ends. */

import type { Draft } from '../../store/catalog/drafts.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import type { Lock } from '../../store/files/work-folder.ts'
import { DRAFTS_AT_ONCE } from './order.ts'

/**
 * @returns null: another process works on the draft, on one of its owner, or on as many drafts as may be worked on
 * @throws CommandError `failed` when the draft's folder is gone
 */
export function lockDraft(dataDir: DataDir, { id, accountId, keyId }: Draft): Lock | null {
  const owner = accountId === null ? (`key_${keyId ?? 0}` as const) : (`account_${accountId}` as const)
  const places = Array.from({ length: DRAFTS_AT_ONCE }, (_, i) => `place_${i + 1}` as const)
  const locks: Lock[] = []
  const take = (lock: Lock | null) => {
    if (lock !== null) locks.push(lock)
    return lock !== null
  }
  const release = () => {
    for (const lock of locks) lock.release()
  }
  try {
    const isTaken =
      take(dataDir.draft(id).lock()) &&
      take(dataDir.lockDraftWork(owner)) &&
      places.some((place) => take(dataDir.lockDraftWork(place)))
    if (isTaken) return { release }
  } catch (error) {
    release()
    throw error
  }
  release()
  return null
}
