/** Prints the report of an ingest on one screen. */

import { fitName, fitText } from '../../base/text/fit-text.ts'
import { quoteArgument } from '../../base/text/quoting.ts'
import { describeDrift } from '../../publish/edition/compare-served.ts'
import type { IngestReport } from '../../publish/edition/compose-report.ts'
import type { IngestRequest } from '../../publish/ingest.ts'
import { explainCode, REASON_WORDS, REPAIR_WORDS } from '../../read/report/finding-words.ts'
import type { Cli } from '../cli/cli.ts'
import {
  formatAmount,
  formatBytes,
  formatDuration,
  oneLine,
  paint,
  printFacts,
  printTable,
  type TableColumns,
} from '../cli/print.ts'
import { printColumns, printEvidence } from './columns.ts'

/** Lines of each list; a dry run shows more. */
const SHORT = { findings: 8, decisions: 8, rows: 5 }
const LONG = { findings: 40, decisions: 40, rows: 20 }
const OF_EACH_REASON = 5
const RAW_WIDTH = 72
const NAME_WIDTH = 40
/** Below this confidence a person should check how the file was read. */
const SURE = 0.8

type Lengths = typeof SHORT

/** As given on the command line, for the next steps. */
type Given = Pick<IngestRequest, 'file' | 'writeDefinition'> & { readonly data?: string }

/** Prints the report of an ingest, of a refused one, or of a dry run, for people. */
export function printReport(cli: Cli, report: IngestReport, options: Given): void {
  const bold = (text: string) => paint(cli)('bold', text)
  const lengths = report.published ? SHORT : LONG
  const name = bold(`${report.domain}/${report.dataset}`)
  cli.print(`${name}: ${nameOutcome(report)}, in ${formatDuration(report.duration_ms)}\n\n`)
  printSource(cli, report)
  printRecords(cli, report.records)
  if (report.decisions.length > 0) cli.print('\ndecided (in brackets: the option that changes it):\n')
  for (const { reason, override } of report.decisions.slice(0, lengths.decisions))
    cli.print(`- ${oneLine(reason)}${override === null ? '' : ` (${override})`}\n`)
  printRest(cli, report.decisions.length, lengths.decisions)
  printColumns(cli, report)
  printEvidence(cli, report)
  printRepairs(cli, report, lengths)
  printMended(cli, report, lengths)
  printQuarantine(cli, report, lengths)
  printLeftOut(cli, report)
  printDrift(cli, report)
  if (report.warnings.length > 0) cli.print('\n')
  for (const warning of report.warnings) cli.print(`warning: ${oneLine(warning)}\n`)
  printNextSteps(cli, report, options)
}

function nameOutcome(report: IngestReport): string {
  const { published, version, unchanged, dry_run: dryRun, refusals } = report
  if (published) return `version ${version}`
  if (unchanged && dryRun) return 'dry run, unchanged: the same is served already'
  if (unchanged) return `unchanged: version ${version} has it already, so nothing was published`
  if (dryRun) return refusals.length > 0 ? 'dry run, it would be refused' : 'dry run, nothing published'
  return 'refused, nothing published'
}

function printSource(cli: Cli, report: IngestReport): void {
  const { source, rows, append } = report
  const quarantined = rows.quarantined > 0 ? `, ${formatAmount(rows.quarantined, 'row')} quarantined` : ''
  const leftOut = rows.left_out > 0 ? `, ${formatAmount(rows.left_out, 'line')} around them left out` : ''
  const blank = rows.blank > 0 ? `, ${formatAmount(rows.blank, 'blank record')} left out` : ''
  printFacts(cli, [
    ['source', `${fitText(source.file, RAW_WIDTH)}, ${formatBytes(source.bytes)}`],
    ['sha256', source.sha256],
    ['read as', describeDialect(report)],
    [
      'rows',
      `${formatAmount(rows.imported, 'row')} imported of ${formatAmount(rows.read, 'record')}${quarantined}${leftOut}${blank}`,
    ],
    [
      'added to',
      append &&
        `version ${append.version} with ${formatAmount(append.rows, 'row')}, of which ${formatAmount(append.replaced, 'is', 'are')} replaced`,
    ],
  ])
}

function describeDialect({ dialect }: IngestReport): string {
  const { format, sheet, encoding, delimiter, quote, header_rows: header, confidence } = dialect
  const place = header.length === 0 ? 'no header' : `header in record ${nameRecords(header)}`
  const text = `${encoding}, delimiter ${nameCharacter(delimiter)}, quote ${nameCharacter(quote)}`
  const how = format === 'csv' ? text : sheet === null ? null : `sheet ${JSON.stringify(sheet)}`
  const parts = [format, how, place].filter((part) => part !== null)
  const doubt = confidence < SURE ? ': look at the columns below' : ''
  return `${parts.join(', ')} (${Math.round(confidence * 100)} % sure${doubt})`
}

/** The first records as they were read, numbered, with the role of each. */
export function printRecords(cli: Cli, records: IngestReport['records']): void {
  if (records.length === 0) return
  cli.print('\nthe first records as read:\n')
  printTable(cli, records, {
    record: 'number',
    'taken for': 'role',
    cells: ({ cells }) => fitText(cells.map(oneLine).join(' | '), RAW_WIDTH),
  })
}

