/**
 * Metrics of several processes in one scrape. Each series gets a label `worker`, so nothing is counted twice and
 * `sum without (worker)` is the total; totals are also available for tools that cannot sum. Counters of ended processes
 * stay in the totals, which never go down.
 */

import { AggregatorRegistry, type Registry } from 'prom-client'

/** Metrics of one process, as sent between processes: a number that JSON cannot hold is null. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
type Metric = ProcessMetrics[number]

export class WorkerMetrics {
  readonly #last = new Map<string, ProcessMetrics>()
  /** Sums of workers that have ended. */
  #ended: ProcessMetrics = []

  note(worker: string, metrics: ProcessMetrics): void {
    this.#last.set(worker, metrics)
  }

  /** Adds the counters of a worker that has ended, as of its last scrape, to the totals. */
  retire(worker: string): void {
    const last = this.#last.get(worker) ?? []
    this.#last.delete(worker)
    // Metrics from `aggregate` already hold their values.
    this.#ended = sum([this.#ended, last.filter(isSummed)]).getMetricsAsArray() as ProcessMetrics
  }

  /** Every series of the workers that answered this scrape, with its label. */
  labelled(answered: ReadonlyMap<string, ProcessMetrics>): Promise<string> {
    return writeMetrics([...answered].map(([worker, metrics]) => metrics.map(ofWorker(worker))))
  }

  /** Sums over all workers, including ended and silent ones, and the labelled gauges of those that answered. */
  totals(answered: ReadonlyMap<string, ProcessMetrics>): Promise<string> {
    const counted = [...new Map([...this.#last, ...answered]).values()]
    const gauges = [...answered].map(([worker, metrics]) =>
      metrics.filter((metric) => !isSummed(metric)).map(ofWorker(worker)),
    )
    return writeMetrics([this.#ended, ...counted.map((metrics) => metrics.filter(isSummed)), ...gauges])
  }
}

export async function writeMetrics(all: readonly ProcessMetrics[]): Promise<string> {
  return await sum(all).metrics()
}

/** By default prom-client averages or omits gauges of the runtime; here each belongs to one process. */
function sum(all: readonly ProcessMetrics[]) {
  return AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'sum' }))),
  )
}

/** Whether a metric adds up over processes; a gauge such as memory belongs to one. */
function isSummed({ type }: Metric): boolean {
  return String(type) === 'counter' || String(type) === 'histogram'
}

function ofWorker(worker: string) {
  return (metric: Metric): Metric => ({
    ...metric,
    values: metric.values.map((value) => ({
      ...value,
      value: value.value ?? Number.NaN,
      labels: { worker, ...value.labels },
    })),
  })
}
