/** Parameters, as OpenAPI 3.0 describes them, with the operator syntax of dataset queries. */

import { FORMAT_SPELLINGS } from '../../datasets/formats.ts'
import { OPERATOR_TABLE, operatorsFor } from '../../datasets/operators.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../datasets/paging.ts'
import { RESERVED_PARAMETERS } from '../../datasets/query.ts'
import type { ColumnType, Value } from '../../engine/column.ts'
import type { Operator } from '../../engine/query.ts'
import { type Node, valueSchema } from './schemas.ts'

/** What examples are made of: a dataset that is there, and a row of it. */
export interface ExampleDataset {
  readonly domain: string
  readonly id: string
  readonly columns: readonly {
    readonly name: string
    readonly type: ColumnType
    readonly description: string | null
  }[]
  readonly sample: Readonly<Record<string, Value | null>>
}

export function pathParameter(name: string, description: string, example: string): Node {
  const schema = { type: 'string', pattern: '^[a-z0-9_]{1,64}$' }
  return { name, in: 'path', required: true, description, schema, example }
}

export function queryParameter(name: string, description: string, schema: Node, example: unknown): Node {
  return { name, in: 'query', required: false, description, schema, example }
}

export const LIMIT: Node = queryParameter(
  'limit',
  'Rows per page.',
  { type: 'integer', minimum: 1, maximum: LARGEST_LIMIT, default: DEFAULT_LIMIT },
  5,
)
export const OFFSET: Node = queryParameter(
  'offset',
  'Rows to pass over.',
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
  0,
)

/** Without an example: the reference sends every example at once, and a cursor goes with few of the others. */
const CURSOR: Node = {
  name: 'cursor',
  in: 'query',
  required: false,
  description:
    'Walks all matching rows in file order: begin with `start`, then echo `pagination.next_cursor` until it is null. ' +
    'Not together with `offset`, `sort` or `count=true`. A cursor ends with the dataset version it was made for.',
  schema: { type: 'string' },
}

/** `sort`, `fields` and the rest of a dataset list, in the order of specification 4.4. */
export function listParameters(example: ExampleDataset): Node[] {
  const names = example.columns.map((column) => column.name)
  return [
    queryParameter(
      'sort',
      'Columns between commas, `-` before a name for descending order; later ones break ties. Nulls come last.',
      { type: 'string' },
      names
        .slice(0, 2)
        .map((name, index) => (index === 0 ? `-${name}` : name))
        .join(','),
    ),
    fieldsParameter(names),
    LIMIT,
    OFFSET,
    queryParameter(
      'count',
      'Whether `pagination.total` is counted. Without it, only very large datasets are not.',
      { type: 'boolean' },
      false,
    ),
    CURSOR,
  ]
}

/** `format`, `fields` and `bom` of an export. */
export function exportParameters(example: ExampleDataset): Node[] {
  return [
    queryParameter(
      'format',
      '`json` is another name for `ndjson`.',
      { type: 'string', enum: [...FORMAT_SPELLINGS], default: 'csv' },
      'ndjson',
    ),
    fieldsParameter(example.columns.map((column) => column.name)),
    queryParameter(
      'bom',
      'Begins CSV with a byte order mark, for Excel.',
      { type: 'boolean', default: false },
      false,
    ),
  ]
}

function fieldsParameter(names: readonly string[]): Node {
  const example = names.slice(0, 2).join(',')
  return queryParameter(
    'fields',
    'Columns to return, between commas, in this order.',
    { type: 'string' },
    example,
  )
}

/** How filters are written, for people. */
export function filterSyntax(): string {
  const rows = Object.values(OPERATOR_TABLE).map(({ name, meaning, on }) => {
    const types = on.length === 1 ? ` (${on[0]} columns only)` : ''
    return `| \`${name}\` | ${meaning}${types} |`
  })
  return [
    'Filters: `column=value`, or `column[operator]=value` (brackets may be percent-encoded). Filters on different columns ' +
      'combine with AND; a repeated parameter means OR. Comparisons never match null.',
    '',
    '| operator | meaning |',
    '|---|---|',
    ...rows,
    '',
    'Integers are written in digits, decimals with a point, booleans as `true` or `false`, dates as `YYYY-MM-DD`, ' +
      'datetimes as RFC 3339 (a plus sign as `%2B`). A column named like one of the parameters ' +
      `(${RESERVED_PARAMETERS.join(', ')}) is filtered with an operator.`,
  ].join('\n')
}

/** Filters of any dataset, as one open object: names are columns, with an operator in brackets or without. */
export function anyFilters(example: ExampleDataset): Node {
  return {
    name: 'filters',
    in: 'query',
    required: false,
    description: filterSyntax(),
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    example: exampleFilters(example),
  }
}

function exampleFilters({ columns, sample }: ExampleDataset): Record<string, string> {
  const filters: Record<string, string> = {}
  for (const { name } of columns) {
    const value = sample[name]
    if (value === null || value === undefined || Object.keys(filters).length === 2) continue
    filters[Object.keys(filters).length === 0 ? `${name}[eq]` : `${name}[in]`] = listItem(String(value))
  }
  return filters
}

/** Every filter of one dataset: each column plain and under each operator that works on it. */
export function columnFilters(example: ExampleDataset): Node[] {
  return example.columns.flatMap((column) => {
    const reserved = RESERVED_PARAMETERS.some((name) => name === column.name)
    const operators = operatorsFor(column.type).map((operator) =>
      operatorParameter(example, column, operator),
    )
    return reserved ? operators : [plainParameter(example, column), ...operators]
  })
}

type ExampleColumn = ExampleDataset['columns'][number]

function plainParameter({ sample }: ExampleDataset, { name, type, description }: ExampleColumn): Node {
  const value = sample[name] ?? FALLBACKS[type]
  const schema = { type: 'array', items: valueSchema(type) }
  const about = `${description === null ? '' : `${description} `}Equal; repeated means OR.`
  return {
    name,
    in: 'query',
    required: false,
    description: about,
    style: 'form',
    explode: true,
    schema,
    example: [value],
  }
}

function operatorParameter(
  { sample }: ExampleDataset,
  { name, type }: ExampleColumn,
  operator: Operator,
): Node {
  const { takes, meaning, emptyText } = OPERATOR_TABLE[operator]
  const value = sample[name] ?? FALLBACKS[type]
  const usable = value === '' && !emptyText ? FALLBACKS[type] : value
  const full = `${name}[${operator}]`
  if (takes === 'flag') return queryParameter(full, meaning, { type: 'boolean' }, false)
  if (takes === 'list')
    return queryParameter(full, meaning, { type: 'string', minLength: 1 }, listItem(String(usable)))
  return queryParameter(full, meaning, valueSchema(type), usable)
}

/** Values for columns whose sample row has none. */
const FALLBACKS: Readonly<Record<ColumnType, Value>> = {
  string: 'a',
  integer: 1,
  decimal: 1.5,
  boolean: true,
  date: '2025-01-31',
  datetime: '2025-01-31T08:00:00Z',
}

function listItem(text: string): string {
  return /^$|^"|,/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
