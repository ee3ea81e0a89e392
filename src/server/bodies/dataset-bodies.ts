/** The bodies of lists, catalog and status, and the error envelope (contract 4). */

import { type TSchema, t } from 'elysia'
import { ERROR_CODES } from '../../base/error-codes.ts'
import { COLUMN_TYPES, type ColumnType } from '../../engine/columns/column.ts'
import { LARGEST_LIMIT } from '../../query/parameters.ts'
import {
  count,
  decimal,
  flag,
  integer,
  moment,
  named,
  nullable,
  oneOf,
  sha256,
  shape,
  text,
} from '../declaration/schema.ts'

const address = text({ description: 'A ready-to-request address.' })
const limit = integer({ minimum: 1, maximum: LARGEST_LIMIT })

/** A value of a row. */
export const cell = t.Unsafe<unknown>({
  type: ['string', 'number', 'boolean', 'null'],
  description: 'A value of the type of its column, or null.',
})

/** Schemas of the values of columns, without null. */
export const VALUE_SCHEMAS: Readonly<Record<ColumnType, TSchema>> = {
  string: text(),
  integer: integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  decimal: decimal({ format: 'double' }),
  boolean: flag,
  date: text({ format: 'date' }),
  datetime: text({ format: 'date-time' }),
}

const offsetPagination = {
  total: nullable(count(), 'The exact number of matching rows; null when counting was skipped.'),
  count: count('Rows in this page.'),
  limit,
  offset: count(),
  has_next: flag,
  next_offset: nullable(count(), 'null on the last page'),
}
export const OFFSET_LINKS = named('OffsetLinks', {
  self: text({ description: 'The path of the request.' }),
  next: nullable(address),
  prev: nullable(address),
  first: address,
  last: nullable(address, 'null when the total is'),
  documentation: address,
})
const META = named('Meta', {
  api_version: oneOf(['v1']),
  dataset: text(),
  domain: text(),
  source: t.Optional(text({ description: 'The address of the source dataset, where it is known.' })),
  last_updated: nullable(moment),
  hints: t.Optional(
    t.Array(
      shape({
        parameter: text(),
        value: text({ description: 'What to write instead.' }),
        rows: count('Rows that the changed query finds.'),
      }),
      { description: 'If filters and `q` match no row: changes that would find some.' },
    ),
  ),
  generated_at: moment,
})
const OFFSET_PAGINATION = named('OffsetPagination', offsetPagination)
/** For lists that count all of their records. */
export const PAGINATION = shape({ ...offsetPagination, total: count(), limit: integer({ minimum: 1 }) })
const CURSOR_PAGINATION = named('CursorPagination', {
  count: count('Rows in this page.'),
  limit,
  has_next: flag,
  next_cursor: nullable(text(), 'Opaque: send it back, never build one; null at the end.'),
})
const CURSOR_LINKS = named('CursorLinks', {
  self: text({ description: 'The path of the request.' }),
  next: nullable(address),
  first: address,
  documentation: address,
})

/** A row of any dataset. The dataset's own description names its columns. */
export const ROW = t.Unsafe<unknown>({
  $id: 'Row',
  type: 'object',
  additionalProperties: cell,
  description:
    'One member per column, in the order of `fields`. `/openapi/{domain}/{dataset}.json` has the columns of a dataset.',
})

/** The two envelopes of a page of rows: by offset, and by cursor. */
export function pageOf(row: TSchema): TSchema {
  const data = t.Array(row)
  return t.Unsafe<unknown>({
    oneOf: [
      named('DatasetList', { data, pagination: OFFSET_PAGINATION, meta: META, links: OFFSET_LINKS }),
      named('DatasetCursorList', { data, pagination: CURSOR_PAGINATION, meta: META, links: CURSOR_LINKS }),
    ],
  })
}

/** A group of any dataset. */
export const GROUP = t.Unsafe<unknown>({
  $id: 'Group',
  type: 'object',
  additionalProperties: cell,
  description:
    'One member per result under its name, `group_by` first, then `measures`. Numbers have all their digits: a sum may have more than a double holds.',
})

export function groupsOf(group: TSchema): TSchema {
  const pagination = shape({
    ...offsetPagination,
    total: nullable(count(), 'The exact number of groups; null with `count=false`.'),
    count: count('Groups in this page.'),
  })
  return named('GroupList', { data: t.Array(group), pagination, meta: META, links: OFFSET_LINKS })
}

export function facetOf(column: TSchema, value: TSchema) {
  return {
    column,
    distinct: count('Different values among the rows counted.'),
    nulls: count('Rows without a value.'),
    other: count('Rows with a value that is not listed.'),
    values: t.Array(shape({ value, count: integer({ minimum: 1 }) }), {
      description: 'Most frequent first, ties by value.',
    }),
  }
}

export const FACET = named('Facet', facetOf(text(), cell))

export function facetsOf(facet: TSchema): TSchema {
  return named('FacetList', {
    data: t.Array(facet),
    meta: META,
    links: named('FixedLinks', {
      self: text({ description: 'The path of the request.' }),
      documentation: address,
    }),
  })
}

