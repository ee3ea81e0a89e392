/** izvor datasets remove ID [--yes]: takes a dataset out of the service, with all its versions. */

import type { Command } from 'commander'
import { failDataset } from '../../catalog/missing-dataset.ts'
import type { Cli } from '../cli.ts'
import { confirm } from '../confirm.ts'
import { withCatalog } from '../folder.ts'
import { formatAmount } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addDatasetsRemove(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('remove')
    .description('Remove a dataset and every version of it. Its version numbers are never used again.')
    .argument('<id>', 'the dataset')
    .option('--yes', 'do not ask')
  addSettingOptions(command, { data: 'folder' }).action(async (id: string, options: { yes?: true }) => {
    const { values } = readSettings(cli, options)
    const versions = withCatalog(values, (catalog) => {
      const kept = catalog.versions(id)
      if (kept.length === 0) throw failDataset(catalog, id)
      return kept
    })
    const amount = formatAmount(versions.length, 'version')
    await confirm(cli, `This removes ${id} with ${amount} of it for good.`, options.yes === true)
    withCatalog(values, (catalog, folder) => folder.discard(catalog.remove(id)))
    cli.note(`${id} is removed; a running service answers 404 for it from the next request on.`)
  })
}
