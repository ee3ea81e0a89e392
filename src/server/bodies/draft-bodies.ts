/** The bodies of `/publish/api/drafts` (contract 10). */

import { t } from 'elysia'
import { ERROR_CODES } from '../../base/error-codes.ts'
import { QUESTIONS } from '../../publish/drafts/questions.ts'
import { definitionSchema } from '../../read/definition/definition.ts'
import { DRAFT_STATES } from '../../store/catalog/drafts.ts'
import {
  EDITION_FIELD,
  FLAG_FIELD,
  NAMES_FIELD,
  openField,
  SHARE_FIELD,
  textField,
} from '../declaration/fields.ts'
import { count, flag, integer, moment, named, nullable, oneOf, shape, text } from '../declaration/schema.ts'
import { cell, PAGINATION } from './dataset-bodies.ts'
import { DRIFT, near, notation, REASONS, REPORT, SHOWN_RECORD, share, version } from './report-body.ts'

const DIFFERENCE = named('Difference', {
  by: t.Array(text(), {
    description: 'The primary key that rows are compared by; empty: all columns that both have.',
  }),
  added: count(),
  removed: count(),
  changed: nullable(count(), 'Rows whose key stays and whose other values do not; null without a key.'),
  columns: shape({ added: t.Array(text()), removed: t.Array(text()), changed: t.Array(text()) }),
  sampled: integer({
    minimum: 1,
    description:
      '1: the counts are exact; n: about one row in n was compared, and the counts are multiplied.',
  }),
})

const QUESTION = named('Question', {
  kind: oneOf(Object.keys(QUESTIONS)),
  code: text({ description: 'The error code of publishing without an answer; for advice, its own word.' }),
  column: nullable(text(), 'null: it is about the whole.'),
  gate: { ...flag, description: 'Whether publishing waits for the answer.' },
  patch: t.Array(text(), {
    description:
      'Fields of `PATCH` that answer it, any of them; none: `PATCH` with {} has the file read again.',
  }),
  publish: nullable(text(), 'The field of the request to publish that answers it.'),
  values: t.Unsafe<object>({ type: 'object', additionalProperties: { type: ['string', 'number'] } }),
})

const SUSPECTS = named('Suspects', { column: text(), ...near })

const summary = {
  id: text({ pattern: '^[a-z0-9]{24}$' }),
  state: oneOf(DRAFT_STATES),
  created_at: moment,
  changed_at: moment,
  expires_at: moment,
  file: shape({ name: text(), bytes: nullable(count(), 'null until it is fetched.') }),
  source: nullable(text(), 'The address it is fetched from.'),
  dataset: shape({ id: text(), domain: nullable(text()), title: nullable(text()) }),
  served_version: version,
  progress: nullable(
    shape({
      phase: oneOf(['fetching', 'unpacking', 'converting', 'reading', 'writing']),
      bytes: count('Done; columns while writing.'),
      total_bytes: nullable(count()),
      rows: count(),
    }),
  ),
  published: nullable(
    shape({ version: integer({ minimum: 1 }), endpoint: text() }),
    'What was published, or is served already.',
  ),
  problem: nullable(
    shape({
      code: oneOf(ERROR_CODES),
      message: text(),
      detail: t.Optional(t.Array(shape({ location: text(), message: text() }))),
      reasons: t.Optional(REASONS),
    }),
    'Why the last step came to nothing.',
  ),
}
const DEFINITION_PART = t.Unsafe<object>({
  type: 'object',
  additionalProperties: false,
  properties: definitionSchema.properties,
})

export const DRAFT_LIST = t.Array(named('DraftSummary', summary))
export const DRAFT = named('Draft', {
  ...summary,
  revision: integer({
    minimum: 1,
    description: 'Increased by every PATCH that changes how the file is read.',
  }),
  read: nullable(
    shape({ revision: integer({ minimum: 1 }), preview: flag }),
    'What the report is about: the decisions up to a revision, and whether of the first records alone; null before the first reading.',
  ),
  served_rows: nullable(count(), 'Rows that are served now; null: nothing is.'),
  outdated: flag,
  report: nullable(REPORT),
  records: t.Array(SHOWN_RECORD, { description: 'The first 50, as they were read.' }),
  rows: t.Array(t.Unsafe<object>({ type: 'object', additionalProperties: cell }), {
    description:
      'The first 50, as they would be served; texts cut to 1,000 characters, and fewer rows where they are wide.',
  }),
  drift: nullable(DRIFT),
  difference: nullable(
    DIFFERENCE,
    'What publishing changes in the served rows; null: nothing is served, the whole file is not read yet, or its rows cannot be added or compared.',
  ),
  suspects: t.Array(SUSPECTS, {
    description:
      'Columns of texts that are nearly of another type, with up to 20 of the values that are not.',
  }),
  notations: t.Array(named('Notation', { column: text(), ...notation }), {
    description: 'Columns with values in another notation than most, up to 20 of each.',
  }),
  left_out: t.Array(text(), { description: 'Headers of columns that the definition leaves out.' }),
  left_out_names: t.Array(text(), { description: 'What each of these columns would be called.' }),
  sheets: t.Array(shape({ name: text(), rows: count('Rows with a value in them.') }), {
    description: 'Of a workbook: the sheets with a value in them.',
  }),
  definition: DEFINITION_PART,
  candidates: t.Array(shape({ id: text(), domain: text(), title: text(), share }), {
    description:
      'Of a new file: up to 20 datasets that it may be an edition of; `share` of the names of all columns are in both.',
  }),
  questions: t.Array(QUESTION, { description: 'The current questions, in the order of the page.' }),
  missing: t.Array(oneOf(['domain'])),
  late_nodes: t.Optional(
    t.Array(shape({ name: text(), reason: text() }), {
      description:
        'After a publication, where several nodes serve: those that did not serve it within 10 seconds. They serve the version before.',
    }),
  ),
})

export const DRAFT_SOURCE = t.Object({
  source: textField({ description: 'https://…, http://… or ckan:ADDRESS/PACKAGE[/RESOURCE]' }),
  dataset: t.Optional(textField({ description: 'The dataset that it is an edition of.' })),
})

const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const { read, ...fields } = definitionSchema.properties
const takenBack = Object.entries(read.properties).map(([name, schema]) => [name, orNull(schema)])

/** Any field of a definition, null to take it back, and the dataset that the draft is an edition of. */
export const DRAFT_CHANGES = t.Object({
  dataset: t.Optional(EDITION_FIELD),
  ...Object.fromEntries(
    Object.entries({ ...fields, read: { ...read, properties: Object.fromEntries(takenBack) } }).map(
      ([name, schema]) => [name, t.Optional(openField(orNull(schema)))],
    ),
  ),
})

export const PUBLISH_ANSWERS = t.Object({
  accept_drift: t.Optional(FLAG_FIELD),
  allow_personal_data: t.Optional(NAMES_FIELD),
  max_quarantine: t.Optional(SHARE_FIELD),
  max_mended: t.Optional(SHARE_FIELD),
  accept_shrink: t.Optional(FLAG_FIELD),
})

export const QUARANTINED_ROWS = named('QuarantinedRows', {
  data: t.Array(
    shape({ line: integer({ minimum: 1 }), column: nullable(text()), reason: text(), raw: text() }),
  ),
  pagination: PAGINATION,
})
export const REPAIRED_ROWS = named('RepairedRows', {
  data: t.Array(shape({ line: integer({ minimum: 1 }), kind: text(), raw: text() })),
  pagination: PAGINATION,
})
