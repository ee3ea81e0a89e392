/** izvor restore FILE [--data DIR] [--yes] [--json]: replaces the contents of a data directory by a backup. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '../../base/config/config.ts'
import { restoreBackup } from '../../upkeep/backup/restore.ts'
import { openSource } from '../../upkeep/backup/source.ts'
import { type SettingsPlace, settingsCommand } from '../cli/command-row.ts'
import { claimWholeFolder, withSharedHome } from '../cli/folder.ts'
import { formatAmount } from '../cli/print.ts'

export const restore = settingsCommand({
  name: 'restore',
  description: 'Replace the contents of the data directory by a backup; the former contents are kept aside.',
  takes: (command) =>
    command.argument(
      '<file>',
      'an archive, a folder, a folder of backups (its newest), or - for standard input',
    ),
  yesHelp: 'do not ask for confirmation; a missing or empty data directory needs none',
  help: '\nThe backup is checked before anything changes. Stop the service first.',
  confirms({ config }: SettingsPlace, _: string) {
    const root = resolve(config.data)
    if (config.database_url !== null) return 'This replaces what all nodes share by the backup.'
    const found = statSync(root, { throwIfNoEntry: false })
    // A path that is not a usable folder is refused later, with its reason.
    const holdsNothing = found === undefined || (found.isDirectory() && readdirSync(root).length === 0)
    return holdsNothing ? null : `This replaces the contents of ${root} by the backup.`
  },
  async does({ cli, config }: SettingsPlace, file: string) {
    const source = openSource(file)
    const stopped = new AbortController()
    void cli.untilStopped().then(() => stopped.abort())
    const how = { floor: config.disk_floor, now: cli.now, signal: stopped.signal }
    const report = await inClaimedFolder(config, (folder) =>
      withSharedHome(config, folder, (shared) => restoreBackup(folder, source, { ...how, shared })),
    )
    return { data: resolve(config.data), ...report }
  },
  json({ data, manifest: { created_at, files, damaged }, aside, migrated, mails }) {
    return { data, created_at, files: files.length, aside, migrated, unsent_mails: mails, damaged }
  },
  prints(cli, { data, manifest: { created_at, files, damaged }, aside, migrated, mails }) {
    cli.print(`${data}\n`)
    cli.note(`Restored and verified: the backup of ${created_at}, ${formatAmount(files.length, 'file')}.`)
    for (const { database, from, to } of migrated)
      cli.note(`${database}.db is from an older version: upgraded from schema ${from} to ${to}.`)
    if (aside !== null) cli.note(`The former contents are in ${aside}: remove them when you are sure.`)
    for (const { name, problem } of damaged)
      cli.note(`Damaged before the backup was made: ${name}: ${problem}`)
    if (mails > 0) cli.note(`${formatAmount(mails, 'waiting mail')} will not be sent.`)
    cli.note(
      `Everything after ${created_at} is undone: keys revoked, accounts deleted and passwords changed since then ` +
        'are as before. Repeat the changes that matter.',
    )
  },
})

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
