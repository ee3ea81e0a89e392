/**
 * Every Markdown document: its links lead somewhere, its command lines are understood by the program, its settings and
 * codes exist. What a user can type is in one of them. `documents.test.ts` compares the generated ones.
 */

import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Command } from 'commander'
import { listCommands } from '../../build/command-list.ts'
import { UNUSED_CLI } from '../../build/documents.ts'
import { SETTINGS } from '../../src/base/config/config.ts'
import { loadConfig } from '../../src/base/config/load.ts'
import { ERROR_CODES } from '../../src/base/error-codes.ts'
import { LIMITS } from '../../src/base/limits.ts'
import { createProgram } from '../../src/commands/program.ts'
import { OPERATORS } from '../../src/engine/operators.ts'
import { TOOLS } from '../../src/interop/mcp/schemas.ts'
import { shippedDefinitions } from '../../src/publish/edition/identity.ts'
import { definitionSchema } from '../../src/read/definition/definition.ts'
import { REASON_WORDS, REPAIR_WORDS } from '../../src/read/report/finding-words.ts'
import { KEY } from '../../src/server/bodies/account-bodies.ts'
import { PUBLISH_ANSWERS } from '../../src/server/bodies/draft-bodies.ts'
import { ACTIONS } from '../../src/server/ckan/actions.ts'
import { AGGREGATE_QUERY } from '../../src/server/declaration/dataset-query.ts'
import { ROUTES } from '../../src/server/routes.ts'
import {
  type Fence,
  parseDocument,
  ROOT,
  readDocument,
  readDocuments,
  shellCommands,
} from '../support/markdown.ts'

const DOCUMENTS = readDocuments()
const FENCES = DOCUMENTS.flatMap(({ fences }) => fences)
const README = readDocument('README.md')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const where = ({ document, line }: Fence): string => `${document}:${line}`
const fencesOf = (language: string): Fence[] => FENCES.filter((fence) => fence.language === language)

/** The language of a fence, and how its text is checked. */
const FENCE_KINDS: Readonly<Record<string, string>> = {
  sh: 'its lines are parsed here',
  bash: 'a script: run by publishing-job.test.ts',
  json: 'parsed here',
  toml: 'parsed here as izvor.toml',
  ini: 'its settings are looked up here',
  js: 'parsed here',
  yaml: 'parsed here',
  ts: 'run by read-library.test.ts',
  powershell: 'its calls of the program are parsed here',
  curl: 'run by 9-guides.test.ts',
  request: 'run by 9-guides.test.ts',
  'request 422': 'run by 9-guides.test.ts',
  python: 'its addresses are run by 9-guides.test.ts',
  r: 'its addresses are run by 9-guides.test.ts',
  powerquery: 'its addresses are run by 9-guides.test.ts',
  html: 'its addresses are run by 9-guides.test.ts',
  text: 'a picture or output',
}

/** What a document's link lacks; undefined when its target exists. */
function missing(document: string, target: string): string | undefined {
  if (/^(https?:|mailto:)/.test(target)) return undefined
  const [path, anchor] = target.split('#') as [string, string | undefined]
  const file = path === '' ? document : normalize(join(dirname(document), path))
  if (!existsSync(join(ROOT, file))) return `${document} -> ${target}: no such file`
  if (anchor === undefined || readDocument(file).anchors.has(anchor)) return undefined
  return `${document} -> ${target}: no such anchor`
}

test('every relative link leads to an existing file and anchor', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(20)
  const links = DOCUMENTS.flatMap(({ path, links }) => links.map((target) => missing(path, target)))
  expect(links.length).toBeGreaterThan(60)
  expect(links.filter((link) => link !== undefined)).toEqual([])
})

test('a broken link is found', () => {
  const { links } = parseDocument(
    'docs/x.md',
    '[a](operating.md#back-up) [b](operating.md#no) [c](no.md) `[d](e.md)`',
  )
  expect(links.map((target) => missing('docs/x.md', target))).toEqual([
    undefined,
    'docs/x.md -> operating.md#no: no such anchor',
    'docs/x.md -> no.md: no such file',
  ])
})

