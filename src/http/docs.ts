/** The interactive reference and the descriptions it shows. Nothing on the page comes from another machine. */

import scalarPath from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import { ApiError } from '../errors.ts'
import { preferredLanguage } from '../mail/language.ts'
import { compress, type Encoding, negotiateEncoding } from './compression.ts'
import { type Exchange, routeGroup } from './exchange.ts'
import { PUBLIC_HEADERS } from './headers.ts'
import { type Description, describeDataset, describeService } from './openapi/description.ts'
import type { ExampleDataset } from './openapi/parameters.ts'
import { REFERENCE_HEADERS, referencePage } from './reference-page.ts'
import { respond, respondCompressed, respondJson } from './respond.ts'
import type { Service } from './service.ts'

const SCRIPT_HEADERS = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=86400',
}

const LONGEST_EXAMPLE = 200

export function docsRoutes(service: Service) {
  const descriptions = new Descriptions(service)
  const script = new PackedFile(scalarPath)
  return routeGroup()
    .get('/docs', async ({ exchange }) => {
      const language = preferredLanguage(exchange.request.headers.get('accept-language'))
      return respondCompressed(exchange, 200, REFERENCE_HEADERS, await referencePage(language))
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
    const { catalog, config } = this.#service
    const descriptor = catalog.descriptor(id)
    if (descriptor === undefined) return undefined
    // The description needs no key: where rows need one, it has no values of them.
    const sample = config.public_browsing ? Object.entries(descriptor.sample_row ?? {}) : []
    return { ...descriptor, sample: Object.fromEntries(sample.filter(([, value]) => isShort(value))) }
  }
}

/** Whether a value does for an example, which is repeated under every operator. */
function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= LONGEST_EXAMPLE
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
