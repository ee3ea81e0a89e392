/** Kinds of access: what a call needs, and what follows from it for every route of the kind. */

import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../base/error-codes.ts'
import { LIMITS } from '../../base/limits.ts'
import type { ExchangeTraits } from '../../http/exchange.ts'

type Scheme = 'ApiKey' | 'Session' | 'CsrfToken'

interface AccessKind extends ExchangeTraits {
  /** Schemes of the description: any of these sets. Reading needs no CSRF token. */
  readonly security: readonly (readonly Scheme[])[]
  /** Whether a call needs a key, and costs one of the account's quota. */
  readonly isCounted: boolean
  /** Whether a call may have a key, which then counts; without one it has the limits of open pages. */
  readonly takesKey?: true
  /** Whether the setting `operate` says who finds it. */
  readonly isOperators?: true
  readonly errors: readonly ErrorCode[]
}

/** Contract 2. */
const LARGEST_BODY = 2 ** 20
/** 16 KB are one or two packets. */
const ACCOUNT = {
  isCounted: false,
  isCrossOrigin: false,
  largestBody: 2 ** 14,
  bodySeconds: LIMITS.short_body_time.most,
} as const
const OPEN = { ...ACCOUNT, isCrossOrigin: true, largestBody: LARGEST_BODY } as const
/** What is wrong does not end the session that sent it. */
const IN_SESSION = { invalid_credentials: 422, second_factor_required: 403 } as const
const KEY_REFUSALS = ['api_key_malformed', 'api_key_invalid', 'api_key_revoked', 'api_key_expired'] as const
const EVERYWHERE = ['payload_too_large', 'invalid_value', 'service_unavailable', 'internal_error'] as const

/** What programs ask in their own protocols. */
const PORTAL: AccessKind = {
  ...OPEN,
  takesKey: true,
  security: [[], ['ApiKey']],
  errors: [...KEY_REFUSALS, 'rate_limited', 'quota_exceeded', ...EVERYWHERE],
}
/** Wrong arguments, wrong keys and unknown actions. */
const OF_CKAN: Partial<Record<ErrorCode, number>> = Object.fromEntries(
  ERROR_CODES.flatMap((code) => {
    const isKey = code.startsWith('api_key_')
    const status = code === 'not_found' ? 400 : isKey ? 403 : ERROR_STATUS[code] === 422 ? 409 : undefined
    return status === undefined ? [] : [[code, status]]
  }),
)

export type Access = OpenAccess | 'session' | 'change' | 'publisher' | OperatorAccess
type OpenAccess = 'none' | 'key' | 'mcp' | 'ckan' | 'visitor'
/** Looking, and changing. Both are 404 where the setting `operate` says so. */
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
  /** With the statuses of CKAN; `server/ckan/ckan-error.ts` writes the bodies. */
  ckan: { ...PORTAL, statuses: OF_CKAN, errorSchema: 'CkanError' },
  /** Open, but not to pages of other sites: signing in and up. */
  visitor: { ...ACCOUNT, security: [], errors: ['csrf_failed', 'unknown_parameter', ...EVERYWHERE] },
  session: {
    ...ACCOUNT,
    security: [['Session']],
    statuses: IN_SESSION,
    errors: ['unauthenticated', 'second_factor_required', 'unknown_parameter', ...EVERYWHERE],
  },
  /** A session, and the proof that its own console calls. */
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
  /** The same, and the proof that its own console calls. */
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
  /** A publisher's session, with the same proof where it changes something, or a key with the scope. */
  publisher: {
    ...ACCOUNT,
    largestBody: LARGEST_BODY,
    // A megabyte takes a slow line half a minute.
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
