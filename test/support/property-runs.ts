/**
 * How often each property is tried, and with which seed; loaded before each test file (bunfig.toml). `IZVOR_TEST_RUNS` is
 * `tenth` (the default) or `full`; files that begin after `IZVOR_TEST_FULL_UNTIL` (seconds since 1970) still try a tenth. The seed is random and printed; `IZVOR_TEST_SEED` repeats a run.
 */

import fc from 'fast-check'
import { testVariables } from './test-variables.ts'

/** Runs in a full run of a property that gives no number; fast-check's own default. */
const USUAL_RUNS = 100
/** A tenth is never less than this. */
const LEAST_RUNS = 5

const { IZVOR_TEST_RUNS, IZVOR_TEST_SEED, IZVOR_TEST_FULL_UNTIL } = testVariables

const SIZES = ['tenth', 'full']
const size = IZVOR_TEST_RUNS || 'tenth'
if (!SIZES.includes(size)) throw new Error(`IZVOR_TEST_RUNS must be one of ${SIZES.join(', ')}, not ${size}`)

/** Whether everything is tried; costly checks of code that seldom changes are made only then. */
export const IS_FULL = size === 'full' && Date.now() < Number(IZVOR_TEST_FULL_UNTIL || Infinity) * 1000

const seed = Number(IZVOR_TEST_SEED || Math.floor(Math.random() * 2 ** 31))
if (!Number.isInteger(seed)) throw new Error('IZVOR_TEST_SEED must be a whole number')

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs(USUAL_RUNS), seed })
// `bun run test` chooses the seed of all its processes, and prints it.
if (!IZVOR_TEST_SEED)
  console.log(`properties: ${IS_FULL ? 'all' : 'a tenth'} of the runs, IZVOR_TEST_SEED=${seed}`)

/** How often to try a property that a full run tries `full` times. */
export function runs(full: number): number {
  return IS_FULL ? full : Math.min(full, Math.max(LEAST_RUNS, Math.ceil(full / 10)))
}