describe('fences', () => {
  test('each names a language that is tested, and code is written in no other way', () => {
    expect(FENCES.filter(({ language }) => !Object.hasOwn(FENCE_KINDS, language)).map(where)).toEqual([])
    const indented = DOCUMENTS.filter(({ prose }) => /(?:^|\n)\n {4}\S/.test(prose)).map(({ path }) => path)
    expect(indented).toEqual([])
  })

  test.each(fencesOf('sh').map((fence) => [where(fence), fence] as const))(
    'every command of %s exists, with its options and arguments',
    (_, { text }) => {
      for (const line of text.split('\n'))
        for (const words of shellCommands(line)) expect([line, faultOf(words)]).toEqual([line, undefined])
    },
  )

  test('faulty commands are found', () => {
    const lines = [
      'izvor keys mint --plann free',
      'sudo -u izvor env A=B izvor nothing',
      'bun run nothing',
      'izvor backup - | izvor restore',
      'nothing at all',
    ]
    for (const line of lines)
      expect([line, shellCommands(line).map(faultOf).filter(Boolean)]).not.toEqual([line, []])
  })

  test('JSON, TOML, JavaScript and unit settings are understood', () => {
    for (const fence of fencesOf('json')) expect(() => JSON.parse(fence.text), where(fence)).not.toThrow()
    for (const { text } of fencesOf('toml')) {
      const lines = text.trim().split('\n').length
      const { origins } = loadConfig({ tomlText: text })
      expect(Object.values(origins).filter((origin) => origin === 'izvor.toml')).toHaveLength(lines)
    }
    for (const { text } of fencesOf('js'))
      expect(() => new Bun.Transpiler({ loader: 'js' }).transformSync(text)).not.toThrow()
    for (const { text } of fencesOf('yaml')) expect(() => Bun.YAML.parse(text)).not.toThrow()
    const calls = fencesOf('powershell').flatMap(({ text }) => [
      ...text.matchAll(/izvor\.exe ([a-z][a-z ]*[a-z])/g),
    ])
    expect(calls.length).toBeGreaterThan(0)
    for (const [, call] of calls) expect(faultOf(['izvor', ...call!.split(' ')])).toBeUndefined()
  })
})

/** Other programs that command lines start. */
const OTHERS = new Set(
  'mktemp curl cd printf ssh tee nano sed grep mv rm install useradd systemctl journalctl export xattr sha256sum apt docker chown chmod createuser createdb'.split(
    ' ',
  ),
)
const IZVOR = /^(?:izvor|drill|dist\/izvor|(?:\.\/|\/usr\/local\/bin\/)izvor(?:-new)?)$/

/** What is wrong with a command in a document; undefined when nothing is. */
function faultOf(words: readonly string[]): string | undefined {
  const [first = '', ...rest] = words
  if (IZVOR.test(first)) return faultOfCall(rest)
  if (first === 'npx') return rest[1] === 'bun@1.4.5' ? faultOf(['bun', ...rest.slice(2)]) : 'another Bun'
  if (first === 'bun') return faultOfBun(rest)
  if (OTHERS.has(first) || existsSync(join(ROOT, first))) return undefined
  return `${first} is no program that documents use`
}

function faultOfBun([verb = '', ...rest]: readonly string[]): string | undefined {
  if (verb === 'install') return undefined
  if (verb === 'run' && rest[0] === 'izvor') return faultOfCall(rest.slice(1))
  if (verb === 'run') return Object.hasOwn(scripts, rest[0] ?? '') ? undefined : `no script ${rest[0]}`
  if (verb !== 'test')
    return existsSync(join(ROOT, verb)) || Object.hasOwn(scripts, verb) ? undefined : `no file ${verb}`
  const lost = rest.filter((word) => word.startsWith('test/') && !existsSync(join(ROOT, word)))
  return lost.length === 0 ? undefined : `no file ${lost[0]}`
}

