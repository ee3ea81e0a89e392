/** What a user can type or meet stands in the docs: commands, options, settings, operators, error codes. */

import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from '../../src/commands/cli.ts'
import { createProgram } from '../../src/commands/program.ts'
import { SETTINGS } from '../../src/config.ts'
import { OPERATORS } from '../../src/engine/query.ts'
import { ERROR_CODES } from '../../src/errors.ts'

const ROOT = join(import.meta.dir, '..', '..')
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

/** A command line that is looked at and never run. */
const program = createProgram({
  program: 'izvor',
  command: ['izvor'],
  env: {},
  print: () => {},
  readerGone: () => false,
  drained: async () => {},
  note: () => {},
  messageStream: process.stderr,
  terminal: { input: false, output: false, messages: false },
  colored: false,
  ask: async () => '',
  now: () => new Date(0),
  untilStopped: async () => {},
  onReload: () => {},
} satisfies Cli)

function leaves(command: Command, path: readonly string[] = []): { path: string; command: Command }[] {
  const children = command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
  // Some do something by themselves and have children: `backup FILE`, `backup verify FILE`; `config`, `config example`.
  const isLeaf =
    children.length === 0 ||
    command.registeredArguments.length > 0 ||
    (path.length > 0 && command.options.length > 0)
  return isLeaf ? [{ path: path.join(' '), command }, ...children] : children
}

/** First cells of the rows of every table below a heading. */
function cellsUnder(heading: string, column = 1): string[] {
  const section = README.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| `') || line.startsWith('| 4') || line.startsWith('| 5'))
  return rows.map((line) => line.split('|')[column]?.trim() ?? '')
}

const codes = (text: string): string[] =>
  [...text.matchAll(/`([a-z_]+)`/g)].map((match) => match[1] as string)

test('the README lists exactly the commands there are', () => {
  const documented = cellsUnder('Commands').map((cell) => cell.match(/^`([a-z]+(?: [a-z-]+)?)/)?.[1])
  expect(documented).toEqual(leaves(program).map(({ path }) => path))
})

test('the README names every option of ingest and serve', () => {
  for (const name of ['ingest', 'serve']) {
    const command = program.commands.find((candidate) => candidate.name() === name)
    const row = README.split('\n').find((line) => line.startsWith(`| \`${name}`)) ?? ''
    const missing = command?.options.map(({ long }) => long ?? '').filter((long) => !row.includes(long))
    // Every command takes the folder; the row of `serve` says so.
    expect(missing?.filter((long) => long !== '--data')).toEqual([])
  }
})

test('every command and option has a help text', () => {
  for (const { path, command } of leaves(program)) {
    expect([path, command.description()]).toEqual([path, expect.stringMatching(/^[A-Z].*\.$/)])
    for (const option of command.options) expect([path, option.long, option.description]).not.toContain('')
  }
})

test('the README lists exactly the settings there are, with their variables and defaults', () => {
  const rows = cellsUnder('Settings').map((cell) => cell.replaceAll('`', ''))
  expect(rows).toEqual(Object.keys(SETTINGS))
  const defaults = cellsUnder('Settings', 3).map((cell) => cell.replaceAll('`', '') || null)
  expect(defaults).toEqual(Object.values(SETTINGS).map(({ fallback }) => fallback))
  const variables = cellsUnder('Settings', 2).map((cell) => cell.replaceAll('`', ''))
  expect(variables).toEqual(Object.keys(SETTINGS).map((name) => `IZVOR_${name.toUpperCase()}`))
})

test('the README shows every operator', () => {
  const shown = [...README.matchAll(/`\[([a-z_]+)\]`/g)].map((match) => match[1] as string)
  expect(shown.toSorted()).toEqual(OPERATORS.toSorted())
})

test('the README names the data folder of the unit in data/ops, and no other place for it', () => {
  const unit = readFileSync(join(ROOT, 'data/ops/izvor.service'), 'utf8')
  const folder = /^Environment=IZVOR_DATA=(.+)$/m.exec(unit)?.[1] ?? ''
  const named = [...README.matchAll(/\/var\/lib\/[\w/-]+/g)].map(([path]) => path)
  expect([...new Set(named)]).toEqual([folder])
})

test('the README lists exactly the error codes there are', () => {
  const listed = cellsUnder('Errors', 2).flatMap(codes)
  expect(listed.toSorted()).toEqual(ERROR_CODES.toSorted())
})

test('links between the documents lead somewhere', () => {
  const documents = ['README.md', 'CHANGELOG.md', 'build/README.md', 'test/README.md', 'test/bench/README.md']
  for (const document of documents) {
    const text = readFileSync(join(ROOT, document), 'utf8')
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect([document, target, existsSync(join(ROOT, dirname(document), target as string))]).toEqual([
        document,
        target as string,
        true,
      ])
    }
  }
})

test('the README runs demo and tests in one line each, with Bun and with Node alone', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const line = (mark: string) => README.match(new RegExp(`^ +(.*\\S) +# ${mark}$`, 'm'))?.[1]
  expect(line('demo, with Bun')).toBe('bun install && bun start')
  expect(line('demo, with only Node and npm')).toBe('npx -y bun@1.4.5 install && npx -y bun@1.4.5 start')
  expect(line('tests, with Bun')).toBe('bun install && bun run check')
  expect(line('tests, with only Node and npm')).toBe('npx -y bun@1.4.5 install && npx -y bun@1.4.5 run check')
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'check', 'build', 'bench', 'izvor']))
})
