/** JSON request bodies (RFC 8259), before their fields are read. */

import { ApiError } from '../base/errors.ts'
import { type BodyExchange, readBody } from './body.ts'

const JSON_CONTENT = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a request's body as JSON. The content type is required because a form of another site can send any text as
 * `text/plain` without a preflight.
 * @throws ApiError `payload_too_large`, `invalid_body` for another content type, no JSON, one that nests deep, or an empty body
 */
export async function readJsonBody(exchange: BodyExchange): Promise<unknown> {
  return parseBody(exchange, await readBody(exchange))
}

/**
 * As `readJsonBody`; a request without a body, whatever its content type, is an empty object.
 * @throws ApiError as `readJsonBody`
 */
export async function readOptionalJson(exchange: BodyExchange): Promise<unknown> {
  const bytes = await readBody(exchange)
  return bytes.length === 0 ? {} : parseBody(exchange, bytes)
}

function parseBody(exchange: BodyExchange, bytes: Uint8Array): unknown {
  const type = exchange.request.headers.get('content-type')?.trim() ?? ''
  if (!JSON_CONTENT.test(type)) {
    throw refusal('header.content-type', 'Send the body as JSON, with "Content-Type: application/json".')
  }
  if (bytes.length === 0) throw refusal('body', 'The body is empty; it has to be a JSON object.')
  return parseJson(bytes)
}

/**
 * JSON in UTF-8 as a value, whatever its content type.
 * @throws ApiError `invalid_body` for no JSON, or one that nests deep
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (isDeep(bytes))
    throw refusal('body', `The body nests lists and objects deeper than ${MOST_LEVELS} levels.`)
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw refusal('body', 'The body is not JSON in UTF-8.')
  }
}

/** No request of ours nests deeper than a few levels. A megabyte of brackets takes the parser a fifth of a second. */
const MOST_LEVELS = 100
const [QUOTE, BACKSLASH, ...BRACKETS] = Buffer.from('"\\[{]}')
const [LIST, OBJECT, LIST_END, OBJECT_END] = BRACKETS

function isDeep(bytes: Uint8Array): boolean {
  let levels = 0
  let isText = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      if (byte === BACKSLASH) i++
    } else if (byte === LIST || byte === OBJECT) {
      if (++levels > MOST_LEVELS) return true
    } else if (byte === LIST_END || byte === OBJECT_END) levels--
  }
  return false
}

function refusal(location: string, message: string): ApiError {
  return new ApiError('invalid_body', message, [{ location, message }])
}
