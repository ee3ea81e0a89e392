/** Entity tags and conditional requests (RFC 9110, 8.8.3 and 13.1.2). */

import type { Exchange } from './exchange.ts'
import { type AnswerHeaders, respond } from './respond.ts'

/** 132 bits, six in each character. */
const TAG_CHARACTERS = 22

/**
 * A weak tag over everything that decides an answer except its time: weak because `generated_at` differs
 * from answer to answer. More than 128 bits of SHA-256, so that no two different answers share one.
 */
export function weakEtag(...parts: readonly (string | number | boolean)[]): string {
  // A line end separates the parts: none of ids, hashes, addresses and the query strings we write contains one.
  return `W/"${Bun.SHA256.hash(parts.join('\n'), 'base64url').slice(0, TAG_CHARACTERS)}"`
}

/** Whether an `If-None-Match` holds the tag (weak comparison) or is `*`. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  const opaque = etag.startsWith('W/') ? etag.slice('W/'.length) : etag
  return ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === opaque) ?? false
}

/**
 * The 304 for a client that has this answer already, else undefined. Call it after every refusal, before any work.
 * @param headers of the answer, except its tag; a prepared `Headers` is cheaper
 */
export function notModified(
  exchange: Exchange,
  etag: string,
  headers: AnswerHeaders | Headers,
): Response | undefined {
  const given = exchange.request.headers.get('if-none-match')
  if (given === null || !matchesEtag(given, etag)) return undefined
  const answer = respond(exchange, 304, headers, null)
  answer.headers.set('ETag', etag)
  return answer
}
