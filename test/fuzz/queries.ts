/**
 * Sends random queries to the demo and checks every answer: no 5xx, no hang, the right envelope, and rows as the query
 * requests them.
 *
 *     bun test/fuzz/queries.ts [--requests 50000] [--seed 1] [--clients 8]
 */

import { parseArgs } from 'node:util'
import { randomFrom } from '../support/random-numbers.ts'
import { type DemoService, startDemo } from './demo-service.ts'
import { faultOfError } from './error-envelope.ts'
import { type Dataset, randomRequest } from './query-generator.ts'

/** The longest an answer may take, in ms: many times what the slowest one needs. */
const HANG_MS = 10_000
const LONG_REQUEST = 15_000
const MOST_SHOWN = 10

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '8' },
  },
})

function wholeNumber(name: 'requests' | 'seed' | 'clients'): number {
  if (/^\d{1,9}$/.test(values[name])) return Number(values[name])
  throw new Error(`--${name} must be a whole number, not ${values[name]}`)
}

const requests = wholeNumber('requests')
const seed = wholeNumber('seed')

/** What is wrong with an answer, or null. */
function faultOf(request: string, status: number, text: string): string | null {
  if (status >= 500) return 'a 5xx'
  // The HTTP server below the program refuses a head longer than 16 KiB without a body.
  if (status === 431 && request.length > LONG_REQUEST) return null
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text)
  } catch {
    return isFile(request) && status === 200 ? null : 'not JSON'
  }
  if (status !== 200) return faultOfError(status, body)
  if (isFile(request)) return null
  return /^[^?]+\/facets(?:\?|$)/.test(request) ? faultOfFacets(body) : faultOfList(request, body)
}

/** Whether a request is for a file, which may be a single line of JSON. */
function isFile(request: string): boolean {
  return request.includes('/export') || /\/(?:aggregate|datasets)\?.*format=/.test(request)
}

function faultOfFacets(body: Record<string, unknown>): string | null {
  if (Object.keys(body).join() !== 'data,meta,links') return 'no envelope of facets'
  const facets = body.data as readonly { readonly distinct: number; readonly values: readonly object[] }[]
  return facets.some(({ distinct, values }) => values.length > distinct) ? 'more values than there are' : null
}

interface ListBody {
  readonly data: readonly Record<string, unknown>[]
  readonly pagination: { readonly count: number; readonly limit: number; readonly total?: number | null }
}

function faultOfList(request: string, body: Record<string, unknown>): string | null {
  if (Object.keys(body).join() !== 'data,pagination,meta,links') return 'no list envelope'
  const { data, pagination } = body as unknown as ListBody
  const query = new URLSearchParams(request.slice(request.indexOf('?') + 1))
  if (!Array.isArray(data) || data.length !== pagination.count) return 'a count other than the number of rows'
  if (data.length > pagination.limit || pagination.limit > 1000) return 'more rows than the limit'
  const limit = query.get('limit')
  if (request.includes('?') && limit !== null && Number(limit) !== pagination.limit) return 'another limit'
  const fields = query.get('fields')
  const others = data.filter((row) => Object.keys(row).join() !== fields)
  return request.includes('?') && fields && others.length > 0 ? 'rows of other fields' : null
}

/** The datasets of the demo with some of their values. */
async function readDatasets({ address, key }: DemoService): Promise<Dataset[]> {
  // biome-ignore lint/suspicious/noExplicitAny: checked field by field
  const get = async (path: string): Promise<any> =>
    (await fetch(address + path, { headers: { authorization: `Bearer ${key}` } })).json()
  const { data } = await get('/v1/datasets')
  return Promise.all(
    data.map(async ({ domain, id }: { domain: string; id: string }) => {
      const path = `/v1/${domain}/${id}`
      const rows = (await get(`${path}?limit=200`)).data as Record<string, unknown>[]
      const columns = Object.keys(rows[0] ?? {}).map((name) => ({
        ...{ name, type: 'any', samples: rows.map((row) => row[name]).filter((value) => value !== null) },
      }))
      return { path, columns }
    }),
  )
}

async function send(
  { address, key }: DemoService,
  request: string,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(address + request, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(HANG_MS),
  })
  return { status: answer.status, text: await answer.text() }
}

async function run(demo: DemoService): Promise<number> {
  const random = randomFrom(seed)
  const datasets = await readDatasets(demo)
  const statuses = new Map<number, number>()
  let [sent, faults, longest] = [0, 0, 0]
  const client = async () => {
    while (sent < requests) {
      sent++
      const request = randomRequest(random, datasets)
      const began = performance.now()
      let fault: string | null
      try {
        const { status, text } = await send(demo, request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        fault = faultOf(request, status, text)
        if (fault !== null) fault += `: ${status} ${text.slice(0, 300)}`
      } catch (error) {
        fault = String(error)
      }
      longest = Math.max(longest, performance.now() - began)
      if (fault !== null && ++faults <= MOST_SHOWN) console.error(`${request.slice(0, 1000)}\n  ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: wholeNumber('clients') }, client))
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`)
  console.log(
    `fuzz: ${sent} queries, ${faults} faults, longest ${Math.round(longest)} ms (${counted.join(', ')}), --seed ${seed}`,
  )
  return faults
}

const demo = await startDemo()
let faults = 1
try {
  faults = await run(demo)
} finally {
  const code = await demo.stop()
  if (code !== 0) {
    console.error(`the demo ended with ${code}:\n${demo.output().slice(-2000)}`)
    faults++
  }
}
process.exit(faults === 0 ? 0 : 1)
