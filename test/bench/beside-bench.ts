/**
 * Another client's lists while files are fetched: whole ones, parts, filtered ones, and those that the first request writes, by a reader
 * without bounds and by one that takes 100 MB a second. Beside the wait stands what the main thread computed meanwhile, by its
 * own clock: the wait also depends on who else wants the cores.
 */

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { withoutSettings } from '../support/child-environment.ts'
import { LIST } from './http-bench.ts'
import { run, type Service } from './process.ts'
import { atMost, type Measurement } from './report.ts'
import { sampleFile } from './sample-file.ts'
import { startIzvor } from './start-bench.ts'

export const CURL = Bun.which('curl')

const FORMATS = ['csv', 'ndjson', 'parquet', 'xlsx'] as const
type Format = (typeof FORMATS)[number]

const READERS = [
  { name: 'unbounded', options: [] },
  { name: '100 MB/s', options: ['--limit-rate', '100M'] },
] as const

/** A workbook holds no more than 1,048,576 rows, so a smaller table is fetched as XLSX. */
const SMALL_ROWS = 500_000
const PARTS = 8
const MOST_WAIT_MS = 15
/** The main thread should not compute longer at a stretch. */
const MOST_STRETCH_MS = 15

export interface BesideWork {
  readonly program: string[]
  readonly data: string
  readonly secret: string
  readonly rows: number
  /** How long lists are asked for beside each kind of file. */
  readonly seconds: number
}

interface Kind {
  readonly name: string
  readonly query?: string
  /** Before each fetch. */
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

/** @returns nothing where there is no curl */
export async function measureListsBesideFiles(work: BesideWork): Promise<Measurement[]> {
  if (CURL === null) return []
  const small = await ingestSmall(work)
  const measurements: Measurement[] = []
  for (const kind of KINDS) {
    for (const format of FORMATS) {
      // What one kind of file leaves in memory must not weigh on the next.
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

/** @returns the id of a dataset that fits a workbook */
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
  const ask = listsOf(izvor, work.secret)
  // Loads the columns and writes the file.
  const bytes = await fetchFile(work, address, [])
  await ask(0.3)
  const found: { name: string; waits: Spread; stretches: Spread; note: string }[] = []
  for (const { name, options } of READERS) {
    const fetching = fetchAgain(work, kind, address, options, bytes)
    const { waits, stretches } = await ask(work.seconds)
    const note = `${name}: ${((await fetching) / 1e6 / work.seconds).toFixed(0)} MB/s, ${waits.count} lists`
    found.push({ name, waits, stretches, note })
  }
  const what = `${kind.name} ${format}`
  const line = (work: string, most: number, of: (one: (typeof found)[number]) => Spread) =>
    atMost(
      work,
      Math.max(...found.map((one) => of(one).p99)),
      most,
      ' ms',
      found
        .map(
          (one) =>
            `${one.note}, p50 ${round(of(one).p50)}, p99 ${round(of(one).p99)}, most ${round(of(one).most)}`,
        )
        .join('; '),
    )
  return [
    line(`lists beside ${what}: p99`, MOST_WAIT_MS, ({ waits }) => waits),
    line(`main thread beside ${what}: p99`, MOST_STRETCH_MS, ({ stretches }) => stretches),
  ]
}

interface Spread {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly most: number
}

function spreadOf(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) }
}

function round(ms: number): string {
  return ms.toFixed(1)
}

/** Asks for a list again and again, for some seconds, without a pause: how long each took, and the main thread's own time meanwhile, in ms. */
function listsOf({ address, pid }: Service, secret: string) {
  const headers = { authorization: `Bearer ${secret}` }
  return async (seconds: number): Promise<{ waits: Spread; stretches: Spread }> => {
    const [waits, stretches]: [number[], number[]] = [[], []]
    const end = performance.now() + seconds * 1000
    for (let started = performance.now(); started < end; started = performance.now()) {
      const before = mainThreadMs(pid)
      const answer = await fetch(address + LIST, { headers })
      if (!answer.ok) throw new Error(`${LIST}: ${answer.status}`)
      await answer.arrayBuffer()
      waits.push(performance.now() - started)
      stretches.push(mainThreadMs(pid) - before)
    }
    return { waits: spreadOf(waits), stretches: spreadOf(stretches) }
  }
}

/** Time that a process' main thread has run, in ms (proc(5), schedstat); NaN where there is no /proc. */
function mainThreadMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** Fetches file after file for as long as lists are asked for. @param bytes of the whole file @returns those that came */
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
    const own = [...options, ...(kind.options?.(nth, bytes) ?? []), '--max-time', left().toFixed(3)]
    taken += await fetchFile(work, address, own)
  }
  return taken
}

const LEAST_SECONDS = 0.01
/** What curl ends with after `--max-time`. */
const OUT_OF_TIME = 28

/** Fetches a file with curl. @returns its bytes, or those that came in time */
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
