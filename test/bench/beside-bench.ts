/**
 * Another client's lists while files are fetched: whole files, parts, filtered ones, and files that the first request writes,
 * by a reader without limit, by one as fast as a network of 10 Gbit/s, and by one that takes 100 MB a second. The report also
 * gives the processor time of the main thread meanwhile, since the wait depends on what else uses the cores.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { withoutSettings } from '../support/child-environment.ts'
import { putLoad } from './load-job.ts'
import { type Waits, watchLists } from './main-thread.ts'
import { run, type Service } from './process.ts'
import { atMost, beside, type Measurement } from './report.ts'
import { sampleFile } from './sample-file.ts'
import { startIzvor } from './start-bench.ts'

export const CURL = Bun.which('curl')

const FORMATS = ['csv', 'ndjson', 'parquet', 'xlsx'] as const
type Format = (typeof FORMATS)[number]

const READERS = [
  { name: 'unbounded', options: [] },
  { name: '1.2 GB/s', options: ['--limit-rate', '1200M'] },
  { name: '100 MB/s', options: ['--limit-rate', '100M'] },
] as const

/** A workbook holds no more than 1,048,576 rows, so a smaller table is fetched as XLSX. */
const SMALL_ROWS = 500_000
const PARTS = 8
const MOST_WAIT_MS = 15
/** The longest stretch that the main thread should compute. */
const MOST_STRETCH_MS = 15

export interface BesideWork {
  readonly program: string[]
  readonly data: string
  readonly secret: string
  readonly rows: number
  /** How long lists are requested beside each kind of file. */
  readonly seconds: number
}

interface Kind {
  readonly name: string
  readonly query?: string
  /** Called before each fetch. */
  readonly before?: (work: BesideWork) => void
  /** Options of the nth fetch. @param bytes of the whole file */
  readonly options?: (nth: number, bytes: number) => string[]
}

const KINDS: readonly Kind[] = [
  { name: 'whole' },
  {
    name: 'parts of',
    options: (nth, bytes) => {
      const length = Math.ceil(bytes / PARTS)
      const from = (nth % PARTS) * length
      return ['--range', `${from}-${from + length - 1}`]
    },
  },
  { name: 'filtered', query: '&month[gte]=1' },
  {
    name: 'first request of',
    before: ({ data }) => rmSync(join(data, 'files'), { recursive: true, force: true }),
  },
]

/** @returns an empty list if there is no curl */
export async function measureListsBesideFiles(work: BesideWork): Promise<Measurement[]> {
  if (CURL === null) return []
  const small = await ingestSmall(work)
  const measurements: Measurement[] = []
  for (const kind of KINDS) {
    for (const format of FORMATS) {
      // Memory that one kind of file leaves must not affect the next.
      const izvor = await startIzvor(work.program, work.data)
      try {
        const path = `/v1/bench/${format === 'xlsx' ? small : 'trade'}/export?format=${format}${kind.query ?? ''}`
        measurements.push(...(await measureKind(work, izvor, kind, format, izvor.address + path)))
      } finally {
        await izvor.stop()
      }
    }
  }
  return measurements
}

/** @returns the id of a dataset that fits into a workbook */
async function ingestSmall({ program, data, rows }: BesideWork): Promise<string> {
  if (rows <= SMALL_ROWS) return 'trade'
  const csv = sampleFile(tradeTable(2023, SMALL_ROWS), SMALL_ROWS)
  await run([...program, 'ingest', csv, '--id', 'small', '--domain', 'bench', '--data', data])
  return 'small'
}

