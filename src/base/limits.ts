/**
 * Limits (contract 5): one table of what is limited, for whom, how much, where it is counted and which code a refusal has.
 * The code that counts, the table in both guides to limits, and the metric `izvor_refused_total` come from it.
 */

import type { SettingName } from './config/config.ts'
import type { ErrorCode } from './error-codes.ts'
import { ApiError } from './errors.ts'

/**
 * Whom a limit counts. `network`: an IPv4 address or an IPv6 /64; wider IPv6 networks have a multiple (`WIDER`).
 * `made_up`: addresses without an account, which share a fixed number of counts. `publisher`: an account with all its keys, or
 * a key of the operator. `open`: all who read without a key;
 * `side`: these, and all with one.
 */
export type Whom =
  | 'network'
  | 'account'
  | 'made_up'
  | 'key'
  | 'publisher'
  | 'reader'
  | 'open'
  | 'side'
  | 'service'
  | 'query'
  | 'body'
  | 'download'

interface Named {
  readonly en: string
  readonly ro: string
}

interface LimitRow {
  /** What is counted, as the guides name it. */
  readonly what: Named
  readonly per: Whom
  /** A number, the setting that holds it, or `plan`; of `body_pace` and `download_pace` the least. */
  readonly most: number | SettingName | 'plan'
  /** Of the refusal; null: the request succeeds, but the work is skipped. */
  readonly code: ErrorCode | null
  /** The connection ends, without an answer. */
  readonly ends?: true
  /** One in so many of `most`. */
  readonly share?: number
}

/** Counted in a window that slides, by `SlidingWindows`, for all processes that serve the same. */
interface WindowLimit extends LimitRow {
  readonly seconds: number
  /** What a refusal says, `{most}` and `{wait}` filled in. */
  readonly refusal: string
}

const MINUTE = 60
const HOUR = 3600
const ATTEMPTS = 'Too many attempts. Try again in {wait} seconds.'

/** A limit of so many in a period, whose refusal says no more than when to try again. */
function attempts(per: Whom, most: number, seconds: number, en: string, ro: string) {
  return { what: { en, ro }, per, most, seconds, code: 'rate_limited', refusal: ATTEMPTS } as const
}

/** As `attempts`, for work that is skipped in silence, since a refusal would tell who has an account. */
function skipped(per: Whom, most: number, seconds: number, en: string, ro: string) {
  return { ...attempts(per, most, seconds, en, ro), code: null } as const
}

export const WINDOW_LIMITS = {
  sign_up: attempts('network', 5, HOUR, 'sign-ups', 'înregistrări'),
  /** Judging a new password takes milliseconds of a core, also when it is refused. */
  password_checks: attempts(
    'network',
    30,
    MINUTE,
    'passwords judged at sign-up',
    'parole verificate la înregistrare',
  ),
  password_changes: attempts('account', 30, MINUTE, 'new passwords judged', 'parole noi verificate'),
  /** Successful attempts count too. */
  sign_in: attempts('network', 10, MINUTE, 'sign-ins', 'autentificări'),
  /** `sign-in.ts` gives networks that are known to an account a count of their own. */
  sign_in_failures: attempts('account', 30, HOUR, 'wrong passwords', 'parole greșite'),
  unknown_failures: attempts('made_up', 30, HOUR, 'wrong passwords', 'parole greșite'),
  /** Entries in the history of an account that is being blocked. */
  blocked_notes: skipped(
    'account',
    1,
    MINUTE,
    'blocked sign-ins in the history',
    'autentificări blocate, în istoric',
  ),
  confirmations: attempts(
    'account',
    30,
    HOUR,
    'wrong passwords while signed in',
    'parole greșite după autentificare',
  ),
  /** Counted as wrong passwords are. A million codes, three of which are right: ten an hour find one in four years. */
  second_factor: attempts(
    'account',
    10,
    HOUR,
    'wrong codes of a second factor',
    'coduri greșite ale celui de-al doilea factor',
  ),
  reset_requests: skipped('network', 30, HOUR, 'requests for a new password', 'cereri de parolă nouă'),
  /** By the account's number, which clients cannot make up. */
  reset_mails: skipped('account', 5, HOUR, 'mails to set a password', 'mesaje pentru o parolă nouă'),
  verification_mails: attempts(
    'account',
    5,
    HOUR,
    'mails to confirm an address',
    'mesaje de confirmare a adresei',
  ),
  calls: {
    what: { en: 'requests below `/v1`', ro: 'cereri sub `/v1`' },
    per: 'key',
    most: 'plan',
    seconds: MINUTE,
    code: 'rate_limited',
    refusal: 'This key may make {most} requests a minute; try again in {wait} s.',
  },
  /** Files that a publisher sends or has fetched: each is written to the disk and read by a process of its own. */
  uploads: {
    what: { en: 'files sent or fetched', ro: 'fișiere trimise sau preluate' },
    per: 'publisher',
    most: 60,
    seconds: MINUTE,
    code: 'rate_limited',
    refusal:
      'A publisher may send {most} files a minute, with all keys of the account; try again in {wait} s.',
  },
  /** Other calls of a publisher that change something: each is a transaction, and many have a file read anew. */
  changes: {
    what: { en: 'other changes of a publisher', ro: 'alte modificări ale unui editor' },
    per: 'publisher',
    most: 300,
    seconds: MINUTE,
    code: 'rate_limited',
    refusal:
      'A publisher may make {most} changes a minute, with all keys of the account; try again in {wait} s.',
  },
  open_rows: {
    what: { en: 'requests for rows without a key', ro: 'cereri de rânduri fără cheie' },
    per: 'network',
    most: 'public_per_minute',
    seconds: MINUTE,
    code: 'rate_limited',
    refusal: 'One address may make {most} requests a minute without a key; try again in {wait} s.',
  },
} as const satisfies Readonly<Record<string, WindowLimit>>

