/** The job that the bench gives to the load process, and its result. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processorSeconds, run, type Service } from './process.ts'

export interface LoadJob {
  readonly address: string
  /** Requested one after the other, divided among the connections. */
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly seconds: number
  readonly connections: number
  /** Whether a refusal with a time to retry (429 or 503 with Retry-After) counts as an answer. */
  readonly mayRefuse?: boolean
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers 429 and 503 with Retry-After. */
  readonly refused: number
  /** Connection errors, time-outs, and how often each status other than 2xx and 3xx was answered. */
  readonly failures: Readonly<Record<string, number>>
}

export interface Load extends LoadResult {
  /** Processor time of the server per request, in microseconds: comparable even when the load is the limit. */
  readonly serverMicroseconds: number
}

/**
 * Puts a service under load from another process, over 32 connections unless the job says otherwise.
 * @throws Error when a request failed: a fast refusal must not count as a fast answer
 */
export async function putLoad(
  service: Pick<Service, 'address' | 'pid'>,
  folder: string,
  job: Omit<LoadJob, 'address' | 'connections'> & { readonly connections?: number },
): Promise<Load> {
  const file = join(folder, 'job.json')
  writeFileSync(file, JSON.stringify({ connections: CONNECTIONS, ...job, address: service.address }))
  const before = processorSeconds(service.pid)
  const { output } = await run([process.execPath, fileURLToPath(import.meta.resolve('./load.ts')), file])
  const result = JSON.parse(output) as LoadResult
  const failures = { ...result.failures, refusals: job.mayRefuse === true ? 0 : result.refused }
  if (Object.values(failures).some((count) => count > 0))
    throw new Error(`of ${result.requests} requests failed: ${JSON.stringify(failures)}`)
  const used = processorSeconds(service.pid) - before
  return { ...result, serverMicroseconds: (used * 1e6) / result.requests }
}

const CONNECTIONS = 32
