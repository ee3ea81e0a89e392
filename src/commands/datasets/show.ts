/** izvor datasets show ID [--json]: one dataset, its columns, where it came from, the versions kept. */

import type { Command } from 'commander'
import { failDataset } from '../../catalog/missing-dataset.ts'
import type { Descriptor, VersionSummary } from '../../catalog/record.ts'
import type { DatasetSource, RefreshState } from '../../catalog/sources.ts'
import type { Cli } from '../cli.ts'
import { withCatalog } from '../folder.ts'
import { formatBytes, printFacts, printJson, printTable } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addDatasetsShow(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('show')
    .description('Show one dataset: columns, provenance, kept versions.')
    .argument('<id>', 'the dataset')
    .option('--json', 'print JSON: the descriptor, with the kept versions')
  addSettingOptions(command, { data: 'folder' }).action((id: string, options: { json?: true }) => {
    const { values } = readSettings(cli, options)
    const { descriptor, versions, source } = withCatalog(values, (catalog) => ({
      descriptor: catalog.descriptor(id),
      versions: catalog.versions(id),
      source: catalog.sources.find(id),
    }))
    if (descriptor === undefined) throw withCatalog(values, (catalog) => failDataset(catalog, id))
    const refresh = source ? toRefreshState(source) : null
    if (options.json) return printJson(cli, { ...descriptor, refresh, versions })
    printDescriptor(cli, descriptor)
    if (refresh) printRefresh(cli, refresh)
    printVersions(cli, versions)
  })
}

/** What the operator may know of it, beyond what everybody reads in the descriptor. */
function toRefreshState(source: DatasetSource): RefreshState {
  const { address, schedule, checked_at, changed_at, failed_at, error, failures, next_run_at } = source
  return { address, schedule, checked_at, changed_at, failed_at, error, failures, next_run_at }
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

/** A message of several lines as one sentence after the other. */
function onOneLine(message: string): string {
  return message.replaceAll(/:\n+/g, ': ').replaceAll(/\n+/g, '; ')
}

function printDescriptor(cli: Cli, descriptor: Descriptor): void {
  const { provenance } = descriptor
  printFacts(cli, [
    ['dataset', descriptor.id],
    ['domain', descriptor.domain],
    ['title', descriptor.title],
    ['description', descriptor.description],
    ['publisher', descriptor.publisher],
    ['license', descriptor.license],
    ['keywords', descriptor.keywords.join(', ')],
    ['endpoint', descriptor.endpoint],
    ['rows', descriptor.row_count],
    ['quarantined', provenance.rows_quarantined],
    ['primary key', descriptor.primary_key.join(', ')],
    ['source file', provenance.source_file],
    ['source sha256', provenance.source_sha256],
    ['source address', provenance.source_url],
    ['imported', provenance.imported_at],
  ])
  cli.print('\n')
  printTable(cli, descriptor.columns, [
    { title: 'column', value: (column) => column.name },
    { title: 'type', value: (column) => column.type },
    { title: 'required', value: (column) => (column.required ? 'yes' : '') },
    { title: 'null', value: (column) => column.null_count },
    { title: 'distinct', value: (column) => column.distinct_count },
    { title: 'source', value: (column) => column.source_name },
  ])
}

function printVersions(cli: Cli, versions: readonly VersionSummary[]): void {
  cli.print('\n')
  printTable(cli, versions, [
    { title: 'version', value: (version) => version.version },
    { title: 'served', value: (version) => (version.served ? 'yes' : '') },
    { title: 'rows', value: (version) => version.rows },
    { title: 'quarantined', value: (version) => version.quarantined },
    { title: 'size', value: (version) => formatBytes(version.bytes) },
    { title: 'imported', value: (version) => version.imported_at },
    { title: 'source file', value: (version) => version.source_file },
    { title: 'source sha256', value: (version) => version.source_sha256 },
  ])
}
