/** izvor ingest FILE …: publishes a file, which is served from the next request on. */

import { type Command, Option } from 'commander'
import { atEnd, closing } from '../base/closing.ts'
import { quoteArgument } from '../base/text/quoting.ts'
import { UnreadFileError } from '../publish/edition/compose-report.ts'
import { refusalError } from '../publish/edition/gates.ts'
import { attemptIngest, type IngestRequest } from '../publish/ingest.ts'
import {
  flagOf,
  pickOptions,
  READ_OPTION_NAMES,
  READ_OPTIONS,
  splitTexts,
} from '../read/definition/read-options.ts'
import type { IngestProgress } from '../read/report/progress.ts'
import { noteLateNodes, notePublished } from './cli/after-change.ts'
import type { Cli } from './cli/cli.ts'
import { type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { createFolder, openCatalog } from './cli/folder.ts'
import { formatAmount, formatBytes, printJson } from './cli/print.ts'
import { printRecords, printReport } from './ingest/summary.ts'

/** Options have the names of the request's fields. */
interface Given extends Omit<IngestRequest, 'file' | 'settings' | 'onProgress'> {
  readonly full?: true
  readonly data?: string
  readonly json?: true
}

export const ingest = settingsCommand({
  name: 'ingest',
  description:
    'Read a published file (CSV, XLSX, XLS, ODS, JSON, NDJSON), check it, and serve it as a dataset from the next request on.',
  takes: (command) =>
    addReadOptions(
      command
        .argument(
          '<file>',
          'a path, - for standard input, an http(s) address, or ckan:ADDRESS/PACKAGE[/RESOURCE]',
        )
        .option('--id <id>', 'the dataset (default: from the definition, else the file name)')
        .option('--domain <domain>', 'its domain, for example economy; needed where no definition names it')
        .option('--title <text>', 'its title in the catalog')
        .option('--definition <file>', 'a definition file (default: the shipped one, if any)'),
    )
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
      ),
  settings: { max_quarantine: 'share', max_mended: 'share', data: 'folder' },
  jsonHelp: ': the full report',
  help: '\nExit code 4: refused (or, in a dry run, it would be): too many rows in quarantine or mended, changed columns, no rows or fewer than half of the served ones, keys that are served already, or data about people.',
  does: publish,
  json: ({ report, late }) => (late.length === 0 ? report : { ...report, late_nodes: late }),
  prints: (cli, { report }, file, options) => printReport(cli, report, { ...options, file }),
  refuses({ report }) {
    if (report.refusals.length > 0) throw refusalError(report.refusals)
  },
})

/** @throws CommandError `refused` for a file that could not be read, after printing the part that was read */
async function publish({ cli, config, loaded: { origins } }: SettingsPlace, file: string, given: Given) {
  const folder = createFolder(config)
  folder.sweep()
  using catalog = closing(await openCatalog(config, folder))
  const progress = startProgress(cli, given.json === true)
  using _ = atEnd(progress.stop)
  const { json, full: fullDefinition, data: _data, ...asked } = given
  // Refreshes keep the options given here, and follow the settings otherwise.
  const ownLimit = (name: 'max_quarantine' | 'max_mended', flag: string) =>
    origins[name] === flag ? config[name] : undefined
  try {
    const report = await attemptIngest(
      { dataDir: folder, catalog, now: cli.now },
      {
        ...asked,
        file,
        fullDefinition,
        settings: config,
        read: pickOptions((name) => {
          const flag = flagOf(name)
          return flag === null ? undefined : Object(given)[new Option(flag).attributeName()]
        }),
        maxQuarantine: ownLimit('max_quarantine', '--max-quarantine'),
        maxMended: ownLimit('max_mended', '--max-mended'),
        onProgress: progress.update,
      },
    )
    progress.stop()
    if (!report.published) return { report, late: [] }
    await notePublished({ cli, config, folder, catalog }, report)
    return { report, late: await noteLateNodes(cli, catalog, report.dataset) }
  } catch (error) {
    progress.stop()
    if (error instanceof UnreadFileError && json) printJson(cli, error.report)
    else if (error instanceof UnreadFileError) {
      printRecords(cli, error.report.records)
      if (given.writeDefinition !== undefined) {
        const starter = quoteArgument(given.writeDefinition)
        cli.print(
          `\na definition to begin with is in ${starter}: add to it how the file is read ("read"), and name it with --definition ${starter}\n`,
        )
      }
    }
    throw error
  }
}

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

/** Before that, the rate reflects only the start. */
const SETTLED_MS = 500

const FRAME_MS = 100
const BAR_CELLS = 30

/** A progress bar on standard error if that is a terminal, else one that does nothing. */
function startProgress(cli: Cli, silent: boolean) {
  if (silent || !cli.terminal.messages) return { update: () => {}, stop: () => {} }
  const stream = cli.messageStream
  let began = 0
  let shown = 0
  let phase: IngestProgress['phase'] | null = null
  return {
    update(at: IngestProgress) {
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
 * One line about an ingest under way: what it does, how fast, and how long reading will still take.
 * @param elapsed since the phase began, in milliseconds
 */
export function describeProgress(
  { phase, bytes, totalBytes, rows }: IngestProgress,
  elapsed: number,
): string {
  const amount = formatAmount(rows, 'row')
  if (phase === 'writing') return `writing column ${bytes + 1} of ${totalBytes ?? '?'}, ${amount}`
  if (phase === 'reading' && totalBytes !== null && bytes >= totalBytes) return `finding types, ${amount}`
  const rate = elapsed >= SETTLED_MS ? bytes / elapsed : 0
  const speed = rate > 0 ? `, ${formatBytes(Math.round(rate * 1000))}/s` : ''
  const seconds = rate > 0 && totalBytes !== null ? Math.ceil((totalBytes - bytes) / rate / 1000) : null
  const time = (s: number) => (s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`)
  const left = seconds === null ? '' : `, ${time(seconds)} left`
  const found = phase === 'reading' ? `, ${amount}` : ''
  return `${phase} ${formatBytes(bytes)}${speed}${found}${left}`
}
