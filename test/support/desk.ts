/** Publishers and what they do with drafts over HTTP, by key or in a browser. */

import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { setAccountRole } from '../../src/accounts/people/operator.ts'
import type { TestApp } from './app.ts'
import type { AccountApp, Browser } from './browser.ts'

export const DRAFTS = '/publish/api/drafts'
/** Drafts are read by a process started from the sources, and the machine may be busy. */
const PATIENCE_MS = 60_000

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked at field by field, as a client would
type Any = any
type Answer = Awaited<ReturnType<TestApp['get']>>
type Content = string | Uint8Array<ArrayBuffer> | ReadableStream

export interface DeskClient {
  readonly headers: Readonly<Record<string, string>>
  /** Paths are those below `/publish/api/drafts`. */
  call(method: string, path: string, body?: object): Promise<Answer>
  /** Uploads a file; returns the raw answer. @param query begins with `&` */
  upload(name: string, content: Content, query?: string): Promise<{ status: number; body: Any }>
  /** The draft, once no process works on it. */
  settled(id: string): Promise<Any>
  /** Uploads a file and waits until it is read. */
  read(name: string, content: Content, query?: string): Promise<Any>
  /** Decides about a draft and waits until it is read again. */
  decide(id: string, part: object): Promise<Any>
  /** Publishes. Returns status and code of a refusal, else the state of the draft. */
  publish(id: string, answers?: object): Promise<string>
}

/** A client with a key. @param userId of its account; the operator's when left out */
export async function openDesk(
  app: TestApp,
  scopes: readonly string[] = ['publish'],
  userId?: number,
): Promise<DeskClient> {
  const request = { label: 'desk', plan: 'unlimited', scopes, userId }
  const { secret } = await mintKey(app.app.accounts, OPERATOR, request, app.app.now())
  return clientOf(app, { authorization: `Bearer ${secret}` })
}

/** A client in a browser that is signed in. */
export function deskOf(accounts: AccountApp, { ip, cookie = '', csrf = '' }: Browser): DeskClient {
  return clientOf(accounts.app, { 'x-forwarded-for': ip, cookie, 'x-csrf-token': csrf })
}

/** Gives an account the role. @param publisher_domains null: all */
export function makePublisher(
  { app, now }: AccountApp,
  email: string,
  publisher_domains: string[] | null = null,
): Promise<unknown> {
  return setAccountRole(app.app.accounts, email, { role: 'publisher', publisher_domains }, now())
}

function clientOf(app: TestApp, headers: Readonly<Record<string, string>>): DeskClient {
  const call: DeskClient['call'] = (method, path, body) =>
    app.get(DRAFTS + path, {
      ...{ method, key: null },
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const settled: DeskClient['settled'] = async (id) => {
    const end = Date.now() + PATIENCE_MS
    for (;;) {
      const { body } = await call('GET', `/${id}?wait=25`)
      if (!['receiving', 'waiting', 'reading', 'publishing'].includes(body.state)) return body
      if (Date.now() > end) throw new Error(`the draft is still ${body.state}`)
    }
  }
  const upload: DeskClient['upload'] = async (name, content, query = '') => {
    const path = `${DRAFTS}?filename=${encodeURIComponent(name)}${query}`
    const answer = await app.fetch(path, { method: 'POST', key: null, headers, body: content })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  return {
    ...{ headers, call, upload, settled },
    async read(name, content, query) {
      const { status, body } = await upload(name, content, query)
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      return settled(body.id)
    },
    async decide(id, part) {
      const { status, text } = await call('PATCH', `/${id}`, part)
      if (status !== 200) throw new Error(`${status} ${text}`)
      return settled(id)
    },
    async publish(id, answers = {}) {
      const { status, body } = await call('POST', `/${id}/publish`, answers)
      return status >= 400 ? `${status} ${body.error.code}` : body.state
    },
  }
}
