/**
 * The pages of the operators' desk (contract 15). They show the answers of `/operate/api`, and their forms call the same
 * operations, so that they work without scripts.
 */

import type { TSchema } from 'elysia'
import type { FoundSession } from '../../../accounts/people/sign-in/sessions.ts'
import { ApiError } from '../../../base/errors.ts'
import { writeQueryString } from '../../../base/text/query-string.ts'
import { statusOf } from '../../../http/errors.ts'
import { respondRedirect } from '../../../pages/layout/layout.tsx'
import type { View } from '../../../pages/layout/view.ts'
import { answerOperatePage } from '../../../pages/operate/answer-operate-page.tsx'
import {
  type Desk,
  FORM_FIELDS,
  OPERATE_PATHS,
  type OperateSection,
  type Sent,
} from '../../../pages/operate/operate-places.ts'
import { refuseForeignForm } from '../../admission/session.ts'
import { type Context, form, page, type Route } from '../../declaration/route.ts'
import type { TObject } from '../../declaration/schema.ts'
import { OPERATED_ACCOUNT_ROUTES } from './accounts.ts'
import { forOperator } from './for-operator.ts'
import { OPERATED_SERVICE_ROUTES } from './service.ts'

const OPERATIONS = new Map(
  [...OPERATED_ACCOUNT_ROUTES, ...OPERATED_SERVICE_ROUTES].map((route) => [route.described.id, route]),
)

export const OPERATE_PAGE_ROUTES: readonly Route[] = (Object.keys(OPERATE_PATHS) as OperateSection[]).flatMap(
  (section) => [
    page(
      OPERATE_PATHS[section],
      (context) =>
        forOperator(context.app, context.exchange, (view, session) =>
          answerOperatePage(deskOf(context, section, view, session)),
        ),
      'operator',
    ),
    form(
      OPERATE_PATHS[section],
      (context, fields) =>
        forOperator(context.app, context.exchange, (view, session) => {
          refuseForeignForm(context.exchange, fields, session)
          return carryOut(context, section, view, session, fields)
        }),
      'operation',
    ),
  ],
)

function deskOf(
  context: Context,
  section: OperateSection,
  view: View,
  session: FoundSession,
  sent: Sent | null = null,
): Desk {
  // Undefined for a path without parameters.
  const params = (context.params ?? {}) as Readonly<Record<string, string>>
  return {
    ...{ section, view, session, sent, params },
    async read<T>(operation: string, parameters: Readonly<Record<string, string | undefined>> = {}) {
      const query = Object.entries(parameters).flatMap(([name, value]) => (value ? [{ name, value }] : []))
      const asked = { session, query: writeQueryString(query) }
      return (await OPERATIONS.get(operation)!.ask(context as Context<never>, asked)) as T
    },
  }
}

/** Carries out a form, then shows its page again, with the answer where that is shown only once. */
async function carryOut(
  context: Context,
  section: OperateSection,
  view: View,
  session: FoundSession,
  fields: URLSearchParams,
): Promise<Response> {
  const operation = fields.get(FORM_FIELDS.operation) ?? ''
  const route = OPERATIONS.get(operation)
  if (route?.access !== 'operation') throw new ApiError('not_found', 'There is no such form at the desk.')
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const params = {
    ...Object.fromEntries(names.map((name) => [name, fields.get(name) ?? ''])),
    ...context.params,
  }
  const body = route.described.body === undefined ? {} : readForm(route.described.body, fields)
  const { exchange } = context
  const show = (came: Omit<Sent, 'operation' | 'fields'>, status: number) =>
    answerOperatePage(deskOf(context, section, view, session, { operation, fields, ...came }), status)
  try {
    // A backup takes long.
    const answer = await exchange.withoutIdleLimit(() =>
      route.ask({ ...context, params } as Context<never>, { session, body }),
    )
    const once = answer as { readonly secret?: string; readonly password_link?: string | null } | undefined
    if (once?.secret || once?.password_link) return await show({ refusal: null, answer: once }, 200)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return await show({ refusal: error, answer: {} }, statusOf(error.code, exchange.traits))
  }
  const stay = view.parameters.filter(({ name }) => name !== FORM_FIELDS.done)
  const next = operation === 'removeAccount' ? OPERATE_PATHS.accounts : view.path
  return respondRedirect(exchange, view.link(next, [...stay, { name: FORM_FIELDS.done, value: operation }]))
}

/** The fields of a form as the body of the call. An empty field is null where the schema allows null, else omitted. */
function readForm({ properties, required = [] }: TObject, fields: URLSearchParams): object {
  const body: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries<TSchema>(properties)) {
    const text = fields.get(name)
    if (text === null) continue
    const types = [(schema as { readonly type?: string | string[] }).type].flat()
    if (text.trim() !== '') body[name] = readField(types, text)
    else if (types.includes('null')) body[name] = null
    else if (required.includes(name)) body[name] = text
  }
  return body
}

function readField(types: readonly (string | undefined)[], text: string): unknown {
  if (types.includes('integer')) return /^\s*\d+\s*$/.test(text) ? Number(text) : text
  return types.includes('array') ? text.split(/[\s,]+/).filter((item) => item !== '') : text
}
