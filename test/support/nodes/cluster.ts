/** Several nodes over one PostgreSQL and one object store, all on this machine, which tests kill and freeze. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, listening, type RunningService, succeed } from '../../journeys/program.ts'
import { STORE_CREDENTIALS, startObjectStore } from '../object-store.ts'
import { startPostgres } from '../postgres.ts'

/** A part of the cluster that can be killed, frozen and brought back. */
export interface Part {
  readonly name: string
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  restart(): Promise<void>
}

/** The first start chooses a port, which later ones keep. */
export class Node implements Part {
  readonly name: string
  readonly data: string
  readonly #env: Readonly<Record<string, string>>
  #service: RunningService | undefined
  #port = '0'
  #isFrozen = false
  #ended: string | undefined

  constructor(name: string, data: string, env: Readonly<Record<string, string>>) {
    this.name = name
    this.data = data
    this.#env = env
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get pid(): number {
    return this.#service!.pid
  }

  /** Whether it can answer: it was neither killed nor frozen. */
  get isUp(): boolean {
    return this.#service !== undefined && !this.#isFrozen
  }

  /** The end of its log. */
  get said(): string {
    return this.#ended ?? this.#service?.output().slice(-500) ?? ''
  }

  async restart(): Promise<void> {
    const child = launch(['serve', '--port', this.#port, '--data', this.data], { env: this.#env })
    const service = await listening(child)
    this.#service = service
    void service.exited.then(async (code) => {
      if (this.#service === service) this.#ended = `it ended with ${code}: ${await service.errors}`
    })
    this.#port = new URL(this.#service.address).port
  }

  freeze(): void {
    this.#isFrozen = true
    this.#service?.signal('SIGSTOP')
  }

  thaw(): void {
    this.#isFrozen = false
    this.#service?.signal('SIGCONT')
  }

  async kill(): Promise<void> {
    const service = this.#service
    this.#service = undefined
    this.#isFrozen = false
    service?.signal('SIGKILL')
    await service?.exited
  }

  /** Runs a command of the program in the node's folder. @throws Error with its messages when it fails */
  run(args: readonly string[], input?: string): Promise<string> {
    return succeed([...args, '--data', this.data], { env: this.#env, ...(input !== undefined && { input }) })
  }
}

export interface Cluster {
  readonly nodes: readonly Node[]
  readonly database: Part
  readonly store: Part
  stop(): Promise<void>
}

/** Starts a cluster with nothing published. Use it inside a test. */
export async function startCluster(size: number): Promise<Cluster> {
  const postgres = await startPostgres()
  const objects = await startObjectStore()
  const root = mkdtempSync(join(tmpdir(), 'izvor-nodes-'))
  const env = {
    IZVOR_DATABASE_URL: await postgres.createDatabase(),
    IZVOR_OBJECT_STORE: objects.address,
    IZVOR_OBJECT_STORE_ENDPOINT: objects.endpoint,
    IZVOR_DISK_FLOOR: '0',
    ...STORE_CREDENTIALS,
  }
  const nodes = Array.from(
    { length: size },
    (_, n) => new Node(`node ${n + 1}`, join(root, `node-${n + 1}`), env),
  )
  const cluster = {
    nodes,
    database: partOf('database', postgres),
    store: partOf('store', objects),
    async stop() {
      for (const node of nodes) await node.kill()
      await postgres.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
  try {
    for (const node of nodes) await node.restart()
    return cluster
  } catch (error) {
    await cluster.stop()
    throw error
  }
}

interface Server {
  freeze(): void
  thaw(): void
  kill(): Promise<void>
  start(): Promise<void>
}

function partOf(name: string, server: Server): Part {
  return {
    name,
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    kill: () => server.kill(),
    restart: () => server.start(),
  }
}
