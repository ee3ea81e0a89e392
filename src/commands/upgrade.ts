/** izvor upgrade [--check] [--json]: migrates a data directory of an older version, or prints what would change. */

import { requireKnown } from '../db/migrate.ts'
import { SCHEMAS } from '../db/migrations.ts'
import { Postgres } from '../db/postgres/open.ts'
import { readSchemas, upgradeFolder } from '../store/files/folder-upgrade.ts'
import type { Cli } from './cli/cli.ts'
import { settingsCommand } from './cli/command-row.ts'
import { findFolderAsItIs, locateFolder } from './cli/folder.ts'
import { formatAmount, printJson } from './cli/print.ts'

type Given = { readonly check?: true; readonly json?: true }

export const upgrade = settingsCommand({
  name: 'upgrade',
  description:
    'Upgrade the data directory to this version, after a copy of each changed database; serve does so too.',
  takes: (command) =>
    command
      .option('--check', 'only print what would change; nothing is written')
      .option('--json', 'print JSON'),
  // `does` prints before it upgrades or refuses.
  json: null,
  async does({ cli, config }, options: Given) {
    if (config.database_url !== null) return await upgradeShared(cli, config.database_url, options)
    const folder = options.check ? findFolderAsItIs(config) : locateFolder(config)
    const readings = readSchemas(folder)
    if (options.json)
      printJson(
        cli,
        readings.map(({ name, path: _, missing: _missing, ...rest }) => ({
          database: `${name}.db`,
          ...rest,
        })),
      )
    for (const { name, path, schema } of readings) requireKnown(path, schema, SCHEMAS[name])
    if (!options.check) upgradeFolder(folder)
    if (options.json) return
    for (const { name, bytes, ...found } of readings) {
      const size = `${Math.ceil(bytes / 1e6)} MB`
      const copy = options.check
        ? ` to run; before-upgrade first gets a copy of ${size}`
        : ' run; before-upgrade has the former copy'
      cli.print(`${name}.db: ${describe(found, copy)}\n`)
    }
    cli.print('Published datasets need no change.\n')
  },
})

/** Upgrades the database that several nodes share; their folders are copies of it. */
async function upgradeShared(cli: Cli, url: string, { check, json }: Given): Promise<void> {
  const { schema, known, missing, stops } = await Postgres.readSchema(url)
  if (!check) (await Postgres.open(url)).close()
  if (json) return printJson(cli, { schema, known, stop: stops })
  const before = stops.length > 0 ? `; stop first: ${stops.join(', ')}` : ', while nodes run'
  cli.print(`${describe({ schema, missing }, check ? ` to run${before}` : ' run')}\n`)
}

/** @param steps what follows the number of migrations */
function describe({ schema, missing }: { schema: number; missing: number }, steps: string): string {
  if (missing === 0) return `up to date (schema ${schema})`
  return `schema ${schema}, ${formatAmount(missing, 'migration')}${steps}`
}
