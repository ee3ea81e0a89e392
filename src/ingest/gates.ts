/** What keeps an ingest from replacing good data by bad: drift, quarantine, emptiness. Each says which option answers it. */

import { CommandError } from '../errors.ts'
import { type Drift, describeDrift } from './drift.ts'
import type { RowCounts } from './quality.ts'
import type { Quarantine } from './records/quarantine.ts'

/** Row counts further apart than this factor are worth a warning. */
const FAR = 2

/** @throws CommandError `refused` when there is drift that was not accepted */
export function refuseDrift(id: string, drift: Drift | null, accepted: boolean): void {
  if (drift === null || accepted) return
  throw new CommandError(
    'refused',
    `the file does not have the columns of '${id}':\n${describeDrift(drift)}\nNothing was changed. Publish it all the same with --accept-drift`,
  )
}

/**
 * @param most largest share of quarantined rows, 0..1
 * @throws CommandError `refused` when there are more
 */
export function refuseQuarantine(rows: RowCounts, quarantine: Quarantine, most: number): void {
  if (rows.quarantined === 0 || rows.quarantined <= tidy(most * rows.read)) return
  const reasons = quarantine
    .counts()
    .slice(0, 5)
    .map(({ reason, count, first_line }) => `${count} x ${reason}, first on line ${first_line}`)
  const share = ((100 * rows.quarantined) / rows.read).toFixed(1)
  throw new CommandError(
    'refused',
    `${rows.quarantined} of ${rows.read} rows (${share} %) cannot be imported, and at most ${tidy(100 * most)} % may be left out:\n${reasons.join('\n')}\nNothing was changed. Mend the file, or allow more with --max-quarantine`,
  )
}

/** A product without the error of its last binary digits: 0.29 of 100 are 29, not 28.999999999999996. */
function tidy(product: number): number {
  return Number(product.toPrecision(14))
}

/** Why no row is left, in words. */
function nameEmptiness({ quarantined }: RowCounts): string {
  if (quarantined === 0) return 'the file has a header and no rows'
  return quarantined === 1 ? 'the only row is in quarantine' : `all ${quarantined} rows are in quarantine`
}

/** @throws CommandError `refused` when rows that are served would be replaced by none */
export function refuseEmptying(id: string, rows: RowCounts, served: number, accepted: boolean): void {
  if (rows.imported > 0 || served === 0 || accepted) return
  throw new CommandError(
    'refused',
    `${nameEmptiness(rows)}: this would empty '${id}', which serves ${served}. Nothing was changed. If that is meant, say --accept-drift`,
  )
}

/** A warning when the number of rows is far from the served version's; else null. */
export function compareRowCounts(rows: RowCounts, served: number): string | null {
  if (served === 0) return rows.imported === 0 ? nameEmptiness(rows) : null
  if (rows.imported <= served * FAR && rows.imported * FAR >= served) return null
  return `the served version has ${served} rows, this one has ${rows.imported}`
}
