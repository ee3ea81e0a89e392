/** Rows of the source that a version file keeps, as `datasets quarantine` and `datasets repaired` list them. */

import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { explainMended, explainReason } from '../../read/report/finding-words.ts'
import type { VersionFile } from '../../store/files/open-version.ts'
import { parseCountingNumber } from '../cli/arguments.ts'
import type { Cli } from '../cli/cli.ts'
import { type SettingsPlace, settingsCommand } from '../cli/command-row.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatAmount, printTable } from '../cli/print.ts'
import { type KeptVersion, openKeptVersion } from './kept-version.ts'

interface Given {
  readonly version?: number
  readonly limit?: number
  readonly csv?: true
  readonly json?: true
}

/** A list of kept rows, by the names of their fields. */
interface KeptRows<Name extends string> {
  readonly name: string
  readonly description: string
  readonly fields: readonly Name[]
  readonly rowsOf: (file: VersionFile) => Iterable<Readonly<Record<Name, string | number | null>>>
  readonly countOf: (file: VersionFile) => number
  readonly nothing: string
  /** Prints what stands above the list. */
  readonly printCounts: (cli: Cli, kept: KeptVersion) => void
}

const LISTED = 100

function listing<Name extends string>(list: KeptRows<Name>) {
  const { name, description, fields, rowsOf } = list
  return settingsCommand({
    name,
    description,
    takes: (command) =>
      command
        .argument('<id>', 'the dataset')
        .option('--version <number>', 'a kept version (default: the served one)', parseCountingNumber)
        .option(
          '--limit <rows>',
          `how many rows to list (default: ${LISTED}; all with --csv and --json)`,
          parseCountingNumber,
        )
        .option('--csv', `print CSV (RFC 4180): ${fields.join(', ')}; the raw text is unchanged`)
        .option('--json', 'print JSON'),
    // Piece by piece, as CSV is.
    json: null,
    checks: (_, { csv, json }) => {
      if (csv && json) throw new CommandError('usage', 'choose one of --csv and --json')
    },
    async does({ cli, config }: SettingsPlace, id: string, { version, limit, csv, json }: Given) {
      const kept = await withCatalog(config, (catalog, folder) =>
        openKeptVersion(catalog, folder, id, version),
      )
      using file = closing(kept.file)
      const rows = firstOf(rowsOf(file), limit ?? Number.POSITIVE_INFINITY)
      if (json) await printRowsAsJson(cli, rows)
      else if (csv) {
        const cells = (row: Readonly<Record<Name, string | number | null>>) =>
          fields.map((field) => csvCell(String(row[field] ?? ''))).join(',')
        cli.print(`${fields.join(',')}\r\n`)
        await printInPieces(
          cli,
          mapEach(rows, (row) => `${cells(row)}\r\n`),
        )
      } else printRows(cli, kept, list, limit ?? LISTED)
    },
  })
}

export const quarantine = listing({
  name: 'quarantine',
  description: 'List the rows of a dataset that were not imported, with line, reason and raw text.',
  fields: ['line', 'column', 'reason', 'raw'],
  rowsOf: (file) => file.quarantine(),
  countOf: ({ header }) => header.quarantined,
  nothing: 'Every row was imported: the quarantine is empty.',
  printCounts: (cli, { record }) =>
    printTable(cli, record.quality.quarantine, {
      rows: 'count',
      reason: 'reason',
      'that is': ({ reason }) => explainReason(reason),
    }),
})

export const repaired = listing({
  name: 'repaired',
  description:
    'List the rows of a dataset that had more or fewer cells than its header and were mended, with line, raw text and what was done.',
  fields: ['line', 'kind', 'raw'],
  rowsOf: (file) => file.mended(),
  countOf: ({ header }) => header.mended ?? 0,
  nothing: 'No row was mended.',
  printCounts: (cli, { record }) =>
    printTable(
      cli,
      Object.entries(record.quality.mended).filter(([, count]) => count > 0),
      { rows: ([, count]) => count, kind: ([kind]) => kind, 'that is': ([kind]) => explainMended(kind) },
    ),
})

function* firstOf<T>(items: Iterable<T>, most: number): Generator<T> {
  let count = 0
  for (const item of items) {
    yield item
    if (++count >= most) return
  }
}

/** Characters printed before waiting for the reader: a refused file may have millions of rows. */
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

async function printRowsAsJson(cli: Cli, rows: Iterable<unknown>): Promise<void> {
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

function* mapEach<T, U>(items: Iterable<T>, map: (item: T) => U): Generator<U> {
  for (const item of items) yield map(item)
}

function printRows<Name extends string>(
  cli: Cli,
  kept: KeptVersion,
  { fields, rowsOf, countOf, nothing, printCounts }: KeptRows<Name>,
  limit: number,
): void {
  const total = countOf(kept.file)
  if (total === 0) {
    cli.note(nothing)
    return
  }
  printCounts(cli, kept)
  cli.print('\n')
  const rows = [...firstOf(rowsOf(kept.file), limit)]
  const titles = fields.map((field) => [field, field] as const)
  printTable(cli, rows, Object.fromEntries(titles))
  if (total > rows.length)
    cli.note(`${formatAmount(total - rows.length, 'more row')}: see --limit, --csv and --json.`)
}
