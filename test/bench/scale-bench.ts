/** How time, memory and disk grow with the rows: one table size after the other. */

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tradeTable } from '../../src/commands/demo/trade.ts'
import { askListsBeside } from './beside-bench.ts'
import { FILTERS, FIRST_SORT, measureEngine } from './engine-bench.ts'
import { measureGroups, UNSEEN_GROUPS } from './groups-bench.ts'
import { residentMb, run } from './process.ts'
import { sampleFile } from './sample-file.ts'
import { startIzvor } from './start-bench.ts'

const OTHERS_SECONDS = 5

export interface Scale {
  readonly rows: number
  readonly csvMb: number
  readonly ingestSeconds: number
  readonly ingestPeakMb: number
  readonly diskBytesPerRow: number
  readonly filterMs: number
  readonly sortMs: number
  readonly exportSeconds: number
  /** 99th percentile of a list over one connection while another one keeps requesting new ranges. */
  readonly othersP99Ms: number
  /** The slowest of the queries for groups that a table of any size can answer. */
  readonly groupsMs: number
  /** As `othersP99Ms`, while the other one requests groups. */
  readonly besideGroupsP99Ms: number
  /** Resident memory of the service with every column loaded. */
  readonly servingMb: number
}

/** Measures a table of this many rows in a new data folder. */
export async function measureScale(program: string[], rows: number, folder: string): Promise<Scale> {
  const csv = sampleFile(tradeTable(2023, rows), rows)
  const data = join(folder, `scale-${rows}`)
  const command = [...program, 'ingest', csv, '--id', 'trade', '--domain', 'bench', '--data', data, '--json']
  const { seconds, peakMb } = await run(command)
  const versions = join(data, 'datasets', 'trade')
  const version = join(versions, readdirSync(versions)[0] as string)
  const figures = new Map((await measureEngine(version)).map(({ work, value }) => [work, value]))
  const groups = (await measureGroups(version)).filter(
    ({ work, target }) => target !== null && !work.includes('pairs'),
  )
  const minted = await run([...program, 'keys', 'mint', '--plan', 'unlimited', '--data', data, '--json'])
  const { secret } = JSON.parse(minted.output) as { secret: string }
  const izvor = await startIzvor(program, data)
  try {
    const started = performance.now()
    const answer = await fetch(`${izvor.address}/v1/bench/trade/export?format=csv&month[gte]=1`, {
      headers: { authorization: `Bearer ${secret}`, 'accept-encoding': 'identity' },
    })
    for await (const _ of answer.body!);
    const exportSeconds = (performance.now() - started) / 1000
    const servingMb = residentMb(izvor.pid)
    const othersP99Ms = async (paths: readonly string[]) =>
      (await askListsBeside(izvor, secret, data, paths, OTHERS_SECONDS)).p99Ms
    return {
      rows,
      csvMb: statSync(csv).size / 1e6,
      ingestSeconds: seconds,
      ingestPeakMb: peakMb,
      diskBytesPerRow: statSync(version).size / rows,
      filterMs: figures.get(FILTERS) ?? Number.NaN,
      sortMs: figures.get(FIRST_SORT) ?? Number.NaN,
      exportSeconds,
      othersP99Ms: await othersP99Ms(UNSEEN_RANGES),
      groupsMs: Math.max(...groups.map(({ value }) => value)),
      besideGroupsP99Ms: await othersP99Ms(UNSEEN_GROUPS),
      servingMb,
    }
  } finally {
    await izvor.stop()
  }
}

const UNSEEN_RANGES = Array.from(
  { length: 5000 },
  (_, i) => `/v1/bench/trade?value_lei[gte]=${1000 + i * 37}`,
)

/** The curve as a Markdown table. */
export function writeScale(scales: readonly Scale[]): string {
  const head = [
    'rows',
    'CSV',
    'ingest',
    'its peak memory',
    'disk per row',
    'slowest filters',
    'slowest sort, first use',
    'export as CSV',
    "others' p99",
    'slowest groups',
    "others' p99 meanwhile",
    'memory, all columns open',
  ]
  const rows = scales.map((scale) => [
    scale.rows.toLocaleString('en-US'),
    `${scale.csvMb.toFixed(0)} MB`,
    `${scale.ingestSeconds.toFixed(2)} s`,
    `${scale.ingestPeakMb.toFixed(0)} MB`,
    `${scale.diskBytesPerRow.toFixed(1)} B`,
    `${scale.filterMs.toFixed(2)} ms`,
    `${scale.sortMs.toFixed(1)} ms`,
    `${scale.exportSeconds.toFixed(2)} s`,
    `${scale.othersP99Ms.toFixed(0)} ms`,
    `${scale.groupsMs.toFixed(1)} ms`,
    `${scale.besideGroupsP99Ms.toFixed(0)} ms`,
    `${scale.servingMb.toFixed(0)} MB`,
  ])
  return [head, head.map(() => '---:'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
