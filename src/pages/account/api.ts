/**
 * Calls of the public account API from a page. The session travels in its cookie, which no script reads; calls that
 * change something carry the CSRF token of `GET /me` (contract 5).
 */

import type { FoundSession } from '../../accounts/sessions.ts'
import type { ErrorCode, Problem } from '../../errors.ts'

/** Who is signed in: `GET /me`. */
export type Me = FoundSession['body']

/** An answer that is no success, or no answer at all. */
export class Refusal extends Error {
  readonly code: ErrorCode | 'offline'
  readonly problems: readonly Problem[]
  /** Seconds to wait, where the service said so. */
  readonly wait: number | undefined
  readonly requestId: string | undefined

  constructor(code: ErrorCode | 'offline', message: string, about: Partial<Refusal> = {}) {
    super(message)
    this.code = code
    this.problems = about.problems ?? []
    this.wait = about.wait
    this.requestId = about.requestId
  }

  /** Whether the page's CSRF token is of an older session: another one answers. */
  get isStaleToken(): boolean {
    return (
      this.code === 'csrf_failed' && this.problems.some(({ location }) => location === 'header.x-csrf-token')
    )
  }
}

/** What happens when a session ends under a page that needs one. */
let onSignedOut: () => void = () => {}

export function whenSignedOut(leave: () => void): void {
  onSignedOut = leave
}

/**
 * A call that needs no session.
 * @param path below `/account/api`
 * @throws Refusal
 */
export function callOpenly<T>(path: string, body: object): Promise<T> {
  return send<T>('POST', path, body, undefined)
}

/**
 * Reads something of the account.
 * @throws Refusal; when the session has ended the page is left instead
 */
export function read<T>(path: string): Promise<T> {
  return signedIn(send<T>('GET', path, undefined, undefined))
}

let me: Promise<Me> | undefined

/** Who is signed in; asked for once. */
function whoAmI(): Promise<Me> {
  me ??= read<Me>('/me').catch((error) => {
    me = undefined
    throw error
  })
  return me
}

/** Asks again: the profile was changed, or the address confirmed in another tab. */
export function whoAmINow(): Promise<Me> {
  me = undefined
  return whoAmI()
}

/**
 * Changes something.
 * @throws Refusal; when the session has ended the page is left instead
 */
export async function change<T>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  try {
    return await changeOnce<T>(method, path, body)
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isStaleToken) throw error
    // Somebody signed in again in another tab. Whoever it was: the same person may go on, another may not.
    const before = await me
    const now = await whoAmINow()
    if (before?.user.id !== now.user.id) throw error
    return await changeOnce<T>(method, path, body)
  }
}

async function changeOnce<T>(method: string, path: string, body: object | undefined): Promise<T> {
  const { csrf_token } = await whoAmI()
  return await signedIn(send<T>(method, path, body, csrf_token))
}

async function signedIn<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unauthenticated') throw error
    onSignedOut()
    // The page is being left: nothing on it should react any more.
    return await new Promise<never>(() => {})
  }
}

async function send<T>(
  method: string,
  path: string,
  body: object | undefined,
  csrfToken: string | undefined,
): Promise<T> {
  const headers = {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(csrfToken !== undefined && { 'X-CSRF-Token': csrfToken }),
  }
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const answer = await fetch(`/account/api${path}`, init).catch((error: Error) => {
    throw new Refusal('offline', error.message)
  })
  if (answer.status === 204) return undefined as T
  const content = await answer.json().catch(() => undefined)
  if (answer.ok && content !== undefined) return content as T
  throw toRefusal(answer, content)
}

function toRefusal(answer: Response, content: unknown): Refusal {
  const { code, message, detail } =
    (content as { error?: { code: ErrorCode; message: string; detail?: Problem[] } } | undefined)?.error ?? {}
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new Refusal(code ?? 'internal_error', message ?? answer.statusText, {
    problems: Array.isArray(detail) ? detail : [],
    wait: Number.isFinite(wait) ? wait : undefined,
    requestId: answer.headers.get('x-request-id') ?? undefined,
  })
}
