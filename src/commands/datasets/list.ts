/** izvor datasets list [--domain D] [--json]: what is being served. */

import type { Command } from 'commander'
import type { Cli } from '../cli/cli.ts'
import { withCatalog } from '../cli/folder.ts'
import { printJson, printTable } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'

/** All of them: a catalog that a person maintains is not paged on a terminal. */
export const EVERY_DATASET = { limit: 1_000_000, offset: 0 } as const

export function addDatasetsList(datasets: Command, cli: Cli): void {
  const command = datasets
    .command('list')
    .description('List the published datasets.')
    .option('--domain <domain>', 'only this domain')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { domain?: string; json?: true }) => {
    const { values } = readSettings(cli, options)
    const rows = await withCatalog(values, (catalog) =>
      catalog.list({ ...EVERY_DATASET, domain: options.domain }).datasets.map((entry) => ({
        ...entry,
        version: catalog.find(entry.id)?.version ?? null,
      })),
    )
    if (options.json) return printJson(cli, rows)
    if (rows.length === 0) return cli.note('Nothing is published yet: izvor ingest FILE.')
    printTable(cli, rows, [
      { title: 'domain', value: (row) => row.domain },
      { title: 'dataset', value: (row) => row.id },
      { title: 'rows', value: (row) => row.row_count },
      { title: 'version', value: (row) => row.version },
      { title: 'updated', value: (row) => row.last_updated },
      { title: 'title', value: (row) => row.title },
    ])
  })
}
