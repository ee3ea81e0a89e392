/** izvor restore FILE [--data DIR] [--yes] [--json]: replaces the contents of a data directory by a backup. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Config } from '../../base/config/config.ts'
import { type RestoreReport, restoreBackup } from '../../upkeep/backup/restore.ts'
import { openSource } from '../../upkeep/backup/source.ts'
import type { Cli } from '../cli/cli.ts'
import { confirm } from '../cli/confirm.ts'
import { claimWholeFolder } from '../cli/folder.ts'
import { formatAmount, printJson } from '../cli/print.ts'
import { addSettingOptions, readSettings } from '../cli/settings.ts'
import { withSharedHome } from './shared-home.ts'

interface Given {
  readonly yes?: true
  readonly json?: true
}

export function addRestore(program: Command, cli: Cli): void {
  const command = program
    .command('restore')
    .description(
      'Replace the contents of the data directory by a backup; the former contents are kept aside.',
    )
    .argument('<file>', 'an archive, a folder, a folder of backups (its newest), or - for standard input')
    .option('--yes', 'do not ask for confirmation; a missing or empty data directory needs none')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nThe backup is checked before anything changes. Stop the service first.')
  addSettingOptions(command, { data: 'folder' }).action((file: string, options: Given) =>
    restore(cli, file, options),
  )
}

async function restore(cli: Cli, file: string, options: Given): Promise<void> {
  const { values } = readSettings(cli, options)
  const root = resolve(values.data)
  const agreed = options.yes === true || holdsNothing(root)
  const isShared = values.database_url !== null
  const replaced = isShared ? 'what all nodes share' : `the contents of ${root}`
  await confirm(cli, `This replaces ${replaced} by the backup.`, isShared ? options.yes === true : agreed)
  const source = openSource(file)
  const stopped = new AbortController()
  void cli.untilStopped().then(() => stopped.abort())
  const report = await inClaimedFolder(values, (folder) =>
    withSharedHome(values, folder, (shared) =>
      restoreBackup(folder, source, {
        floor: values.disk_floor,
        now: cli.now,
        signal: stopped.signal,
        shared,
      }),
    ),
  )
  printRestore(cli, report, root, options.json === true)
}

/** Whether there is nothing to replace; a path that is not a usable folder is refused later, with its reason. */
function holdsNothing(root: string): boolean {
  const found = statSync(root, { throwIfNoEntry: false })
  return found === undefined || (found.isDirectory() && readdirSync(root).length === 0)
}

/** Removes the directory that was made for a restore that failed. */
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
  const { manifest, aside, migrated, mails } = report
  const { created_at, files, damaged } = manifest
  if (json) {
    printJson(cli, {
      data: root,
      created_at,
      files: files.length,
      aside,
      migrated,
      unsent_mails: mails,
      damaged,
    })
    return
  }
  cli.print(`${root}\n`)
  cli.note(`Restored and verified: the backup of ${created_at}, ${formatAmount(files.length, 'file')}.`)
  for (const { database, from, to } of migrated)
    cli.note(`${database}.db is from an older version: upgraded from schema ${from} to ${to}.`)
  if (aside !== null) cli.note(`The former contents are in ${aside}: remove them when you are sure.`)
  for (const { name, problem } of damaged) cli.note(`Damaged before the backup was made: ${name}: ${problem}`)
  if (mails > 0) cli.note(`${formatAmount(mails, 'waiting mail')} will not be sent.`)
  cli.note(
    `Everything after ${created_at} is undone: keys revoked, accounts deleted and passwords changed since then ` +
      'are as before. Repeat the changes that matter.',
  )
}
