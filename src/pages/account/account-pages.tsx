/** @jsxImportSource preact */
/**
 * The pages below `/account`. The server decides who may see which page and in which language; the islands fetch the
 * account's data from the public account API.
 */

import type { ComponentChildren } from 'preact'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import { lacksSecondFactor, roleDomains } from '../../accounts/people/user.ts'
import type { App } from '../../app.ts'
import type { Exchange } from '../../http/exchange.ts'
import { accountHeaders, respond } from '../../http/respond.ts'
import { JsonBlock, respondPageWith } from '../layout/layout.tsx'
import { type View, viewOf } from '../layout/view.ts'
import { domainName } from '../parts/domain-name.ts'
import { ACCOUNT_TEXTS, ENTRY_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS, PROFILE_TEXTS, USAGE_TEXTS } from '../texts/account-console.ts'
import { KEYS_TEXTS, SECURITY_TEXTS } from '../texts/account-keys.ts'
import {
  CONSOLE_PATHS,
  type ConsoleFacts,
  type ConsoleSection,
  ENTRY_PATHS,
  type Entry,
  type EntryFacts,
  FACTS_ID,
  NOTES,
  pageBehind,
  ROOT_ID,
} from './account-places.ts'
import { Console, SignOut } from './console.tsx'
import { EntryForm } from './entry.tsx'

const SECTION_TEXTS = {
  keys: KEYS_TEXTS,
  usage: USAGE_TEXTS,
  logs: LOGS_TEXTS,
  security: SECURITY_TEXTS,
  profile: PROFILE_TEXTS,
} as const

export function answerConsolePage(
  app: App,
  exchange: Exchange,
  session: FoundSession | undefined,
  section: ConsoleSection,
): Response {
  if (session === undefined) {
    const next = section === 'keys' ? [] : [{ name: 'next', value: CONSOLE_PATHS[section] }]
    return redirect(exchange, viewOf(app, exchange).link(ENTRY_PATHS.login, next))
  }
  const { user } = session.body
  const view = viewOf(app, exchange, session)
  const isMissing = lacksSecondFactor(app.config.require_second_factor, user, exchange.isLocal)
  if (isMissing && section !== 'security') return redirect(exchange, view.link(CONSOLE_PATHS.security))
  const texts = ACCOUNT_TEXTS[view.language]
  const secondFactor = isMissing ? 'required' : user.second_factor ? 'on' : 'off'
  const facts: ConsoleFacts = {
    ...factsOf(app, view),
    ...{ section, email: user.email, secondFactor, publishes: roleDomains(user) },
    places: section === 'keys' ? placesOf(app, view) : [],
    query: Object.fromEntries(view.parameters.map(({ name, value }) => [name, value])),
  }
  return respondPageWith(view, 200, accountHeaders(exchange), {
    title: texts[section],
    description: SECTION_TEXTS[section][view.language].description,
    section: 'account',
    scripts: ['account.js'],
    isPrivate: true,
    body: (
      <>
        <p class="crumbs">{texts.heading}</p>
        <div class="row spread">
          <h1>{texts[section]}</h1>
          <div class="row who">
            <span class="soft small">{facts.email}</span>
            <div id="sign-out">
              <SignOut facts={facts} />
            </div>
          </div>
        </div>
        <nav class="tabs flow" aria-label={texts.sections}>
          {(Object.keys(CONSOLE_PATHS) as ConsoleSection[]).map((name) => (
            <a href={view.link(CONSOLE_PATHS[name])} aria-current={name === section ? 'page' : undefined}>
              {texts[name]}
            </a>
          ))}
        </nav>
        <Island class="console" facts={facts} without={needsScript(view)}>
          <Console facts={facts} />
        </Island>
      </>
    ),
  })
}

const FOR_STRANGERS: readonly Entry[] = ['login', 'signup']

export function answerEntryPage(
  app: App,
  exchange: Exchange,
  session: FoundSession | undefined,
  entry: Entry,
): Response {
  const view = viewOf(app, exchange)
  const next = pageBehind(parameter(view, 'next'))
  if (FOR_STRANGERS.includes(entry) && session !== undefined) {
    return redirect(exchange, view.link(next))
  }
  const texts = ENTRY_TEXTS[view.language]
  const facts: EntryFacts = { ...factsOf(app, view), entry, next }
  return respondPageWith(view, 200, accountHeaders(exchange), {
    title: texts[entry],
    description: entry === 'signup' ? texts.signupDescription : texts.loginDescription,
    section: 'account',
    scripts: ['account-entry.js'],
    isPrivate: true,
    body: (
      <div class="entry grid">
        <div>
          <h1>{texts[entry]}</h1>
          {entry === 'login' && <LoginNote view={view} />}
          {entry === 'login' && app.desktop !== null && <p class="note">{texts.loginOnDesktop}</p>}
          {entry === 'login' && next.startsWith('/publish') && <p>{texts.loginToPublish}</p>}
          <Island facts={facts} without={needsScript(view)}>
            <EntryForm facts={facts} />
          </Island>
        </div>
        {entry === 'signup' && (
          <section class="card" aria-labelledby="benefits-title">
            <h2 id="benefits-title">{texts.benefits}</h2>
            <ul>
              <li>{texts.benefitKeys}</li>
              <li>{texts.benefitUsage}</li>
              <li>{texts.benefitData}</li>
            </ul>
            <p class="small soft">{texts.noCookies}</p>
          </section>
        )}
      </div>
    ),
  })
}

const NOTE_TEXTS = {
  deleted: 'noteDeleted',
  reset: 'noteReset',
  ended: 'noteEnded',
  gone: 'noteGone',
} as const

function LoginNote({ view }: { view: View }) {
  const note = NOTES.find((known) => known === parameter(view, 'note'))
  if (note === undefined) return null
  return <p class={note === 'ended' ? 'note' : 'note good'}>{ENTRY_TEXTS[view.language][NOTE_TEXTS[note]]}</p>
}

/** The root of an island, with the facts that it starts from. @param without shown where no scripts run */
export function Island(options: {
  class?: string
  facts: object
  without: ComponentChildren
  children: ComponentChildren
}) {
  const { facts, without, children, ...root } = options
  return (
    <>
      <noscript>
        <p class="note warn">{without}</p>
      </noscript>
      <div {...root} id={ROOT_ID}>
        {children}
      </div>
      <JsonBlock id={FACTS_ID} value={facts} />
    </>
  )
}

function needsScript({ language }: View) {
  const { needsScript: what, needsScriptHint: hint } = ACCOUNT_TEXTS[language]
  return [<strong key="what">{what}</strong>, ` ${hint}`]
}

function factsOf({ accountService }: App, { language, chosenLanguage, base }: View) {
  const sendsMail = accountService.mailer.sends
  return { language, chosenLanguage: chosenLanguage ?? null, base, sendsMail }
}

/** The most datasets that the page offers one by one; domains are always offered. */
const MOST_DATASETS = 500

function placesOf({ catalog }: App, view: View): ConsoleFacts['places'] {
  const datasets = Map.groupBy(catalog.names(MOST_DATASETS), ({ domain }) => domain)
  return catalog.domains().map(({ domain }) => ({
    domain,
    label: domainName(view, domain),
    ids: (datasets.get(domain) ?? []).map(({ id }) => id),
  }))
}

function parameter({ parameters }: View, name: string): string | undefined {
  return parameters.find((one) => one.name === name)?.value
}

export function redirect(exchange: Exchange, address: string): Response {
  return respond(exchange, 302, { ...accountHeaders(exchange), Location: address }, null)
}
