/** izvor datasets …: lists, inspects and changes published datasets. */

import { Option } from 'commander'
import { takeDatasetDown } from '../publish/published/take-down.ts'
import { requireServed } from '../store/catalog/missing-dataset.ts'
import { noteInAudit, noteLateNodes } from './cli/after-change.ts'
import type { Cli } from './cli/cli.ts'
import { type CatalogPlace, catalogCommand, groupOf, parseCountingNumber } from './cli/command-row.ts'
import { EVERY_DATASET } from './cli/folder.ts'
import { formatAmount, printTable } from './cli/print.ts'
import { canonical } from './datasets/canonical.ts'
import { diff } from './datasets/diff.ts'
import { alsoRemoved, drop, noteUndone } from './datasets/drop.ts'
import { edit } from './datasets/edit.ts'
import { quarantine, repaired } from './datasets/kept-rows.ts'
import { refresh } from './datasets/refresh.ts'
import { show } from './datasets/show.ts'
import { verify } from './datasets/verify.ts'

const list = catalogCommand({
  name: 'list',
  description: 'List the published datasets.',
  takes: (command) => command.option('--domain <domain>', 'only this domain'),
  does: ({ catalog }: CatalogPlace, { domain }: { domain?: string }) =>
    catalog.list({ ...EVERY_DATASET, domain }).datasets.map((entry) => ({
      ...entry,
      version: catalog.find(entry.id)?.version ?? null,
    })),
  prints: (cli, rows) => {
    if (rows.length === 0) return cli.note('Nothing is published yet: izvor ingest FILE.')
    printTable(cli, rows, {
      domain: 'domain',
      dataset: 'id',
      rows: 'row_count',
      version: 'version',
      updated: 'last_updated',
      title: 'title',
    })
  },
})

const serve = catalogCommand({
  name: 'serve',
  description: 'Serve a kept version of a dataset, an earlier or a later one, exactly as it was.',
  takes: (command) =>
    command
      .argument('<id>', 'the dataset')
      .argument('<version>', 'its number; "datasets show" lists those that are kept', parseCountingNumber)
      // The service starts this command, and notes itself who asked for it.
      .addOption(new Option('--by-service').hideHelp()),
  does: async (place: CatalogPlace, id: string, version: number, { byService }: { byService?: true }) => {
    await place.catalog.serve(id, version)
    return await noteServed(place, id, version, byService)
  },
  prints: printServed,
})

const rollback = catalogCommand({
  name: 'rollback',
  description: 'Serve the previously served version of a dataset again, exactly as it was.',
  takes: (command) => command.argument('<id>', 'the dataset'),
  does: async (place: CatalogPlace, id: string) => {
    requireServed(place.catalog, id)
    return await noteServed(place, id, await place.catalog.rollback(id))
  },
  prints: printServed,
})

async function noteServed(place: CatalogPlace, dataset: string, version: number, isNoted?: true) {
  if (!isNoted) await noteInAudit(place, 'dataset_served', `${dataset} version ${version}`)
  await noteLateNodes(place.cli, place.catalog, dataset)
  return { dataset, version }
}

function printServed(cli: Cli, { dataset, version }: Awaited<ReturnType<typeof noteServed>>): void {
  cli.print(`${dataset} is served in version ${version} from the next request on.\n`)
}

const remove = catalogCommand({
  name: 'remove',
  description: 'Remove a dataset and every version of it. Its version numbers are never used again.',
  takes: (command) => command.argument('<id>', 'the dataset'),
  confirms: ({ catalog, folder }: CatalogPlace, id: string) => {
    requireServed(catalog, id)
    const amount = formatAmount(catalog.versions(id).length, 'version')
    return `This removes ${id} with ${amount} for good.${alsoRemoved(folder, id)}`
  },
  does: async (place: CatalogPlace, id: string) => {
    const { cli, config, catalog, folder } = place
    const { domain } = requireServed(catalog, id)
    const late = await takeDatasetDown({ catalog, dataDir: folder, config }, id)
    await noteInAudit(place, 'dataset_removed', `${domain}/${id}`)
    noteUndone(cli, late)
  },
  json: null,
  prints: (cli, _, id) =>
    cli.note(`${id} is removed; a running service answers 404 for it from the next request on.`),
})

const picture = catalogCommand({
  name: 'picture',
  description: 'Draw the picture of a dataset again, by which other sites show links to it.',
  takes: (command) => command.argument('<id>', 'the dataset'),
  does: async ({ catalog, folder }: CatalogPlace, id: string) => {
    const { version } = requireServed(catalog, id)
    const { drawPictures } = await import('../pages/picture/draw-pictures.ts')
    await drawPictures({ catalog, dataDir: folder }, id)
    return { dataset: id, version }
  },
  prints: (cli, { dataset, version }) => cli.note(`The picture of ${dataset} is that of version ${version}.`),
})

export const datasets = groupOf('datasets', 'List, inspect, edit, verify and remove published datasets.', [
  list,
  show,
  edit,
  serve,
  drop,
  remove,
  rollback,
  verify,
  quarantine,
  repaired,
  diff,
  refresh,
  picture,
  canonical,
])
