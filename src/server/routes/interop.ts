/** The catalog for other catalogs, crawlers and tools: documents that need no key, each in the form of its standard. */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { nameBuild } from '../../base/build.ts'
import { ApiError } from '../../base/errors.ts'
import { compressStream, negotiateEncoding } from '../../http/compression.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { JSON_TYPE, PUBLIC_HEADERS } from '../../http/headers.ts'
import { isHead } from '../../http/plain-requests.ts'
import { respond, respondCompressed, respondStream } from '../../http/respond.ts'
import { emptyStream } from '../../http/stream.ts'
import { placeOf, safeBase } from '../../interop/addresses.ts'
import {
  allEntries,
  catalogDocument,
  type RdfFormat,
  wellFormedJson,
} from '../../interop/catalog-document.ts'
import { type Guide, llmsText, robotsText, sitemap } from '../../interop/crawlers.ts'
import { dataPackage } from '../../interop/data-package.ts'
import type { KeptDocuments } from '../../interop/kept-documents.ts'
import { NOT_MODIFIED, pathParameter, type Route, route } from '../declaration/route.ts'

const RDF: Readonly<Record<RdfFormat, readonly [path: string, id: string, name: string, type: string]>> = {
  jsonld: ['/catalog.jsonld', 'exportCatalogAsJsonLd', 'JSON-LD', 'application/ld+json; charset=utf-8'],
  turtle: ['/catalog.ttl', 'exportCatalogAsTurtle', 'Turtle', 'text/turtle; charset=utf-8'],
}
const TEXT = 'text/plain; charset=utf-8'

function describe(id: string, summary: string, type: string) {
  const found = { says: `${summary}.`, types: [type.split(';')[0]!], headers: ['ETag'] }
  return { id, summary, tag: 'Interoperability', answers: { 200: found, 304: NOT_MODIFIED } } as const
}

function rdfRoute(format: RdfFormat): Route {
  const [path, id, name, type] = RDF[format]
  return route('none', path, {
    ...describe(id, `Read the catalog as DCAT-AP 3 in ${name}`, type),
    isStreamed: true,
    handle: ({ app, state, exchange }) => answerCatalog(app, exchange, format, state.documents),
  })
}

function textRoute(
  path: string,
  described: ReturnType<typeof describe>,
  type: string,
  write: (catalog: App['catalog'], base: string) => string,
): Route {
  return route('none', path, {
    ...described,
    handle: ({ app, exchange }) =>
      answerDocument(app, exchange, type, () => write(app.catalog, safeBase(exchange.base))),
  })
}

export function interopRoutes(guides: readonly Guide[]): readonly Route[] {
  const paths = ['/', '/docs', ...guides.map(({ path }) => path)]
  const xml = 'application/xml; charset=utf-8'
  const introduction = 'Introduce the service on one page, for language models'
  return [
    rdfRoute('jsonld'),
    rdfRoute('turtle'),
    textRoute('/robots.txt', describe('instructCrawlers', 'Instruct crawlers', TEXT), TEXT, (_, base) =>
      robotsText(base),
    ),
    textRoute(
      '/sitemap.xml',
      describe('listPages', 'List every page, for crawlers', xml),
      xml,
      (catalog, base) => sitemap(base, paths, allEntries(catalog)),
    ),
    textRoute('/llms.txt', describe('introduceService', introduction, TEXT), TEXT, (catalog, base) =>
      llmsText(base, guides, allEntries(catalog)),
    ),
    route('none', '/datasets/:id/datapackage.json', {
      ...describe('describeDataPackage', 'Read one dataset as a Frictionless Data Package', JSON_TYPE),
      params: t.Object({ id: pathParameter('Id of the dataset.') }),
      errors: ['dataset_not_found'],
      handle: ({ app, exchange, params }) => {
        const descriptor = app.catalog.descriptor(params.id)
        if (descriptor === undefined)
          throw new ApiError('dataset_not_found', `There is no dataset ${params.id}.`)
        const place = placeOf(exchange.base, app.config, app.catalog.find(params.id))
        return answerDocument(app, exchange, JSON_TYPE, () =>
          wellFormedJson(dataPackage(place, descriptor), 2),
        )
      },
    }),
  ]
}

const encoder = new TextEncoder()

function answerDocument(app: App, exchange: Exchange, type: string, write: () => string): Response {
  const headers = documentHeaders(app, exchange, type)
  return (
    notModified(exchange, headers.ETag, headers) ??
    respondCompressed(exchange, 200, headers, encoder.encode(write()))
  )
}

function answerCatalog(app: App, exchange: Exchange, format: RdfFormat, kept: KeptDocuments): Response {
  const { request } = exchange
  const plain = documentHeaders(app, exchange, RDF[format][3])
  const unchanged = notModified(exchange, plain.ETag, plain)
  if (unchanged !== undefined) return unchanged

  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = { ...plain, ...(encoding !== null && { 'Content-Encoding': encoding }) }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
  const key = `${plain.ETag} ${encoding}`
  const known = kept.find(key)
  if (known !== undefined) return respond(exchange, 200, headers, known)
  const chunks = catalogDocument(app.catalog, placeOf(exchange.base, app.config), format)
  const body = encoding === null ? chunks : compressStream(chunks, encoding)
  return respondStream(exchange, headers, kept.keeping(key, body), {
    failed: (error) =>
      app.log.error({ err: error, request_id: exchange.requestId }, 'a catalog document broke'),
    over: () => void chunks.return(undefined),
  })
}

/** With a tag of everything that a document is made of. */
function documentHeaders(app: App, exchange: Exchange, type: string) {
  const place = JSON.stringify(placeOf(exchange.base, app.config))
  const etag = weakEtag(type, app.catalog.revision, nameBuild(), exchange.path, place)
  return { ...PUBLIC_HEADERS, 'Content-Type': type, ETag: etag }
}
