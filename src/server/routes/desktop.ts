/** The pages and forms of a service on a desktop, below `/open` (contract 15). Forms are plain: they work without scripts. */

import { enter } from '../../accounts/people/owner.ts'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App, Desktop } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { accountHeaders, respond } from '../../http/respond.ts'
import { respondRedirect } from '../../pages/layout/layout.tsx'
import { showsDesk, viewOf } from '../../pages/layout/view.ts'
import { TOKEN_FIELD } from '../../pages/signed-in/session-token.tsx'
import { DESKTOP_PATHS } from '../../pages/welcome/end-service.tsx'
import { answerClosedPage, answerEndedPage, answerWelcomePage } from '../../pages/welcome/welcome-page.tsx'
import { clientOf } from '../admission/account-route.ts'
import { keepSession, refuseForeignPage, refuseOtherToken, sessionOf } from '../admission/session.ts'
import type { Call } from '../call.ts'
import { form, page, type Route } from '../declaration/route.ts'

/** Where signing in may lead: a page of this service behind the sign-in. */
const NEXT = /^\/(|open|publish(\/drafts\/[a-z0-9]{24})?|operate(\/[a-z-]+)*)$/

/** How long the form waits for the sample data before it says that they are on their way. */
const LONGEST_WAIT_MS = 25_000

export const DESKTOP_ROUTES: readonly Route[] = [
  page(
    DESKTOP_PATHS.first,
    async ({ app, exchange }) => {
      requireDesktop(app)
      const session = await sessionOf(app, exchange)
      const view = viewOf(app, exchange, session)
      return isOwner(session) ? answerWelcomePage(view, session) : answerClosedPage(view)
    },
    'visitor',
  ),
  form(DESKTOP_PATHS.first, async ({ app, exchange }, fields) => {
    const next = fields.get('next') ?? ''
    const shared = showsDesk(app.config, true) ? '/operate' : '/publish'
    const first = app.desktop === null ? shared : DESKTOP_PATHS.first
    const address = NEXT.test(next) && next !== DESKTOP_PATHS.first ? next : first
    try {
      requireThisMachine(exchange)
      const { token } = await enter(
        app.accountService,
        fields.get('token') ?? '',
        clientOf(exchange),
        app.now(),
      )
      keepSession(app, exchange, token)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'token_invalid') throw error
      return answerClosedPage(viewOf(app, exchange), true)
    }
    // The owner may have brought a draft.
    app.draftWork.wake()
    return respond(exchange, 303, { ...accountHeaders(exchange), Location: address }, null)
  }),
  form(DESKTOP_PATHS.samples, async ({ app, exchange }, fields) => {
    const session = await requireOwner(app, exchange, fields)
    const desktop = requireDesktop(app)
    const isDone = desktop.addSamples().then(() => true)
    const isInTime = await exchange.withoutIdleLimit(() =>
      Promise.race([isDone, Bun.sleep(LONGEST_WAIT_MS).then(() => false)]),
    )
    isDone.catch((error: unknown) => app.log.error({ err: error }, 'the sample data could not be published'))
    if (isInTime) return respondRedirect(exchange, viewOf(app, exchange, session).link('/'))
    return answerWelcomePage(viewOf(app, exchange, session), session, 'samplesComing')
  }),
  form(DESKTOP_PATHS.end, async ({ app, exchange }, fields) => {
    const session = await requireOwner(app, exchange, fields)
    const desktop = requireDesktop(app)
    const answer = answerEndedPage(viewOf(app, exchange, session))
    desktop.end()
    return answer
  }),
]

/** @throws ApiError `not_found` on a service that was not started on a desktop */
function requireDesktop({ desktop }: App): Desktop {
  if (desktop !== null) return desktop
  throw new ApiError('not_found', 'There is nothing here: this service was not started by "izvor open".')
}

function isOwner(session: FoundSession | undefined): session is FoundSession {
  return session?.body.user.role === 'operator'
}

/** @throws ApiError `csrf_failed`, `unauthenticated`, `role_missing` */
async function requireOwner(app: App, exchange: Call, fields: URLSearchParams): Promise<FoundSession> {
  refuseForeignPage(exchange)
  const session = await sessionOf(app, exchange)
  if (session === undefined)
    throw new ApiError('unauthenticated', 'Sign in first: there is no session, or it has ended.')
  refuseOtherToken(fields.get(TOKEN_FIELD), session)
  if (isOwner(session)) return session
  throw new ApiError('role_missing', 'The owner of this service alone may do this.')
}

/**
 * Refuses a token from another machine or through a proxy: the file with the token is on this machine.
 * @throws ApiError `token_invalid`
 */
function requireThisMachine(exchange: Call): void {
  if (exchange.isForThisMachine) return
  throw new ApiError('token_invalid', 'This token works on this machine alone.')
}
