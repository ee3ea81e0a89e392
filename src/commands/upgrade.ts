/** izvor upgrade [--check] [--json]: what this program would change in a data folder of an older one, or the change itself. */

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { migrate, schemaVersion } from '../db/migrate.ts'
import { SCHEMAS } from '../db/migrations.ts'
import { openDatabase } from '../db/open.ts'
import { CommandError } from '../errors.ts'
import type { DataDir } from '../storage/data-dir.ts'
import type { Cli } from './cli.ts'
import { findFolder } from './folder.ts'
import { printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

interface Finding {
  readonly database: string
  readonly path: string
  /** Migrations it has. */
  readonly schema: number
  /** Migrations this program knows. */
  readonly known: number
  readonly bytes: number
}

export function addUpgrade(program: Command, cli: Cli): void {
  const command = program
    .command('upgrade')
    .description(
      'Bring the data folder to this version, after a copy of each database that changes; serve does so too.',
    )
    .option('--check', 'only say what would be done; nothing is written')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder' }).action((options: { check?: true; json?: true }) => {
    const folder = findFolder(readSettings(cli, options).values)
    const found = examine(folder)
    if (options.json)
      printJson(
        cli,
        found.map(({ path: _path, ...finding }) => finding),
      )
    refuseNewer(found)
    for (const finding of found) {
      if (!options.json) cli.print(`${describe(finding, options.check === true)}\n`)
      if (options.check !== true) upgrade(finding)
    }
    if (!options.json) cli.print('Published datasets need no change.\n')
  })
}

function examine(folder: DataDir): Finding[] {
  return Object.entries(SCHEMAS)
    .map(([name, migrations]) => ({ path: join(folder.root, `${name}.db`), name, known: migrations.length }))
    .filter(({ path }) => existsSync(path))
    .map(({ path, name, known }) => {
      const database = openDatabase(path, { readonly: true })
      try {
        const { size: bytes } = statSync(path)
        return { database: `${name}.db`, path, schema: schemaVersion(database), known, bytes }
      } finally {
        database.close()
      }
    })
}

/** @throws CommandError `failed` naming every database that a newer version wrote */
function refuseNewer(found: readonly Finding[]): void {
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

function describe({ database, schema, known, bytes }: Finding, isCheck: boolean): string {
  const missing = known - schema
  if (missing === 0) return `${database}: up to date (schema ${schema})`
  const steps = missing === 1 ? '1 migration' : `${missing} migrations`
  const size = `${Math.ceil(bytes / 1e6)} MB`
  return isCheck
    ? `${database}: schema ${schema}, ${steps} to run; a copy of ${size} is made in before-upgrade first`
    : `${database}: schema ${schema}, ${steps} run; before-upgrade has the copy from before`
}

function upgrade({ database, path, schema, known }: Finding): void {
  if (schema === known) return
  const name = database.replace('.db', '') as keyof typeof SCHEMAS
  const opened = openDatabase(path, { secureDelete: name === 'accounts' })
  try {
    migrate(opened, SCHEMAS[name])
  } finally {
    opened.close()
  }
}
