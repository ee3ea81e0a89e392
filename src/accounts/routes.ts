/** Accounts, their sessions, e-mail and passwords: `/account/api` (specification 4.2). */

import {
  accountHeaders,
  answerAnybody,
  answerChange,
  answerChangeWith,
  answerReader,
  clientOf,
  respondAccount,
} from '../http/account-calls.ts'
import { integerParameter } from '../http/account-query.ts'
import { compressStream, negotiateEncoding } from '../http/compression.ts'
import { type Exchange, routeGroup } from '../http/exchange.ts'
import { JSON_TYPE } from '../http/headers.ts'
import { isHead } from '../http/plain-requests.ts'
import { respond } from '../http/respond.ts'
import type { Service } from '../http/service.ts'
import { dropSession, keepSession } from '../http/session.ts'
import { emptyStream, primed, streamBody } from '../http/stream.ts'
import { listAccountKeys } from '../keys/account-keys.ts'
import { preferredLanguage } from '../mail/language.ts'
import { exportDaily, exportLogs } from '../usage/export.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'
import { changePassword, forgotPassword, resetPassword } from './passwords.ts'
import { changeProfile } from './profile.ts'
import {
  readEmail,
  readPassword,
  readPasswordChange,
  readProfile,
  readReset,
  readSignIn,
  readSignUp,
  readToken,
} from './requests.ts'
import {
  type FoundSession,
  listSessions,
  type OpenedSession,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from './sessions.ts'
import { listSignIns, signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { resendVerification, verifyEmail } from './verification.ts'

/** Specification 8. */
const SIGN_IN_LIMIT = integerParameter({ min: 1, max: 100, fallback: 25 }, 'invalid_limit')

/** Everything about who somebody is; keys and usage have routes of their own. */
export function accountRoutes(service: Service) {
  return routeGroup()
    .use(signingRoutes(service))
    .use(profileRoutes(service))
    .use(sessionRoutes(service))
    .use(emailRoutes(service))
    .use(passwordRoutes(service))
    .get('/account/api/export', ({ exchange }) =>
      answerReader(exchange, {}, (session) => answerExport(exchange, session)),
    )
}

function signingRoutes({ accountService: desk, now }: Service) {
  return routeGroup()
    .post('/account/api/signup', ({ exchange }) =>
      answerAnybody(exchange, readSignUp, async (request) => {
        const language = preferredLanguage(exchange.request.headers.get('accept-language'))
        const opened = await signUp(desk, request, { ...clientOf(exchange), language }, now())
        return respondOpened(exchange, 201, opened)
      }),
    )
    .post('/account/api/login', ({ exchange }) =>
      answerAnybody(exchange, readSignIn, async (request) =>
        respondOpened(exchange, 200, await signIn(desk, request, clientOf(exchange), now())),
      ),
    )
    .post('/account/api/logout', ({ exchange }) =>
      answerChange(exchange, (session) => {
        signOut(desk, session)
        dropSession(exchange)
        return respondAccount(exchange, 204)
      }),
    )
}

function profileRoutes({ accountService: desk, now }: Service) {
  return routeGroup()
    .get('/account/api/me', ({ exchange }) =>
      answerReader(exchange, {}, (session) => respondAccount(exchange, 200, session.body)),
    )
    .patch('/account/api/me', ({ exchange }) =>
      answerChangeWith(exchange, readProfile, (session, request) =>
        respondAccount(exchange, 200, changeProfile(desk, session, request)),
      ),
    )
    .delete('/account/api/me', ({ exchange }) =>
      answerChangeWith(exchange, readPassword, async (session, request) => {
        await deleteAccount(desk, session, request, now())
        dropSession(exchange)
        return respondAccount(exchange, 204)
      }),
    )
}

function sessionRoutes({ accountService: desk, now }: Service) {
  return routeGroup()
    .get('/account/api/sessions', ({ exchange }) =>
      answerReader(exchange, {}, (session) =>
        respondAccount(exchange, 200, listSessions(desk, session, now())),
      ),
    )
    .delete('/account/api/sessions/:session_id', ({ exchange, params }) =>
      answerChange(exchange, (session) => {
        revokeSession(desk, session, params.session_id, now())
        if (params.session_id === session.sessionId) dropSession(exchange)
        return respondAccount(exchange, 204)
      }),
    )
    .post('/account/api/sessions/revoke-others', ({ exchange }) =>
      answerChange(exchange, (session) =>
        respondAccount(exchange, 200, revokeOtherSessions(desk, session, now())),
      ),
    )
    .get('/account/api/security/logins', ({ exchange }) =>
      answerReader(exchange, { limit: SIGN_IN_LIMIT }, (session, { limit }) =>
        respondAccount(exchange, 200, listSignIns(desk, session, limit)),
      ),
    )
}

function emailRoutes({ accountService: desk, now }: Service) {
  return routeGroup()
    .post('/account/api/email/resend-verification', ({ exchange }) =>
      answerChange(exchange, (session) =>
        respondAccount(exchange, 202, resendVerification(desk, session, now())),
      ),
    )
    .post('/account/api/email/verify', ({ exchange }) =>
      answerAnybody(exchange, readToken, (request) =>
        respondAccount(exchange, 200, verifyEmail(desk, request, now())),
      ),
    )
}

function passwordRoutes({ accountService: desk, now }: Service) {
  return routeGroup()
    .post('/account/api/password/forgot', ({ exchange }) =>
      answerAnybody(exchange, readEmail, (request) =>
        respondAccount(exchange, 202, forgotPassword(desk, request, clientOf(exchange), now())),
      ),
    )
    .post('/account/api/password/reset', ({ exchange }) =>
      answerAnybody(exchange, readReset, async (request) =>
        respondAccount(exchange, 200, await resetPassword(desk, request, now())),
      ),
    )
    .post('/account/api/password/change', ({ exchange }) =>
      answerChangeWith(exchange, readPasswordChange, async (session, request) =>
        respondAccount(exchange, 200, await changePassword(desk, session, request, now())),
      ),
    )
}

function respondOpened(exchange: Exchange, status: number, { token, body }: OpenedSession): Response {
  keepSession(exchange, token)
  return respondAccount(exchange, status, body)
}

const encoder = new TextEncoder()

/** Streams the document: logs make it long. */
async function answerExport(exchange: Exchange, session: FoundSession): Promise<Response> {
  const { request, service } = exchange
  const encoding = negotiateEncoding(request.headers.get('accept-encoding'))
  const headers = {
    ...accountHeaders(exchange),
    'Content-Type': JSON_TYPE,
    'Content-Disposition': 'attachment; filename="izvor-account.json"',
    ...(encoding !== null && { 'Content-Encoding': encoding }),
  }
  if (isHead(request)) return respond(exchange, 200, headers, emptyStream())

  const chunks = await primed(encodePieces(await openExport(service, session)))
  const body = streamBody(encoding === null ? chunks : compressStream(chunks, encoding), {
    failed: (error) =>
      service.log.error({ err: error, request_id: exchange.requestId }, 'an account export broke'),
    over: () => void chunks.return(undefined),
  })
  return respond(exchange, 200, headers, body)
}

async function openExport(service: Service, session: FoundSession): Promise<Generator<string>> {
  const { accountService, accounts, usage, now } = service
  const lastUsed = (keyId: number) => usage.lastUsed(keyId)
  const keyIds = listAccountKeys(accounts, session.userId, lastUsed).map((key) => key.key_id)
  await usage.logs.settle()
  const sources = { lastUsed, daily: exportDaily(usage, keyIds), logs: exportLogs(usage, keyIds) }
  return exportAccount(accountService, session, sources, now())
}

/** One piece a turn of the event loop, so that others get theirs. */
async function* encodePieces(pieces: Generator<string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield encoder.encode(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
