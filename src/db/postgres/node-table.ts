/** The table of nodes. Only the database's clock measures how long one was silent: clocks of machines differ. */

import { asc, eq, lt, sql } from 'drizzle-orm'
import type { CatalogTransaction } from '../catalog.ts'
import { nodes } from '../schema/nodes-schema.ts'
import type { Postgres } from './open.ts'

/** What a node says of itself. */
export type NodeBeat = Omit<typeof nodes.$inferSelect, 'startedAt' | 'beatAt'>

/** A node as others see it. */
export interface SeenNode extends NodeBeat {
  /** Seconds since it was started, and since its last beat. */
  readonly age: number
  readonly silence: number
}

/** A node that was silent for longer, in seconds, is taken for dead. */
const LIVE_SECONDS = 5
/** Of nodes that ended without saying so. */
const FORGET_MS = 86_400_000

const NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`

export function isLive({ silence }: SeenNode): boolean {
  return silence <= LIVE_SECONDS
}

export class NodeTable {
  readonly #queries: CatalogTransaction

  constructor(postgres: Postgres) {
    this.#queries = postgres.queries()
  }

  /** Says that a node lives, and how far it is. @throws DatabaseAway */
  async beat(beat: NodeBeat): Promise<void> {
    const { revision, waitsFor } = beat
    await this.#queries
      .insert(nodes)
      .values({ ...beat, startedAt: NOW, beatAt: NOW })
      .onConflictDoUpdate({ target: nodes.id, set: { revision, waitsFor, beatAt: NOW } })
    await this.#queries.delete(nodes).where(lt(nodes.beatAt, sql`${NOW} - ${FORGET_MS}`))
  }

  /** All that were there within a day, by name. @throws DatabaseAway */
  async list(): Promise<SeenNode[]> {
    const rows = await this.#queries
      .select({ node: nodes, now: NOW })
      .from(nodes)
      .orderBy(asc(nodes.name), asc(nodes.id))
    return rows.map(({ node: { startedAt, beatAt, ...beat }, now }) => ({
      ...beat,
      age: (now - startedAt) / 1000,
      silence: (now - beatAt) / 1000,
    }))
  }

  /** Says that a node ends. @throws DatabaseAway */
  async leave(id: string): Promise<void> {
    await this.#queries.delete(nodes).where(eq(nodes.id, id))
  }
}
