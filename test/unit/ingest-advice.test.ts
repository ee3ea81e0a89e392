/** Every advice of a report is followed literally, on the command line or in a definition, and helps. */

import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UNUSED_CLI } from '../../build/documents.ts'
import { createProgram } from '../../src/commands/program.ts'
import { definitionSchema } from '../../src/read/definition/definition.ts'
import type { AdviceCase, Given } from '../support/advice/case.ts'
import { OF_BYTES } from '../support/advice/of-bytes.ts'
import { OF_GATES } from '../support/advice/of-gates.ts'
import { OF_STRUCTURE, OF_WIDTHS } from '../support/advice/of-structure.ts'
import { OF_VALUES } from '../support/advice/of-values.ts'
import { splitArguments } from '../support/shell-words.ts'
import { tempDir } from '../support/temp-dir.ts'
import { typeCommand } from '../support/type-command.ts'

const ADVICE_CASES = { ...OF_STRUCTURE, ...OF_WIDTHS, ...OF_VALUES, ...OF_BYTES, ...OF_GATES }

/** Advice that has its own test, or that no test can follow. */
const TAKEN_ELSEWHERE: Readonly<Record<string, string>> = {
  // Its files are workbooks.
  'hidden --hidden': 'test/unit/ingest-hidden.test.ts',
  'columns_hidden --hidden': 'test/unit/ingest-hidden.test.ts',
  // Needs as much memory as half of the machine, or 4 GiB of values.
  'read/table/judge-reading.ts --delimiter': 'test/unit/ingest-reading.test.ts',
  'fixed_width --delimiter': 'test/unit/ingest-reading.test.ts',
  'other_layout --delimiter': 'test/unit/ingest-reading.test.ts',
  'two_delimiters --delimiter': 'test/unit/ingest-reading.test.ts',
  'sheet_of_lines --header-row': 'test/unit/ingest-reading.test.ts',
  'too_large other_columns': 'test/unit/ingest-definition.test.ts',
  'publish/fetch/ckan.ts ckan:ADDRESS/PACKAGE/RESOURCE': 'test/unit/ingest-ckan.test.ts',
}

const ROOT = join(import.meta.dir, '../..')

/** What the terminal prints for an ingest, including a refusal, and the rows imported; null: it was refused. */
interface Outcome {
  readonly text: string
  readonly rows: number | null
}

async function ingest(
  folder: string,
  file: string | Uint8Array,
  given: readonly Given[],
  env: AdviceCase['env'] = {},
): Promise<Outcome> {
  const path = join(folder, 'sample.csv')
  writeFileSync(path, file)
  const words = given.flatMap(({ typed }) => (typed === undefined ? [] : splitArguments(typed)))
  const defined = given.map((one) => one.defined).filter((one) => one !== undefined)
  if (defined.length > 0) {
    const read = Object.assign({}, ...defined.map((one) => one.read))
    const definition = Object.assign({ id: 'sample', domain: 'test' }, ...defined, { read })
    writeFileSync(join(folder, 'definition.json'), JSON.stringify(definition))
    words.push('--definition', join(folder, 'definition.json'))
  }
  const named = ['--id', 'sample', '--domain', 'test', '--data', join(folder, 'data')]
  const { code, text } = await typeCommand(['ingest', path, ...named, ...words], env)
  const imported = Number(/([\d,]+) rows? imported/.exec(text)?.[1]?.replaceAll(',', ''))
  return { text, rows: code === 0 ? imported : null }
}

/** A new data directory, and what it serves. */
async function prepare({ served, env }: AdviceCase): Promise<string> {
  const folder = tempDir()
  if (served) expect((await ingest(folder, served.file, [served], env)).rows).not.toBeNull()
  return folder
}

test.each(Object.entries(ADVICE_CASES))('%s: the advice helps', async (_, advice) => {
  const { file, at = {}, env, said, take, rows } = advice
  const before = await ingest(await prepare(advice), file, [at], env)
  expect(before.text).toMatch(said)
  const taken = typeof take === 'function' ? take(said.exec(before.text)?.[1] ?? '') : take
  const after = await ingest(await prepare(advice), file, [at, taken], env)
  expect(after.text).not.toMatch(said)
  expect(after.rows).toBe(rows)
})

