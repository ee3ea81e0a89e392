/** izvor config [--json]: every setting, its value, and where that came from; `config example` writes a file of them. */

import type { Command } from 'commander'
import { describeSettings } from '../base/config/load.ts'
import type { Cli } from './cli/cli.ts'
import { printJson, printTable } from './cli/print.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'
import { addConfigExample } from './config/example.ts'

export function addConfig(program: Command, cli: Cli): void {
  const command = program
    .command('config')
    .description('Print every setting with its value and where it came from. Secrets are not shown.')
    .option('--json', 'print JSON')
  addSettingOptions(command, { data: 'folder', host: 'address', port: 'number', reuse_port: '' }).action(
    (options: { json?: true }) => {
      const settings = describeSettings(readSettings(cli, options))
      if (options.json) {
        // Programs want the values themselves.
        const values = settings.map(({ written: _, ...setting }) => setting)
        return printJson(cli, values)
      }
      printTable(cli, settings, [
        { title: 'setting', value: (setting) => setting.name },
        { title: 'value', value: (setting) => setting.written ?? '-' },
        { title: 'from', value: (setting) => setting.origin },
        { title: 'variable', value: (setting) => setting.env },
        { title: 'what it does', value: (setting) => setting.help },
      ])
    },
  )
  addConfigExample(command, cli)
}
