/**
 * Request bodies, bounded. The server underneath takes any size, because its own refusal has no body; these two
 * keep the promise that more than 1 MB is a 413 in the envelope, with or without a declared length.
 */

import { ApiError } from '../errors.ts'

/** Contract 2. */
const LARGEST_BODY = 1024 * 1024

/**
 * Looks at two headers and nothing else: most requests have no body and are to be fast. The server hands out no body of
 * GET, HEAD and TRACE; one in chunks cannot be measured there, so none is taken.
 * @throws ApiError `payload_too_large` when the length is too much, or neither declared nor to be found out
 */
export function refuseDeclaredSize(request: Request): void {
  const { headers } = request
  const declared = headers.get('content-length')
  if (declared !== null && Number(declared) > LARGEST_BODY) throw tooLarge()
  if (headers.get('transfer-encoding') !== null && request.body === null) throw unmeasured(request)
}

/**
 * For an answer that nobody reads the body for: whoever sends one in chunks would send without end.
 * @throws ApiError `payload_too_large` as `refuseDeclaredSize`, and for any body in chunks
 */
export function refuseUnreadBody(request: Request): void {
  refuseDeclaredSize(request)
  if (request.headers.get('transfer-encoding') !== null) throw unmeasured(request)
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

function unmeasured({ method }: Request): ApiError {
  const message = `A body in chunks is not taken with ${method}: its size is not known. Send none, or its Content-Length.`
  return new ApiError('payload_too_large', message)
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', 'The request body is larger than 1 MB (1,048,576 bytes).')
}
