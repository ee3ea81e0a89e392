/** Content codings: negotiation (RFC 9110, 12.5.3) and compression. */

import { createGzip, createZstdCompress, constants as zlib } from 'node:zlib'
import { packStream } from '../base/pack-stream.ts'
import { readWeights } from './negotiation.ts'

export type Encoding = 'zstd' | 'gzip'

/** In bytes. Below this size the headers outweigh what compression saves (contract 2). */
const SMALLEST_COMPRESSED = 1024

const ZSTD_LEVEL = 3
const GZIP_LEVEL = 5

/** Distinct headers cached. Real clients send few of them; when the cache is full it is cleared. */
const MOST_REMEMBERED = 200
const remembered = new Map<string, Encoding | null>()

/** The coding to answer with, or null for none. @param header `Accept-Encoding` */
export function negotiateEncoding(header: string | null): Encoding | null {
  if (header === null || header === '') return null
  const known = remembered.get(header)
  if (known !== undefined) return known
  const encoding = chooseEncoding(header)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(header, encoding)
  return encoding
}

function chooseEncoding(header: string): Encoding | null {
  const weights = new Map(
    readWeights(header).map(({ name, weight }) => [name === 'x-gzip' ? 'gzip' : name, weight]),
  )
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  // At equal weight zstd: it is both smaller and several times faster.
  const best = weightOf('gzip') > weightOf('zstd') ? 'gzip' : 'zstd'
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}

/** The coding to send a body in, or null: the client takes none, or the body is too small. */
export function acceptedEncoding(body: Uint8Array, acceptEncoding: string | null): Encoding | null {
  return body.length <= SMALLEST_COMPRESSED ? null : negotiateEncoding(acceptEncoding)
}

/** Compresses synchronously. Meant for answers of a few hundred KB at most: 100 KB take about a millisecond. */
export function compress(body: Uint8Array<ArrayBuffer>, encoding: Encoding): Uint8Array<ArrayBuffer> {
  const packed =
    encoding === 'zstd'
      ? Bun.zstdCompressSync(body, { level: ZSTD_LEVEL })
      : Bun.gzipSync(body, { level: GZIP_LEVEL })
  return packed as Uint8Array<ArrayBuffer>
}

/** Compresses a stream as `packStream` does. Cancelling the result does not end the source: its owner does. */
export function compressStream(
  source: AsyncGenerator<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array> {
  const packer =
    encoding === 'zstd'
      ? createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })
      : createGzip({ level: GZIP_LEVEL })
  return packStream(source, packer)
}
