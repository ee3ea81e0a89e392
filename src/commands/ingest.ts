/** izvor ingest FILE …: publishes a file, which is served from the next request on. */

import { type Command, Option } from 'commander'
import { quoteArgument } from '../base/text/quoting.ts'
import { UnreadFileError } from '../publish/edition/compose-report.ts'
import { refusalError } from '../publish/edition/gates.ts'
import type { IngestReport } from '../publish/edition/report.ts'
import { attemptIngest } from '../publish/ingest.ts'
import {
  flagOf,
  pickOptions,
  READ_OPTION_NAMES,
  READ_OPTIONS,
  type ReadOptions,
} from '../read/definition/read-options.ts'
import { splitTexts } from '../read/definition/text-list.ts'
import type { IngestProgress } from '../read/report/progress.ts'
import type { LateNode } from '../store/catalog/home.ts'
import { noteInAudit, noteLateNodes } from './cli/after-change.ts'
import type { Cli } from './cli/cli.ts'
import { createFolder, openCatalog } from './cli/folder.ts'
import { formatAmount, formatBytes, printJson } from './cli/print.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'
import { printRecords, printReport } from './ingest/summary.ts'

interface Given {
  readonly id?: string
  readonly domain?: string
  readonly title?: string
  readonly definition?: string
  readonly dryRun?: true
  readonly writeDefinition?: string
  readonly full?: true
  readonly append?: true
  readonly force?: true
  readonly acceptDrift?: true
  readonly acceptShrink?: true
  readonly allowPersonalData?: true | readonly string[]
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
    .option('--definition <file>', 'a definition file (default: the shipped one, if any)')
  addReadOptions(command)
    .option('--dry-run', 'do everything except publish, and print what would be served')
    .option(
      '--write-definition <file>',
      'save a definition to edit and keep: what the file does not say itself',
    )
    .option('--full', 'with --write-definition: also what was detected in the file')
    .option('--append', 'add the rows to those that are served, instead of replacing them')
    .option('--force', 'publish also a file that was published before in the same way')
    .option('--accept-drift', 'publish although columns or types differ from the served version')
    .option('--accept-shrink', 'publish although fewer rows than half of the served ones are left')
    .option(
      '--allow-personal-data [columns]',
      'columns that may hold personal data, separated by commas (without names: all)',
      splitTexts,
    )
    .option('--json', 'print JSON: the full report')
  addSettingOptions(command, { max_quarantine: 'share', max_mended: 'share', data: 'folder' })
    .addHelpText(
      'after',
      '\nExit code 4: refused (or, in a dry run, it would be): too many rows in quarantine or mended, changed columns, no rows or fewer than half of the served ones, keys that are served already, or data about people.',
    )
    .action((file: string, options: Given) => ingest(cli, file, options))
}

async function ingest(cli: Cli, file: string, options: Given): Promise<void> {
  const { values, origins } = readSettings(cli, options)
  const dataDir = createFolder(values)
  dataDir.sweep()
  const catalog = await openCatalog(values, dataDir)
  const progress = startProgress(cli, options.json === true)
  let report: IngestReport
  let late: readonly LateNode[] = []
  try {
    const { id, domain, title, definition, writeDefinition } = options
    report = await attemptIngest(
      { dataDir, catalog, now: cli.now },
      {
        ...{ file, id, domain, title, definition, writeDefinition, settings: values },
        read: givenOptions(options),
        // Refreshes keep the options that were given and follow the settings otherwise.
        maxQuarantine: origins.max_quarantine === '--max-quarantine' ? values.max_quarantine : undefined,
        append: options.append,
        fullDefinition: options.full,
        force: options.force,
        maxMended: origins.max_mended === '--max-mended' ? values.max_mended : undefined,
        dryRun: options.dryRun === true,
        acceptDrift: options.acceptDrift === true,
        acceptShrink: options.acceptShrink,
        allowPersonalData: options.allowPersonalData,
        onProgress: (at) => progress.update(at),
      },
    )
    progress.stop()
    if (report.published) {
      const detail = `${report.dataset} version ${report.version}`
      await noteInAudit(cli, values, dataDir, { event: 'dataset_published', detail })
      late = await noteLateNodes(cli, catalog, report.dataset)
    }
  } catch (error) {
    if (error instanceof UnreadFileError) {
      if (options.json) printJson(cli, error.report)
      else {
        printRecords(cli, error.report.records)
        printStarter(cli, options.writeDefinition)
      }
    }
    throw error
  } finally {
    progress.stop()
    catalog.close()
  }
  if (options.json) printJson(cli, late.length === 0 ? report : { ...report, late_nodes: late })
  else printReport(cli, report, { file, data: options.data, writtenDefinition: options.writeDefinition })
  if (report.refusals.length > 0) throw refusalError(report.refusals)
}

