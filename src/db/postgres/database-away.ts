/** Errors of PostgreSQL and of the connection to it, sorted by what the caller can do. */

import postgres from 'postgres'
import { ApiError, CommandError } from '../../base/errors.ts'
import { ReadablePassword } from './connection-security.ts'

/** The database is out of reach. Requests are answered with 503; the outcome of a commit under way is unknown. */
export class DatabaseAway extends ApiError {
  constructor(cause: unknown) {
    // Seconds after which a client may ask again: a restarted server is back by then.
    const retryAfter = 2
    const message = 'the database of this service cannot be reached; try again in a moment'
    super('service_unavailable', message, undefined, retryAfter)
    this.name = 'DatabaseAway'
    this.cause = cause
  }
}

/** The transaction conflicted with another one; a second run may succeed. */
export class TransactionConflict extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
    this.name = 'TransactionConflict'
  }
}

/** The server cannot serve now: it is starting or stopping, has no free connection or memory, or is a read-only copy. */
const AWAY = /^(08...|53...|57...|55P03|25006|25P0[34]|58...)$/
/** Refusals that waiting does not change, in words that follow "cannot use the database …:". */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password of this user',
  '28000': 'it refuses this user from this machine (pg_hba.conf)',
  '3D000': 'the server has no database of this name',
  '42501': 'this user may not make or use tables there',
  '22023': 'it refuses a setting of the connection',
}

/**
 * Translates an error of the driver for callers.
 * @returns DatabaseAway, TransactionConflict, or the server's error unchanged: a fault of ours, or a refused start
 */
export function explainPostgres(error: unknown): unknown {
  if (!(error instanceof postgres.PostgresError)) return new DatabaseAway(error)
  if (error.code === '40001' || error.code === '40P01') return new TransactionConflict(error)
  return AWAY.test(error.code) ? new DatabaseAway(error) : error
}

/** Whether an error is an answer of the server, after which the connection can be used. */
export function isAnswer(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError && error.severity_local !== 'FATAL' && error.severity !== 'FATAL'
  )
}

/**
 * The error of a start that must not go on, in a sentence that names the database and hides the password.
 * @returns CommandError `failed` when waiting would not help; else the error itself
 */
export function explainRefusal(url: string, error: unknown): unknown {
  const cause = error instanceof DatabaseAway && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof postgres.PostgresError ? REFUSALS[cause.code] : distrust(cause)
  if (reason === undefined) return error
  const said = (cause as Error).message
  return new CommandError('failed', `cannot use the database ${hidePassword(url)}: ${reason} (${said})`)
}

/** Why the server is not trusted, by its error; waiting does not change that. */
function distrust(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (error instanceof ReadablePassword) return 'this server gets no password without TLS'
  if (CERTIFICATE.test(code ?? '')) return 'its certificate does not prove that it is this server'
  return code === 'ECONNRESET' && error.message.includes('TLS')
    ? 'it does not speak TLS; where nobody else is on the way to it, add ?sslmode=disable'
    : undefined
}

/** OpenSSL's names of verification errors. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|INVALID_CA|HOSTNAME_)/

/** An address for messages and logs. */
export function hidePassword(url: string): string {
  try {
    const shown = new URL(url)
    if (shown.password !== '') shown.password = '***'
    for (const name of ['password', 'sslpassword']) {
      if (shown.searchParams.has(name)) shown.searchParams.set(name, '***')
    }
    return shown.href
  } catch {
    return 'of database_url'
  }
}
