/** The second factor of an account: `/account/api/second-factor` (contract 5). */

import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
} from '../../accounts/people/sign-in/second-factor.ts'
import { accountRoute } from '../admission/account-route.ts'
import {
  CODE_REQUEST,
  FACTOR_REMOVAL,
  FACTOR_SECRET,
  PASSWORD_REQUEST,
  RECOVERY_CODES,
} from '../bodies/account-bodies.ts'
import type { Route } from '../declaration/route.ts'

const PASSWORD = 'patru furnici pe un balcon'
export const TOO_BUSY = ['rate_limited', 'service_unavailable'] as const

export const SECOND_FACTOR_ROUTES: readonly Route[] = [
  accountRoute('change', 'POST /account/api/second-factor', {
    beforeSecondFactor: true,
    id: 'beginSecondFactor',
    summary: 'Make the secret of an authenticator app',
    description:
      'Show `uri` as a QR code, or `secret` as text. Signing in takes a code only after the first one was confirmed. ' +
      '403 `second_factor_required` when there is a second factor already.',
    body: PASSWORD_REQUEST,
    bodyExample: { password: PASSWORD },
    success: [200, FACTOR_SECRET],
    errors: ['invalid_credentials', 'second_factor_required', ...TOO_BUSY],
    answer: ({ app, exchange, session, body }) =>
      beginSecondFactor(app.accountService, session, body, new URL(exchange.base).host, app.now()),
  }),
  accountRoute('change', 'POST /account/api/second-factor/confirm', {
    beforeSecondFactor: true,
    id: 'confirmSecondFactor',
    summary: 'Turn the second factor on',
    description:
      'With a first code of the app. The recovery codes work once each, in place of a code, and are shown this once. All ' +
      'other sessions are signed out.',
    body: CODE_REQUEST,
    bodyExample: { code: '123456' },
    success: [200, RECOVERY_CODES],
    errors: ['invalid_credentials', 'rate_limited'],
    answer: ({ app, session, body }) => confirmSecondFactor(app.accountService, session, body, app.now()),
  }),
  accountRoute('change', 'DELETE /account/api/second-factor', {
    id: 'removeSecondFactor',
    summary: 'Turn the second factor off',
    description:
      'With the password and a code of the app or a recovery code. All other sessions are signed out.',
    body: FACTOR_REMOVAL,
    bodyExample: { password: PASSWORD, code: '123456' },
    success: [204],
    errors: ['invalid_credentials', ...TOO_BUSY],
    async answer({ app, session, body }) {
      await removeSecondFactor(app.accountService, session, body, app.now())
    },
  }),
]
