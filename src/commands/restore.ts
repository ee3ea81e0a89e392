/** izvor restore FILE [--data DIR] [--yes] [--json]: puts a backup in the place of what a data folder holds. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type RestoreReport, restoreBackup } from '../backup/restore.ts'
import { openSource } from '../backup/source.ts'
import type { Config } from '../config.ts'
import type { Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import { claimWholeFolder } from './folder.ts'
import { formatAmount, printJson } from './print.ts'
import { addSettingOptions, readSettings } from './settings.ts'

interface Given {
  readonly yes?: true
  readonly json?: true
}

export function addRestore(program: Command, cli: Cli): void {
  const command = program
    .command('restore')
    .description('Put a backup in the place of what the data folder holds; that is kept aside.')
    .argument('<file>', 'an archive, a folder, a folder of backups (its newest), or - for standard input')
    .option('--yes', 'do not ask; nobody is asked where the data folder is missing or empty')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nAll of it is checked before anything changes. Stop the service first.')
  addSettingOptions(command, { data: 'folder' }).action((file: string, options: Given) =>
    restore(cli, file, options),
  )
}

async function restore(cli: Cli, file: string, options: Given): Promise<void> {
  const { values } = readSettings(cli, options)
  const root = resolve(values.data)
  const agreed = options.yes === true || holdsNothing(root)
  await confirm(cli, `This replaces what ${root} holds by the backup.`, agreed)
  const source = openSource(file)
  const stopped = new AbortController()
  void cli.untilStopped().then(() => stopped.abort())
  const report = await inClaimedFolder(values, (folder) =>
    restoreBackup(folder, source, { floor: values.disk_floor, now: cli.now, signal: stopped.signal }),
  )
  printRestore(cli, report, root, options.json === true)
}

/** Whether there is nothing that could be replaced; what cannot be used as a folder is refused later, by its reason. */
function holdsNothing(root: string): boolean {
  const found = statSync(root, { throwIfNoEntry: false })
  return found === undefined || (found.isDirectory() && readdirSync(root).length === 0)
}

/** A folder that was made for nothing does not stay. */
async function inClaimedFolder<T>(
  config: Config,
  work: (folder: ReturnType<typeof claimWholeFolder>['folder']) => Promise<T>,
): Promise<T> {
  const wasThere = existsSync(config.data)
  const { folder, release } = claimWholeFolder(config)
  try {
    return await work(folder)
  } catch (error) {
    if (!wasThere) rmSync(folder.root, { recursive: true, force: true })
    throw error
  } finally {
    release()
  }
}

function printRestore(cli: Cli, report: RestoreReport, root: string, json: boolean): void {
  const { manifest, aside, migrated } = report
  const { created_at, files, damaged } = manifest
  if (json) {
    printJson(cli, { data: root, created_at, files: files.length, aside, migrated, damaged })
    return
  }
  cli.print(`${root}\n`)
  cli.note(`Restored and verified: the backup of ${created_at}, ${formatAmount(files.length, 'file')}.`)
  for (const { database, from, to } of migrated)
    cli.note(`${database}.db was made by an older version: brought from schema ${from} to ${to}.`)
  if (aside !== null) cli.note(`What was there before is in ${aside}: remove it when you are sure.`)
  for (const { name, problem } of damaged)
    cli.note(`Damaged already when it was backed up: ${name}: ${problem}`)
  cli.note(
    `Whatever happened after ${created_at} is undone: keys revoked, accounts deleted and passwords changed since then ` +
      'are as they were. Do it again where it matters.',
  )
}
