/**
 * SHA-256 (FIPS 180-4). From the runtime, since oslo's is asynchronous (WebCrypto): a key look-up is a synchronous
 * step of 0.1 us, and a promise around it would cost more than the hash.
 */

import { closeSync, createReadStream, openSync, readSync } from 'node:fs'

const CHUNK_BYTES = 1 << 20

export function sha256(data: string | Uint8Array): Uint8Array {
  return new Uint8Array(Bun.SHA256.hash(data) as Uint8Array)
}

/** The hash in base64, the cheapest text form; for keys of maps. */
export function sha256Base64(data: string | Uint8Array): string {
  return Bun.SHA256.hash(data, 'base64')
}

/**
 * Hashes a file of any size in pieces of 1 MB.
 * @returns the hash in lower-case hex, and the bytes read
 * @throws the file system's error when it cannot be read
 */
export function sha256File(path: string): { sha256: string; bytes: number } {
  const hash = new Bun.CryptoHasher('sha256')
  const chunk = new Uint8Array(CHUNK_BYTES)
  const file = openSync(path, 'r')
  using _ = { [Symbol.dispose]: () => closeSync(file) }
  let bytes = 0
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
    hash.update(chunk.subarray(0, read))
    bytes += read
  }
  return { sha256: hash.digest('hex'), bytes }
}

/**
 * The same hash, in turns: a file may have gigabytes, and requests must not wait.
 * @param also takes each piece
 */
export async function sha256FileInTurns(path: string, also?: (piece: Uint8Array) => void): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 })) {
    hash.update(piece)
    also?.(piece)
  }
  return hash.digest('hex')
}
