/** The table of security headers: policies, CORS and caching, by kind of answer, as ready objects. */

/** Nothing served here may be framed, sniffed as another type, or load anything by itself. */
const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** Open data may be read from any page; keys travel in a header, never in a cookie, so `*` gives nothing away. */
const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, ETag, Link, Content-Disposition, Content-Range, Accept-Ranges, Repr-Digest, Last-Modified, ' +
    'WWW-Authenticate, Retry-After, Allow, RateLimit-Policy, RateLimit, ' +
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
} as const

/** No cache keeps a copy. */
export const NOT_KEPT = { 'Cache-Control': 'no-store' } as const

/** On every answer over https (RFC 6797): browsers use https alone for a year. */
export const HTTPS_HEADERS = { 'Strict-Transport-Security': 'max-age=31536000' } as const

/** Answer to a preflight request (Fetch standard); 86,400 s is the longest that browsers keep it. */
export const PREFLIGHT_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, If-None-Match, If-Range, Range, Content-Type, X-Request-Id, X-CKAN-API-Key, Mcp-Protocol-Version',
  'Access-Control-Max-Age': '86400',
} as const

/** `/v1` answers with status 200 and 304. */
export const API_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Accept-Encoding',
} as const

export const JSON_TYPE = 'application/json; charset=utf-8'

export const PUBLIC_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
} as const

/** Answers for one browser: no other site may read them, and no cache keeps a copy. */
export const ACCOUNT_HEADERS = {
  ...SECURITY_HEADERS,
  ...NOT_KEPT,
  Vary: 'Cookie, Accept-Encoding',
} as const

/** For `/health` and `/metrics`, which describe this moment only. */
export const PROBE_HEADERS = { ...PUBLIC_HEADERS, ...NOT_KEPT } as const

/** Seconds for which this service and caches keep the figures of `/stats`. */
export const STATS_KEPT_S = 10
export const STATS_HEADERS = {
  ...PUBLIC_HEADERS,
  'Cache-Control': `public, max-age=${STATS_KEPT_S}`,
} as const

/** The content under an asset's name never changes. */
export const ASSET_HEADERS = {
  ...PUBLIC_HEADERS,
  'Cache-Control': 'public, max-age=31536000, immutable',
} as const

/** A page runs and loads only what this service serves, without inline scripts and styles. */
const HTML = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'Referrer-Policy': 'same-origin',
} as const

export const PAGE_HEADERS = {
  ...PUBLIC_HEADERS,
  ...HTML,
  Vary: 'Accept, Accept-Language, Accept-Encoding',
} as const

/**
 * For pages in frames of other sites: no script and no form, and links do not reveal the embedding site.
 * @param sites as sources of the policy `frame-ancestors`
 */
export function framedHeaders(sites: string) {
  return {
    ...PAGE_HEADERS,
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; " +
      `frame-ancestors ${sites}`,
    'Referrer-Policy': 'no-referrer',
  } as const
}

/** For a picture, which any page may load and the sites may frame: nothing in it runs or loads. */
export function pictureHeaders(sites: string) {
  return {
    ...PUBLIC_HEADERS,
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; frame-ancestors ${sites}`,
    Vary: 'Accept-Language, Accept-Encoding',
  } as const
}

/** For a public page that names what one account may do. */
export const SIGNED_IN_HEADERS = {
  ...SECURITY_HEADERS,
  ...HTML,
  'Cache-Control': 'private, no-cache',
  Vary: 'Accept, Accept-Language, Cookie, Accept-Encoding',
} as const

export const ACCOUNT_PAGE_HEADERS = {
  ...ACCOUNT_HEADERS,
  ...HTML,
  Vary: 'Accept, Accept-Language, Cookie, Accept-Encoding',
} as const

/** Refusals outside the account's and the publisher's routes, which have `ACCOUNT_HEADERS`. */
export const ERROR_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  ...NOT_KEPT,
  Vary: 'Authorization, Accept-Encoding',
} as const

/** For the 400 that ends a connection. */
export const MALFORMED_HEADERS = {
  ...SECURITY_HEADERS,
  ...NOT_KEPT,
  Connection: 'close',
} as const

/** The name in `Content-Disposition` (RFC 6266, RFC 8187), as it was written; null where there is none. */
export function dispositionName(header: string | null): string | null {
  if (header === null) return null
  const extended = /;\s*filename\*\s*=\s*UTF-8''([^\s;]+)/i.exec(`;${header}`)?.[1]
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended)
    } catch {
      // Fall back to the plain name.
    }
  }
  const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(`;${header}`)?.[1]
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  return /;\s*filename\s*=\s*([^\s;"]+)/i.exec(`;${header}`)?.[1] ?? null
}

/** The last part of a path from any system, on one line, at most 255 characters; empty when nothing is left. */
export function plainFileName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const line = last.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return [...line].slice(0, 255).join('').replace(/^\.+$/, '')
}
