/** All datasets as `package_search` and CKAN's lists need them, cached until the catalog changes. */

import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Descriptor } from '../../store/catalog/record.ts'
import { holdsDataset, type Places } from '../../store/catalog/search/places.ts'
import { allEntries } from '../catalog-document.ts'
import type { Fields } from './filter-query.ts'
import { fieldsOf } from './shapes.ts'

export interface PackageEntry
  extends Pick<Descriptor, 'id' | 'domain' | 'title' | 'publisher' | 'license' | 'keywords'> {
  /** RFC 3339. */
  readonly modified: string
  readonly fields: Fields
}

/** Entries made in one turn of the event loop. */
const AT_ONCE = 100

export class PackageIndex {
  #revision = -1
  #entries: Promise<readonly PackageEntry[]> = Promise.resolve([])

  /** The datasets that a reader may see, by id. */
  async entriesOf(catalog: Catalog, reads: Places): Promise<readonly PackageEntry[]> {
    const { revision } = catalog
    if (revision !== this.#revision) {
      this.#revision = revision
      this.#entries = makeEntries(catalog)
      this.#entries.catch(() => {
        this.#revision = -1
      })
    }
    const entries = await this.#entries
    return reads === 'all' ? entries : entries.filter(({ domain, id }) => holdsDataset(reads, domain, id))
  }
}

async function makeEntries(catalog: Catalog): Promise<readonly PackageEntry[]> {
  const entries: PackageEntry[] = []
  let made = 0
  for (const { id } of allEntries(catalog)) {
    const dataset = catalog.descriptor(id)
    if (dataset === undefined) continue
    const { domain, title, publisher, license, keywords, provenance } = dataset
    const modified = provenance.imported_at
    entries.push({ id, domain, title, publisher, license, keywords, modified, fields: fieldsOf(dataset) })
    if (++made % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1))
}
