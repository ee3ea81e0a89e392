/** Definition files (contract 6): a dataset's name, its columns, and how its file is read. */

import { CommandError } from '../../base/errors.ts'
import { JsonError, ObjectReader } from '../../base/json-object.ts'
import { findScheduleProblem } from '../../base/process/schedule.ts'
import { plainHeader } from '../../base/text/snake-case.ts'
import { COLUMN_TYPES } from '../../engine/columns/column.ts'
import { isName, isReservedDomain, LONGEST_TITLE, NAME_PATTERN } from './names.ts'
import { findReadProblem, READ_OPTIONS, type ReadOptions } from './read-options.ts'
import { findProblem, type Schema, suggestField, type ValueBy } from './schema.ts'

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
    /** The schedule for fetching the source again: a cron pattern in UTC. */
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
          /** The header in the file; the name if left out. */
          source: text,
          /** Which of several equal headers it is, from 1; the next free one if left out. */
          source_number: { type: 'integer', minimum: 1 },
          type: { type: 'string', enum: COLUMN_TYPES },
          required: { type: 'boolean' },
          description: text,
          /** Its numbers may be in any notation; ambiguous ones are read with this mark. */
          decimal_mark: { type: 'string', enum: ['.', ','] },
          /** A reference table; adds the column `<name>_canonical`. */
          canonical: name,
        },
      },
    },
    other_columns: { type: 'string', enum: ['keep', 'drop', 'refuse'] },
    primary_key: names,
    /** Whether a file's rows replace the served ones (the default) or are added to them. */
    mode: { type: 'string', enum: ['replace', 'append'] },
    /** For an append: first removes served rows that have the same values in these columns as a row of the file. */
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

/** Whether a text is a definition, even with a wrong field: read as data it would become a table of its columns. */
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

/** The first name that occurs twice. Lists come from requests, and may be long. */
function findTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}

/** Checks what a schema cannot express: names that clash or do not exist. */
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

/** The first characters of unexpected text, for the message. */
const SHOWN = /^(?:\w{1,20}|\S)/u

/**
 * Where a text stops being a JSON object (RFC 8259), as a sentence with its line, from 1; null: it is one. For people who
 * write it by hand: `JSON.parse` gives no line.
 */
export function findJsonFault(text: string): string | null {
  const bytes = Buffer.from(text)
  try {
    new ObjectReader(() => {}).read(bytes, 0, bytes.length)
    return null
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const line = bytes.toString('utf8', 0, error.at).split('\n').length
    const [found] = SHOWN.exec(bytes.toString('utf8', error.at)) ?? []
    return `line ${line}: ${error.message}, and ${found === undefined ? 'the text ends' : `here is '${found}'`}`
  }
}
