/**
 * Keeps the copy of the catalog in a node's folder up to date. A sync reads which datasets changed since the number of
 * the copy, fetches the files of their versions, and puts the rows into place. A dataset whose file is not here stays
 * as it was and does not hold up the others. The operator's own reference tables are synchronised too.
 */

import type { CatalogDb } from '../../../db/catalog.ts'
import type { SharedCatalog } from '../../../db/postgres/shared-catalog.ts'
import type { DbReading } from '../../../db/transaction.ts'
import type { DataDir } from '../../files/data-dir.ts'
import type { RemoteFiles, VersionName } from '../../files/remote-files.ts'
import type { VersionRecord } from '../record.ts'
import {
  type DatasetRows,
  MirrorCopy,
  OtherHistoryError,
  readDatasets,
  readNumber,
  readRevision,
  readStamps,
  type Stamp,
} from './mirror-copy.ts'
import { ReferenceCopies } from './reference-copies.ts'

/** Short, since a permanent failure costs little (`store/objects/version-objects.ts`). */
const RETRY_MS = 1000

interface Arrival {
  /** Identifies the file. */
  readonly key: string
  /** The change of the dataset that needs it. */
  change: number
  readonly done: Promise<void>
  state: 'coming' | 'here' | 'failed'
  reason: string
  /** Time of the next attempt, in ms of `performance.now`. */
  retryAt: number
}

/** A version file, with the number of the dataset's latest change and the version served now; null for none. */
type WantedFile = VersionName & { readonly change: number; readonly before: number | null }

/** Version files on their way into a node's folder, so that one that takes long holds up no other dataset. */
class FileArrivals {
  readonly #files: Pick<RemoteFiles, 'prepare'>
  readonly #arrivals = new Map<string, Arrival>()

  constructor(files: Pick<RemoteFiles, 'prepare'>) {
    this.#files = files
  }

  /**
   * Whether there is no use in looking at a dataset now.
   * @param change the number of its latest change; left out: the same as before
   */
  isWaiting(dataset: string, change?: number): boolean {
    const arrival = this.#arrivals.get(dataset)
    if (change !== undefined && arrival?.change !== change) return false
    if (arrival?.state === 'failed') return performance.now() < arrival.retryAt
    return arrival?.state === 'coming'
  }

  /** Forgets a dataset that is served or needs no file. */
  settle(dataset: string): void {
    this.#arrivals.delete(dataset)
  }

  /** Fetches the files, and waits a moment for them. @returns why a file is not here, by dataset */
  async gather(wanted: readonly WantedFile[]): Promise<Map<string, string>> {
    const arrivals = wanted.map((file) => [file.id, this.#bring(file)] as const)
    if (arrivals.length > 0) {
      const all = Promise.all(arrivals.map(([, { done }]) => done))
      const { promise: patience, resolve } = Promise.withResolvers<void>()
      // How long a sync waits for files before it goes on without them.
      const timer = setTimeout(resolve, 1000)
      await Promise.race([all, patience])
      clearTimeout(timer)
    }
    const missing = arrivals.filter(([, { state }]) => state !== 'here')
    return new Map(missing.map(([dataset, { reason }]) => [dataset, reason]))
  }

  #bring({ id, version, file, change, before }: WantedFile): Arrival {
    const key = `${version} ${file.sha256}`
    const known = this.#arrivals.get(id)
    if (known?.key === key && (known.state !== 'failed' || this.isWaiting(id))) {
      known.change = change
      return known
    }
    const bringing = this.#files.prepare({ id, version, file }, before)
    const arrival: Arrival = {
      key,
      change,
      state: 'coming',
      reason: 'its file is being fetched',
      retryAt: 0,
      done: bringing.then(
        () => {
          arrival.state = 'here'
        },
        (error: unknown) => {
          arrival.state = 'failed'
          arrival.reason = error instanceof Error ? error.message : String(error)
          arrival.retryAt = performance.now() + RETRY_MS
        },
      ),
    }
    this.#arrivals.set(id, arrival)
    return arrival
  }
}

/** Datasets that are read and put into place together; more changes take several steps. */
const BATCH = 200

export class CatalogMirror {
  readonly #catalog: SharedCatalog
  readonly #dataDir: DataDir
  readonly #copy: MirrorCopy
  readonly #arrivals: FileArrivals
  readonly #references: ReferenceCopies
  #current: Promise<CatalogMirror['state']> | undefined
  #next: Promise<CatalogMirror['state']> | undefined
  /** Whether all datasets were compared since this process began. */
  #isCompared = false

