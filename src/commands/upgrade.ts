/** izvor upgrade [--check] [--json]: migrates a data directory of an older version, or prints what would change. */

import type { Command } from 'commander'
import { requireKnown } from '../db/migrate.ts'
import { SCHEMAS } from '../db/migrations.ts'
import { Postgres } from '../db/postgres/open.ts'
import { type DatabaseSchema, readSchemas, upgradeFolder } from '../store/files/folder-upgrade.ts'
import type { Cli } from './cli/cli.ts'
import { findFolderAsItIs, locateFolder } from './cli/folder.ts'
import { formatAmount, printJson } from './cli/print.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

export function addUpgrade(program: Command, cli: Cli): void {
  const command = program
    .command('upgrade')
    .description(
      'Upgrade the data directory to this version, after a copy of each changed database; serve does so too.',
    )
    .option('--check', 'only print what would change; nothing is written')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action(async (options: { check?: true; json?: true }) => {
    const { values } = readSettings(cli, options)
    if (values.database_url !== null) return await upgradeShared(cli, values.database_url, options)
    const folder = options.check ? findFolderAsItIs(values) : locateFolder(values)
    const found = readSchemas(folder)
    if (options.json)
      printJson(
        cli,
        found.map(({ name, path: _path, missing: _missing, ...rest }) => ({
          database: `${name}.db`,
          ...rest,
        })),
      )
    for (const { name, path, schema } of found) requireKnown(path, schema, SCHEMAS[name])
    if (!options.check) upgradeFolder(folder)
    if (options.json) return
    for (const finding of found) cli.print(`${describe(finding, options.check === true)}\n`)
    cli.print('Published datasets need no change.\n')
  })
}

/** Of several nodes, the database that they share; their folders are copies of it. */
async function upgradeShared(
  cli: Cli,
  url: string,
  { check, json }: { check?: true; json?: true },
): Promise<void> {
  const { schema, known, missing, stops } = await Postgres.readSchema(url)
  if (!check) (await Postgres.open(url)).close()
  if (json) {
    printJson(cli, { schema, known, stop: stops })
    return
  }
  if (missing === 0) cli.print(`up to date (schema ${schema})\n`)
  else if (!check) cli.print(`schema ${schema}, ${formatAmount(missing, 'migration')} run\n`)
  else if (stops.length > 0)
    cli.print(
      `schema ${schema}, ${formatAmount(missing, 'migration')} to run; stop first: ${stops.join(', ')}\n`,
    )
  else cli.print(`schema ${schema}, ${formatAmount(missing, 'migration')} to run, beside nodes that run\n`)
}

function describe({ name, schema, missing, bytes }: DatabaseSchema, isCheck: boolean): string {
  const database = `${name}.db`
  if (missing === 0) return `${database}: up to date (schema ${schema})`
  const steps = missing === 1 ? '1 migration' : `${missing} migrations`
  const size = `${Math.ceil(bytes / 1e6)} MB`
  return isCheck
    ? `${database}: schema ${schema}, ${steps} to run; before-upgrade first gets a copy of ${size}`
    : `${database}: schema ${schema}, ${steps} run; before-upgrade has the former copy`
}
