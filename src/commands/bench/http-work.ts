/** Requests a second of the service, started as a process of its own and asked by this one. */

import type { Cli } from '../cli.ts'
import { PARTNERS } from './queries.ts'

export interface Rate {
  readonly perSecond: number
  /** Of a hundred answers, the slowest but one took this long; in ms. */
  readonly p99: number
}

export interface HttpFigures {
  readonly again: Rate
  readonly varied: Rate
  readonly unseen: Rate
}

export interface HttpWork {
  /** The data folder, with the dataset `bench/trade`. */
  readonly data: string
  readonly secret: string
  readonly rows: number
}

const CONNECTIONS = 32
const WARM_MS = 500
const MEASURED_MS = 2000
const PATH = '/v1/bench/trade'

/**
 * Lists with a key: the same one again, filters that recur in other combinations and at other offsets, and ranges that
 * nobody asked for before, so that every row is looked at.
 * @throws Error when the service does not start or an answer is no list
 */
export async function measureHttp(cli: Cli, { data, secret, rows }: HttpWork): Promise<HttpFigures> {
  const env = Object.fromEntries(Object.entries(cli.env).filter(([name]) => !name.startsWith('IZVOR_')))
  const command = [...cli.command, 'serve', '--host', '127.0.0.1', '--port', '0', '--data', data]
  const service = Bun.spawn(command, { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', env })
  try {
    const address = await readAddress(service.stdout)
    const rate = (query: (i: number) => string) => measureRate(`${address}${PATH}?`, secret, query)
    return {
      again: await rate(() => 'flow_code=2&partner_country_code=de&count=true'),
      varied: await rate((i) => variedQuery(i, rows)),
      unseen: await rate((i) => `value_lei[gte]=${1000 + i * 37}&count=true`),
    }
  } finally {
    service.kill()
    await service.exited
  }
}

/** Where the service says that it listens; what it says afterwards is read and left. */
function readAddress(output: ReadableStream<Uint8Array>): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = async () => {
      const decoder = new TextDecoder()
      let said = ''
      for await (const chunk of output) {
        if (said.length < 10_000) said += decoder.decode(chunk, { stream: true })
        const address = /"address":"([^"]+)"/.exec(said)?.[1]
        if (address !== undefined) resolve(address)
      }
      reject(new Error('the service ended before it listened'))
    }
    read().catch(reject)
  })
}

function variedQuery(i: number, rows: number): string {
  const partner = PARTNERS[i % PARTNERS.length]
  const month = 1 + (Math.floor(i / 8) % 12)
  const offset = (Math.imul(i, 7919) >>> 0) % Math.max(1, Math.floor(rows / 2000))
  return `partner_country_code=${partner}&month=${month}&flow_code=${1 + (i & 1)}&offset=${offset}&count=true`
}

async function measureRate(address: string, secret: string, query: (i: number) => string): Promise<Rate> {
  const headers = { authorization: `Bearer ${secret}` }
  let asked = 0
  const askUntil = async (end: number, times: number[]) => {
    while (performance.now() < end) {
      const began = performance.now()
      const answer = await fetch(address + query(asked++), { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`a list was answered with ${answer.status}`)
      times.push(performance.now() - began)
    }
  }
  const round = async (ms: number) => {
    const began = performance.now()
    const times: number[] = []
    await Promise.all(Array.from({ length: CONNECTIONS }, () => askUntil(began + ms, times)))
    return { times, seconds: (performance.now() - began) / 1000 }
  }
  await round(WARM_MS)
  const { times, seconds } = await round(MEASURED_MS)
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  return { perSecond: times.length / seconds, p99 }
}
