/** The responses of an operation: what its declaration answers, and one per status of the errors it may answer with. */

import { ERROR_TABLE, type ErrorCode } from '../../base/error-codes.ts'
import { statusOf } from '../../http/errors.ts'
import { ACCESS, type Access } from '../declaration/access.ts'
import type { AnswerFacts, Route } from '../declaration/route.ts'
import { EVERYWHERE, type HeaderName, headerRefs, LIMIT_HEADERS } from './headers.ts'
import type { Node } from './openapi31.ts'

/** @param bodies the plugin's responses, with the schemas of the bodies */
export function describeResponses(route: Route, bodies: Readonly<Record<string, Node>>): Node {
  const answers = Object.entries(route.described!.answers).map(([status, facts]) => [
    status,
    describeAnswer(route, facts, bodies[status]),
  ])
  return { ...describeErrors(route), ...Object.fromEntries(answers) }
}

function describeAnswer({ access }: Route, facts: AnswerFacts, body: Node | undefined): Node {
  const { says, types, headers = [] } = facts
  const limits = mayBeLimited(access) ? LIMIT_HEADERS : []
  return {
    description: says,
    headers: headerRefs([...EVERYWHERE, ...limits, ...headers]),
    ...((body?.content !== undefined || types !== undefined) && {
      content: Object.assign({}, body?.content, filesOf(types ?? [])),
    }),
  }
}

/** Whether answers to a key say what is left of its limits. */
function mayBeLimited(access: Access): boolean {
  return ACCESS[access].isCounted || ACCESS[access].takesKey === true
}

function filesOf(types: readonly string[]): Record<string, Node> {
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOfType(type) }]))
}

function schemaOfType(type: string): Node {
  // Validators take it for the schema of one event.
  if (type === 'text/event-stream') return { type: 'object' }
  return /\bjson$/.test(type) && !type.startsWith('application/x-') ? { type: 'object' } : { type: 'string' }
}

/** Every code that a route may answer with. */
export function errorCodesOf({ access, method, described }: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...ACCESS[access].errors, ...(described?.errors ?? [])])
  if (method === 'GET') codes.delete('csrf_failed')
  return [...codes]
}

function describeErrors(route: Route): Record<string, Node> {
  const byStatus = Map.groupBy(errorCodesOf(route), (code) => String(statusOf(code, ACCESS[route.access])))
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeError(route, status, codes)]),
  )
}

function describeError({ access }: Route, status: string, codes: readonly ErrorCode[]): Node {
  const wait: readonly HeaderName[] = ['429', '503'].includes(status) ? ['Retry-After'] : []
  const keyless = codes.some((code) => code.startsWith('api_key_'))
  const limits = mayBeLimited(access) && !keyless ? LIMIT_HEADERS : []
  const headers = [...EVERYWHERE, ...limits, ...wait, ...(keyless ? ['WWW-Authenticate'] : [])]
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_TABLE[code].meaning}.`).join('\n'),
    headers: { ...headerRefs(headers), Link: { $ref: '#/components/headers/HelpLink' } },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${ACCESS[access].errorSchema ?? 'Error'}` },
      },
    },
  }
}
