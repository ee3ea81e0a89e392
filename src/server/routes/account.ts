/** Accounts, their sessions, e-mail and passwords: `/account/api` (specification 4.2). */

import { t } from 'elysia'
import { listKeys } from '../../accounts/keys/keys.ts'
import { deleteAccount } from '../../accounts/people/delete-account.ts'
import { exportAccount } from '../../accounts/people/export-account.ts'
import { changePassword, forgotPassword, resetPassword } from '../../accounts/people/passwords/passwords.ts'
import {
  type FoundSession,
  listSessions,
  type OpenedSession,
  revokeOtherSessions,
  revokeSession,
  signOut,
} from '../../accounts/people/sign-in/sessions.ts'
import { listSignIns, signIn } from '../../accounts/people/sign-in/sign-in.ts'
import { signUp } from '../../accounts/people/sign-in/sign-up.ts'
import { resendVerification, verifyEmail } from '../../accounts/people/sign-in/verification.ts'
import { changeProfile } from '../../accounts/people/user.ts'
import { exportDaily, exportLogs } from '../../accounts/usage/summary.ts'
import type { App } from '../../app.ts'
import type { Exchange } from '../../http/exchange.ts'
import { JSON_TYPE } from '../../http/headers.ts'
import { preferredLanguage } from '../../http/negotiation.ts'
import { accountHeaders } from '../../http/respond.ts'
import { accountRoute, clientOf } from '../admission/account-route.ts'
import { dropSession, keepSession } from '../admission/session.ts'
import {
  ACCOUNT_EXPORT,
  EMAIL_REQUEST,
  PASSWORD_CHANGE_REQUEST,
  PASSWORD_REQUEST,
  PROFILE_REQUEST,
  RESET_REQUEST,
  SESSION,
  SESSION_RECORD,
  SIGN_IN,
  SIGN_IN_REQUEST,
  SIGN_UP_REQUEST,
  STATUS,
  TOKEN_REQUEST,
  USER,
} from '../bodies/account-bodies.ts'
import { limitParameter } from '../declaration/parameters.ts'
import type { Route } from '../declaration/route.ts'
import { respondMade } from '../made-answer.ts'
import { lastUsedIn } from './keys.ts'
import { SECOND_FACTOR_ROUTES, TOO_BUSY } from './second-factor.ts'

const EMAIL = 'ana.popescu@example.org'
const PASSWORD = 'patru furnici pe un balcon'
const NEW_PASSWORD = 'norii trec peste Ceahlau'
/** In the form of the tokens in mails. */
const TOKEN = 'b2xzIHRva2VuIG9mIGEgbWFpbCB0aGF0IGlzIGdvbmU'
const COOKIE = ['Set-Cookie']

