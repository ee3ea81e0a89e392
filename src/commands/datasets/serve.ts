/** izvor datasets serve ID VERSION [--json]: serves a kept version, an earlier or a later one. */

import { type Command, Option } from 'commander'
import { parseCountingNumber } from '../cli/arguments.ts'
import { noteInAudit } from '../cli/audited.ts'
import type { Cli } from '../cli/cli.ts'
import { withCatalog } from '../cli/folder.ts'
import { noteLateNodes } from '../cli/late-nodes.ts'
import { printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

export function addDatasetsServe(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('serve')
    .description('Serve a kept version of a dataset, an earlier or a later one, exactly as it was.')
    .argument('<id>', 'the dataset')
    .argument('<version>', 'its number; "datasets show" lists those that are kept', parseCountingNumber)
    .option('--json', 'print JSON')
    // The service, which starts this command, notes who asked for it.
    .addOption(new Option('--by-service').hideHelp())
  addSettingOptions(command, { data: 'folder' }).action(
    async (id: string, version: number, options: { json?: true; byService?: true }) => {
      const { values } = readSettings(cli, options)
      await withCatalog(values, async (catalog, folder) => {
        await catalog.serve(id, version)
        const detail = `${id} version ${version}`
        if (!options.byService) await noteInAudit(cli, values, folder, { event: 'dataset_served', detail })
        await noteLateNodes(cli, catalog, id)
      })
      if (options.json) return printJson(cli, { dataset: id, version })
      cli.print(`${id} is served in version ${version} from the next request on.\n`)
    },
  )
}
