/**
 * Requests by route, method and status, with the times they took, as prom-client prints a histogram. Counted in plain
 * numbers: prom-client's own takes longer to note an answer than the log takes to write its line.
 */

import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'
import type { Answer, AnswersListener } from './answers.ts'
import { isHead } from './plain-requests.ts'
import type { RouteMap } from './routing.ts'

const NAME = 'izvor_http_request_duration_seconds'
const BYTES_NAME = 'izvor_http_response_bytes_total'
/** Upper bounds in milliseconds. */
const BOUNDS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Series {
  readonly labels: { readonly route: string; readonly method: string; readonly status: number }
  /** By bucket, not summed up; the last is for what is beyond all bounds. */
  readonly counts: number[]
  milliseconds: number
  bytes: number
}

export class RequestHistogram {
  readonly #routes: RouteMap
  /** By route, then method and status. */
  readonly #series = new Map<string, Map<string, Series[]>>()

  constructor(routes: RouteMap) {
    this.#routes = routes
  }

  readonly note: AnswersListener = (answers) => {
    for (const answer of answers) {
      const { milliseconds } = answer
      const series = this.#seriesOf(answer)
      let bucket = 0
      while (bucket < BOUNDS.length && milliseconds > BOUNDS[bucket]!) bucket++
      series.counts[bucket]! += 1
      series.milliseconds += milliseconds
      series.bytes += answer.bytes
    }
  }

  register(registry: Registry): void {
    const histogram = {
      name: NAME,
      help: 'Requests and the time until their answer was made, or its stream was over',
      type: 'histogram',
      aggregator: 'sum',
      get: async () => ({ ...histogram, values: this.#all().flatMap(toValues) }),
    }
    const bytes = {
      name: BYTES_NAME,
      help: 'Bytes of answers, without their headers',
      type: 'counter',
      aggregator: 'sum',
      get: async () => ({
        ...bytes,
        values: this.#all().map(({ labels, bytes: value }) => ({ labels, value })),
      }),
    }
    for (const metric of [histogram, bytes]) {
      registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0])
    }
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap((byMethod) =>
      [...byMethod.values()].flatMap((byStatus) => byStatus.filter(Boolean)),
    )
  }

  #seriesOf({ exchange, status }: Answer): Series {
    const route = this.#routes.patternOf(exchange.path)
    const sent = isHead(exchange.request) ? 'HEAD' : exchange.request.method
    const method = METHODS.has(sent) ? sent : 'other'
    const byMethod = this.#series.get(route) ?? new Map<string, Series[]>()
    if (byMethod.size === 0) this.#series.set(route, byMethod)
    const byStatus = byMethod.get(method) ?? []
    if (byStatus.length === 0) byMethod.set(method, byStatus)
    byStatus[status] ??= {
      ...{ labels: { route, method, status }, milliseconds: 0, bytes: 0 },
      counts: Array.from({ length: BOUNDS.length + 1 }, () => 0),
    }
    return byStatus[status]
  }
}

type Values = MetricObjectWithValues<MetricValueWithName<string>>['values']

function toValues({ labels, counts, milliseconds }: Series): Values {
  let sum = 0
  const buckets = counts.map((count, index) => {
    sum += count
    const bound = BOUNDS[index]
    const le = bound === undefined ? '+Inf' : bound / 1000
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le }, value: sum }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: milliseconds / 1000 },
    { metricName: `${NAME}_count`, labels, value: sum },
  ]
}
