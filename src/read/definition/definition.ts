/** Definition files (contract 6): what a dataset is called, what its columns are, how its file is read. */

import { CommandError } from '../../base/errors.ts'
import { findScheduleProblem } from '../../base/process/schedule.ts'
import { plainHeader } from '../../base/text/snake-case.ts'
import { COLUMN_TYPES } from '../../engine/columns/column.ts'
import { isName, isReservedDomain, LONGEST_TITLE, NAME_PATTERN } from './names.ts'
import { findReadProblem, READ_OPTIONS, type ReadOptions } from './read-options.ts'
import { findProblem, type Schema, suggestField, type ValueBy } from './schema.ts'

const SIGN = /[{}[\],:]/y
const TEXT = /"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\p{L}\p{N}.])/uy
/** What word processors make of a straight quote. */
const CURLY_QUOTE = /[„“”‟«»‘’]/u
const SHOWN = 20

const name = { type: 'string', pattern: NAME_PATTERN } as const
const text = { type: 'string' } as const
const names = { type: 'array', items: name } as const

/** JSON Schema (2020-12) of a definition file; `parseDefinition` follows it and checks what a schema cannot say. */
export const definitionSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Izvor dataset definition',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'domain'],
  properties: {
    id: name,
    domain: name,
    title: { type: 'string', pattern: '\\S', maxLength: LONGEST_TITLE },
    description: text,
    publisher: text,
    license: text,
    keywords: { type: 'array', items: text },
    source_url: text,
    source_package_id: text,
    /** When the source is fetched again: a cron pattern in UTC. */
    refresh: text,
    read: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(READ_OPTIONS).map(([option, { schema }]) => [option, schema]),
      ),
    },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name,
          title: text,
          /** null: none. */
          unit: { type: ['string', 'null'] },
          /** The header in the file; the name when left out. */
          source: text,
          /** Which of several equal headers it is, from 1; the next free one when left out. */
          source_number: { type: 'integer', minimum: 1 },
          type: { type: 'string', enum: COLUMN_TYPES },
          required: { type: 'boolean' },
          description: text,
          /** Its numbers may be written in any notation; this mark is meant by those that could be two numbers. */
          decimal_mark: { type: 'string', enum: ['.', ','] },
          /** A reference table; adds the column `<name>_canonical`. */
          canonical: name,
        },
      },
    },
    other_columns: { type: 'string', enum: ['keep', 'drop', 'refuse'] },
    primary_key: names,
    /** Whether a file's rows take the place of those served (the default) or are added to them. */
    mode: { type: 'string', enum: ['replace', 'append'] },
    /** Of an append: served rows with the values of a row of the file in these columns are taken out first. */
    replace_where: names,
    /** Columns that may hold data about people. */
    personal_data: names,
  },
} as const

type Schemas = typeof definitionSchema
export type DefinedColumn = ValueBy<Schemas['properties']['columns']['items']>
export type Definition = Omit<ValueBy<Schemas>, 'read'> & { readonly read?: ReadOptions }

/**
 * @param origin the file's name, for messages
 * @throws CommandError `usage` naming the first field that is unknown or wrong
 */
export function parseDefinition(json: string, origin: string): Definition {
  const text = json.replace(/^\ufeff/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      'usage',
      `${origin} is not JSON: ${findJsonFault(text) ?? (error as Error).message}`,
    )
  }
  const problem = problemOf(value, definitionSchema)
  if (problem !== null) throw new CommandError('usage', `${origin}: ${problem}`)
  return value as Definition
}

/** A part of a definition: any of its fields. */
export type DefinitionPart = Partial<Definition>

/** What is wrong with a part of a definition, in words, or null. */
export function findPartProblem(part: unknown): string | null {
  return problemOf(part, { ...definitionSchema, required: [] })
}

function problemOf(value: unknown, schema: Schema): string | null {
  const hint = (field: string, path: string) => suggestField(field, path, FIELDS)
  return findProblem(value, schema, '', hint) ?? findContradiction(value as DefinitionPart)
}

/** Whether a text is a definition, a field wrong in it or not: as data it would be a table of its columns. */
export function looksLikeDefinition(text: string): boolean {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return false
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { id, domain, ...others } = value as Record<string, unknown>
  const unknown = Object.keys(others).filter((field) => !Object.hasOwn(definitionSchema.properties, field))
  return typeof id === 'string' && typeof domain === 'string' && unknown.length <= 1
}

const FIELDS = {
  '': Object.keys(definitionSchema.properties),
  read: Object.keys(READ_OPTIONS),
  columns: Object.keys(definitionSchema.properties.columns.items.properties),
}