  constructor(db: CatalogDb, dataDir: DataDir, catalog: SharedCatalog) {
    this.#catalog = catalog
    this.#dataDir = dataDir
    this.#copy = new MirrorCopy(db)
    // A directory that is not a cache has all files.
    this.#arrivals = new FileArrivals(dataDir.remote ?? { prepare: async () => {} })
    this.#references = new ReferenceCopies(catalog.postgres, dataDir.referenceDir)
  }

  /** How far the copy is: changes up to this number are served, except those of datasets that are behind. */
  get state() {
    return { number: this.#copy.number, behind: this.#copy.behind() }
  }

  /**
   * Makes everything served that was committed before the call, except datasets that are behind. Calls during a sync
   * share the next one.
   * @throws DatabaseAway; the copy then stays as it was
   */
  sync(): Promise<CatalogMirror['state']> {
    if (this.#current === undefined) {
      this.#current = this.#run().finally(() => {
        this.#current = undefined
      })
      return this.#current
    }
    this.#next ??= this.#current
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.sync()
      })
    return this.#next
  }

  async #run() {
    const { number } = this.#copy
    const mayBeDone = this.#isCompared && this.#freeBehind().length === 0
    for (let isDone = mayBeDone && (await readNumber(this.#catalog.now)) === number; !isDone; ) {
      try {
        isDone = await this.#step()
      } catch (error) {
        if (!(error instanceof OtherHistoryError)) throw error
        await this.#copy.clear()
        this.#isCompared = false
      }
    }
    const { state } = this
    await this.#references.compare()
    return state
  }

  async #step(): Promise<boolean> {
    const { rows, ...how } = await this.#catalog.postgres.atOneMoment(async (reading: DbReading) => {
      const number = await readNumber(reading)
      const changed = await this.#changedStamps(reading, number)
      const stamps = changed.slice(0, BATCH)
      const rest = changed[BATCH]
      const upTo = rest === undefined ? number : rest.number - 1
      const revision = await readRevision(reading)
      return { rows: await readDatasets(reading, stamps), revision, upTo, isLast: rest === undefined }
    })
    const missing = await this.#arrivals.gather(rows.flatMap((row) => this.#fileToBring(row)))
    const behind = rows.flatMap(({ id: dataset, number }) => {
      const reason = missing.get(dataset)
      return reason === undefined ? [] : [{ dataset, number, reason }]
    })
    const isHere = ({ id }: Stamp) => !missing.has(id)
    const dropped = await this.#copy.put({ ...how, rows: rows.filter(isHere), behind })
    for (const { id } of rows.filter(isHere)) this.#arrivals.settle(id)
    for (const { id, version, isTaken } of dropped)
      this.#dataDir.discard([this.#dataDir.versionFile(id, version)], { cuts: isTaken })
    if (how.isLast) this.#isCompared = true
    return how.isLast
  }

  /**
   * Changes that the copy lacks, the earliest first.
   * @throws OtherHistoryError when the database does not know those here
   */
  async #changedStamps(reading: DbReading, number: number): Promise<Stamp[]> {
    const at = this.#copy.number
    if (number < at) throw new OtherHistoryError()
    const stamps = this.#isCompared
      ? await readStamps(reading, at, this.#freeBehind())
      : await readStamps(reading, null)
    if (!this.#isCompared) {
      const known = new Set(stamps.map(({ id }) => id))
      if (this.#copy.ids().some((id) => !known.has(id))) throw new OtherHistoryError()
    }
    return stamps.filter(({ id, number, mark }) => {
      const here = this.#copy.stamp(id)
      if (here !== undefined && here.number >= number && here.mark !== mark) throw new OtherHistoryError()
      return here?.number !== number && !this.#arrivals.isWaiting(id, number)
    })
  }

  #freeBehind(): string[] {
    const behind = this.#copy.behind().map(({ dataset }) => dataset)
    return behind.filter((dataset) => !this.#arrivals.isWaiting(dataset)).slice(0, BATCH)
  }

  #fileToBring({ id, number, dataset, versions }: DatasetRows): WantedFile[] {
    const served = versions.find(({ version }) => version === dataset?.servedVersion)
    if (served === undefined) return []
    const { file } = served.record as VersionRecord
    const { version } = served
    const before = this.#copy.served(id)
    if (before?.version === version && before.file.sha256 === file.sha256) return []
    return [{ id, version, file, change: number, before: before?.version ?? null }]
  }
}
