/**
 * Bounds connections, so that file descriptors remain for the program's own work. The runtime reports a connection only
 * when it brings a request, and never its end; but descriptors are numbered, and the lowest free number tells how many are
 * open.
 */

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { noteRefused } from '../../base/limits.ts'
import { lowestFreeFile, openFileLimit } from '../../base/process/open-files.ts'
import { networkOf } from '../../base/text/ip-address.ts'
import type { ClientAddresses } from '../../http/client-ip.ts'

/**
 * The largest `max_connections`, which leaves a quarter of the descriptors (32 to 1,024) to the program itself; infinite
 * without a limit.
 */
export function mostConnections(limit = openFileLimit() ?? Number.POSITIVE_INFINITY): number {
  const reserve = Math.min(1024, Math.max(32, Math.floor(limit / 4)))
  return Math.max(1, limit - reserve)
}

/** What happens to a setting above that bound. */
export function explainBound(asked: number): string {
  return `max_connections is ${asked}, but of ${openFileLimit()} open files ${mostConnections()} may be connections, and no more are accepted: raise the limit of open files (ulimit -n, in systemd LimitNOFILE)`
}

export interface Gate {
  /** Closes connections that have no request in progress. */
  closeIdle(): void
  /** Refuses new connections, closes idle ones, and lets requests in progress end. */
  shut(): void
  /** Requests in progress on existing connections. */
  readonly inProgress: number
  /** Closes all existing connections. */
  cutOff(): Promise<void>
  /** Accepts connections again. @throws Error when the address cannot be taken */
  open(): void
}

/** A listener beside the gate, whose connections matter less than the gate's. */
export type SideGate = Pick<Gate, 'shut' | 'open'>

const LOOK_MS = 20
/** The side gate stays shut at least this long: a flood would fill it again at once. */
const SIDE_PAUSE_MS = 1000
/** How long requests in progress may take before all existing connections are closed. */
const PATIENCE_MS = 10_000
/** The least time between two log lines that say the same. */
const SILENCE_MS = 60_000
/** Files that the program opens after its start, apart from those of datasets. */
const OWN_FILES = 16

export class ConnectionBound {
  readonly #gate: Gate
  readonly #side: SideGate | undefined
  readonly #log: Logger
  readonly #isFull: () => boolean
  readonly #timer: ReturnType<typeof setInterval>
  readonly #saidAt = new Map<string, number>()
  #shutAt: number | undefined
  #sideShutAt: number | undefined

  /**
   * Create it when everything that stays open is open.
   * @param asked the setting; null takes as many as the descriptors allow
   * @param datasetFiles files that datasets have open now
   * @param side shut first and opened last
   */
  constructor(gate: Gate, asked: number | null, datasetFiles: () => number, log: Logger, side?: SideGate) {
    const most = mostConnections()
    this.#gate = gate
    this.#side = side
    this.#log = log
    if (asked !== null && asked > most) log.warn({ max_connections: asked, bound: most }, explainBound(asked))
    const own = lowestFreeFile() + OWN_FILES
    this.#isFull = () => lowestFreeFile() >= Math.min(most, own + datasetFiles() + (asked ?? most))
    this.#timer = setInterval(() => {
      if (this.#shutAt !== undefined) this.#reopen(this.#shutAt)
      else if (this.#isFull()) this.#refuse()
      else if (this.#sideShutAt !== undefined) this.#reopenSide(this.#sideShutAt)
    }, LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #refuse(): void {
    noteRefused('connections')
    this.#gate.closeIdle()
    if (!this.#isFull()) return
    this.#say(
      'warn',
      'the limit of connections is reached: idle ones are closed, and new ones refused until there is room',
    )
    if (this.#side !== undefined && this.#sideShutAt === undefined) {
      this.#sideShutAt = performance.now()
      this.#side.shut()
      // The next look shows whether that was enough.
      return
    }
    this.#shutAt = performance.now()
    this.#gate.shut()
  }

  #reopen(shutAt: number): void {
    const isOver = this.#gate.inProgress === 0 || performance.now() - shutAt > PATIENCE_MS
    if (isOver) void this.#gate.cutOff()
    else if (this.#isFull()) return
    if (this.#opens(this.#gate)) this.#shutAt = undefined
  }

  #reopenSide(shutAt: number): void {
    if (performance.now() - shutAt < SIDE_PAUSE_MS) return
    this.#sideShutAt = this.#opens(this.#side!) ? undefined : performance.now()
  }

  #opens(gate: SideGate): boolean {
    try {
      gate.open()
      return true
    } catch (error) {
      this.#say('error', 'new connections cannot be accepted; it will be tried again', { err: error })
      return false
    }
  }

  #say(level: 'warn' | 'error', text: string, about: object = {}): void {
    const now = performance.now()
    if (now - (this.#saidAt.get(text) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS) return
    this.#saidAt.set(text, now)
    this.#log[level](about, text)
  }
}

/** Bounds the concurrent requests of one network; each has its own connection. */
export class AddressBound {
  readonly #clients: ClientAddresses
  /** Below this many requests in progress nothing is counted; it is also the most that one network may have. */
  readonly #half: number
  readonly #counted = new LRUCache<string, Set<Request>>({ max: 4096 })

  constructor(most: number, clients: ClientAddresses) {
    this.#half = Math.max(1, Math.floor(most / 2))
    this.#clients = clients
  }

  /** @param inProgress requests in progress of all networks */
  admits(request: Request, inProgress: number): boolean {
    if (inProgress < this.#half) return true
    const peer = this.#clients.peerOf(request)
    if (this.#clients.isTrusted(peer)) return true
    const network = networkOf(peer)
    const requests = this.#counted.get(network) ?? new Set()
    this.#counted.set(network, requests)
    if (requests.size >= this.#half)
      for (const earlier of requests) if (!this.#clients.isOpen(earlier)) requests.delete(earlier)
    if (requests.size < this.#half) {
      requests.add(request)
      return true
    }
    noteRefused('address_connections')
    return false
  }
}
