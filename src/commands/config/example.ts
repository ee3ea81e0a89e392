/** izvor config example: an `izvor.toml` with every setting in it, each explained and commented out. */

import type { Command } from 'commander'
import { SETTINGS } from '../../base/config/config.ts'
import type { Cli } from '../cli/cli.ts'

/** For columns of a terminal. */
const WIDTH = 100

export function addConfigExample(config: Command, cli: Cli): void {
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
