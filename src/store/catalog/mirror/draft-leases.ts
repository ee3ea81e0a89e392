/** Which node works on a draft: a lease that its process renews, and that passes on a while after the process is gone. */

import type { LeaseTable } from '../../../db/postgres/lease-table.ts'
import type { DraftHold, DraftHolds } from '../drafts.ts'

const LEASE_MS = 15_000
const RENEW_MS = 4_000

export class DraftLeases implements DraftHolds {
  readonly #leases: LeaseTable

  constructor(leases: LeaseTable) {
    this.#leases = leases
  }

  isHeld(id: string): Promise<boolean> {
    return this.#leases.isHeld(nameOf(id))
  }

  /**
   * A holder that loses it all the same, because it was frozen or without the database, does no harm: its reading is
   * written again as it was, and its publication is refused by the draft's state.
   */
  async hold(id: string): Promise<DraftHold | null> {
    const name = nameOf(id)
    const holder = crypto.randomUUID()
    if (!(await this.#leases.take(name, holder, LEASE_MS))) return null
    const renew = () => void this.#leases.take(name, holder, LEASE_MS).catch(() => {})
    const timer = setInterval(renew, RENEW_MS).unref()
    return {
      release: async () => {
        clearInterval(timer)
        // It is over by itself, soon.
        await this.#leases.release(name, holder).catch(() => {})
      },
    }
  }
}

function nameOf(id: string): string {
  return `draft ${id}`
}
