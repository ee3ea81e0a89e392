/**
 * Metrics of several processes as one scrape. Each series gets a label `worker`, so nothing is counted twice and
 * `sum without (worker)` is the total; the totals are also ready for those who cannot sum. Counters of processes that have
 * ended stay in the totals, which never go down.
 */

import { AggregatorRegistry, type Registry } from 'prom-client'

/** Metrics of one process, as messages between processes have them: a number that JSON does not know is null. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>
type Metric = ProcessMetrics[number]

export class WorkerMetrics {
  readonly #last = new Map<string, ProcessMetrics>()
  /** Sums of workers that have ended. */
  #ended: ProcessMetrics = []

  note(worker: string, metrics: ProcessMetrics): void {
    this.#last.set(worker, metrics)
  }

  /** Adds the counters of a worker that has ended to the totals, as they were at its last scrape. */
  retire(worker: string): void {
    const last = this.#last.get(worker) ?? []
    this.#last.delete(worker)
    // What `aggregate` makes holds its values.
    this.#ended = sum([this.#ended, last.filter(isSummed)]).getMetricsAsArray() as ProcessMetrics
  }

  /** Every series of the workers that answered now, with its label. */
  labelled(answered: ReadonlyMap<string, ProcessMetrics>): Promise<string> {
    return writeMetrics([...answered].map(([worker, metrics]) => metrics.map(ofWorker(worker))))
  }

  /** Sums of all workers, also of those that ended or do not answer, and gauges of those that answered, with their label. */
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

/** Gauges of the runtime are averaged or left out otherwise; here each is of one process. */
function sum(all: readonly ProcessMetrics[]) {
  return AggregatorRegistry.aggregate(
    all.map((metrics) => metrics.map((metric) => ({ ...metric, aggregator: 'sum' }))),
  )
}

/** Metrics that add up; gauges such as memory are of one process. */
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
