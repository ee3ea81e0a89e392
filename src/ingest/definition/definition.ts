/** Definition files (contract 6): what a dataset is called, what its columns are, how its file is read. */

import { findScheduleProblem } from '../../catalog/refresh-times.ts'
import { COLUMN_TYPES, type ColumnType } from '../../engine/column.ts'
import { CommandError } from '../../errors.ts'
import { findJsonFault } from '../../text/json-fault.ts'
import { LONGEST_NAME, snakeCase, stripDiacritics } from '../../text/snake-case.ts'
import { areHeaderRows } from '../structure/header-rows.ts'
import { suggestField, suggestWord } from './field-hints.ts'

export interface DefinedColumn {
  readonly name: string
  /** The header in the file; the name when left out. */
  readonly source?: string
  readonly type?: ColumnType
  readonly required?: boolean
  readonly description?: string
  /** A reference table; adds the column `<name>_canonical`. */
  readonly canonical?: string
}

interface ReadOptions {
  readonly format?: string
  readonly encoding?: string
  readonly delimiter?: string
  /** One character, or empty when quotes mean nothing. */
  readonly quote?: string
  /** A record's number, several for a header of several records, 0 for none. */
  readonly header_row?: number | readonly number[]
  /** What becomes of a row of totals (default: keep), of notes below the table and of records of another width. */
  readonly totals?: 'keep' | 'quarantine'
  readonly footnotes?: 'keep' | 'quarantine'
  readonly ragged?: 'repair' | 'quarantine'
  readonly sheet?: string
  readonly null_values?: readonly string[]
  /** Of numbers that could be read with either mark. */
  readonly decimal_mark?: '.' | ','
}

export interface Definition {
  readonly id: string
  readonly domain: string
  readonly title?: string
  readonly description?: string
  readonly publisher?: string
  readonly license?: string
  readonly keywords?: readonly string[]
  readonly source_url?: string
  readonly source_package_id?: string
  /** When the source is fetched again: a cron pattern in UTC. */
  readonly refresh?: string
  readonly read?: ReadOptions
  readonly columns?: readonly DefinedColumn[]
  readonly other_columns?: 'keep' | 'drop' | 'refuse'
  readonly primary_key?: readonly string[]
  /** Columns that may hold data about people. */
  readonly personal_data?: readonly string[]
}

const NAME_PATTERN = '^[a-z0-9_]{1,64}$'
const NAME = new RegExp(NAME_PATTERN)
const NAME_IN_WORDS = `small letters a to z, digits and _, at most ${LONGEST_NAME} of them`
/** First segments of paths that are not domains. */
const RESERVED_DOMAINS = ['datasets', 'search']

const name = { type: 'string', pattern: NAME_PATTERN }
const text = { type: 'string' }
const LONGEST_TITLE = 500
const texts = { type: 'array', items: text }

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
    keywords: texts,
    source_url: text,
    source_package_id: text,
    refresh: text,
    read: {
      type: 'object',
      additionalProperties: false,
      properties: {
        format: text,
        encoding: text,
        delimiter: text,
        quote: { type: 'string', maxLength: 1 },
        header_row: { type: ['integer', 'array'], minimum: 0, items: { type: 'integer', minimum: 1 } },
        totals: { type: 'string', enum: ['keep', 'quarantine'] },
        footnotes: { type: 'string', enum: ['keep', 'quarantine'] },
        ragged: { type: 'string', enum: ['repair', 'quarantine'] },
        sheet: text,
        null_values: texts,
        decimal_mark: { type: 'string', enum: ['.', ','] },
      },
    },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['name'],
        properties: {
          name,
          source: text,
          type: { type: 'string', enum: COLUMN_TYPES },
          required: { type: 'boolean' },
          description: text,
          canonical: name,
        },
      },
    },
    other_columns: { type: 'string', enum: ['keep', 'drop', 'refuse'] },
    primary_key: { type: 'array', items: name },
    personal_data: { type: 'array', items: name },
  },
} as const

interface Schema {
  readonly type: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maxLength?: number
}

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
  const problem = findProblem(value, definitionSchema as Schema, '') ?? findContradiction(value as Definition)
  if (problem !== null) throw new CommandError('usage', `${origin}: ${problem}`)
  return value as Definition
}

/** Whether a text may be an id, a domain or a column name. */
function isName(text: string): boolean {
  return NAME.test(text)
}

/** @throws CommandError `usage` unless the text may be a domain */
export function requireDomain(domain: string): string {
  if (isName(domain) && !RESERVED_DOMAINS.includes(domain)) return domain
  if (RESERVED_DOMAINS.includes(domain)) throw new CommandError('usage', `the domain '${domain}' is reserved`)
  throw new CommandError('usage', describeWrongName('domain', domain))
}

/** @throws CommandError `usage` unless the text may be a dataset's id */
export function requireId(id: string): string {
  if (isName(id)) return id
  throw new CommandError('usage', describeWrongName('id', id))
}

/** What a name may be, and the nearest one that it could. */
function describeWrongName(what: string, text: string): string {
  const near = snakeCase(text)
  const hint = near === '' ? '' : `, for example '${near}'`
  return `the ${what} '${text}' must consist of ${NAME_IN_WORDS}${hint}`
}

