/** izvor upgrade [--check] [--json]: what this program would change in a data folder of an older one, or the change itself. */

import type { Command } from 'commander'
import { CommandError } from '../errors.ts'
import { type DatabaseSchema, readSchemas, upgradeFolder } from '../storage/folder-upgrade.ts'
import type { Cli } from './cli.ts'
import { findFolderAsItIs, locateFolder } from './folder.ts'
import { printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

export function addUpgrade(program: Command, cli: Cli): void {
  const command = program
    .command('upgrade')
    .description(
      'Bring the data folder to this version, after a copy of each database that changes; serve does so too.',
    )
    .option('--check', 'only say what would be done; nothing is written')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: { check?: true; json?: true }) => {
    const { values } = readSettings(cli, options)
    const folder = options.check ? findFolderAsItIs(values) : locateFolder(values)
    const found = readSchemas(folder)
    if (options.json)
      printJson(
        cli,
        found.map(({ name, path: _path, ...rest }) => ({ database: `${name}.db`, ...rest })),
      )
    refuseNewer(found)
    if (!options.check) upgradeFolder(folder)
    if (options.json) return
    for (const finding of found) cli.print(`${describe(finding, options.check === true)}\n`)
    cli.print('Published datasets need no change.\n')
  })
}

/** @throws CommandError `failed` naming every database that a newer version wrote */
function refuseNewer(found: readonly DatabaseSchema[]): void {
  const newer = found.filter(({ schema, known }) => schema > known)
  if (newer.length === 0) return
  const names = newer.map(
    ({ path, schema, known }) => `${path} (schema ${schema}, this program knows ${known})`,
  )
  throw new CommandError(
    'failed',
    `written by a newer version of Izvor: ${names.join(', ')}; install that version, or restore a backup made by this one`,
  )
}

function describe({ name, schema, known, bytes }: DatabaseSchema, isCheck: boolean): string {
  const database = `${name}.db`
  const missing = known - schema
  if (missing === 0) return `${database}: up to date (schema ${schema})`
  const steps = missing === 1 ? '1 migration' : `${missing} migrations`
  const size = `${Math.ceil(bytes / 1e6)} MB`
  return isCheck
    ? `${database}: schema ${schema}, ${steps} to run; a copy of ${size} is made in before-upgrade first`
    : `${database}: schema ${schema}, ${steps} run; before-upgrade has the copy from before`
}
