import { fromSources } from '../../../base/process/own-command.ts'
import type { Limits } from './limits-worker.ts'

/** In an executable all modules of the program lie in its root; its threads keep their paths. */
const WORKER = new URL(
  fromSources ? './limits-worker.ts' : './read/source/conversion/limits-worker.ts',
  import.meta.url,
)

/**
 * From now on the process is killed when it takes too much memory or time, or when the one that started it, and holds the
 * other end of its standard input, is gone.
 */
export function watchLimits(limits: Limits): void {
  const worker = new Worker(WORKER)
  worker.postMessage(limits)
  worker.unref()
}
