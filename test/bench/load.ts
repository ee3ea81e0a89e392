/**
 * The load of the HTTP figures, in a separate process. `bun load.ts JOB` reads a job as JSON and prints its result as
 * JSON. Requests are prepared beforehand, and each connection goes through its own share of them.
 */

import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { LoadJob, LoadResult } from './load-job.ts'

const { address, paths, headers, seconds, connections } = JSON.parse(
  readFileSync(Bun.argv[2] as string, 'utf8'),
) as LoadJob
let clients = 0
let refused = 0
const statuses: Record<string, number> = {}

/** As the parser passes it on; names and values alternate. */
interface Head {
  readonly statusCode: number
  readonly headers: readonly string[]
}

const result = await autocannon({
  url: address,
  connections,
  duration: seconds,
  headers,
  setupClient(client) {
    const share = paths.filter((_, i) => i % connections === clients % Math.min(connections, paths.length))
    clients++
    let comesBack = false
    // Emitted, although it is not in the types.
    const events = client as unknown as NodeJS.EventEmitter
    events.on('headers', ({ statusCode, headers: sent }: Head) => {
      const at = sent.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === 'retry-after')
      comesBack = (statusCode === 429 || statusCode === 503) && at >= 0 && Number(sent[at + 1]) > 0
      if (statusCode >= 400 && !comesBack) statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    })
    client.on('response', () => {
      if (comesBack) refused++
    })
    client.setRequests(share.map((path) => ({ method: 'GET' as const, path })))
  },
})

const answer: LoadResult = {
  requests: result.requests.total,
  perSecond: result.requests.total / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  refused,
  failures: { errors: result.errors, timeouts: result.timeouts, ...statuses },
}
console.log(JSON.stringify(answer))
