/** izvor demo [--data DIR] [--port N]: a first answer in a minute, from a folder filled with sample data. */

import type { Command } from 'commander'
import type { App } from '../app.ts'
import { Catalog } from '../catalog/catalog.ts'
import type { Config } from '../config.ts'
import { requireFreeAddress } from '../http/listen.ts'
import { listKeys, mintKey } from '../keys/keys.ts'
import type { Cli } from './cli.ts'
import { fillWithSamples, holdsOnlySamples } from './demo/fill.ts'
import { createFolder, withAccounts } from './folder.ts'
import { formatAmount } from './print.ts'
import { serve } from './serve.ts'
import { addSettingOptions, readSettings } from './settings.ts'

const DEMO_PLAN = 'unlimited'

export function addDemo(program: Command, cli: Cli): void {
  const command = program
    .command('demo')
    .description('Fill an empty data folder with generated sample data, mint a key for it, and serve it.')
  addSettingOptions(command, { data: 'folder', host: 'address', port: 'number' })
    .addHelpText('after', '\nA folder that is not empty is served as it is.')
    .action((options) => demo(cli, readSettings(cli, options).values))
}

async function demo(cli: Cli, config: Config): Promise<void> {
  await requireFreeAddress(config)
  const fresh = await fillFolder(cli, config)
  await serve(cli, config, (app, address) => {
    // The key comes last: a folder without one is a demo that did not get so far, and is completed.
    const secret = fresh
      ? mintKey(app.accounts, { plan: DEMO_PLAN, label: 'demo' }, cli.now()).secret
      : undefined
    printFirstRequests(cli, address, secret)
    if (!fresh) printKeyHint(cli, app)
  })
}

/** Returns whether this is a demo folder that has no key yet. */
async function fillFolder(cli: Cli, config: Config): Promise<boolean> {
  const dataDir = createFolder(config)
  if (withAccounts(dataDir, (accounts) => listKeys(accounts, () => null)).length > 0) return false
  const catalog = Catalog.open(dataDir, { keepVersions: config.keep_versions })
  try {
    if (!holdsOnlySamples(catalog)) return false
    cli.note(`Filling ${dataDir.root} with generated sample data:`)
    await fillWithSamples({ dataDir, catalog, now: cli.now }, ({ domain, dataset, rows }) => {
      cli.note(`  ${domain}/${dataset}, ${formatAmount(rows.imported, 'row')}`)
    })
    return true
  } finally {
    catalog.close()
  }
}

function printFirstRequests(cli: Cli, address: string, secret: string | undefined): void {
  const key = secret ?? '$IZVOR_KEY'
  const ask = (path: string): string => `  curl -g -H "Authorization: Bearer ${key}" "${address}${path}"\n`
  if (secret !== undefined) cli.print(`\nDemo key, shown this once: ${secret}\n`)
  cli.print('\nTry:\n')
  cli.print(ask('/v1/datasets'))
  cli.print(ask('/v1/search?q=elevi'))
  cli.print(ask('/v1/transport/vehicle_registry?county=cluj&sort=-vehicle_count&limit=3'))
  cli.print(
    ask(
      '/v1/economy/comert_international_cu_bunuri_2024?value_lei[gte]=1000000&flow_code=1&sort=-value_lei&limit=5',
    ),
  )
  cli.print(ask('/v1/geospatial/siruta/export?format=csv&jud=12'))
  cli.print(`\nDocumentation: ${address}/docs   Stop: Ctrl-C\n`)
}

function printKeyHint(cli: Cli, app: App): void {
  cli.print(
    `\nThe folder ${app.dataDir.root} was there already and is served as it is. A key's secret is shown only once;\n` +
      `for another key: ${cli.program} keys mint --plan ${DEMO_PLAN} --data "${app.dataDir.root}"\n`,
  )
}
