/** Accounts, sessions, e-mail and passwords: the routes of `accounts/routes.ts`, described. */

import { byAnybody, byOwner, byReader } from './account-operations.ts'
import { queryParameter } from './parameters.ts'
import type { ErrorExample } from './responses.ts'
import type { Node } from './schemas.ts'

const BASE = '/account/api'
const COOKIE = ['Set-Cookie'] as const
const EMAIL = 'ana.popescu@example.org'
const PASSWORD = 'patru furnici pe un balcon'
const NEW_PASSWORD = 'norii trec peste Ceahlau'
/** Of the shape that mails carry. */
const TOKEN = 'b2xzIHRva2VuIG9mIGEgbWFpbCB0aGF0IGlzIGdvbmU'
const SESSION_ID = 'mK3vQ81nXc05LwTzBd27Hs'

const TOO_OFTEN: ErrorExample = {
  code: 'rate_limited',
  message: 'Too many attempts. Try again in 60 seconds.',
}
const BUSY: ErrorExample = {
  code: 'service_unavailable',
  message: 'Too many people are signing in at this moment. Try again in a few seconds.',
}
const WEAK: ErrorExample = {
  code: 'weak_password',
  message: 'A password has at least 10 characters.',
}
const STALE: ErrorExample = {
  code: 'token_invalid',
  message: 'This link is not valid: it was used, replaced by a newer one, or has expired. Ask for a new one.',
}
const WRONG: ErrorExample = { code: 'invalid_credentials', message: 'The current password is not right.' }

export function accountPaths(): Record<string, Node> {
  return { ...signingPaths(), ...profilePaths(), ...sessionPaths(), ...emailPaths(), ...passwordPaths() }
}

function signingPaths(): Record<string, Node> {
  const [signup, login, logout] = [`${BASE}/signup`, `${BASE}/login`, `${BASE}/logout`]
  return {
    [signup]: {
      post: byAnybody(signup, {
        ...{ operationId: 'signUp', tag: 'Account', summary: 'Register and be signed in' },
        description:
          'Sends a mail that confirms the address; until then nothing is limited. 5 an hour from one address.',
        ...{ success: [201, 'Session'], headers: COOKIE },
        body: [
          'SignUpRequest',
          { email: EMAIL, password: PASSWORD, full_name: 'Ana Popescu', language: 'ro' },
        ],
        errors: [
          WEAK,
          {
            code: 'email_taken',
            message: `There is an account with the address ${EMAIL} already. Sign in, or ask for a new password.`,
          },
          ...[TOO_OFTEN, BUSY],
        ],
      }),
    },
    [login]: {
      post: byAnybody(login, {
        ...{ operationId: 'signIn', tag: 'Account', summary: 'Sign in' },
        description:
          'Opens a new session. 10 a minute from one address; 30 failures an hour for one account from addresses that ' +
          'never signed in to it.',
        ...{ success: [200, 'Session'], headers: COOKIE },
        body: ['SignInRequest', { email: EMAIL, password: PASSWORD }],
        errors: [
          {
            code: 'invalid_credentials',
            message: 'There is no account with this e-mail address and password.',
          },
          ...[TOO_OFTEN, BUSY],
        ],
      }),
    },
    [logout]: {
      post: byOwner(logout, {
        ...{ operationId: 'signOut', tag: 'Account', summary: 'Sign out' },
        ...{ success: [204], headers: COOKIE },
      }),
    },
  }
}

function profilePaths(): Record<string, Node> {
  const [me, download] = [`${BASE}/me`, `${BASE}/export`]
  return {
    [me]: {
      get: byReader(me, {
        ...{ operationId: 'showMe', tag: 'Account', summary: 'Who is signed in, with the CSRF token' },
        ...{ success: [200, 'Session'], headers: COOKIE },
      }),
      patch: byOwner(me, {
        ...{ operationId: 'changeProfile', tag: 'Account', summary: 'Change the profile' },
        description: 'A field that is left out stays as it is; null empties it.',
        success: [200, 'User'],
        body: ['ProfileRequest', { organization: 'Primăria Cluj-Napoca', language: 'en' }],
      }),
      delete: byOwner(me, {
        ...{ operationId: 'deleteAccount', tag: 'Account', summary: 'Delete the account' },
        description: 'With all its keys, sessions, usage and logs, at once and for good.',
        ...{ success: [204], headers: COOKIE },
        ...{ body: ['PasswordRequest', { password: PASSWORD }], errors: [WRONG, TOO_OFTEN, BUSY] },
      }),
    },
    [download]: {
      get: byReader(download, {
        ...{
          operationId: 'exportAccount',
          tag: 'Account',
          summary: 'Download all that is held about the account',
        },
        description: 'Secrets are not in it: only hashes of them are kept.',
        ...{ success: [200, 'AccountExport'], headers: ['Content-Disposition'] },
      }),
    },
  }
}

