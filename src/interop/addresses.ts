/** Where things are, as absolute addresses that are safe inside RDF, XML and JSON alike. */

import type { CatalogEntry } from '../catalog/record.ts'
import type { Config } from '../config.ts'

/** What interop documents need to know of the service besides its catalog. */
export interface Place {
  /** Absolute address of the service, without a slash at the end. */
  readonly base: string
  /** Whether files can be had without a key. */
  readonly isPublic: boolean
  /** Who runs the service, in their own words; null: its host says it. */
  readonly publisher: string | null
  /** E-mail or web address of those who answer questions about the data, or null. */
  readonly contact: string | null
}

/** @param base where the service is, by its setting or by the request */
export function placeOf(
  base: string,
  {
    public_browsing: isPublic,
    publisher,
    contact,
  }: Pick<Config, 'public_browsing' | 'publisher' | 'contact'>,
): Place {
  return { base: safeBase(base), isPublic, publisher, contact }
}

/** Characters that WHATWG addresses may hold and IRIs in angle brackets (RDF 1.1, Turtle 6.5) may not. */
const OUTSIDE_IRI = /[<>"{}|\\^`\s]/g

/** An address as others wrote it, in a form that RDF takes; undefined for anything but http and https. */
export function webAddress(text: string | null): string | undefined {
  if (text === null || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  return new URL(text).href.replace(OUTSIDE_IRI, (character) => encodeURIComponent(character))
}

/** Hosts as DNS and RFC 3986 write them. WHATWG addresses allow more: `'`, `$` and `(` mean something to a shell. */
const PLAIN_HOST = /^[\w.:[\]-]+$/

/** The service's own address as part of others. A request's `Host` may be whatever its client liked. */
export function safeBase(base: string): string {
  const address = webAddress(base)
  const isPlain = address !== undefined && PLAIN_HOST.test(new URL(address).host)
  return (isPlain ? address : 'http://localhost').replace(/\/+$/, '')
}

export interface DatasetAddresses {
  /** For people. */
  readonly page: string
  /** Its rows, for programs with a key. */
  readonly api: string
  /** OpenAPI description of those. */
  readonly description: string
  readonly dataPackage: string
  /** The whole dataset as a file: open to everybody, or with a key where browsing is not public. */
  file(format: 'csv' | 'ndjson'): string
}

export function datasetAddresses(
  { base, isPublic }: Pick<Place, 'base' | 'isPublic'>,
  { id, domain, endpoint }: Pick<CatalogEntry, 'id' | 'domain' | 'endpoint'>,
): DatasetAddresses {
  const page = `${base}/datasets/${id}`
  const files = isPublic ? `${page}/download` : `${base}${endpoint}/export`
  return {
    page,
    api: `${base}${endpoint}`,
    description: `${base}/openapi/${domain}/${id}.json`,
    dataPackage: `${page}/datapackage.json`,
    file: (format) => `${files}?format=${format}`,
  }
}