/** Where the definition is that a refused file was given all the same. */
function printStarter(cli: Cli, path: string | undefined): void {
  if (path === undefined) return
  const file = quoteArgument(path)
  cli.print(
    `\na definition to begin with is in ${file}: add to it how the file is read ("read"), and name it with --definition ${file}\n`,
  )
}

/** The options of `READ_OPTIONS` that the command line has. */
function addReadOptions(command: Command): Command {
  for (const name of READ_OPTION_NAMES) {
    const { flag, help, schema, parse } = READ_OPTIONS[name]
    if (flag === null) continue
    const option = new Option(flag, help)
    if (schema.enum) option.choices(schema.enum)
    if (parse) option.argParser(parse)
    command.addOption(option)
  }
  return command
}

/** @param given what commander hands to an action: the options given, by camel-case name */
function givenOptions(given: object): ReadOptions {
  const values = new Map<string, unknown>(Object.entries(given))
  return pickOptions((name) => {
    const flag = flagOf(name)
    return flag === null ? undefined : values.get(new Option(flag).attributeName())
  })
}

interface Progress {
  update(at: IngestProgress): void
  stop(): void
}

const PHASES = {
  fetching: 'fetching',
  unpacking: 'unpacking',
  converting: 'converting',
  reading: 'reading',
  typing: 'finding types',
  writing: 'writing',
} as const

/** An earlier rate reflects the start only. */
const SETTLED_MS = 500

/** Between two pictures of the bar, in milliseconds. */
const FRAME_MS = 100
const BAR_CELLS = 30

/** A bar on standard error when that is a terminal, else one without effect. */
function startProgress(cli: Cli, silent: boolean): Progress {
  if (silent || !cli.terminal.messages) return { update: () => {}, stop: () => {} }
  const stream = cli.messageStream
  let began = 0
  let shown = 0
  let phase: IngestProgress['phase'] | null = null
  return {
    update(at) {
      const now = cli.now().getTime()
      // Each phase has its own speed.
      if (phase !== at.phase) began = now
      else if (now - shown < FRAME_MS) return
      phase = at.phase
      shown = now
      // Standard input has no known size: the bar stays empty, the numbers grow.
      const filled = Math.min(BAR_CELLS, Math.floor((BAR_CELLS * at.bytes) / (at.totalBytes || Infinity)))
      const bar = '█'.repeat(filled).padEnd(BAR_CELLS, '░')
      const line = `${bar} ${describeProgress(at, now - began)}`.slice(0, (stream.columns || 80) - 1)
      stream.write(`\r\x1b[K${line}`)
    },
    stop: () => void stream.write('\r\x1b[K'),
  }
}

/**
 * One line about an ingest under way: what it does, how fast, and how long it still reads.
 * @param elapsed since the phase began, in milliseconds
 */
export function describeProgress(
  { phase, bytes, totalBytes, rows }: IngestProgress,
  elapsed: number,
): string {
  const amount = formatAmount(rows, 'row')
  if (phase === 'writing') return `${PHASES.writing} column ${bytes + 1} of ${totalBytes ?? '?'}, ${amount}`
  if (phase === 'reading' && totalBytes !== null && bytes >= totalBytes) return `${PHASES.typing}, ${amount}`
  const rate = elapsed >= SETTLED_MS ? bytes / elapsed : 0
  const speed = rate > 0 ? `, ${formatBytes(Math.round(rate * 1000))}/s` : ''
  const left = rate > 0 && totalBytes !== null ? `, ${formatTime((totalBytes - bytes) / rate)} left` : ''
  const found = phase === 'reading' ? `, ${amount}` : ''
  return `${PHASES[phase]} ${formatBytes(bytes)}${speed}${found}${left}`
}

/** @param milliseconds rounded up to seconds: `7 s`, `2 min 5 s` */
function formatTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
