/** izvor demo [--data DIR] [--port N]: serves generated sample data, for a first answer within a minute. */

import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { OPERATOR } from '../accounts/audit/audit.ts'
import { listKeys, mintKey } from '../accounts/keys/keys.ts'
import type { App } from '../app.ts'
import { atEnd, closing, releasing } from '../base/closing.ts'
import type { Config } from '../base/config/config.ts'
import { findDefinition } from '../publish/edition/identity.ts'
import { ingestFile } from '../publish/ingest.ts'
import type { Definition } from '../read/definition/definition.ts'
import { requireFreeAddress } from '../server/listening/listen.ts'
import type { DataDir } from '../store/files/data-dir.ts'
import type { Cli } from './cli/cli.ts'
import { settingsCommand } from './cli/command-row.ts'
import { createFolder, openCatalog, withAccounts } from './cli/folder.ts'
import { formatAmount } from './cli/print.ts'
import { createRandom, type SampleTable, writeCsv } from './demo/sample-table.ts'
import { SAMPLE_TABLES } from './demo/tables.ts'
import { serveAlone } from './serve.ts'

const DEMO_PLAN = 'unlimited'
/** Publisher of every sample dataset; it distinguishes a demo from a directory with real data. */
const SAMPLE_PUBLISHER = 'Izvor, date de probă'

export const demo = settingsCommand({
  name: 'demo',
  description: 'Fill an empty data directory with generated sample data, mint a key for it, and serve it.',
  settings: { data: 'folder', host: 'address', port: 'number' },
  takes: (command: Command) =>
    command.option(
      '--fill-only',
      'publish the sample data that is missing, without a key, and serve nothing',
    ),
  help: '\nA data directory that is not empty is served unchanged.',
  json: null,
  async does({ cli, config }, { fillOnly }: { fillOnly?: true }) {
    if (fillOnly) return void (await publishSamples(cli, config, createFolder(config)))
    await requireFreeAddress(config)
    const fresh = await fillFolder(cli, config)
    const onReady = async ({ accounts, dataDir }: App, address: string) => {
      // The key is made last: the next start completes a demo that has none.
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

/** Ingests the sample datasets that are not published yet. @returns whether the demo still needs a key */
async function fillFolder(cli: Cli, config: Config): Promise<boolean> {
  const dataDir = createFolder(config)
  const keys = await withAccounts(config, dataDir, (accounts) => listKeys(accounts, OPERATOR, () => null))
  return keys.length === 0 && (await publishSamples(cli, config, dataDir))
}

/** @returns false if other data is published already, to which no samples are added */
async function publishSamples(cli: Cli, config: Config, dataDir: DataDir): Promise<boolean> {
  using catalog = closing(await openCatalog(config, dataDir))
  const { datasets } = catalog.list({ limit: 1000, offset: 0 })
  if (datasets.some(({ id }) => catalog.descriptor(id)?.publisher !== SAMPLE_PUBLISHER)) return false
  cli.note(`Filling ${dataDir.root} with generated sample data:`)
  using folder = releasing(dataDir.claimWorkFolder())
  for (const table of SAMPLE_TABLES) {
    if (catalog.find(table.id) !== undefined) continue
    const shipped = findDefinition(table.domain, table.id)
    const { domain, dataset, rows } = await ingestFile(
      { dataDir, catalog, now: cli.now },
      {
        ...writeSample(table, shipped, folder.path),
        settings: { max_quarantine: 0, max_mended: 0, personal_data: 'warn' },
        dryRun: false,
        acceptDrift: false,
      },
    )
    cli.note(`  ${domain}/${dataset}, ${formatAmount(rows.imported, 'row')}`)
  }
  return true
}

function writeSample(table: SampleTable, shipped: Definition | undefined, folder: string) {
  const definition = join(folder, `${table.id}.json`)
  writeFileSync(definition, JSON.stringify(describeSample(table, shipped)))
  const sources = new Map(shipped?.columns?.map((column) => [column.name, column.source ?? column.name]))
  const header = table.columns.map((name) => sources.get(name) ?? name)
  const file = join(folder, `generated_${table.id}.csv`)
  const opened = openSync(file, 'w', 0o600)
  using _ = atEnd(() => closeSync(opened))
  writeCsv(header, table.generate(createRandom(table.seed), table.rows), (piece) => writeSync(opened, piece))
  return { file, definition }
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

/** The shipped definition with texts that say that the data is generated, without the real publisher. */
function describeSample(table: SampleTable, shipped: Definition | undefined): Definition {
  const { license: _license, source_url: _url, source_package_id: _package, ...rest } = shipped ?? {}
  const about = shipped?.description === undefined ? '' : `${shipped.description} `
  return {
    ...rest,
    id: table.id,
    domain: table.domain,
    columns: [...(shipped?.columns ?? []), ...(table.more ?? [])],
    title: `${shipped?.title ?? table.id} (date de probă)`,
    description: `${about}Date de probă, generate după modelul setului publicat: nicio cifră nu este reală.`,
    publisher: SAMPLE_PUBLISHER,
    read: { format: 'csv', encoding: 'utf-8', delimiter: ',', header_row: 1 },
  }
}
