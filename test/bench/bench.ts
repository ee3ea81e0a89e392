/**
 * `bun run bench [--rows N] [--smoke] [--scale N,N,…] [--json FILE]`: measures the executable on generated data, side by
 * side with peers in the same run, and prints a table. See README.md beside this file.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PUPILS } from '../../src/commands/demo/pupils.ts'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { measureAccounts, mintKey } from './accounts-bench.ts'
import { measureContains, measureEngine } from './engine-bench.ts'
import { measureExport } from './export-bench.ts'
import { measureFiles } from './files-bench.ts'
import { measureGroups, measureListsBesideGroups } from './groups-bench.ts'
import { findRegressions, findUnguarded } from './guard.ts'
import { measureHttp } from './http-bench.ts'
import { measureIngest, measureWideIngest } from './ingest-bench.ts'
import { measurePeers } from './peers-bench.ts'
import { type Pace, run, type Service } from './process.ts'
import { atMost, type Measurement, writeReport } from './report.ts'
import { sampleFile } from './sample-file.ts'
import { measureScale, type Scale, writeScale } from './scale-bench.ts'
import { measureManyDatasets, measureStart, startIzvor } from './start-bench.ts'
import { measureTogether } from './together-bench.ts'
import { measureWords } from './words-bench.ts'

const ROOT = join(import.meta.dir, '..', '..')
const PUPIL_ROWS = 167_907

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    smoke: { type: 'boolean', default: false },
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

/** The executable as it is built from these sources, or the sources where there is no target for this machine. */
async function buildProgram(): Promise<string[]> {
  try {
    await run([process.execPath, join(ROOT, 'build', 'compile.ts')])
    return [join(ROOT, 'dist', process.platform === 'win32' ? 'izvor.exe' : 'izvor')]
  } catch (error) {
    console.error(`Measuring the sources, since the executable does not build here: ${error}`)
    return [process.execPath, join(ROOT, 'src', 'main.ts')]
  }
}

async function measureAll(program: string[], folder: string): Promise<Measurement[]> {
  const step = (text: string): void => console.error(text)
  const data = join(folder, 'data')
  step(`generating ${rows.toLocaleString('en-US')} rows of trade`)
  const trade = sampleFile(tradeTable(2023, rows), rows)
  step('ingest')
  const measurements = await measureIngest(program, trade, data)
  const pupils = sampleFile(PUPILS, values.smoke ? 5000 : PUPIL_ROWS)
  measurements.push(await measureWideIngest(program, pupils, data))
  step('start')
  measurements.push(...(await measureStart(program, data, folder)))
  step('engine')
  measurements.push(...(await measureEngine(join(data, 'datasets', 'trade', '1.db'))))
  measurements.push(...(await measureGroups(join(data, 'datasets', 'trade', '1.db'))))
  measurements.push(...(await measureWords(join(data, 'datasets', 'trade', '1.db'))))
  const secret = await mintKey(program, data, 'unlimited')
  step('files')
  const start = () => startIzvor(program, data)
  measurements.push(...(await measureFiles({ start, data, secret, folder, seconds })))
  const izvor = await start()
  try {
    step('export')
    measurements.push(
      ...(await measureExport({ izvor, secret, folder, seconds, exports: values.smoke ? 5 : 1 })),
    )
    step('lists')
    measurements.push(...(await measureLists(izvor, secret, folder)))
    step('lists beside groups')
    const { p99Ms } = await measureListsBesideGroups(izvor, secret, folder, seconds)
    measurements.push(atMost('list while groups are asked for: p99', p99Ms, 15, ' ms'))
  } finally {
    await izvor.stop()
  }
  step('everything at once')
  measurements.push(...(await measureTogether({ program, csv: trade, data, secret, folder, rows, seconds })))
  step('keys and sign-ins')
  measurements.push(
    ...(await measureAccounts({ program, data, folder, pace: { ...PACE, rounds: ROUNDS_WITH_KEYS } })),
  )
  if (values.smoke) return measurements
  step('peers')
  const izvorFigures = new Map(measurements.map(({ work, value }) => [work, value]))
  const version = join(data, 'datasets', 'trade', '1.db')
  return [
    ...measurements,
    ...(await measurePeers({ csv: trade, folder, rows, seconds, version, izvor: izvorFigures })),
    // Last, as it takes memory in this process, which the system counts for every process that is started later.
    ...(await measureContains()),
  ]
}

/** A quick run measures once; what is far off then is measured again, as carefully as it ever is. */
async function measureLists(izvor: Service, secret: string, folder: string): Promise<Measurement[]> {
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
      ? await measureAll(program, folder)
      : await measureManyDatasets(program, Number(values.datasets), rows, folder)
  const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, bun: Bun.version }
  const file = values.json ?? join(tmpdir(), 'izvor-bench', 'latest.json')
  console.log(`\n${rows.toLocaleString('en-US')} rows, ${machine.cores} cores, ${machine.cpu}\n`)
  writeReport(measurements, { rows, at: new Date().toISOString(), ...machine }, file)
  if (values.smoke)
    for (const line of findUnguarded(measurements)) console.error(`not guarded, since not measured: ${line}`)
  const regressions = values.smoke ? findRegressions(measurements) : []
  for (const regression of regressions) console.error(`far off: ${regression}`)
  if (regressions.length > 0) process.exitCode = 1
}

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
