/**
 * The cost of answers before any work is done: Elysia with the routes' options, a hook that reads the key's header, a route
 * with two parameters, and every header of a real answer, but without look-up, limits or log. `bun floor-server.ts FILE`
 * answers with the file's bytes, or a 304, and prints its address. `bun floor-server.ts FILE plain` does the same without
 * Elysia.
 */

import { readFileSync } from 'node:fs'
import { Elysia } from 'elysia'
import { ELYSIA_OPTIONS } from '../../src/http/exchange.ts'
import { API_HEADERS, JSON_TYPE } from '../../src/http/headers.ts'

const SHARED = new Headers(API_HEADERS)
const LIST = new Headers({ ...API_HEADERS, 'Content-Type': JSON_TYPE })
const body = new Uint8Array(readFileSync(Bun.argv[2] as string))
const LINK =
  '<http://127.0.0.1:3000/v1/bench/trade?flow_code=2&partner_country_code=de&count=true&offset=50>; rel="next", ' +
  '<http://127.0.0.1:3000/v1/bench/trade?flow_code=2&partner_country_code=de&count=true&offset=0>; rel="first", ' +
  '<http://127.0.0.1:3000/v1/bench/trade?flow_code=2&partner_country_code=de&count=true&offset=1000>; rel="last"'
let answered = 0

function answer(request: Request): Response {
  const isKnown = request.headers.get('if-none-match') !== null
  const response = isKnown
    ? new Response(null, { status: 304, headers: SHARED })
    : new Response(body, { headers: LIST })
  const { headers } = response
  headers.set('X-Request-Id', `0123456789abc-${(++answered).toString(36)}`)
  headers.set('Server-Timing', 'total;dur=0.012, cache;desc=hit')
  headers.set('ETag', 'W/"0123456789abcdefghijkl"')
  if (!isKnown) headers.set('Link', LINK)
  return response
}

function readHeaders({ headers }: Request): void {
  headers.get('authorization')
  headers.get('x-request-id')
  headers.get('user-agent')
}

function answerPlainly(request: Request): Response {
  readHeaders(request)
  return answer(request)
}

const framework = new Elysia(ELYSIA_OPTIONS)
  .onRequest(({ request }) => readHeaders(request))
  .get('/v1/:domain/:dataset', ({ request, params }) => {
    if (params.domain !== 'bench') return new Response(null, { status: 404 })
    const response = answer(request)
    return response
  })
  .compile()

const fetch = Bun.argv[3] === 'plain' ? answerPlainly : framework.fetch
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
console.log(`http://127.0.0.1:${server.port}`)
process.on('SIGTERM', () => process.exit(0))
