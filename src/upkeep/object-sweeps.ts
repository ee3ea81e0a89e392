/** Deletes objects that no catalog names any more, after a grace period. */

import type { Logger } from 'pino'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { VersionObjects } from '../store/objects/version-objects.ts'

const LOOK_MS = 1_800_000
/** A publication takes at most minutes, and nodes that are behind read earlier versions for a while. */
const GRACE_MS = 3_600_000

/** Sweeps regularly while the caller does the upkeep. @returns a function that ends this */
export function startObjectSweeps(
  place: { readonly catalog: Pick<Catalog, 'named'>; readonly objects: VersionObjects; readonly log: Logger },
  lookMs = LOOK_MS,
  graceMs = GRACE_MS,
): () => void {
  const { catalog, objects, log } = place
  const sweep = async () => {
    try {
      const deleted = await objects.sweep(await catalog.named(), graceMs)
      if (deleted > 0) log.info({ deleted }, 'objects that nothing names were deleted')
    } catch (error) {
      log.warn({ err: error }, 'objects that nothing names could not be deleted; it will be tried again')
    }
  }
  const timer = setInterval(() => void sweep(), lookMs)
  timer.unref()
  return () => clearInterval(timer)
}
