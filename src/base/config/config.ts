/** The table of settings, from which options, variables, `izvor config`, the example file and docs/settings.md come. */

import {
  ACCOUNT_SETTINGS,
  ACME_SETTINGS,
  HTTP_SETTINGS,
  LIMIT_SETTINGS,
  PAGES_SETTINGS,
} from './serving-settings.ts'
import { setting, type Values, variableOf } from './setting.ts'
import {
  BASE_URL,
  BUCKET,
  choice,
  DURATION,
  integer,
  ON_OFF,
  PORT,
  POSTGRES_URL,
  RATIO,
  SCHEDULE,
  SIZE,
  text,
} from './setting-kinds.ts'

// What is stored, where and for how long: data, backups, logs, and what several machines share.

const DATA_SETTINGS = {
  data: setting({
    kind: text('a folder'),
    fallback: './izvor-data',
    flag: '--data',
    help: 'Data directory: it holds accounts, catalog and datasets.',
  }),
  keep_versions: setting({
    kind: integer(1, 100),
    fallback: '2',
    unit: 'editions',
    help: 'Editions of a dataset, of different bytes, that an ingest keeps, the served one included; a rollback needs 2.',
  }),
  max_quarantine: setting({
    kind: RATIO,
    fallback: '10%',
    flag: '--max-quarantine',
    help: 'Share of refused rows above which an ingest as a whole is refused.',
  }),
  max_mended: setting({
    kind: RATIO,
    fallback: '5%',
    flag: '--max-mended',
    help: 'Share of rows with more or fewer cells than the header that were mended, above which an ingest as a whole is refused.',
  }),
  personal_data: setting({
    kind: choice(['ask', 'warn', 'strict']),
    fallback: 'ask',
    help: 'Which columns are refused until they are acknowledged: those with personal codes (ask), all that look like personal data (strict), or none (warn).',
  }),
  max_upload: setting({
    kind: SIZE,
    fallback: '2GB',
    help: 'Largest file that a publisher may upload or have fetched.',
  }),
  publish_private_addresses: setting({
    kind: ON_OFF,
    fallback: 'off',
    help: 'Whether publishers may have files fetched from addresses inside private networks; the operator always may.',
  }),
  refresh: setting({
    kind: ON_OFF,
    fallback: 'on',
    help: 'Whether serve fetches datasets again by the schedules in their definitions.',
  }),
  disk_floor: setting({
    kind: SIZE,
    fallback: '256MB',
    help: 'Free space on the data disk below which the service says that it is not ready, and which copies of what is ingested leave free.',
  }),
}

const BACKUP_SETTINGS = {
  backup_schedule: setting({
    kind: SCHEDULE,
    fallback: null,
    live: true,
    help: 'When serve backs up to backup_dir, in UTC; without a schedule it never does.',
  }),
  backup_dir: setting({
    kind: text('a folder, best on another disk'),
    fallback: null,
    live: true,
    help: 'Folder for backups by schedule.',
  }),
  backup_keep: setting({
    kind: integer(1, 10_000),
    fallback: '14',
    live: true,
    unit: 'backups',
    help: 'Backups of this data directory that stay in backup_dir; the oldest are removed first.',
  }),
}

const LOG_SETTINGS = {
  log_level: setting({
    kind: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    live: true,
    help: 'Least serious level of messages that are logged.',
  }),
  access_log: setting({
    kind: ON_OFF,
    fallback: 'off',
    help: 'Whether every answer is logged, as a line at the level info.',
  }),
  log_retention: setting({
    kind: DURATION,
    fallback: '90d',
    help: 'How long the request log goes back.',
  }),
  log_rows: setting({
    kind: integer(1000, 1_000_000_000),
    fallback: '5000000',
    unit: 'records',
    help: 'Records that the request log keeps at most; the oldest are removed first.',
  }),
  admin_port: setting({
    kind: PORT,
    fallback: null,
    flag: '--admin-port',
    help: 'TCP port for /metrics (Prometheus), on the loopback address only; by default there is none.',
  }),
}

const NODE_SETTINGS = {
  database_url: setting({
    kind: POSTGRES_URL,
    fallback: null,
    secret: true,
    help: 'PostgreSQL 15 or later for accounts, catalog and usage, shared by all nodes; by default files in the data directory.',
  }),
  object_store: setting({
    kind: BUCKET,
    fallback: null,
    help: 'S3 bucket for editions and whole datasets, together with database_url; the data directory is then a cache.',
  }),
  object_store_endpoint: setting({
    kind: BASE_URL,
    fallback: null,
    help: 'Address of the S3 server, where it is not Amazon; credentials and region come from AWS_* variables.',
  }),
  version_cache: setting({
    kind: SIZE,
    fallback: '0',
    help: 'With object_store: disk for editions that are fetched into the data directory; beyond it those not used longest are deleted, to be fetched again at their next use. 0: all that disk_floor leaves.',
  }),
}

/** The settings by topic, in the order in which they are listed. */
export const SETTING_TOPICS = {
  'Data directory and ingest': DATA_SETTINGS,
  Network: HTTP_SETTINGS,
  'Automatic certificates': ACME_SETTINGS,
  'Visitors without a key': PAGES_SETTINGS,
  'Accounts and mail': ACCOUNT_SETTINGS,
  'Queries, exports and memory': LIMIT_SETTINGS,
  Backup: BACKUP_SETTINGS,
  'Logs and metrics': LOG_SETTINGS,
  'Several machines': NODE_SETTINGS,
}

export const SETTINGS = {
  ...DATA_SETTINGS,
  ...HTTP_SETTINGS,
  ...ACME_SETTINGS,
  ...PAGES_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...LIMIT_SETTINGS,
  ...BACKUP_SETTINGS,
  ...LOG_SETTINGS,
  ...NODE_SETTINGS,
}

/** Sizes in bytes, durations in seconds, shares from 0 to 1. */
export type Config = Values<typeof SETTINGS>
export type SettingName = keyof Config

/** Whether the service speaks HTTPS itself. */
export function speaksHttps({ tls_cert, acme_host }: Pick<Config, 'tls_cert' | 'acme_host'>): boolean {
  return tls_cert !== null || acme_host !== null
}

/**
 * The settings of a node, as variables for the processes that a service starts; none on a single machine. They go into
 * the environment, since the database's address may hold a password.
 */
export function nodeVariables(config: Config): Record<string, string> {
  const { database_url, object_store, object_store_endpoint, version_cache, disk_floor } = config
  if (object_store === null) return {}
  const settings = { database_url, object_store, object_store_endpoint, version_cache, disk_floor }
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value === null ? [] : [[variableOf(name), String(value)]],
    ),
  )
}
