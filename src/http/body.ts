/**
 * Request bodies, bounded. The server underneath takes any size, because its own refusal has no body; these two
 * keep the promise that more than 1 MB is a 413 in the envelope, with or without a declared length.
 */

import { ApiError } from '../errors.ts'

/** Contract 2. */
const LARGEST_BODY = 1024 * 1024

/** @throws ApiError `payload_too_large` when the declared length is too much; nothing of the body is read */
export function refuseDeclaredSize(request: Request): void {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > LARGEST_BODY) throw tooLarge()
}

/**
 * Reads a whole body.
 * @throws ApiError `payload_too_large` as soon as more than 1 MB has come in
 */
export async function readBody(request: Request): Promise<Uint8Array> {
  refuseDeclaredSize(request)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > LARGEST_BODY) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'The request body is larger than 1 MB (1,048,576 bytes).')
}
