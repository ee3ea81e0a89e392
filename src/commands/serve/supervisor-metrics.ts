/** Metrics of a supervisor and its workers. */

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Metrics } from '../../server/listening/admin.ts'
import { type ProcessMetrics, WorkerMetrics, writeMetrics } from '../../server/metrics/worker-metrics.ts'
import type { Supervisor } from './supervisor.ts'

/** The label of the supervisor's own series. */
const SELF = 'supervisor'

export class SupervisorMetrics {
  readonly #workers = new WorkerMetrics()

  /** A worker has ended. */
  retire(worker: number): void {
    this.#workers.retire(String(worker))
  }

  /** Answers scrapes; a worker that does not answer within a second is left out. */
  over(supervisor: Supervisor): Metrics {
    const self = new Registry()
    const ofWorkers = new Registry()
    collectDefaultMetrics({ register: self })
    addStates(ofWorkers, supervisor)
    const scrape = async (write: (answered: ReadonlyMap<string, ProcessMetrics>) => Promise<string>) => {
      const answered = await this.#ask(supervisor)
      const folder = await askFolder(supervisor, answered)
      const own = new Map([...answered, [SELF, await self.getMetricsAsJSON()]])
      return (await ofWorkers.metrics()) + (await writeMetrics([folder])) + (await write(own))
    }
    return {
      read: () => scrape((answered) => this.#workers.labelled(answered)),
      readTotals: () => scrape((answered) => this.#workers.totals(answered)),
    }
  }

  async #ask({ running }: Supervisor): Promise<Map<string, ProcessMetrics>> {
    const answered = new Map<string, ProcessMetrics>()
    await Promise.all(
      [...running].map(async ([worker, process]) => {
        const metrics = await process.metrics('own')
        if (metrics === undefined) return
        answered.set(worker, metrics)
        this.#workers.note(worker, metrics)
      }),
    )
    return new Map([...answered].sort(([a], [b]) => Number(a) - Number(b)))
  }
}

/** What holds for the folder, from a worker that has just answered. */
async function askFolder(
  { running }: Supervisor,
  answered: ReadonlyMap<string, unknown>,
): Promise<ProcessMetrics> {
  const [first] = answered.keys()
  return (first === undefined ? undefined : await running.get(first)?.metrics('folder')) ?? []
}

/** Whether each worker accepts requests, and how often it was replaced. */
function addStates(registry: Registry, supervisor: Supervisor): void {
  const options = { labelNames: ['worker'], registers: [registry] }
  new Gauge({
    ...{ ...options, name: 'izvor_worker_up', help: '1 for a worker that accepts requests' },
    collect() {
      for (const { worker, isReady } of supervisor.states) this.set({ worker }, Number(isReady))
    },
  })
  new Counter({
    ...{ ...options, name: 'izvor_worker_restarts_total', help: 'How often a worker ended and was replaced' },
    collect() {
      this.reset()
      for (const { worker, restarts } of supervisor.states) this.inc({ worker }, restarts)
    },
  })
}
