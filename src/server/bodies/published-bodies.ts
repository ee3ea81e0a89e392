/** The bodies of `/publish/api/datasets`. */

import { t } from 'elysia'
import { COLUMN_TYPES } from '../../engine/columns/column.ts'
import {
  ADDRESS_FIELD,
  COLUMNS_FIELD,
  DATASET_TEXT_FIELD,
  FLAG_FIELD,
  KEYWORDS_FIELD,
  SCHEDULE_FIELD,
  TITLE_FIELD,
} from '../declaration/fields.ts'
import {
  count,
  day,
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
import { catalogEntry, DESCRIPTOR, PAGINATION, refresh } from './dataset-bodies.ts'
import { REASONS, share } from './report-body.ts'

/** The longest report of the use of datasets. */
export const MOST_DAYS = 366
const version = integer({ minimum: 1 })
const open = t.Boolean({ description: 'Whether rows and files are shown without a key.' })
const lastFailure = nullable(
  shape({ kind: oneOf(['refresh', 'ingest']), at: moment, reason: text(), reasons: REASONS }),
  'Why the last file was refused or could not be fetched; null when a version was published since.',
)

export const PUBLISHED_LIST = named('PublishedList', {
  data: t.Array(
    shape({
      ...catalogEntry,
      version,
      open,
      next_refresh_at: nullable(moment),
      last_failure: lastFailure,
    }),
  ),
  pagination: PAGINATION,
})

export const PUBLISHED_DATASET = named('PublishedDataset', {
  ...DESCRIPTOR.properties,
  open,
  refresh: nullable(
    shape({
      ...refresh,
      address: text(),
      error: nullable(text()),
      failures: count('In a row.'),
    }),
    'null: the source has no address.',
  ),
  last_failure: lastFailure,
})

/** An omitted field stays; null removes a text. */
export const DATASET_CHANGES = t.Object({
  title: t.Optional(TITLE_FIELD),
  description: t.Optional(DATASET_TEXT_FIELD),
  publisher: t.Optional(DATASET_TEXT_FIELD),
  license: t.Optional(DATASET_TEXT_FIELD),
  keywords: t.Optional(KEYWORDS_FIELD),
  columns: t.Optional(COLUMNS_FIELD),
  open: t.Optional(FLAG_FIELD),
})

export const SCHEDULE = t.Object({ source_url: ADDRESS_FIELD, refresh: SCHEDULE_FIELD })

export const KEPT_VERSIONS = t.Array(
  named('KeptVersion', {
    version,
    served: flag,
    rows: count(),
    quarantined: count(),
    imported_at: moment,
    source_file: text(),
    source_sha256: sha256,
    bytes: count('Of the version as it is stored.'),
  }),
)

export const TAKEN_DOWN = named('TakenDown', {
  dropped: t.Array(version, { description: 'Versions that are gone.' }),
  kept_with_column: t.Array(version, {
    description: 'Kept versions with a column that the served one no longer has.',
  }),
  backups: t.Array(shape({ name: text(), at: moment }), {
    description: 'Copies that remain and may hold the data.',
  }),
  late_nodes: t.Optional(t.Array(shape({ name: text(), reason: text() }))),
})

const use = { calls: count(), rows: count(), bytes: count() }

export const USE_REPORT = named('UseReport', {
  days: integer({ minimum: 1, maximum: MOST_DAYS }),
  from: day,
  to: day,
  total: shape(use),
  data: t.Array(
    shape({
      day: t.Optional(day),
      dataset: t.Optional(text()),
      via: t.Optional(oneOf(['key', 'pages', 'deleted_key'])),
      key_id: t.Optional(nullable(integer({ minimum: 1 }))),
      label: t.Optional(nullable(text())),
      format: t.Optional(text()),
      ...use,
    }),
    { description: 'By day, else the most calls first; with the fields of `by`.' },
  ),
  pagination: PAGINATION,
})

const facts = shape({
  version,
  rows: count(),
  quarantined: count(),
  imported_at: moment,
  source_file: text(),
  source_sha256: sha256,
  source_url: nullable(text()),
})
const moved = { from: count(), to: count() }
const types = t.Array(shape({ name: text(), type: oneOf(COLUMN_TYPES) }))
const said = t.Unsafe<string | boolean | null>({ type: ['string', 'boolean', 'null'] })
const shared = {
  kept: count(),
  gone: count('Only in the earlier version.'),
  new: count('Only in the later one.'),
  columns: t.Array(text()),
}
const examples = t.Array(
  t.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
  }),
)

export const VERSION_DIFF = named('VersionDiff', {
  dataset: text(),
  from: facts,
  to: facts,
  same_source: flag,
  columns: shape({
    added: types,
    removed: types,
    changed: t.Array(
      shape({ column: text(), field: oneOf(['type', 'required', 'source_name']), from: said, to: said }),
    ),
  }),
  primary_key: shape({ from: t.Array(text()), to: t.Array(text()) }),
  statistics: t.Array(
    shape({
      column: text(),
      null_share: shape({ from: share, to: share }),
      distinct: shape(moved),
      notable: t.Boolean({ description: 'Whether one of the two moved far.' }),
    }),
  ),
  quarantine: t.Array(shape({ reason: text(), ...moved })),
  repairs: t.Array(shape({ column: text(), kind: text(), ...moved })),
  overlap: shape({
    sampled: integer({ minimum: 1, description: 'n: about one row in n was compared.' }),
    rows: nullable(shape(shared)),
    keys: nullable(
      shape({ ...shared, changed: nullable(count()), examples: shape({ gone: examples, new: examples }) }),
    ),
  }),
})
