/**
 * The load of the HTTP figures, in a process of its own. `bun load.ts JOB` reads a job as JSON and prints what
 * happened as JSON. Requests are prepared beforehand, and each connection walks through its own share of them.
 */

import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { LoadJob, LoadResult } from './load-job.ts'

const { address, paths, headers, seconds, connections } = JSON.parse(
  readFileSync(Bun.argv[2] as string, 'utf8'),
) as LoadJob
let clients = 0

const result = await autocannon({
  url: address,
  connections,
  duration: seconds,
  headers,
  setupClient(client) {
    const share = paths.filter((_, i) => i % connections === clients % Math.min(connections, paths.length))
    clients++
    client.setRequests(share.map((path) => ({ method: 'GET' as const, path })))
  },
})

const answer: LoadResult = {
  requests: result.requests.total,
  perSecond: result.requests.total / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failures: result.errors + result.timeouts + result['4xx'] + result['5xx'],
}
console.log(JSON.stringify(answer))
