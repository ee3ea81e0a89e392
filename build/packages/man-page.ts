/** The manual page, from the parser of the command line: the same words as `--help` and docs/commands.md. */

import { EXIT_CODE_MEANINGS } from '../../src/commands/cli/exit-codes.ts'
import { createProgram } from '../../src/commands/program.ts'
import { type CommandDescription, listCommands } from '../command-list.ts'
import { UNUSED_CLI } from '../documents.ts'
import type { Release } from './entries.ts'

/** In the macros of man(7). */
export function writeManPage({ version, date }: Release): string {
  const program = createProgram(UNUSED_CLI)
  return [
    `.TH IZVOR 1 "${date.toISOString().slice(0, 10)}" "Izvor ${version}" "User Commands"`,
    ...['.SH NAME', 'izvor \\- open-data server in one executable'],
    ...['.SH SYNOPSIS', '.B izvor', '.I command', '[\\fIoptions\\fR]'],
    ...['.SH DESCRIPTION', roff(program.description())],
    ...['.SH COMMANDS', ...listCommands(program).flatMap(writeCommand)],
    ...['.SH EXIT STATUS', ...EXIT_CODE_MEANINGS.flatMap(([code, meaning]) => item(String(code), meaning))],
    '.SH FILES',
    ...item('izvor.toml', 'Settings, in the current folder; /etc/izvor/izvor.toml for the service.'),
    ...item('/var/lib/izvor', 'Data of the service.'),
    '.SH ENVIRONMENT',
    ...item('IZVOR_*', 'Each setting; "izvor config" names them, their values and where these come from.'),
  ]
    .join('\n')
    .concat('\n')
}

function writeCommand({ name, usage, description, arguments: args, options }: CommandDescription): string[] {
  const rows = [...args, ...options].flatMap((row) => item(row.syntax, row.description))
  const head = ['.SS', roff(`izvor ${name} ${usage}`).trimEnd()].join(' ')
  return [head, roff(description), ...(rows.length > 0 ? ['.RS', ...rows, '.RE'] : [])]
}

function item(term: string, meaning: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(meaning)]
}

/** Escapes a line that would begin like a request, and the hyphens of options, which are minus signs. */
function roff(text: string): string {
  const line = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll(/\s+/g, ' ')
  return /^[.']/.test(line) ? `\\&${line}` : line
}
