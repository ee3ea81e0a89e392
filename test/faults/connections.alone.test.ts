/** Slow, idle, numerous or broken clients, and a process short of file descriptors: other clients are still served. */

import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { bodyOf, mint, type RunningService, serve, succeed } from '../journeys/program.ts'
import { countMoment, FAULT_TIMEOUT, MOMENTS, randomMoments } from '../support/fault-moments.ts'
import { tempDir } from '../support/temp-dir.ts'

setDefaultTimeout(FAULT_TIMEOUT)

const LIST = '/v1/test/numbers'
const ROWS = 60_000
const IDLE = 500

async function newFolder(rows: number): Promise<{ data: string; secret: string }> {
  const data = join(tempDir(), 'data')
  const lines = Array.from(
    { length: rows },
    (_, i) => `${i},some text that makes the export long ${i % 1000}`,
  )
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--data', data]
  await succeed(args, { input: `n,text\n${lines.join('\n')}\n` })
  return { data, secret: (await mint(data)).secret }
}

/** Opens a connection, sends these bytes and never reads. */
async function open({ address }: RunningService, bytes: string | Uint8Array): Promise<Socket | null> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  return await new Promise((resolve) => {
    socket.on('error', () => resolve(null))
    socket.on('connect', () => socket.write(bytes, () => resolve(socket)))
  })
}

/** The longest wait for an answer while other clients misbehave, in ms; a busy machine is slow anyway. */
const PATIENCE_MS = 5000

async function expectServed(service: RunningService, secret: string): Promise<void> {
  const began = performance.now()
  const { data } = await bodyOf(await service.get(`${LIST}?n=7`, secret))
  expect(data).toHaveLength(1)
  expect(performance.now() - began).toBeLessThan(PATIENCE_MS)
}

function residentBytes({ pid }: RunningService): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

test(`${IDLE} idle connections, complete and partial requests, and clients that never read delay no other client`, async () => {
  const { data, secret } = await newFolder(ROWS)
  const service = await serve(data)
  await expectServed(service, secret)
  const head = `GET ${LIST}/export?format=json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n`
  const idle = await Promise.all(Array.from({ length: IDLE }, (_, i) => open(service, i % 2 ? '' : head)))
  const before = process.platform === 'linux' ? residentBytes(service) : 0
  const unread = await Promise.all(Array.from({ length: 10 }, () => open(service, `${head}\r\n`)))
  for (const socket of unread) socket?.pause()
  for (let i = 0; i < 20; i++) await expectServed(service, secret)
  // Rows that a client does not read are never rendered: ten exports of 4 MB each wait at their start.
  if (before > 0) expect(residentBytes(service) - before).toBeLessThan(60 * 2 ** 20)
  expect([...idle, ...unread].filter((socket) => socket === null)).toEqual([])
  for (const socket of [...idle, ...unread]) socket?.destroy()
  await expectServed(service, secret)
  countMoment('idle and slow clients')
})

test('slow readers from all networks of one IPv6 customer leave half of the downloads to others', async () => {
  const { data } = await newFolder(5 * ROWS)
  const service = await serve(data, ['serve'], { env: { IZVOR_TRUSTED_PROXIES: '127.0.0.1' } })
  const path = '/datasets/numbers/download?format=csv&n[gt]=1'
  const statuses = await Promise.all(
    Array.from({ length: 66 }, async (_, n) => {
      const from = `2001:db8:7:${Math.floor(n / 6).toString(16)}00::${n + 1}`
      const socket = await open(
        service,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n\r\n`,
      )
      onTestFinished(() => void socket?.destroy())
      return await new Promise<string>((resolve) => {
        socket?.once('data', (bytes) => {
          socket.pause()
          resolve(bytes.toString('latin1').slice(9, 12))
        })
      })
    }),
  )
  expect(statuses.filter((status) => status === '200')).toHaveLength(32)
  expect(statuses.filter((status) => status === '503')).toHaveLength(34)
  const headers = { 'X-Forwarded-For': '192.0.2.7' }
  for (const other of [headers, { 'X-Forwarded-For': '2001:db8:8::1' }]) {
    const answer = await fetch(`${service.address}${path}`, { headers: other })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  }
})

const BROKEN = [
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET  /  HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
  `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(20_000)}\r\n`,
  'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n',
  'GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n',
  'POST /account/api/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /account/api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}',
  'POST /account/api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  'POST /account/api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  'POST /account/api/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
]

/** The status of the answer, or 0 if the connection is closed or stays silent. */
async function statusOf(service: RunningService, bytes: string | Uint8Array): Promise<number> {
  const socket = await open(service, bytes)
  if (socket === null) return 0
  const text = await new Promise<string>((resolve) => {
    // The server may rightly wait for more; then this side closes the connection.
    socket.setTimeout(100, () => resolve(''))
    socket.on('data', (chunk) => resolve(chunk.toString('latin1')))
    socket.on('close', () => resolve(''))
  })
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
}

/** A request with some bytes replaced. */
function mutated(request: string, random: () => number): Uint8Array {
  const bytes = Buffer.from(request, 'latin1')
  for (let i = 0; i < 1 + random() * 4; i++) bytes[Math.floor(random() * bytes.length)] = random() * 256
  return bytes
}

test('broken HTTP is refused or cut off, never answered with a 5xx, and never stops the service', async () => {
  const { data, secret } = await newFolder(100)
  const service = await serve(data)
  const random = randomMoments('broken requests')
  const whole = `GET ${LIST}?n[gte]=5&sort=-n HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${secret}\r\n\r\n`
  const requests = [...BROKEN, ...Array.from({ length: MOMENTS * 50 }, () => mutated(whole, random))]
  while (requests.length > 0) {
    const batch = requests.splice(0, 20)
    const statuses = await Promise.all(batch.map((request) => statusOf(service, request)))
    for (const [i, status] of statuses.entries()) {
      // 505 is the right answer to an unsupported version of HTTP.
      if (status >= 500 && status !== 505)
        throw new Error(`${status} for ${JSON.stringify(String(batch[i]).slice(0, 300))}`)
      countMoment('broken requests')
    }
  }
  await expectServed(service, secret)
})

test('a process that ran out of file descriptors serves again once clients leave', async () => {
  if (process.platform === 'win32') return
  const { data, secret } = await newFolder(100)
  const through = ['sh', '-c', 'ulimit -n 80; exec "$@"', 'sh']
  const service = await serve(data, ['serve'], { through })
  await expectServed(service, secret)
  const sockets = await Promise.all(Array.from({ length: 200 }, () => open(service, '')))
  countMoment('no file descriptors')
  for (const socket of sockets) socket?.destroy()
  await expectServed(service, secret)
  const args = ['ingest', '-', '--id', 'numbers', '--domain', 'test', '--accept-shrink', '--data', data]
  await succeed(args, { input: 'n,text\n7,x\n' })
  await expectServed(service, secret)
  service.signal('SIGTERM')
  expect(await service.exited).toBe(0)
})
