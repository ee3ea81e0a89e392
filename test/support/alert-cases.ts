/**
 * Cases for each rule of data/ops/alerts.yml, as series in promtool's notation, one value a minute: `1+0x59 0+0x60` is
 * 60 times 1, then 61 times 0. The trouble begins at minute 60.
 */

type Series = Readonly<Record<string, string>>

export interface AlertCase {
  readonly alert: string
  /** Series that differ from the healthy ones; `_` is a missing one. */
  readonly wrong: Series
  /** The same trouble, over before the rule's time is up, or not bad enough: quiet at `fires` as well. */
  readonly bearable: Series
  /** The rule is quiet at one moment and fires at the other; multiples of ten minutes where it takes days. */
  readonly quiet: string
  readonly fires: string
  /** Labels of the alert, besides its severity. */
  readonly labels: Readonly<Record<string, string>>
}

const THREE_DAYS = 4320
const TARGET = { job: 'izvor', instance: '127.0.0.1:3001' }
const REQUESTS = 'izvor_http_request_duration_seconds'
const LIST = { ...TARGET, route: '/v1/:domain/:dataset', method: 'GET', status: '200' }
const EXPORT = { ...LIST, route: '/v1/:domain/:dataset/export' }
const ANSWERS = named(`${REQUESTS}_count`, LIST)
const FAILURES = named(`${REQUESTS}_count`, { ...LIST, status: '500' })

/** A series by its name and labels. */
function named(name: string, labels: Readonly<Record<string, string>> = TARGET): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${pairs.join(',')}}`
}

/** How many of a hundred more answers a minute took up to a quarter of a second. */
function answersOf(labels: typeof LIST, quick: string): Series {
  const bucket = (le: string) => named(`${REQUESTS}_bucket`, { ...labels, le })
  const all = `0+100x${THREE_DAYS}`
  return { [bucket('0.25')]: quick, [bucket('0.5')]: all, [bucket('+Inf')]: all }
}

function always(value: number): string {
  return `${value}+0x${THREE_DAYS}`
}

/** One value for an hour, another one afterwards. */
function fromMinute60(before: number, after: number): string {
  return `${before}+0x59 ${after}+0x${THREE_DAYS - 60}`
}

/** Another value for some minutes after the first hour. */
function between(before: number, during: number, minutes: number): string {
  return `${before}+0x59 ${during}+0x${minutes - 1} ${before}+0x${THREE_DAYS - 60 - minutes}`
}

export const HEALTHY: Series = {
  [named('up')]: always(1),
  [ANSWERS]: `0+1000x${THREE_DAYS}`,
  [FAILURES]: always(0),
  ...answersOf(LIST, `0+100x${THREE_DAYS}`),
  ...answersOf(EXPORT, always(0)),
  [named('nodejs_eventloop_lag_p99_seconds')]: always(0.02),
  [named('izvor_disk_free_bytes')]: always(20e9),
  [named('izvor_disk_floor_bytes')]: always(256e6),
  [named('izvor_datasets_damaged')]: always(0),
  [named('izvor_datasets_failing')]: always(0),
  // One a day.
  [named('izvor_backup_timestamp_seconds')]: '0+0x1439 86400+0x1439 172800+0x1440',
  [named('izvor_backup_failures')]: always(0),
  ...Object.fromEntries(
    ['accounts', 'catalog', 'usage'].map((database) => [
      named('izvor_wal_bytes', { ...TARGET, database }),
      always(4e6),
    ]),
  ),
  [named('izvor_usage_queue_records')]: always(300),
}

const gauge = (
  alert: string,
  name: string,
  { bad, good, bearable }: { bad: number; good: number; bearable: string },
  [quiet, fires]: readonly [string, string],
  labels: Readonly<Record<string, string>> = TARGET,
): AlertCase => ({
  ...{ alert, quiet, fires, labels },
  wrong: { [named(name, labels)]: fromMinute60(good, bad) },
  bearable: { [named(name, labels)]: bearable },
})

export const ALERT_CASES: readonly AlertCase[] = [
  gauge('IzvorDown', 'up', { bad: 0, good: 1, bearable: between(1, 0, 2) }, ['61m', '62m']),
  {
    alert: 'IzvorErrors',
    wrong: { [FAILURES]: `0+0x59 0+20x${THREE_DAYS - 60}` },
    bearable: { [FAILURES]: `0+0x59 0+5x${THREE_DAYS - 60}` },
    ...{ quiet: '68m', fires: '80m', labels: {} },
  },
  {
    alert: 'IzvorSlow',
    wrong: answersOf(LIST, `0+100x59 5900+97x${THREE_DAYS - 60}`),
    bearable: answersOf(LIST, `0+100x59 5900+99.5x${THREE_DAYS - 60}`),
    ...{ quiet: '68m', fires: '80m', labels: {} },
  },
  gauge(
    'IzvorEventLoopLag',
    'nodejs_eventloop_lag_p99_seconds',
    { bad: 0.2, good: 0.02, bearable: always(0.09) },
    ['69m', '70m'],
  ),
  gauge('IzvorDiskNearFloor', 'izvor_disk_free_bytes', { bad: 500e6, good: 20e9, bearable: always(600e6) }, [
    '64m',
    '65m',
  ]),
  gauge('IzvorDatasetDamaged', 'izvor_datasets_damaged', { bad: 1, good: 0, bearable: always(0) }, [
    '59m',
    '60m',
  ]),
  gauge('IzvorRefreshFailing', 'izvor_datasets_failing', { bad: 2, good: 0, bearable: between(0, 2, 1440) }, [
    '1490m',
    '1500m',
  ]),
  {
    alert: 'IzvorBackupOld',
    wrong: { [named('izvor_backup_timestamp_seconds')]: always(0) },
    bearable: { [named('izvor_backup_timestamp_seconds')]: fromMinute60(0, 3600) },
    ...{ quiet: '2880m', fires: '2890m', labels: TARGET },
  },
  {
    alert: 'IzvorNoBackup',
    wrong: { [named('izvor_backup_timestamp_seconds')]: `_x${THREE_DAYS}` },
    bearable: { [named('izvor_backup_timestamp_seconds')]: `_x2879 172740+0x${THREE_DAYS - 2880}` },
    ...{ quiet: '2870m', fires: '2880m', labels: TARGET },
  },
  gauge('IzvorBackupFailing', 'izvor_backup_failures', { bad: 1, good: 0, bearable: between(0, 1, 60) }, [
    '119m',
    '120m',
  ]),
  gauge(
    'IzvorWalGrows',
    'izvor_wal_bytes',
    { bad: 300e6, good: 4e6, bearable: between(4e6, 300e6, 30) },
    ['89m', '90m'],
    { ...TARGET, database: 'usage' },
  ),
  gauge(
    'IzvorUsageQueueGrows',
    'izvor_usage_queue_records',
    { bad: 60_000, good: 300, bearable: always(40_000) },
    ['61m', '62m'],
  ),
]
