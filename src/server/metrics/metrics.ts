/** The metrics for Prometheus: requests, and the state of the service at the moment of the scrape. */

import { readdirSync, statSync } from 'node:fs'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { App } from '../../app.ts'
import { readBuild } from '../../base/build.ts'
import { refusedCounts } from '../../base/limits.ts'
import type { CatalogEntry } from '../../store/catalog/record.ts'
import { readBackupRecord } from '../../upkeep/backup/record.ts'
import type { Metrics } from '../listening/admin.ts'
import type { RouteMap } from '../routing.ts'
import type { Answers } from './answers.ts'
import { RequestHistogram } from './request-histogram.ts'

/** The most datasets with their own series. */
const MOST_DATASETS = 2000

type Sample = { readonly labels?: Readonly<Record<string, string>>; readonly value: number }

/** What is measured: everything open, the answers being sent, and whether this process does the upkeep. */
type Watched = App & { readonly answers: Answers; readonly doesUpkeep: () => boolean }
/** A metric; it has no value while it cannot be read. */
type Row = readonly [name: string, help: string, read: (app: Watched) => readonly Sample[] | number]

const GAUGES: readonly Row[] = [
  [
    'build_info',
    'The version of the program, its commit and the date of that',
    () => {
      const { version, commit, date } = readBuild()
      return [{ labels: { version, commit: commit ?? '', date: date ?? '' }, value: 1 }]
    },
  ],
  ['draining', '1 while the service is about to stop', ({ answers }) => Number(answers.isDraining)],
  ['streams_running', 'Exports that are being sent', ({ answers }) => answers.sending],
  ['key_cache_keys', 'Keys that the cache of keys holds', ({ keys }) => keys.counts.kept],
  ['usage_queue_records', 'Records of the request log that wait for the disk', ({ usage }) => usage.waiting],
  ['open_datasets_bytes', 'Memory of datasets that are open', ({ openDatasets }) => openDatasets.bytes],
  ['memory_budget_bytes', 'What open datasets may take', ({ config }) => config.memory_budget],
  [
    'datasets_damaged',
    'Datasets whose file cannot be read',
    ({ openDatasets }) => openDatasets.damaged.length,
  ],
  [
    'upkeep_holder',
    '1 for the process that does schedules, waiting mail and the upkeep of logs for all on the folder',
    ({ doesUpkeep }) => Number(doesUpkeep()),
  ],
]

