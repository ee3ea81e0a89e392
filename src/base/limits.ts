/**
 * Limits (contract 5): one table of what is limited, for which caller, how much, where it is counted and which code a refusal has.
 * The code that counts, the table in both guides to limits, and the metric `izvor_refused_total` come from it.
 */

import type { SettingName } from './config/config.ts'
import type { ErrorCode } from './error-codes.ts'
import { ApiError } from './errors.ts'

/**
 * What a limit counts by. `network`: an IPv4 address or an IPv6 /64; wider IPv6 networks have a multiple (`WIDER`).
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
  /** The limit is `most` divided by it. */
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

/** A limit of a number in a period. */
function attempts<const Most extends LimitRow['most']>(
  per: Whom,
  most: Most,
  seconds: number,
  what: Named,
  refusal = ATTEMPTS,
) {
  return { what, per, most, seconds, code: 'rate_limited', refusal } as const
}

/** As `attempts`, for work that is skipped in silence, since a refusal would tell who has an account. */
function skipped(per: Whom, most: number, seconds: number, what: Named) {
  return { ...attempts(per, most, seconds, what), code: null } as const
}

export const WINDOW_LIMITS = {
  sign_up: attempts('network', 5, HOUR, { en: 'sign-ups', ro: 'înregistrări' }),
  /** Judging a new password takes milliseconds of a core, also when it is refused. */
  password_checks: attempts('network', 30, MINUTE, {
    en: 'passwords judged at sign-up',
    ro: 'parole verificate la înregistrare',
  }),
  password_changes: attempts('account', 30, MINUTE, {
    en: 'new passwords judged',
    ro: 'parole noi verificate',
  }),
  /** Successful attempts count too. */
  sign_in: attempts('network', 10, MINUTE, { en: 'sign-ins', ro: 'autentificări' }),
  /** `sign-in.ts` gives networks that are known to an account a count of their own. */
  sign_in_failures: attempts('account', 30, HOUR, { en: 'wrong passwords', ro: 'parole greșite' }),
  unknown_failures: attempts('made_up', 30, HOUR, { en: 'wrong passwords', ro: 'parole greșite' }),
  /** Entries in the history of an account that is being blocked. */
  blocked_notes: skipped('account', 1, MINUTE, {
    en: 'blocked sign-ins in the history',
    ro: 'autentificări blocate, în istoric',
  }),
  confirmations: attempts('account', 30, HOUR, {
    en: 'wrong passwords while signed in',
    ro: 'parole greșite după autentificare',
  }),
  /** Counted as wrong passwords are. A million codes, three of which are right: ten an hour find one in four years. */
  second_factor: attempts('account', 10, HOUR, {
    en: 'wrong codes of a second factor',
    ro: 'coduri greșite ale celui de-al doilea factor',
  }),
  reset_requests: skipped('network', 30, HOUR, {
    en: 'requests for a new password',
    ro: 'cereri de parolă nouă',
  }),
  /** By the account's number, which clients cannot make up. */
  reset_mails: skipped('account', 5, HOUR, {
    en: 'mails to set a password',
    ro: 'mesaje pentru o parolă nouă',
  }),
  verification_mails: attempts('account', 5, HOUR, {
    en: 'mails to confirm an address',
    ro: 'mesaje de confirmare a adresei',
  }),
  calls: attempts(
    'key',
    'plan',
    MINUTE,
    { en: 'requests below `/v1`', ro: 'cereri sub `/v1`' },
    'This key may make {most} requests a minute; try again in {wait} s.',
  ),
  /** Files that a publisher sends or has fetched: each is written to the disk and read by a process of its own. */
  uploads: attempts(
    'publisher',
    60,
    MINUTE,
    { en: 'files sent or fetched', ro: 'fișiere trimise sau preluate' },
    'A publisher may send {most} files a minute, with all keys of the account; try again in {wait} s.',
  ),
  /** Other calls of a publisher that change something: each is a transaction, and many have a file read again. */
  changes: attempts(
    'publisher',
    300,
    MINUTE,
    { en: 'other changes of a publisher', ro: 'alte modificări ale unui editor' },
    'A publisher may make {most} changes a minute, with all keys of the account; try again in {wait} s.',
  ),
  open_rows: attempts(
    'network',
    'public_per_minute',
    MINUTE,
    { en: 'requests for rows without a key', ro: 'cereri de rânduri fără cheie' },
    'One address may make {most} requests a minute without a key; try again in {wait} s.',
  ),
} as const satisfies Readonly<Record<string, WindowLimit>>