export type WindowName = keyof typeof WINDOW_LIMITS

/**
 * Counted while they last, by those who do the work: memory, places and bodies are those of one process, so each counts its
 * own. Quotas are counted as windows are.
 */
const HELD_LIMITS = {
  quota: {
    what: { en: 'calls of a month', ro: 'apeluri pe lună' },
    per: 'account',
    most: 'plan',
    code: 'quota_exceeded',
  },
  key_queries: {
    what: { en: 'long queries at once', ro: 'interogări lungi în același timp' },
    per: 'reader',
    most: 'max_queries_per_key',
    code: 'rate_limited',
  },
  open_queries: {
    what: { en: 'long queries without a key at once', ro: 'interogări lungi fără cheie în același timp' },
    per: 'open',
    most: 'max_queries',
    /** Keys can have all places. */
    share: 4,
    code: 'service_unavailable',
  },
  queries: {
    what: { en: 'long queries at once', ro: 'interogări lungi în același timp' },
    per: 'service',
    most: 'max_queries',
    code: 'service_unavailable',
  },
  query_time: {
    what: { en: 'work on one query', ro: 'lucrul la o interogare' },
    per: 'query',
    most: 'query_deadline',
    code: 'service_unavailable',
  },
  /** Of one argument of a question that comes in a body (CKAN, MCP): `query/question-size.ts`. */
  question_values: {
    what: { en: 'values of an argument in a body', ro: 'valori ale unui argument din conținut' },
    per: 'query',
    most: 4000,
    code: 'invalid_value',
  },
  question_size: {
    what: { en: 'KB of text of a question in a body', ro: 'KB de text ai unei întrebări din conținut' },
    per: 'query',
    most: 64,
    code: 'invalid_value',
  },
  exports: {
    what: { en: 'exports at once', ro: 'exporturi în același timp' },
    per: 'key',
    most: 'max_exports',
    code: 'service_unavailable',
  },
  open_exports: {
    what: { en: 'downloads without a key at once', ro: 'descărcări fără cheie în același timp' },
    per: 'network',
    most: 6,
    code: 'service_unavailable',
  },
  all_exports: {
    what: { en: 'exports at once', ro: 'exporturi în același timp' },
    per: 'side',
    most: 'max_exports_total',
    code: 'service_unavailable',
  },
  /** Of each of the two queues: people known to the account, and strangers. */
  password_work: {
    what: { en: 'passwords waiting to be checked', ro: 'parole care așteaptă verificarea' },
    per: 'service',
    most: 256,
    code: 'service_unavailable',
  },
  /** Each uses a core, and memory for a part of the rows. */
  whole_files: {
    what: { en: 'versions read in whole at once', ro: 'versiuni citite în întregime în același timp' },
    per: 'service',
    most: 2,
    code: 'service_unavailable',
  },
  /** Counted each time that the bound is reached. */
  connections: {
    what: { en: 'connections of a process', ro: 'conexiuni ale unui proces' },
    per: 'service',
    most: 'max_connections',
    code: null,
    ends: true,
  },
  address_connections: {
    what: { en: 'connections with a request in progress', ro: 'conexiuni cu o cerere în lucru' },
    per: 'network',
    most: 'max_connections_per_address',
    code: 'service_unavailable',
  },
  memory: {
    what: { en: 'memory of the process', ro: 'memoria procesului' },
    per: 'service',
    most: 'memory_ceiling',
    code: 'service_unavailable',
  },
  /** Or a sixteenth of the memory, where that is less: `HeldBodies`. */
  held_bodies: {
    what: { en: 'MB of unfinished request bodies', ro: 'MB de conținut incomplet al cererilor' },
    per: 'service',
    most: 32,
    code: 'request_timeout',
  },
  body_pace: {
    what: {
      en: 'KB a second at least, over 30 seconds',
      ro: 'KB pe secundă cel puțin, timp de 30 de secunde',
    },
    per: 'body',
    most: 1,
    code: 'request_timeout',
  },
  /** `http/stream.ts` has what a reader may save. */
  download_pace: {
    what: {
      en: 'KB a second at least that a download takes, over a minute',
      ro: 'KB pe secundă cel puțin, preluați de o descărcare, timp de un minut',
    },
    per: 'download',
    most: 10,
    code: null,
    ends: true,
  },
  body_time: {
    what: {
      en: 'seconds for a whole body of a publisher',
      ro: 'secunde pentru tot conținutul, la publicare',
    },
    per: 'body',
    most: 60,
    code: 'request_timeout',
  },
  short_body_time: {
    what: { en: 'seconds for any other whole body', ro: 'secunde pentru orice alt conținut' },
    per: 'body',
    most: 10,
    code: 'request_timeout',
  },
} as const satisfies Readonly<Record<string, LimitRow>>

export const LIMITS = { ...WINDOW_LIMITS, ...HELD_LIMITS }
export type LimitName = keyof typeof LIMITS

/**
 * Of an IPv6 customer's wider networks, and how many times the limit of a /64 each has. Some customers are given a /56 or a
 * /48 and may use every /64 in it, and many small customers may share one.
 */
export const WIDER = [
  { prefix: 56, times: 3 },
  { prefix: 48, times: 10 },
] as const

/** By limit, since the process began. */
const refused = new Map<LimitName, number>()

/** How many requests each limit refused, or how much work it skipped, since the process began. */
export function refusedCounts(): readonly (readonly [limit: LimitName, count: number])[] {
  return (Object.keys(LIMITS) as LimitName[]).map((limit) => [limit, refused.get(limit) ?? 0])
}

/** Counts a refusal, or work that was skipped without one. */
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
