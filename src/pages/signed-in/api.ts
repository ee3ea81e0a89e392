/**
 * Calls the public interfaces of account and desk from a page. The session cookie is hidden from scripts; calls
 * that change something send the CSRF token of `GET /account/api/me` (contract 5).
 */

import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import type { Problem } from '../../base/errors.ts'

export type Me = FoundSession['body']

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

  get isStaleToken(): boolean {
    return (
      this.code === 'csrf_failed' && this.problems.some(({ location }) => location === 'header.x-csrf-token')
    )
  }
}

/** Called when the page's session has ended. */
let onSignedOut: () => void = () => {}

export function whenSignedOut(leave: () => void): void {
  onSignedOut = leave
}

/** A call that needs no session. @throws Refusal */
export function callOpenly<T>(path: string, body: object): Promise<T> {
  return send<T>('POST', path, body)
}

/** Reads something that needs the session. @throws Refusal; if the session has ended, leaves the page instead */
export function read<T>(path: string): Promise<T> {
  return signedIn(send<T>('GET', path))
}

let me: Promise<Me> | undefined

/** The account and its CSRF token, fetched once; without it nothing can be changed, not even while the page is left. */
export function whoAmI(): Promise<Me> {
  me ??= read<Me>('/account/api/me').catch((error) => {
    me = undefined
    throw error
  })
  return me
}

/** As `whoAmI`, fetched again: the profile may have changed here or in another tab. */
export function whoAmINow(): Promise<Me> {
  me = undefined
  return whoAmI()
}

/** Changes something. @throws Refusal; if the session has ended, leaves the page instead */
export async function change<T>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  try {
    return await changeOnce<T>(method, path, body)
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isStaleToken) throw error
    // Another tab has signed in again. Repeat the call only for the same user.
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

export interface UploadProgress {
  readonly sent: number
  readonly total: number
}

/**
 * Sends a file as the body of a POST. Until the answer is here, the browser asks before the page is left.
 * @param signal aborts the upload; the promise is then rejected with the signal's reason
 * @throws Refusal; if the session has ended, leaves the page instead
 */
export async function upload<T>(
  path: string,
  file: File,
  onProgress: (progress: UploadProgress) => void,
  signal: AbortSignal,
): Promise<T> {
  // A fresh token: a long upload must not fail at its end because of an older session's.
  const { csrf_token } = await whoAmINow()
  // `fetch` does not report the progress of an upload.
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  request.open('POST', path)
  request.responseType = 'json'
  request.setRequestHeader('Accept', 'application/json')
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.setRequestHeader('X-CSRF-Token', csrf_token)
  request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total })
  request.onerror = () => reject(new Refusal('offline', ''))
  request.onabort = () => reject(signal.reason)
  request.onload = () => {
    const { status, statusText, response } = request
    if (status >= 200 && status < 300) return resolve(response as T)
    reject(toRefusal(statusText, (name) => request.getResponseHeader(name), response))
  }
  signal.addEventListener('abort', () => request.abort())
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  request.send(file)
  return await signedIn(promise.finally(() => removeEventListener('beforeunload', ask)))
}

async function signedIn<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'unauthenticated') throw error
    onSignedOut()
    // The browser is leaving the page, so the caller must not continue.
    return await new Promise<never>(() => {})
  }
}

const MOST_KEPT_ALIVE = 15_000

async function send<T>(method: string, path: string, body?: object, csrfToken?: string): Promise<T> {
  const headers = {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(csrfToken !== undefined && { 'X-CSRF-Token': csrfToken }),
  }
  const text = body === undefined ? undefined : JSON.stringify(body)
  // With keepalive a call survives leaving the page; browsers limit this to 64 KiB.
  const keepalive = text !== undefined && text.length < MOST_KEPT_ALIVE
  const init = { method, headers, keepalive, ...(text !== undefined && { body: text }) }
  const answer = await fetch(path, init).catch((error: Error) => {
    throw new Refusal('offline', error.message)
  })
  if (answer.status === 204) return undefined as T
  const content = await answer.json().catch(() => undefined)
  if (answer.ok && content !== undefined) return content as T
  throw toRefusal(answer.statusText, (name) => answer.headers.get(name), content)
}

function toRefusal(statusText: string, header: (name: string) => string | null, content: unknown): Refusal {
  const { code, message, detail } =
    (content as { error?: { code: ErrorCode; message: string; detail?: Problem[] } } | null | undefined)
      ?.error ?? {}
  const wait = Number(header('retry-after') ?? Number.NaN)
  return new Refusal(code ?? 'internal_error', message ?? statusText, {
    problems: Array.isArray(detail) ? detail : [],
    wait: Number.isFinite(wait) ? wait : undefined,
    requestId: header('x-request-id') ?? undefined,
  })
}
