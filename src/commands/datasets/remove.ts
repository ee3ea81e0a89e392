/** izvor datasets remove ID [--yes]: removes a dataset with all its versions. */

import type { Command } from 'commander'
import { asideWith, takeDatasetDown } from '../../publish/published/take-down.ts'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import { noteInAudit } from '../cli/audited.ts'
import type { Cli } from '../cli/cli.ts'
import { confirm } from '../cli/confirm.ts'
import { withCatalog } from '../cli/folder.ts'
import { formatAmount } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addDatasetsRemove(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('remove')
    .description('Remove a dataset and every version of it. Its version numbers are never used again.')
    .argument('<id>', 'the dataset')
    .option('--yes', 'do not ask')
  addSettingOptions(command, { data: 'folder' }).action(async (id: string, options: { yes?: true }) => {
    const { values } = readSettings(cli, options)
    const { amount, also, detail } = await withCatalog(values, (catalog, folder) => {
      const served = catalog.find(id)
      if (served === undefined) throw failDataset(catalog, id)
      const amount = formatAmount(catalog.versions(id).length, 'version')
      const folders = asideWith(folder, [id])
      const also = folders.length === 0 ? '' : ` It also removes ${folders.join(' and ')}.`
      return { amount, also, detail: `${served.domain}/${id}` }
    })
    await confirm(cli, `This removes ${id} with ${amount} for good.${also}`, options.yes === true)
    await withCatalog(values, async (catalog, folder) => {
      const late = await takeDatasetDown({ catalog, dataDir: folder, config: values }, id)
      await noteInAudit(cli, values, folder, { event: 'dataset_removed', detail })
      for (const { name, reason } of late) cli.note(`the node ${name} has not done so yet: ${reason}`)
    })
    cli.note(`${id} is removed; a running service answers 404 for it from the next request on.`)
  })
}
