/** Health probes and platform statistics (specification 4.1): open to everyone, without personal data. */

import type { Static } from 'elysia'
import { countActiveKeys } from '../../accounts/keys/keys.ts'
import { countAccounts } from '../../accounts/people/user.ts'
import type { App } from '../../app.ts'
import { readBuild } from '../../base/build.ts'
import { formatTimestamp } from '../../base/text/timestamp.ts'
import { PROBE_HEADERS, STATS_HEADERS, STATS_KEPT_S } from '../../http/headers.ts'
import { respondJson } from '../../http/respond.ts'
import { answerStatusPage, type Health } from '../../pages/status/status-page.tsx'
import { describeBackups, readBackupRecord } from '../../upkeep/backup/record.ts'
import { HEALTH, STATS } from '../bodies/dataset-bodies.ts'
import { page, type Route, route } from '../declaration/route.ts'
import type { Answers } from '../metrics/answers.ts'
import { answerProbe } from '../proxy-probe.ts'
import { hasSeenDamage } from '../refusals.ts'
import { viewFor } from './pages.ts'

/** Kept per app: in tests one process runs several. */
const kept = new WeakMap<App, { readonly stats: Static<typeof STATS>; readonly until: number }>()

export const STATUS_ROUTES: readonly Route[] = [
  route('none', '/health/live', {
    id: 'checkLiveness',
    tag: 'Status',
    summary: 'Check that the process answers',
    answers: { 200: { says: 'It does.', body: HEALTH } },
    handle: ({ app, exchange }) =>
      respondJson(exchange, 200, { ...PROBE_HEADERS, ...answerProbe(app, exchange) }, readLiveness(app)),
  }),
  route('none', '/health/ready', {
    id: 'checkReadiness',
    tag: 'Status',
    summary: 'Check that the instance can serve',
    answers: {
      200: { says: 'It can; `degraded` when a single dataset cannot be read.', body: HEALTH },
      503: { says: 'A dependency is unavailable.', body: HEALTH },
    },
    handle: async ({ app, state, exchange }) => {
      const health = await readReadiness(app, state.answers)
      return respondJson(exchange, health.status === 'unavailable' ? 503 : 200, PROBE_HEADERS, health)
    },
  }),
  page('/status', async (call) =>
    answerStatusPage(await viewFor(call), await readReadiness(call.app, call.state.answers)),
  ),
  route('none', '/stats', {
    id: 'readStatistics',
    tag: 'Status',
    summary: 'Read aggregate counts, at most 10 seconds old',
    answers: { 200: { says: 'The counts.', body: STATS } },
    handle: async ({ app, exchange }) => {
      const now = app.now()
      const known = kept.get(app)
      const isFresh = known !== undefined && now.getTime() < known.until
      const stats = isFresh ? known.stats : await readStats(app, now)
      if (!isFresh) kept.set(app, { stats, until: now.getTime() + STATS_KEPT_S * 1000 })
      return respondJson(exchange, 200, STATS_HEADERS, stats)
    },
  }),
]

/** Reports that the process answers. Touches no file. */
function readLiveness(app: App): Health {
  const started_at = formatTimestamp(app.startedAt)
  const build = readBuild()
  return { status: 'ok', version: build.version, build, started_at, checks: {} }
}

/**
 * Whether the instance can serve: every database answers a query and the disk has room. A damaged dataset affects no
 * other, so it only degrades the service (contract 2).
 */
async function readReadiness(app: App, answers: Answers): Promise<Health> {
  if (answers.isDraining) {
    const service = unavailable('about to stop: no new requests, please')
    return { ...readLiveness(app), status: 'unavailable', checks: { service } }
  }
  // In parallel, so that a database that does not answer is waited for only once.
  const { openDatasets, dataDir, config, node } = app
  const isCatalogHere = node === null || node.hasSynced
  const [accounts, catalog, usage] = await Promise.all([
    checkDatabase(() => countActiveKeys(app.accounts)),
    isCatalogHere
      ? checkDatabase(() => app.catalog.totals())
      : unavailable('the catalog of all nodes is not here yet'),
    checkDatabase(() => app.usage.totals(app.now())),
  ])
  const { damaged } = openDatasets
  const checks: Health['checks'] = {
    accounts,
    catalog,
    usage,
    ...(hasSeenDamage(app) && { databases: unavailable('a request found one damaged: the log says which') }),
    disk: checkDisk(app),
    datasets: damaged.length === 0 ? ok('no damage seen') : degraded(`cannot be read: ${damaged.join(', ')}`),
    refresh: checkRefresh(app),
    // Without a backup everything is still served; the operator should look.
    backup: describeBackups(readBackupRecord(dataDir), config.backup_schedule),
    // Data in the data directory are served; other data, and publishing, wait.
    ...(dataDir.remote !== null && {
      object_store:
        dataDir.remote.problem === null
          ? ok('answers')
          : degraded('cannot be used; editions that are here are served'),
    }),
  }
  const found = Object.values(checks).map((check) => check.status)
  const status = (['unavailable', 'degraded'] as const).find((worse) => found.includes(worse)) ?? 'ok'
  return { ...readLiveness(app), status, checks }
}

const ok = (message: string) => ({ status: 'ok', message }) as const
const degraded = (message: string) => ({ status: 'degraded', message }) as const
const unavailable = (message: string) => ({ status: 'unavailable', message }) as const

async function checkDatabase(query: () => unknown) {
  try {
    await query()
    return ok('readable')
  } catch {
    return unavailable('not readable')
  }
}

function checkDisk({ dataDir, config }: App) {
  try {
    if (dataDir.freeBytes() >= config.disk_floor) return ok('enough free space')
    return unavailable('less free space than the configured floor')
  } catch {
    return unavailable('the data folder cannot be looked at')
  }
}

/** Old data are still served; the operator should look. */
function checkRefresh({ catalog }: App) {
  try {
    const failing = catalog.sources.failing()
    return failing.length === 0
      ? ok('no source failed')
      : degraded(`could not be refreshed: ${failing.join(', ')}`)
  } catch {
    return degraded('not readable')
  }
}

async function readStats(app: App, now: Date) {
  const { total, today } = await app.usage.totals(now)
  return {
    ...app.catalog.totals(),
    requests_total: total,
    requests_today: today,
    accounts: await countAccounts(app.accounts),
    active_keys: await countActiveKeys(app.accounts),
    generated_at: formatTimestamp(now),
  }
}
