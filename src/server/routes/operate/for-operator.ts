/** Who sees the pages of the operators (contract 15); the setting `operate` was asked before. */

import type { FoundSession } from '../../../accounts/people/sign-in/sessions.ts'
import { lacksSecondFactor } from '../../../accounts/people/user.ts'
import type { App } from '../../../app.ts'
import { ApiError } from '../../../base/errors.ts'
import { CONSOLE_PATHS, ENTRY_PATHS } from '../../../pages/account/account-places.ts'
import { respondRedirect } from '../../../pages/layout/layout.tsx'
import { type View, viewOf } from '../../../pages/layout/view.ts'
import { sessionOf } from '../../admission/session.ts'
import type { Call } from '../../call.ts'

/**
 * A page of the operators; without a session it redirects to the sign-in page, which leads back here.
 * @throws ApiError `role_missing`
 */
export async function forOperator(
  app: App,
  exchange: Call,
  answer: (view: View, session: FoundSession) => Response | Promise<Response>,
): Promise<Response> {
  const session = await sessionOf(app, exchange)
  const view = viewOf(app, exchange, session)
  if (session === undefined)
    return respondRedirect(exchange, view.link(ENTRY_PATHS.login, [{ name: 'next', value: exchange.path }]))
  const { user } = session.body
  if (user.role !== 'operator')
    throw new ApiError('role_missing', 'This account is not an operator: izvor users set-role makes one.')
  if (lacksSecondFactor(app.config.require_second_factor, user, exchange.isLocal))
    return respondRedirect(exchange, view.link(CONSOLE_PATHS.security))
  return answer(view, session)
}
