/** izvor ingest FILE …: reads a published file and serves it from the next request on. */

import { type Command, Option } from 'commander'
import { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config.ts'
import { refusalError } from '../ingest/gates.ts'
import { attemptIngest, type IngestRequest } from '../ingest/ingest.ts'
import type { IngestReport } from '../ingest/report.ts'
import { parseHeaderRows } from '../ingest/structure/header-rows.ts'
import { UnreadFileError } from '../ingest/unread-file.ts'
import type { Cli } from './cli.ts'
import { createFolder } from './folder.ts'
import { startProgress } from './ingest-progress.ts'
import { printReport } from './ingest-summary.ts'
import { printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

interface Given {
  readonly id?: string
  readonly domain?: string
  readonly title?: string
  readonly definition?: string
  readonly encoding?: string
  readonly delimiter?: string
  readonly sheet?: string
  readonly headerRow?: number[]
  readonly totals?: 'keep' | 'quarantine'
  readonly ragged?: 'repair' | 'quarantine'
  readonly maxQuarantine?: string
  readonly dryRun?: true
  readonly writeDefinition?: string
  readonly acceptDrift?: true
  readonly allowPersonalData?: true
  readonly data?: string
  readonly json?: true
}

export function addIngest(program: Command, cli: Cli): void {
  const command = program
    .command('ingest')
    .description(
      'Read a published file (CSV, XLSX, XLS, ODS, JSON, NDJSON), check it, and serve it as a dataset from the next request on.',
    )
    .argument(
      '<file>',
      'a path, - for standard input, an http(s) address, or ckan:ADDRESS/PACKAGE[/RESOURCE]',
    )
    .option('--id <id>', 'the dataset (default: from the definition, else the file name)')
    .option('--domain <domain>', 'its domain, for example economy; needed where no definition names it')
    .option('--title <text>', 'its title in the catalog')
    .option('--definition <file>', 'a definition file (default: the shipped one, where there is one)')
    .option('--encoding <name>', 'the encoding, for example windows-1250 (default: found out)')
    .option('--delimiter <character>', 'the delimiter, or the word tab (default: found out)')
    .option('--sheet <name>', 'the sheet of a workbook, by name or number (default: the largest table)')
    .option(
      '--header-row <number>',
      'the record (row of the file, blank ones counted) with the headers, from 1; 3-4 for a header of two, 0 for none',
      parseHeaderRows,
    )
    .addOption(
      new Option('--totals <what>', 'rows of totals (default: keep)').choices(['keep', 'quarantine']),
    )
    .addOption(
      new Option(
        '--ragged <what>',
        'rows with more or fewer cells than the header (default: repair)',
      ).choices(['repair', 'quarantine']),
    )
    .option('--dry-run', 'do everything but publish, and show what would be served')
    .option('--write-definition <file>', 'save what was decided as a definition, to edit and to keep')
    .option('--accept-drift', 'publish although columns or types differ from the served version')
    .option('--allow-personal-data', 'publish columns that look like data about people without a word')
    .option('--json', 'print JSON: the full report')
  addSettingOptions(command, { max_quarantine: 'share', data: 'folder' })
    .addHelpText(
      'after',
      '\nExit code 4: refused (or, in a dry run, it would be): too many rows in quarantine, changed columns, no rows, or data about people.',
    )
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
    const request = toRequest(file, options, values)
    report = await attemptIngest(
      { dataDir, catalog, now: cli.now },
      { ...request, onProgress: (at) => progress.update(at) },
    )
  } catch (error) {
    if (options.json && error instanceof UnreadFileError) printJson(cli, error.report)
    throw error
  } finally {
    progress.stop()
    catalog.close()
  }
  if (options.json) printJson(cli, report)
  else printReport(cli, report, { file, data: options.data, writtenDefinition: options.writeDefinition })
  if (report.refusals.length > 0) throw refusalError(report.refusals)
}

function toRequest(file: string, options: Given, settings: Config): IngestRequest {
  const { id, domain, title, definition, encoding, sheet, headerRow, totals, ragged, writeDefinition } =
    options
  const delimiter = options.delimiter === 'tab' || options.delimiter === '\\t' ? '\t' : options.delimiter
  return {
    file,
    id,
    domain,
    title,
    definition,
    encoding,
    delimiter,
    sheet,
    headerRow,
    totals,
    ragged,
    maxQuarantine: settings.max_quarantine,
    personalData: settings.personal_data,
    dryRun: options.dryRun === true,
    acceptDrift: options.acceptDrift === true,
    allowPersonalData: options.allowPersonalData === true,
    writeDefinition,
  }
}
