/** izvor datasets quarantine ID [--version N] [--limit N] [--json]: the rows that were refused, and why. */

import type { Command } from 'commander'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Config } from '../../config.ts'
import { CommandError } from '../../errors.ts'
import { VersionFile } from '../../storage/open-version.ts'
import type { QuarantinedRow } from '../../storage/version-format.ts'
import { parseCountingNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { withCatalog } from '../folder.ts'
import { formatAmount, printTable } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

interface Given {
  readonly version?: number
  readonly limit: number
  readonly json?: true
}

export function addDatasetsQuarantine(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('quarantine')
    .description('List the rows of a dataset that were not imported, with line, reason and raw text.')
    .argument('<id>', 'the dataset')
    .option('--version <number>', 'a kept version (default: the one being served)', parseCountingNumber)
    .option('--limit <rows>', 'how many rows to list for people; --json prints all', parseCountingNumber, 100)
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (id: string, options: Given) => {
    const file = openVersion(readSettings(cli, options).values, id, options.version)
    try {
      if (options.json) await printRowsAsJson(cli, file.quarantine())
      else printRows(cli, file, options.limit)
    } finally {
      file.close()
    }
  })
}

function openVersion(config: Config, id: string, version: number | undefined): VersionFile {
  return withCatalog(config, (catalog, folder) => {
    const found = findVersion(catalog, id, version)
    return VersionFile.open(folder.versionFile(id, found))
  })
}

function findVersion(catalog: Catalog, id: string, wanted: number | undefined): number {
  const versions = catalog.versions(id)
  if (versions.length === 0) throw new CommandError('failed', `there is no dataset ${id}`)
  const found = versions.find(({ version, served }) => (wanted === undefined ? served : version === wanted))
  if (found !== undefined) return found.version
  const kept = versions.map(({ version }) => version).join(', ')
  throw new CommandError('failed', `version ${wanted} of ${id} is not kept; there is ${kept}`)
}

/** Characters after which the reader is waited for: a refused file may have millions of rows. */
const PRINTED_AT_ONCE = 64 * 1024

async function printRowsAsJson(cli: Cli, rows: Iterable<QuarantinedRow>): Promise<void> {
  let text = '['
  let separator = ''
  for (const row of rows) {
    text += separator + JSON.stringify(row)
    separator = ','
    if (text.length < PRINTED_AT_ONCE) continue
    cli.print(text)
    text = ''
    await cli.drained()
  }
  cli.print(`${text}]\n`)
}

function printRows(cli: Cli, file: VersionFile, limit: number): void {
  const total = file.header.quarantined
  if (total === 0) {
    cli.note('Every row was imported: the quarantine is empty.')
    return
  }
  const rows: QuarantinedRow[] = []
  for (const row of file.quarantine()) if (rows.push(row) >= limit) break
  printTable(cli, rows, [
    { title: 'line', value: (row) => row.line },
    { title: 'column', value: (row) => row.column },
    { title: 'reason', value: (row) => row.reason },
    { title: 'raw', value: (row) => row.raw },
  ])
  if (total > rows.length)
    cli.note(`${formatAmount(total - rows.length, 'more row')}: see --limit and --json.`)
}