/** @throws CommandError `usage` unless the text may be a dataset's title; outer white space is not part of it */
export function requireTitle(title: string): string {
  const trimmed = title.trim()
  if (trimmed !== '' && trimmed.length <= LONGEST_TITLE) return trimmed
  const wrong = trimmed === '' ? 'is empty' : `has ${trimmed.length} characters`
  throw new CommandError('usage', `the title ${wrong}; it needs one to ${LONGEST_TITLE}`)
}

/** Headers are compared without case, white space and diacritics. */
export function plainHeader(header: string): string {
  return stripDiacritics(header).replace(/\s+/g, '')
}

/** The first deviation from a schema, in words, or null. */
function findProblem(value: unknown, schema: Schema, path: string): string | null {
  const where = path === '' ? 'the definition' : path
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types = [schema.type].flat()
  if (!types.some((type) => (type === 'integer' ? Number.isInteger(value) : found === type))) {
    const wanted = types.map((type) => (type === 'array' ? 'a list' : `of type ${type}`))
    return `${where} must be ${wanted.join(' or ')}, not ${found}`
  }
  if (Array.isArray(value))
    return firstOf(value.map((item, i) => [`${path}[${i}]`, item, schema.items] as const))
  if (schema.type === 'object') return findFieldProblem(value as Record<string, unknown>, schema, path)
  if (schema.enum && !schema.enum.includes(value as string))
    return `${where} must be one of ${schema.enum.join(', ')}, not '${value}'${suggestWord(value as string, schema.enum)}`
  if (schema.pattern && !new RegExp(schema.pattern).test(value as string))
    return schema.pattern === NAME_PATTERN ? `${where} must consist of ${NAME_IN_WORDS}` : `${where} is empty`
  if (schema.minimum !== undefined && (value as number) < schema.minimum)
    return `${where} must be at least ${schema.minimum}`
  if (schema.maxLength !== undefined && (value as string).length > schema.maxLength)
    return `${where} is too long`
  return null
}

function findFieldProblem(value: Record<string, unknown>, schema: Schema, path: string): string | null {
  const prefix = path === '' ? '' : `${path}.`
  const properties = schema.properties ?? {}
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined)
    return `unknown field '${prefix}${unknown}'; known are ${Object.keys(properties).join(', ')}${suggestField(unknown, path, fieldsByPlace())}`
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `field '${prefix}${missing}' is missing`
  return firstOf(
    Object.entries(value).map(([key, item]) => [`${prefix}${key}`, item, properties[key]] as const),
  )
}

function fieldsByPlace() {
  const { properties } = definitionSchema
  return {
    '': Object.keys(properties),
    read: Object.keys(properties.read.properties),
    columns: Object.keys(properties.columns.items.properties),
  }
}

function firstOf(items: readonly (readonly [string, unknown, Schema | undefined])[]): string | null {
  for (const [path, item, schema] of items) {
    const problem = schema ? findProblem(item, schema, path) : null
    if (problem !== null) return problem
  }
  return null
}

/** What a schema cannot say: names that clash or lead nowhere. */
function findContradiction(definition: Definition): string | null {
  const { columns = [], primary_key: key = [], domain, refresh } = definition
  const problem = refresh === undefined ? null : findScheduleProblem(refresh)
  if (problem !== null) return `refresh: ${problem}`
  if (RESERVED_DOMAINS.includes(domain)) return `the domain '${domain}' is reserved`
  const names = columns.flatMap((column) =>
    column.canonical === undefined ? [column.name] : [column.name, `${column.name}_canonical`],
  )
  const tooLong = names.find((column) => !isName(column))
  if (tooLong !== undefined) return `'${tooLong}' is too long for a column's name`
  const twice = names.find((column, i) => names.indexOf(column) !== i)
  if (twice !== undefined) return `column '${twice}' is declared twice`
  const keyTwice = key.find((column, i) => key.indexOf(column) !== i)
  if (keyTwice !== undefined) return `primary_key names '${keyTwice}' twice`
  return findReadProblem(definition.read ?? {})
}

function findReadProblem({
  format,
  delimiter,
  quote,
  sheet,
  header_row: header,
}: ReadOptions): string | null {
  if (header !== undefined && !areHeaderRows([header].flat()))
    return 'read.header_row must be the number of a record, from 1, or a list of such numbers in order, or 0 for no header'
  if (delimiter !== undefined && !isDelimiter(delimiter))
    return 'read.delimiter must be one ASCII character, \\t or tab, and no quote or line end'
  if (quote !== undefined && quote !== '' && !isSign(quote))
    return 'read.quote must be one ASCII character, or empty for none'
  if (quote !== undefined && quote === delimiter) return `read.delimiter and read.quote are both '${quote}'`
  if (format === 'csv' && sheet !== undefined) return 'read.sheet names a sheet, and delimited text has none'
  return null
}

function isDelimiter(text: string): boolean {
  return /^(tab|\\t)$/i.test(text) || (isSign(text) && text !== '"')
}

/** One ASCII character that can stand between cells or around them. */
function isSign(text: string): boolean {
  return text.length === 1 && text < '\x7f' && !'\0\r\n'.includes(text)
}
