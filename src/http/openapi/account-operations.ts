/** The kinds of account operations, with what each kind needs and may refuse (`http/account-calls.ts`). */

import {
  COMMON_ERRORS,
  type ErrorExample,
  emptyResponse,
  errorResponses,
  jsonResponse,
  type Meanings,
} from './responses.ts'
import { listOf, type Node, ref } from './schemas.ts'

export interface OperationFacts {
  readonly operationId: string
  readonly tag: 'Account' | 'API keys' | 'Usage'
  readonly summary: string
  readonly description?: string
  /** Status of the success, and the schema of its body: a name, the name of a list's items, or nothing. */
  readonly success: readonly [status: number, body?: string | readonly [items: string]]
  /** Response headers beyond those of every answer. */
  readonly headers?: readonly string[]
  readonly parameters?: readonly Node[]
  /** Schema of the request's body, and an example of it. */
  readonly body?: readonly [schema: string, example: object]
  /** Refusals beyond those of the kind. */
  readonly errors?: readonly ErrorExample[]
}

const MEANINGS: Meanings = {
  '401': 'Nobody is signed in, or e-mail address and password do not belong together.',
  '403': 'The call comes from a page of another site, or lacks the CSRF token of the session.',
  '404': 'The account has nothing of this name.',
  '409': 'It does not go with what is there.',
  '413': 'The request body is larger than 1 MB.',
  '422': 'The address or the body is not as it should be. `detail` names every offender.',
  '429': 'Too many attempts.',
  '500': 'The service failed; the log has the reason under the request id.',
  '503': 'Too many passwords are being checked at this moment.',
}

const FOREIGN: ErrorExample = {
  code: 'csrf_failed',
  message: 'This call comes from a page of another site.',
}
const NO_TOKEN: ErrorExample = {
  code: 'csrf_failed',
  message: 'The header X-CSRF-Token is missing: send the csrf_token of GET /account/api/me.',
}
const NOBODY: ErrorExample = {
  code: 'unauthenticated',
  message: 'Sign in first: there is no session, or it has ended.',
}
const UNKNOWN_PARAMETER: ErrorExample = { code: 'unknown_parameter', message: 'Unknown parameter "page".' }
const TOO_LARGE: ErrorExample = {
  code: 'payload_too_large',
  message: 'The request body is larger than 1 MB (1,048,576 bytes).',
}
const BAD_BODY: ErrorExample = {
  code: 'invalid_body',
  message: 'The body is empty; it has to be a JSON object.',
}

/** An operation open to everybody. */
export function byAnybody(path: string, facts: OperationFacts): Node {
  return operation(path, facts, [], [FOREIGN, UNKNOWN_PARAMETER, TOO_LARGE])
}

/** An operation that only shows something to who is signed in. */
export function byReader(path: string, facts: OperationFacts): Node {
  const unknown = { ...UNKNOWN_PARAMETER, request: `${path}?page=1` }
  return operation(path, facts, [{ Session: [] }], [NOBODY, unknown])
}

/** An operation of somebody signed in that changes something. */
export function byOwner(path: string, facts: OperationFacts): Node {
  const needed = [{ Session: [], CsrfToken: [] }]
  return operation(path, facts, needed, [NO_TOKEN, NOBODY, UNKNOWN_PARAMETER, TOO_LARGE])
}

function operation(
  path: string,
  facts: OperationFacts,
  security: readonly Node[],
  ownErrors: readonly ErrorExample[],
): Node {
  const { operationId, tag, summary, description, parameters = [], body, errors = [] } = facts
  const refusals = [...ownErrors, ...(body ? [BAD_BODY] : []), ...errors, ...COMMON_ERRORS]
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security,
    parameters,
    ...(body && { requestBody: requestBody(...body) }),
    responses: { ...successResponse(facts), ...errorResponses(refusals, path, MEANINGS) },
  }
}

function requestBody(schema: string, example: object): Node {
  return { required: true, content: { 'application/json': { schema: ref(schema), example } } }
}

function successResponse({ success: [status, body], summary, headers = [] }: OperationFacts): Node {
  const text = `${summary}: done.`
  if (body === undefined) return { [status]: emptyResponse(text, headers) }
  const schema = typeof body === 'string' ? ref(body) : listOf(ref(body[0]))
  return { [status]: jsonResponse(text, schema, headers) }
}
