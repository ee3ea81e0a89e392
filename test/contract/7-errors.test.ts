import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERROR_CODES, ERROR_STATUS } from '../../src/base/error-codes.ts'
import { Answers } from '../../src/server/metrics/answers.ts'
import { createServer } from '../../src/server/server.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'
import { until } from '../support/until.ts'

const MB = 1024 * 1024

let app: TestApp
const logLines: Record<string, unknown>[] = []
beforeAll(async () => {
  app = await startTestApp({ logLines })
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

function expectEnvelope({ headers, body }: Awaited<ReturnType<TestApp['get']>>, code: string): void {
  expect(Object.keys(body)).toEqual(['error'])
  expect(body.error.code).toBe(code)
  expect(body.error.message).toBeString()
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('x-request-id')).toBeString()
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('no-store')
}

test('/v1 lists every address below it, with a key', async () => {
  const { status, body } = await app.get('/v1')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    api_version: 'v1',
    documentation: `${app.url}/docs`,
    description: `${app.url}/openapi.json`,
  })
  const { paths } = (await app.get('/openapi.json')).body
  const described = Object.keys(paths).filter((path) => path.startsWith('/v1'))
  expect(body.addresses.map(({ path }: { path: string }) => path).sort()).toEqual(described.sort())
  expect((await app.get('/v1', { key: null })).status).toBe(401)
  expect((await app.get('/v1?x=1')).body.error.code).toBe('unknown_parameter')
})

