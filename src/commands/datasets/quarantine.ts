/** izvor datasets quarantine ID [--version N] [--limit N] [--csv | --json]: the rows that were refused, and why. */

import type { Command } from 'commander'
import { CommandError } from '../../errors.ts'
import { explainReason } from '../../ingest/finding-words.ts'
import type { QuarantinedRow } from '../../storage/version-format.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { csvCell } from '../csv-cell.ts'
import { withCatalog } from '../folder.ts'
import { formatAmount, printTable } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'
import { type KeptVersion, openKeptVersion } from './kept-version.ts'

interface Given {
  readonly version?: number
  readonly limit?: number
  readonly csv?: true
  readonly json?: true
}

/** Rows listed for people who do not say how many. */
const LISTED = 100

export function addDatasetsQuarantine(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('quarantine')
    .description('List the rows of a dataset that were not imported, with line, reason and raw text.')
    .argument('<id>', 'the dataset')
    .option('--version <number>', 'a kept version (default: the one being served)', parseCountingNumber)
    .option(
      '--limit <rows>',
      `how many rows to list (default: ${LISTED} for people, all with --csv and --json)`,
      parseCountingNumber,
    )
    .option('--csv', 'print CSV (RFC 4180): line, column, reason, raw; the raw text exactly as it was')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (id: string, options: Given) => {
    if (options.csv && options.json) throw new CommandError('usage', 'choose one of --csv and --json')
    const { values } = readSettings(cli, options)
    const kept = withCatalog(values, (catalog, folder) =>
      openKeptVersion(catalog, folder, id, options.version),
    )
    try {
      const rows = firstOf(kept.file.quarantine(), options.limit ?? Number.POSITIVE_INFINITY)
      if (options.json) await printRowsAsJson(cli, rows)
      else if (options.csv) await printRowsAsCsv(cli, rows)
      else printRows(cli, kept, options.limit ?? LISTED)
    } finally {
      kept.file.close()
    }
  })
}

function* firstOf<T>(items: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const item of items) {
    yield item
    if (++count >= most) return
  }
}

/** Characters after which the reader is waited for: a refused file may have millions of rows. */
const PRINTED_AT_ONCE = 64 * 1024

async function printInPieces(cli: Cli, texts: Iterable<string>): Promise<void> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < PRINTED_AT_ONCE) continue
    cli.print(piece)
    piece = ''
    await cli.drained()
  }
  cli.print(piece)
}

async function printRowsAsJson(cli: Cli, rows: Iterable<QuarantinedRow>): Promise<void> {
  let separator = '['
  await printInPieces(
    cli,
    mapEach(rows, (row) => {
      const text = separator + JSON.stringify(row)
      separator = ','
      return text
    }),
  )
  cli.print(separator === '[' ? '[]\n' : ']\n')
}

async function printRowsAsCsv(cli: Cli, rows: Iterable<QuarantinedRow>): Promise<void> {
  cli.print('line,column,reason,raw\r\n')
  await printInPieces(
    cli,
    mapEach(rows, ({ line, column, reason, raw }) => {
      return `${[String(line), column ?? '', reason, raw].map(csvCell).join(',')}\r\n`
    }),
  )
}

function* mapEach<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

function printRows(cli: Cli, { record, file }: KeptVersion, limit: number): void {
  const total = file.header.quarantined
  if (total === 0) {
    cli.note('Every row was imported: the quarantine is empty.')
    return
  }
  printTable(cli, record.quality.quarantine, [
    { title: 'rows', value: ({ count }) => count },
    { title: 'reason', value: ({ reason }) => reason },
    { title: 'that is', value: ({ reason }) => explainReason(reason) },
  ])
  cli.print('\n')
  const rows = [...firstOf(file.quarantine(), limit)]
  printTable(cli, rows, [
    { title: 'line', value: (row) => row.line },
    { title: 'column', value: (row) => row.column },
    { title: 'reason', value: (row) => row.reason },
    { title: 'raw', value: (row) => row.raw },
  ])
  if (total > rows.length)
    cli.note(`${formatAmount(total - rows.length, 'more row')}: see --limit, --csv and --json.`)
}
