/** Source rows that a version file keeps, as `datasets quarantine` and `datasets repaired` list them. */

import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { csvCell } from '../../base/text/quoting.ts'
import { explainCode, MENDED_WORDS, REASON_WORDS } from '../../read/report/finding-words.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { VersionSummary } from '../../store/catalog/lookups.ts'
import { failVersion } from '../../store/catalog/missing-dataset.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { VersionFile } from '../../store/files/open-version.ts'
import type { Cli } from '../cli/cli.ts'
import { parseCountingNumber, type SettingsPlace, settingsCommand } from '../cli/command-row.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatAmount, printTable } from '../cli/print.ts'

/** A list of kept rows, by the names of their fields. */
interface KeptRows<Name extends string> {
  readonly name: string
  readonly description: string
  readonly fields: readonly Name[]
  readonly rowsOf: (file: VersionFile) => Iterable<Readonly<Record<Name, string | number | null>>>
  readonly countOf: (file: VersionFile) => number
  readonly nothing: string
  /** Prints the table above the list. */
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
    // Printed piece by piece, like CSV.
    json: null,
    checks: (_, { csv, json }) => {
      if (csv && json) throw new CommandError('usage', 'choose one of --csv and --json')
    },
    async does(
      { cli, config }: SettingsPlace,
      id: string,
      { version, limit, csv, json }: { version?: number; limit?: number; csv?: true; json?: true },
    ) {
      const kept = await withCatalog(config, (catalog, folder) =>
        openKeptVersion(catalog, folder, id, version),
      )
      using file = closing(kept.file)
      const rows = Iterator.from(rowsOf(file)).take(limit ?? Number.POSITIVE_INFINITY)
      if (json) {
        const texts = rows.map((row, at) => (at === 0 ? '[' : ',') + JSON.stringify(row))
        const isEmpty = (await printInPieces(cli, texts)) === 0
        cli.print(isEmpty ? '[]\n' : ']\n')
      } else if (csv) {
        const cells = (row: Readonly<Record<Name, string | number | null>>) =>
          fields.map((field) => csvCell(String(row[field] ?? ''))).join(',')
        cli.print(`${fields.join(',')}\r\n`)
        const lines = rows.map((row) => `${cells(row)}\r\n`)
        await printInPieces(cli, lines)
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
      'that is': ({ reason }) => explainCode(REASON_WORDS, reason),
    }),
})

export const repaired = listing({
  name: 'repaired',
  description:
    'List the rows of a dataset that had more or fewer cells than its header and were mended, with line, raw text and what was done.',
  fields: ['line', 'kind', 'raw'],
  rowsOf: (file) => file.mended(),
  countOf: ({ header }) => header.mended,
  nothing: 'No row was mended.',
  printCounts: (cli, { record }) =>
    printTable(
      cli,
      Object.entries(record.quality.mended).filter(([, count]) => count > 0),
      {
        rows: ([, count]) => count,
        kind: ([kind]) => kind,
        'that is': ([kind]) => explainCode(MENDED_WORDS, kind),
      },
    ),
})

/** Characters printed before waiting for the reader: a quarantine may have millions of rows. */
const PRINTED_AT_ONCE = 64 * 1024

/** @returns the number of texts */
async function printInPieces(cli: Cli, texts: Iterable<string>): Promise<number> {
  let piece = ''
  let count = 0
  for (const text of texts) {
    piece += text
    count++
    if (piece.length < PRINTED_AT_ONCE) continue
    cli.print(piece)
    piece = ''
    await cli.drained()
  }
  cli.print(piece)
  return count
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
  const rows = Iterator.from(rowsOf(kept.file)).take(limit).toArray()
  printTable(cli, rows, Object.fromEntries(fields.map((field) => [field, field])))
  if (total > rows.length)
    cli.note(`${formatAmount(total - rows.length, 'more row')}: see --limit, --csv and --json.`)
}

type KeptVersion = Awaited<ReturnType<typeof openKeptVersion>>

/**
 * @returns the caller closes the file
 * @param wanted a version's number; undefined: the one being served
 * @throws CommandError `failed` when there is no such dataset or version; DamagedFileError
 */
export async function openKeptVersion(
  catalog: Catalog,
  folder: DataDir,
  id: string,
  wanted: number | undefined,
) {
  const isIt = (one: VersionSummary) => (wanted === undefined ? one.served : one.version === wanted)
  const found = catalog.versions(id).find(isIt)
  if (found === undefined) throw failVersion(catalog, id, wanted)
  const { version } = found
  const record = catalog.record(id, version)
  // Another process may have published a version and dropped this one since it was listed.
  if (record === undefined)
    throw new CommandError('failed', `version ${version} of ${id} was just replaced: try again`)
  const path = await folder.localVersion({ id, version, file: record.file })
  return { record, file: VersionFile.open(path) }
}
