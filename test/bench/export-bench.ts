/** Exports over HTTP: alone, compressed, twenty at once, and to a slow reader. */

import { SQLITE, shellDatabase } from './ingest-bench.ts'
import { residentMb, run, type Service } from './process.ts'
import { atLeast, atMost, beside, type Measurement, median, plainly } from './report.ts'

/** Often enough to see the peak of the memory, seldom enough to cost nothing. */
const WATCH_MS = 10
const FILTERED_CSV = 'export as CSV, filtered'
/** The line that says how long one export takes. */
export const EXPORT_SECONDS = `${FILTERED_CSV}: seconds`
/** A filter that matches all rows: without one, an export is a file that is written once. */
const ALL_ROWS = 'format=csv&month[gte]=1'
const MANY = 20
const SLOW_MS = 1000

/** What every export here is requested from. */
export interface FetchWork {
  readonly izvor: Service
  readonly secret: string
}

export interface ExportWork extends FetchWork {
  readonly csv: string
  readonly folder: string
  /** How often an export alone is measured, in turns with the shell's; a small one takes milliseconds. An odd number. */
  readonly exports: number
}

interface Export {
  readonly seconds: number
  readonly megabytes: number
}

/** Exports by their names in the report. Whole files are written beforehand. */
const ALONE = {
  [FILTERED_CSV]: ALL_ROWS,
  'export as NDJSON, filtered': 'format=ndjson&month[gte]=1',
  'export as CSV, whole': 'format=csv',
  'export as NDJSON, whole': 'format=ndjson',
}
const MOST_MEGABYTES = 64

export async function measureExport(work: ExportWork): Promise<Measurement[]> {
  // The first export loads every column and writes the file; an export costs what later ones add.
  for (const query of Object.values(ALONE)) await fetchAll(work, 'identity', query)
  const measurements: Measurement[] = []
  for (const [name, query] of Object.entries(ALONE))
    measurements.push(...(await measureAlone(work, name, query)))
  return [
    ...measurements,
    await measureCompressed(work, 'gzip'),
    await measureCompressed(work, 'zstd'),
    await measureMany(work),
    await measureSlowReader(work),
  ]
}

async function measureAlone(work: ExportWork, name: string, query: string): Promise<Measurement[]> {
  const { result, grownMb } = await watched(work.izvor, () => inTurnsWithShell(work, query))
  const { seconds, megabytes, shellSeconds } = result
  const note = `${megabytes.toFixed(0)} MB in ${seconds.toFixed(2)} s, ${(megabytes / seconds).toFixed(0)} MB/s`
  const peer = `${note}; sqlite3 -csv ${shellSeconds.toFixed(2)} s`
  return [
    ...(SQLITE === null ? [] : [atLeast(name, shellSeconds / seconds, 8, ' x sqlite3', peer)]),
    plainly(`${name}: seconds`, seconds, ' s', note),
    atMost(`${name}: memory grows by`, grownMb, MOST_MEGABYTES, ' MB'),
  ]
}

/** The median of our exports, and of the shell's exports of the same rows as CSV if there is a shell. */
async function inTurnsWithShell(work: ExportWork, query: string): Promise<Export & { shellSeconds: number }> {
  const shell = await shellDatabase(work.csv, work.folder)
  const dump = `exec "$0" -csv "$1" "SELECT * FROM trade" > /dev/null`
  const [ours, shells]: [number[], number[]] = [[], []]
  let megabytes = 0
  while (ours.length < work.exports) {
    const done = await fetchAll(work, 'identity', query)
    megabytes = done.megabytes
    ours.push(done.seconds)
    if (shell !== null) shells.push((await run(['sh', '-c', dump, SQLITE!, shell.path])).seconds)
  }
  return { seconds: median(ours), megabytes, shellSeconds: median(shells) }
}

async function measureCompressed(work: ExportWork, coding: 'gzip' | 'zstd'): Promise<Measurement> {
  const { seconds, megabytes } = await fetchAll(work, coding)
  const line = plainly(`export as CSV, ${coding}`, seconds, ' s', `${megabytes.toFixed(1)} MB sent`)
  const program = Bun.which(coding)
  if (program === null) return line
  const alone = await run(['sh', '-c', `exec "$0" -c "$1" > /dev/null`, program, work.csv])
  return beside(line, `${coding} of the file alone`, alone.seconds, false)
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

/** A reader that stops after the first chunk: the server has to wait and must not buffer the rest. */
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

async function startExport(
  { izvor, secret }: FetchWork,
  coding: string,
  query = ALL_ROWS,
): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, 'accept-encoding': coding }
  const address = `${izvor.address}/v1/bench/trade/export?${query}`
  const answer = await fetch(address, { headers, decompress: false })
  if (!answer.ok || answer.body === null) throw new Error(`${address}: ${answer.status}`)
  return answer
}

const OK = 'HTTP/1.1 200'

/**
 * Reads an export to its end over a bare connection, as the shell writes to /dev/null: for 700 MB `fetch` takes longer than
 * the service.
 * @param query of the export; by default all rows as CSV
 */
export async function fetchAll(
  { izvor, secret }: FetchWork,
  coding: string,
  query = ALL_ROWS,
): Promise<Export> {
  const started = performance.now()
  const { hostname, host, port } = new URL(izvor.address)
  const headers = [`host: ${host}`, `authorization: Bearer ${secret}`, `accept-encoding: ${coding}`]
  const request = [`GET /v1/bench/trade/export?${query} HTTP/1.1`, ...headers, 'connection: close', '', '']
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let [bytes, head] = [0, '']
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(request.join('\r\n')),
      data(_, piece) {
        // The first pieces may be a part of the first line.
        if (head.length < OK.length) head += piece.toString('latin1', 0, OK.length)
        if (!head.startsWith(OK.slice(0, head.length))) reject(new Error(piece.toString()))
        bytes += piece.length
      },
      close: () => resolve(bytes),
    },
  })
  return { megabytes: (await promise) / 1e6, seconds: (performance.now() - started) / 1000 }
}

/** How much the service's resident memory grew at most during some work. */
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
