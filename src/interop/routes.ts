/** The catalog for other catalogs, crawlers and tools: documents that need no key, each in the form of its standard. */

import packageJson from '../../package.json' with { type: 'json' }
import { ApiError } from '../errors.ts'
import { compressStream, negotiateEncoding } from '../http/compression.ts'
import { notModified, weakEtag } from '../http/etag.ts'
import { type Exchange, routeGroup } from '../http/exchange.ts'
import { JSON_TYPE, PUBLIC_HEADERS } from '../http/headers.ts'
import { isHead } from '../http/plain-requests.ts'
import { type AnswerHeaders, respond, respondCompressed, respondStream } from '../http/respond.ts'
import type { Service } from '../http/service.ts'
import { emptyStream } from '../http/stream.ts'
import { placeOf, safeBase } from './addresses.ts'
import { allEntries, catalogDocument, type RdfFormat } from './catalog-document.ts'
import { dataPackage } from './data-package.ts'
import { wellFormedJson } from './json.ts'
import { KeptDocuments } from './kept-documents.ts'
import { type Guide, llmsText } from './llms.ts'
import { robotsText, sitemap } from './robots.ts'

const TYPES: Readonly<Record<RdfFormat, string>> = {
  jsonld: 'application/ld+json; charset=utf-8',
  turtle: 'text/turtle; charset=utf-8',
}
const TEXT = 'text/plain; charset=utf-8'

/** @param guides pages of the manual, for sitemap and `llms.txt` */
export function interopRoutes(service: Service, guides: readonly Guide[]) {
  const { catalog } = service
  const kept = new KeptDocuments()
  const paths = ['/', '/docs', ...guides.map(({ path }) => path)]
  const answerText = (type: string, write: (base: string) => string) => {
    return ({ exchange }: { exchange: Exchange }) =>
      answerDocument(exchange, type, () => write(safeBase(exchange.base)))
  }
  return routeGroup()
    .get('/catalog.jsonld', ({ exchange }) => answerCatalog(exchange, 'jsonld', kept))
    .get('/catalog.ttl', ({ exchange }) => answerCatalog(exchange, 'turtle', kept))
    .get('/robots.txt', answerText(TEXT, robotsText))
    .get(
      '/sitemap.xml',
      answerText('application/xml; charset=utf-8', (base) => sitemap(base, paths, allEntries(catalog))),
    )
    .get(
      '/llms.txt',
      answerText(TEXT, (base) => llmsText(base, guides, allEntries(catalog))),
    )
    .get('/datasets/:id/datapackage.json', ({ exchange, params }) => {
      const descriptor = catalog.descriptor(params.id)
      if (descriptor === undefined) {
        throw new ApiError('dataset_not_found', `There is no dataset ${params.id}.`)
      }
      return answerDocument(exchange, JSON_TYPE, () =>
        wellFormedJson(dataPackage(placeOf(exchange.base, service.config), descriptor), 2),
      )
    })
}

/** Of everything that a document is made of. */
function tagOf({ path, base, service }: Exchange, type: string): string {
  const place = JSON.stringify(placeOf(base, service.config))
  return weakEtag(type, service.catalog.revision, packageJson.version, path, place)
}

const encoder = new TextEncoder()

function answerDocument(exchange: Exchange, type: string, write: () => string): Response {
  const headers = documentHeaders(exchange, type)
  return (
    notModified(exchange, headers.ETag!, headers) ??
    respondCompressed(exchange, 200, headers, encoder.encode(write()))
  )
}

function answerCatalog(exchange: Exchange, format: RdfFormat, kept: KeptDocuments): Response {
  const { request, service } = exchange
  const plain = documentHeaders(exchange, TYPES[format])
  const unchanged = notModified(exchange, plain.ETag!, plain)
  if (unchanged !== undefined) return unchanged

  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = { ...plain, ...(encoding !== null && { 'Content-Encoding': encoding }) }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
  const key = `${plain.ETag} ${encoding}`
  const known = kept.find(key)
  if (known !== undefined) return respond(exchange, 200, headers, known)
  const chunks = catalogDocument(service.catalog, placeOf(exchange.base, service.config), format)
  const body = encoding === null ? chunks : compressStream(chunks, encoding)
  return respondStream(exchange, headers, kept.keeping(key, body), {
    failed: (error) =>
      service.log.error({ err: error, request_id: exchange.requestId }, 'a catalog document broke'),
    over: () => void chunks.return(undefined),
  })
}

function documentHeaders(exchange: Exchange, type: string): AnswerHeaders & { readonly ETag: string } {
  return { ...PUBLIC_HEADERS, 'Content-Type': type, ETag: tagOf(exchange, type) }
}
