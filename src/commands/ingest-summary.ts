/** What an ingest did, on one screen. */

import type { IngestReport } from '../ingest/report.ts'
import type { Cli } from './cli.ts'
import { formatAmount, formatBytes, formatDuration, paint, printFacts, printTable } from './print.ts'

/** Columns and reasons beyond these are left to `--json`: the summary must fit a screen. */
const SHOWN_COLUMNS = 40
const SHOWN_FINDINGS = 12

/** Prints the report of an ingest, or of a dry run, for people. */
export function printReport(cli: Cli, report: IngestReport): void {
  const { bold } = paint(cli)
  const name = bold(`${report.domain}/${report.dataset}`)
  const version = report.published ? `version ${report.version}` : 'dry run, nothing published'
  cli.print(`${name}: ${version}, in ${formatDuration(report.duration_ms)}\n\n`)
  printSource(cli, report)
  cli.print('\n')
  printColumns(cli, report)
  printFindings(cli, report)
  for (const warning of report.warnings) cli.print(`warning: ${warning}\n`)
  printWhere(cli, report)
}

function printSource(cli: Cli, { source, dialect, rows }: IngestReport): void {
  const quarantined = rows.quarantined > 0 ? `, ${formatAmount(rows.quarantined, 'row')} quarantined` : ''
  const blank = rows.blank > 0 ? `, ${formatAmount(rows.blank, 'blank record')} left out` : ''
  printFacts(cli, [
    ['source', `${source.file}, ${formatBytes(source.bytes)}`],
    ['sha256', source.sha256],
    [
      'read as',
      `${dialect.format}, ${dialect.encoding}, delimiter ${nameCharacter(dialect.delimiter)}, quote ${nameCharacter(dialect.quote)}`,
    ],
    [
      'rows',
      `${formatAmount(rows.imported, 'row')} imported of ${formatAmount(rows.read, 'record')}${quarantined}${blank}`,
    ],
  ])
}

/** A character as it can be read in the middle of a list: in quotes, or by its name. */
function nameCharacter(character: string): string {
  if (character === '') return 'none'
  if (character === '\t') return 'tab'
  return character === '"' ? `'"'` : JSON.stringify(character)
}

function printColumns(cli: Cli, { columns }: IngestReport): void {
  printTable(cli, columns.slice(0, SHOWN_COLUMNS), [
    { title: 'column', value: (column) => column.name },
    { title: 'type', value: (column) => column.type },
    { title: 'null', value: (column) => column.null_count },
    { title: 'distinct', value: (column) => column.distinct_count },
    { title: 'source', value: (column) => column.source_name },
  ])
  const left = columns.length - SHOWN_COLUMNS
  if (left > 0) cli.print(`… and ${formatAmount(left, 'more column')} (--json lists all)\n`)
}

function printFindings(cli: Cli, { repairs, quarantine }: IngestReport): void {
  if (repairs.length > 0) {
    cli.print('\n')
    printTable(cli, repairs.slice(0, SHOWN_FINDINGS), [
      { title: 'repaired', value: (repair) => repair.kind },
      { title: 'column', value: (repair) => repair.column },
      { title: 'cells', value: (repair) => repair.count },
    ])
    printRest(cli, repairs.length)
  }
  if (quarantine.length > 0) {
    cli.print('\n')
    printTable(cli, quarantine.slice(0, SHOWN_FINDINGS), [
      { title: 'quarantined because', value: (reason) => reason.reason },
      { title: 'rows', value: (reason) => reason.count },
      { title: 'first line', value: (reason) => reason.first_line },
    ])
    printRest(cli, quarantine.length)
  }
  cli.print('\n')
}

function printRest(cli: Cli, count: number): void {
  if (count > SHOWN_FINDINGS)
    cli.print(`… and ${formatAmount(count - SHOWN_FINDINGS, 'more line')} (--json)\n`)
}

function printWhere(cli: Cli, report: IngestReport): void {
  if (!report.published) return
  cli.print(`served at /v1/${report.domain}/${report.dataset} by "${cli.program} serve"\n`)
  if (report.rows.quarantined === 0) return
  cli.print(`refused rows: ${cli.program} datasets quarantine ${report.dataset}\n`)
}
