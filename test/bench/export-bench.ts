/** The whole dataset as CSV over HTTP, beside the sqlite3 shell's own dump of the same rows. */

import { join } from 'node:path'
import { SQLITE } from './ingest-bench.ts'
import { residentMb, run, type Service } from './process.ts'
import { atLeast, atMost, type Measurement, plainly } from './report.ts'

/** Often enough to see the top of the memory, seldom enough to cost nothing. */
const WATCH_MS = 10

interface Export {
  readonly seconds: number
  readonly megabytes: number
  readonly grownMb: number
}

/** Expects `shell.db` with the same rows in `folder` where there is a sqlite3 shell. */
export async function measureExport(izvor: Service, secret: string, folder: string): Promise<Measurement[]> {
  const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' }
  const address = `${izvor.address}/v1/bench/trade/export?format=csv`
  // The first export loads every column; what later ones add is what an export costs.
  await fetchAll(izvor, address, headers)
  const { seconds, megabytes, grownMb } = await fetchAll(izvor, address, headers)
  const note = `${megabytes.toFixed(0)} MB in ${seconds.toFixed(2)} s, ${(megabytes / seconds).toFixed(0)} MB/s`
  const memory = atMost('export: memory grows by', grownMb, 64, ' MB')
  if (SQLITE === null) return [plainly('export as CSV', seconds, ' s', note), memory]
  const dump = [
    'sh',
    '-c',
    `exec "$0" -csv "$1" "SELECT * FROM trade" > /dev/null`,
    SQLITE,
    join(folder, 'shell.db'),
  ]
  const shell = await run(dump)
  const peer = `${note}; sqlite3 -csv ${shell.seconds.toFixed(2)} s`
  return [atLeast('export as CSV', shell.seconds / seconds, 5, ' x sqlite3', peer), memory]
}

async function fetchAll(izvor: Service, address: string, headers: Record<string, string>): Promise<Export> {
  const before = residentMb(izvor.pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(izvor.pid))
  }, WATCH_MS)
  const started = performance.now()
  try {
    const answer = await fetch(address, { headers })
    if (!answer.ok || answer.body === null) throw new Error(`${address}: ${answer.status}`)
    let bytes = 0
    for await (const chunk of answer.body) bytes += chunk.length
    const seconds = (performance.now() - started) / 1000
    return { seconds, megabytes: bytes / 1e6, grownMb: Math.max(0, most - before) }
  } finally {
    clearInterval(watch)
  }
}
