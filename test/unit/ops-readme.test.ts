import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from '../../src/commands/cli.ts'
import { createProgram } from '../../src/commands/program.ts'
import { loadConfig, SETTINGS } from '../../src/config.ts'

const FOLDER = join(import.meta.dir, '../../data/ops')
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8')
const program = createProgram({ print: () => {}, note: () => {} } as unknown as Cli)
/** `izvor …`, `drill …`, `./izvor-new …` and `/usr/local/bin/izvor …`, in blocks and between backquotes. */
const CALL =
  /(?:^ {4}(?:sudo -u izvor )?|[|`] ?)(?:\.\/izvor-new|\/usr\/local\/bin\/izvor|izvor|drill) ([a-z][^`\n]*)/gm

/** The command that the words name, and the words left. */
function find(
  words: readonly string[],
  from: Command = program,
): { command: Command; rest: readonly string[] } {
  const child = from.commands.find((candidate) => candidate.name() === words[0])
  return child === undefined ? { command: from, rest: words } : find(words.slice(1), child)
}

test('every command and option that the operator is told to type exists', () => {
  const calls = [...README.matchAll(CALL)].map((match) => match[1]!.replace(/ *(?:[|#>].*|\\\|.*)$/, ''))
  expect(calls.length).toBeGreaterThan(25)
  for (const call of calls) {
    const { command, rest } = find(
      call
        .replaceAll(/"[^"]*"/g, 'TEXT')
        .trim()
        .split(/\s+/),
    )
    expect([call, command === program]).toEqual([call, false])
    const known = command.options.map(({ long }) => long)
    for (const option of rest.filter((word) => word.startsWith('--')))
      expect([call, known]).toEqual([call, expect.arrayContaining([option])])
  }
})

test('every setting that is named exists, and the lines for izvor.toml are understood', () => {
  for (const [, name] of README.matchAll(/IZVOR_([A-Z_]+?)(?:_FILE)?=/g))
    expect(Object.keys(SETTINGS)).toContain(name!.toLowerCase())
  const lines = [...README.matchAll(/^ {4}([a-z_]+ = .+)$/gm)].map((match) => match[1]!)
  expect(lines.length).toBeGreaterThan(3)
  expect(
    Object.values(loadConfig({ tomlText: lines.join('\n') }).origins).filter(
      (origin) => origin === 'izvor.toml',
    ),
  ).toHaveLength(lines.length)
})

test('every file that is linked to is there', () => {
  for (const [, target] of README.matchAll(/\]\((?!https?:)([^)#]+)/g))
    expect([target, existsSync(join(FOLDER, target!))]).toEqual([target, true])
})
