/** What each of several workers gets of what the settings give to the service. */

import type { Config } from '../../base/config/config.ts'
import { defaultCeiling } from '../../engine/memory/memory-ceiling.ts'
import { drainDelay } from './service.ts'

/** A key may always run this number of exports at once, and its connections may all be with one worker. */
const LEAST_EXPORTS = 24

/**
 * The settings of one worker. Memory is divided. So are places, rounded up; those of exports stay enough for one key.
 * @param port that is shared
 */
export function shareOf(config: Config, port: number): Config {
  const { workers } = config
  const places = (all: number) => Math.ceil(all / workers)
  const exports = (all: number) => Math.max(Math.min(all, LEAST_EXPORTS), places(all))
  return {
    ...config,
    port,
    reuse_port: true,
    drain_delay: drainDelay(config),
    memory_budget: Math.floor(config.memory_budget / workers),
    memory_ceiling: Math.floor((config.memory_ceiling ?? defaultCeiling()) / workers),
    max_queries: places(config.max_queries),
    max_queries_per_key: places(config.max_queries_per_key),
    max_exports: exports(config.max_exports),
    max_exports_total: exports(config.max_exports_total),
  }
}
