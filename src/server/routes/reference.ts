/** The interactive reference and the descriptions it shows. Nothing on the page comes from another machine. */

import { t } from 'elysia'
import scalarPath from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import type { App } from '../../app.ts'
import { nameBuild } from '../../base/build.ts'
import { ApiError } from '../../base/errors.ts'
import { compress, type Encoding, negotiateEncoding } from '../../http/compression.ts'
import { API_VERSION } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { API_HEADERS, PUBLIC_HEADERS, REFERENCE_HEADERS, SCRIPT_HEADERS } from '../../http/headers.ts'
import { preferredLanguage } from '../../http/negotiation.ts'
import { respond, respondCompressed, respondJson } from '../../http/respond.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { NO_QUERY, readQuery } from '../declaration/parameters.ts'
import { pathParameter, type Route, route } from '../declaration/route.ts'
import { describeDataset, describeService, exampleOf } from '../description/service-description.ts'
import { referencePage } from '../reference-page.ts'
import { NOT_MODIFIED } from './dataset-facts.ts'

const SCRIPT_ANSWER = { ...SCRIPT_HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' }
const ADDRESSES = t.Object({
  api_version: t.String(),
  documentation: t.String(),
  description: t.String(),
  addresses: t.Array(t.Object({ path: t.String(), summary: t.String() })),
})
const DOCUMENT = t.Unsafe<unknown>({ type: 'object' })
const DOCUMENT_ANSWERS = { 200: { says: 'A document of OpenAPI 3.1.', body: DOCUMENT } }

/** @param routes all of the service, these included */
export function referenceRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    ...pageRoutes(),
    route({
      path: '/v1',
      access: 'key',
      id: 'listAddresses',
      tag: 'Reference',
      summary: 'List what there is below /v1',
      answers: { 200: { says: 'The addresses.', body: ADDRESSES } },
      errors: ['unknown_parameter'],
      handle: ({ exchange }) => answerAddresses(exchange, routes()),
    }),
    route({
      path: '/docs/json',
      access: 'none',
      id: 'describeServiceForReference',
      tag: 'Reference',
      summary: 'Read this description',
      isOfThePage: true,
      answers: DOCUMENT_ANSWERS,
      handle: ({ app, exchange }) => answerDescription(app, exchange, routes()),
    }),
    route({
      path: '/openapi.json',
      access: 'none',
      id: 'describeService',
      tag: 'Reference',
      summary: 'Read this description',
      answers: DOCUMENT_ANSWERS,
      handle: ({ app, exchange }) => answerDescription(app, exchange, routes()),
    }),
    route({
      path: '/openapi/:domain/:file',
      describedAs: '/openapi/{domain}/{dataset}.json',
      access: 'none',
      id: 'describeDatasetRoutes',
      tag: 'Reference',
      summary: 'Read the description of one dataset, with its own columns',
      params: t.Object({
        domain: pathParameter('Domain of the dataset.'),
        dataset: pathParameter('Id of the dataset.'),
      }),
      answers: { 200: { ...DOCUMENT_ANSWERS[200], headers: ['ETag'] }, 304: NOT_MODIFIED },
      errors: ['not_found', 'dataset_not_found'],
      handle: ({ app, exchange, params }) =>
        answerDatasetDescription(app, exchange, routes(), requireServed(app, params.domain, params.file)),
    }),
  ]
}

/** The page, and the script it loads. */
function pageRoutes(): readonly Route[] {
  const script = new PackedFile(scalarPath)
  return [
    route({
      path: '/docs',
      access: 'none',
      id: 'openReference',
      tag: 'Reference',
      summary: 'Open the interactive reference',
      isOfThePage: true,
      answers: { 200: { says: 'The page.', types: ['text/html'] } },
      handle: ({ exchange }) => {
        const language = preferredLanguage(exchange.request.headers.get('accept-language'))
        return respondCompressed(exchange, 200, REFERENCE_HEADERS, referencePage(language))
      },
    }),
    route({
      path: '/docs/scalar.js',
      access: 'none',
      id: 'loadReferenceScript',
      tag: 'Reference',
      summary: 'Load the program of the interactive reference',
      isOfThePage: true,
      answers: { 200: { says: 'The script.', types: ['text/javascript'] } },
      handle: ({ exchange }) => script.respond(exchange),
    }),
  ]
}

/** What is below `/v1`, from the routes themselves. */
function answerAddresses(exchange: Exchange, routes: readonly Route[]): Response {
  readQuery(NO_QUERY, exchange.query)
  const { base } = exchange
  const addresses = routes.flatMap(({ access, path, described }) =>
    access === 'key' && described
      ? [{ path: path.replaceAll(/:(\w+)/g, '{$1}'), summary: described.summary }]
      : [],
  )
  const about = { documentation: `${base}/docs`, description: `${base}/openapi.json` }
  return respondJson(exchange, 200, API_HEADERS, { api_version: API_VERSION, ...about, addresses })
}

/** The whole service, with examples that name an existing dataset, so that they can be called unchanged. */
async function answerDescription(app: App, exchange: Exchange, routes: readonly Route[]): Promise<Response> {
  const first = app.catalog.list({ limit: 1, offset: 0 }).datasets[0]
  const example = first === undefined ? undefined : exampleOf(app, first.id)
  return respondJson(exchange, 200, PUBLIC_HEADERS, await describeService(routes, exchange.base, example))
}

async function answerDatasetDescription(
  app: App,
  exchange: Exchange,
  routes: readonly Route[],
  { id, version, sha256, open }: ServedDataset,
): Promise<Response> {
  const { path, base } = exchange
  const isShown = open && app.config.public_browsing
  const etag = weakEtag('openapi', nameBuild(), path, base, version, sha256, isShown)
  const headers = { ...PUBLIC_HEADERS, ETag: etag }
  const unchanged = notModified(exchange, etag, headers)
  if (unchanged !== undefined) return unchanged
  const { title } = app.catalog.descriptor(id)!
  const document = await describeDataset(routes, base, title, exampleOf(app, id)!)
  return respondJson(exchange, 200, headers, document)
}

/**
 * @param file the dataset's id with `.json`
 * @throws ApiError `not_found` for a name without `.json`, `dataset_not_found`
 */
function requireServed({ catalog }: App, domain: string, file: string): ServedDataset {
  if (!file.endsWith('.json')) throw new ApiError('not_found', 'There is nothing here.')
  const id = file.slice(0, -'.json'.length)
  const served = catalog.find(id)
  if (served?.domain === domain) return served
  throw new ApiError('dataset_not_found', `There is no dataset ${domain}/${id}.`)
}

/** A file of the program, read at first use and compressed once per coding. */
class PackedFile {
  readonly #path: string
  #bytes: Promise<Uint8Array<ArrayBuffer>> | undefined
  readonly #packed = new Map<Encoding, Uint8Array<ArrayBuffer>>()

  constructor(path: string) {
    this.#path = path
  }

  async respond(exchange: Exchange): Promise<Response> {
    this.#bytes ??= Bun.file(this.#path).bytes()
    const bytes = await this.#bytes
    const encoding = negotiateEncoding(exchange.request.headers.get('accept-encoding'))
    if (encoding === null) return respond(exchange, 200, SCRIPT_ANSWER, bytes)
    const packed = this.#packed.get(encoding) ?? compress(bytes, encoding)
    this.#packed.set(encoding, packed)
    return respond(exchange, 200, { ...SCRIPT_ANSWER, 'Content-Encoding': encoding }, packed)
  }
}