describe('7 errors', () => {
  test.each([
    ['/nothing', 404, 'not_found'],
    ['/v1/', 404, 'not_found'],
    ['/v1/geospatial', 404, 'not_found'],
    ['/v1/datasets/', 404, 'not_found'],
    [`${TOWNS_PATH}/`, 404, 'not_found'],
    [`${TOWNS_PATH}/export/`, 404, 'not_found'],
    [`${TOWNS_PATH}/export/more`, 404, 'not_found'],
    ['/health/live/', 404, 'not_found'],
    ['/docs/', 404, 'not_found'],
    ['/%ZZ', 422, 'invalid_value'],
    ['/v1/geospatial/%FF', 422, 'invalid_value'],
  ])('GET %s is %d %s', async (path, status, code) => {
    const answer = await app.get(path)
    expect(answer.status).toBe(status)
    expectEnvelope(answer, code)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    '%s is 405 with Allow',
    async (method) => {
      for (const path of [
        TOWNS_PATH,
        `${TOWNS_PATH}/export`,
        '/v1/datasets',
        '/v1/search',
        '/health/live',
        '/docs',
      ]) {
        const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n`
        const answer = await rawRequest(app.url, {
          parts: [`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`],
        })
        expect(answer).toStartWith('HTTP/1.1 405')
        expect(answer).toContain('\r\nAllow: GET, HEAD, OPTIONS\r\n')
        expect(answer).toContain('"code":"method_not_allowed"')
      }
    },
  )

  test('OPTIONS lists the methods of one route, where a fixed segment wins over a parameter', async () => {
    for (const [path, allow] of [
      ['/account/api/keys/rotate-all', 'POST, OPTIONS'],
      ['/account/api/keys/7', 'PATCH, DELETE, OPTIONS'],
      ['/account/api/keys', 'GET, HEAD, POST, OPTIONS'],
      ['/docs/guides', 'GET, HEAD, OPTIONS'],
      ['/docs/guides/errors', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers } = await app.get(path, { key: null, method: 'OPTIONS' })
      expect([path, status, headers.get('allow')]).toEqual([path, 204, allow])
    }
    for (const [method, path] of [
      ...['PUT', 'PATCH', 'DELETE', 'GET'].map((method) => [method, '/account/api/keys/rotate-all'] as const),
      ['DELETE', '/account/api/sessions/revoke-others'],
    ] as const) {
      const refused = await app.get(path, { key: null, method })
      expect([method, refused.status, refused.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
      expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    }
    const dataset = await app.get('/v1/datasets/towns', { method: 'POST' })
    expect([dataset.status, dataset.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('a body over 1 MB is 413, declared or in chunks, on any path and method', async () => {
    const head = `Host: localhost\r\nAuthorization: Bearer ${app.key}\r\n`
    const chunk = [`${(MB / 16).toString(16)}\r\n`, new Uint8Array(MB / 16), '\r\n']
    const chunks = (count: number) => [...Array.from({ length: count }, () => chunk).flat(), '0\r\n\r\n']
    for (const path of ['/v1/datasets', TOWNS_PATH, '/nothing', '/docs']) {
      const declared = `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${MB + 1}\r\n\r\n`
      const chunked = `POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n`
      const until = '"payload_too_large"'
      expect(await rawRequest(app.url, { parts: [declared], until })).toStartWith('HTTP/1.1 413')
      expect(await rawRequest(app.url, { parts: [chunked, ...chunks(17)], until })).toStartWith(
        'HTTP/1.1 413',
      )
      const small = await rawRequest(app.url, { parts: [chunked, ...chunks(16)], until: '"code"' })
      expect(small).toStartWith(path === '/nothing' ? 'HTTP/1.1 404' : 'HTTP/1.1 405')
    }
    const body = new Uint8Array(MB)
    expect((await app.get('/v1/datasets', { method: 'POST', body })).status).toBe(405)
    expect((await app.get('/v1/datasets', { method: 'POST', body: new Uint8Array(MB + 1) })).status).toBe(413)
    expect(
      (await app.get('/v1/datasets', { method: 'POST', body: new Uint8Array(MB + 1), key: null })).status,
    ).toBe(401)
  })

  test('a body of GET or HEAD is limited too, on any path', async () => {
    const auth = `Host: localhost\r\nAuthorization: Bearer ${app.key}\r\n`
    const chunk = [`${(MB / 16).toString(16)}\r\n`, new Uint8Array(MB / 16), '\r\n']
    const chunks = [...Array.from({ length: 17 }, () => chunk).flat(), '0\r\n\r\n']
    for (const path of [
      '/v1/datasets',
      TOWNS_PATH,
      `${TOWNS_PATH}/export`,
      '/nothing',
      '/v1/nothing',
      '/docs',
    ]) {
      for (const method of ['GET', 'HEAD', 'TRACE']) {
        const head = `${method} ${path} HTTP/1.1\r\n${auth}Connection: close\r\n`
        const declared = [`${head}Content-Length: ${MB + 1}\r\n\r\n`]
        const chunked = [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunks]
        for (const parts of [declared, chunked]) {
          const answer = await rawRequest(app.url, { parts, until: '\r\n\r\n' })
          expect([method, path, answer.split('\r\n', 1)[0]]).toEqual([
            method,
            path,
            'HTTP/1.1 413 Payload Too Large',
          ])
        }
      }
    }
    const small = `GET ${TOWNS_PATH} HTTP/1.1\r\n${auth}Connection: close\r\nContent-Length: 5\r\n\r\nhello`
    expect(await rawRequest(app.url, { parts: [small] })).toStartWith('HTTP/1.1 200')
  })

  test('a body of OPTIONS is limited too, with and without a key', async () => {
    const chunk = [`${(MB / 16).toString(16)}\r\n`, new Uint8Array(MB / 16), '\r\n']
    const chunks = [...Array.from({ length: 17 }, () => chunk).flat(), '0\r\n\r\n']
    for (const path of ['/v1/datasets', TOWNS_PATH, '/v1/nothing', '/health/live', '/account/api/me']) {
      const head = `OPTIONS ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
      const declared = [`${head}Content-Length: ${MB + 1}\r\n\r\n`]
      const chunked = [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunks]
      for (const parts of [declared, chunked]) {
        const answer = await rawRequest(app.url, { parts, until: '"payload_too_large"' })
        expect([path, answer.split('\r\n', 1)[0]]).toEqual([path, 'HTTP/1.1 413 Payload Too Large'])
      }
      const small = `${head}Content-Length: 5\r\n\r\nhello`
      expect(await rawRequest(app.url, { parts: [small] })).toStartWith('HTTP/1.1 204')
    }
  })

  test('a client that disconnects while sending a body is not a failure of the service', async () => {
    const lines: Record<string, unknown>[] = []
    const own = await startTestApp({ logLines: lines })
    try {
      const { hostname, port } = new URL(own.url)
      const logged = Promise.withResolvers<void>()
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } })
      const push = lines.push.bind(lines)
      lines.push = (...more) => {
        const length = push(...more)
        if (more.some((line) => line.request_id === 'leaving')) logged.resolve()
        return length
      }
      socket.write(
        'POST /nothing HTTP/1.1\r\nHost: a\r\nX-Request-Id: leaving\r\nContent-Length: 100\r\n\r\nhalf',
      )
      socket.flush()
      // An answer on another connection proves that the first request has begun.
      await own.get('/health/live')
      socket.terminate()
      await logged.promise
      const { level, err } = lines.find((line) => line.request_id === 'leaving') ?? {}
      expect([level, err]).toEqual([20, undefined])
      expect(lines.filter((line) => Number(line.level) >= 40)).toEqual([])
    } finally {
      await own.stop()
    }
  })

  test('an internal failure reveals nothing and is logged under the request id', async () => {
    const failing = await startTestApp({ logLines, now: () => new Date(Number.NaN) })
    try {
      const answer = await failing.get('/health/live', { key: null, headers: { 'x-request-id': 'find-me' } })
      expect(answer.status).toBe(500)
      expectEnvelope(answer, 'internal_error')
      expect(answer.body.error.detail).toBeUndefined()
      expect(answer.text).not.toMatch(/Invalid|Range|at |\.ts/)
      expect(answer.headers.get('x-request-id')).toBe('find-me')
      const logged = logLines.find((line) => line.request_id === 'find-me')
      expect(JSON.stringify(logged)).toContain('RangeError')
    } finally {
      await failing.stop()
    }
  })

  test('requests of unusual form are answered like others', async () => {
    const key = `Authorization: Bearer ${app.key}\r\nConnection: close\r\n\r\n`
    const path = `${TOWNS_PATH}?limit=1&fields=people`
    const send = (head: string) => rawRequest(app.url, { parts: [`${head}\r\n${key}`] })
    expect(await send(`GET ${path} HTTP/1.0`)).toContain('{"people":286598}')
    expect(await send(`GET ${path} HTTP/1.1\r\nHost: a`)).toContain('"next":"http://a/v1/')
    const evil = await send(`GET ${path} HTTP/1.1\r\nHost: a"b<c>/d`)
    expect(evil).toContain('{"people":286598}')
    expect(evil).not.toContain('b<c>')
    expect(await send(`GET ${path}#x HTTP/1.1\r\nHost: localhost`)).toContain('{"people":286598}')
    expect(await send('CONNECT a:1 HTTP/1.1\r\nHost: localhost')).toStartWith('HTTP/1.1 405')
  })

  test('two Host headers and broken chunks are 400 like errors of the parser, in the log as well', async () => {
    const answers = new Answers()
    const statuses: number[] = []
    answers.listen((ended) => void statuses.push(...ended.map(({ status }) => status)))
    const server = Bun.serve({ port: 0, fetch: createServer(app.app, answers).fetch })
    const send = (...parts: string[]) => rawRequest(server.url.href, { parts })
    for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nHost: a', 'Host:\r\nHost: a', 'Host: a, b']) {
      const answer = await send(`GET /health/live HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
      expect([hosts, answer.split('\r\n', 1)[0]]).toEqual([hosts, 'HTTP/1.1 400 Bad Request'])
      expect(answer).toEndWith('\r\n\r\n')
    }
    const head = 'POST /account/api/login HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const chunks of ['zz\r\n{}\r\n0\r\n\r\n', '3\r\n{}\r\n0\r\n\r\n', '2\r\n{}\r\n-1\r\n'])
      expect(await send(head, chunks)).toStartWith('HTTP/1.1 400')
    await until(() => statuses.length === 3)
    expect(statuses).toEqual([400, 400, 400])
    await server.stop(true)
  })

  test('every code has a status', () => {
    expect(new Set(ERROR_CODES.map((code): number => ERROR_STATUS[code]))).toEqual(
      new Set([401, 403, 404, 405, 408, 409, 413, 416, 422, 429, 500, 503]),
    )
  })
})
