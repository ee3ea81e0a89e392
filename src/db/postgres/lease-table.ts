/** Leases in PostgreSQL: who does what, until when by the database's clock. A holder that stops renewing one loses it. */

import { and, eq, gte, sql } from 'drizzle-orm'
import type { CatalogTransaction } from '../catalog.ts'
import { leases } from '../schema/nodes-schema.ts'
import type { Postgres } from './open.ts'

const NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

export class LeaseTable {
  readonly #queries: CatalogTransaction

  constructor(postgres: Postgres) {
    this.#queries = postgres.queries()
  }

  /**
   * Takes a lease that is free or over, or renews the holder's own.
   * @returns whether the holder has it for this number of milliseconds @throws DatabaseAway
   */
  async take(name: string, holder: string, ms: number): Promise<boolean> {
    const until = sql<number>`${NOW} + ${ms}`
    const taken = await this.#queries
      .insert(leases)
      .values({ name, holder, until })
      .onConflictDoUpdate({
        target: leases.name,
        set: { holder, until },
        setWhere: sql`${leases.holder} = ${holder} OR ${leases.until} < ${NOW}`,
      })
      .returning({ name: leases.name })
    return taken.length > 0
  }

  /** @throws DatabaseAway */
  async isHeld(name: string): Promise<boolean> {
    const held = and(eq(leases.name, name), gte(leases.until, NOW))
    return (await this.#queries.select({ name: leases.name }).from(leases).where(held)).length > 0
  }

  /** Nothing where another one has it. @throws DatabaseAway */
  async release(name: string, holder: string): Promise<void> {
    await this.#queries.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)))
  }
}
