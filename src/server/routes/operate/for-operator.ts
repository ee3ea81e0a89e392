/** Who may see the operators' pages (contract 15); the setting `operate` has been checked before. */

import type { FoundSession } from '../../../accounts/people/sign-in/sessions.ts'
import { lacksSecondFactor } from '../../../accounts/people/user.ts'
import type { App } from '../../../app.ts'
import { CONSOLE_PATHS, ENTRY_PATHS } from '../../../pages/account/account-places.ts'
import { respondRedirect } from '../../../pages/layout/layout.tsx'
import { type View, viewOf } from '../../../pages/layout/view.ts'
import { requireOperator, sessionOf } from '../../admission/session.ts'
import type { Call } from '../../call.ts'

/**
 * Answers with a page of the operators; without a session, redirects to the sign-in page, which leads back here.
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
  requireOperator(session)
  if (lacksSecondFactor(app.config.require_second_factor, session.body.user, exchange.isLocal))
    return respondRedirect(exchange, view.link(CONSOLE_PATHS.security))
  return answer(view, session)
}
