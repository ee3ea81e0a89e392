/** Finds and deletes objects that nothing needs any more. */

import { DRAFTS, numberOf, VERSIONS, WHOLE_FILES } from './keys.ts'
import type { ObjectStore } from './s3-store.ts'

/** Everything that the catalog of all nodes names. */
export interface NamedObjects {
  readonly versions: Iterable<{ readonly id: string; readonly version: number }>
  /** The last version number of each dataset. Objects with later numbers belong to another catalog, and stay. */
  readonly given: Iterable<{ readonly id: string; readonly last: number }>
  /** Ids of drafts. */
  readonly drafts: Iterable<string>
}

export function objectSweep(store: ObjectStore, remove: (key: string) => Promise<void>) {
  /** Keys that nothing names, and since when, by the monotonic clock. */
  let before = new Map<string, number>()
  /**
   * Deletes objects that nothing has named for `graceMs`, as far as this process has seen, and abandoned uploads. An
   * object exists before the catalog names it, and nodes that are behind still read what it named before.
   * @param named read before the call
   * @returns how many objects were deleted
   * @throws ObjectStoreError
   */
  return async (named: NamedObjects, graceMs: number): Promise<number> => {
    const isLeft = leftBy(named)
    const unnamed = new Map<string, number>()
    let deleted = 0
    for (const prefix of [VERSIONS, WHOLE_FILES, DRAFTS]) {
      for await (const object of store.list(prefix)) {
        if (!isLeft(object)) continue
        const since = before.get(object.key)
        if (since === undefined || performance.now() - since < graceMs) {
          unnamed.set(object.key, since ?? performance.now())
          continue
        }
        await remove(object.key)
        deleted++
      }
    }
    before = unnamed
    await store.dropUnfinished(new Date(Date.now() - graceMs))
    return deleted
  }
}

function leftBy({ versions, given, drafts }: NamedObjects) {
  const named = new Set(Array.from(versions, ({ id, version }) => `${id}/${version}`))
  const last = new Map(Array.from(given, (one) => [one.id, one.last]))
  const known = new Set(drafts)
  return ({ key, changedAt }: { readonly key: string; readonly changedAt: Date }): boolean => {
    // A draft is removed with its objects, at the latest after a week without a change; a crash leaves older objects.
    if (key.startsWith(DRAFTS))
      return !known.has(key.split('/')[1] ?? '') && changedAt.getTime() < Date.now() - 8 * 86_400_000
    const found = numberOf(key)
    if (found === undefined || named.has(`${found.id}/${found.version}`)) return false
    return found.version <= (last.get(found.id) ?? 0)
  }
}
