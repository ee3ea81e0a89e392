/** Absolute addresses that are safe in RDF, XML and JSON. */

import type { Config } from '../base/config/config.ts'
import type { ExportFormat } from '../query/formats.ts'
import type { CatalogEntry, ServedDataset } from '../store/catalog/record.ts'

/** What interop documents need to know about the service besides its catalog. */
export interface Place {
  readonly base: string
  readonly isPublic: boolean
  /** The name of the operator; null shows the host instead. */
  readonly publisher: string | null
  /** E-mail or web address for questions about the data, or null. */
  readonly contact: string | null
  /** The setting `domain_labels`. */
  readonly domainLabels: string | null
}

type PlaceSettings = Pick<Config, 'public_browsing' | 'publisher' | 'contact' | 'domain_labels'>

/**
 * @param base the service's address, from its setting or the request
 * @param dataset the document's subject; omitted for the whole catalog
 */
export function placeOf(
  base: string,
  { public_browsing, publisher, contact, domain_labels: domainLabels }: PlaceSettings,
  dataset?: Pick<ServedDataset, 'open'>,
): Place {
  const isPublic = public_browsing && dataset?.open !== false
  return { base: safeBase(base), isPublic, publisher, contact, domainLabels }
}

/** Characters allowed in WHATWG addresses but not in IRIs in angle brackets (RDF 1.1, Turtle 6.5). */
const OUTSIDE_IRI = /[<>"{}|\\^`\s]/g

/** A publisher's address in a form that is valid in RDF; undefined for anything but http and https. */
export function webAddress(text: string | null): string | undefined {
  if (text === null || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href.replace(OUTSIDE_IRI, (character) => encodeURIComponent(character))
}

/** Hosts as in DNS and RFC 3986. WHATWG addresses also allow `'`, `$` and `(`, which shells interpret. */
const PLAIN_HOST = /^[\w.:[\]-]+$/

/** The service's address, safe as a part of others. A client chooses the `Host` of a request, so it is checked. */
export function safeBase(base: string): string {
  const address = webAddress(base)
  const isPlain = address !== undefined && PLAIN_HOST.test(new URL(address).host)
  return (isPlain ? address : 'http://localhost').replace(/\/+$/, '')
}

export type DatasetAddresses = ReturnType<typeof datasetAddresses>

export function datasetAddresses(
  { base, isPublic }: Pick<Place, 'base' | 'isPublic'>,
  { id, domain, endpoint }: Pick<CatalogEntry, 'id' | 'domain' | 'endpoint'>,
) {
  const page = `${base}/datasets/${id}`
  const files = isPublic ? `${page}/download` : `${base}${endpoint}/export`
  return {
    page,
    api: `${base}${endpoint}`,
    description: `${base}/openapi/${domain}/${id}.json`,
    dataPackage: `${page}/datapackage.json`,
    /** The whole dataset as a file: public, or with a key where public browsing is off. */
    file: (format: ExportFormat) => `${files}?format=${format}`,
  }
}
