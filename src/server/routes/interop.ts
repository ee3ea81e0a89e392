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
import { type AnswerHeaders, respond, respondCompressed, respondStream } from '../../http/respond.ts'
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

const TYPES: Readonly<Record<RdfFormat, string>> = {
  jsonld: 'application/ld+json; charset=utf-8',
  turtle: 'text/turtle; charset=utf-8',
}
const TEXT = 'text/plain; charset=utf-8'
const XML = 'application/xml; charset=utf-8'

interface DocumentFacts {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly type: string
}

function documentAnswers({ summary, type }: Pick<DocumentFacts, 'summary' | 'type'>) {
  return {
    200: { says: `${summary}.`, types: [type.split(';')[0]!], headers: ['ETag'] },
    304: NOT_MODIFIED,
  }
}

function rdfRoute(format: RdfFormat, { path, ...facts }: Omit<DocumentFacts, 'type'>): Route {
  return route('none', path, {
    ...facts,
    tag: 'Interoperability',
    isStreamed: true,
    answers: documentAnswers({ ...facts, type: TYPES[format] }),
    handle: ({ app, state, exchange }) => answerCatalog(app, exchange, format, state.documents),
  })
}

function textRoute(facts: DocumentFacts, write: (app: App, base: string) => string): Route {
  const { path, type, ...described } = facts
  return route('none', path, {
    ...described,
    tag: 'Interoperability',
    answers: documentAnswers(facts),
    handle: ({ app, exchange }) =>
      answerDocument(app, exchange, type, () => write(app, safeBase(exchange.base))),
  })
}

const DATA_PACKAGE = 'Read one dataset as a Frictionless Data Package'

/** @param guides pages of the manual, for sitemap and `llms.txt` */
export function interopRoutes(guides: readonly Guide[]): readonly Route[] {
  const paths = ['/', '/docs', ...guides.map(({ path }) => path)]
  return [
    rdfRoute('jsonld', {
      path: '/catalog.jsonld',
      id: 'exportCatalogAsJsonLd',
      summary: 'Read the catalog as DCAT-AP 3 in JSON-LD',
    }),
    rdfRoute('turtle', {
      path: '/catalog.ttl',
      id: 'exportCatalogAsTurtle',
      summary: 'Read the catalog as DCAT-AP 3 in Turtle',
    }),
    textRoute(
      { path: '/robots.txt', id: 'instructCrawlers', summary: 'Instruct crawlers', type: TEXT },
      (_, base) => robotsText(base),
    ),
    textRoute(
      { path: '/sitemap.xml', id: 'listPages', summary: 'List every page, for crawlers', type: XML },
      ({ catalog }, base) => sitemap(base, paths, allEntries(catalog)),
    ),
    textRoute(
      {
        path: '/llms.txt',
        id: 'introduceService',
        summary: 'Introduce the service on one page, for language models',
        type: TEXT,
      },
      ({ catalog }, base) => llmsText(base, guides, allEntries(catalog)),
    ),
    route('none', '/datasets/:id/datapackage.json', {
      id: 'describeDataPackage',
      tag: 'Interoperability',
      summary: DATA_PACKAGE,
      params: t.Object({ id: pathParameter('Id of the dataset.') }),
      answers: documentAnswers({ summary: DATA_PACKAGE, type: JSON_TYPE }),
      errors: ['dataset_not_found'],
      handle: ({ app, exchange, params }) => {
        const descriptor = app.catalog.descriptor(params.id)
        if (descriptor === undefined) {
          throw new ApiError('dataset_not_found', `There is no dataset ${params.id}.`)
        }
        return answerDocument(app, exchange, JSON_TYPE, () =>
          wellFormedJson(
            dataPackage(placeOf(exchange.base, app.config, app.catalog.find(params.id)), descriptor),
            2,
          ),
        )
      },
    }),
  ]
}

/** Of everything that a document is made of. */
function tagOf(app: App, { path, base }: Exchange, type: string): string {
  const place = JSON.stringify(placeOf(base, app.config))
  return weakEtag(type, app.catalog.revision, nameBuild(), path, place)
}

const encoder = new TextEncoder()

function answerDocument(app: App, exchange: Exchange, type: string, write: () => string): Response {
  const headers = documentHeaders(app, exchange, type)
  return (
    notModified(exchange, headers.ETag!, headers) ??
    respondCompressed(exchange, 200, headers, encoder.encode(write()))
  )
}

function answerCatalog(app: App, exchange: Exchange, format: RdfFormat, kept: KeptDocuments): Response {
  const { request } = exchange
  const plain = documentHeaders(app, exchange, TYPES[format])
  const unchanged = notModified(exchange, plain.ETag!, plain)
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

function documentHeaders(
  app: App,
  exchange: Exchange,
  type: string,
): AnswerHeaders & { readonly ETag: string } {
  return { ...PUBLIC_HEADERS, 'Content-Type': type, ETag: tagOf(app, exchange, type) }
}