/** The state of the data directory: the same for every process on it. */
const FOLDER_GAUGES: readonly Row[] = [
  [
    'datasets_failing',
    'Datasets whose source could not be fetched',
    ({ catalog }) => catalog.sources.failing().length,
  ],
  ['disk_free_bytes', 'Free space on the disk of the data directory', ({ dataDir }) => dataDir.freeBytes()],
  ['disk_floor_bytes', 'Free space below which the service is not ready', ({ config }) => config.disk_floor],
  ['wal_bytes', 'Size of the write-ahead log of a database', readWalSizes],
  [
    'dataset_version',
    'The version that is served',
    (app) => readDatasets(app, ({ id }) => app.catalog.find(id)?.version ?? 0),
  ],
  [
    'dataset_rows',
    'Rows of the version that is served',
    (app) => readDatasets(app, ({ row_count }) => row_count),
  ],
  [
    'dataset_updated_timestamp_seconds',
    'When the version that is served was ingested',
    (app) => readDatasets(app, ({ last_updated }) => Date.parse(last_updated) / 1000),
  ],
  [
    'dataset_quarantined_rows',
    'Rows that the ingest of the served version refused',
    (app) => readDatasets(app, ({ id }) => app.catalog.record(id)?.quarantined ?? 0),
  ],
  [
    'work_folders',
    'Ingests, backups and restores under way, and what killed ones left until the next start',
    ({ dataDir }) =>
      readdirSync(dataDir.tmpDir, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length,
  ],
  [
    'backup_timestamp_seconds',
    'When the last backup that went well was taken',
    ({ dataDir }) => {
      const { last } = readBackupRecord(dataDir)
      return last === null ? [] : Date.parse(last.at) / 1000
    },
  ],
  [
    'backup_failures',
    'Backups by schedule that failed since one went well',
    ({ dataDir }) => readBackupRecord(dataDir).failed?.failures ?? 0,
  ],
]

const COUNTERS: readonly Row[] = [
  [
    'refused_total',
    'Requests that a limit refused, or whose work it skipped',
    () => refusedCounts().map(([limit, value]) => ({ labels: { limit }, value })),
  ],
  ['key_cache_hits_total', 'Look-ups of keys that the cache answered', ({ keys }) => keys.counts.hits],
  ['key_cache_misses_total', 'Look-ups of keys that went to the database', ({ keys }) => keys.counts.misses],
  ['key_cache_evictions_total', 'Keys that made room for others', ({ keys }) => keys.counts.evictions],
  useRow('dataset_calls_total', 'Answers with data of a dataset', 'calls'),
  useRow('dataset_rows_sent_total', 'Rows of a dataset in answers', 'rows'),
  useRow('dataset_bytes_sent_total', 'Bytes of answers with data of a dataset', 'bytes'),
]

/** A counter over answers with data since the process began. */
function useRow(name: string, help: string, part: 'calls' | 'rows' | 'bytes'): Row {
  return [
    name,
    help,
    ({ usage }) =>
      usage.useCounters.list().map((sum) => ({
        labels: { dataset: sum.dataset, format: sum.format, via: sum.keyed ? 'key' : 'pages' },
        value: sum[part],
      })),
  ]
}

export type ServiceMetrics = ReturnType<typeof openMetrics>

/**
 * Metrics of a service: of the process (`own`) and of the data directory (`folder`). Answers are counted from
 * this call on.
 * @param routes of the server whose answers are counted
 */
export function openMetrics(app: Watched, routes: RouteMap) {
  const own = new Registry()
  const folder = new Registry()
  // Memory, processor time, open files, the delay of the event loop.
  collectDefaultMetrics({ register: own })
  for (const row of GAUGES) addMetric(own, app, row, Gauge)
  for (const row of FOLDER_GAUGES) addMetric(folder, app, row, Gauge)
  for (const row of COUNTERS) addMetric(own, app, row, Counter)
  app.answers.listen(new RequestHistogram(routes, own).note)
  return { own, folder }
}

export function metricsOfOne({ own, folder }: ServiceMetrics): Metrics {
  const read = async () => (await folder.metrics()) + (await own.metrics())
  return { read, readTotals: read }
}

function addMetric(
  registry: Registry,
  app: Watched,
  [name, help, read]: Row,
  Kind: typeof Gauge | typeof Counter,
): void {
  new Kind({
    name: `izvor_${name}`,
    help,
    labelNames: ['version', 'commit', 'date', 'database', 'dataset', 'domain', 'format', 'via', 'limit'],
    registers: [registry],
    collect() {
      this.reset()
      try {
        const found = read(app)
        const readings = typeof found === 'number' ? [{ value: found }] : found
        for (const { labels = {}, value } of readings) this.inc(labels, value)
      } catch {
        // A database or disk that cannot be read shows as a missing series, and in /health/ready.
      }
    },
  })
}

function readWalSizes({ dataDir }: App): Sample[] {
  const { accountsDb, catalogDb, usageDb } = dataDir
  return Object.entries({ accounts: accountsDb, catalog: catalogDb, usage: usageDb }).map(
    ([database, path]) => ({
      labels: { database },
      value: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    }),
  )
}

function readDatasets({ catalog }: App, read: (dataset: CatalogEntry) => number): Sample[] {
  const { datasets } = catalog.list({ limit: MOST_DATASETS, offset: 0 })
  return datasets.map((dataset) => ({
    labels: { dataset: dataset.id, domain: dataset.domain },
    value: read(dataset),
  }))
}
