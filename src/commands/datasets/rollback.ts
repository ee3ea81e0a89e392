/** izvor datasets rollback ID [--json]: serves the version again that was served before. */

import type { Command } from 'commander'
import { failDataset } from '../../catalog/missing-dataset.ts'
import type { Cli } from '../cli.ts'
import { withCatalog } from '../folder.ts'
import { printJson } from '../print.ts'
import { addSettingOptions, readSettings } from '../settings.ts'

export function addDatasetsRollback(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('rollback')
    .description('Serve the previously served version of a dataset again, exactly as it was.')
    .argument('<id>', 'the dataset')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((id: string, options: { json?: true }) => {
    const { values } = readSettings(cli, options)
    const version = withCatalog(values, (catalog) => {
      if (catalog.find(id) === undefined) throw failDataset(catalog, id)
      return catalog.rollback(id)
    })
    if (options.json) return printJson(cli, { dataset: id, version })
    cli.print(`${id} is served in version ${version} from the next request on.\n`)
  })
}
