/** izvor backup FILE [--replace] [--keep N] [--if-due] [--json], izvor restore FILE [--yes] [--json]: a copy of everything, and back. */

import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { releasing } from '../base/closing.ts'
import type { Config } from '../base/config/config.ts'
import { parseInteger } from '../base/config/setting-kinds.ts'
import { CommandError } from '../base/errors.ts'
import { type BackupReport, backUp } from '../upkeep/backup/backup.ts'
import { checkBackup } from '../upkeep/backup/check.ts'
import { requireKnownSchema } from '../upkeep/backup/manifest.ts'
import { isBackupDue, readBackupRecord } from '../upkeep/backup/record.ts'
import { restoreBackup } from '../upkeep/backup/restore.ts'
import { openSource } from '../upkeep/backup/source.ts'
import type { Cli } from './cli/cli.ts'
import { bareCommand, type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { claimWholeFolder, createFolder, findFolderAsItIs, withSharedHome } from './cli/folder.ts'
import { formatAmount, formatBytes, formatDuration, printJson } from './cli/print.ts'

interface Given {
  readonly replace?: true
  readonly keep?: number
  readonly ifDue?: true
  readonly json?: true
}

const AFTER_HELP = `
A file is a tar archive of the databases, the version files and your reference tables, with their SHA-256.
A folder (an existing one, or a path that ends in /) gets a folder per backup; version files that an
earlier backup holds are not copied again. Either is read again and compared before it gets its name.
Exit code 6: the backup was made, but holds version files that were damaged already; or a database is
damaged, and no backup was made.`

const takesBackup = (command: Command) =>
  command.argument(
    '<file>',
    'an archive, a folder, a folder of backups (its newest), or - for standard input',
  )

const verify = bareCommand({
  name: 'verify',
  description: 'Read a backup again and compare it with its manifest; exit code 6 means damage.',
  takes: takesBackup,
  async does(_: { cli: Cli }, file: string) {
    const source = openSource(file)
    const manifest = await checkBackup(source.entries, { label: source.label })
    requireKnownSchema(source.label, manifest)
    const { created_at, program, schema, files, damaged } = manifest
    const bytes = files.reduce((sum, part) => sum + part.bytes, 0)
    return { target: source.label, created_at, program, schema, files: files.length, bytes, damaged }
  },
  prints(cli, { target, created_at, files, bytes, damaged }) {
    cli.print(`${target}: whole, of ${created_at}, ${formatAmount(files, 'file')}, ${formatBytes(bytes)}\n`)
    for (const { name, problem } of damaged) cli.note(`It was backed up as it was: ${name}: ${problem}`)
  },
})

export const backup = settingsCommand({
  name: 'backup',
  description: 'Copy the whole data directory as of one moment, while the service runs.',
  takes: (command) =>
    command
      // Otherwise it takes options of `backup verify`.
      .enablePositionalOptions()
      .argument('<file>', 'a file, a folder, or - for standard output')
      .option('--replace', 'a file that is an earlier backup is replaced, once the new one is verified')
      .option(
        '--keep <number>',
        'in a folder: remove the oldest backups of this data directory beyond this number',
        (text) => {
          const keep = parseInteger(1, 10_000)(text)
          if (keep !== undefined) return keep
          throw new CommandError('usage', `--keep cannot be "${text}": expected a whole number from 1`)
        },
      )
      .option('--if-due', 'only if one is due by the setting backup_schedule')
      .option('--json', 'print JSON; to standard error when the backup goes to standard output'),
  help: AFTER_HELP,
  json: null,
  does: ({ cli, config }: SettingsPlace, file: string, options: Given) =>
    runBackup(cli, config, file, options),
  commands: [verify],
})

async function runBackup(cli: Cli, values: Config, target: string, options: Given): Promise<void> {
  if (target === '-' && cli.terminal.output)
    throw new CommandError('usage', 'a backup is binary: redirect it, or name a file')
  // A node's folder is a cache, and is made where there is none.
  const folder = values.database_url === null ? findFolderAsItIs(values) : createFolder(values)
  if (options.ifDue) {
    // Checked again in the process that works, since several services may follow one schedule.
    const { backup_schedule: schedule } = values
    if (schedule === null || !isBackupDue(readBackupRecord(folder), schedule, cli.now()))
      return cli.note(schedule === null ? 'There is no backup_schedule.' : 'No backup is due.')
    // A backup by schedule is not urgent; requests come first.
    setPriority(constants.priority.PRIORITY_LOW)
  }
  const stopped = new AbortController()
  void cli.untilStopped().then(() => stopped.abort())
  const started = performance.now()
  const report = await withSharedHome(values, folder, (shared) =>
    backUp(folder, {
      target,
      replace: options.replace === true,
      stream: (bytes) => send(cli, bytes),
      keep: options.keep ?? null,
      bySchedule: options.ifDue === true,
      floor: values.disk_floor,
      now: cli.now,
      signal: stopped.signal,
      shared,
    }),
  )
  printBackup(cli, report, performance.now() - started, options.json === true)
  refuseDamage(report)
}

async function send(cli: Cli, bytes: Uint8Array): Promise<void> {
  cli.print(bytes)
  await cli.drained()
  if (cli.readerGone())
    throw new CommandError(
      'failed',
      'the reader of the backup stopped before its end: what it received is not a backup',
    )
}

function printBackup(cli: Cli, report: BackupReport, elapsed: number, json: boolean): void {
  const { target, manifest, bytes, linked, verified, removed } = report
  const { created_at, files, damaged } = manifest
  if (json) {
    const all = { target, created_at, files: files.length, linked, bytes, verified, removed, damaged }
    const text = { ...all, duration_ms: Math.round(elapsed) }
    if (target === '-') cli.note(JSON.stringify(text))
    else printJson(cli, text)
    return
  }
  const size = `${formatAmount(files.length, 'file')}, ${formatBytes(bytes)}, in ${formatDuration(elapsed)}`
  const shared = linked > 0 ? `; ${formatAmount(linked, 'version file')} shared with an earlier one` : ''
  if (target === '-') {
    const advice = `"${cli.program} backup verify -" checks it where it arrives`
    cli.note(`The backup of ${created_at} was sent (${size}). ${advice}.`)
    return
  }
  cli.print(`${target}\n`)
  cli.note(`The backup of ${created_at} is written and verified (${size}${shared}).`)
  if (removed.length > 0) cli.note(`Removed: ${removed.join(', ')}`)
}

function refuseDamage({ target, manifest }: BackupReport): void {
  if (manifest.damaged.length === 0) return
  const amount = formatAmount(manifest.damaged.length, 'version file was', 'version files were')
  const where = target === '-' ? 'the backup' : target
  throw new CommandError(
    'damaged',
    [
      `${where} is complete, but ${amount} damaged already. Keep an older backup that has them; ` +
        '"datasets rollback" serves an earlier version, a new ingest makes a sound one',
      ...manifest.damaged.map(({ name, problem }) => `${name}: ${problem}`),
    ].join('\n  '),
  )
}

export const restore = settingsCommand({
  name: 'restore',
  description: 'Replace the contents of the data directory by a backup; the former contents are kept aside.',
  takes: takesBackup,
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
    const wasThere = existsSync(config.data)
    using claimed = releasing(claimWholeFolder(config))
    const { folder } = claimed
    try {
      const report = await withSharedHome(config, folder, (shared) =>
        restoreBackup(folder, source, { ...how, shared }),
      )
      return { data: resolve(config.data), ...report }
    } catch (error) {
      if (!wasThere) rmSync(folder.root, { recursive: true, force: true })
      throw error
    }
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
