/** The catalog for other catalogs, crawlers and tools: documents that need no key, each in the form of its standard. */

import { t } from 'elysia'
import type { App } from '../../app.ts'
import { nameBuild } from '../../base/build.ts'
import { ApiError } from '../../base/errors.ts'
import { negotiateEncoding } from '../../http/compression.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { JSON_TYPE, PUBLIC_HEADERS } from '../../http/headers.ts'
import { respond, respondCompressed, respondJson } from '../../http/respond.ts'
import { placeOf, safeBase } from '../../interop/addresses.ts'
import {
  allEntries,
  catalogDocument,
  type KeptDocuments,
  type RdfFormat,
  wellFormedJson,
} from '../../interop/catalog-document.ts'
import { type Guide, llmsText, robotsText, sitemap } from '../../interop/crawlers.ts'
import { dataPackage } from '../../interop/data-package.ts'
import { describeEmbed } from '../../pages/embed/oembed.ts'
import { viewOf } from '../../pages/layout/view.ts'
import { answerPicture } from '../../pages/picture/answer-picture.ts'
import { formParameter, integerParameter, readQuery, requiredText } from '../declaration/parameters.ts'
import { type Route, route } from '../declaration/route.ts'
import { integer, shape, text } from '../declaration/schema.ts'
import { respondMade } from '../made-answer.ts'

const RDF: Readonly<Record<RdfFormat, readonly [path: string, id: string, name: string, type: string]>> = {
  jsonld: ['/catalog.jsonld', 'exportCatalogAsJsonLd', 'JSON-LD', 'application/ld+json; charset=utf-8'],
  turtle: ['/catalog.ttl', 'exportCatalogAsTurtle', 'Turtle', 'text/turtle; charset=utf-8'],
}
const TEXT = 'text/plain; charset=utf-8'

function describe(id: string, summary: string, type: string) {
  const found = { says: `${summary}.`, types: [type.split(';')[0]!], headers: ['ETag'] }
  return { id, summary, tag: 'Interoperability', answers: { 200: found } } as const
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
  [id, summary, type]: readonly [id: string, summary: string, type: string],
  write: (base: string, catalog: App['catalog']) => string,
): Route {
  return route('none', path, {
    ...describe(id, summary, type),
    handle: ({ app, exchange }) =>
      answerDocument(app, exchange, type, () => write(safeBase(exchange.base), app.catalog)),
  })
}

const PIXELS = { min: 1, max: 100_000, fallback: undefined } as const
const OEMBED_QUERY = t.Object({
  url: requiredText('parameter "url", the address of a page of this service, is required', {
    description: 'Address of the page of a dataset, its summary or its map.',
  }),
  format: formParameter(['json'], 'Only json; xml is not offered.'),
  maxwidth: integerParameter('maxwidth', PIXELS, {
    description: 'Greatest width, in pixels.',
    examples: [600],
  }),
  maxheight: integerParameter('maxheight', PIXELS, {
    description: 'Greatest height, in pixels.',
    examples: [400],
  }),
})
const OEMBED = shape({
  version: text(),
  type: text({ description: 'Always `rich`.' }),
  title: text(),
  author_name: t.Optional(text({ description: 'The publisher of the dataset.' })),
  provider_name: text(),
  provider_url: text(),
  thumbnail_url: t.Optional(text({ description: 'The picture of the dataset, where it is not too large.' })),
  thumbnail_width: t.Optional(integer()),
  thumbnail_height: t.Optional(integer()),
  html: text({ description: 'The `iframe`.' }),
  width: integer({ description: 'Pixels.' }),
  height: integer({ description: 'Pixels.' }),
})

const OEMBED_ROUTE = route('none', '/oembed', {
  id: 'describeEmbed',
  tag: 'Interoperability',
  summary: 'Find the frame that shows a page elsewhere (oEmbed 1.0)',
  query: OEMBED_QUERY,
  answers: { 200: { says: 'The frame, as `rich`.', body: OEMBED } },
  errors: ['not_found', 'dataset_not_found', 'api_key_missing'],
  handle: ({ app, state, exchange }) => {
    const { url, maxwidth, maxheight } = readQuery(OEMBED_QUERY, exchange.query).values
    const found = describeEmbed(viewOf(app, exchange), state.open, { url, maxwidth, maxheight })
    return respondJson(exchange, 200, PUBLIC_HEADERS, found)
  },
})

const PICTURE_ROUTE = route('none', '/datasets/:id/summary.png', {
  ...describe('readPicture', 'Read the picture by which other sites show links to a dataset', 'image/png'),
  errors: ['api_key_missing', 'rate_limited', 'service_unavailable'],
  handle: ({ app, state, exchange, params }) => answerPicture(viewOf(app, exchange), params.id, state.open),
})

export function interopRoutes(guides: readonly Guide[]): readonly Route[] {
  const paths = ['/', '/docs', ...guides.map(({ path }) => path)]
  const xml = 'application/xml; charset=utf-8'
  const introduction = 'Introduce the service on one page, for language models'
  return [
    rdfRoute('jsonld'),
    rdfRoute('turtle'),
    OEMBED_ROUTE,
    PICTURE_ROUTE,
    textRoute('/robots.txt', ['instructCrawlers', 'Instruct crawlers', TEXT], robotsText),
    textRoute('/sitemap.xml', ['listPages', 'List every page, for crawlers', xml], (base, catalog) =>
      sitemap(base, paths, allEntries(catalog)),
    ),
    textRoute('/llms.txt', ['introduceService', introduction, TEXT], (base, catalog) =>
      llmsText(base, guides, allEntries(catalog)),
    ),
    route('none', '/datasets/:id/datapackage.json', {
      ...describe('describeDataPackage', 'Read one dataset as a Frictionless Data Package', JSON_TYPE),
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

function answerCatalog(app: App, exchange: Exchange, format: RdfFormat, kept: KeptDocuments) {
  const headers = documentHeaders(app, exchange, RDF[format][3])
  const unchanged = notModified(exchange, headers.ETag, headers)
  if (unchanged !== undefined) return unchanged

  const encoding = negotiateEncoding(exchange.request.headers.get('accept-encoding'))
  const key = `${headers.ETag} ${encoding}`
  const known = kept.find(key)
  if (known !== undefined)
    return respond(exchange, 200, { ...headers, ...(encoding && { 'Content-Encoding': encoding }) }, known)
  const make = () => catalogDocument(app.catalog, placeOf(exchange.base, app.config), format)
  return respondMade(app, exchange, headers, make, {
    broke: 'a catalog document broke',
    passOn: (body) => kept.keeping(key, body),
  })
}

/** Headers with a tag of everything that a document depends on. */
function documentHeaders(app: App, exchange: Exchange, type: string) {
  const place = JSON.stringify(placeOf(exchange.base, app.config))
  const etag = weakEtag(type, app.catalog.revision, nameBuild(), exchange.path, place)
  return { ...PUBLIC_HEADERS, 'Content-Type': type, ETag: etag }
}
