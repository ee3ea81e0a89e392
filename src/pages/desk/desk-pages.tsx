/** @jsxImportSource preact */
/**
 * The pages of the publishing desk below `/publish`. The server decides who may see them; the island fetches drafts and
 * datasets from the desk's interface, which checks role and domain on each call.
 */

import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import { lacksSecondFactor, roleDomains } from '../../accounts/people/user.ts'
import type { App } from '../../app.ts'
import type { Exchange } from '../../http/exchange.ts'
import { accountHeaders } from '../../http/respond.ts'
import { LICENCES } from '../../interop/licences.ts'
import { Island, redirect } from '../account/account-pages.tsx'
import { CONSOLE_PATHS, ENTRY_PATHS } from '../account/account-places.ts'
import { respondPageWith } from '../layout/layout.tsx'
import { type View, viewOf } from '../layout/view.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { DESK_TEXTS } from '../texts/desk.ts'
import { DOMAIN_TEXTS } from '../texts/parts.ts'
import { EndService } from '../welcome/end-service.tsx'
import { Desk } from './desk.tsx'
import { type DeskFacts, type DeskPlace, deskPath } from './desk-places.ts'

/** Answers with a page of the desk; without a session, redirects to the sign-in page, which leads back here. */
export function answerDeskPage(
  app: App,
  exchange: Exchange,
  session: FoundSession | undefined,
  place: DeskPlace,
): Response {
  if (session === undefined) {
    const next = [{ name: 'next', value: deskPath(place) }]
    return redirect(exchange, viewOf(app, exchange).link(ENTRY_PATHS.login, next))
  }
  const view = viewOf(app, exchange, session)
  if (session.body.user.role === 'reader') return respondNoRole(view, session)
  if (lacksSecondFactor(app.config.require_second_factor, session.body.user, exchange.isLocal))
    return redirect(exchange, view.link(CONSOLE_PATHS.security))
  const texts = DESK_TEXTS[view.language]
  const facts = factsOf(view, session, place)
  return respondPageWith(view, 200, accountHeaders(exchange), {
    title: place.page === 'home' ? texts.publish : texts[place.page],
    description: texts.description,
    section: 'publish',
    scripts: ['desk.js'],
    isPrivate: true,
    body: (
      <>
        <Island class="console desk" facts={facts} without={texts.needsScript}>
          <Desk facts={facts} />
        </Island>
        <EndService view={view} session={session} />
      </>
    ),
  })
}

function respondNoRole(view: View, { body: { user } }: FoundSession): Response {
  const texts = DESK_TEXTS[view.language]
  const { publisher, contact } = view.app.config
  return respondPageWith(view, 403, accountHeaders(view.exchange), {
    title: texts.publish,
    description: texts.description,
    section: 'account',
    isPrivate: true,
    body: (
      <div class="prose">
        <h1>{texts.noRole}</h1>
        <p>{texts.noRoleText(user.email)}</p>
        <p>
          {publisher === null ? texts.askOperator : texts.askOperatorOf(publisher)}
          {contact !== null && (
            <>
              {' '}
              <a href={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</a>
            </>
          )}
        </p>
        {contact === null && (
          <p>
            {texts.operatorRuns} <code>izvor users set-role {user.email} publisher</code>
          </p>
        )}
        <p>
          <a class="button" href={view.link('/account')}>
            {ACCOUNT_TEXTS[view.language].heading}
          </a>
        </p>
      </div>
    ),
  })
}

function factsOf(view: View, { body: { user } }: FoundSession, place: DeskPlace): DeskFacts {
  const { app, language, chosenLanguage, base } = view
  const domains = roleDomains(user)
  const known = [...app.catalog.domains().map(({ domain }) => domain), ...Object.keys(DOMAIN_TEXTS[language])]
  return {
    language,
    chosenLanguage: chosenLanguage ?? null,
    base,
    place,
    domainLabels: app.config.domain_labels,
    email: user.email,
    sendsMail: app.accountService.mailer.sends,
    domains: domains === 'all' ? [...new Set(known)].sort() : domains,
    mayNameDomain: domains === 'all',
    licences: LICENCES,
    maxUpload: app.config.max_upload,
  }
}
