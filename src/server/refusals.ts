/** The table from errors of lower layers to refusals. Any other error is logged, and the answer reveals nothing of it. */

import { hideKeys } from '../accounts/keys/key-format.ts'
import type { App } from '../app.ts'
import { ApiError, DamagedFileError } from '../base/errors.ts'
import { refuseBy } from '../base/limits.ts'
import { saysFilesShort } from '../base/process/open-files.ts'
import { isDamage, isUnusable } from '../db/open.ts'
import { memoryRefusal } from '../engine/memory/memory-ceiling.ts'
import { MemoryFullError, MemoryRefusedError } from '../engine/memory/regions.ts'
import { BusyError, DeadlineError } from '../engine/turns.ts'
import { UNEXPECTED } from '../http/errors.ts'
import type { Exchange } from '../http/exchange.ts'
import { MALFORMED_HEADERS } from '../http/headers.ts'
import { respond } from '../http/respond.ts'
import { adviseCheaperQuery } from '../query/query-shares.ts'

/** In seconds: long queries end within moments. */
const BUSY_RETRY_S = 1

type Asked = Pick<Exchange, 'query'>

/** Services that found a damaged database: nothing repairs it while they run. */
const damaged = new WeakSet<App>()

export function hasSeenDamage(app: App): boolean {
  return damaged.has(app)
}

const unavailable = (message: string, retryAfter?: number) =>
  new ApiError('service_unavailable', message, undefined, retryAfter)

export function filesRefusal(): ApiError {
  return unavailable('The service has no file left to open for this; try again in a moment.', BUSY_RETRY_S)
}

/** `logged`: the message for the error log, where the operator should act. */
const REFUSALS: readonly {
  readonly of: new (...values: never[]) => Error
  readonly refuse: (app: App, asked: Asked) => ApiError
  readonly logged?: string
}[] = [
  {
    of: BusyError,
    refuse: () =>
      refuseBy(
        'queries',
        `The service works on as many long queries as it can without keeping others waiting; try again in ${BUSY_RETRY_S} s.`,
        BUSY_RETRY_S,
      ),
  },
  {
    of: DeadlineError,
    refuse: ({ config }, { query }) =>
      refuseBy(
        'query_time',
        `This query was stopped: it took longer than ${config.query_deadline} s. ${adviseCheaperQuery(query)}`,
      ),
  },
  { of: MemoryRefusedError, refuse: memoryRefusal },
  {
    of: DamagedFileError,
    refuse: () =>
      unavailable(
        'This dataset cannot be read at the moment; others can. The log of the service says why, under the request id.',
      ),
    logged: 'a dataset cannot be read',
  },
  {
    of: MemoryFullError,
    refuse: () =>
      unavailable(
        'This query needs more memory than the dataset has left. Ask for less: fewer sort columns, or more filters.',
      ),
    logged: 'a query did not fit into memory',
  },
]

/**
 * Answers as `refuseMalformed` where the body broke off or has malformed chunks (RFC 9112, 7.1), which Bun does not tell
 * apart. Undefined for other failures.
 */
export function respondIfBroken(app: App, exchange: Exchange, error: unknown): Response | undefined {
  if (!(error instanceof Error) || error.name !== 'AbortError') return undefined
  app.log.debug(aboutOf(exchange), 'the body of a request was not complete')
  return respond(exchange, 400, MALFORMED_HEADERS, null)
}

export function toRefusal(app: App, exchange: Exchange, error: unknown): ApiError {
  return findRefusal(app, exchange, error, aboutOf(exchange))
}

function aboutOf({ request, requestId, path }: Exchange) {
  return { request_id: requestId, method: request.method, path: hideKeys(path) }
}

/**
 * As `toRefusal`, without an exchange.
 * @param asked holds the query string that failed @param about fields for the log
 */
export function findRefusal(app: App, asked: Asked, error: unknown, about: object): ApiError {
  if (error instanceof ApiError) return error
  if (saysFilesShort(error)) {
    app.log.error({ ...about, err: error }, 'a request failed for lack of open files')
    return filesRefusal()
  }
  if (isUnusable(error)) {
    app.log.error({ ...about, err: error }, 'a database cannot be used')
    if (isDamage(error)) damaged.add(app)
    return unavailable(
      'The service cannot read or write its records at the moment. Its log says why, under the request id.',
    )
  }
  const known = REFUSALS.find((row) => error instanceof row.of)
  const logged = known === undefined ? 'a request failed' : known.logged
  if (logged !== undefined) app.log.error({ ...about, err: error }, logged)
  return known?.refuse(app, asked) ?? new ApiError('internal_error', UNEXPECTED)
}