async function measureKind(
  work: BesideWork,
  izvor: Service,
  kind: Kind,
  format: Format,
  address: string,
): Promise<Measurement[]> {
  // Loads the columns and writes the file.
  const bytes = await fetchFile(work, address, [])
  const calm = await askLists(izvor, work.secret, work.seconds / 2)
  const found: (readonly [note: string, lists: Waits])[] = []
  for (const { name, options } of READERS) {
    const fetching = fetchAgain(work, kind, address, options, bytes)
    const lists = await askLists(izvor, work.secret, work.seconds)
    found.push([`${name}: ${((await fetching) / 1e6 / work.seconds).toFixed(0)} MB/s, `, lists])
  }
  return linesOfLists(`${kind.name} ${format}`, calm, found)
}

/** Requests lists over one connection for a few seconds. */
export async function askLists(izvor: Service, secret: string, seconds: number): Promise<Waits> {
  const lists = await watchLists(izvor, secret)
  await Bun.sleep(seconds * 1000)
  return await lists.stop()
}

/** Time that the process of a load may take to start, in seconds. */
const LOAD_STARTS = 1

/** As `askLists`, while another connection requests these. @param folder for files of the load, used by no other one meanwhile */
export async function askListsBeside(
  izvor: Service,
  secret: string,
  folder: string,
  paths: readonly string[],
  seconds: number,
): Promise<Waits> {
  const headers = { authorization: `Bearer ${secret}` }
  const load = putLoad(izvor, folder, { paths, headers, seconds: seconds + LOAD_STARTS, connections: 1 })
  await Bun.sleep(LOAD_STARTS * 1000)
  const [lists] = await Promise.all([askLists(izvor, secret, seconds), load])
  return lists
}

/** Two lines about lists beside some work. @param calm lists without it @param found lists by the work that the note names */
export function linesOfLists(
  what: string,
  calm: Waits,
  found: readonly (readonly [note: string, lists: Waits])[],
): Measurement[] {
  const line = (work: string, most: number, figure: 'p99Ms' | 'busyP99Ms') => {
    const greatest = Math.max(...found.map(([, lists]) => lists[figure]))
    const note = found.map(([said, lists]) => {
      const figures = [lists[figure], lists.longestMs].map((ms) => ms.toFixed(1))
      return `${said}${lists.lists} lists, p99 ${figures[0]} ms, main thread at most ${figures[1]}`
    })
    return beside(atMost(work, greatest, most, ' ms', note.join('; ')), 'lists alone', calm[figure], false)
  }
  return [
    line(`lists beside ${what}: p99`, MOST_WAIT_MS, 'p99Ms'),
    line(`main thread beside ${what}: p99`, MOST_STRETCH_MS, 'busyP99Ms'),
  ]
}

/** Fetches file after file for as long as lists are requested. @param bytes of the whole file @returns the bytes received */
async function fetchAgain(
  work: BesideWork,
  kind: Kind,
  address: string,
  options: readonly string[],
  bytes: number,
): Promise<number> {
  const end = performance.now() + work.seconds * 1000
  const left = () => (end - performance.now()) / 1000
  let taken = 0
  for (let nth = 0; left() > LEAST_SECONDS; nth++) {
    kind.before?.(work)
    const own = [
      ...options,
      ...(kind.options?.(nth, bytes) ?? []),
      '--max-time',
      Math.max(LEAST_SECONDS, left()).toFixed(3),
    ]
    taken += await fetchFile(work, address, own)
  }
  return taken
}

const LEAST_SECONDS = 0.01
/** The exit code of curl after `--max-time`. */
const OUT_OF_TIME = 28

/** Fetches a file with curl. @returns the number of bytes received in time */
async function fetchFile(
  { secret }: BesideWork,
  address: string,
  options: readonly string[],
): Promise<number> {
  const told = ['--silent', '--fail', '--globoff', '--output', '/dev/null', '--write-out', '%{size_download}']
  const command = [CURL!, ...told, '--header', `Authorization: Bearer ${secret}`, ...options, address]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', env: withoutSettings() })
  const output = await child.stdout.text()
  const code = await child.exited
  if (code !== 0 && code !== OUT_OF_TIME) throw new Error(`curl ${address} ended with ${code}`)
  return Number(output)
}
