/**
 * Errors that a caller is meant to read. Each carries one frozen code; which HTTP status or exit code belongs to
 * it is decided at the edge (`http/errors.ts`, `main.ts`), so nothing here knows about either.
 */

/** Every code an answer may carry in `error.code`. Frozen: clients compare with them. */
export const ERROR_CODES = [
  'api_key_missing',
  'api_key_malformed',
  'api_key_invalid',
  'api_key_revoked',
  'rate_limited',
  'quota_exceeded',
  'dataset_not_found',
  'dataset_not_ingested',
  'unknown_column',
  'unknown_operator',
  'unknown_parameter',
  'duplicate_parameter',
  'invalid_value',
  'invalid_sort',
  'invalid_fields',
  'invalid_limit',
  'invalid_offset',
  'invalid_cursor',
  'cursor_expired',
  'cursor_conflict',
  'invalid_format',
  'invalid_body',
  'not_found',
  'method_not_allowed',
  'payload_too_large',
  'unauthenticated',
  'csrf_failed',
  'invalid_credentials',
  'email_taken',
  'weak_password',
  'token_invalid',
  'key_limit_reached',
  'key_not_found',
  'key_not_revoked',
  'key_not_active',
  'session_not_found',
  'service_unavailable',
  'internal_error',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** One offending place of a request: where it stands, what is wrong, and what may have been meant. */
export interface Problem {
  /** `query.county[foo]`, `path.slug`, `body.label`, `header.authorization` */
  location: string
  message: string
  suggestions?: readonly string[]
}

/** A refusal with a frozen code. `message` names the offender and is shown to the caller as it stands. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail: readonly Problem[] | undefined
  /** Whole seconds after which the same request may succeed; for `rate_limited` and its like. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, detail?: readonly Problem[], retryAfter?: number) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/** What ended a command: `failed` 1, `usage` 2, `unhealthy` 3, `refused` 4 (quarantine or drift), `damaged` 6. */
export type FailureKind = 'failed' | 'usage' | 'unhealthy' | 'refused' | 'damaged'

/** A command's refusal, written for the operator: what is wrong, where, and which option answers it. */
export class CommandError extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string) {
    super(message)
    this.name = 'CommandError'
    this.kind = kind
  }
}

/** A stored file that does not hold what its checksum promises. Takes out its own dataset and nothing else. */
export class DamagedFileError extends Error {
  readonly path: string

  constructor(path: string, what: string) {
    super(`${path} is damaged: ${what}`)
    this.name = 'DamagedFileError'
    this.path = path
  }
}
