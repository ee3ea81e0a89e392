/** izvor config example: an `izvor.toml` with every setting in it, each explained and commented out. */

import type { Command } from 'commander'
import { SETTINGS } from '../../config.ts'
import type { Cli } from '../cli.ts'

/** For columns of a terminal. */
const WIDTH = 100

export function addConfigExample(config: Command, cli: Cli): void {
  config
    .command('example')
    .description('Print a commented izvor.toml with every setting; redirect it to a file and edit that.')
    .action(() => cli.print(exampleSettings()))
}

/** Every line is a comment: the file changes nothing until somebody takes a `#` away. */
export function exampleSettings(): string {
  const head = [
    '# Settings of Izvor: save as izvor.toml in the folder in which "izvor serve" is started.',
    '# Take the # in front of a setting away to change it. An IZVOR_* variable or an option of the',
    '# command comes before what stands here; "izvor config" shows what holds and where it is from.',
  ]
  const parts = Object.entries(SETTINGS).map(([name, { help, expected, fallback, ...more }]) => [
    ...wrap(help),
    ...wrap(`Takes ${expected}.${fallback === null ? ' By default there is none.' : ''}`),
    ...('secret' in more
      ? wrap(`A secret: better in a file that IZVOR_${name.toUpperCase()}_FILE names.`)
      : []),
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
