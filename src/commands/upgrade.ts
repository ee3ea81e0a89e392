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
  // Printed before it is done, or refused.
  json: null,
  async does({ cli, config }, options: Given) {
    if (config.database_url !== null) return await upgradeShared(cli, config.database_url, options)
    const folder = options.check ? findFolderAsItIs(config) : locateFolder(config)
    const found = readSchemas(folder)
    if (options.json)
      printJson(
        cli,
        found.map(({ name, path: _, missing: _missing, ...rest }) => ({ database: `${name}.db`, ...rest })),
      )
    for (const { name, path, schema } of found) requireKnown(path, schema, SCHEMAS[name])
    if (!options.check) upgradeFolder(folder)
    if (options.json) return
    for (const finding of found) cli.print(`${describe(finding, options.check === true)}\n`)
    cli.print('Published datasets need no change.\n')
  },
})

/** Of several nodes, the database that they share; their folders are copies of it. */
async function upgradeShared(cli: Cli, url: string, { check, json }: Given): Promise<void> {
  const { schema, known, missing, stops } = await Postgres.readSchema(url)
  if (!check) (await Postgres.open(url)).close()
  if (json) return printJson(cli, { schema, known, stop: stops })
  const run = formatAmount(missing, 'migration')
  const beside = stops.length > 0 ? `stop first: ${stops.join(', ')}` : 'beside nodes that run'
  if (missing === 0) cli.print(`up to date (schema ${schema})\n`)
  else if (!check) cli.print(`schema ${schema}, ${run} run\n`)
  else cli.print(`schema ${schema}, ${run} to run${stops.length > 0 ? ';' : ','} ${beside}\n`)
}

function describe(
  { name, schema, missing, bytes }: ReturnType<typeof readSchemas>[number],
  isCheck: boolean,
): string {
  const database = `${name}.db`
  if (missing === 0) return `${database}: up to date (schema ${schema})`
  const steps = missing === 1 ? '1 migration' : `${missing} migrations`
  const size = `${Math.ceil(bytes / 1e6)} MB`
  return isCheck
    ? `${database}: schema ${schema}, ${steps} to run; before-upgrade first gets a copy of ${size}`
    : `${database}: schema ${schema}, ${steps} run; before-upgrade has the former copy`
}
