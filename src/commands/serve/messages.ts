/** What a supervisor and its workers tell each other. */

import type { Config } from '../../base/config/config.ts'
import type { ServiceMetrics } from '../../server/metrics/metrics.ts'
import type { ProcessMetrics } from '../../server/metrics/worker-metrics.ts'

export type ToWorker =
  /** The first message: serve, with the worker's share of what is divided. */
  | { readonly kind: 'start'; readonly worker: number; readonly config: Config; readonly startedAt: string }
  /** Let running requests end, then end. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'reload'; readonly logLevel: string }
  | { readonly kind: 'metrics'; readonly id: number; readonly part: MetricsPart }
  | DraftInterrupt

export type FromWorker =
  /** Requests are accepted. */
  | { readonly kind: 'ready'; readonly url: string; readonly datasets: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: ProcessMetrics }
  | DraftInterrupt

/** The process that works on a draft is to end, in whichever worker started it. */
export interface DraftInterrupt {
  readonly kind: 'interrupt_draft'
  readonly draft: string
}

export type MetricsPart = keyof ServiceMetrics