test('a refused file gets a starting definition, named in the report; mended rows are named by the command that lists them', async () => {
  const folder = tempDir()
  const [file, definition, data] = ['a.csv', 'a.json', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const common = ['--data', data]
  const rows = Array.from({ length: 40 }, (_, i) => `Dej ${i},"nota ${i}, rand",${i}\n`)
  const table = `town,note,n\n${rows.join('')}Cluj,a, b,4\n`
  writeFileSync(file, `${table}Cluj,"open,5\n`)
  const refused = await typeCommand([
    ...['ingest', file, '--domain', 'test', '--write-definition', definition, ...common],
  ])
  expect(refused.code).toBe(4)
  expect(refused.text).toContain(`a definition to begin with is in ${definition}: `)

  writeFileSync(file, table)
  const { text } = await typeCommand(['ingest', file, '--definition', definition, ...common])
  const [, listing = ''] = /^mended rows: .*?(datasets repaired .*)$/m.exec(text) ?? []
  const listed = await typeCommand(splitArguments(listing))
  expect(listed.text).toMatch(/^ +42 +joined +Cluj,a, b,4$/m)
})

/** Messages about wrong usage, and the next steps of a report, are not advice about a file. */
const NO_ADVICE = [
  'commands/ingest/columns.ts --json',
  'commands/ingest/summary.ts',
  'read/definition/read-options.ts',
  'publish/edition/canonical-review.ts',
  'publish/edition/gates.ts --allow-personal-data',
  'publish/edition/findings.ts --allow-personal-data',
  'key_of_append --append',
  'no_columns other_columns',
  'publish/edition/identity.ts',
  'publish/edition/source-record.ts',
  'publish/edition/written-definition.ts',
]

/**
 * `file word` for every option and definition field that a message of the sources names; in the tables of refusals
 * and warnings `code word`.
 */
function findAdvice(): Set<string> {
  const found = new Set<string>()
  const fields = [
    ...Object.keys(definitionSchema.properties),
    ...Object.keys(definitionSchema.properties.columns.items.properties),
  ]
  const command = createProgram(UNUSED_CLI).commands.find((one) => one.name() === 'ingest')
  const flags = new Set(command?.options.flatMap(({ long }) => long ?? []))
  for (const file of new Bun.Glob('**/*.ts').scanSync(join(ROOT, 'src'))) {
    if (!/^(read|publish\/(edition|fetch)|commands\/ingest)\//.test(file) || NO_ADVICE.includes(file))
      continue
    let place: string = file
    for (const line of readFileSync(join(ROOT, 'src', file), 'utf8').split('\n')) {
      const [, code] = /^ {2}(\w+): (?:row|gate)\b/.exec(line) ?? []
      if (code !== undefined) place = code
      if (/^\s*(\/?\*|\/\/)/.test(line)) continue
      for (const [, name] of line.matchAll(/adviseOption\(\s*'(\w+)'/g)) found.add(`${place} ${name}`)
      for (const [flag] of line.matchAll(/--[a-z][a-z-]+/g))
        if (flags.has(flag)) found.add(`${place} ${flag}`)
      for (const [, words = ''] of line.matchAll(/override: '([^'-][^']*)'/g))
        if (!words.includes('definition')) found.add(`${place} ${words}`)
      if (!/(?:a|the) definition/.test(line)) continue
      for (const [, word = ''] of line.matchAll(/"(\w+)"/g))
        if (fields.includes(word)) found.add(`${place} ${word}`)
    }
  }
  return found.difference(new Set(NO_ADVICE))
}

test('no advice in the sources lacks a case, and no case lacks its advice', () => {
  const told = findAdvice()
  const cases = new Set([
    ...Object.values(ADVICE_CASES).flatMap(({ given }) => given),
    ...Object.keys(TAKEN_ELSEWHERE),
  ])
  expect([...told].filter((advice) => !cases.has(advice)).sort()).toEqual([])
  expect([...cases].filter((advice) => !told.has(advice)).sort()).toEqual([])
  for (const file of Object.values(TAKEN_ELSEWHERE)) expect(existsSync(join(ROOT, file))).toBe(true)
})
