/** The commands as data, read from the parser of the command line. */

import type { Command } from 'commander'

export interface CommandDescription {
  /** As typed after the program's name: `datasets diff`. */
  readonly name: string
  readonly description: string
  /** Everything after the name: `<id> [v1] [v2] [options]`. */
  readonly usage: string
  readonly arguments: readonly Row[]
  readonly options: readonly Row[]
}

interface Row {
  /** `<file>`, or `--port <number>` */
  readonly syntax: string
  readonly description: string
}

/** Every command in the order of `--help`, without those that only group others. */
export function listCommands(program: Command): CommandDescription[] {
  const shown = program.createHelp().visibleCommands(program)
  return program.commands.flatMap((command) => (shown.includes(command) ? describe(command, []) : []))
}

function describe(command: Command, parents: readonly string[]): CommandDescription[] {
  const path = [...parents, command.name()]
  const children = command.commands.flatMap((child) => describe(child, path))
  const isGroup =
    command.commands.length > 0 && command.registeredArguments.length === 0 && command.options.length === 0
  if (isGroup) return children
  const args = command.registeredArguments.map((argument) => ({
    syntax: argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
    description: argument.description,
  }))
  const usage = [...args.map(({ syntax }) => syntax), ...(command.options.length > 0 ? ['[options]'] : [])]
  return [
    {
      name: path.join(' '),
      description: command.description(),
      usage: usage.join(' '),
      arguments: args,
      options: command.options
        .filter(({ hidden }) => !hidden)
        // As `--help` prints it: with choices and the default, if commander knows them.
        .map(({ flags, description, defaultValue, argChoices }) => {
          const choices = argChoices === undefined ? '' : ` (choices: ${argChoices.join(', ')})`
          const fallback = typeof defaultValue === 'string' || typeof defaultValue === 'number'
          const more = choices + (fallback ? ` (default: ${defaultValue})` : '')
          return { syntax: flags, description: description + more }
        }),
    },
    ...children,
  ]
}
