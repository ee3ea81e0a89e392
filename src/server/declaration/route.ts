/**
 * A route in one declaration: method, path, what a call needs and may send, what it answers, and the answering function.
 * The server, the 405s, the OpenAPI description and the documents come from the same declarations.
 */

import type { TSchema } from 'elysia'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import { readBody } from '../../http/body.ts'
import type { Call } from '../call.ts'
import type { ServerState } from '../state.ts'
import type { Access } from './access.ts'
import type { TObject } from './schema.ts'

/** Groups of routes in the description, in its order. */
export const TAGS = {
  Datasets: 'Rows of one dataset: lists and bulk export.',
  Catalog: 'Which datasets there are, and what is known of them.',
  Status: 'Health probes and statistics; no key needed.',
  Interoperability: 'The catalog in standard formats; no key needed.',
  Reference: 'This description; no key needed.',
  Account: 'Registering, signing in, sessions, passwords; by browser session.',
  'API keys': 'Keys of the account; by browser session.',
  Usage: 'What the keys of the account were used for; by browser session.',
  Operating: 'What operators do; by browser session, where the setting `operate` lets them.',
  Publishing: 'What publishers do; by browser session, or with a key that has the scope `publish`.',
} as const
export type Tag = keyof typeof TAGS

/** An answer in the description: JSON with the schema `body`, files of the media types `types`, or no body. */
export interface AnswerFacts {
  readonly says: string
  readonly body?: TSchema
  readonly types?: readonly string[]
  readonly headers?: readonly string[]
}

export interface Description {
  /** `operationId`, from which generated clients name their functions. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** Path parameters that are not in `path-parameters.ts`. */
  readonly params?: Readonly<Record<string, TSchema>>
  readonly query?: TObject
  readonly body?: TObject
  readonly bodyExample?: object
  /** The body is a file of any type, up to `max_upload`; the route itself reads it. */
  readonly takesFile?: true
  /** By status. A 304 is added where 200 has an `ETag`. */
  readonly answers: Readonly<Record<number, AnswerFacts>>
  /** Codes beyond those of the access, the path and the query. */
  readonly errors?: readonly ErrorCode[]
  /** The path in the description, where it differs. */
  readonly describedAs?: string
  /** The answer is sent while it is being made. */
  readonly isStreamed?: true
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Answer = Response | Promise<Response>

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
export type Params<Path extends string> = Readonly<Record<ParamNames<Path>, string>>

export interface Context<Path extends string = string> {
  readonly app: App
  readonly state: ServerState
  readonly exchange: Call
  readonly params: Params<Path>
}

export interface Route {
  readonly method: Method
  readonly path: string
  readonly access: Access
  /** Absent for pages and what they load. */
  readonly described?: Description
  readonly handle: (context: Context<never>) => Answer
  /** Answers a refusal in the form of the route's protocol; undefined answers as for all routes. */
  readonly refuse?: (context: Context<never>, error: unknown) => Promise<Response | undefined>
}

/** A GET route for programs. */
export function route<const Path extends string>(
  access: 'none' | 'key',
  path: Path,
  { handle, ...described }: Description & { readonly handle: (context: Context<Path>) => Answer },
): Route {
  return { method: 'GET', path, access, described, handle }
}

/** A route for a page, or for something that a page loads. */
export function page<const Path extends string>(
  path: Path,
  handle: (context: Context<Path>) => Answer,
  access: 'none' | 'visitor' | 'operator' = 'none',
): Route {
  return { method: 'GET', path, access, handle }
}

/** A route for a page's form, which works without scripts. Like pages, it is not in the description. */
export function form<const Path extends string>(
  path: Path,
  answer: (context: Context<Path>, fields: URLSearchParams) => Promise<Response>,
  access: 'visitor' | 'operation' = 'visitor',
): Route {
  return {
    method: 'POST',
    path,
    access,
    async handle(context: Context<never>) {
      const bytes = await readBody(context.exchange)
      return await answer(context, new URLSearchParams(Buffer.from(bytes).toString()))
    },
  }
}
