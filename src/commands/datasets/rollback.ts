/** izvor datasets rollback ID [--json]: serves the previously served version again. */

import type { Command } from 'commander'
import { failDataset } from '../../store/catalog/missing-dataset.ts'
import { noteInAudit } from '../cli/audited.ts'
import type { Cli } from '../cli/cli.ts'
import { withCatalog } from '../cli/folder.ts'
import { noteLateNodes } from '../cli/late-nodes.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addDatasetsRollback(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('rollback')
    .description('Serve the previously served version of a dataset again, exactly as it was.')
    .argument('<id>', 'the dataset')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (id: string, options: { json?: true }) => {
    const { values } = readSettings(cli, options)
    const version = await withCatalog(values, async (catalog, folder) => {
      if (catalog.find(id) === undefined) throw failDataset(catalog, id)
      const earlier = await catalog.rollback(id)
      await noteInAudit(cli, values, folder, { event: 'dataset_served', detail: `${id} version ${earlier}` })
      await noteLateNodes(cli, catalog, id)
      return earlier
    })
    if (options.json) return printJson(cli, { dataset: id, version })
    cli.print(`${id} is served in version ${version} from the next request on.\n`)
  })
}
