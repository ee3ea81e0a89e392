/** izvor datasets refresh [ID] [--force] [--if-due] [--json]: fetches changed sources again. */

import { releasing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import { type RefreshOutcome, refreshDataset } from '../../publish/refresh/refresh.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import type { DatasetSource } from '../../store/catalog/sources.ts'
import { notePublished } from '../cli/after-change.ts'
import { type CatalogPlace, catalogCommand } from '../cli/command-row.ts'
import { formatAmount, printTable } from '../cli/print.ts'

export const refresh = catalogCommand({
  name: 'refresh',
  description: 'Fetch the source of a dataset, or of all that have one, again; ingest what has changed.',
  takes: (command) =>
    command
      .argument('[id]', 'the dataset (default: all with a source address)')
      .option('--force', 'ingest unchanged sources as well')
      .option('--if-due', 'only datasets that are due by the schedule in their definition')
      .option(
        '--allow-private',
        'fetch also sources that have moved between the public internet and a private network, and remember where they are',
      )
      .addHelpText('after', '\nExit code 4: a gate of ingest refused a changed source.'),
  jsonHelp: ': one object per dataset',
  does: refreshInTurn,
  prints: (cli, outcomes, _, { ifDue }) => {
    if (outcomes.length > 0)
      printTable(cli, outcomes, {
        dataset: 'dataset',
        outcome: 'outcome',
        version: 'version',
        rows: 'rows',
        'next run': 'next_run_at',
        address: 'address',
      })
    else if (ifDue) cli.note('Nothing is due.')
    else cli.note('There is nothing to refresh: no dataset was ingested from an address.')
  },
  /** `failed` when a source failed, `refused` when all failures are refusals of the gates. */
  refuses(outcomes) {
    const wrong = outcomes.filter(({ error }) => error !== null)
    if (wrong.length === 0) return
    const kind = wrong.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'refused'
    const reasons = wrong.map(({ dataset, error }) => `${dataset}: ${error?.replaceAll('\n', '\n    ')}`)
    const amount = `${wrong.length} of ${formatAmount(outcomes.length, 'dataset')} could not be refreshed`
    throw new CommandError(kind, [`${amount}; what was served is still served`, ...reasons].join('\n  '))
  },
})

/** One dataset after the other; one process at a time on a data directory. */
async function refreshInTurn(
  place: CatalogPlace,
  id: string | undefined,
  { force, ifDue, allowPrivate }: { force?: true; ifDue?: true; allowPrivate?: true },
): Promise<RefreshOutcome[]> {
  const { cli, config: settings, folder, catalog } = place
  folder.sweep()
  const lock = folder.lock('refresh')
  if (lock === null) {
    const message = `another refresh is running on ${folder.root}; try again when it has ended`
    // Datasets stay due, so a run by schedule does not fail here.
    if (!ifDue) throw new CommandError('failed', message)
    cli.note(message)
    return []
  }
  using _ = releasing(lock)
  const due = ifDue ? new Set(await catalog.sources.due(cli.now())) : null
  const chosen = chooseSources(catalog, id).filter(({ dataset }) => due === null || due.has(dataset))
  const workplace = { dataDir: folder, catalog, now: cli.now }
  const outcomes: RefreshOutcome[] = []
  for (const source of chosen) {
    const how = { force: force === true, allowPrivate: allowPrivate === true, settings }
    const outcome = await refreshDataset(workplace, source, how)
    outcomes.push(outcome)
    if (outcome.outcome !== 'updated') continue
    await notePublished(place, outcome, ifDue ? 'service' : 'shell')
  }
  return outcomes
}

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
