/**
 * Questions to a store that speaks S3, by the package of its makers: Bun's own client has no time limits, so a server that
 * is frozen holds it for ever. The package is loaded at first use.
 */

import type { S3Client } from '@aws-sdk/client-s3'
import { ObjectStoreError, type StoreTrouble } from './object-store.ts'
import type { S3Place } from './s3-address.ts'

/** How long what may take, in milliseconds. */
export interface StoreTimes {
  /** A question without a file. */
  readonly question: number
  /** A part of an upload. */
  readonly part: number
  /** Between two pieces of a download. */
  readonly pause: number
}

export const STORE_TIMES: StoreTimes = { question: 10_000, part: 30_000, pause: 10_000 }

/** Pauses before the second try and the third, of questions that failed at once. */
const PAUSES_MS = [200, 800]

type Package = typeof import('@aws-sdk/client-s3')

export type Question<T> = (client: S3Client, s3: Package, signal: AbortSignal) => Promise<T>

/** In milliseconds; the last one by the monotonic clock. */
export interface ReadLimits {
  readonly first: number
  readonly next: number
  readonly end: number
}

interface Loaded {
  readonly s3: Package
  readonly client: S3Client
}

export class S3Questions {
  readonly #place: S3Place
  readonly #name: string
  readonly #closing = new AbortController()
  #loaded: Promise<Loaded> | undefined

  /** @param name of the store, for people */
  constructor(place: S3Place, name: string) {
    this.#place = place
    this.#name = name
  }

  /**
   * Asks, up to three times where the answer is a passing failure that comes at once.
   * @param limitMs for all tries together
   * @throws ObjectStoreError naming what was asked
   */
  async ask<T>(what: string, limitMs: number, question: Question<T>): Promise<T> {
    const limit = AbortSignal.any([AbortSignal.timeout(limitMs), this.#closing.signal])
    for (let attempt = 0; ; attempt++) {
      try {
        const { client, s3 } = await this.#load()
        return await question(client, s3, limit)
      } catch (error) {
        const trouble = this.#translate(what, error)
        const pause = PAUSES_MS[attempt]
        if (trouble.trouble !== 'away' || pause === undefined || limit.aborted) throw trouble
        await Bun.sleep(pause)
      }
    }
  }

  /**
   * The pieces of an answer. The time that the reader takes between them does not count.
   * @throws ObjectStoreError naming what was asked
   */
  async *read(
    what: string,
    { first, next, end }: ReadLimits,
    question: Question<AsyncIterable<Uint8Array> | undefined>,
  ): AsyncGenerator<Uint8Array> {
    const stop = new AbortController()
    const closing = this.#closing.signal
    let timer = setTimeout(() => stop.abort(), first)
    try {
      const { client, s3 } = await this.#load()
      for await (const piece of (await question(client, s3, AbortSignal.any([stop.signal, closing]))) ?? []) {
        clearTimeout(timer)
        yield piece
        if (performance.now() > end) throw new Error('it comes too slowly')
        timer = setTimeout(() => stop.abort(), next)
      }
    } catch (error) {
      throw this.#translate(what, error)
    } finally {
      clearTimeout(timer)
      // A reader that ends early leaves no connection behind.
      stop.abort()
    }
  }

  /** The error that a caller gets, of one of the package or of the network. */
  #translate(what: string, error: unknown): ObjectStoreError {
    if (error instanceof ObjectStoreError) return error
    const { status, code, text } = describe(error)
    const trouble = judge(status, code)
    const reason = { away: 'does not answer', refused: 'refuses', missing: 'has nothing', damaged: 'fails' }[
      trouble
    ]
    const said = [status, code, text].filter(Boolean).join(' ')
    return new ObjectStoreError(trouble, `the object store ${this.#name} ${reason}: ${what} (${said})`)
  }

  close(): void {
    this.#closing.abort()
    void this.#loaded?.then(({ client }) => client.destroy())
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= load(this.#place)
    return this.#loaded
  }
}

async function load({ endpoint, region, credentials }: S3Place): Promise<Loaded> {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    region,
    credentials,
    // Other stores than Amazon's have no name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    // We repeat by ourselves, within a time.
    maxAttempts: 1,
    // Checksums as trailers are refused by older stores; ours is SHA-256, for each part and for the whole.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { s3, client }
}

interface Failure {
  readonly status: number | undefined
  readonly code: string
  readonly text: string
}

function describe(error: unknown): Failure {
  const { name, code, Code, message, $metadata } = error as {
    name?: string
    code?: string
    Code?: string
    message?: string
    $metadata?: { httpStatusCode?: number }
  }
  const text = message === undefined || message === 'UnknownError' ? '' : message
  const known = Code ?? code ?? name ?? ''
  return {
    status: $metadata?.httpStatusCode,
    code: known === 'Unknown' || known === 'Error' ? '' : known,
    text,
  }
}

const PASSING = [
  'RequestTimeout',
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'SlowDown',
  'OperationAborted',
  'IncompleteBody',
  'NoSuchUpload',
]

function judge(status: number | undefined, code: string): StoreTrouble {
  if (status === undefined || status >= 500 || status === 429 || status === 408 || status === 409)
    return 'away'
  if (PASSING.includes(code)) return 'away'
  if (status === 416) return 'damaged'
  // Without a body (HEAD) there is no code.
  if (status === 404 && ['NoSuchKey', 'NotFound', ''].includes(code)) return 'missing'
  return status < 300 ? 'away' : 'refused'
}
