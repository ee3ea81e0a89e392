/** Where commands get their settings: options made from the table of settings, and the file in the current folder. */

import type { Command } from 'commander'
import { SETTINGS, type SettingName } from '../../base/config/config.ts'
import { type LoadedConfig, loadConfig } from '../../base/config/load.ts'
import { changeSettings, readSettingsFile, type SettingChanges } from '../../base/config/settings-file.ts'
import type { Cli } from './cli.ts'

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
 * @param options as commander passes them to an action, by camel-case name
 * @param changes of the file, applied as if they were written
 * @throws CommandError `usage` for anything unknown or unreadable among them
 */
export function readSettings(cli: Cli, options: object, changes: SettingChanges = {}): LoadedConfig {
  const given = new Map<string, unknown>(Object.entries(options))
  const flags: Partial<Record<SettingName, string | boolean>> = {}
  for (const name of Object.keys(SETTINGS) as SettingName[]) {
    // `reuse_port` is `reusePort` for commander.
    const value = given.get(name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    if (typeof value === 'string' || typeof value === 'boolean') flags[name] = value
  }
  return loadConfig({ flags, env: cli.env, tomlText: changeSettings(readSettingsFile() ?? '', changes) })
}
