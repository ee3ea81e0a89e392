/**
 * Errors for callers. Each has one frozen code; `http/errors.ts` gives it a status and `commands/cli/exit-codes.ts` an
 * exit code.
 */

import type { ErrorCode } from './error-codes.ts'

/** One fault in a request: where it is, what is wrong, and what may have been meant. */
export interface Problem {
  /** `query.county[foo]`, `path.slug`, `body.label`, `header.authorization` */
  location: string
  message: string
  suggestions?: readonly string[]
}

/** A refusal with a frozen code. `message` names the offender and is shown to the caller unchanged. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly detail: readonly Problem[] | undefined
  /** Whole seconds after which the same request may succeed; for `rate_limited` and similar codes. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, detail?: readonly Problem[], retryAfter?: number) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.detail = detail
    this.retryAfter = retryAfter
  }
}

/** The content of a message, for programs and for pages in other languages: a code, and the values in the sentence. */
export interface Reason {
  readonly code: string
  readonly values: Readonly<Record<string, string | number>>
}

/** The process that did the work ended with this exit code and has already said why. */
export class EndedError extends Error {
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`it ended with ${exitCode}`)
    this.name = 'EndedError'
    this.exitCode = exitCode
  }
}

/** What ended a command: `failed` 1, `usage` 2, `unhealthy` 3, `refused` 4 (quarantine or drift), `damaged` 6. */
export type FailureKind = 'failed' | 'usage' | 'unhealthy' | 'refused' | 'damaged'

/** A command's refusal, written for the operator: what is wrong, where, and which option helps. */
export class CommandError extends Error {
  readonly kind: FailureKind
  /** The option that helps, for programs; null: none does. */
  readonly override: string | null
  /** The message for programs, if it is about a file or an address; else empty. */
  readonly reasons: readonly Reason[]

  constructor(
    kind: FailureKind,
    message: string,
    override: string | null = null,
    reasons: readonly Reason[] = [],
  ) {
    super(message)
    this.name = 'CommandError'
    this.kind = kind
    this.override = override
    this.reasons = reasons
  }
}

/** A stored file does not match its checksum. Only its own dataset becomes unavailable. */
export class DamagedFileError extends Error {
  readonly path: string

  constructor(path: string, what: string) {
    super(`${path} is damaged: ${what}`)
    this.name = 'DamagedFileError'
    this.path = path
  }
}

/** Whether an error says that a stored file is damaged or gone. */
export function saysDamage(error: unknown): error is Error {
  return error instanceof DamagedFileError || (error instanceof CommandError && error.kind === 'damaged')
}