/** The first of the names that stood there before. Lists come from requests, and may be long. */
function findTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/** What a schema cannot say: names that clash or lead nowhere. */
function findContradiction(definition: DefinitionPart): string | null {
  const { columns = [], primary_key: key = [], domain, refresh } = definition
  const problem = refresh === undefined ? null : findScheduleProblem(refresh)
  if (problem !== null) return `refresh: ${problem}`
  if (domain !== undefined && isReservedDomain(domain)) return `the domain '${domain}' is reserved`
  const names = columns.flatMap((column) =>
    column.canonical === undefined ? [column.name] : [column.name, `${column.name}_canonical`],
  )
  const tooLong = names.find((column) => !isName(column))
  if (tooLong !== undefined) return `'${tooLong}' is too long for a column's name`
  const twice = findTwice(names)
  if (twice !== undefined) return `column '${twice}' is declared twice`
  const numbered = columns.flatMap(({ name, source, source_number: number }) =>
    number === undefined ? [] : [`number ${number} of the headers '${plainHeader(source ?? name)}'`],
  )
  const askedTwice = findTwice(numbered)
  if (askedTwice !== undefined)
    return `two columns ask for ${askedTwice}: give each a source_number of its own`
  const keyTwice = findTwice(key)
  if (keyTwice !== undefined) return `primary_key names '${keyTwice}' twice`
  return findReadProblem(definition.read ?? {})
}

type Expected = 'value' | 'name' | 'colon' | 'next' | 'end'

/**
 * Where a text stops being JSON (RFC 8259), as a sentence with its line, from 1; null: nowhere. For people who write it by
 * hand: `JSON.parse` names no line.
 */
export function findJsonFault(text: string): string | null {
  const open: string[] = []
  let expected: Expected = 'value'
  let before = ''
  let at = 0
  for (;;) {
    at += /^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0
    const tokens = [SIGN, TEXT, SCALAR].values().map((pattern) => {
      pattern.lastIndex = at
      return pattern.exec(text)?.[0]
    })
    const token = tokens.find((found) => found !== undefined) ?? null
    const next: Expected | null = token === null ? null : follow(token, expected, open, before)
    if (at === text.length && expected === 'end') return null
    if (token === null || next === null) {
      const isComma = before === ',' && (token === '}' || token === ']')
      const place = isComma ? text.lastIndexOf(',', at) : at
      const line = text.slice(0, place).split('\n').length
      return `line ${line}: ${nameFault(text.slice(at), token, expected, before, open)}`
    }
    expected = next
    before = token
    at += token.length
  }
}

/** What may follow; null when the token itself is not allowed here. Keeps the stack of open brackets. */
function follow(token: string, expected: Expected, open: string[], before: string): Expected | null {
  const isScalar = !/^[{}[\],:]$/.test(token)
  const closes = (token === '}' && open.at(-1) === '{') || (token === ']' && open.at(-1) === '[')
  if (closes && (expected === 'next' || before === '{' || before === '[')) {
    open.pop()
    return open.length === 0 ? 'end' : 'next'
  }
  if (expected === 'colon') return token === ':' ? 'value' : null
  if (expected === 'next' && token === ',') return open.at(-1) === '{' ? 'name' : 'value'
  if (expected === 'name') return token.startsWith('"') ? 'colon' : null
  if (expected !== 'value') return null
  if (isScalar) return open.length === 0 ? 'end' : 'next'
  if (token !== '{' && token !== '[') return null
  open.push(token)
  return token === '{' ? 'name' : 'value'
}

function nameFault(
  rest: string,
  token: string | null,
  expected: Expected,
  before: string,
  open: readonly string[],
): string {
  const found = `'${/^(?:\w+|.)/u.exec(rest)?.[0].slice(0, SHOWN) ?? ''}'`
  if (rest === '')
    return open.length > 0 ? `the text ends, and a ${open.at(-1)} is still open` : 'it is empty'
  if (CURLY_QUOTE.test(rest[0] as string)) return `only straight quotes (") count, and here is ${found}`
  if (rest.startsWith('"') && token === null)
    return 'a text is not closed, or has a backslash that must be written twice'
  if (before === ',' && (token === '}' || token === ']')) return `the comma before ${token} is one too many`
  if (expected === 'next') return `a comma is missing before ${found}`
  if (expected === 'colon') return `a colon is missing before ${found}`
  if (expected === 'end') return `the text goes on after its end, with ${found}`
  return `${expected === 'name' ? 'a name' : 'a value'} was expected, texts in double quotes, and here is ${found}`
}
