/** izvor config [--json]: every setting, its value, and where that came from; `config example` writes a file of them. */

import { SETTINGS } from '../base/config/config.ts'
import { describeSettings } from '../base/config/load.ts'
import { writeValue } from '../base/config/settings-file.ts'
import { bareCommand, type SettingsPlace, settingsCommand } from './cli/command-row.ts'
import { printTable } from './cli/print.ts'

const example = bareCommand({
  name: 'example',
  description: 'Print a commented izvor.toml with every setting; redirect it to a file and edit that.',
  does: exampleSettings,
  json: null,
  prints: (cli, text) => cli.print(text),
})

export const config = settingsCommand({
  name: 'config',
  description: 'Print every setting with its value and where it came from. Secrets are not shown.',
  settings: { data: 'folder', host: 'address', port: 'number', reuse_port: '' },
  does: ({ loaded }: SettingsPlace) => describeSettings(loaded),
  // Programs need the values, not how people write them.
  json: (settings) => settings.map(({ written: _, ...setting }) => setting),
  prints: (cli, settings) =>
    printTable(cli, settings, {
      setting: 'name',
      value: (setting) => setting.written ?? '-',
      from: 'origin',
      variable: 'env',
      'what it does': 'help',
    }),
  commands: [example],
})

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
    `#${name} = ${writeValue(fallback ?? '')}`,
  ])
  return `${[head, ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function wrap(text: string): string[] {
  return Bun.wrapAnsi(text, 98)
    .split('\n')
    .map((line) => `# ${line}`)
}
