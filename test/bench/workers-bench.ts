/**
 * `bun test/bench/workers-bench.ts [--rows N] [--seconds N] [--only WORDS]`: lists a second of 1, 2 and 3 workers, in turns,
 * and the memory of each. The load runs on the same machine, so the cores that it takes are printed beside those of the
 * service.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { workersOf } from '../support/workers.ts'
import { mintKey } from './accounts-bench.ts'
import { LIST } from './http-bench.ts'
import { putLoad } from './load-job.ts'
import { processorSeconds, residentMb, run, type Service, startService } from './process.ts'
import { sampleFile } from './sample-file.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '500000' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
})
const rows = Number(values.rows)
const seconds = Number(values.seconds)
const ROUNDS = 3
const WORKERS = [1, 2, 3]
const PROGRAM = [join(import.meta.dir, '..', '..', 'dist', 'izvor')]
/** Reads columns and compiles code in every worker before anything is measured. */
const WARM_UP_S = 1

interface Round {
  readonly perSecond: number
  readonly p99Ms: number
  /** Cores used by the processes of the service, and by all processes of the machine. */
  readonly service: number
  readonly machine: number
}

/** Ranges that match most rows; no cache helps, and all rows are read. */
const neverSeen = (from: number) =>
  Array.from({ length: MOST_ASKED }, (_, i) => `/v1/bench/trade?value_lei[gte]=${(from + i) * 7}&count=true`)
const MOST_ASKED = 20_000
/** Most of the work is done by the service, little by the load. */
const GROUPS = '/aggregate?group_by=partner_country_code,month&measures=sum(value_lei)&'
interface Work {
  readonly pathsOf: (from: number) => readonly string[]
  readonly connections: number
}
const WORKS: Readonly<Record<string, Work>> = {
  'the same list again': { pathsOf: () => [LIST], connections: 32 },
  'a range never seen': { pathsOf: neverSeen, connections: 32 },
  // No more long queries than a key may have in any of the workers.
  'groups of a range never seen': {
    pathsOf: (from) => neverSeen(from).map((path) => path.replace('?', GROUPS).replace('&count=true', '')),
    connections: 8,
  },
}

/** Processor time of all processes so far, in seconds. */
function machineSeconds(): number {
  const [user = 0, nice = 0, system = 0] = readFileSync('/proc/stat', 'utf8').slice(5).split(' ').map(Number)
  return (user + nice + system) / 100
}

function processesOf(service: Service, workers: number): number[] {
  return workers === 1 ? [service.pid] : [service.pid, ...workersOf(service.pid)]
}

async function measure(
  service: Service,
  workers: number,
  paths: readonly string[],
  { secret, connections }: { readonly secret: string; readonly connections: number },
): Promise<Round> {
  const headers = { authorization: `Bearer ${secret}` }
  const used = () => processesOf(service, workers).reduce((sum, pid) => sum + processorSeconds(pid), 0)
  const before = { service: used(), machine: machineSeconds(), at: performance.now() }
  const { perSecond, p99Ms } = await putLoad(service, folder, { paths, headers, seconds, connections })
  const elapsed = (performance.now() - before.at) / 1000
  return {
    ...{ perSecond, p99Ms },
    service: (used() - before.service) / elapsed,
    machine: (machineSeconds() - before.machine) / elapsed,
  }
}

async function measureAll(data: string, secret: string): Promise<void> {
  for (const [work, { pathsOf, connections }] of Object.entries(WORKS)) {
    if (!work.startsWith(values.only)) continue
    const rounds = new Map<number, Round[]>(WORKERS.map((workers) => [workers, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const workers of WORKERS) {
        const args = ['serve', '--workers', String(workers), '--port', '0', '--data', data]
        const service = await startService([...PROGRAM, ...args])
        const headers = { authorization: `Bearer ${secret}` }
        await putLoad(service, folder, {
          paths: pathsOf(MOST_ASKED),
          headers,
          seconds: WARM_UP_S,
          connections,
        })
        rounds.get(workers)!.push(await measure(service, workers, pathsOf(0), { secret, connections }))
        if (round === ROUNDS - 1) tellMemory(work, workers, processesOf(service, workers))
        await service.stop()
      }
    }
    for (const [workers, all] of rounds) tell(work, workers, all)
  }
}

function tell(work: string, workers: number, rounds: Round[]): void {
  const middle = rounds.toSorted((a, b) => a.perSecond - b.perSecond)[rounds.length >> 1]!
  const rates = rounds.map(({ perSecond }) => Math.round(perSecond)).join(', ')
  const { perSecond, p99Ms, service, machine } = middle
  console.log(
    `${work}, ${workers} workers: ${Math.round(perSecond)}/s (${rates}), p99 ${p99Ms} ms, ` +
      `${service.toFixed(2)} cores of ${machine.toFixed(2)} in use, ${((service * 1e6) / perSecond).toFixed(0)} us each`,
  )
}

function tellMemory(work: string, workers: number, pids: number[]): void {
  console.log(
    `${work}, ${workers} workers: ${pids.map((pid) => residentMb(pid).toFixed(0)).join(' + ')} MB resident`,
  )
}

const folder = mkdtempSync(join(tmpdir(), 'izvor-bench-'))
try {
  const data = join(folder, 'data')
  const file = sampleFile(tradeTable(2023, rows), rows)
  await run([...PROGRAM, 'ingest', file, '--id', 'trade', '--domain', 'bench', '--data', data])
  await measureAll(data, await mintKey(PROGRAM, data, 'unlimited'))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
