/** The interactive reference and the descriptions it shows. Nothing on the page comes from another machine. */

import scalarPath from '../../node_modules/@scalar/api-reference/dist/browser/standalone.js' with {
  type: 'file',
}
import { preferredLanguage } from '../mail/language.ts'
import { compress, type Encoding, negotiateEncoding } from './compression.ts'
import { DatasetDescriptions, exampleOf } from './dataset-description.ts'
import { type Exchange, routeGroup } from './exchange.ts'
import { PUBLIC_HEADERS } from './headers.ts'
import { type Description, describeService } from './openapi/description.ts'
import { REFERENCE_HEADERS, referencePage } from './reference-page.ts'
import { respond, respondCompressed, respondJson } from './respond.ts'
import type { Service } from './service.ts'

const SCRIPT_HEADERS = {
  ...PUBLIC_HEADERS,
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=86400',
}

export function docsRoutes(service: Service) {
  const descriptions = new DatasetDescriptions()
  const script = new PackedFile(scalarPath)
  return routeGroup()
    .get('/docs', async ({ exchange }) => {
      const language = preferredLanguage(exchange.request.headers.get('accept-language'))
      return respondCompressed(exchange, 200, REFERENCE_HEADERS, await referencePage(language))
    })
    .get('/docs/scalar.js', ({ exchange }) => script.respond(exchange))
    .get('/docs/json', ({ exchange }) =>
      respondJson(exchange, 200, PUBLIC_HEADERS, describeAll(service, exchange.base)),
    )
    .get('/openapi.json', ({ exchange }) =>
      respondJson(exchange, 200, PUBLIC_HEADERS, describeAll(service, exchange.base)),
    )
    .get('/openapi/:domain/:file', ({ exchange, params: { domain, file } }) =>
      descriptions.answer(exchange, domain, file),
    )
}

/** The whole service, with examples that name a dataset which is there, so that they can be called as they stand. */
function describeAll(service: Service, base: string): Description {
  const first = service.catalog.list({ limit: 1, offset: 0 }).datasets[0]
  return describeService(base, first && exampleOf(service, first.id))
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
