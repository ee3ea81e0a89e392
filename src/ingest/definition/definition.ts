/** Definition files (contract 6): what a dataset is called, what its columns are, how its file is read. */

import { COLUMN_TYPES, type ColumnType } from '../../engine/column.ts'
import { CommandError } from '../../errors.ts'
import { stripDiacritics } from '../../text/snake-case.ts'

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
  readonly header_row?: number
  readonly sheet?: string
  readonly null_values?: readonly string[]
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
  readonly read?: ReadOptions
  readonly columns?: readonly DefinedColumn[]
  readonly other_columns?: 'keep' | 'drop' | 'refuse'
  readonly primary_key?: readonly string[]
}

const NAME_PATTERN = '^[a-z0-9_]{1,64}$'
const NAME = new RegExp(NAME_PATTERN)
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
    read: {
      type: 'object',
      additionalProperties: false,
      properties: {
        format: text,
        encoding: text,
        delimiter: text,
        quote: { type: 'string', maxLength: 1 },
        header_row: { type: 'integer', minimum: 1 },
        sheet: text,
        null_values: texts,
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
  },
} as const

interface Schema {
  readonly type: string
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
  let value: unknown
  try {
    value = JSON.parse(json.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new CommandError('usage', `${origin} is not JSON: ${(error as Error).message}`)
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
  const reserved = RESERVED_DOMAINS.includes(domain) ? 'is reserved' : 'must match ^[a-z0-9_]{1,64}$'
  throw new CommandError('usage', `the domain '${domain}' ${reserved}`)
}

/** @throws CommandError `usage` unless the text may be a dataset's id */
export function requireId(id: string): string {
  if (isName(id)) return id
  throw new CommandError('usage', `the id '${id}' must match ^[a-z0-9_]{1,64}$`)
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
  const fits = schema.type === 'integer' ? Number.isInteger(value) : found === schema.type
  if (!fits)
    return `${where} must be ${schema.type === 'array' ? 'a list' : `of type ${schema.type}`}, not ${found}`
  if (Array.isArray(value))
    return firstOf(value.map((item, i) => [`${path}[${i}]`, item, schema.items] as const))
  if (schema.type === 'object') return findFieldProblem(value as Record<string, unknown>, schema, path)
  if (schema.enum && !schema.enum.includes(value as string))
    return `${where} must be one of ${schema.enum.join(', ')}`
  if (schema.pattern && !new RegExp(schema.pattern).test(value as string))
    return `${where} must match ${schema.pattern}`
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
    return `unknown field '${prefix}${unknown}'; known are ${Object.keys(properties).join(', ')}`
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `field '${prefix}${missing}' is missing`
  return firstOf(
    Object.entries(value).map(([key, item]) => [`${prefix}${key}`, item, properties[key]] as const),
  )
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
  const { columns = [], primary_key: key = [], domain } = definition
  if (RESERVED_DOMAINS.includes(domain)) return `the domain '${domain}' is reserved`
  const names = columns.flatMap((column) =>
    column.canonical === undefined ? [column.name] : [column.name, `${column.name}_canonical`],
  )
  const tooLong = names.find((column) => !isName(column))
  if (tooLong !== undefined) return `'${tooLong}' is too long for a column's name`
  const twice = names.find((column, i) => names.indexOf(column) !== i)
  if (twice !== undefined) return `column '${twice}' is declared twice`
  const sources = columns.flatMap(({ source }) => (source === undefined ? [] : [source]))
  const sourceTwice = sources.find((source, i) => sources.map(plainHeader).indexOf(plainHeader(source)) !== i)
  if (sourceTwice !== undefined) return `two columns have the source '${sourceTwice}'`
  const keyTwice = key.find((column, i) => key.indexOf(column) !== i)
  if (keyTwice !== undefined) return `primary_key names '${keyTwice}' twice`
  return findReadProblem(definition.read ?? {})
}

function findReadProblem({ format, delimiter, quote, sheet }: ReadOptions): string | null {
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
