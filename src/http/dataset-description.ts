/**
 * `/openapi/{domain}/{dataset}.json`. Every column has a parameter per operator and route, so the description of 5,000
 * columns is 20 MB of text: it is written in turns, and kept compressed (a hundredth of that) for the version served.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import packageJson from '../../package.json' with { type: 'json' }
import type { ServedDataset } from '../catalog/record.ts'
import { ApiError } from '../errors.ts'
import { KeptDocuments } from '../interop/kept-documents.ts'
import { compressStream, negotiateEncoding, unpackZstd } from './compression.ts'
import { notModified, weakEtag } from './etag.ts'
import type { Exchange } from './exchange.ts'
import { JSON_TYPE, PUBLIC_HEADERS } from './headers.ts'
import { writeDatasetDescription } from './openapi/description.ts'
import type { ExampleDataset } from './openapi/parameters.ts'
import { isHead } from './plain-requests.ts'
import { respond, respondStream } from './respond.ts'
import type { Service } from './service.ts'
import { emptyStream } from './stream.ts'

const encoder = new TextEncoder()

export class DatasetDescriptions {
  readonly #kept = new KeptDocuments()
  /** Those that are being written, so that nobody begins one again. */
  readonly #making = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

  /**
   * Answers with the description of the version served.
   * @param file the dataset's id with `.json`
   * @throws ApiError `not_found` for a name without `.json`, `dataset_not_found`
   */
  async answer(exchange: Exchange, domain: string, file: string): Promise<Response> {
    const { request, service } = exchange
    const served = requireServed(service, domain, file)
    const etag = tagOf(exchange, served)
    const plain = { ...PUBLIC_HEADERS, 'Content-Type': JSON_TYPE, ETag: etag }
    const unchanged = notModified(exchange, etag, plain)
    if (unchanged !== undefined) return unchanged

    const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
    const headers = { ...plain, ...(encoding !== null && { 'Content-Encoding': encoding }) }
    if (isHead(request)) return respond(exchange, 200, headers, emptyStream())
    const packed = await this.#packed(exchange, served, etag)
    if (encoding === 'zstd') return respond(exchange, 200, headers, packed)
    const gzip = `${etag} gzip`
    const known = encoding === 'gzip' ? this.#kept.find(gzip) : undefined
    if (known !== undefined) return respond(exchange, 200, headers, known)
    const text = unpackZstd(packed)
    const body = encoding === null ? text : this.#kept.keeping(gzip, compressStream(text, encoding))
    return respondStream(exchange, headers, body, {
      failed: (error) =>
        service.log.error({ err: error, request_id: exchange.requestId }, 'a description broke'),
      over: () => void text.return(undefined),
    })
  }

  /** The description compressed by zstd. */
  async #packed(
    { service, base }: Exchange,
    served: ServedDataset,
    etag: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#kept.find(etag) ?? this.#making.get(etag)
    if (known !== undefined) return known
    const { title } = service.catalog.descriptor(served.id)!
    const text = writeInTurns(writeDatasetDescription(base, title, exampleOf(service, served.id)!))
    const made = gather(this.#kept.keeping(etag, compressStream(text, 'zstd')))
    this.#making.set(etag, made)
    try {
      return await made
    } finally {
      this.#making.delete(etag)
    }
  }
}

/** @throws ApiError `not_found`, `dataset_not_found` */
function requireServed({ catalog }: Service, domain: string, file: string): ServedDataset {
  if (!file.endsWith('.json')) throw new ApiError('not_found', 'There is nothing here.')
  const id = file.slice(0, -'.json'.length)
  const served = catalog.find(id)
  if (served?.domain === domain) return served
  throw new ApiError('dataset_not_found', `There is no dataset ${domain}/${id}.`)
}

/** Of everything that a description is made of. */
function tagOf({ path, base, service }: Exchange, { version, sha256 }: ServedDataset): string {
  const { public_browsing } = service.config
  return weakEtag('openapi', packageJson.version, path, base, version, sha256, public_browsing)
}

const LONGEST_EXAMPLE = 200

/** A dataset as an example; undefined when it is not there. */
export function exampleOf({ catalog, config }: Service, id: string): ExampleDataset | undefined {
  const descriptor = catalog.descriptor(id)
  if (descriptor === undefined) return undefined
  // The description needs no key: where rows need one, it has no values of them.
  const sample = config.public_browsing ? Object.entries(descriptor.sample_row ?? {}) : []
  return { ...descriptor, sample: Object.fromEntries(sample.filter(([, value]) => isShort(value))) }
}

/** Whether a value does for an example, which is repeated under every operator. */
function isShort(value: unknown): boolean {
  return typeof value !== 'string' || value.length <= LONGEST_EXAMPLE
}

async function* writeInTurns(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    yield encoder.encode(part)
    await nextTurn()
  }
}

async function gather(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
