/**
 * What makes a process a node: it keeps its copy of the catalog up to date, and notes every second that it is alive and
 * how far it has read. Without the database it continues with its copy.
 */

import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { NodeTable } from '../../../db/postgres/shared-catalog.ts'
import type { CatalogMirror } from './mirror.ts'

interface NodeLifeOptions {
  readonly mirror: CatalogMirror
  readonly nodes: NodeTable
  /** The build of the program. */
  readonly program: string
  readonly log: Logger
  /** Ends all reading of versions that, by the copy, are taken down. */
  readonly settle: () => Promise<void>
}

export class NodeLife {
  /** New at each start. */
  readonly id = crypto.randomUUID()
  /** For people; the same for all workers of a node. */
  readonly name = `${hostname()}:${process.send === undefined ? process.pid : process.ppid}`
  readonly #options: NodeLifeOptions
  readonly #behind = new Set<string>()
  #isClosed = false
  #isAway = false
  /** Whether everything published before this process began is served, except datasets that wait. */
  hasSynced = false
  #following: Promise<void> | undefined
  #beating: Promise<void> | undefined
  /** Ends the pauses. */
  readonly #end = Promise.withResolvers<void>()

  constructor(options: NodeLifeOptions) {
    this.#options = options
  }

  start(): void {
    this.#following = this.#everySecond(() => this.#follow())
    this.#beating = this.#everySecond(() => this.#beat())
  }

  /** Removes the node from the list. Never throws. */
  async stop(): Promise<void> {
    this.#isClosed = true
    this.#end.resolve()
    await Promise.all([this.#following, this.#beating])
    await this.#options.nodes.leave(this.id).catch(() => {})
  }

  async #everySecond(work: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      const began = performance.now()
      await work()
      const pause = Math.max(0, 1000 - (performance.now() - began))
      await Promise.race([Bun.sleep(pause), this.#end.promise])
    }
  }

  async #follow(): Promise<void> {
    const { mirror, log } = this.#options
    try {
      const { behind } = await mirror.sync()
      this.hasSynced = true
      this.#noteBehind(new Map(behind.map(({ dataset, reason }) => [dataset, reason])))
      if (this.#isAway) log.info('the catalog is followed again')
      this.#isAway = false
    } catch (error) {
      if (this.#isClosed) return
      if (!this.#isAway)
        log.error(
          { err: error },
          'the catalog cannot be followed; what is here is served, and it is tried again',
        )
      this.#isAway = true
    }
  }

  #noteBehind(behind: ReadonlyMap<string, string>): void {
    const { log } = this.#options
    for (const [dataset, reason] of behind) {
      if (this.#behind.has(dataset)) continue
      this.#behind.add(dataset)
      log.warn({ dataset, reason }, 'the present version of a dataset is not here; the one before is served')
    }
    for (const dataset of this.#behind) {
      if (behind.has(dataset)) continue
      this.#behind.delete(dataset)
      log.info({ dataset }, 'the present version of a dataset is served')
    }
  }

  /** If it fails, so does the sync, which logs it. */
  async #beat(): Promise<void> {
    const { mirror, nodes, program, settle } = this.#options
    const { number: revision, behind } = mirror.state
    // Names at most 100 datasets: thousands may wait for a store that is away.
    const named = behind.slice(0, 100).map(({ dataset, reason }) => [dataset, reason])
    const beat = { id: this.id, name: this.name, program, revision, waitsFor: Object.fromEntries(named) }
    await settle()
      .then(() => nodes.beat(beat))
      .catch(() => {})
  }
}
