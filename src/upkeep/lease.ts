/**
 * Work that one process does for all processes of a service: schedules, waiting mail, upkeep. The holder of the lease
 * does it; the others ask again every few seconds and take over when the lease is free.
 */

import type { Logger } from 'pino'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import type { LeaseTable } from '../db/postgres/shared-catalog.ts'
import type { DataDir } from '../store/files/data-dir.ts'

/** Tries to get the lease: null while another process holds it. May throw; it is tried again. */
export type Claim = () => ValueOrPromise<{
  /** Whether it is still held: a lease with a limited time may have passed to another process. */
  isHeld(): ValueOrPromise<boolean>
  release(): ValueOrPromise<void>
} | null>

/** Ends the work, and resolves when none of it runs any more. */
export type EndWork = () => ValueOrPromise<void>

interface LeaseOptions {
  readonly claim: Claim
  /** Begins the work; called each time the lease is obtained. */
  readonly begin: () => EndWork
  readonly log: Logger
}

export class Lease {
  readonly #options: LeaseOptions
  #tenure: Awaited<ReturnType<Claim>> = null
  #end: EndWork | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #looking: Promise<void> | undefined
  #isClosed = false
  #hasFailed = false

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /** Whether this process does the work. */
  get isHeld(): boolean {
    return this.#end !== undefined
  }

  /** Tries to get the lease now, and every few seconds from now on. */
  start(): void {
    // The longest time without a holder after the last one was killed.
    this.#timer = setInterval(() => void this.look(), 2000)
    this.#timer.unref()
    void this.look()
  }

  /** Tries to get the lease, or notices its loss. Never throws; joins a look under way. */
  async look(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  /** Ends the work and begins it again, with changed settings. */
  async again(): Promise<void> {
    if (!this.isHeld) return
    await this.#endWork()
    if (this.#tenure !== null && !this.#isClosed) this.#end = this.#options.begin()
  }

  /** Ends the work and gives the lease back. */
  async stop(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#looking
    await this.#endWork()
    await this.#tenure?.release()
    this.#tenure = null
  }

  async #lookOnce(): Promise<void> {
    const { claim, begin, log } = this.#options
    try {
      if (this.#tenure !== null && !(await this.#tenure.isHeld())) {
        this.#tenure = null
        await this.#endWork()
      }
      if (this.#tenure === null) {
        this.#tenure = await claim()
        if (this.#tenure !== null && !this.#isClosed) this.#end = begin()
      }
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) log.error({ err: error }, 'upkeep could not be started; it will be tried again')
      this.#hasFailed = true
    }
  }

  async #endWork(): Promise<void> {
    const end = this.#end
    this.#end = undefined
    await end?.()
  }
}

/** The lease of a data directory: a lock that the system frees when its holder ends in any way. */
export function folderLease(dataDir: DataDir): Claim {
  return () => {
    const lock = dataDir.lock('upkeep')
    return lock && { isHeld: () => true, release: () => lock.release() }
  }
}

/** The lease of all nodes on a database. While the database does not answer, the holder continues. */
export function databaseLease(leases: LeaseTable): Claim {
  const [name, holder] = ['upkeep', crypto.randomUUID()]
  // A node that was killed or frozen loses the lease after this time. It is renewed at each look.
  const take = () => leases.take(name, holder, 10_000)
  return async () => {
    if (!(await take())) return null
    // If the release fails, the lease soon ends by itself.
    return { isHeld: take, release: () => leases.release(name, holder).catch(() => {}) }
  }
}
