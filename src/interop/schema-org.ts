/** JSON-LD for search engines, in the pages: schema.org's `Dataset` and `DataCatalog`. */

import type { Descriptor } from '../store/catalog/record.ts'
import { datasetAddresses, type Place, webAddress } from './addresses.ts'
import { describedBy, hostOf, keywordsOf } from './dcat.ts'
import { readLicence } from './licences.ts'

/** The longest description that search engines take, in characters. */
const LONGEST_DESCRIPTION = 5000

/** A dataset's page in schema.org's terms, for an `application/ld+json` element (whose writer escapes `<`). */
export function schemaOrgDataset(place: Place, descriptor: Descriptor): object {
  const { base } = place
  const { id, title, license, columns, provenance } = descriptor
  const at = datasetAddresses(place, descriptor)
  const licence = readLicence(license)
  const source = webAddress(provenance.source_url)
  const publisher = descriptor.publisher ?? place.publisher
  const file = (format: 'csv' | 'ndjson', encodingFormat: string) => ({
    '@type': 'DataDownload',
    name: `${title} (${format.toUpperCase()})`,
    encodingFormat,
    contentUrl: at.file(format),
  })
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    '@id': `${at.page}#dataset`,
    url: at.page,
    name: title,
    description: describedBy(descriptor).text.slice(0, LONGEST_DESCRIPTION).toWellFormed(),
    identifier: id,
    keywords: keywordsOf(place, descriptor),
    version: String(provenance.ingestion_version),
    dateModified: provenance.imported_at,
    ...(place.isPublic && { isAccessibleForFree: true }),
    ...(licence && { license: licence.url ?? licence.title }),
    ...(publisher !== null && {
      creator: { '@type': 'Organization', name: publisher },
      publisher: { '@type': 'Organization', name: publisher },
    }),
    ...(source !== undefined && { isBasedOn: source }),
    includedInDataCatalog: { '@type': 'DataCatalog', '@id': `${base}/#catalog`, url: `${base}/` },
    variableMeasured: columns.map(({ name, title, description }) => ({
      '@type': 'PropertyValue',
      name: title ?? name,
      ...(title !== null && title !== name && { alternateName: name }),
      ...(description !== null && { description }),
    })),
    // Search engines cannot offer a file that needs a key.
    ...(place.isPublic && {
      distribution: [file('csv', 'text/csv'), file('ndjson', 'application/x-ndjson')],
    }),
  }
}

export function schemaOrgCatalog(place: Place): object {
  const { base } = place
  const host = hostOf(base)
  return {
    '@context': 'https://schema.org',
    '@type': 'DataCatalog',
    '@id': `${base}/#catalog`,
    url: `${base}/`,
    name: `Date deschise: ${place.publisher ?? host}`,
    publisher: { '@type': 'Organization', name: place.publisher ?? host },
  }
}
