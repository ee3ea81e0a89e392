/**
 * `bun run bench [--only PART,…] [--rows N] [--smoke] [--scale N,N,…] [--json FILE]`: measures the executable on generated
 * data, beside peers in the same run, and prints a table. See README.md beside this file.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PUPILS } from '../../src/commands/demo/pupils.ts'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { measureAccounts, mintKey } from './accounts-bench.ts'
import { askLists, askListsBeside, linesOfLists, measureListsBesideFiles } from './beside-bench.ts'
import { measureContains, measureEngine } from './engine-bench.ts'
import { measureExport } from './export-bench.ts'
import { measureFiles } from './files-bench.ts'
import { measureGroups, UNSEEN_GROUPS } from './groups-bench.ts'
import { findRegressions, findUnguarded } from './guard.ts'
import { measureHttp } from './http-bench.ts'
import { ingest, measureIngest, measureWideIngest } from './ingest-bench.ts'
import { describeMachine, writeMachine } from './machine.ts'
import { besidePeers, measureDisk, type PeerName } from './peers-bench.ts'
import { type Finished, type Pace, run, type Service } from './process.ts'
import { type Measurement, writeReport } from './report.ts'
import { sampleFile } from './sample-file.ts'
import { measureScale, type Scale, writeScale } from './scale-bench.ts'
import { measureManyDatasets, measureStart, startIzvor } from './start-bench.ts'
import { measureStretches } from './stretches-bench.ts'
import { measureTogether } from './together-bench.ts'
import { measureWords } from './words-bench.ts'

const ROOT = join(import.meta.dir, '..', '..')
const PUPIL_ROWS = 167_907

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    scale: { type: 'string' },
    datasets: { type: 'string' },
    json: { type: 'string' },
  },
})
const rows = Number(values.rows ?? (values.smoke ? 20_000 : 2_000_000))
if (!Number.isInteger(rows) || rows < 1000) throw new Error('--rows takes a whole number, 1000 or more')
const PACE: Pace = values.smoke
  ? { seconds: 1, rounds: 1, mostLooks: 1 }
  : { seconds: 5, rounds: 3, mostLooks: 8 }
/** What keys cost is a small difference of two rates. */
const ROUNDS_WITH_KEYS = values.smoke ? 1 : 5
const { seconds } = PACE

/** The executable built from these sources, or the sources where there is no target for this machine. */
async function buildProgram(): Promise<string[]> {
  try {
    await run([process.execPath, join(ROOT, 'build', 'compile.ts')])
    return [join(ROOT, 'dist', process.platform === 'win32' ? 'izvor.exe' : 'izvor')]
  } catch (error) {
    console.error(`Measuring the sources, since the executable does not build here: ${error}`)
    return [process.execPath, join(ROOT, 'src', 'main.ts')]
  }
}

/** What every part works with: the ingested table, its source files, and a key for it. */
interface Bench {
  readonly program: string[]
  readonly csv: string
  readonly ingested: Finished
  readonly data: string
  readonly version: string
  readonly secret: string
  readonly folder: string
}

interface Part {
  readonly measure: (bench: Bench) => Promise<readonly Measurement[]>
  /** Peers with figures for the same work. */
  readonly peers?: readonly PeerName[]
}

/** The parts that `--only` accepts, in the order in which they are measured. */
const PARTS: Readonly<Record<string, Part>> = {
  ingest: {
    async measure({ program, csv, ingested, data, version, folder }) {
      const pupils = sampleFile(PUPILS, values.smoke ? 5000 : PUPIL_ROWS)
      return [
        ...(await measureIngest(ingested, csv, folder)),
        measureDisk(version),
        await measureWideIngest(program, pupils, data, folder),
      ]
    },
    peers: ['DuckDB'],
  },
  start: { measure: ({ program, data, folder }) => measureStart(program, data, folder) },
  engine: { measure: ({ version }) => measureEngine(version), peers: ['DuckDB', 'SQLite with 13 indexes'] },
  groups: { measure: ({ version }) => measureGroups(version), peers: ['DuckDB'] },
  words: { measure: ({ version }) => measureWords(version), peers: ['DuckDB'] },
  files: {
    measure: (bench) => measureFiles({ ...bench, start: () => startIzvor(bench.program, bench.data) }),
    peers: ['DuckDB'],
  },
  exports: {
    measure: (bench) =>
      serving(bench, (izvor) => measureExport({ ...bench, izvor, exports: values.smoke ? 5 : 3 })),
    peers: ['DuckDB'],
  },
  beside: {
    async measure(bench) {
      const { secret, folder } = bench
      const groups = await serving(bench, async (izvor) => {
        const calm = await askLists(izvor, secret, seconds)
        const lists = await askListsBeside(izvor, secret, folder, UNSEEN_GROUPS, seconds)
        return linesOfLists('groups', calm, [['', lists]])
      })
      return [...groups, ...(await measureListsBesideFiles({ ...bench, rows, seconds: seconds / 2 }))]
    },
  },
  lists: { measure: (bench) => serving(bench, (izvor) => measureLists(izvor, bench)), peers: ['Datasette'] },
  stretches: { measure: (bench) => measureStretches({ ...bench, seconds }) },
  together: { measure: (bench) => measureTogether({ ...bench, rows, seconds }) },
  accounts: {
    measure: (bench) => measureAccounts({ ...bench, pace: { ...PACE, rounds: ROUNDS_WITH_KEYS } }),
  },
  // Last, as it takes memory in this process, which the system counts for every process that is started later.
  contains: { measure: async () => (values.smoke ? [] : await measureContains()), peers: ['DuckDB'] },
}