export const ACCOUNT_ROUTES: readonly Route[] = [
  accountRoute('visitor', 'POST /account/api/signup', {
    id: 'signUp',
    summary: 'Register and be signed in',
    description:
      'Sends a mail that confirms the address; until then nothing is limited. 5 an hour from one address.',
    body: SIGN_UP_REQUEST,
    bodyExample: { email: EMAIL, password: PASSWORD, full_name: 'Ana Popescu', language: 'ro' },
    success: [201, SESSION],
    headers: COOKIE,
    errors: ['weak_password', 'email_taken', ...TOO_BUSY],
    async answer({ app, exchange, body: { email: address, ...rest } }) {
      const language = preferredLanguage(exchange.request.headers.get('accept-language'))
      const client = { ...clientOf(exchange), language }
      return opened(app, exchange, await signUp(app.accountService, { address, ...rest }, client, app.now()))
    },
  }),
  accountRoute('visitor', 'POST /account/api/login', {
    id: 'signIn',
    summary: 'Sign in',
    description:
      'Opens a new session. 10 a minute from one address; 30 failures an hour for one account from addresses that ' +
      'never signed in to it. An account with a second factor needs `code` as well; 10 wrong codes an hour.',
    body: SIGN_IN_REQUEST,
    bodyExample: { email: EMAIL, password: PASSWORD },
    success: [200, SESSION],
    headers: COOKIE,
    errors: ['invalid_credentials', 'second_factor_required', ...TOO_BUSY],
    async answer({ app, exchange, body: { email: address, ...rest } }) {
      const request = { address, ...rest }
      return opened(app, exchange, await signIn(app.accountService, request, clientOf(exchange), app.now()))
    },
  }),
  accountRoute('change', 'POST /account/api/logout', {
    beforeSecondFactor: true,
    id: 'signOut',
    summary: 'Sign out',
    success: [204],
    headers: COOKIE,
    async answer({ app, exchange, session }) {
      await signOut(app.accountService, session)
      dropSession(app, exchange)
    },
  }),
  accountRoute('session', 'GET /account/api/me', {
    beforeSecondFactor: true,
    id: 'showMe',
    summary: 'Show the signed-in account, with the CSRF token',
    success: [200, SESSION],
    headers: COOKIE,
    answer: ({ session }) => session.body,
  }),
  accountRoute('change', 'PATCH /account/api/me', {
    id: 'changeProfile',
    summary: 'Change the profile',
    description: 'A field that is left out stays as it is; null empties it.',
    body: PROFILE_REQUEST,
    bodyExample: { organization: 'Primăria Cluj-Napoca', language: 'en' },
    success: [200, USER],
    answer: ({ app, session, body }) => changeProfile(app.accountService, session, body),
  }),
  accountRoute('change', 'DELETE /account/api/me', {
    beforeSecondFactor: true,
    id: 'deleteAccount',
    summary: 'Delete the account',
    description: 'With all its keys, sessions, usage and logs, at once and for good.',
    body: PASSWORD_REQUEST,
    bodyExample: { password: PASSWORD },
    success: [204],
    headers: COOKIE,
    errors: ['invalid_credentials', 'last_operator', ...TOO_BUSY],
    async answer({ app, exchange, session, body }) {
      await deleteAccount(app.accountService, session, body, app.now())
      dropSession(app, exchange)
    },
  }),
  accountRoute('session', 'GET /account/api/export', {
    id: 'exportAccount',
    summary: 'Download everything stored about the account',
    description: 'Without secrets, of which only hashes are stored.',
    success: [200, ACCOUNT_EXPORT],
    headers: ['Content-Disposition'],
    isStreamed: true,
    answer: ({ app, exchange, session }) => answerExport(app, exchange, session),
  }),
  accountRoute('session', 'GET /account/api/sessions', {
    beforeSecondFactor: true,
    id: 'listSessions',
    summary: 'List the open sessions, newest first',
    success: [200, t.Array(SESSION_RECORD)],
    answer: ({ app, session }) => listSessions(app.accountService, session, app.now()),
  }),
  accountRoute('change', 'DELETE /account/api/sessions/:session_id', {
    beforeSecondFactor: true,
    id: 'revokeSession',
    summary: 'Sign another browser out',
    description: 'The current session can be signed out, too.',
    success: [204],
    headers: COOKIE,
    async answer({ app, exchange, session, params }) {
      await revokeSession(app.accountService, session, params.session_id, app.now())
      if (params.session_id === session.sessionId) dropSession(app, exchange)
    },
  }),
  accountRoute('change', 'POST /account/api/sessions/revoke-others', {
    beforeSecondFactor: true,
    id: 'revokeOtherSessions',
    summary: 'Sign all other browsers out',
    success: [200, STATUS],
    answer: ({ app, session }) => revokeOtherSessions(app.accountService, session, app.now()),
  }),
  accountRoute('session', 'GET /account/api/security/logins', {
    beforeSecondFactor: true,
    id: 'listSignIns',
    summary: 'List attempts to sign in, newest first',
    query: t.Object({ limit: limitParameter(100, 25) }),
    success: [200, t.Array(SIGN_IN)],
    answer: ({ app, session, query }) => listSignIns(app.accountService, session, query.limit),
  }),
  accountRoute('change', 'POST /account/api/email/resend-verification', {
    id: 'resendVerification',
    summary: 'Send the verification mail again',
    success: [202, STATUS],
    errors: ['rate_limited'],
    answer: ({ app, session }) => resendVerification(app.accountService, session, app.now()),
  }),
  accountRoute('visitor', 'POST /account/api/email/verify', {
    id: 'verifyEmail',
    summary: 'Confirm the e-mail address',
    description: 'The token of the mail is the proof; it works once, for 24 hours. No session is needed.',
    body: TOKEN_REQUEST,
    bodyExample: { token: TOKEN },
    success: [200, STATUS],
    errors: ['token_invalid'],
    answer: ({ app, body }) => verifyEmail(app.accountService, body, app.now()),
  }),
  accountRoute('visitor', 'POST /account/api/password/forgot', {
    id: 'forgotPassword',
    summary: 'Ask for a link to set a new password',
    description: 'The answer is the same whether or not there is such an account.',
    body: EMAIL_REQUEST,
    bodyExample: { email: EMAIL },
    success: [202, STATUS],
    answer: ({ app, exchange, body }) =>
      forgotPassword(app.accountService, { address: body.email }, clientOf(exchange), app.now()),
  }),
  accountRoute('visitor', 'POST /account/api/password/reset', {
    id: 'resetPassword',
    summary: 'Set a new password with the link',
    description:
      'The token works once, for 30 minutes; a refused password does not use it up. Ends every session; API keys stay.',
    body: RESET_REQUEST,
    bodyExample: { token: TOKEN, new_password: NEW_PASSWORD },
    success: [200, STATUS],
    errors: ['token_invalid', 'weak_password', 'service_unavailable'],
    answer: ({ app, body }) => resetPassword(app.accountService, body, app.now()),
  }),
  accountRoute('change', 'POST /account/api/password/change', {
    beforeSecondFactor: true,
    id: 'changePassword',
    summary: 'Change the password',
    description: 'All other sessions are signed out.',
    body: PASSWORD_CHANGE_REQUEST,
    bodyExample: { current_password: PASSWORD, new_password: NEW_PASSWORD },
    success: [200, STATUS],
    errors: ['invalid_credentials', 'weak_password', ...TOO_BUSY],
    answer: ({ app, session, body }) => changePassword(app.accountService, session, body, app.now()),
  }),
  ...SECOND_FACTOR_ROUTES,
]

function opened(app: App, exchange: Exchange, { token, body }: OpenedSession): OpenedSession['body'] {
  keepSession(app, exchange, token)
  return body
}

/** Streams the document, which logs make long. */
function answerExport(app: App, exchange: Exchange, session: FoundSession): Promise<Response> {
  const headers = {
    ...accountHeaders(exchange),
    'Content-Type': JSON_TYPE,
    'Content-Disposition': 'attachment; filename="izvor-account.json"',
  }
  const { accountService, accounts, usage, now } = app
  const make = async () => {
    const lastUsed = lastUsedIn(app)
    const keyIds = (await listKeys(accounts, session.userId, lastUsed)).map((key) => key.key_id)
    await usage.logs.settle()
    const sources = { lastUsed, daily: await exportDaily(usage, keyIds), logs: exportLogs(usage, keyIds) }
    return encodePieces(await exportAccount(accountService, session, sources, now()))
  }
  return respondMade(app, exchange, headers, make, { broke: 'an account export broke' })
}

/** One piece per turn of the event loop, so that other requests run between them. */
async function* encodePieces(pieces: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const piece of pieces) {
    yield encoder.encode(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
