/** The most frequent values of each column, read once per version for the dataset's page. */

import { LRUCache } from 'lru-cache'
import type { App } from '../../app.ts'
import { shorten } from '../../base/text/fit-text.ts'
import { countFacets } from '../../engine/facets.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { MOST_COLUMNS } from '../question/shown-column.ts'

interface TopValue {
  readonly text: string
  readonly rows: number
}

/** By column, for the columns that a page describes; a column whose values all differ has none. */
export type Profile = readonly (readonly TopValue[])[]

const SHOWN = 3
const LONGEST = 60
/** The most cached profiles: a few KB each. */
const MOST_PROFILES = 500

export class Profiles {
  readonly #known = new LRUCache<string, Promise<Profile>>({ max: MOST_PROFILES })

  /** The profile of a version. @throws DamagedFileError when a segment does not load */
  async of(app: App, served: ServedDataset): Promise<Profile> {
    const known = this.#known.get(served.sha256)
    if (known !== undefined) return known
    const made = Promise.resolve(app.openDatasets.use(served, (dataset) => profileOf(dataset)))
    this.#known.set(served.sha256, made)
    // A failure is not cached: the file may be repaired.
    made.catch(() => this.#known.delete(served.sha256))
    return made
  }
}

async function profileOf(dataset: OpenDataset): Promise<Profile> {
  const profile: TopValue[][] = []
  for (let column = 0; column < Math.min(MOST_COLUMNS, dataset.columns.length); column++) {
    const [facet] = await countFacets(dataset, { filters: [], columns: [column], limit: SHOWN })
    const frequent = facet!.values.filter(({ count }) => count > 1)
    profile.push(frequent.map(({ value, count }) => ({ text: shorten(value, LONGEST), rows: count })))
  }
  return profile
}
