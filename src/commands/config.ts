/** izvor config [--json]: every setting, its value, and where that came from; `config example` writes a file of them. */

import type { Command } from 'commander'
import { SETTINGS } from '../base/config/config.ts'
import { describeSettings } from '../base/config/load.ts'
import type { Cli } from './cli/cli.ts'
import { printJson, printTable } from './cli/print.ts'
import { addSettingOptions, readSettings } from './cli/settings.ts'

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

/** For columns of a terminal. */
const WIDTH = 100

function addConfigExample(config: Command, cli: Cli): void {
  config
    .command('example')
    .description('Print a commented izvor.toml with every setting; redirect it to a file and edit that.')
    .action(() => cli.print(exampleSettings()))
}

/** Every line is a comment, so the file changes nothing until a `#` is removed. */
export function exampleSettings(): string {
  const head = [
    '# Settings of Izvor: save as izvor.toml in the folder where "izvor serve" starts.',
    '# Remove the # in front of a setting to change it. An IZVOR_* variable or an option of the',
    '# command takes precedence over this file; "izvor config" prints each value and its origin.',
  ]
  const parts = Object.entries(SETTINGS).map(([name, { help, kind, fallback, secret }]) => [
    ...wrap(help),
    ...wrap(`Takes ${kind.expected}.${fallback === null ? ' No default.' : ''}`),
    ...(secret ? wrap(`A secret: better kept in a file that IZVOR_${name.toUpperCase()}_FILE names.`) : []),
    `#${name} = ${fallback === null ? '""' : tomlOf(fallback)}`,
  ])
  return `${[head, ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Numbers and truth values as TOML has them, the rest in quotes (JSON's are TOML's, too). */
function tomlOf(text: string): string {
  return /^(?:\d+|true|false)$/.test(text) ? text : JSON.stringify(text)
}

function wrap(text: string): string[] {
  const lines: string[] = []
  let line = '#'
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = '#'
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
