/**
 * What all nodes share in PostgreSQL: the catalog, the list of live nodes, and leases. Only the database's clock
 * measures silence and leases, since the clocks of machines differ.
 */

import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { leases, nodes } from '../schema/nodes-schema.ts'
import type { DbReading, Transaction } from '../transaction.ts'
import type { Postgres } from './open.ts'

const NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

/** The catalog of all nodes. */
export function openSharedCatalog(postgres: Postgres) {
  const transactions = postgres.transactions<Transaction>()
  return {
    /** For queries whose answer must be current. @throws DatabaseAway */
    now: postgres.queries<DbReading>(),
    /** Runs `work` as one transaction, and again after a conflict with another one. @throws DatabaseAway */
    change: <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => transactions.run(work),
    nodes: nodeTable(postgres),
    leases: leaseTable(postgres),
    /** For rows that are not the catalog's, and for queries as of one moment. */
    postgres,
    /** Closes the connections, which other parts of this process may share. */
    close: (): void => postgres.close(),
  }
}

export type SharedCatalog = ReturnType<typeof openSharedCatalog>

type NodeBeat = Omit<typeof nodes.$inferSelect, 'startedAt' | 'beatAt'>

/** A node as others see it. */
export interface SeenNode extends NodeBeat {
  /** Seconds since its start, and since its last beat. */
  readonly age: number
  readonly silence: number
}

/** A node that has been silent for longer is taken for dead. */
const LIVE_SECONDS = 5

export function isLive({ silence }: SeenNode): boolean {
  return silence <= LIVE_SECONDS
}

export type NodeTable = ReturnType<typeof nodeTable>

/** All methods throw DatabaseAway. */
export function nodeTable(postgres: Postgres) {
  const queries: Transaction = postgres.queries()
  return {
    /** Notes that a node is alive, and how far it has read the catalog. */
    async beat(beat: NodeBeat): Promise<void> {
      const { revision, waitsFor } = beat
      await queries
        .insert(nodes)
        .values({ ...beat, startedAt: NOW, beatAt: NOW })
        .onConflictDoUpdate({ target: nodes.id, set: { revision, waitsFor, beatAt: NOW } })
      // Removes nodes that ended a day ago without leaving.
      await queries.delete(nodes).where(lt(nodes.beatAt, sql`${NOW} - ${86_400_000}`))
    },
    /** All nodes of the last day, by name. */
    async list(): Promise<SeenNode[]> {
      const found = queries.select({ node: nodes, now: NOW }).from(nodes)
      const rows = await found.orderBy(asc(nodes.name), asc(nodes.id))
      return rows.map(({ node: { startedAt, beatAt, ...beat }, now }) => ({
        ...beat,
        age: (now - startedAt) / 1000,
        silence: (now - beatAt) / 1000,
      }))
    },
    /** Removes a node that ends. */
    leave: async (id: string): Promise<void> => void (await queries.delete(nodes).where(eq(nodes.id, id))),
  }
}

export type LeaseTable = ReturnType<typeof leaseTable>

/** Leases: a holder that stops renewing one loses it. All methods throw DatabaseAway. */
export function leaseTable(postgres: Postgres) {
  const queries: Transaction = postgres.queries()
  return {
    /**
     * Takes a lease that is free or has ended, or renews the holder's own.
     * @returns whether the holder has it for this number of milliseconds
     */
    async take(name: string, holder: string, ms: number): Promise<boolean> {
      const until = sql<number>`${NOW} + ${ms}`
      const taken = await queries
        .insert(leases)
        .values({ name, holder, until })
        .onConflictDoUpdate({
          target: leases.name,
          set: { holder, until },
          setWhere: sql`${leases.holder} = ${holder} OR ${leases.until} < ${NOW}`,
        })
        .returning({ name: leases.name })
      return taken.length > 0
    },
    async isHeld(name: string): Promise<boolean> {
      const held = and(eq(leases.name, name), gte(leases.until, NOW))
      return (await queries.select({ name: leases.name }).from(leases).where(held)).length > 0
    },
    /** Does nothing if another holder has it. */
    async release(name: string, holder: string): Promise<void> {
      await queries.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)))
    },
  }
}
