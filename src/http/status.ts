/** Health probes and platform statistics (specification 4.1): open to everybody, and nothing in them is about anybody. */

import packageJson from '../../package.json' with { type: 'json' }
import { countAccounts } from '../accounts/user.ts'
import { countActiveKeys } from '../keys/keys.ts'
import { formatTimestamp } from '../text/timestamp.ts'
import { routeGroup } from './exchange.ts'
import { PUBLIC_HEADERS } from './headers.ts'
import { respondJson } from './respond.ts'
import type { Service } from './service.ts'

type HealthStatus = 'ok' | 'degraded' | 'unavailable'

export interface Health {
  readonly status: HealthStatus
  readonly version: string
  /** RFC 3339 UTC. */
  readonly started_at: string
  readonly checks: Readonly<Record<string, { readonly status: HealthStatus; readonly message: string }>>
}

export interface Stats {
  readonly datasets: number
  readonly domains: number
  readonly rows: number
  readonly requests_total: number
  readonly requests_today: number
  readonly accounts: number
  readonly active_keys: number
  readonly generated_at: string
}

const STATS_KEPT_MS = 10_000

const PROBE_HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': 'no-store' }
const STATS_HEADERS = { ...PUBLIC_HEADERS, 'Cache-Control': `public, max-age=${STATS_KEPT_MS / 1000}` }

export function statusRoutes(service: Service) {
  let kept: { stats: Stats; until: number } | undefined
  return routeGroup()
    .get('/health/live', ({ exchange }) => respondJson(exchange, 200, PROBE_HEADERS, readLiveness(service)))
    .get('/health/ready', ({ exchange }) => {
      const health = readReadiness(service)
      return respondJson(exchange, health.status === 'unavailable' ? 503 : 200, PROBE_HEADERS, health)
    })
    .get('/stats', ({ exchange }) => {
      const now = service.now()
      if (kept === undefined || now.getTime() >= kept.until) {
        kept = { stats: readStats(service, now), until: now.getTime() + STATS_KEPT_MS }
      }
      return respondJson(exchange, 200, STATS_HEADERS, kept.stats)
    })
}

/** That the process answers. Touches no file. */
function readLiveness(service: Service): Health {
  const started_at = formatTimestamp(service.startedAt)
  return { status: 'ok', version: packageJson.version, started_at, checks: {} }
}

/**
 * Whether the instance can serve: every database answers a query and the disk has room. A damaged dataset takes out
 * itself alone, so it only degrades (contract 2).
 */
function readReadiness(service: Service): Health {
  const checks: Health['checks'] = {
    accounts: checkDatabase(() => countActiveKeys(service.accounts)),
    catalog: checkDatabase(() => service.catalog.totals()),
    usage: checkDatabase(() => service.usage.totals(service.now())),
    disk: checkDisk(service),
    datasets: checkDatasets(service),
    refresh: checkRefresh(service),
  }
  const found = Object.values(checks).map((check) => check.status)
  const status = (['unavailable', 'degraded'] as const).find((worse) => found.includes(worse)) ?? 'ok'
  return { ...readLiveness(service), status, checks }
}

function checkDatabase(query: () => unknown) {
  try {
    query()
    return { status: 'ok', message: 'readable' } as const
  } catch {
    return { status: 'unavailable', message: 'not readable' } as const
  }
}

function checkDisk({ dataDir, config }: Service) {
  try {
    const room = dataDir.freeBytes() >= config.disk_floor
    return room
      ? ({ status: 'ok', message: 'enough free space' } as const)
      : ({ status: 'unavailable', message: 'less free space than the configured floor' } as const)
  } catch {
    return { status: 'unavailable', message: 'the data folder cannot be looked at' } as const
  }
}

function checkDatasets({ openDatasets }: Service) {
  const { damaged } = openDatasets
  return damaged.length === 0
    ? ({ status: 'ok', message: 'no damage seen' } as const)
    : ({ status: 'degraded', message: `cannot be read: ${damaged.join(', ')}` } as const)
}

/** Data that grows old is still data: it is served, and the operator should look. */
function checkRefresh({ catalog }: Service) {
  try {
    const failing = catalog.sources.failing()
    return failing.length === 0
      ? ({ status: 'ok', message: 'no source failed' } as const)
      : ({ status: 'degraded', message: `could not be refreshed: ${failing.join(', ')}` } as const)
  } catch {
    return { status: 'degraded', message: 'not readable' } as const
  }
}

function readStats(service: Service, now: Date): Stats {
  const { total, today } = service.usage.totals(now)
  return {
    ...service.catalog.totals(),
    requests_total: total,
    requests_today: today,
    accounts: countAccounts(service.accounts),
    active_keys: countActiveKeys(service.accounts),
    generated_at: formatTimestamp(now),
  }
}
