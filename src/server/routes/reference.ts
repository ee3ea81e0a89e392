/** The interactive reference and the descriptions it shows. Nothing on the page comes from another machine. */

import { t } from 'elysia'
import scalarPath from '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import type { App } from '../../app.ts'
import { nameBuild } from '../../base/build.ts'
import { ApiError } from '../../base/errors.ts'
import type { Language } from '../../base/text/language.ts'
import { compress, type Encoding, negotiateEncoding } from '../../http/compression.ts'
import { API_VERSION } from '../../http/envelope.ts'
import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { API_HEADERS, PUBLIC_HEADERS, REFERENCE_HEADERS, SCRIPT_HEADERS } from '../../http/headers.ts'
import { preferredLanguage } from '../../http/negotiation.ts'
import { respond, respondCompressed, respondJson } from '../../http/respond.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { NO_QUERY, readQuery } from '../declaration/parameters.ts'
import { NOT_MODIFIED, pathParameter, type Route, route } from '../declaration/route.ts'
import { describeDataset, describeService, exampleOf } from '../description/service-description.ts'
import { BAR_TEXTS } from './texts/reference-bar.ts'

const SCRIPT_ANSWER = { ...SCRIPT_HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' }
const DOCUMENT = { says: 'A document of OpenAPI 3.1.', body: t.Unsafe<unknown>({ type: 'object' }) }

/** @param routes all of the service, these included */
export function referenceRoutes(routes: () => readonly Route[]): readonly Route[] {
  return [
    ...pageRoutes(),
    route('key', '/v1', {
      id: 'listAddresses',
      tag: 'Reference',
      summary: 'List what there is below /v1',
      answers: {
        200: {
          says: 'The addresses.',
          body: t.Object({
            api_version: t.String(),
            documentation: t.String(),
            description: t.String(),
            addresses: t.Array(t.Object({ path: t.String(), summary: t.String() })),
          }),
        },
      },
      errors: ['unknown_parameter'],
      handle: ({ exchange }) => answerAddresses(exchange, routes()),
    }),
    route('none', '/docs/json', {
      id: 'describeServiceForReference',
      tag: 'Reference',
      summary: 'Read this description',
      isOfThePage: true,
      answers: { 200: DOCUMENT },
      handle: ({ app, exchange }) => answerDescription(app, exchange, routes()),
    }),
    route('none', '/openapi.json', {
      id: 'describeService',
      tag: 'Reference',
      summary: 'Read this description',
      answers: { 200: DOCUMENT },
      handle: ({ app, exchange }) => answerDescription(app, exchange, routes()),
    }),
    route('none', '/openapi/:domain/:file', {
      describedAs: '/openapi/{domain}/{dataset}.json',
      id: 'describeDatasetRoutes',
      tag: 'Reference',
      summary: 'Read the description of one dataset, with its own columns',
      params: t.Object({
        domain: pathParameter('Domain of the dataset.'),
        dataset: pathParameter('Id of the dataset.'),
      }),
      answers: { 200: { ...DOCUMENT, headers: ['ETag'] }, 304: NOT_MODIFIED },
      errors: ['not_found', 'dataset_not_found'],
      handle: ({ app, exchange, params: { domain, file } }) => {
        if (!file.endsWith('.json')) throw new ApiError('not_found', 'There is nothing here.')
        const id = file.slice(0, -'.json'.length)
        const served = app.catalog.find(id)
        if (served?.domain === domain) return answerDatasetDescription(app, exchange, routes(), served)
        throw new ApiError('dataset_not_found', `There is no dataset ${domain}/${id}.`)
      },
    }),
  ]
}

function pageRoutes(): readonly Route[] {
  const answerScript = packedFile(scalarPath)
  return [
    route('none', '/docs', {
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
    route('none', '/docs/scalar.js', {
      id: 'loadReferenceScript',
      tag: 'Reference',
      summary: 'Load the program of the interactive reference',
      isOfThePage: true,
      answers: { 200: { says: 'The script.', types: ['text/javascript'] } },
      handle: ({ exchange }) => answerScript(exchange),
    }),
  ]
}

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

/** A file of the program, read at first use and compressed once per coding. */
function packedFile(path: string): (exchange: Exchange) => Promise<Response> {
  let read: Promise<Uint8Array<ArrayBuffer>> | undefined
  const packed = new Map<Encoding, Uint8Array<ArrayBuffer>>()
  return async (exchange) => {
    read ??= Bun.file(path).bytes()
    const bytes = await read
    const encoding = negotiateEncoding(exchange.request.headers.get('accept-encoding'))
    if (encoding === null) return respond(exchange, 200, SCRIPT_ANSWER, bytes)
    const body = packed.get(encoding) ?? compress(bytes, encoding)
    packed.set(encoding, body)
    return respond(exchange, 200, { ...SCRIPT_ANSWER, 'Content-Encoding': encoding }, body)
  }
}

/**
 * The bar stays in place; Scalar leaves it room of `--scalar-custom-header-height`. Scalar's own greys and method colours
 * are too faint to read, its folding buttons too small to hit, its boxes scroll where a keyboard cannot: WCAG 2.2 AA.
 */
const STYLE = `
body { margin: 0 }
:root { --scalar-custom-header-height: 48px }
.izvor-bar { box-sizing: border-box; position: sticky; top: 0; z-index: 20; height: 48px; padding: 0 1rem; display: flex;
  gap: 1.25rem; align-items: center; overflow-x: auto; white-space: nowrap; font: 15px/1 system-ui, sans-serif;
  background: #fbfaf7; border-bottom: 1px solid #dcdad2 }
.izvor-bar a { color: #1b2326; text-decoration: none; padding: 0.6rem 0 }
.izvor-bar a:hover { text-decoration: underline }
.izvor-bar a:focus-visible { outline: 3px solid #b3500a; outline-offset: 2px }
.izvor-bar .home { font: 600 20px/1 "Iowan Old Style", Palatino, Georgia, serif }
.light-mode { --scalar-color-2: #4a5356; --scalar-color-3: #5b6366; --scalar-color-blue: #0059a8;
  --scalar-color-green: #04633a; --scalar-color-red: #b3201a; --scalar-color-orange: #8f4304; --scalar-color-yellow: #765500;
  --scalar-color-purple: #5a2fb5; --scalar-color-accent: #0b5c6b;
  --scalar-background-1: #fbfaf7; --scalar-background-2: #f1f0eb; --scalar-border-color: #dcdad2 }
.dark-mode { --scalar-color-2: #b9c1bf; --scalar-color-3: #a9b2b0; --scalar-color-red: #ff8f88;
  --scalar-background-1: #12181a; --scalar-background-2: #1b2225; --scalar-border-color: #2e3a3e }
.endpoints, [aria-labelledby] .scalar-card-content { max-height: none !important; overflow: visible !important }
.group\\/group-button button { min-width: 24px; min-height: 24px }
.dark-mode .izvor-bar { background: #12181a; border-color: #2e3a3e }
.dark-mode .izvor-bar a { color: #e6e8e5 }
.dark-mode .izvor-bar a:focus-visible { outline-color: #ffb066 }
`

/** Everything that would contact another machine is off: fonts, telemetry, proxy, assistants, the vendor's app. */
const SCALAR_CONFIG = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  defaultOpenAllTags: true,
  authentication: { preferredSecurityScheme: 'ApiKey' },
  url: '/docs/json',
}

/** The page. The reference itself is in English; the bar is in the reader's language. */
function referencePage(language: Language): Uint8Array<ArrayBuffer> {
  const { label, guides, first, errors } = BAR_TEXTS[language]
  const configuration = JSON.stringify(SCALAR_CONFIG).replaceAll("'", '&#39;')
  return new TextEncoder().encode(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="description" content="Interactive reference" />
<title>Izvor: reference</title>
<style>${STYLE}</style>
<link rel="icon" href="data:," />
</head>
<body><nav class="izvor-bar" lang="${language}" aria-label="${label}"><a class="home" href="/">Izvor</a><a href="/docs/guides">${guides}</a><a href="/docs/guides/first-call">${first}</a><a href="/docs/guides/errors">${errors}</a></nav>
<script id="api-reference" data-configuration='${configuration}'></script>
<script src="/docs/scalar.js" crossorigin></script>
</body>
</html>
`)
}
