/**
 * How often each property is tried, and with which seed; loaded before each file of tests (bunfig.toml). `IZVOR_TEST_RUNS`
 * is `tenth` (the default) or `full`; files that begin after `IZVOR_TEST_FULL_UNTIL` (seconds since 1970) try a tenth all
 * the same. The seed is random and printed; `IZVOR_TEST_SEED` repeats a run.
 */

import fc from 'fast-check'
import { testVariables } from './test-variables.ts'

/** Tried of a property that names no number, in a full run; fast-check's own default. */
const USUAL_RUNS = 100
/** Not even a tenth of few runs goes below this. */
const LEAST_RUNS = 5

const { IZVOR_TEST_RUNS, IZVOR_TEST_SEED, IZVOR_TEST_FULL_UNTIL } = testVariables

const SIZES = ['tenth', 'full']
const size = IZVOR_TEST_RUNS || 'tenth'
if (!SIZES.includes(size)) throw new Error(`IZVOR_TEST_RUNS must be one of ${SIZES.join(', ')}, not ${size}`)

/** Whether everything is tried that can be; costly checks of what seldom changes are left to such a run. */
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
