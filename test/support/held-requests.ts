/** Requests that never end, each held open on its own connection. */

import type { Socket } from 'bun'
import { until } from './until.ts'

export interface HeldOptions {
  readonly url: string
  readonly count: number
  /** The bytes that the n-th request sends before it stops sending. */
  readonly bytes: (n: number) => string
}

export interface HeldRequests {
  /** Statuses of answers so far. */
  readonly statuses: readonly number[]
  /** Connections that the server ended. */
  readonly closed: number
  release(): void
}

/** How many connections are opened at one time. */
const AT_ONCE = 50

/** Opens them all, and resolves when everything is sent. */
export async function holdRequests({ url, count, bytes }: HeldOptions): Promise<HeldRequests> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const statuses: number[] = []
  const held = {
    statuses,
    closed: 0,
    release: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
  let unsent = count
  const open = async (n: number) => {
    let rest = Buffer.from(bytes(n))
    const send = (socket: Socket) => {
      const wasUnsent = rest.length > 0
      rest = rest.subarray(socket.write(rest))
      if (wasUnsent && rest.length === 0) unsent--
    }
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: send,
        drain: send,
        data: (_, answer) => void statuses.push(Number(Buffer.from(answer).toString('latin1', 9, 12))),
        close: () => {
          held.closed++
          if (rest.length > 0) unsent--
          rest = rest.subarray(rest.length)
        },
        error: () => {},
      },
    })
    sockets.push(socket)
  }
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => open(from + n))
    await Promise.all(some)
  }
  await until(() => unsent === 0)
  return held
}

/** The beginning of a POST whose body has `length` bytes, and `sent` of them. */
export function unfinishedPost(
  path: string,
  {
    length,
    sent,
    headers = {},
  }: { length: number; sent: number; headers?: Readonly<Record<string, string>> },
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`
  return `${head}${lines.join('')}\r\n${' '.repeat(sent)}`
}
