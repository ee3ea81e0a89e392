/** Downloads an address to a file: streamed, counted, hashed, unpacked. */

import { closeSync, createReadStream, openSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { atEnd, closing } from '../../base/closing.ts'
import { CommandError } from '../../base/errors.ts'
import type { Decision } from '../../read/report/decisions.ts'
import { writeFully } from '../../read/report/disk.ts'
import type { IngestProgress } from '../../read/report/progress.ts'
import { refuse } from '../../read/report/reasons.ts'
import { readHead } from '../../read/source/source.ts'
import type { FetchedFile } from '../../store/catalog/sources.ts'
import { publicUrl } from './address.ts'
import { explainFailure, type Origin, type RequestGuard, request } from './request.ts'
import { FETCH_LIMITS, type FetchLimits, Watch } from './watch.ts'

export interface DownloadOptions extends RequestGuard {
  /** Path of the file, which must not exist. */
  readonly path: string
  /** Larger files are refused. */
  readonly maxBytes: number
  /** Validators that the server compares with its file (RFC 9110 13.1): the result is null when nothing changed. */
  readonly validators?: Validators | undefined
  readonly limits?: FetchLimits | undefined
  /** Accept the body of an error status too. */
  readonly anyStatus?: boolean
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined
}

type Validators = Omit<FetchedFile, 'url'>

export interface Download extends Validators {
  readonly path: string
  /** Size after unpacking. */
  readonly bytes: number
  /** Of the unpacked bytes, lower-case hex. */
  readonly sha256: string
  readonly status: number
  readonly contentType: string
  readonly from: Origin
  readonly decisions: readonly Decision[]
}

/** How many times an answer above `LARGE` may grow when unpacked; real tables stay far below. */
const MOST_EXPANSION = 200
const LARGE = 100_000_000

/**
 * @returns null when the server says that its file still matches the validators
 * @throws CommandError `failed` naming the address without its secrets, and what to do
 */
export async function download(url: URL, options: DownloadOptions): Promise<Download | null> {
  const watch = new Watch(options.limits ?? FETCH_LIMITS, publicUrl(url))
  using _ = atEnd(() => watch.stop())
  const { etag = null, lastModified = null } = options.validators ?? {}
  const headers = {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  }
  const answer = await request(url, headers, watch, options)
  const { response, decisions } = answer
  if (response.status === 304 && options.validators !== undefined) return null
  const { status } = response
  if (options.anyStatus !== true && status !== 200 && status !== 203)
    throw refuse('http_status', { host: answer.url.host, status }, publicUrl(answer.url))
  const received = await receive(response, answer.url, options, watch)
  return {
    ...received,
    path: options.path,
    status,
    contentType: response.headers.get('content-type') ?? '',
    etag: response.headers.get('etag'),
    lastModified: response.headers.get('last-modified'),
    from: answer.from,
    decisions,
  }
}

type Received = Pick<Download, 'bytes' | 'sha256'>

async function receive(
  response: Response,
  url: URL,
  options: DownloadOptions,
  watch: Watch,
): Promise<Received> {
  const { path, maxBytes } = options
  const encoding = (response.headers.get('content-encoding') ?? '').trim().toLowerCase()
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encoding)) {
    throw refuse('wrong_packing', { host: url.host }, `${publicUrl(url)} is sent packed as ${encoding}`)
  }
  const announced = response.headers.get('content-length')
  const length = announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : null
  if (length !== null && length > maxBytes) throw tooLarge(url, maxBytes)
  using sink = closing(new FileSink(path, url, maxBytes))
  watch.expectBytes()
  try {
    for await (const chunk of response.body ?? []) {
      sink.write(chunk)
      watch.took(chunk.length)
      options.onProgress?.({ phase: 'fetching', bytes: sink.bytes, totalBytes: length, rows: 0 })
    }
  } catch (error) {
    throw watch.failure ?? (error instanceof CommandError ? error : brokenOff(url, length, error))
  }
  if (watch.failure !== null) throw watch.failure
  if (length !== null && sink.bytes !== length) throw brokenOff(url, length)
  // Some servers label every file with .gz in its name as packed, even files that are not.
  const [first, second] = readHead(path, 0, 2)
  const packed = encoding.endsWith('gzip') && first === 0x1f && second === 0x8b
  return packed ? await unpack(path, url, sink.bytes, maxBytes) : sink.result()
}

function brokenOff(url: URL, length: number | null, error?: unknown): CommandError {
  const code = String((error as { code?: unknown } | undefined)?.code ?? 'ECONNRESET')
  if (!/ECONNRESET|EPIPE|ConnectionClosed/.test(code)) return explainFailure(error, url)
  const announced = length === null ? 'its end' : `the end of its ${length} bytes`
  return refuse('connection_lost', { host: url.host }, `${publicUrl(url)} broke off before ${announced}`)
}

function tooLarge(url: URL, maxBytes: number): CommandError {
  return refuse('too_large_to_fetch', { bytes: maxBytes }, publicUrl(url))
}

/** Replaces a packed file by its contents. */
async function unpack(path: string, url: URL, packedBytes: number, maxBytes: number): Promise<Received> {
  const packed = `${path}.packed`
  renameSync(path, packed)
  using sink = closing(new FileSink(path, url, maxBytes))
  try {
    await pipeline(createReadStream(packed), createGunzip(), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        sink.write(chunk)
        if (sink.bytes > Math.max(LARGE, packedBytes * MOST_EXPANSION))
          throw refuse(
            'unsafe_file',
            {},
            `${publicUrl(url)} grows more than ${MOST_EXPANSION} times when unpacked`,
          )
      }
    })
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw refuse('wrong_packing', { host: url.host }, `${publicUrl(url)} cannot be unpacked`)
  } finally {
    rmSync(packed, { force: true })
  }
  return sink.result()
}

class FileSink {
  bytes = 0
  readonly #file: number
  readonly #path: string
  readonly #url: URL
  readonly #maxBytes: number
  readonly #hash = new Bun.CryptoHasher('sha256')

  constructor(path: string, url: URL, maxBytes: number) {
    this.#file = openSync(path, 'wx', 0o600)
    this.#path = path
    this.#url = url
    this.#maxBytes = maxBytes
  }

  /** @throws CommandError `failed` when the file gets too large or the disk is full */
  write(chunk: Uint8Array): void {
    this.bytes += chunk.length
    if (this.bytes > this.#maxBytes) throw tooLarge(this.#url, this.#maxBytes)
    this.#hash.update(chunk)
    writeFully(this.#file, chunk, this.#path)
  }

  result(): Received {
    return { bytes: this.bytes, sha256: this.#hash.digest('hex') }
  }

  close(): void {
    closeSync(this.#file)
  }
}
