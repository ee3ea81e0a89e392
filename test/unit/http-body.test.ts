/** Request bodies as they arrive, and the file name that one carries. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { refusedCounts } from '../../src/base/limits.ts'
import { type BodyExchange, readBody, readPieces } from '../../src/http/body.ts'
import { dispositionName, plainFileName } from '../../src/http/headers.ts'
import { HeldBodies } from '../../src/http/held-bodies.ts'
import { readJsonBody } from '../../src/http/json-body.ts'
import { runs } from '../support/property-runs.ts'
import { until } from '../support/until.ts'

function exchangeOf(
  body: ReadableStream | string,
  largestBody = 1000,
  bodies = new HeldBodies(),
): BodyExchange {
  const request = new Request('http://localhost/', { method: 'POST', body })
  return { request, traits: { isCrossOrigin: false, largestBody, bodySeconds: 10 }, bodies }
}

/** A body of one piece that never ends; records whether it was abandoned. */
function endless(): { body: ReadableStream; isCancelled: () => boolean } {
  let cancelled = false
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(5)),
    cancel() {
      cancelled = true
    },
  })
  return { body, isCancelled: () => cancelled }
}

test('a body that trickles is refused after its time, and abandoned', async () => {
  const { body, isCancelled } = endless()
  const lengths: number[] = []
  const reading = async () => {
    for await (const piece of readPieces(exchangeOf(body), { slowest: { bytes: 1000, ms: 20 } }))
      lengths.push(piece.length)
  }
  await expect(reading()).rejects.toMatchObject({ code: 'request_timeout' })
  expect(lengths).toEqual([5])
  expect(isCancelled()).toBe(true)
})

test('a body that arrives fast enough is read however long it takes', async () => {
  let sent = 0
  const body = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      controller.enqueue(new Uint8Array(100))
      if (++sent === 8) controller.close()
    },
  })
  const pieces = await Array.fromAsync(readPieces(exchangeOf(body), { slowest: { bytes: 100, ms: 30 } }))
  expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(800)
})

test('a body that grows too large is refused at once, and abandoned', async () => {
  const { body, isCancelled } = endless()
  await expect(readBody(exchangeOf(body, 4))).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(isCancelled()).toBe(true)
  expect(await readBody(exchangeOf('1234', 4))).toHaveLength(4)
})

test('a reader that stops early abandons the body', async () => {
  const { body, isCancelled } = endless()
  for await (const _ of readPieces(exchangeOf(body))) break
  expect(isCancelled()).toBe(true)
})

test('a body that is not complete in time is refused, and abandoned', async () => {
  const { body, isCancelled } = endless()
  const exchange = exchangeOf(body)
  const { traits } = exchange
  const hurried = { ...exchange, traits: { ...traits, bodySeconds: 0.02 } }
  await expect(readBody(hurried)).rejects.toMatchObject({ code: 'request_timeout' })
  expect([isCancelled(), exchange.bodies.bytes]).toEqual([true, 0])
})

const givenUp = () => new Map(refusedCounts()).get('held_bodies')!

test('with too many bodies the oldest one is abandoned, and nothing stays counted', async () => {
  const bodies = new HeldBodies(2 ** 20)
  const before = givenUp()
  expect(bodies.most).toBe(2 ** 16)
  const begin = () => {
    const { body, isCancelled } = endless()
    const read = readBody(exchangeOf(body, 1000, bodies)).catch(({ code }) => code)
    return { read, isCancelled }
  }
  const [first, ...others] = [begin(), begin(), begin(), begin()]
  expect(await first!.read).toBe('request_timeout')
  await until(() => first!.isCancelled())
  expect(await readBody(exchangeOf('1234', 4, bodies))).toHaveLength(4)
  await until(() => givenUp() - before === 2)
  expect(bodies.bytes).toBeLessThanOrEqual(bodies.most)
  for (let n = 0; n < 3; n++) bodies.hold(() => {})
  expect(await Promise.all(others.map(({ read }) => read))).toEqual(others.map(() => 'request_timeout'))
})

test('new bodies are not abandoned for lack of memory', () => {
  const bodies = new HeldBodies()
  let ended = 0
  const held = bodies.hold(() => ended++)
  bodies.shed()
  expect([ended, bodies.bytes > 0]).toEqual([0, true])
  held.release()
  held.grow(1000)
  expect(bodies.bytes).toBe(0)
})

test.each([
  ['attachment; filename="preturi 2025.csv"', 'preturi 2025.csv'],
  [`attachment; filename="a.csv"; filename*=UTF-8''pre%C8%9Buri.csv`, 'prețuri.csv'],
  ['attachment; filename=plain.csv', 'plain.csv'],
  ['attachment; filename="with \\"quotes\\".csv"', 'with "quotes".csv'],
  [`attachment; filename="kept.csv"; filename*=UTF-8''%E0%A4%A`, 'kept.csv'],
  ['attachment', null],
  [null, null],
])('%p names the file %p', (header, name) => {
  expect(dispositionName(header)).toBe(name)
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\data\\pupils.csv', 'pupils.csv'],
  ['a\u0000b\n.csv', 'a b .csv'],
  ['..', ''],
  ['dir/', ''],
  ['s\u0326i.csv', 'și.csv'],
  ['ă'.repeat(300), 'ă'.repeat(255)],
])('the last part of a path is the name of a file', (path, name) => {
  expect(plainFileName(path)).toBe(name)
})

test('JSON is read up to a hundred levels, counted only outside texts', async () => {
  const read = (text: string) => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/', { method: 'POST', body: text, headers })
    const traits = { isCrossOrigin: false, largestBody: 1e7, bodySeconds: 10 }
    return readJsonBody({ request, traits, bodies: new HeldBodies() })
  }
  const levels = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map((part) => levels(part)))
      : 0
  const nested = (depth: number) =>
    fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: depth },
        fc.string(),
        fc.array(tie('node')),
        fc.dictionary(fc.string(), tie('node')),
      ),
    })).node
  const property = fc.asyncProperty(nested(5), fc.nat({ max: 130 }), async (value, around) => {
    let whole = value
    for (let i = 0; i < around; i++) whole = i % 2 ? [whole] : { '"[{\\\\': whole }
    const text = JSON.stringify(whole)
    if (levels(whole) > 100) await expect(read(text)).rejects.toThrow('deeper than 100 levels')
    else expect(await read(text)).toEqual(JSON.parse(text))
  })
  await fc.assert(property, { numRuns: runs(200) })
})