function sessionPaths(): Record<string, Node> {
  const [sessions, logins] = [`${BASE}/sessions`, `${BASE}/security/logins`]
  const [one, others] = [`${sessions}/{session_id}`, `${sessions}/revoke-others`]
  const schema = { type: 'string' }
  return {
    [sessions]: {
      get: byReader(sessions, {
        ...{ operationId: 'listSessions', tag: 'Account', summary: 'List the open sessions, newest first' },
        success: [200, ['SessionRecord']],
      }),
    },
    [one]: {
      delete: byOwner(one, {
        ...{ operationId: 'revokeSession', tag: 'Account', summary: 'Sign another browser out' },
        description: 'The own session is signed out like any other.',
        ...{ success: [204], headers: COOKIE },
        parameters: [
          {
            ...{ name: 'session_id', in: 'path', required: true, schema, example: SESSION_ID },
            description: 'Id of the session, as the list has it.',
          },
        ],
        errors: [
          {
            code: 'session_not_found',
            message:
              'There is no such session of this account; GET /account/api/sessions lists those there are.',
          },
        ],
      }),
    },
    [others]: {
      post: byOwner(others, {
        ...{ operationId: 'revokeOtherSessions', tag: 'Account', summary: 'Sign all other browsers out' },
        success: [200, 'Status'],
      }),
    },
    [logins]: {
      get: byReader(logins, {
        ...{ operationId: 'listSignIns', tag: 'Account', summary: 'List attempts to sign in, newest first' },
        success: [200, ['SignIn']],
        parameters: [
          queryParameter(
            'limit',
            'At most so many.',
            { type: 'integer', minimum: 1, maximum: 100, default: 25 },
            10,
          ),
        ],
        errors: [
          {
            code: 'invalid_limit',
            message: 'Parameter "limit" must be an integer from 1 to 100, not "0".',
            request: `${logins}?limit=0`,
          },
          {
            code: 'duplicate_parameter',
            message: 'Parameter "limit" is given twice: give it once.',
            request: `${logins}?limit=5&limit=5`,
          },
          {
            code: 'invalid_value',
            message: 'Invalid percent-encoding in "limit=%ZZ".',
            request: `${logins}?limit=%ZZ`,
          },
        ],
      }),
    },
  }
}

function emailPaths(): Record<string, Node> {
  const [resend, verify] = [`${BASE}/email/resend-verification`, `${BASE}/email/verify`]
  return {
    [resend]: {
      post: byOwner(resend, {
        ...{ operationId: 'resendVerification', tag: 'Account', summary: 'Send the verification mail again' },
        ...{ success: [202, 'Status'], errors: [TOO_OFTEN] },
      }),
    },
    [verify]: {
      post: byAnybody(verify, {
        ...{ operationId: 'verifyEmail', tag: 'Account', summary: 'Confirm the e-mail address' },
        description: 'The token of the mail is the proof; it works once, for 24 hours. No session is needed.',
        ...{ success: [200, 'Status'], body: ['TokenRequest', { token: TOKEN }], errors: [STALE] },
      }),
    },
  }
}

function passwordPaths(): Record<string, Node> {
  const [forgot, reset, change] = ['forgot', 'reset', 'change'].map((name) => `${BASE}/password/${name}`)
  return {
    [forgot!]: {
      post: byAnybody(forgot!, {
        ...{ operationId: 'forgotPassword', tag: 'Account', summary: 'Ask for a link to set a new password' },
        description: 'The answer is the same whether or not there is such an account.',
        ...{ success: [202, 'Status'], body: ['EmailRequest', { email: EMAIL }] },
      }),
    },
    [reset!]: {
      post: byAnybody(reset!, {
        ...{ operationId: 'resetPassword', tag: 'Account', summary: 'Set a new password with the link' },
        description:
          'The token works once, for 30 minutes; a refused password does not use it up. Ends every session; API keys stay.',
        success: [200, 'Status'],
        body: ['ResetRequest', { token: TOKEN, new_password: NEW_PASSWORD }],
        errors: [STALE, WEAK, BUSY],
      }),
    },
    [change!]: {
      post: byOwner(change!, {
        ...{ operationId: 'changePassword', tag: 'Account', summary: 'Change the password' },
        description: 'All other sessions are signed out.',
        success: [200, 'Status'],
        body: ['PasswordChangeRequest', { current_password: PASSWORD, new_password: NEW_PASSWORD }],
        errors: [WRONG, WEAK, TOO_OFTEN, BUSY],
      }),
    },
  }
}
