/** The interactive reference and the descriptions it shows. Nothing on the page comes from another machine. */

import { swagger } from '@elysiajs/swagger'
import { Elysia } from 'elysia'
import scalarPath from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import { ApiError } from '../errors.ts'
import { compress, type Encoding, negotiateEncoding } from './compression.ts'
import { type Exchange, routeGroup } from './exchange.ts'
import { PUBLIC_HEADERS } from './headers.ts'
import { type Description, describeDataset, describeService } from './openapi/description.ts'
import type { ExampleDataset } from './openapi/parameters.ts'
import { respond, respondCompressed, respondJson } from './respond.ts'
import type { Service } from './service.ts'

/**
 * The page runs one script of ours, styles itself, and talks to this service only. Scalar puts its styles into the
 * page while it runs, hence `unsafe-inline` for styles and for nothing else.
 */
const PAGE_HEADERS = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const SCRIPT_HEADERS = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=86400',
}

/** Everything that would reach for another machine is off: fonts, telemetry, proxy, assistants, the vendor's app. */
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
  // The plugin's own theme loads a font from the web.
  customCss: 'body{margin:0}',
  url: '/docs/json',
}

export function docsRoutes(service: Service) {
  const descriptions = new Descriptions(service)
  const script = new PackedFile(scalarPath)
  let page: Promise<Uint8Array<ArrayBuffer>> | undefined
  return routeGroup()
    .get('/', ({ exchange }) => respond(exchange, 302, { ...PUBLIC_HEADERS, Location: '/docs' }, null))
    .get('/docs', async ({ exchange }) => {
      page ??= renderPage()
      return respondCompressed(exchange, 200, PAGE_HEADERS, await page)
    })
    .get('/docs/scalar.js', ({ exchange }) => script.respond(exchange))
    .get('/docs/json', ({ exchange }) =>
      respondJson(exchange, 200, PUBLIC_HEADERS, descriptions.whole(exchange.base)),
    )
    .get('/openapi.json', ({ exchange }) =>
      respondJson(exchange, 200, PUBLIC_HEADERS, descriptions.whole(exchange.base)),
    )
    .get('/openapi/:domain/:file', ({ exchange, params: { domain, file } }) =>
      respondJson(exchange, 200, PUBLIC_HEADERS, descriptions.ofDataset(exchange.base, domain, file)),
    )
}

/** Lets the plugin make its page, once. The white space in its script element would be a script to the page's policy. */
async function renderPage(): Promise<Uint8Array<ArrayBuffer>> {
  const plugin = new Elysia().use(
    swagger({
      path: '/docs',
      provider: 'scalar',
      scalarCDN: '/docs/scalar.js',
      // The plugin knows the options of an older Scalar; the one served here knows these.
      scalarConfig: SCALAR_CONFIG as never,
      documentation: {
        info: { title: 'Izvor: reference', version: '0.1.0', description: 'Interactive reference' },
      },
    }),
  )
  const answer = await plugin.handle(new Request('http://localhost/docs'))
  const html = (await answer.text())
    .replace('<html>', '<html lang="en">')
    .replace('</head>', '<link rel="icon" href="data:," /></head>')
    // What an older Scalar wants, and the newer one warns of.
    .replace(/data-url="[^"]*"/, '')
    .replace(/"spec":\{[^}]*\},/, '')
    .replace(/>\s+<\/script>/, '></script>')
  return new TextEncoder().encode(html)
}

/** Descriptions whose examples name a dataset that is there, so that they can be called as they stand. */
class Descriptions {
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  whole(base: string): Description {
    const first = this.#service.catalog.list({ limit: 1, offset: 0 }).datasets[0]
    return describeService(base, first && this.#exampleOf(first.id))
  }

  /** @throws ApiError `not_found` for a name without `.json`, `dataset_not_found` */
  ofDataset(base: string, domain: string, file: string): Description {
    if (!file.endsWith('.json')) throw new ApiError('not_found', 'There is nothing here.')
    const id = file.slice(0, -'.json'.length)
    const descriptor = this.#service.catalog.descriptor(id)
    const example = this.#exampleOf(id)
    if (descriptor === undefined || example === undefined || descriptor.domain !== domain) {
      throw new ApiError('dataset_not_found', `There is no dataset ${domain}/${id}.`)
    }
    return describeDataset(base, descriptor.title, example)
  }

  #exampleOf(id: string): ExampleDataset | undefined {
    const descriptor = this.#service.catalog.descriptor(id)
    return descriptor && { ...descriptor, sample: descriptor.sample_row ?? {} }
  }
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
    if (encoding === null) return respond(exchange, 200, SCRIPT_HEADERS, bytes)
    const packed = this.#packed.get(encoding) ?? compress(bytes, encoding)
    this.#packed.set(encoding, packed)
    return respond(exchange, 200, { ...SCRIPT_HEADERS, 'Content-Encoding': encoding }, packed)
  }
}
