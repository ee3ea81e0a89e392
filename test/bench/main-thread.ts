/** How long others wait, and how long the main thread of a service ran meanwhile: measured from outside, with lists. */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { Service } from './process.ts'

const REST_MS = 1

export interface Waits {
  readonly lists: number
  /** Times of lists. */
  readonly p99Ms: number
  /** Processor time of the main thread between a list's request and its answer: a stretch that it ran, and the list. */
  readonly busyP99Ms: number
  readonly longestMs: number
}

/** Processor time of the first thread of a process in ms (proc(5)); a running thread's is up to a few ms old. */
function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
}

/** Requests small lists over one connection, one after the other; measures once each of them has been requested. */
export async function watchLists({ address, pid }: Pick<Service, 'address' | 'pid'>, secret: string) {
  const took: number[] = []
  const busy: number[] = []
  let isOver = false
  let longestMs = 0
  const get = listsOver(new URL(address), secret)
  const ask = async (month: number) => {
    const before = mainThreadMs(pid)
    const began = performance.now()
    await get(month)
    return [performance.now() - began, mainThreadMs(pid) - before] as const
  }
  for (let month = 1; month <= 12; month++) await ask(month)
  const asking = (async () => {
    for (let i = 0; !isOver; i++) {
      const [tookMs, busyMs] = await ask(1 + (i % 12))
      took.push(tookMs)
      busy.push(busyMs)
      longestMs = Math.max(longestMs, busyMs)
      await Bun.sleep(REST_MS)
    }
  })()
  return {
    /** The longest times since the last call. */
    takeLongest(): number {
      const taken = longestMs
      longestMs = 0
      return taken
    },
    async stop(): Promise<Waits> {
      isOver = true
      await asking
      return { lists: took.length, p99Ms: p99Of(took), busyP99Ms: p99Of(busy), longestMs: Math.max(...busy) }
    },
  }
}

/** Requests over one connection, without the thread that `fetch` uses. */
function listsOver({ hostname, port }: URL, secret: string) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let text = ''
  let answered = Promise.withResolvers<void>()
  socket.setEncoding('latin1')
  socket.unref()
  socket.on('error', (error) => answered.reject(error))
  socket.on('data', (piece: string) => {
    text += piece
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1])
    if (!(text.length >= text.indexOf('\r\n\r\n') + 4 + length)) return
    if (text.startsWith('HTTP/1.1 200')) answered.resolve()
    else answered.reject(new Error(text.slice(0, 200)))
  })
  return (month: number) => {
    text = ''
    answered = Promise.withResolvers()
    const path = `/v1/bench/trade?month=${month}&limit=5`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`)
    return answered.promise
  }
}

function p99Of(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * 0.99)] ?? Number.NaN
}
