/** izvor datasets show ID [--json]: one dataset with its columns, provenance and kept versions. */

import { existsSync } from 'node:fs'
import { describePublished, type PublishedDataset } from '../../publish/published/published.ts'
import { type NamedUse, nameKeys } from '../../publish/published/use.ts'
import type { VersionSummary } from '../../store/catalog/lookups.ts'
import { requireServed } from '../../store/catalog/missing-dataset.ts'
import type { RefreshState } from '../../store/catalog/sources.ts'
import type { Cli } from '../cli/cli.ts'
import { type CatalogPlace, catalogCommand } from '../cli/command-row.ts'
import { withAccounts } from '../cli/folder.ts'
import { formatBytes, printFacts, printTable } from '../cli/print.ts'
import { printUse, USE_DAYS, useOf } from '../cli/use.ts'

export const show = catalogCommand({
  name: 'show',
  description: `Show one dataset: columns, provenance, kept versions, and who read it in the last ${USE_DAYS} days.`,
  takes: (command) => command.argument('<id>', 'the dataset'),
  jsonHelp: ': the descriptor, with the kept versions and the use',
  does: async (place: CatalogPlace, id: string) => {
    const { catalog } = place
    requireServed(catalog, id)
    const dataset = describePublished(catalog, id)
    return { ...dataset, versions: catalog.versions(id), usage: await readUseOf(place, id) }
  },
  prints: (cli, { versions, usage, ...dataset }) => {
    printDescriptor(cli, dataset)
    if (dataset.refresh) printRefresh(cli, dataset.refresh)
    printSources(cli, dataset)
    printVersions(cli, versions)
    printUse(cli, usage, ['key', 'format'])
  },
})

async function readUseOf({ cli, config, folder }: CatalogPlace, id: string): Promise<readonly NamedUse[]> {
  // A command that only reads makes no databases.
  const isMade = existsSync(folder.usageDb) && existsSync(folder.accountsDb)
  if (config.database_url === null && !isMade) return []
  return await withAccounts(config, folder, async (accounts, usage) => {
    const found = await useOf(usage, { datasets: [id], by: ['key', 'format'] }, cli.now())
    return await nameKeys(accounts, found.rows)
  })
}

function printRefresh(cli: Cli, refresh: RefreshState): void {
  cli.print('\n')
  printFacts(cli, [
    ['fetched from', refresh.address],
    ['schedule', refresh.schedule && `${refresh.schedule} (UTC)`],
    ['last checked', refresh.checked_at],
    ['last changed', refresh.changed_at],
    ['last failure', refresh.failed_at],
    ['because', refresh.error && onOneLine(refresh.error)],
    ['next run', refresh.next_run_at],
  ])
}

function onOneLine(message: string): string {
  return message
    .replaceAll(/:\n+/g, ': ')
    .replaceAll(/\.?\n+(?=[A-Z])/g, '. ')
    .replaceAll(/\n+/g, '; ')
}

/** The files that appended rows came from; a single source is already printed above. */
function printSources(cli: Cli, { provenance: { sources } }: PublishedDataset): void {
  if (sources.length < 2) return
  cli.print('\n')
  printTable(cli, sources, { 'rows from': 'file', rows: 'rows', imported: 'imported_at', sha256: 'sha256' })
}

function printDescriptor(cli: Cli, descriptor: PublishedDataset): void {
  const { provenance, open, last_failure: failure } = descriptor
  printFacts(cli, [
    ['dataset', descriptor.id],
    ['domain', descriptor.domain],
    ['title', descriptor.title],
    ['description', descriptor.description],
    ['publisher', descriptor.publisher],
    ['license', descriptor.license],
    ['keywords', descriptor.keywords.join(', ')],
    ['endpoint', descriptor.endpoint],
    ['open pages', open ? 'on' : 'off: rows and files need a key'],
    ['rows', descriptor.row_count],
    ['quarantined', provenance.rows_quarantined],
    ['primary key', descriptor.primary_key.join(', ')],
    ['source file', provenance.source_file],
    ['source sha256', provenance.source_sha256],
    ['source address', provenance.source_url],
    ['imported', provenance.imported_at],
    ['last refusal', failure?.kind === 'ingest' ? `${failure.at}: ${onOneLine(failure.reason)}` : null],
  ])
  cli.print('\n')
  printTable(cli, descriptor.columns, {
    column: 'name',
    type: 'type',
    required: (column) => (column.required ? 'yes' : ''),
    null: 'null_count',
    distinct: 'distinct_count',
    source: 'source_name',
  })
}

function printVersions(cli: Cli, versions: readonly VersionSummary[]): void {
  cli.print('\n')
  printTable(cli, versions, {
    version: 'version',
    served: (version) => (version.served ? 'yes' : ''),
    rows: 'rows',
    quarantined: 'quarantined',
    size: (version) => formatBytes(version.bytes),
    imported: 'imported_at',
    'source file': 'source_file',
    'source sha256': 'source_sha256',
  })
}
