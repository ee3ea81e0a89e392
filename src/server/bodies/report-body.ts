/** The result of reading a file: the report of `ingest --json`, which drafts show, too, and its parts (contract 10). */

import { t } from 'elysia'
import { COLUMN_TYPES } from '../../engine/columns/column.ts'
import { definitionSchema } from '../../read/definition/definition.ts'
import {
  count,
  decimal,
  flag,
  integer,
  named,
  nullable,
  oneOf,
  sha256,
  shape,
  text,
} from '../declaration/schema.ts'

const type = oneOf(COLUMN_TYPES)
export const share = decimal({ minimum: 0, maximum: 1 })
export const version = nullable(integer({ minimum: 1 }))
const named_type = shape({ name: text(), type })

const obstacles = {
  exceptions: count('Distinct values that prevent it.'),
  values: t.Array(
    shape({
      value: text(),
      count: count(),
      first_line: nullable(integer({ minimum: 1 }), 'null: beyond the first 100,000 rows.'),
    }),
    { description: 'The most frequent of them.' },
  ),
}
export const near = { type, share, ...obstacles }

export const notation = {
  type,
  decimal_mark: nullable(oneOf(['.', ',']), 'What the column has to say; null: its type.'),
  exceptions: count('Distinct values in another notation than most, or that could be two numbers.'),
  cells: count(),
  values: t.Array(
    shape({
      value: text(),
      count: count(),
      read_as: text(),
      otherwise: nullable(text(), 'What it is by the other mark; null: the same.'),
    }),
  ),
}

export const DRIFT = named('Drift', {
  added: t.Array(named_type),
  removed: t.Array(named_type),
  changed: t.Array(shape({ name: text(), from: type, to: type, ...obstacles })),
  missing: t.Array(text()),
  undeclared: t.Array(text()),
  renamed: t.Array(
    shape({ name: text(), header: text({ description: 'What the column may be called now.' }) }),
  ),
})

export const SHOWN_RECORD = named('ShownRecord', {
  number: integer({ minimum: 1, description: 'As `header_row` counts: blank records included.' }),
  role: oneOf(['title', 'header', 'units', 'data', 'note', 'blank']),
  cells: t.Array(text()),
})

const left_out_kind = text({ description: '`title`, `footnote`, `repeated_header` or `total_row`.' })
const kept_row = { line: integer({ minimum: 1 }), raw: text() }

/** Messages as codes and values, for programs and for pages in other languages. */
export const REASONS = t.Array(
  named('Reason', {
    code: text({ description: 'New ones may be added.' }),
    values: t.Unsafe<object>({ type: 'object', additionalProperties: { type: ['string', 'number'] } }),
  }),
)

/** What `ingest --json` prints. */
export const REPORT = named('IngestReport', {
  dataset: text(),
  domain: text({ description: 'Empty until it is settled.' }),
  title: text({
    description: 'Of the dataset: as set, else the title above its table, else the name of the file.',
  }),
  version,
  dry_run: flag,
  published: flag,
  unchanged: flag,
  append: nullable(shape({ version: integer({ minimum: 1 }), rows: count(), replaced: count() })),
  source: shape({ file: text(), bytes: count(), sha256 }),
  read: t.Unsafe<object>({
    ...definitionSchema.properties.read,
    description: 'The options in effect: given with the file, or of the definition.',
  }),
  dialect: nullable(
    shape({
      format: text(),
      encoding: text(),
      delimiter: text(),
      quote: text(),
      line_end: text(),
      header_rows: t.Array(integer({ minimum: 1 })),
      sheet: nullable(text()),
      confidence: share,
    }),
    'null: no table could be made of the file.',
  ),
  columns: t.Array(
    shape({
      name: text(),
      type,
      source_name: nullable(text()),
      null_count: count(),
      distinct_count: count(),
      examples: t.Array(text()),
      nearly: nullable(shape(near)),
      notation: nullable(
        shape(notation),
        'Values that `decimal_mark` or `type` of the column in a definition reads.',
      ),
      text_because: nullable(text()),
    }),
  ),
  rows: shape({
    read: count('Imported and quarantined.'),
    blank: count(),
    imported: count(),
    quarantined: count(),
    left_out: count('Records around the table that are not rows of it.'),
  }),
  repairs: t.Array(shape({ column: text(), kind: text(), count: count() })),
  repaired_sample: t.Array(shape({ ...kept_row, kind: text() })),
  quarantine: t.Array(shape({ reason: text(), count: count(), first_line: integer({ minimum: 1 }) })),
  quarantine_sample: t.Array(shape({ ...kept_row, column: nullable(text()), reason: text() })),
  left_out: t.Array(shape({ kind: left_out_kind, count: count(), first_line: integer({ minimum: 1 }) })),
  left_out_sample: t.Array(shape({ ...kept_row, kind: left_out_kind })),
  drift: nullable(DRIFT),
  decisions: t.Array(shape({ kind: text(), reason: text(), override: nullable(text()) })),
  personal_data: t.Array(
    shape({
      column: text(),
      kind: oneOf(['cnp', 'email', 'phone', 'iban']),
      share,
      rows: count(),
      acknowledged: flag,
    }),
  ),
  refusals: t.Array(
    shape({
      kind: text(),
      message: text(),
      override: nullable(text()),
      reasons: t.Optional(REASONS),
      columns: t.Optional(t.Array(text())),
    }),
  ),
  warnings: t.Array(text()),
  warning_codes: REASONS,
  records: t.Array(SHOWN_RECORD),
  duration_ms: count(),
})
