/** Lists and 304s over HTTP, beside a bare server that answers the same bytes, under the same load. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Load, type LoadJob, putLoad } from './load-job.ts'
import { type Pace, type Service, startScript, untilIdle } from './process.ts'
import { atLeast, type Measurement, plainly } from './report.ts'

/** A page of 50 rows with its exact total. */
export const LIST = '/v1/bench/trade?flow_code=2&partner_country_code=de&count=true'
/** Values that the varied requests combine; the largest partners, so that pages are full or nearly full. */
const PARTNERS = 'de it fr hu pl bg tr cn nl at es cz be gb us sk ua md gr ru se ch kr si'.split(' ')
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1)
const FLOWS = [1, 2]
const TRANSPORTS = [1, 3, 4, 5]
const PAGES = 10
/** The line about requests for which caches do not help. */
export const NEVER_SEEN = 'list, every request a range never seen'
const VARIED_NOTE =
  '2,304 combinations of four filters, 10 offsets each: single filters recur all the time, ' +
  'a combination after some thousand requests, the same request after all 23,040'

export interface HttpWork {
  readonly izvor: Service
  readonly secret: string
  readonly folder: string
  readonly pace: Pace
  /** Whether the framework and the headers alone are measured as well. */
  readonly withFloors: boolean
  /** Rows of the table, which says how far pages reach. */
  readonly rows: number
}

export async function measureHttp(work: HttpWork): Promise<Measurement[]> {
  const authorization = `Bearer ${work.secret}`
  const page = await fetch(work.izvor.address + LIST, { headers: { authorization } })
  if (page.status !== 200) throw new Error(`${LIST}: ${page.status} ${await page.text()}`)
  const file = join(work.folder, 'page.json')
  writeFileSync(file, new Uint8Array(await page.arrayBuffer()))
  const bare = await startScript('./bare-server.ts', file)
  const floors = work.withFloors
    ? [
        {
          what: 'the framework and these headers alone',
          server: await startScript('./floor-server.ts', file),
        },
        { what: 'these headers alone', server: await startScript('./floor-server.ts', file, 'plain') },
      ]
    : []
  try {
    const compare = (
      paths: readonly string[],
      headers: Record<string, string>,
      { server = work.izvor, ...job }: { readonly server?: Service; readonly connections?: number } = {},
    ) =>
      compareWithBare({ ...work, izvor: server }, bare, {
        ...job,
        paths,
        headers: { authorization, ...headers },
      })
    const etag = page.headers.get('etag') ?? ''
    const unchanged = { 'if-none-match': etag }
    const floorsOf = async (answer: string, headers: Record<string, string>) => {
      const measured: Measurement[] = []
      for (const { what, server } of floors)
        measured.push(shareOfBare(`${answer}: ${what}`, await compare([LIST], headers, { server })))
      return measured
    }
    return [
      share('list, the same query again', 0.6, await compare([LIST], {})),
      ...(await floorsOf('list', {})),
      shareOfBare('list, over 400 connections', await compare([LIST], {}, { connections: 400 })),
      share(
        'list, every request another filter and page',
        0.35,
        await compare(variedPaths(work.rows), {}),
        VARIED_NOTE,
      ),
      share('304', 0.7, await compare([LIST], unchanged)),
      ...(await floorsOf('304', unchanged)),
      await neverSeen(work, authorization),
    ]
  } finally {
    await bare.stop()
    for (const { server } of floors) await server.stop()
  }
}

interface Comparison {
  readonly izvor: Load
  readonly bare: Load
}

/** Measures both in turns and takes the round with the median ratio: one pair of runs says little on a shared machine. */
async function compareWithBare(
  { izvor, folder, pace }: HttpWork,
  bare: Service,
  asked: Pick<LoadJob, 'paths' | 'headers'> & { readonly connections?: number },
): Promise<Comparison> {
  // A short run first: then code is compiled, columns are loaded, and caches are filled as in a running service. The first
  // requests wait for columns, and the number of waiting requests of a key is limited.
  await putLoad(izvor, folder, { ...asked, seconds: 1, mayRefuse: true })
  await putLoad(bare, folder, { ...asked, seconds: 1 })
  const perRound = { ...asked, seconds: Math.max(1, pace.seconds / 2) }
  const rounds: Comparison[] = []
  for (let round = 0; round < pace.rounds; round++) {
    // Remaining work of the request log's worker would slow down the next measurement.
    await untilIdle(izvor, pace.mostLooks)
    const measured = await putLoad(izvor, folder, perRound)
    await untilIdle(izvor, pace.mostLooks)
    rounds.push({ izvor: measured, bare: await putLoad(bare, folder, perRound) })
  }
  return rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b))[rounds.length >> 1] as Comparison
}

function ratioOf({ izvor, bare }: Comparison): number {
  return izvor.perSecond / bare.perSecond
}

/** How much of the bare server's rate remains, without a target. */
function shareOfBare(work: string, { izvor, bare }: Comparison): Measurement {
  return plainly(work, ratioOf({ izvor, bare }), ' of bare', `${describe(izvor)}; bare ${describe(bare)}`)
}

function share(work: string, target: number, { izvor, bare }: Comparison, what?: string): Measurement {
  const figures =
    `${describe(izvor)}; bare ${describe(bare)}; ` +
    `by server time ${(bare.serverMicroseconds / izvor.serverMicroseconds).toFixed(2)}`
  const note = what === undefined ? figures : `${figures}; ${what}`
  return atLeast(work, ratioOf({ izvor, bare }), target, ' of bare', note)
}

function describe({ perSecond, p99Ms, serverMicroseconds }: Load): string {
  const rate = Math.round(perSecond).toLocaleString('en-US')
  return `${rate}/s, p99 ${p99Ms} ms, ${serverMicroseconds.toFixed(0)} us`
}

/** Requests that differ in filters and page, in an order without pattern. `VARIED_NOTE` says what recurs. */
function variedPaths(rows: number): string[] {
  const step = rows >= 1_000_000 ? 5 : 0
  const filters = PARTNERS.flatMap((partner) =>
    MONTHS.flatMap((month) =>
      FLOWS.flatMap((flow) =>
        TRANSPORTS.map(
          (transport) =>
            `partner_country_code=${partner}&month=${month}&flow_code=${flow}&transport_mode_code=${transport}`,
        ),
      ),
    ),
  )
  const paths = filters.flatMap((combination) =>
    Array.from({ length: PAGES }, (_, i) => `/v1/bench/trade?${combination}&offset=${i * step}&count=true`),
  )
  return paths.map((_, i) => paths[(i * 7919) % paths.length] as string)
}

/** Each request has a new range: no cache helps, and all rows are read. */
async function neverSeen({ izvor, folder, pace }: HttpWork, authorization: string): Promise<Measurement> {
  const paths = Array.from(
    { length: 20_000 },
    (_, i) => `/v1/bench/trade?value_lei[gte]=${1000 + i * 37}&count=true`,
  )
  const headers = { authorization }
  // On a busy machine such a query outlives its turn, and a key may have few of those at once.
  const load = await putLoad(izvor, folder, { paths, headers, seconds: pace.seconds, mayRefuse: true })
  const { requests, refused, perSecond, p50Ms, p99Ms } = load
  const note = `p50 ${p50Ms} ms, p99 ${p99Ms} ms with 32 connections at once; ${refused} of ${requests} were refused with a time to retry`
  return plainly(NEVER_SEEN, perSecond * (1 - refused / requests), ' per second', note, true)
}
