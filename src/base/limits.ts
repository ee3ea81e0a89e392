/**
 * Limits (contract 5): one table of what is limited, for which caller, by how much, and with which code a refusal. The
 * code that counts, the table in both guides to limits, and the metric `izvor_refused_total` come from it.
 */

import type { SettingName } from './config/config.ts'
import type { ErrorCode } from './error-codes.ts'
import { ApiError } from './errors.ts'

interface LimitRow {
  readonly per: string
  /** A number, the setting that holds it, or `plan`; for `body_pace` and `download_pace` it is a minimum. */
  readonly most: number | SettingName | 'plan'
  /** The refusal's code; null: the request succeeds, but the work is skipped. */
  readonly code: ErrorCode | null
  /** The connection ends without an answer. */
  readonly ends?: true
  /** The limit is `most` divided by this. */
  readonly share?: number
}

const MINUTE = 60
const HOUR = 3600

/** @param refusal the message, in which `{most}` and `{wait}` are filled in */
function attempts<const Per extends string, const Most extends LimitRow['most']>(
  per: Per,
  most: Most,
  seconds: number,
  refusal = 'Too many attempts. Try again in {wait} seconds.',
) {
  return { per, most, seconds, code: 'rate_limited', refusal } as const
}

/** For work that is skipped silently, since a refusal would reveal who has an account. */
function skipped<const Per extends string>(per: Per, most: number, seconds: number) {
  return { ...attempts(per, most, seconds), code: null } as const
}

/** Counted in a sliding window by `SlidingWindows`, for all processes of the service together. */
export const WINDOW_LIMITS = {
  sign_up: attempts('network', 5, HOUR),
  /** Judging a new password takes milliseconds of a core, even when it is refused. */
  password_checks: attempts('network', 30, MINUTE),
  password_changes: attempts('account', 30, MINUTE),
  /** Successful attempts count too. */
  sign_in: attempts('network', 10, MINUTE),
  /** `sign-in.ts` gives networks known to an account a count of their own. */
  sign_in_failures: attempts('account', 30, HOUR),
  unknown_failures: attempts('made_up', 30, HOUR),
  /** Entries in the history of an account that is being blocked. */
  blocked_notes: skipped('account', 1, MINUTE),
  confirmations: attempts('account', 30, HOUR),
  /** Counted like wrong passwords. Three in a million codes are right: ten attempts an hour find one in four years. */
  second_factor: attempts('account', 10, HOUR),
  reset_requests: skipped('network', 30, HOUR),
  /** By the account's number, which clients cannot make up. */
  reset_mails: skipped('account', 5, HOUR),
  verification_mails: attempts('account', 5, HOUR),
  calls: attempts(
    'key',
    'plan',
    MINUTE,
    'This key may make {most} requests a minute; try again in {wait} s.',
  ),
  /** Files that a publisher sends or has fetched: each is written to the disk and read by a process of its own. */
  uploads: attempts(
    'publisher',
    60,
    MINUTE,
    'A publisher may send {most} files a minute, with all keys of the account; try again in {wait} s.',
  ),
  /** Other calls of a publisher that change something: each is a transaction, and many have a file read again. */
  changes: attempts(
    'publisher',
    300,
    MINUTE,
    'A publisher may make {most} changes a minute, with all keys of the account; try again in {wait} s.',
  ),
  open_rows: attempts(
    'network',
    'public_per_minute',
    MINUTE,
    'One address may make {most} requests a minute without a key; try again in {wait} s.',
  ),
} as const

export type WindowName = keyof typeof WINDOW_LIMITS

/** Counted while they last, by the process that holds them. Quotas are counted in windows. */
const HELD_LIMITS = {
  quota: { per: 'account', most: 'plan', code: 'quota_exceeded' },
  key_queries: { per: 'reader', most: 'max_queries_per_key', code: 'rate_limited' },
  /** Queries with a key may take all places. */
  open_queries: { per: 'open', most: 'max_queries', code: 'service_unavailable', share: 4 },
  queries: { per: 'service', most: 'max_queries', code: 'service_unavailable' },
  query_time: { per: 'query', most: 'query_deadline', code: 'service_unavailable' },
  /** Values in one argument of a query in a body (CKAN, MCP): `query/question-size.ts`. */
  question_values: { per: 'query', most: 4000, code: 'invalid_value' },
  question_size: { per: 'query', most: 64, code: 'invalid_value' },
  exports: { per: 'key', most: 'max_exports', code: 'service_unavailable' },
  open_exports: { per: 'network', most: 6, code: 'service_unavailable' },
  all_exports: { per: 'side', most: 'max_exports_total', code: 'service_unavailable' },
  /** For each of two queues: people known to the account, and strangers. */
  password_work: { per: 'service', most: 256, code: 'service_unavailable' },
  /** Each uses a core, and memory for a part of the rows. */
  whole_files: { per: 'service', most: 2, code: 'service_unavailable' },
  /** Counted each time the limit is reached. */
  connections: { per: 'service', most: 'max_connections', code: null, ends: true },
  address_connections: { per: 'network', most: 'max_connections_per_address', code: 'service_unavailable' },
  memory: { per: 'service', most: 'memory_ceiling', code: 'service_unavailable' },
  /** Or a sixteenth of the memory, if that is less: `HeldBodies`. */
  held_bodies: { per: 'service', most: 32, code: 'request_timeout' },
  body_pace: { per: 'body', most: 1, code: 'request_timeout' },
  /** `http/stream.ts` says how much pace a reader may save up. */
  download_pace: { per: 'download', most: 10, code: null, ends: true },
  body_time: { per: 'body', most: 60, code: 'request_timeout' },
  short_body_time: { per: 'body', most: 10, code: 'request_timeout' },
} as const satisfies Readonly<Record<string, LimitRow>>

export const LIMITS = { ...WINDOW_LIMITS, ...HELD_LIMITS }
export type LimitName = keyof typeof LIMITS

/**
 * What a limit counts by. `network`: an IPv4 address or an IPv6 /64; wider IPv6 networks have a multiple (`WIDER`).
 * `made_up`: addresses without an account, which share a fixed number of counts. `publisher`: an account with all its
 * keys, or a key of the operator. `open`: all readers without a key together. `side`: these on one side, all with a key
 * on the other.
 */
export type Whom = (typeof LIMITS)[LimitName]['per']

/**
 * The wider networks of an IPv6 client, and how many times the limit of a /64 each has. Some customers are given a /56
 * or a /48 and may use every /64 in it, and many small customers may share one.
 */
export const WIDER = [
  { prefix: 56, times: 3 },
  { prefix: 48, times: 10 },
] as const

/** Refusals by limit since the process began. */
const refused = new Map<LimitName, number>()

export function refusedCounts(): readonly (readonly [limit: LimitName, count: number])[] {
  return (Object.keys(LIMITS) as LimitName[]).map((limit) => [limit, refused.get(limit) ?? 0])
}

export function noteRefused(limit: LimitName): void {
  refused.set(limit, (refused.get(limit) ?? 0) + 1)
}

/**
 * Makes the refusal by a limit, with its code, and counts it.
 * @param wait seconds after which the same request may succeed
 */
export function refuseBy(limit: LimitName, message: string, wait?: number): ApiError {
  noteRefused(limit)
  return new ApiError(LIMITS[limit].code ?? 'rate_limited', message, undefined, wait)
}
