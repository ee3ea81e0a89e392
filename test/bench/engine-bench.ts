/** The engine alone, in this process: no HTTP, the version file opened as the service opens it. */

import { recurringFilters, slowestFilters, slowestSorts } from '../../src/commands/bench/engine-work.ts'
import { OpenDataset } from '../../src/engine/memory.ts'
import { VersionFile } from '../../src/storage/open-version.ts'
import { atMost, type Measurement, plainly } from './report.ts'

/** The lines that peers are compared with. */
export const FILTERS = 'filters, exact total, never seen'
export const FIRST_SORT = 'sort, first use'
export const LATER_SORT = 'sort, later uses, any offset'

/** Filters and sorts over the version file at `path`; each figure is the worst of its kind. */
export async function measureEngine(path: string): Promise<Measurement[]> {
  const file = VersionFile.open(path)
  try {
    const dataset = OpenDataset.open(file)
    const share = dataset.rows / 2_000_000
    const filters = await slowestFilters(dataset)
    const recurring = await recurringFilters(dataset)
    const sorts = await slowestSorts(dataset)
    const { first, later } = sorts
    const notes = 'median of 192 of three filters each'
    return [
      atMost(FILTERS, filters.ms, Math.max(1, 5 * share), ' ms', `slowest: ${filters.what}`),
      plainly('filters seen before, combined anew', recurring, ' ms', notes),
      atMost(FIRST_SORT, first.ms, Math.max(5, 60 * share), ' ms', `slowest: ${first.what}`),
      atMost(LATER_SORT, later.ms, 2, ' ms', `slowest: ${later.what}`),
    ]
  } finally {
    file.close()
  }
}
