/** JSON request bodies (RFC 8259), before their fields are read. */

import { ApiError } from '../base/errors.ts'
import { type BodyExchange, readBody } from './body.ts'

const JSON_CONTENT = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body as JSON. The content type is required because a form of another site can send any text as
 * `text/plain` without a preflight.
 * @throws ApiError `payload_too_large`, `invalid_body` for another content type, no JSON, or an empty body
 */
export async function readJsonBody(exchange: BodyExchange): Promise<unknown> {
  const bytes = await readBody(exchange)
  const type = exchange.request.headers.get('content-type')?.trim() ?? ''
  if (!JSON_CONTENT.test(type)) {
    throw refusal('header.content-type', 'Send the body as JSON, with "Content-Type: application/json".')
  }
  if (bytes.length === 0) throw refusal('body', 'The body is empty; it has to be a JSON object.')
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw refusal('body', 'The body is not JSON in UTF-8.')
  }
}

function refusal(location: string, message: string): ApiError {
  return new ApiError('invalid_body', message, [{ location, message }])
}
