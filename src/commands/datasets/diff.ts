/** izvor datasets diff ID [V1 V2] [--json]: prints what changed between two kept versions. */

import { closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { shorten } from '../../base/text/fit-text.ts'
import {
  diffVersions,
  type KeyExample,
  type VersionDiff,
  type VersionFacts,
} from '../../publish/edition/version-diff.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Cli } from '../cli/cli.ts'
import { type CatalogPlace, catalogCommand, parseCountingNumber } from '../cli/command-row.ts'
import { formatAmount, printTable } from '../cli/print.ts'
import { openKeptVersion } from './kept-rows.ts'

export const diff = catalogCommand({
  name: 'diff',
  description: 'Show what changed between two kept versions: columns, values, quarantine, keys and rows.',
  takes: (command) =>
    command
      .argument('<id>', 'the dataset')
      .argument('[v1]', 'the earlier version (default: the one before the served one)', parseCountingNumber)
      .argument('[v2]', 'the later version (default: the served one)', parseCountingNumber),
  does: compare,
  prints: printDiff,
})

async function compare(
  { catalog, folder }: CatalogPlace,
  id: string,
  from: number | undefined,
  to: number | undefined,
): Promise<VersionDiff> {
  const later = await openKeptVersion(catalog, folder, id, to)
  using _later = closing(later.file)
  const earlier = await openKeptVersion(catalog, folder, id, from ?? earlierThan(catalog, id))
  using _earlier = closing(earlier.file)
  return diffVersions(earlier, later)
}

/** The version served before: the next lower number among the kept versions. */
function earlierThan(catalog: Catalog, id: string): number {
  const versions = catalog.versions(id)
  const served = versions.find((version) => version.served)
  const earlier = versions.find(({ version }) => served !== undefined && version < served.version)
  if (earlier !== undefined) return earlier.version
  const [newest] = versions
  const advice =
    newest === undefined || newest.served
      ? 'the setting keep_versions sets how many are kept; the next ingest can be compared with this one'
      : `after a rollback, name them: datasets diff ${id} ${served?.version} ${newest.version}`
  throw new CommandError(
    'failed',
    `no version of ${id} before ${served?.version} is kept to compare it with: ${advice}`,
  )
}

/** Texts longer than this are cut: an example only has to be recognised. */
const LONGEST_EXAMPLE = 60

const THEN = 'then'
const BOTH = { [THEN]: 'from', now: 'to' } as const

function printDiff(cli: Cli, diff: VersionDiff): void {
  printFactsOfBoth(cli, diff)
  printColumns(cli, diff)
  printStatistics(cli, diff)
  const { quarantine, repairs } = diff
  if (quarantine.some(({ from, to }) => from !== to)) {
    cli.print('\nRows in quarantine\n')
    printTable(cli, quarantine, { reason: 'reason', ...BOTH })
  }
  const otherRepairs = repairs.filter(({ from, to }) => from !== to)
  if (otherRepairs.length > 0) {
    cli.print('\nRepaired cells\n')
    printTable(cli, otherRepairs, { column: 'column', repair: 'kind', ...BOTH })
  }
  printOverlap(cli, diff)
}

function printFactsOfBoth(cli: Cli, { dataset, from, to, same_source }: VersionDiff): void {
  const facts: [string, (version: VersionFacts) => string | number | null][] = [
    ['rows', ({ rows }) => rows],
    ['quarantined', ({ quarantined }) => quarantined],
    ['imported', ({ imported_at }) => imported_at],
    ['source file', ({ source_file }) => source_file],
    ['source sha256', ({ source_sha256 }) => source_sha256],
    ['source address', ({ source_url }) => source_url],
  ]
  const shown = facts.filter(([, value]) => value(from) !== null || value(to) !== null)
  printTable(cli, shown, {
    [dataset]: ([name]) => name,
    [`version ${from.version}`]: ([, value]) => value(from),
    [`version ${to.version}`]: ([, value]) => value(to),
  })
  if (same_source) cli.print('Both were made from the same bytes.\n')
}

function printColumns(cli: Cli, { columns, primary_key }: VersionDiff): void {
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
  const lines = [
    ...columns.added.map(({ name, type }) => `column '${name}' (${type}) is new`),
    ...columns.removed.map(({ name, type }) => `column '${name}' (${type}) is gone`),
    ...columns.changed.map(
      ({ column, field, from, to }) => `column '${column}': ${FIELDS[field]} was ${say(from)}, is ${say(to)}`,
    ),
    ...(list(primary_key.from) === list(primary_key.to)
      ? []
      : [`the primary key was ${list(primary_key.from)}, is ${list(primary_key.to)}`]),
  ]
  cli.print(lines.length === 0 ? '\nThe columns are the same.\n' : `\n${lines.join('\n')}\n`)
}

const FIELDS = { type: 'its type', required: 'required', source_name: 'its header in the file' } as const

function say(value: string | boolean | null): string {
  if (value === null) return 'none'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : `'${value}'`.replaceAll(/\s+/g, ' ')
}

function printStatistics(cli: Cli, { statistics }: VersionDiff): void {
  const moved = statistics.filter(({ notable }) => notable)
  if (moved.length === 0) return
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  cli.print('\nColumns whose values changed\n')
  printTable(cli, moved, {
    column: 'column',
    'null then': ({ null_share }) => percent(null_share.from),
    'null now': ({ null_share }) => percent(null_share.to),
    'distinct then': ({ distinct }) => distinct.from,
    'distinct now': ({ distinct }) => distinct.to,
  })
}

function printOverlap(cli: Cli, { overlap, columns }: VersionDiff): void {
  const { rows, keys, sampled } = overlap
  const about = sampled === 1 ? '' : `about, by one row in ${sampled}: `
  cli.print('\n')
  if (keys !== null) {
    const changed = keys.changed === null ? '' : ` (${formatAmount(keys.changed, 'row')} of them changed)`
    const counts = `${formatAmount(keys.kept, 'kept', 'kept')}${changed}, ${formatAmount(keys.gone, 'gone', 'gone')}, ${formatAmount(keys.new, 'new', 'new')}`
    cli.print(`Keys (${keys.columns.join(', ')}): ${about}${counts}\n`)
    printExamples(cli, 'gone', keys.examples.gone, keys.gone)
    printExamples(cli, 'new', keys.examples.new, keys.new)
    return
  }
  if (rows === null) {
    cli.print('Rows were not compared: too many different values.\n')
    return
  }
  const different = columns.added.length > 0 || columns.removed.length > 0
  const by = different ? ` by the ${formatAmount(rows.columns.length, 'column')} of both` : ''
  const counts = `${formatAmount(rows.kept, 'is', 'are')} in both, ${formatAmount(rows.gone, 'gone', 'gone')}, ${formatAmount(rows.new, 'new', 'new')}`
  cli.print(`Rows, compared whole${by}: ${about}${counts}\n`)
}

function printExamples(cli: Cli, what: string, examples: readonly KeyExample[], total: number): void {
  for (const example of examples) {
    const text = Object.values(example)
      // Without control characters, for the terminal.
      .map((value) => shorten((value ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' '), LONGEST_EXAMPLE))
      .join(' | ')
    cli.print(`  ${what}: ${text}\n`)
  }
  if (examples.length > 0 && total > examples.length) cli.print(`  ${what}: …\n`)
}
