/** Answering with a page: its headers, and 304 for a browser that already has it. */

import { notModified, weakEtag } from '../../http/etag.ts'
import type { Exchange } from '../../http/exchange.ts'
import { ACCOUNT_PAGE_HEADERS, NOT_KEPT, PAGE_HEADERS, SIGNED_IN_HEADERS } from '../../http/headers.ts'
import { type AnswerHeaders, respond, respondCompressed } from '../../http/respond.ts'
import { type Page, renderPage } from './layout.tsx'
import type { View } from './view.ts'

const encoder = new TextEncoder()

/** Answers 200 with a page, or 304. Pages of accounts are never cached. */
export function respondPage(view: View, page: Page): Response {
  const { exchange } = view
  const html = renderPage(view, page)
  const headers = pageHeaders(view)
  if (!exchange.traits.isCrossOrigin) return respondCompressed(exchange, 200, headers, encoder.encode(html))
  // A tag over the contents, which include the hashed names of scripts and styles.
  const etag = weakEtag(html)
  return (
    notModified(exchange, etag, headers) ??
    respondCompressed(exchange, 200, { ...headers, ETag: etag }, encoder.encode(html))
  )
}

/** Answers with a page of another status, which is never cached. */
export function respondPageWith(view: View, status: number, headers: AnswerHeaders, page: Page): Response {
  const all = { ...headers, ...pageHeaders(view), ...NOT_KEPT }
  return respondCompressed(view.exchange, status, all, encoder.encode(renderPage(view, page)))
}

/** Sends a browser on to another page (303: by GET). */
export function respondRedirect(exchange: Exchange, address: string): Response {
  return respond(
    exchange,
    303,
    { ...pageHeaders({ exchange, isSignedIn: false }), ...NOT_KEPT, Location: address },
    null,
  )
}

function pageHeaders({ exchange, isSignedIn }: Pick<View, 'exchange' | 'isSignedIn'>): AnswerHeaders {
  if (!exchange.traits.isCrossOrigin) return ACCOUNT_PAGE_HEADERS
  return isSignedIn ? SIGNED_IN_HEADERS : PAGE_HEADERS
}