async function serving<T>({ program, data }: Bench, work: (izvor: Service) => Promise<T>): Promise<T> {
  const izvor = await startIzvor(program, data)
  try {
    return await work(izvor)
  } finally {
    await izvor.stop()
  }
}

async function measureParts(program: string[], folder: string): Promise<readonly Measurement[]> {
  const step = (text: string): void => console.error(text)
  const data = join(folder, 'data')
  step(`ingest of ${rows.toLocaleString('en-US')} rows of trade`)
  const csv = sampleFile(tradeTable(2023, rows), rows)
  const ingested = await ingest(program, csv, 'trade', data)
  const version = join(data, 'datasets', 'trade', '1.db')
  const secret = await mintKey(program, data, 'unlimited')
  const bench = { program, csv, ingested, data, version, secret, folder }
  const measurements: Measurement[] = []
  for (const part of parts) {
    step(part)
    measurements.push(...(await PARTS[part]!.measure(bench)))
  }
  if (values.smoke) return measurements
  step('peers')
  const peers = new Set(parts.flatMap((part) => PARTS[part]!.peers ?? []))
  return await besidePeers({ ...bench, seconds }, measurements, peers)
}

/** A quick run measures once; parts that are far off are then measured again, as carefully as in a full run. */
async function measureLists(izvor: Service, { secret, folder }: Bench): Promise<Measurement[]> {
  const work = { izvor, secret, folder, rows, withFloors: !values.smoke }
  const measurements = await measureHttp({ ...work, pace: PACE })
  const regressions = values.smoke ? findRegressions(measurements) : []
  if (regressions.length === 0) return measurements
  console.error(`measured again, since far off: ${regressions.join('; ')}`)
  return await measureHttp({ ...work, pace: { seconds, rounds: 3, mostLooks: 8 } })
}

async function measureCurve(program: string[], folder: string, sizes: string): Promise<void> {
  const scales: Scale[] = []
  for (const size of sizes.split(',')) {
    console.error(`${size} rows`)
    scales.push(await measureScale(program, Number(size), folder))
  }
  console.log(writeScale(scales))
}

async function measureAndReport(program: string[], folder: string): Promise<void> {
  const measurements =
    values.datasets === undefined
      ? await measureParts(program, folder)
      : await measureManyDatasets(program, Number(values.datasets), rows, folder)
  const machine = await describeMachine()
  const file = values.json ?? join(tmpdir(), 'izvor-bench', 'latest.json')
  console.log(`\n${rows.toLocaleString('en-US')} rows; ${writeMachine(machine)}\n`)
  writeReport(measurements, { rows, at: new Date().toISOString(), ...machine }, file)
  if (!values.smoke) return
  for (const line of findUnguarded(measurements)) console.error(`not guarded, since not measured: ${line}`)
  const regressions = findRegressions(measurements)
  for (const regression of regressions) console.error(`far off: ${regression}`)
  if (regressions.length > 0) process.exitCode = 1
}

const only = values.only?.split(',') ?? Object.keys(PARTS)
if (only.some((part) => !(part in PARTS)))
  throw new Error(`--only takes parts: ${Object.keys(PARTS).join(', ')}`)
const parts = Object.keys(PARTS).filter((part) => only.includes(part))

const folder = mkdtempSync(join(tmpdir(), 'izvor-bench-'))
try {
  const program = await buildProgram()
  if (values.scale !== undefined) {
    await measureCurve(program, folder, values.scale)
  } else {
    await measureAndReport(program, folder)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
