import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { compressStream } from '../../src/http/compression.ts'
import { primed, streamBody } from '../../src/http/stream.ts'
import { until } from '../support/until.ts'

const CHUNK = new TextEncoder().encode('some words\n'.repeat(10_000))

interface Observed {
  made: number
  ended: boolean
  failed: unknown[]
  over: number
}

let observed: Observed
let server: ReturnType<typeof Bun.serve>

/** Long enough that no buffer on the way holds all of it. */
const LENT_CHUNKS = 120
const LENT_BYTES = 192 * 1024

function contentOf(index: number, target: Uint8Array): void {
  const words = new Uint32Array(target.buffer)
  for (let at = 0; at < words.length; at++) words[at] = Math.imul(index * LENT_BYTES + at, 2654435761)
}

/** Lends its chunks as an export does: the next one overwrites the last. */
async function* lentChunks(): AsyncGenerator<Uint8Array> {
  const lent = new Uint8Array(LENT_BYTES)
  for (let index = 0; index < LENT_CHUNKS; index++) {
    contentOf(index, lent)
    yield lent
  }
}

function hashOfLent(): string {
  const hash = new Bun.SHA256()
  const chunk = new Uint8Array(LENT_BYTES)
  for (let index = 0; index < LENT_CHUNKS; index++) {
    contentOf(index, chunk)
    hash.update(chunk)
  }
  return hash.digest('hex')
}

async function* chunks(count: number, failAt = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  try {
    for (let index = 0; index < count; index++) {
      if (index === failAt) throw new Error('a secret reason')
      observed.made++
      yield CHUNK
      await new Promise((resolve) => setImmediate(resolve))
    }
  } finally {
    observed.ended = true
  }
}

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    development: false,
    async fetch(request) {
      const { searchParams } = new URL(request.url)
      const encoding = searchParams.get('encoding') as 'gzip' | 'zstd' | null
      observed = { made: 0, ended: false, failed: [], over: 0 }
      const source = searchParams.has('lent')
        ? lentChunks()
        : chunks(Number(searchParams.get('chunks')), Number(searchParams.get('fail') ?? Number.NaN))
      const begun = await primed(source)
      const end = {
        cutOff: () => {},
        failed: (error: unknown) => void observed.failed.push(error),
        over: () => {
          observed.over++
          void source.return(undefined)
        },
      }
      return new Response(streamBody(encoding === null ? begun : compressStream(begun, encoding), end), {
        headers: encoding === null ? {} : { 'content-encoding': encoding },
      })
    },
  })
})
afterAll(() => server.stop(true))

const get = (query: string) => fetch(`${server.url}?${query}`)

async function readInto(response: Response, received: Uint8Array[]): Promise<'whole' | 'broken'> {
  try {
    for await (const part of response.body!) received.push(part)
    return 'whole'
  } catch {
    return 'broken'
  }
}

describe.each(['', '&encoding=gzip', '&encoding=zstd'])('streams%s', (encoding) => {
  test('a complete stream ends once, with every byte', async () => {
    const text = await (await get(`chunks=20${encoding}`)).text()
    expect(text.length).toBe(20 * CHUNK.length)
    await until(() => observed.ended)
    expect(observed.failed).toEqual([])
    expect(observed.over).toBe(1)
  })

  test('chunks that are lent until the next is requested arrive unchanged, to slow readers at once', async () => {
    const received = await Promise.all(
      [0, 1, 3].map(async (rest) => {
        const hash = new Bun.SHA256()
        const response = await get(`lent=1${encoding}`)
        for await (const part of response.body!) {
          hash.update(part)
          if (rest > 0) await Bun.sleep(rest)
        }
        return hash.digest('hex')
      }),
    )
    expect(received).toEqual(Array(3).fill(hashOfLent()))
  })

  test('a failure breaks the transfer without revealing its reason', async () => {
    const response = await get(`chunks=200&fail=100${encoding}`)
    expect(response.status).toBe(200)
    const received: Uint8Array[] = []
    const outcome = await readInto(response, received)
    expect(outcome).toBe('broken')
    expect(Buffer.concat(received).toString()).not.toContain('secret')
    await until(() => observed.over > 0)
    expect(observed.failed).toHaveLength(1)
    expect(observed.ended).toBe(true)
  })

  test('a client that disconnects ends the source long before its end', async () => {
    const stop = new AbortController()
    const response = await fetch(`${server.url}?chunks=100000${encoding}`, { signal: stop.signal })
    const reader = response.body!.getReader()
    await reader.read()
    stop.abort()
    await until(() => observed.ended)
    expect(observed.made).toBeLessThan(100_000)
    expect(observed.failed).toEqual([])
  })
})

test('a slow client holds the source back', async () => {
  const { promise: received, resolve } = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port!,
    socket: {
      open: (opened) => void opened.write('GET /?chunks=100000 HTTP/1.1\r\nHost: localhost\r\n\r\n'),
      data: (reading) => {
        reading.pause()
        resolve()
      },
    },
  })
  await received
  let before = -1
  // The buffers of both sides are finite: production stops.
  for (let turns = 0; turns < 2000 || before !== observed.made; turns++) {
    before = observed.made
    await new Promise((next) => setImmediate(next))
    if (turns > 100_000) break
  }
  expect(observed.made).toBeLessThan(1000)
  socket.terminate()
  await until(() => observed.ended)
})

describe('readers that take too little', () => {
  const PATIENCE = { atFirst: 1000, atMost: 1500, perByte: 0.001 }
  const ended = { over: 0, failed: 0 }
  let made = 0

  async function* endless(busy: boolean): AsyncGenerator<Uint8Array> {
    try {
      for (made = 0; ; made++) {
        yield new Uint8Array(2 ** 18)
        // Like a process with other work: nobody can be served meanwhile.
        if (busy && made % 8 === 0) Bun.sleepSync(700)
      }
    } finally {
      ended.over++
    }
  }

  function startServer(busy: boolean) {
    Object.assign(ended, { over: 0, failed: 0 })
    return Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      idleTimeout: 120,
      fetch(request, server) {
        const cutOff = () => server.timeout(request, 1)
        const end = { cutOff, failed: () => void ended.failed++, over: () => {} }
        return new Response(streamBody(endless(busy), end, PATIENCE))
      },
    })
  }

  async function connectTo(port: number): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('data', resolve))
    return socket
  }

  test('one that stops reading loses its connection and its slot', async () => {
    const server = startServer(false)
    const socket = await connectTo(server.port!)
    socket.pause()
    await until(() => ended.over === 1)
    await until(() => server.pendingRequests === 0)
    expect(ended.failed).toBe(0)
    let tail = ''
    socket.on('data', (bytes) => {
      tail = bytes.subarray(-5).toString()
    })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.resume()
    await closed
    // The end of a whole transfer (RFC 9112 7.1).
    expect(tail).not.toBe('0\r\n\r\n')
    await server.stop(true)
  })

  test('one that reads steadily keeps both on a busy server', async () => {
    const server = startServer(true)
    const socket = await connectTo(server.port!)
    socket.on('data', () => {})
    await until(() => made > 24)
    expect(ended.over).toBe(0)
    socket.destroy()
    await until(() => ended.over === 1)
    await server.stop(true)
  })
})
