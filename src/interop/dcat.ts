/**
 * The catalog in DCAT-AP 3.0, the profile of the W3C's DCAT 3 that European data portals harvest. It has every mandatory
 * property, and the recommended ones where their values are known. Unknown ones (places, periods) are left out.
 */

import { domainLabel } from '../base/config/domain-labels.ts'
import type { Descriptor } from '../store/catalog/record.ts'
import { type DatasetAddresses, datasetAddresses, type Place, webAddress } from './addresses.ts'
import { readLicence } from './licences.ts'
import {
  english,
  moment,
  NDJSON_FORMAT,
  reference,
  romanian,
  type Term,
  type Thing,
  themeOf,
  toShared,
  type Value,
} from './vocabulary.ts'

/**
 * @param ids of the datasets
 * @param modified when the newest of their versions was ingested; undefined when there is none
 */
export function catalogThing(place: Place, ids: readonly string[], modified: string | undefined): Thing {
  const { base } = place
  const publisher = place.publisher ?? hostOf(base)
  return {
    '@id': `${base}/#catalog`,
    '@type': 'dcat:Catalog',
    'dct:title': [english(`Open data: ${publisher}`), romanian(`Date deschise: ${publisher}`)],
    'dct:description': [
      english(`Datasets published at ${hostOf(base)}, each as files and through one documented interface.`),
      romanian(
        `Seturi de date publicate la ${hostOf(base)}, fiecare ca fișiere și printr-o singură interfață documentată.`,
      ),
    ],
    'dct:publisher': agent(publisher),
    'foaf:homepage': page(`${base}/`),
    'dcat:themeTaxonomy': toShared('themes'),
    ...(modified !== undefined && { 'dct:modified': moment(modified) }),
    'dcat:dataset': ids.map((id) => reference(datasetName(base, id))),
    'dcat:service': ids.map((id) => reference(serviceName(base, id))),
  }
}

/** A dataset with its distributions, and the service that answers queries over it. */
export function datasetThings(place: Place, descriptor: Descriptor): Thing[] {
  const { base } = place
  const { id, domain, title, publisher, provenance } = descriptor
  const at = datasetAddresses(place, descriptor)
  const { text, isOurs } = describedBy(descriptor)
  const theme = themeOf(domain)
  const source = webAddress(provenance.source_url)
  const by = publisher ?? place.publisher
  const contact = contactOf(place)
  const dataset: Thing = {
    '@id': datasetName(base, id),
    '@type': 'dcat:Dataset',
    'dct:title': title,
    'dct:description': isOurs ? english(text) : text,
    'dct:identifier': id,
    ...(by !== null && { 'dct:publisher': agent(by) }),
    ...(contact && { 'dcat:contactPoint': contact }),
    'dcat:keyword': keywordsOf(place, descriptor),
    ...(theme && { 'dcat:theme': theme }),
    'dct:accessRights': toShared('publicAccess'),
    'dct:modified': moment(provenance.imported_at),
    'dcat:version': String(provenance.ingestion_version),
    'dcat:landingPage': page(at.page),
    'foaf:page': page(at.dataPackage),
    'dct:provenance': provenanceStatement(descriptor),
    ...(source !== undefined && { 'prov:wasDerivedFrom': reference(source) }),
    'dcat:distribution': distributions(place, descriptor, at),
  }
  return [dataset, service(place, descriptor, at)]
}

/** The dataset's keywords and its domain's Romanian label, else the domain's id; each once. */
export function keywordsOf({ domainLabels }: Place, { keywords, domain }: Descriptor): string[] {
  return [...new Set([...keywords, domainLabel(domainLabels, 'ro', domain) ?? domain])]
}