/** A dataset in lists. */
export const catalogEntry = {
  id: text(),
  domain: text(),
  title: text(),
  description: nullable(text()),
  row_count: count(),
  last_updated: moment,
  endpoint: text({ description: 'The path of the dataset list.' }),
}
const CATALOG_ENTRY = named('CatalogEntry', catalogEntry)
export const CATALOG_LIST = named('CatalogList', {
  data: t.Array(CATALOG_ENTRY),
  pagination: PAGINATION,
  meta: shape({ api_version: oneOf(['v1']), generated_at: moment }),
  links: OFFSET_LINKS,
})

const COLUMN = named('Column', {
  name: text({ pattern: '^[a-z0-9_]{1,64}$' }),
  title: nullable(
    text(),
    'What people call the column: as a person or a definition says, else the header on one line; null in editions published before headers were titles.',
  ),
  unit: nullable(text(), 'Of its numbers, for example `lei`.'),
  type: oneOf(COLUMN_TYPES),
  required: flag,
  description: nullable(text()),
  source_name: nullable(text(), 'The header in the source file; null for an added column.'),
  null_count: count(),
  distinct_count: count(),
  min: cell,
  max: cell,
})
const PROVENANCE = named('Provenance', {
  ingestion_version: integer({ minimum: 1 }),
  rows_imported: count(),
  rows_quarantined: count(),
  source_file: text(),
  source_sha256: sha256,
  source_url: nullable(text()),
  source_package_id: nullable(text()),
  imported_at: moment,
  sources: t.Array(shape({ file: text(), sha256, rows: count(), imported_at: moment }), {
    description: 'All files of the rows, in order; the fields above are about the last one.',
  }),
})
export const refresh = {
  schedule: nullable(text(), 'A cron pattern in UTC; null: refreshed by hand.'),
  checked_at: nullable(moment),
  changed_at: moment,
  failed_at: nullable(moment),
  next_run_at: nullable(moment),
}
export const DESCRIPTOR = named('Descriptor', {
  id: text(),
  domain: text(),
  title: text(),
  description: nullable(text()),
  publisher: nullable(text()),
  license: nullable(text()),
  keywords: t.Array(text()),
  endpoint: text(),
  export_endpoint: text(),
  aggregate_endpoint: text(),
  facets_endpoint: text(),
  row_count: count(),
  columns: t.Array(COLUMN),
  primary_key: t.Array(text()),
  sample_row: t.Unsafe<unknown>({ type: ['object', 'null'], additionalProperties: cell }),
  provenance: PROVENANCE,
  refresh: nullable(shape(refresh)),
})
export const QUALITY = named('Quality', {
  dataset: text(),
  ingestion_version: integer({ minimum: 1 }),
  measured: flag,
  rows: shape({
    read: count('Imported and quarantined.'),
    imported: count(),
    quarantined: count(),
    left_out: count('Titles, notes, signatures and the like, which are not rows.'),
  }),
  completeness: t.Array(
    shape({
      column: text(),
      filled: count(),
      missing: count(),
      ratio: decimal({ minimum: 0, maximum: 1 }),
    }),
  ),
  unproven: t.Array(shape({ kind: text(), column: nullable(text()), read_as: text() })),
  mended: shape({ surplus_blanks: count(), joined: count(), left_off: count() }),
  repairs: t.Array(shape({ column: text(), kind: text(), count: count() })),
  validation: t.Array(shape({ column: text(), rule: text(), failed: count() })),
  quarantine: t.Array(shape({ reason: text(), count: count() })),
  left_out: t.Array(shape({ kind: text(), count: count() })),
})

const health = oneOf(['ok', 'degraded', 'unavailable'])
export const HEALTH = named('Health', {
  status: health,
  version: text(),
  build: shape({ version: text(), commit: nullable(text()), date: nullable(moment) }),
  started_at: moment,
  checks: t.Unsafe<unknown>({
    type: 'object',
    additionalProperties: shape({ status: health, message: text() }),
  }),
})
export const STATS = named('Stats', {
  datasets: count(),
  domains: count(),
  rows: count(),
  requests_total: count(),
  requests_today: count(),
  accounts: count(),
  active_keys: count(),
  generated_at: moment,
})

const PROBLEM = named('Problem', {
  location: text(),
  message: text(),
  suggestions: t.Optional(t.Array(text())),
})
/** CKAN's envelope; beside `__type` the message, or for a Validation Error the faults by argument. */
export const CKAN_ERROR = named('CkanError', {
  help: text(),
  success: t.Literal(false),
  error: t.Object({ __type: text() }, { additionalProperties: true }),
})
/** JSON-RPC's envelope for what is refused before a tool runs. */
export const MCP_ERROR = named('McpError', {
  jsonrpc: t.Literal('2.0'),
  error: t.Object({ code: t.Number(), message: text() }, { additionalProperties: true }),
  id: t.Null(),
})
export const ERROR = named('Error', {
  error: shape({
    code: oneOf(ERROR_CODES, { description: 'Each has a section in [the guide](/docs/guides/errors).' }),
    message: text(),
    detail: t.Optional(t.Array(PROBLEM, { description: 'One entry per offending place.' })),
  }),
})
