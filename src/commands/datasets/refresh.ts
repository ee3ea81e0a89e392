/** izvor datasets refresh [ID] [--force] [--if-due] [--json]: fetches changed sources again. */

import type { Command } from 'commander'
import type { Config } from '../../base/config/config.ts'
import { CommandError } from '../../base/errors.ts'
import { type RefreshOutcome, refreshDataset } from '../../publish/refresh/refresh.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import type { DatasetSource } from '../../store/catalog/sources.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { noteInAudit } from '../cli/audited.ts'
import type { Cli } from '../cli/cli.ts'
import { findFolder, openCatalog } from '../cli/folder.ts'
import { formatAmount, printJson, printTable } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

interface Given {
  readonly force?: true
  readonly ifDue?: true
  readonly allowPrivate?: true
  readonly json?: true
}

export function addDatasetsRefresh(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('refresh')
    .description('Fetch the source of a dataset, or of all that have one, again; ingest what has changed.')
    .argument('[id]', 'the dataset (default: all with a source address)')
    .option('--force', 'ingest unchanged sources as well')
    .option('--if-due', 'only datasets that are due by the schedule in their definition')
    .option(
      '--allow-private',
      'fetch also what has moved between the public internet and a private network, and remember where it is',
    )
    .option('--json', 'print JSON: one object per dataset')
  addSettingOptions(command, { data: 'folder' })
    .addHelpText('after', '\nExit code 4: a gate of ingest refused a changed source.')
    .action((id: string | undefined, options: Given) => refresh(cli, id, options))
}

async function refresh(cli: Cli, id: string | undefined, options: Given): Promise<void> {
  const { values } = readSettings(cli, options)
  const folder = findFolder(values)
  folder.sweep()
  const catalog = await openCatalog(values, folder)
  let outcomes: RefreshOutcome[]
  try {
    outcomes = await refreshInTurn(cli, values, { folder, catalog }, id, options)
  } finally {
    catalog.close()
  }
  if (options.json) printJson(cli, outcomes)
  else if (outcomes.length === 0) explainNothing(cli, options)
  else printOutcomes(cli, outcomes)
  refuseFailures(outcomes)
}

interface Place {
  readonly folder: DataDir
  readonly catalog: Catalog
}

/** One dataset after the other; one process at a time on a data directory. */
async function refreshInTurn(
  cli: Cli,
  settings: Config,
  { folder, catalog }: Place,
  id: string | undefined,
  { force, ifDue, allowPrivate }: Given,
): Promise<RefreshOutcome[]> {
  const lock = folder.lockRefresh()
  if (lock === null) return refuseSecond(cli, folder, ifDue === true)
  try {
    const due = ifDue ? new Set(await catalog.sources.due(cli.now())) : null
    const chosen = chooseSources(catalog, id).filter(({ dataset }) => due === null || due.has(dataset))
    const workplace = { dataDir: folder, catalog, now: cli.now }
    const outcomes: RefreshOutcome[] = []
    for (const source of chosen) {
      const how = { force: force === true, allowPrivate: allowPrivate === true, settings }
      const outcome = await refreshDataset(workplace, source, how)
      outcomes.push(outcome)
      if (outcome.outcome !== 'updated') continue
      const detail = `${outcome.dataset} version ${outcome.version}`
      const by = ifDue ? 'service' : 'shell'
      await noteInAudit(cli, settings, folder, { event: 'dataset_published', detail, by })
    }
    return outcomes
  } finally {
    lock.release()
  }
}

/** What is due stays due, so a run by schedule does not fail here. */
function refuseSecond(cli: Cli, folder: DataDir, bySchedule: boolean): RefreshOutcome[] {
  const message = `another refresh is running on ${folder.root}; try again when it has ended`
  if (!bySchedule) throw new CommandError('failed', message)
  cli.note(message)
  return []
}

/** @throws CommandError `failed` when the dataset does not exist or has no source address */
function chooseSources(catalog: Catalog, id: string | undefined): DatasetSource[] {
  if (id === undefined) return catalog.sources.list()
  const source = catalog.sources.find(id)
  if (source) return [source]
  if (catalog.find(id) === undefined) throw failDataset(catalog, id)
  throw new CommandError(
    'failed',
    `${id} was ingested from a file and has no source address: ingest it from its address, or add source_url to its definition`,
  )
}

function explainNothing(cli: Cli, { ifDue }: Given): void {
  if (ifDue) cli.note('Nothing is due.')
  else cli.note('There is nothing to refresh: no dataset was ingested from an address.')
}

function printOutcomes(cli: Cli, outcomes: readonly RefreshOutcome[]): void {
  printTable(cli, outcomes, [
    { title: 'dataset', value: (outcome) => outcome.dataset },
    { title: 'outcome', value: (outcome) => outcome.outcome },
    { title: 'version', value: (outcome) => outcome.version },
    { title: 'rows', value: (outcome) => outcome.rows },
    { title: 'next run', value: (outcome) => outcome.next_run_at },
    { title: 'address', value: (outcome) => outcome.address },
  ])
}

/** @throws CommandError `failed` when a source failed, `refused` when all failures are refusals of the gates */
function refuseFailures(outcomes: readonly RefreshOutcome[]): void {
  const wrong = outcomes.filter(({ error }) => error !== null)
  if (wrong.length === 0) return
  const kind = wrong.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'refused'
  const reasons = wrong.map(({ dataset, error }) => `${dataset}: ${error?.replaceAll('\n', '\n    ')}`)
  const amount = `${wrong.length} of ${formatAmount(outcomes.length, 'dataset')} could not be refreshed`
  throw new CommandError(kind, [`${amount}; what was served is still served`, ...reasons].join('\n  '))
}