function distributions(place: Place, descriptor: Descriptor, at: DatasetAddresses): Thing[] {
  const { title, license, provenance } = descriptor
  const name = datasetName(place.base, descriptor.id)
  const shared = {
    'dcat:accessURL': reference(at.page),
    'dcatap:availability': toShared('available'),
    ...licenceOf(license),
    'dct:modified': moment(provenance.imported_at),
  } satisfies Record<Term, Value>
  const file = (format: 'csv' | 'ndjson', text: string, more: Record<Term, Value>): Thing => ({
    '@id': `${name}-${format}`,
    '@type': 'dcat:Distribution',
    'dct:title': `${title} (${format.toUpperCase()})`,
    'dct:description': english(text),
    ...shared,
    ...more,
    // With public browsing off, the address needs a key in a header and cannot simply be downloaded.
    ...(place.isPublic && { 'dcat:downloadURL': reference(at.file(format)) }),
  })
  return [
    file('csv', 'All rows as a CSV file (RFC 4180, UTF-8).', {
      'dct:format': toShared('csvFormat'),
      'dcat:mediaType': toShared('csvMedia'),
    }),
    file('ndjson', 'All rows as JSON objects, one a line.', { 'dct:format': NDJSON_FORMAT }),
    {
      '@id': `${name}-api`,
      '@type': 'dcat:Distribution',
      'dct:title': `${title} (API)`,
      'dct:description': english('Rows by filters, in any order, page by page, as JSON; with a key.'),
      ...shared,
      'dcat:accessURL': reference(at.api),
      'dct:format': toShared('jsonFormat'),
      'dcat:mediaType': toShared('jsonMedia'),
      'dcat:accessService': reference(serviceName(place.base, descriptor.id)),
    },
  ]
}

function service({ base }: Place, { id, title, license }: Descriptor, at: DatasetAddresses): Thing {
  return {
    '@id': serviceName(base, id),
    '@type': 'dcat:DataService',
    'dct:title': `${title} (API)`,
    'dct:description': english('Filters, sorting, paging and export over the rows of one dataset.'),
    'dcat:endpointURL': reference(at.api),
    'dcat:endpointDescription': reference(at.description),
    'dcat:servesDataset': reference(datasetName(base, id)),
    'dct:accessRights': toShared('publicAccess'),
    'foaf:page': page(`${base}/docs`),
    ...licenceOf(license),
  }
}

function provenanceStatement({ provenance }: Descriptor): Thing {
  const { source_file, source_sha256, rows_imported, rows_quarantined, ingestion_version } = provenance
  return {
    '@type': 'dct:ProvenanceStatement',
    'rdfs:label': english(
      `Version ${ingestion_version}: ${rows_imported} rows ingested, ${rows_quarantined} refused, from the file ` +
        `${source_file} with the SHA-256 ${source_sha256}.`,
    ),
  }
}

function licenceOf(text: string | null): { 'dct:license'?: Thing } {
  const licence = readLicence(text)
  if (licence === null) return {}
  return {
    'dct:license': {
      ...(licence.iri !== null && { '@id': licence.iri }),
      '@type': 'dct:LicenseDocument',
      'rdfs:label': licence.title,
    },
  }
}

function contactOf({ contact, publisher, base }: Place): Thing | undefined {
  if (contact === null) return undefined
  const isEmail = contact.includes('@') && webAddress(contact) === undefined
  return {
    '@type': ['vcard:Kind', 'vcard:Organization'],
    'vcard:fn': publisher ?? hostOf(base),
    ...(isEmail
      ? { 'vcard:hasEmail': reference(`mailto:${encodeURI(contact)}`) }
      : { 'vcard:hasURL': reference(webAddress(contact) ?? base) }),
  }
}

function agent(name: string): Thing {
  return { '@type': 'foaf:Agent', 'foaf:name': name }
}

function page(address: string): Thing {
  return { '@id': address, '@type': 'foaf:Document' }
}

/** A dataset is not its page, so it has its own identifier. */
function datasetName(base: string, id: string): string {
  return `${base}/datasets/${id}#dataset`
}

function serviceName(base: string, id: string): string {
  return `${base}/datasets/${id}#service`
}

export function hostOf(base: string): string {
  return new URL(base).host
}

const MOST_NAMES = 12

/** The publisher's description, or one in English made from the ingest's counts. */
export function describedBy(descriptor: Descriptor): { readonly text: string; readonly isOurs: boolean } {
  const { description, title, row_count, columns, provenance } = descriptor
  if (description !== null && description.trim() !== '') return { text: description, isOurs: false }
  const names = columns.slice(0, MOST_NAMES).map(({ name }) => name)
  const more = columns.length > MOST_NAMES ? ` and ${columns.length - MOST_NAMES} more` : ''
  const rows = row_count.toLocaleString('en')
  return {
    text: `${title}: ${rows} rows with the columns ${names.join(', ')}${more}. Ingested from the file ${provenance.source_file}.`,
    isOurs: true,
  }
}
