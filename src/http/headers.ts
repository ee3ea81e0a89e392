/** Headers that answers share, as ready objects. */

/** Nothing served here may be framed, sniffed as another type, or load anything by itself. */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** Open data may be read from any page; keys travel in a header, never in a cookie, so `*` gives nothing away. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'X-Request-Id, ETag, Link, Content-Disposition, WWW-Authenticate, Retry-After, Allow, RateLimit-Policy, RateLimit, ' +
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
} as const

/** Answer to a preflight request (Fetch standard); 86,400 s is the longest that browsers keep it. */
export const PREFLIGHT_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, If-None-Match, X-Request-Id',
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

/** Answers that need no key. */
export const PUBLIC_HEADERS = {
  ...SECURITY_HEADERS,
  ...CORS_HEADERS,
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
} as const

/** Answers for one browser: no other site may read them, and no cache keeps a copy. */
export const ACCOUNT_HEADERS = {
  ...SECURITY_HEADERS,
  'Cache-Control': 'no-store',
  Vary: 'Cookie, Accept-Encoding',
} as const
