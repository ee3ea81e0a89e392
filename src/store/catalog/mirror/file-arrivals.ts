/** Version files on their way into a node's folder, so that one that takes long holds up no other dataset. */

import type { RemoteFiles, VersionName } from '../../files/remote-files.ts'

type Preparing = Pick<RemoteFiles, 'prepare'>

interface Arrival {
  /** Which file it is. */
  readonly key: string
  /** The change of the dataset that it was asked for. */
  change: number
  readonly done: Promise<void>
  state: 'coming' | 'here' | 'failed'
  reason: string
  failures: number
  /** When it is tried again, in ms of `performance.now`. */
  retryAt: number
}

/** How long a sync waits for files before it goes on without them. */
const PATIENCE_MS = 1000
const FIRST_RETRY_MS = 1000
/** Short: what is broken for good costs little (`store/objects/version-objects.ts`). */
const LAST_RETRY_MS = 2000

export interface WantedFile extends VersionName {
  /** The number of the dataset's latest change. */
  readonly change: number
  /** The version served now; null for none. */
  readonly before: number | null
}

export class FileArrivals {
  readonly #files: Preparing
  readonly #arrivals = new Map<string, Arrival>()

  constructor(files: Preparing) {
    this.#files = files
  }

  /**
   * Whether nothing would be gained by looking at a dataset now.
   * @param change the number of its latest change; left out: the same as before
   */
  isWaiting(dataset: string, change?: number): boolean {
    const arrival = this.#arrivals.get(dataset)
    if (change !== undefined && arrival?.change !== change) return false
    if (arrival?.state === 'failed') return performance.now() < arrival.retryAt
    return arrival?.state === 'coming'
  }

  /** Forgets what is known of a dataset: it is served, or needs no file. */
  settle(dataset: string): void {
    this.#arrivals.delete(dataset)
  }

  /**
   * Has the files brought, and waits for them a moment.
   * @returns why a dataset's file is not here, for those that are not
   */
  async gather(wanted: readonly WantedFile[]): Promise<Map<string, string>> {
    const arrivals = wanted.map((file) => [file.id, this.#bring(file)] as const)
    if (arrivals.length > 0) {
      const all = Promise.all(arrivals.map(([, { done }]) => done))
      let timer: ReturnType<typeof setTimeout> | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS)
      })
      await Promise.race([all, patience])
      clearTimeout(timer)
    }
    const missing = arrivals.filter(([, { state }]) => state !== 'here')
    return new Map(missing.map(([dataset, { reason }]) => [dataset, reason]))
  }

  #bring({ id, version, file, change, before }: WantedFile): Arrival {
    const key = `${version} ${file.sha256}`
    const known = this.#arrivals.get(id)
    const isSame = known?.key === key
    if (isSame && (known.state !== 'failed' || this.isWaiting(id))) {
      known.change = change
      return known
    }
    const failures = isSame ? known.failures : 0
    const bringing = this.#files.prepare({ id, version, file }, before)
    const arrival: Arrival = {
      ...{ key, change, failures, state: 'coming', reason: 'its file is being fetched', retryAt: 0 },
      done: bringing.then(
        () => {
          arrival.state = 'here'
        },
        (error: unknown) => {
          arrival.state = 'failed'
          arrival.reason = error instanceof Error ? error.message : String(error)
          arrival.failures = failures + 1
          arrival.retryAt = performance.now() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures)
        },
      ),
    }
    this.#arrivals.set(id, arrival)
    return arrival
  }
}
