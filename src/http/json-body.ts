/** JSON request bodies (RFC 8259): what it takes to get one, before anybody looks into it. */

import { ApiError } from '../errors.ts'
import { readBody } from './body.ts'

const JSON_CONTENT = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body as JSON. The content type is asked for because a form of another site can send any text as
 * `text/plain` without the browser asking us first.
 * @throws ApiError `payload_too_large`, `invalid_body` for another content type, no JSON, or an empty body
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readBody(request)
  const type = request.headers.get('content-type')?.trim() ?? ''
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
