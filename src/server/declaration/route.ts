/**
 * A route in one place: method, path, what a call needs and may send, what it answers, and the function that answers.
 * The server, the 405s, the OpenAPI description and the documents come from the same declarations.
 */

import { type TSchema, t } from 'elysia'
import type { App } from '../../app.ts'
import type { ErrorCode } from '../../base/error-codes.ts'
import type { Call } from '../call.ts'
import type { ServerState } from '../state.ts'
import type { Access } from './access.ts'
import type { TObject } from './schema.ts'

export type Tag =
  | 'Datasets'
  | 'Catalog'
  | 'Status'
  | 'Interoperability'
  | 'Reference'
  | 'Account'
  | 'API keys'
  | 'Usage'
  | 'Publishing'

/** An answer of the description. JSON by its schema, and files of the types; without both it has no body. */
export interface AnswerFacts {
  readonly says: string
  readonly body?: TSchema
  readonly types?: readonly string[]
  readonly headers?: readonly string[]
}

export const NOT_MODIFIED: AnswerFacts = {
  says: 'Nothing changed since the answer whose `ETag` was sent. It costs no call of the quota.',
  headers: ['ETag'],
}

export interface Description {
  /** `operationId`, from which generated clients name their functions. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TObject
  readonly bodyExample?: object
  /** The body is a file of any type, up to `max_upload`; the route itself takes it. */
  readonly takesFile?: true
  readonly answers: Readonly<Record<number, AnswerFacts>>
  /** Beyond those of the access. */
  readonly errors?: readonly ErrorCode[]
  /** The path in the description, where it has another form. */
  readonly describedAs?: string
  /** The answer is sent as it is made. */
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
  /** None for pages and what they load. */
  readonly described?: Description
  readonly handle: (context: Context<never>) => Answer
  /** Answers a refusal where the route's protocol has a form for it; undefined: as all routes do. */
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

/** A page, or something that a page loads. */
export function page<const Path extends string>(
  path: Path,
  handle: (context: Context<Path>) => Answer,
  access: 'none' | 'visitor' = 'none',
): Route {
  return { method: 'GET', path, access, handle }
}

/** A name in a path. The description takes its example from an existing dataset. */
export const pathParameter = (description: string) => t.String({ description, pattern: '^[a-z0-9_]{1,64}$' })