/** Parses the words with the real command line, whose commands do nothing here. */
function faultOfCall(words: readonly string[]): string | undefined {
  const program = createProgram(UNUSED_CLI)
  muzzle(program)
  try {
    program.parse([...words], { from: 'user' })
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

function muzzle(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} })
  if (command.registeredArguments.length > 0 || command.commands.length === 0) command.action(() => {})
  for (const child of command.commands) muzzle(child)
}

/** The words of inline code that look like a name of several words. */
function namesIn(prose: string): string[] {
  return [...prose.matchAll(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g)].map((match) => match[1]!)
}

describe('names', () => {
  /** Names in answers, files and examples; all others are in a table. */
  const OTHER_NAMES = [
    ...['csrf_token', 'kept_with_column', 'late_nodes', 'leave_out'],
    'retry_after_s',
    ...['izvor_dataset_rows', 'izvor_refused_total', 'izvor_worker_restarts_total', 'izvor_worker_up'],
    'sum_vehicle_count',
    'tcp_migrate_req',
    'warning_codes',
  ]
  /** CKAN's own parameters and members. */
  const OF_CKAN = [
    ...['resource_id', 'include_total', 'records_format', 'records_truncated', 'res_format'],
    'metadata_modified',
  ]
  const columns = Object.keys(definitionSchema.properties.columns.items.properties)
  const read = Object.keys(definitionSchema.properties.read.properties)
  const known = new Set([
    ...Object.keys(SETTINGS),
    ...ERROR_CODES,
    ...Object.keys(LIMITS),
    ...Object.keys(AGGREGATE_QUERY.properties),
    ...OPERATORS,
    ...Object.keys(REASON_WORDS),
    ...Object.keys(REPAIR_WORDS),
    ...[...Object.keys(definitionSchema.properties), ...columns, ...read],
    ...shippedDefinitions().map(({ id }) => id),
    ...Object.keys(KEY.properties),
    ...Object.keys(PUBLISH_ANSWERS.properties),
    ...Object.keys(ACTIONS),
    ...OF_CKAN,
    ...Object.keys(TOOLS),
    ...OTHER_NAMES,
  ])
  const FOR_USERS = /^README\.md$|^docs\/[\w-]+\.md$|^data\/README\.md$/

  test('every setting, code, reason and field named in a document for users exists', () => {
    for (const { path, prose } of DOCUMENTS.filter(({ path }) => FOR_USERS.test(path)))
      expect([path, namesIn(prose).filter((name) => !known.has(name))]).toEqual([path, []])
  })

  test('every IZVOR_ variable is a setting, or one of examples and tests', () => {
    const others = [
      'IZVOR_KEY',
      'IZVOR_BINARY',
      'IZVOR_WINDOWS',
      'IZVOR_IMAGE',
      'IZVOR_TEST_RUNS',
      'IZVOR_TEST_SEED',
    ]
    for (const { path, text } of DOCUMENTS) {
      const variables = [...text.matchAll(/\bIZVOR_[A-Z_]*[A-Z]\b/g)].map(([name]) =>
        name.replace(/_FILE$/, ''),
      )
      const unknown = variables.filter(
        (name) => !Object.hasOwn(SETTINGS, name.slice('IZVOR_'.length).toLowerCase()),
      )
      expect([path, unknown.filter((name) => !others.includes(name))]).toEqual([path, []])
    }
  })

  test('every command named in prose exists', () => {
    const calls = DOCUMENTS.flatMap(({ path, prose }) =>
      [...prose.matchAll(/`(?:bun run )?izvor ([a-z][^`\n]*)`/g)].map((match) => [path, match[1]!] as const),
    )
    expect(calls.length).toBeGreaterThan(40)
    for (const [path, call] of calls.filter(([path]) => path !== 'CHANGELOG.md')) {
      const command = call.split(/ [|<>(]/)[0]!.split(/\s+/)
      const [found, rest] = findCommand(command)
      const options = rest.filter((word) => word.startsWith('--')).filter((word) => !found?.includes(word))
      expect([path, call, found !== undefined, options]).toEqual([path, call, true, []])
    }
  })
})

const COMMANDS = listCommands(createProgram(UNUSED_CLI))

/** The options of the command that the words name, and the remaining words. */
function findCommand(words: readonly string[]): [options: string | undefined, rest: readonly string[]] {
  for (const count of [2, 1]) {
    const command = COMMANDS.find(({ name }) => name === words.slice(0, count).join(' '))
    if (command) return [command.options.map(({ syntax }) => syntax).join(' '), words.slice(count)]
  }
  return [COMMANDS.some(({ name }) => name.startsWith(`${words[0]} `)) ? '' : undefined, words.slice(1)]
}

describe('what a user can type', () => {
  test('every operator and error code has its section', () => {
    expect([...readDocument('docs/querying.md').anchors]).toEqual(expect.arrayContaining([...OPERATORS]))
    expect([...readDocument('docs/errors.md').anchors]).toEqual(expect.arrayContaining([...ERROR_CODES]))
  })

  test.each([
    ['## The account interface', '/account/api/'],
    ['## The interface of operators', '/operate/api/'],
  ])('the table of %s lists every route below %s, and no other', (heading, prefix) => {
    const [, section = ''] = readDocument('docs/accounts-and-keys.md').text.split(`${heading}\n`)
    const rows = section.split('\n## ')[0]!.matchAll(/^\| (`(?:GET|POST|PUT|PATCH|DELETE).*?) \|/gm)
    const named = [...rows].flatMap(([, row]) => {
      let [methods, isOpen]: [string[], boolean] = [[], false]
      return row!.split(', ').flatMap((part) => {
        const [, method, path] = /^`(?:([A-Z]+)(?: |`|$))?([^`]*)`?$/.exec(part)!
        if (method !== undefined) methods = isOpen ? [...methods, method] : [method]
        isOpen = path === ''
        return isOpen ? [] : methods.map((each) => `${each} ${path}`)
      })
    })
    const declared = ROUTES.filter(({ path }) => path.startsWith(prefix)).map(
      ({ method, path }) => `${method} ${path.slice(prefix.length).replace(/:\w+/, '{id}')}`,
    )
    expect(named.sort()).toEqual(declared.sort())
  })

  test('every command and option has a help text', () => {
    for (const { name, description, arguments: args, options } of COMMANDS) {
      expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)])
      for (const row of [...args, ...options]) expect([name, row.syntax, row.description]).not.toContain('')
    }
  })

  test('the README runs demo and tests in one line each, with Bun and with Node alone', () => {
    const line = (mark: string) => README.text.match(new RegExp(`^(.*\\S) +# ${mark}$`, 'm'))?.[1]
    expect(line('demo, with Bun')).toBe('bun install && bun start')
    expect(line('demo, with only Node and npm')).toBe('npx -y bun@1.4.5 install && npx -y bun@1.4.5 start')
    expect(line('tests, with Bun')).toBe('bun install && bun run check')
    expect(line('tests, with only Node and npm')).toBe(
      'npx -y bun@1.4.5 install && npx -y bun@1.4.5 run check',
    )
  })

  test('the README has at most 150 lines', () => {
    expect(README.text.split('\n').length - 1).toBeLessThanOrEqual(150)
  })

  test('documents name the data directory of the unit in data/ops, and no other', () => {
    const unit = readFileSync(join(ROOT, 'data/ops/izvor.service'), 'utf8')
    const folder = /^Environment=IZVOR_DATA=(.+)$/m.exec(unit)?.[1] ?? ''
    const named = [...readDocument('docs/operating.md').text.matchAll(/\/var\/lib\/izvor\/[\w-]+/g)].map(
      ([path]) => path,
    )
    expect([...new Set(named)]).toEqual([folder])
  })
})
