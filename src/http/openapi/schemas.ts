/** The shapes of bodies, as OpenAPI 3.0 schemas. */

import { COLUMN_TYPES, type ColumnType } from '../../engine/column.ts'
import { ERROR_CODES } from '../../errors.ts'

/** A part of an OpenAPI document. */
export type Node = { readonly [key: string]: unknown }

export const text: Node = { type: 'string' }
export const textOrNull: Node = { type: 'string', nullable: true }
export const count: Node = { type: 'integer', minimum: 0 }
export const countOrNull: Node = { ...count, nullable: true }
export const flag: Node = { type: 'boolean' }
export const timestamp: Node = {
  type: 'string',
  format: 'date-time',
  description: 'RFC 3339, UTC, whole seconds, `Z`',
  example: '2025-01-31T08:00:00Z',
}
export const timestampOrNull: Node = { ...timestamp, nullable: true }
const address: Node = { type: 'string', description: 'ready-to-request address' }
const addressOrNull: Node = { ...address, nullable: true }

/** An object all of whose members are always there, but for the optional ones. */
export function shape(properties: Readonly<Record<string, Node>>, optional: readonly string[] = []): Node {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  // OpenAPI 3.0 knows no empty list here.
  const needed = required.length > 0 && { required }
  return { type: 'object', properties, ...needed, additionalProperties: false }
}

export function listOf(items: Node): Node {
  return { type: 'array', items }
}

export function ref(name: string): Node {
  return { $ref: `#/components/schemas/${name}` }
}

const cell: Node = {
  nullable: true,
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
  description: 'a value of the type of its column, or null',
}

/** The schema of a column's values in rows. */
export function valueSchema(type: ColumnType): Node {
  return VALUE_SCHEMAS[type]
}

const VALUE_SCHEMAS: Readonly<Record<ColumnType, Node>> = {
  string: { type: 'string' },
  integer: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  decimal: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
}

const offsetPagination = {
  total: { ...countOrNull, description: 'exact number of matching rows; null when counting was skipped' },
  count: { ...count, description: 'rows in this page' },
  limit: { type: 'integer', minimum: 1, maximum: 1000 },
  offset: count,
  has_next: flag,
  next_offset: { ...countOrNull, description: 'null on the last page' },
}

const offsetLinks = shape({
  self: { ...text, description: 'path of the request' },
  next: addressOrNull,
  prev: addressOrNull,
  first: address,
  last: { ...addressOrNull, description: 'null when the total is' },
  documentation: address,
})

/** Envelopes of one kind of row; datasets have one each, with their own columns. */
export function listSchema(row: Node): Node {
  return shape({
    data: listOf(row),
    pagination: ref('OffsetPagination'),
    meta: ref('Meta'),
    links: ref('OffsetLinks'),
  })
}

export function cursorListSchema(row: Node): Node {
  return shape({
    data: listOf(row),
    pagination: ref('CursorPagination'),
    meta: ref('Meta'),
    links: ref('CursorLinks'),
  })
}

const health = { type: 'string', enum: ['ok', 'degraded', 'unavailable'] }

export const SCHEMAS: Readonly<Record<string, Node>> = {
  Row: {
    type: 'object',
    additionalProperties: cell,
    description: 'one member per column, in the order of `fields`',
  },
  OffsetPagination: shape(offsetPagination),
  CursorPagination: shape({
    count: { ...count, description: 'rows in this page' },
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    has_next: flag,
    next_cursor: { ...textOrNull, description: 'opaque: echo it, never build one; null at the end' },
  }),
  OffsetLinks: offsetLinks,
  CursorLinks: shape({
    self: { ...text, description: 'path of the request' },
    next: addressOrNull,
    first: address,
    documentation: address,
  }),
  Meta: shape(
    {
      api_version: { type: 'string', enum: ['v1'] },
      dataset: text,
      domain: text,
      source: { ...text, description: 'address of the source dataset, where it is known' },
      last_updated: timestampOrNull,
      generated_at: timestamp,
    },
    ['source'],
  ),
  DatasetList: listSchema(ref('Row')),
  DatasetCursorList: cursorListSchema(ref('Row')),
  CatalogEntry: shape({
    id: text,
    domain: text,
    title: text,
    description: textOrNull,
    row_count: count,
    last_updated: timestamp,
    endpoint: { ...text, description: 'path of the dataset list' },
  }),
  CatalogList: shape({
    data: listOf(ref('CatalogEntry')),
    pagination: shape({ ...offsetPagination, total: count }),
    meta: shape({ api_version: { type: 'string', enum: ['v1'] }, generated_at: timestamp }),
    links: ref('OffsetLinks'),
  }),
  Column: shape({
    name: { type: 'string', pattern: '^[a-z0-9_]{1,64}$' },
    type: { type: 'string', enum: [...COLUMN_TYPES] },
    required: flag,
    description: textOrNull,
    source_name: { ...textOrNull, description: 'header in the source file; null for an added column' },
    null_count: count,
    distinct_count: count,
    min: cell,
    max: cell,
  }),
  Provenance: shape({
    ingestion_version: { type: 'integer', minimum: 1 },
    rows_imported: count,
    rows_quarantined: count,
    source_file: text,
    source_sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    source_url: textOrNull,
    source_package_id: textOrNull,
    imported_at: timestamp,
  }),
  Descriptor: shape({
    id: text,
    domain: text,
    title: text,
    description: textOrNull,
    publisher: textOrNull,
    license: textOrNull,
    keywords: listOf(text),
    endpoint: text,
    export_endpoint: text,
    row_count: count,
    columns: listOf(ref('Column')),
    primary_key: listOf(text),
    sample_row: { type: 'object', nullable: true, additionalProperties: cell },
    provenance: ref('Provenance'),
    refresh: {
      ...shape({
        schedule: textOrNull,
        checked_at: timestampOrNull,
        changed_at: timestamp,
        failed_at: timestampOrNull,
        next_run_at: timestampOrNull,
      }),
      nullable: true,
    },
  }),
  Quality: shape({
    dataset: text,
    ingestion_version: { type: 'integer', minimum: 1 },
    measured: flag,
    rows: shape({ read: count, imported: count, quarantined: count }),
    completeness: listOf(
      shape({
        column: text,
        filled: count,
        missing: count,
        ratio: { type: 'number', minimum: 0, maximum: 1 },
      }),
    ),
    repairs: listOf(shape({ column: text, kind: text, count })),
    validation: listOf(shape({ column: text, rule: text, failed: count })),
    quarantine: listOf(shape({ reason: text, count })),
  }),
  Health: shape({
    status: health,
    version: text,
    started_at: timestamp,
    checks: { type: 'object', additionalProperties: shape({ status: health, message: text }) },
  }),
  Stats: shape({
    datasets: count,
    domains: count,
    rows: count,
    requests_total: count,
    requests_today: count,
    accounts: count,
    active_keys: count,
    generated_at: timestamp,
  }),
  Problem: shape({ location: text, message: text, suggestions: listOf(text) }, ['suggestions']),
  Error: shape({
    error: shape(
      {
        code: {
          type: 'string',
          enum: [...ERROR_CODES],
          description: 'Each has a section in [the guide](/docs/guides/errors).',
        },
        message: text,
        detail: { type: 'array', items: ref('Problem'), description: 'one entry per offending place' },
      },
      ['detail'],
    ),
  }),
}
