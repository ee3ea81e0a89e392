/**
 * Requests to a store that speaks S3, through Amazon's own package: Bun's client has no time limits, so a frozen server
 * would block it for ever. The package is loaded at first use.
 */

import { CommandError } from '../../base/errors.ts'

/** A command's refusal, with exit code 6 for a missing or damaged object. */
export class ObjectStoreError extends CommandError {
  /**
   * `away`: the store does not answer, or not in time; the same request may succeed later. `refused`: the credentials
   * or the bucket are wrong. `missing`, `damaged`: said of the object.
   */
  readonly trouble: 'away' | 'refused' | 'missing' | 'damaged'

  constructor(trouble: ObjectStoreError['trouble'], message: string) {
    super(trouble === 'missing' || trouble === 'damaged' ? 'damaged' : 'failed', message)
    this.name = 'ObjectStoreError'
    this.trouble = trouble
  }
}

/** Whether the same request may succeed later without anybody's help. */
export function isAway(error: unknown): error is ObjectStoreError {
  return error instanceof ObjectStoreError && error.trouble === 'away'
}

/** A store's location and credentials, from settings and environment. */
export type S3Place = ReturnType<typeof readS3Place>

/**
 * @param address `s3://bucket/prefix`, from the setting
 * @param endpoint of a store other than Amazon's; null: Amazon's in the region
 * @param environment with credentials and region in `AWS_*`
 * @throws CommandError `usage` without credentials
 */
export function readS3Place(
  address: string,
  endpoint: string | null,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  if (accessKeyId === '' || secretAccessKey === '')
    throw new CommandError(
      'usage',
      `${address} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`,
    )
  const { AWS_SESSION_TOKEN: sessionToken, AWS_REGION, AWS_DEFAULT_REGION } = environment
  const [, , bucket = '', ...prefix] = address.split('/')
  return {
    bucket,
    /** Without slashes around it; may be empty. */
    prefix: prefix.join('/'),
    endpoint,
    region: AWS_REGION || AWS_DEFAULT_REGION || 'us-east-1',
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  }
}

/** The longest times, in ms, for a request without a file, a part of an upload, and a pause in a download. */
export const STORE_TIMES = { question: 10_000, part: 30_000, pause: 10_000 }
export type StoreTimes = Readonly<typeof STORE_TIMES>

/** Pauses before the second and the third attempt of a request that failed quickly. */
const PAUSES_MS = [200, 800]

type Package = typeof import('@aws-sdk/client-s3')

/** Makes a command of the package whose answer is `T`. */
export type Question<T> = (s3: Package) => {
  resolveMiddleware(...given: never[]): (args: never) => Promise<{ output: T }>
}

export class S3Questions {
  readonly #place: S3Place
  readonly #name: string
  readonly #closing = new AbortController()
  #loaded: ReturnType<typeof load> | undefined

  /** @param name of the store, for people */
  constructor(place: S3Place, name: string) {
    this.#place = place
    this.#name = name
  }

  /**
   * Sends a request, up to three times if it fails quickly and the failure is temporary.
   * @param limitMs for all attempts together
   * @throws ObjectStoreError that names `what`
   */
  async ask<T>(what: string, limitMs: number, question: Question<T>): Promise<T> {
    const limit = AbortSignal.any([AbortSignal.timeout(limitMs), this.#closing.signal])
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#send(question, limit)
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
   * @param limits in milliseconds; `end` by the monotonic clock
   * @throws ObjectStoreError that names `what`
   */
  async *read(
    what: string,
    { first, next, end }: { readonly first: number; readonly next: number; readonly end: number },
    question: Question<{ Body?: unknown }>,
  ): AsyncGenerator<Uint8Array> {
    const stop = new AbortController()
    let timer = setTimeout(() => stop.abort(), first)
    try {
      const { Body } = await this.#send(question, AbortSignal.any([stop.signal, this.#closing.signal]))
      for await (const piece of (Body as AsyncIterable<Uint8Array> | undefined) ?? []) {
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

  /** Translates an error of the package or of the network for the caller. */
  #translate(what: string, error: unknown): ObjectStoreError {
    if (error instanceof ObjectStoreError) return error
    const {
      name,
      code: known,
      Code,
      message = '',
      $metadata,
    } = error as {
      name?: string
      code?: string
      Code?: string
      message?: string
      $metadata?: { httpStatusCode?: number }
    }
    const status = $metadata?.httpStatusCode
    const code = (Code ?? known ?? name ?? '').replace(/^(Unknown|Error)$/, '')
    const text = message === 'UnknownError' ? '' : message
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

  async #send<T>(question: Question<T>, abortSignal: AbortSignal): Promise<T> {
    this.#loaded ??= load(this.#place)
    const { client, s3 } = await this.#loaded
    // The package's types distinguish each command, but all are sent in the same way.
    return (await client.send(question(s3) as never, { abortSignal })) as T
  }
}

async function load({ endpoint, region, credentials }: S3Place) {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    region,
    credentials,
    // Stores other than Amazon's have no host name for each bucket.
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    // `ask` repeats requests itself, within a time limit.
    maxAttempts: 1,
    // Checksums as trailers are refused by older stores; ours is SHA-256, for each part and for the whole.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { s3, client }
}

const PASSING =
  /^(RequestTimeout|BadDigest|XAmzContentSHA256Mismatch|SlowDown|OperationAborted|IncompleteBody|NoSuchUpload)$/

function judge(status: number | undefined, code: string): ObjectStoreError['trouble'] {
  if (status === undefined || status >= 500 || status === 429 || status === 408 || status === 409)
    return 'away'
  if (PASSING.test(code)) return 'away'
  if (status === 416) return 'damaged'
  // Without a body (HEAD) there is no code.
  if (status === 404 && ['NoSuchKey', 'NotFound', ''].includes(code)) return 'missing'
  return status < 300 ? 'away' : 'refused'
}
