/** izvor ingest FILE …: reads a published file and serves it from the next request on. */

import { SingleBar } from 'cli-progress'
import type { Command } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import { type IngestProgress, type IngestRequest, ingestFile } from '../ingest/ingest.ts'
import type { IngestReport } from '../ingest/report.ts'
import { parseCountingNumber } from './arguments.ts'
import type { Cli } from './cli.ts'
import { createFolder } from './folder.ts'
import { printReport } from './ingest-summary.ts'
import { formatAmount, formatBytes, printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

interface Given {
  readonly id?: string
  readonly domain?: string
  readonly title?: string
  readonly definition?: string
  readonly encoding?: string
  readonly delimiter?: string
  readonly headerRow?: number
  readonly maxQuarantine?: string
  readonly dryRun?: true
  readonly acceptDrift?: true
  readonly json?: true
}

export function addIngest(program: Command, cli: Cli): void {
  const command = program
    .command('ingest')
    .description(
      'Read a file of delimited text, check it, and serve it as a dataset from the next request on.',
    )
    .argument('<file>', 'a path, or - for standard input')
    .option('--id <id>', 'the dataset (default: from the definition, else the file name)')
    .option('--domain <domain>', 'its domain, for example economy; needed where no definition names it')
    .option('--title <text>', 'its title in the catalog')
    .option('--definition <file>', 'a definition file (default: the shipped one, where there is one)')
    .option('--encoding <name>', 'the encoding, for example windows-1250 (default: found out)')
    .option('--delimiter <character>', 'the delimiter, or the word tab (default: found out)')
    .option('--header-row <number>', 'the record that holds the headers, from 1', parseCountingNumber)
    .option('--dry-run', 'do everything but publish')
    .option('--accept-drift', 'publish although columns or types differ from the served version')
    .option('--json', 'print JSON: the full report')
  addSettingOptions(command, { max_quarantine: 'share', data: 'folder' })
    .addHelpText('after', '\nExit code 4: refused, because of the quarantine or of changed columns.')
    .action((file: string, options: Given) => ingest(cli, file, options))
}

async function ingest(cli: Cli, file: string, options: Given): Promise<void> {
  const { values } = readSettings(cli, options)
  const dataDir = createFolder(values)
  dataDir.sweep()
  const catalog = Catalog.open(dataDir, { keepVersions: values.keep_versions })
  const progress = startProgress(cli, options.json === true)
  let report: IngestReport
  try {
    const request = toRequest(file, options, values.max_quarantine)
    report = await ingestFile(
      { dataDir, catalog, now: cli.now },
      { ...request, onProgress: (at) => progress.update(at) },
    )
  } finally {
    progress.stop()
    catalog.close()
  }
  if (options.json) printJson(cli, report)
  else printReport(cli, report)
}

function toRequest(file: string, options: Given, maxQuarantine: number): IngestRequest {
  const { id, domain, title, definition, encoding, headerRow } = options
  const delimiter = options.delimiter === 'tab' || options.delimiter === '\\t' ? '\t' : options.delimiter
  return {
    file,
    id,
    domain,
    title,
    definition,
    encoding,
    delimiter,
    headerRow,
    maxQuarantine,
    dryRun: options.dryRun === true,
    acceptDrift: options.acceptDrift === true,
  }
}

/** A bar on standard error for a person, nothing for a program. */
function startProgress(
  cli: Cli,
  silent: boolean,
): { update: (at: IngestProgress) => void; stop: () => void } {
  if (silent || !cli.terminal.messages) return { update: () => {}, stop: () => {} }
  const bar = new SingleBar({
    stream: cli.messageStream,
    clearOnComplete: true,
    // Ctrl-C ends the process at once: nothing may be changed on the terminal that would have to be restored.
    hideCursor: false,
    linewrap: true,
    format: '{bar} {read}, {rows}',
    barsize: 30,
  })
  let started = false
  return {
    update({ bytes, totalBytes, rows }) {
      const shown = { read: formatBytes(bytes), rows: formatAmount(rows, 'row') }
      // Standard input has no known end: the bar then stays empty and the numbers tell.
      if (!started) bar.start(totalBytes ?? Number.MAX_SAFE_INTEGER, 0, shown)
      started = true
      bar.update(bytes, shown)
    },
    stop: () => bar.stop(),
  }
}
