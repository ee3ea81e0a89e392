/**
 * A strict client: it sends requests without pause, over new and over kept connections, and counts everything except a
 * complete answer with status 200 as a failure. HTTP clients repeat a request by themselves when a kept connection ends
 * during it, and would hide such failures.
 */

import type { Socket } from 'bun'

/**
 * How many requests of eight clients that never pause may fail when a process hands its port to another: closing a
 * listener resets the connections in its accept queue. Seven handovers lost 6 of 60,085 requests, one of them 4.
 */
export const MOST_RESET = 10

export interface SteadyOptions {
  /** Requested with GET. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** How many clients use a new connection for each request. */
  readonly fresh: number
  /** How many clients use a connection that is kept for as long as the server allows. */
  readonly kept: number
}

export class SteadyClient {
  /** Complete answers with status 200. */
  answered = 0
  /** Failures by cause: `refused`, `cut off`, or the status. */
  readonly failures = new Map<string, number>()
  /** The longest wait for an answer, in milliseconds. */
  slowest = 0
  readonly #request: (close: boolean) => string
  readonly #address: Address
  readonly #loops: Promise<void>[]
  #going = true

  constructor({ url, headers = {}, fresh, kept }: SteadyOptions) {
    const { protocol, hostname, port, host, pathname, search } = new URL(url)
    this.#address = { hostname, port: Number(port), tls: protocol === 'https:' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`
    this.#request = (close) => `${head}connection: ${close ? 'close' : 'keep-alive'}\r\n\r\n`
    this.#loops = [
      ...Array.from({ length: fresh }, () => this.#ask(true)),
      ...Array.from({ length: kept }, () => this.#ask(false)),
    ]
  }

  get failed(): number {
    return this.failures.values().reduce((sum, count) => sum + count, 0)
  }

  /** Resolves when this many requests, from the first one on, have been answered or failed. */
  async reach(requests: number): Promise<void> {
    while (this.answered + this.failed < requests) await Bun.sleep(5)
  }

  async stop(): Promise<void> {
    this.#going = false
    await Promise.all(this.#loops)
  }

  async #ask(fresh: boolean): Promise<void> {
    let connection: Connection | undefined
    while (this.#going) {
      const started = performance.now()
      try {
        if (connection === undefined || connection.isClosed) connection = await Connection.open(this.#address)
        const { status, closes } = await connection.exchange(this.#request(fresh))
        if (status === 200) this.answered++
        else this.#fail(String(status))
        if (!fresh && !closes) continue
      } catch (error) {
        this.#fail((error as Error).message)
      } finally {
        this.slowest = Math.max(this.slowest, performance.now() - started)
      }
      connection?.end()
      connection = undefined
    }
    connection?.end()
  }

  #fail(reason: string): void {
    this.failures.set(reason, (this.failures.get(reason) ?? 0) + 1)
  }
}

interface Address {
  readonly hostname: string
  readonly port: number
  readonly tls: boolean
}

interface Answer {
  readonly status: number
  /** Whether the server ends the connection after it. */
  readonly closes: boolean
}

class Connection {
  isClosed = false
  #socket: Socket | undefined
  #text = ''
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined

  static async open({ hostname, port, tls }: Address): Promise<Connection> {
    const connection = new Connection()
    const ready = Promise.withResolvers<void>()
    const ended = () => {
      ready.reject(new Error('refused'))
      connection.#ended()
    }
    const opened = Bun.connect({
      hostname,
      port,
      ...(tls && { tls: { rejectUnauthorized: false } }),
      socket: {
        open: () => void (tls || ready.resolve()),
        handshake: () => ready.resolve(),
        data: (_, bytes) => connection.#received(bytes),
        close: ended,
        error: ended,
        end: ended,
      },
    })
    opened.catch(ended)
    await ready.promise
    connection.#socket = await opened
    return connection
  }

  async exchange(request: string): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    this.#waiting = { resolve, reject }
    this.#text = ''
    if (this.isClosed) this.#ended()
    else this.#socket?.write(request)
    return await promise
  }

  end(): void {
    this.#socket?.end()
  }

  #received(bytes: Uint8Array): void {
    this.#text += Buffer.from(bytes).toString('latin1')
    const bodyAt = this.#text.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const head = this.#text.slice(0, bodyAt).toLowerCase()
    if (!isWhole(head, this.#text.slice(bodyAt))) return
    const status = Number(head.split(' ', 2)[1])
    this.#waiting?.resolve({ status, closes: head.includes('\r\nconnection: close') })
    this.#waiting = undefined
  }

  #ended(): void {
    this.isClosed = true
    this.#waiting?.reject(new Error('cut off'))
    this.#waiting = undefined
  }
}

function isWhole(head: string, body: string): boolean {
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  return length === undefined ? body.endsWith('0\r\n\r\n') : body.length >= Number(length)
}
