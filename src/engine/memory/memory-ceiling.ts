/**
 * Keeps the process below its memory ceiling. Near it, garbage is collected early and memory for data does not grow: kept
 * results are evicted first, then idle datasets are closed, then queries that need more are refused. The rest up to the
 * ceiling is for answers being sent and for garbage. Above the ceiling every query is refused.
 */

import type { ApiError } from '../../base/errors.ts'
import { refuseBy } from '../../base/limits.ts'
import { machineMemory } from '../../base/process/machine.ts'

/** Share of the machine's memory where no ceiling is set. */
const SHARE = 0.85
/** Share of the ceiling where "near" begins. */
const NEAR = 0.85
/** Asking the system takes a few microseconds, and memory does not grow far within this time. In ms. */
const LOOK_MS = 10
/** Collecting all garbage stops the process for about 50 ms, so it must free enough or be rare. In ms. */
const COLLECT_MS = 200
/** Above the ceiling requests are refused until there is room again, so it may happen sooner. In ms. */
const COLLECT_ABOVE_MS = 60
const COLLECT_WORTH = 8e6
const COLLECT_ANYWAY_MS = 2000
/** Between two closings: the next query loads a closed dataset again. In ms. */
const CLOSE_MS = 2000
/** Granted memory is written to, and so becomes resident, within this time. In ms. */
const GRANTED_MS = 1000
const RETRY_AFTER_S = 2

/** The refusal of a query that needs more memory than there is. */
export function memoryRefusal(): ApiError {
  return refuseBy(
    'memory',
    `The service has no memory left for more queries at the moment; try again in ${RETRY_AFTER_S} s.`,
    RETRY_AFTER_S,
  )
}

/** Bytes that a process may have resident where no ceiling is set. */
export function defaultCeiling(): number {
  return Math.floor(machineMemory() * SHARE)
}

export class MemoryCeiling {
  /** Closes datasets without a query under way. Returns whether there were any. */
  closeUnused: () => boolean = () => false
  /** Gives up work whose clients need no answer at once: above the ceiling it ends before queries are refused. */
  shed: () => void = () => {}
  readonly #ceiling: number
  readonly #near: number
  #resident = 0
  #expected = 0
  #afterCollection = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #collectedAt = Number.NEGATIVE_INFINITY
  #closedAt = Number.NEGATIVE_INFINITY
  #grantedAt = Number.NEGATIVE_INFINITY

  /** @param ceiling bytes that the process may have resident; null: `defaultCeiling` */
  constructor(ceiling: number | null) {
    this.#ceiling = ceiling ?? defaultCeiling()
    this.#near = this.#ceiling * NEAR
  }

  get bytes(): number {
    return this.#ceiling
  }

  /**
   * Checks before a query that there is memory for it.
   * @throws ApiError `service_unavailable` while the process has more than it may
   */
  requireRoom(): void {
    const now = performance.now()
    if (now - this.#lookedAt > LOOK_MS) this.#look(now)
    if (this.#resident > this.#ceiling) throw memoryRefusal()
  }

  mayGrow(bytes: number): boolean {
    const now = performance.now()
    this.#look(now, bytes)
    if (!this.#fits(bytes, now)) this.#close(now)
    if (!this.#fits(bytes, now)) return false
    this.#expected = this.#expectedAt(now) + bytes
    this.#grantedAt = now
    return true
  }

  #fits(bytes: number, now: number): boolean {
    return this.#expectedAt(now) + bytes <= this.#near
  }

  #expectedAt(now: number): number {
    return now - this.#grantedAt > GRANTED_MS ? this.#resident : Math.max(this.#resident, this.#expected)
  }

  #look(now: number, wanted = 0): void {
    this.#lookedAt = now
    this.#resident = process.memoryUsage.rss()
    if (this.#resident + wanted <= this.#near) return
    const since = now - this.#collectedAt
    const isWorth = this.#resident > this.#afterCollection + COLLECT_WORTH
    const pause = this.#resident > this.#ceiling ? COLLECT_ABOVE_MS : COLLECT_MS
    if (since > COLLECT_ANYWAY_MS || (isWorth && since > pause)) this.#collect()
    if (this.#resident <= this.#ceiling) return
    this.shed()
    this.#close(now)
  }

  /** The memory of a closed dataset is freed when it is collected. */
  #close(now: number): void {
    if (now - this.#closedAt < CLOSE_MS || !this.closeUnused()) return
    this.#collect()
    this.#closedAt = now
  }

  #collect(): void {
    Bun.gc(true)
    this.#resident = process.memoryUsage.rss()
    this.#afterCollection = this.#resident
    this.#collectedAt = performance.now()
  }
}
