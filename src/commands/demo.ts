/** izvor demo [--data DIR] [--port N]: serves generated sample data, for a first answer within a minute. */

import { listKeys, mintKey, OPERATOR } from '../accounts/keys/keys.ts'
import type { App } from '../app.ts'
import { closing } from '../base/closing.ts'
import type { Config } from '../base/config/config.ts'
import { requireFreeAddress } from '../server/listening/listen.ts'
import type { Cli } from './cli/cli.ts'
import { settingsCommand } from './cli/command-row.ts'
import { createFolder, openCatalog, withAccounts } from './cli/folder.ts'
import { formatAmount } from './cli/print.ts'
import { fillWithSamples, holdsOnlySamples } from './demo/fill.ts'
import { serveAlone } from './serve.ts'

const DEMO_PLAN = 'unlimited'

export const demo = settingsCommand({
  name: 'demo',
  description: 'Fill an empty data directory with generated sample data, mint a key for it, and serve it.',
  settings: { data: 'folder', host: 'address', port: 'number' },
  help: '\nA data directory that is not empty is served unchanged.',
  json: null,
  async does({ cli, config }) {
    await requireFreeAddress(config)
    const fresh = await fillFolder(cli, config)
    const onReady = async ({ accounts, dataDir }: App, address: string) => {
      // The key is made last: a demo without one is incomplete and is completed.
      const secret = fresh
        ? (await mintKey(accounts, OPERATOR, { plan: DEMO_PLAN, label: 'demo' }, cli.now())).secret
        : undefined
      printFirstRequests(cli, address, secret)
      if (!fresh)
        cli.print(
          `\nThe data directory ${dataDir.root} exists already and is served unchanged. A key's secret is shown only once;\n` +
            `for another key: ${cli.program} keys mint --plan ${DEMO_PLAN} --data "${dataDir.root}"\n`,
        )
    }
    await serveAlone(cli, { ...config, workers: 1 }, { onReady })
  },
})

/** Whether this is an incomplete demo, which has no key yet. */
async function fillFolder(cli: Cli, config: Config): Promise<boolean> {
  const dataDir = createFolder(config)
  const keys = await withAccounts(config, dataDir, (accounts) => listKeys(accounts, OPERATOR, () => null))
  if (keys.length > 0) return false
  using catalog = closing(await openCatalog(config, dataDir))
  if (!holdsOnlySamples(catalog)) return false
  cli.note(`Filling ${dataDir.root} with generated sample data:`)
  await fillWithSamples({ dataDir, catalog, now: cli.now }, ({ domain, dataset, rows }) => {
    cli.note(`  ${domain}/${dataset}, ${formatAmount(rows.imported, 'row')}`)
  })
  return true
}

function printFirstRequests(cli: Cli, address: string, secret: string | undefined): void {
  const key = secret ?? '$IZVOR_KEY'
  const ask = (path: string): string => `  curl -g -H "Authorization: Bearer ${key}" "${address}${path}"\n`
  if (secret !== undefined) cli.print(`\nDemo key, shown only once: ${secret}\n`)
  const paths = [
    '/v1/datasets',
    '/v1/search?q=elevi',
    '/v1/transport/vehicle_registry?county=cluj&sort=-vehicle_count&limit=3',
    '/v1/economy/comert_international_cu_bunuri_2024?value_lei[gte]=1000000&flow_code=1&sort=-value_lei&limit=5',
    '/v1/transport/vehicle_registry/aggregate?group_by=county&measures=sum(vehicle_count)&sort=-sum_vehicle_count',
    '/v1/geospatial/siruta/export?format=csv&jud=12',
  ]
  cli.print(`\nTry:\n${paths.map(ask).join('')}`)
  cli.print(`\nDocumentation: ${address}/docs   Stop: Ctrl-C\n`)
}
