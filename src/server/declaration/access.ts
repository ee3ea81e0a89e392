/** Kinds of access: what a call needs, and what follows for every route of the kind. */

import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../base/error-codes.ts'
import { LIMITS } from '../../base/limits.ts'
import type { ExchangeTraits } from '../../http/exchange.ts'

type Scheme = 'ApiKey' | 'Session' | 'CsrfToken'

interface AccessKind extends ExchangeTraits {
  /** Security schemes in the description; any of these sets suffices. Reading needs no CSRF token. */
  readonly security: readonly (readonly Scheme[])[]
  /** Whether a call needs a key and counts against the account's quota. */
  readonly isCounted: boolean
  /** Whether a call may have a key, which is then counted; without one the limits of open pages apply. */
  readonly takesKey?: true
  /** Whether the setting `operate` decides who can reach it. */
  readonly isOperators?: true
  readonly errors: readonly ErrorCode[]
}

/** 1 MB (contract 2). */
const LARGEST_BODY = 2 ** 20
/** 16 KB are one or two packets. */
const ACCOUNT = {
  isCounted: false,
  isCrossOrigin: false,
  largestBody: 2 ** 14,
  bodySeconds: LIMITS.short_body_time.most,
} as const
const OPEN = { ...ACCOUNT, isCrossOrigin: true, largestBody: LARGEST_BODY } as const
/** Inside a session these are not 401, which would mean that the session has ended. */
const IN_SESSION = { invalid_credentials: 422, second_factor_required: 403 } as const
const KEY_REFUSALS = ['api_key_malformed', 'api_key_invalid', 'api_key_revoked', 'api_key_expired'] as const
const EVERYWHERE = ['payload_too_large', 'invalid_value', 'service_unavailable', 'internal_error'] as const

/** Routes for programs with a protocol of their own. */
const PORTAL: AccessKind = {
  ...OPEN,
  takesKey: true,
  security: [[], ['ApiKey']],
  errors: [...KEY_REFUSALS, 'rate_limited', 'quota_exceeded', ...EVERYWHERE],
}
/** CKAN's statuses for wrong arguments, wrong keys and unknown actions. */
const OF_CKAN: Partial<Record<ErrorCode, number>> = Object.fromEntries(
  ERROR_CODES.flatMap((code) => {
    const isKey = code.startsWith('api_key_')
    const status = code === 'not_found' ? 400 : isKey ? 403 : ERROR_STATUS[code] === 422 ? 409 : undefined
    return status === undefined ? [] : [[code, status]]
  }),
)

export type Access = OpenAccess | 'session' | 'change' | 'publisher' | OperatorAccess
type OpenAccess = 'none' | 'key' | 'mcp' | 'ckan' | 'visitor'
/** Reading, and changing. Both are 404 where the setting `operate` hides the desk. */
export type OperatorAccess = 'operator' | 'operation'

export const ACCESS: Readonly<Record<Access, AccessKind>> = {
  none: { ...OPEN, security: [], errors: EVERYWHERE },
  key: {
    ...OPEN,
    isCounted: true,
    security: [['ApiKey']],
    errors: ['api_key_missing', ...PORTAL.errors],
  },
  /** `server/mcp/mcp-route.ts` writes the bodies of refusals. */
  mcp: { ...PORTAL, errorSchema: 'McpError' },
  /** Uses CKAN's statuses; `server/ckan/ckan-error.ts` writes the bodies. */
  ckan: { ...PORTAL, statuses: OF_CKAN, errorSchema: 'CkanError' },
  /** Signing in and up: open, but not to pages of other sites. */
  visitor: { ...ACCOUNT, security: [], errors: ['csrf_failed', 'unknown_parameter', ...EVERYWHERE] },
  session: {
    ...ACCOUNT,
    security: [['Session']],
    statuses: IN_SESSION,
    errors: ['unauthenticated', 'second_factor_required', 'unknown_parameter', ...EVERYWHERE],
  },
  /** A session, and proof that its own console makes the call. */
  change: {
    ...ACCOUNT,
    security: [['Session', 'CsrfToken']],
    statuses: IN_SESSION,
    errors: ['csrf_failed', 'unauthenticated', 'second_factor_required', 'unknown_parameter', ...EVERYWHERE],
  },
  /** An operator's session. */
  operator: {
    ...ACCOUNT,
    isOperators: true,
    security: [['Session']],
    statuses: IN_SESSION,
    errors: [
      ...(['not_found', 'unauthenticated', 'role_missing', 'second_factor_required'] as const),
      ...(['unknown_parameter', ...EVERYWHERE] as const),
    ],
  },
  /** An operator's session, with the same proof. */
  operation: {
    ...ACCOUNT,
    isOperators: true,
    security: [['Session', 'CsrfToken']],
    statuses: IN_SESSION,
    errors: [
      ...(['not_found', 'csrf_failed', 'unauthenticated', 'role_missing'] as const),
      ...(['second_factor_required', 'unknown_parameter', ...EVERYWHERE] as const),
    ],
  },
  /** A publisher's session, with the same proof for changes, or a key with the scope. */
  publisher: {
    ...ACCOUNT,
    largestBody: LARGEST_BODY,
    // Over a slow line a megabyte takes half a minute.
    bodySeconds: LIMITS.body_time.most,
    statuses: IN_SESSION,
    security: [['ApiKey'], ['Session', 'CsrfToken']],
    errors: [
      ...([...KEY_REFUSALS, 'csrf_failed', 'unauthenticated', 'second_factor_required'] as const),
      ...(['role_missing', 'scope_missing', 'unknown_parameter', ...EVERYWHERE] as const),
    ],
  },
}

/** Addresses without a route are refused like the routes around them. */
const AREAS: readonly (readonly [path: string, access: Access])[] = [
  ['/v1', 'key'],
  ['/account', 'visitor'],
  ['/publish', 'visitor'],
  ['/open', 'visitor'],
  ['/operate', 'operator'],
  ['/api', 'ckan'],
  ['/datastore', 'ckan'],
]

export function accessAround(path: string): Access {
  const area = AREAS.find(([start]) => path === start || path.startsWith(`${start}/`))
  return area === undefined ? 'none' : area[1]
}
