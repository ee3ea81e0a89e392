/** Exports over HTTP: alone, compressed, twenty at once, beside lists, and to a slow reader. */

import { join } from 'node:path'
import { LIST } from './http-bench.ts'
import { SQLITE } from './ingest-bench.ts'
import { type Load, putLoad } from './load-job.ts'
import { residentMb, run, type Service } from './process.ts'
import { atLeast, atMost, type Measurement, median, plainly } from './report.ts'

/** Often enough to see the top of the memory, seldom enough to cost nothing. */
const WATCH_MS = 10
/** The line that says how long one export takes. */
export const EXPORT_SECONDS = 'export as CSV: seconds'
const MANY = 20
const SLOW_MS = 1000

export interface ExportWork {
  readonly izvor: Service
  readonly secret: string
  /** Holds `shell.db` with the same rows where there is a sqlite3 shell. */
  readonly folder: string
  readonly seconds: number
  /** How often an export alone is measured, in turns with the shell's; a small one takes milliseconds. Odd. */
  readonly exports: number
}

interface Export {
  readonly seconds: number
  readonly megabytes: number
}

export async function measureExport(work: ExportWork): Promise<Measurement[]> {
  // The first export loads every column; what later ones add is what an export costs.
  await fetchAll(work, 'identity')
  return [
    ...(await measureAlone(work)),
    await measureCompressed(work, 'gzip'),
    await measureCompressed(work, 'zstd'),
    await measureMany(work),
    await measureListsMeanwhile(work),
    await measureSlowReader(work),
  ]
}

async function measureAlone(work: ExportWork): Promise<Measurement[]> {
  const { result, grownMb } = await watched(work.izvor, () => inTurnsWithShell(work))
  const { seconds, megabytes, shellSeconds } = result
  const note = `${megabytes.toFixed(0)} MB in ${seconds.toFixed(2)} s, ${(megabytes / seconds).toFixed(0)} MB/s`
  const own = [
    atMost('export: memory grows by', grownMb, 64, ' MB'),
    plainly(EXPORT_SECONDS, seconds, ' s', note),
  ]
  if (SQLITE === null) return own
  const peer = `${note}; sqlite3 -csv ${shellSeconds.toFixed(2)} s`
  return [atLeast('export as CSV', shellSeconds / seconds, 5, ' x sqlite3', peer), ...own]
}

/** The middle of our exports, and of the shell's of the same rows where there is a shell. */
async function inTurnsWithShell(work: ExportWork): Promise<Export & { shellSeconds: number }> {
  const dump = `exec "$0" -csv "$1" "SELECT * FROM trade" > /dev/null`
  const [ours, shells]: [number[], number[]] = [[], []]
  let megabytes = 0
  while (ours.length < work.exports) {
    const done = await fetchAll(work, 'identity')
    megabytes = done.megabytes
    ours.push(done.seconds)
    if (SQLITE === null) continue
    shells.push((await run(['sh', '-c', dump, SQLITE, join(work.folder, 'shell.db')])).seconds)
  }
  return { seconds: median(ours), megabytes, shellSeconds: median(shells) }
}

async function measureCompressed(work: ExportWork, coding: 'gzip' | 'zstd'): Promise<Measurement> {
  const { seconds, megabytes } = await fetchAll(work, coding)
  return plainly(`export as CSV, ${coding}`, seconds, ' s', `${megabytes.toFixed(1)} MB sent`)
}

/** All at once from one process; what grows is the server's memory. */
async function measureMany(work: ExportWork): Promise<Measurement> {
  const { result, grownMb } = await watched(work.izvor, () =>
    Promise.all(Array.from({ length: MANY }, () => fetchAll(work, 'identity'))),
  )
  const slowest = Math.max(...result.map(({ seconds }) => seconds))
  const fastest = Math.min(...result.map(({ seconds }) => seconds))
  const note = `all done after ${slowest.toFixed(1)} s, the first after ${fastest.toFixed(1)} s`
  return atMost(`${MANY} exports at once: memory grows by`, grownMb, 64, ' MB', note)
}

async function measureListsMeanwhile(work: ExportWork): Promise<Measurement> {
  const calm = await putLoad(work.izvor, work.folder, listJob(work))
  const { load, times } = await listsBeside(work, () => fetchAll(work, 'identity'))
  const note = `${describe(load)}; without exports ${describe(calm)}; ${times} exports meanwhile`
  return atMost('list while an export runs: p99', load.p99Ms, MOST_WAIT_MS, ' ms', note)
}

/** What another client may wait while files are written. */
export const MOST_WAIT_MS = 15

/** Lists over one connection, without a pause. */
function listJob({ secret, seconds }: ExportWork) {
  return { paths: [LIST], headers: { authorization: `Bearer ${secret}` }, connections: 1, seconds }
}

/** Lists while some work is done again and again. @returns also how often it was done */
export async function listsBeside(
  work: ExportWork,
  doIt: () => Promise<unknown>,
): Promise<{ load: Load; times: number }> {
  let times = 0
  let isOver = false
  const doing = (async () => {
    for (; !isOver; times++) await doIt()
  })()
  try {
    return { load: await putLoad(work.izvor, work.folder, listJob(work)), times }
  } finally {
    isOver = true
    await doing
  }
}

export function describe({ p50Ms, p99Ms, perSecond }: Load): string {
  return `p50 ${p50Ms} ms, p99 ${p99Ms} ms, ${Math.round(perSecond).toLocaleString('en-US')}/s`
}

/** A reader that stops after the first chunk: the server has to wait, not to pile up. */
async function measureSlowReader(work: ExportWork): Promise<Measurement> {
  const { result, grownMb } = await watched(work.izvor, async () => {
    const answer = await startExport(work, 'identity')
    const reader = answer.body!.getReader()
    await reader.read()
    await Bun.sleep(SLOW_MS)
    const held = residentMb(work.izvor.pid)
    await reader.cancel()
    return held
  })
  const note = `${result.toFixed(0)} MB resident while the reader rests`
  return atMost('export to a reader that rests: memory grows by', grownMb, 64, ' MB', note)
}

/** All rows, by a filter that keeps them: without one they are a file, which is written once. */
const ALL_ROWS = 'format=csv&month[gte]=1'

async function startExport(
  { izvor, secret }: ExportWork,
  coding: string,
  query = ALL_ROWS,
): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': coding }
  const address = `${izvor.address}/v1/bench/trade/export?${query}`
  const answer = await fetch(address, { headers, decompress: false })
  if (!answer.ok || answer.body === null) throw new Error(`${address}: ${answer.status}`)
  return answer
}

/** Takes an export to its end. @param query of the export; by default all rows as CSV */
export async function fetchAll(work: ExportWork, coding: string, query = ALL_ROWS): Promise<Export> {
  const started = performance.now()
  const answer = await startExport(work, coding, query)
  let bytes = 0
  for await (const chunk of answer.body!) bytes += chunk.length
  return { seconds: (performance.now() - started) / 1000, megabytes: bytes / 1e6 }
}

/** What some work made the service's resident memory grow by at most. */
export async function watched<T>(
  { pid }: Service,
  doIt: () => Promise<T>,
): Promise<{ result: T; grownMb: number }> {
  const before = residentMb(pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, residentMb(pid))
  }, WATCH_MS)
  try {
    return { result: await doIt(), grownMb: Math.max(0, most - before) }
  } finally {
    clearInterval(watch)
  }
}
