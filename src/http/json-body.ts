/** JSON request bodies (RFC 8259), before their fields are read. */

import { ApiError } from '../base/errors.ts'
import { noteRefused } from '../base/limits.ts'
import { type BodyExchange, readBody } from './body.ts'

const JSON_CONTENT = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i
const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON with more values than its reader takes; only the outermost object was parsed. */
export class TooManyValues extends ApiError {
  /** The body, with null for each list and object inside it; undefined where even that is large. */
  readonly outline: unknown

  constructor(outline: unknown) {
    super('invalid_body', 'The body holds too many values.')
    this.outline = outline
    noteRefused('question_values')
  }
}

/**
 * Reads a request's body as JSON. The content type is required because a form on another site can send any text as
 * `text/plain` without a preflight.
 * @param options `mostValues`: how many values are taken; `whenEmpty`: returned for an empty body, whatever its content type
 * @throws ApiError `payload_too_large`; `invalid_body` for another content type, no JSON, JSON nested too deep, or an empty
 * body; TooManyValues
 */
export async function readJsonBody(
  exchange: BodyExchange,
  { mostValues, whenEmpty }: { readonly mostValues?: number; readonly whenEmpty?: object } = {},
): Promise<unknown> {
  const bytes = await readBody(exchange)
  if (bytes.length === 0 && whenEmpty !== undefined) return whenEmpty
  const type = exchange.request.headers.get('content-type')?.trim() ?? ''
  if (!JSON_CONTENT.test(type)) {
    throw refusal('header.content-type', 'Send the body as JSON, with "Content-Type: application/json".')
  }
  if (bytes.length === 0) throw refusal('body', 'The body is empty; it has to be a JSON object.')
  return parseJson(bytes, mostValues)
}

/**
 * Parses JSON in UTF-8, whatever its content type.
 * @throws ApiError `invalid_body` for no JSON, or JSON nested too deep; TooManyValues
 */
export function parseJson(bytes: Uint8Array, mostValues = Number.POSITIVE_INFINITY): unknown {
  const { levels, commas, outline } = measure(bytes)
  if (levels > MOST_LEVELS)
    throw refusal('body', `The body nests lists and objects deeper than ${MOST_LEVELS} levels.`)
  if (commas >= mostValues)
    throw new TooManyValues(outline.length > LARGEST_OUTLINE ? undefined : parseJson(Buffer.from(outline)))
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

const COMMA = 0x2c
/** In characters; a message of JSON-RPC has a hundred. */
const LARGEST_OUTLINE = 2 ** 14

/** Measures what makes parsing slow, by the marks outside of strings: a megabyte of short values takes 30 ms. */
function measure(bytes: Uint8Array) {
  let levels = 0
  let commas = 0
  let isText = false
  let outline = ''
  let from = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) isText = !isText
    else if (isText) {
      if (byte === BACKSLASH) i++
    } else if (byte === COMMA) commas++
    else if (byte === LIST || byte === OBJECT) {
      if (++levels > MOST_LEVELS) break
      if (levels === 2 && outline.length <= LARGEST_OUTLINE) outline += `${textOf(bytes, from, i)}null`
    } else if (byte === LIST_END || byte === OBJECT_END) {
      if (levels-- === 2) from = i + 1
    }
  }
  return { levels, commas, outline: outline + textOf(bytes, from, bytes.length) }
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.subarray(from, Math.min(to, from + LARGEST_OUTLINE + 1))).toString()
}

function refusal(location: string, message: string): ApiError {
  return new ApiError('invalid_body', message, [{ location, message }])
}