export type WindowName = keyof typeof WINDOW_LIMITS

function held<const Most extends LimitRow['most'], const Code extends ErrorCode | null>(
  per: Whom,
  most: Most,
  code: Code,
  what: Named,
) {
  return { what, per, most, code }
}

/**
 * Counted while they last, by those who do the work: memory, places and bodies are those of one process, so each counts its
 * own. Quotas are counted as windows are.
 */
const HELD_LIMITS = {
  quota: held('account', 'plan', 'quota_exceeded', { en: 'calls of a month', ro: 'apeluri pe lună' }),
  key_queries: held('reader', 'max_queries_per_key', 'rate_limited', {
    en: 'long queries at once',
    ro: 'interogări lungi în același timp',
  }),
  /** Keys can have all places. */
  open_queries: {
    ...held('open', 'max_queries', 'service_unavailable', {
      en: 'long queries without a key at once',
      ro: 'interogări lungi fără cheie în același timp',
    }),
    share: 4,
  },
  queries: held('service', 'max_queries', 'service_unavailable', {
    en: 'long queries at once',
    ro: 'interogări lungi în același timp',
  }),
  query_time: held('query', 'query_deadline', 'service_unavailable', {
    en: 'work on one query',
    ro: 'lucrul la o interogare',
  }),
  /** Of one argument of a question that comes in a body (CKAN, MCP): `query/question-size.ts`. */
  question_values: held('query', 4000, 'invalid_value', {
    en: 'values of an argument in a body',
    ro: 'valori ale unui argument din conținut',
  }),
  question_size: held('query', 64, 'invalid_value', {
    en: 'KB of text of a question in a body',
    ro: 'KB de text ai unei întrebări din conținut',
  }),
  exports: held('key', 'max_exports', 'service_unavailable', {
    en: 'exports at once',
    ro: 'exporturi în același timp',
  }),
  open_exports: held('network', 6, 'service_unavailable', {
    en: 'downloads without a key at once',
    ro: 'descărcări fără cheie în același timp',
  }),
  all_exports: held('side', 'max_exports_total', 'service_unavailable', {
    en: 'exports at once',
    ro: 'exporturi în același timp',
  }),
  /** Of each of the two queues: people known to the account, and strangers. */
  password_work: held('service', 256, 'service_unavailable', {
    en: 'passwords waiting to be checked',
    ro: 'parole care așteaptă verificarea',
  }),
  /** Each uses a core, and memory for a part of the rows. */
  whole_files: held('service', 2, 'service_unavailable', {
    en: 'versions read in whole at once',
    ro: 'versiuni citite în întregime în același timp',
  }),
  /** Counted each time that the bound is reached. */
  connections: {
    ...held('service', 'max_connections', null, {
      en: 'connections of a process',
      ro: 'conexiuni ale unui proces',
    }),
    ends: true,
  },
  address_connections: held('network', 'max_connections_per_address', 'service_unavailable', {
    en: 'connections with a request in progress',
    ro: 'conexiuni cu o cerere în lucru',
  }),
  memory: held('service', 'memory_ceiling', 'service_unavailable', {
    en: 'memory of the process',
    ro: 'memoria procesului',
  }),
  /** Or a sixteenth of the memory, where that is less: `HeldBodies`. */
  held_bodies: held('service', 32, 'request_timeout', {
    en: 'MB of unfinished request bodies',
    ro: 'MB de conținut incomplet al cererilor',
  }),
  body_pace: held('body', 1, 'request_timeout', {
    en: 'KB a second at least, over 30 seconds',
    ro: 'KB pe secundă cel puțin, timp de 30 de secunde',
  }),
  /** `http/stream.ts` has what a reader may save. */
  download_pace: {
    ...held('download', 10, null, {
      en: 'KB a second at least that a download takes, over a minute',
      ro: 'KB pe secundă cel puțin, preluați de o descărcare, timp de un minut',
    }),
    ends: true,
  },
  body_time: held('body', 60, 'request_timeout', {
    en: 'seconds for a whole body of a publisher',
    ro: 'secunde pentru tot conținutul, la publicare',
  }),
  short_body_time: held('body', 10, 'request_timeout', {
    en: 'seconds for any other whole body',
    ro: 'secunde pentru orice alt conținut',
  }),
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
