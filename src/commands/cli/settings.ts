/** Where commands get their settings: options made from the table of settings, and the file in the current folder. */

import { lstatSync, type Stats } from 'node:fs'
import type { Command } from 'commander'
import { SETTINGS, type SettingName } from '../../base/config/config.ts'
import { type LoadedConfig, loadConfig } from '../../base/config/load.ts'
import { CommandError } from '../../base/errors.ts'
import { readRegularText } from '../../base/process/regular-file.ts'
import { explainFailure } from '../../base/text/system-failure.ts'
import type { Cli } from './cli.ts'

/** Looked for in the current folder. */
export const SETTINGS_FILE = 'izvor.toml'

/** Adds the options of the named settings, each with its help and default from the table. */
export function addSettingOptions(command: Command, placeholders: { [K in SettingName]?: string }): Command {
  for (const [name, placeholder] of Object.entries(placeholders)) {
    const { flag, help, fallback } = SETTINGS[name as SettingName]
    if (flag === undefined) throw new Error(`the setting ${name} has no option`)
    const syntax = placeholder === '' ? flag : `${flag} <${placeholder}>`
    command.option(syntax, placeholder === '' || fallback === null ? help : `${help} (default: ${fallback})`)
  }
  return command
}

/**
 * Every setting, from the options given, the environment, `izvor.toml` in the current folder, or its default.
 * @param options what commander hands to an action: the options given, by camel-case name
 * @throws CommandError `usage` for anything unknown or unreadable among them
 */
export function readSettings(cli: Cli, options: object): LoadedConfig {
  const given = new Map<string, unknown>(Object.entries(options))
  const flags: Partial<Record<SettingName, string | boolean>> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    // `reuse_port` is `reusePort` for commander.
    const value = given.get(name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    if (typeof value === 'string' || typeof value === 'boolean') flags[name] = value
  }
  return loadConfig({ flags, env: cli.env, tomlText: readSettingsFile() })
}

function readSettingsFile(): string | undefined {
  try {
    return readRegularText(SETTINGS_FILE, (stat) => refuseStrangers([stat, lstatSync(SETTINGS_FILE)]))
  } catch (error) {
    if (error instanceof CommandError) throw error
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const reason = explainFailure(error)
    throw new CommandError('usage', `${SETTINGS_FILE} in the current folder cannot be read: ${reason}`)
  }
}

/**
 * In a folder for everybody, such as /tmp, the file may be a stranger's: it would send mail and fetch where they like.
 * @param found the file, and the name that leads to it, which may be a symbolic link
 * @throws CommandError `usage` unless both belong to this user or to root, and nobody else may write the file; systems
 * without such owners (Windows) are not asked
 */
function refuseStrangers([file, name]: readonly [Stats, Stats]): void {
  const user = process.geteuid?.()
  if (user === undefined) return
  const stranger = [file, name].find(({ uid }) => uid !== user && uid !== 0)
  if (stranger !== undefined)
    throw new CommandError(
      'usage',
      `${SETTINGS_FILE} in the current folder belongs to user ${stranger.uid}, neither to this one (${user}) nor to root, and is not read: run the command in another folder, or take the file with chown`,
    )
  if ((file.mode & 0o022) !== 0)
    throw new CommandError(
      'usage',
      `${SETTINGS_FILE} in the current folder can be written by other users (mode ${(file.mode & 0o777).toString(8)}) and is not read: chmod go-w ${SETTINGS_FILE}`,
    )
}
