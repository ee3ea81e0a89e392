/** izvor bench [--rows N] [--json]: what this machine takes for the work of a server, on generated data. */

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { OpenDataset } from '../engine/memory.ts'
import { ingestFile } from '../ingest/ingest.ts'
import { mintKey } from '../keys/keys.ts'
import { DataDir } from '../storage/data-dir.ts'
import { VersionFile } from '../storage/open-version.ts'
import { parseCountingNumber } from './arguments.ts'
import { exportAll, slowestFilters, slowestSorts } from './bench/engine-work.ts'
import { measureHttp, type Rate } from './bench/http-work.ts'
import type { Cli } from './cli.ts'
import { createRandom } from './demo/random.ts'
import { writeCsv } from './demo/sample-table.ts'
import { tradeTable } from './demo/trade.ts'
import { withAccounts } from './folder.ts'
import { formatAmount, formatBytes, printJson, printTable } from './print.ts'

const DEFAULT_ROWS = 500_000
const YEAR = 2024

interface Figure {
  readonly work: string
  readonly value: number
  readonly unit: 's' | 'ms' | 'MB' | 'MB/s' | 'per second'
  readonly note: string
}

export function addBench(program: Command, cli: Cli): void {
  program
    .command('bench')
    .description(
      'Measure this machine on generated data, in a temporary folder: ingest, filters, sorts, export, requests a second.',
    )
    .option('--rows <number>', 'rows of the generated table', parseCountingNumber, DEFAULT_ROWS)
    .option('--json', 'print JSON')
    .action((options: { rows: number; json?: true }) => bench(cli, options))
}

async function bench(cli: Cli, { rows, json }: { rows: number; json?: true }): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'izvor-bench-'))
  try {
    cli.note(`Generating ${formatAmount(rows, 'row')} of foreign trade in ${folder}`)
    const file = generate(folder, rows)
    cli.note('Measuring')
    const figures = [...(await measure(cli, folder, file)), ...(await measureService(cli, folder, rows))]
    const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length, bun: Bun.version }
    if (json) return printJson(cli, { rows, ...machine, figures })
    cli.print(`${formatAmount(rows, 'row')} of 13 columns; ${machine.cores} x ${machine.cpu}\n\n`)
    printTable(cli, figures, [
      { title: 'work', value: ({ work }) => work },
      { title: 'measured', value: ({ value, unit }) => `${shown(value)} ${unit}` },
      { title: 'what', value: ({ note }) => note },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function generate(folder: string, rows: number): string {
  const path = join(folder, 'trade.csv')
  const table = tradeTable(YEAR, rows)
  const file = openSync(path, 'wx', 0o600)
  try {
    writeCsv(table.columns, table.generate(createRandom(table.seed), rows), (piece) => writeSync(file, piece))
  } finally {
    closeSync(file)
  }
  return path
}

async function measure(cli: Cli, folder: string, file: string): Promise<Figure[]> {
  const dataDir = new DataDir(join(folder, 'data'))
  dataDir.create()
  const catalog = Catalog.open(dataDir)
  try {
    const request = {
      file,
      id: 'trade',
      domain: 'bench',
      maxQuarantine: 0,
      dryRun: false,
      acceptDrift: false,
    }
    const { duration_ms } = await ingestFile({ dataDir, catalog, now: cli.now }, request)
    const megabytes = statSync(file).size / 1e6
    const path = catalog.find('trade')?.file as string
    const speed = megabytes / (duration_ms / 1000)
    return [
      {
        work: 'ingest',
        value: duration_ms / 1000,
        unit: 's',
        note: `${formatBytes(megabytes * 1e6)} of CSV`,
      },
      { work: 'ingest, speed', value: speed, unit: 'MB/s', note: 'types, quality and publishing included' },
      { work: 'disk', value: statSync(path).size / 1e6, unit: 'MB', note: 'the published version' },
      ...(await measureQueries(path)),
    ]
  } finally {
    catalog.close()
  }
}

async function measureQueries(path: string): Promise<Figure[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = OpenDataset.open(file)
    const filters = await slowestFilters(dataset)
    const { first, later } = await slowestSorts(dataset)
    const exported = await exportAll(dataset)
    const speed = exported.bytes / 1e6 / (exported.ms / 1000)
    return [
      {
        work: 'exact count of filters never seen',
        value: filters.ms,
        unit: 'ms',
        note: `slowest: ${filters.what}`,
      },
      { work: 'first use of a sort', value: first.ms, unit: 'ms', note: `slowest: ${first.what}` },
      { work: 'later page of a sort', value: later.ms, unit: 'ms', note: 'slowest, at any offset' },
      { work: 'export as CSV', value: speed, unit: 'MB/s', note: formatBytes(exported.bytes) },
    ]
  } finally {
    file.close()
  }
}

async function measureService(cli: Cli, folder: string, rows: number): Promise<Figure[]> {
  const dataDir = new DataDir(join(folder, 'data'))
  const { secret } = withAccounts(dataDir, (accounts) =>
    mintKey(accounts, { plan: 'unlimited', label: 'bench', userId: undefined }, cli.now()),
  )
  const { again, varied, unseen } = await measureHttp(cli, { data: dataDir.root, secret, rows })
  const figure = (work: string, { perSecond, p99 }: Rate): Figure => ({
    work,
    value: perSecond,
    unit: 'per second',
    note: `with a key, over HTTP; 32 clients in this process, p99 ${shown(p99)} ms`,
  })
  return [
    figure('the same list again', again),
    figure('lists with other filters and pages', varied),
    figure('lists of a range never seen', unseen),
  ]
}

function shown(value: number): string {
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
}