/** Records of a header as `--header-row` takes them: `4`, `3-4`, or a list. */
function nameRecords(records: readonly number[]): string {
  const [first = 0] = records
  const last = records.at(-1) ?? first
  if (records.length === 1) return String(first)
  return last - first === records.length - 1 ? `${first}-${last}` : records.join(',')
}

function nameCharacter(character: string): string {
  if (character === '') return 'none'
  if (character === '\t') return 'tab'
  return character === '"' ? `'"'` : JSON.stringify(character)
}

/** Prints the first rows of a list as a table, and how many more there are; nothing if it is empty. */
function printList<Row>(cli: Cli, rows: readonly Row[], most: number, columns: TableColumns<Row>): void {
  if (rows.length === 0) return
  cli.print('\n')
  printTable(cli, rows.slice(0, most), columns)
  printRest(cli, rows.length, most)
}

function printRepairs(cli: Cli, { repairs }: IngestReport, lengths: Lengths): void {
  printList(cli, repairs, lengths.findings, {
    repaired: 'kind',
    column: (repair) => fitName(repair.column, NAME_WIDTH),
    cells: 'count',
    'that is': (repair) => REPAIR_WORDS[repair.kind],
  })
}

function printMended(cli: Cli, { repaired_sample: sample }: IngestReport, lengths: Lengths): void {
  if (sample.length === 0) return
  cli.print('\nmended, for example:\n')
  printTable(cli, sample.slice(0, lengths.rows), {
    line: 'line',
    kind: 'kind',
    text: (row) => fitText(row.raw, RAW_WIDTH),
  })
}

function printQuarantine(cli: Cli, report: IngestReport, lengths: Lengths): void {
  const { quarantine, quarantine_sample: sample } = report
  if (quarantine.length === 0) return
  printList(cli, quarantine, lengths.findings, {
    'quarantined because': 'reason',
    rows: 'count',
    'first line': 'first_line',
    'that is': (reason) => explainCode(REASON_WORDS, reason.reason),
  })
  cli.print('for example:\n')
  printTable(cli, fewOfEach(sample).slice(0, lengths.rows), {
    line: 'line',
    column: (row) => row.column && fitName(row.column, NAME_WIDTH),
    reason: 'reason',
    text: (row) => fitText(row.raw, RAW_WIDTH),
  })
}

function printLeftOut(cli: Cli, { left_out: leftOut }: IngestReport): void {
  printList(cli, leftOut, leftOut.length, {
    'left out': 'kind',
    lines: 'count',
    'first line': 'first_line',
    'that is': ({ kind }) => explainCode(REASON_WORDS, kind),
  })
}

function fewOfEach(sample: IngestReport['quarantine_sample']): IngestReport['quarantine_sample'] {
  const faultOf = ({ column, reason }: (typeof sample)[number]) => `${reason} ${column}`
  const seen = new Map<string, number>()
  return sample.filter((row) => {
    const count = (seen.get(faultOf(row)) ?? 0) + 1
    seen.set(faultOf(row), count)
    return count <= OF_EACH_REASON
  })
}

/** What differs from the served version, unless a refusal says so. */
function printDrift(cli: Cli, { drift, refusals, read }: IngestReport): void {
  if (drift === null || refusals.some(({ kind }) => kind === 'drift' || kind === 'append_drift')) return
  const lines = describeDrift(drift, read).split('\n').map(oneLine)
  cli.print(`\nnot as in the served version:\n${lines.join('\n')}\n`)
}

function printRest(cli: Cli, count: number, shown: number): void {
  if (count > shown) cli.print(`… and ${formatAmount(count - shown, 'more line')} (--json)\n`)
}

function printNextSteps(cli: Cli, report: IngestReport, given: Given): void {
  const { dataset, domain, published, unchanged, refusals, rows } = report
  const file = given.writeDefinition && quoteArgument(given.writeDefinition)
  const folder = given.data === undefined ? '' : ` --data ${quoteArgument(given.data)}`
  const lines: string[] = []
  if (published) lines.push(`served at /v1/${domain}/${dataset} by "${cli.program} serve"`)
  if (published && rows.quarantined > 0)
    lines.push(`refused rows: ${cli.program} datasets quarantine ${dataset}${folder}`)
  if (published && report.repaired_sample.length > 0)
    lines.push(`mended rows: ${cli.program} datasets repaired ${dataset}${folder}`)
  if (file)
    lines.push(
      `what was decided is in ${file}: edit it (title, names and types of columns), and name it with --definition ${file}`,
    )
  if (unchanged) lines.push('to publish it all the same: the same command with --force')
  if (report.dry_run && !unchanged && refusals.length === 0) {
    const how = file
      ? `${cli.program} ingest ${quoteArgument(given.file)} --definition ${file}${folder}`
      : 'the same command without --dry-run'
    lines.push(`to publish it: ${how}`)
  }
  if (lines.length > 0) cli.print(`\n${lines.join('\n')}\n`)
}
