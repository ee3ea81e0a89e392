/** izvor datasets drop ID VERSION… | --before N | --column NAME [--yes] [--json]: takes kept versions down. */

import { CommandError } from '../../base/errors.ts'
import { asideWith, takeDown } from '../../publish/published/take-down.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { LateNode } from '../../store/catalog/home.ts'
import { failVersion, requireServed } from '../../store/catalog/missing-dataset.ts'
import type { DataDir } from '../../store/files/data-dir.ts'
import { noteInAudit } from '../cli/after-change.ts'
import type { Cli } from '../cli/cli.ts'
import { type CatalogPlace, catalogCommand, parseCountingNumber } from '../cli/command-row.ts'

interface Given {
  readonly before?: number
  readonly column?: string
}

export const drop = catalogCommand({
  name: 'drop',
  description:
    'Take kept versions of a dataset down, with every copy that the program made of them. The served version stays: publish one without the data first.',
  takes: (command) =>
    command
      .argument('<id>', 'the dataset')
      .argument(
        '[versions...]',
        'their numbers; "datasets show" lists those that are kept',
        (given: string, before: readonly number[] = []) => [...before, parseCountingNumber(given)],
      )
      .option('--before <version>', 'all that are kept before this one', parseCountingNumber)
      .option('--column <name>', 'all that are kept and have this column'),
  checks: (_, versions, { before, column }) => {
    if ([versions.length > 0, before !== undefined, column !== undefined].filter(Boolean).length !== 1)
      throw new CommandError('usage', 'name the versions, or one of --before and --column')
  },
  chooses: ({ catalog }: CatalogPlace, id: string, versions: readonly number[], options: Given) =>
    choose(catalog, id, versions, options),
  confirms: ({ chosen, folder }, id) =>
    `This takes ${nameVersions(chosen)} of ${id} down for good, with every copy of them but backups.${alsoRemoved(folder, id)}`,
  async does(
    place: CatalogPlace & { chosen: readonly number[] },
    id: string,
    _: readonly number[],
    { column }: Given,
  ) {
    const { config, catalog, folder, chosen } = place
    const taken = await takeDown({ catalog, dataDir: folder, config }, id, chosen, column)
    await noteInAudit(place, 'versions_dropped', `${id} ${nameVersions(taken.dropped)}`)
    return taken
  },
  prints(cli, { dropped, kept_with_column, backups, late_nodes }, id) {
    cli.print(`${nameVersions(dropped)} of ${id}: taken down\n`)
    if (kept_with_column.length > 0)
      cli.note(`Still kept with such columns: ${nameVersions(kept_with_column)}.`)
    for (const { name, at } of backups) cli.note(`The backup ${name} of ${at} stays, and may have the data.`)
    noteUndone(cli, late_nodes ?? [])
  },
})

function choose(
  catalog: Catalog,
  id: string,
  named: readonly number[],
  { before, column }: Given,
): readonly number[] {
  const served = requireServed(catalog, id).version
  const kept = catalog.versions(id).map(({ version }) => version)
  const missing = named.find((version) => !kept.includes(version))
  if (missing !== undefined) throw failVersion(catalog, id, missing)
  const has = (version: number) => catalog.record(id, version)?.columns.some(({ name }) => name === column)
  const chosen = kept.filter((version) =>
    column !== undefined ? has(version) : before !== undefined ? version < before : named.includes(version),
  )
  const free = chosen.filter((version) => version !== served)
  if (named.includes(served) || (free.length === 0 && chosen.length > 0))
    throw new CommandError(
      'failed',
      `version ${served} of ${id} is served: publish an edition without the data first, or remove the dataset. Nothing was changed`,
    )
  if (free.length > 0) return free
  throw new CommandError('failed', `no kept version of ${id} matches; kept versions: ${kept.join(', ')}`)
}

function nameVersions(versions: readonly number[]): string {
  return `version${versions.length === 1 ? '' : 's'} ${versions.join(', ')}`
}

/** What else is removed with versions of a dataset, as a sentence for the question; empty when there is nothing. */
export function alsoRemoved(folder: DataDir, id: string): string {
  const folders = asideWith(folder, [id])
  return folders.length === 0 ? '' : ` It also removes ${folders.join(' and ')}.`
}

/** Names the nodes that still have the versions. */
export function noteUndone(cli: Cli, late: readonly LateNode[]): void {
  for (const { name, reason } of late) cli.note(`the node ${name} has not done so yet: ${reason}`)
}
