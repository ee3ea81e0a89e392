/** @jsxImportSource preact */

/**
 * The pages below `/account`. The server says who may see which page, and in which language; everything of the account
 * itself the islands ask the public account API for.
 */

import { ApiError } from '../../errors.ts'
import { accountHeaders } from '../../http/account-calls.ts'
import type { Exchange } from '../../http/exchange.ts'
import { respond } from '../../http/respond.ts'
import { requireSession } from '../../http/session.ts'
import { JsonBlock } from '../layout.tsx'
import { respondPageWith } from '../respond-page.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { ENTRY_TEXTS } from '../texts/account-entry.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { PROFILE_TEXTS } from '../texts/account-profile.ts'
import { SECURITY_TEXTS } from '../texts/account-security.ts'
import { USAGE_TEXTS } from '../texts/account-usage.ts'
import { type View, viewOf } from '../view.ts'
import { Console, SignOut } from './console.tsx'
import { EntryForm } from './entry.tsx'
import {
  CONSOLE_PATHS,
  type ConsoleFacts,
  type ConsoleSection,
  consolePath,
  ENTRY_PATHS,
  type Entry,
  type EntryFacts,
  FACTS_ID,
  NOTES,
  ROOT_ID,
} from './places.ts'

const SECTION_TEXTS = {
  keys: KEYS_TEXTS,
  usage: USAGE_TEXTS,
  logs: LOGS_TEXTS,
  security: SECURITY_TEXTS,
  profile: PROFILE_TEXTS,
} as const

/** A page of somebody signed in; anybody else is led to sign in first. */
export function answerConsolePage(exchange: Exchange, section: ConsoleSection): Response {
  const session = sessionOf(exchange)
  if (session === undefined) {
    const next = section === 'keys' ? [] : [{ name: 'next', value: CONSOLE_PATHS[section] }]
    return redirect(exchange, viewOf(exchange).link(ENTRY_PATHS.login, next))
  }
  const view = viewOf(exchange, session.body.user.language)
  const texts = ACCOUNT_TEXTS[view.language]
  const facts: ConsoleFacts = { ...factsOf(view), section, email: session.body.user.email }
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
        <Navigation view={view} section={section} />
        <NeedsScript view={view} />
        <div class="console" id={ROOT_ID}>
          <Console facts={facts} />
        </div>
        <JsonBlock id={FACTS_ID} value={facts} />
      </>
    ),
  })
}

function Navigation({ view, section }: { view: View; section: ConsoleSection }) {
  const texts = ACCOUNT_TEXTS[view.language]
  return (
    <nav class="tabs" aria-label={texts.sections}>
      {(Object.keys(CONSOLE_PATHS) as ConsoleSection[]).map((name) => (
        <a href={view.link(CONSOLE_PATHS[name])} aria-current={name === section ? 'page' : undefined}>
          {texts[name]}
        </a>
      ))}
    </nav>
  )
}

/** Entries that are of no use to somebody who is signed in. */
const FOR_STRANGERS: readonly Entry[] = ['login', 'signup']

/** A page of signing in and up, or one that a mail leads to. */
export function answerEntryPage(exchange: Exchange, entry: Entry): Response {
  const view = viewOf(exchange)
  const next = consolePath(parameter(view, 'next'))
  if (FOR_STRANGERS.includes(entry) && sessionOf(exchange) !== undefined) {
    return redirect(exchange, view.link(next))
  }
  const texts = ENTRY_TEXTS[view.language]
  const facts: EntryFacts = { ...factsOf(view), entry, next }
  return respondPageWith(view, 200, accountHeaders(exchange), {
    title: texts[entry],
    description: entry === 'signup' ? texts.signupDescription : texts.loginDescription,
    section: 'account',
    scripts: ['account-entry.js'],
    isPrivate: true,
    body: (
      <div class="entry">
        <div>
          <h1>{texts[entry]}</h1>
          {entry === 'login' && <LoginNote view={view} />}
          <NeedsScript view={view} />
          <div id={ROOT_ID}>
            <EntryForm facts={facts} />
          </div>
          <JsonBlock id={FACTS_ID} value={facts} />
        </div>
        {entry === 'signup' && <Benefits view={view} />}
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

/** Why somebody was led here. */
function LoginNote({ view }: { view: View }) {
  const note = NOTES.find((known) => known === parameter(view, 'note'))
  if (note === undefined) return null
  return <p class={note === 'ended' ? 'note' : 'note good'}>{ENTRY_TEXTS[view.language][NOTE_TEXTS[note]]}</p>
}

function Benefits({ view }: { view: View }) {
  const texts = ENTRY_TEXTS[view.language]
  return (
    <section class="benefits" aria-labelledby="benefits-title">
      <h2 id="benefits-title">{texts.benefits}</h2>
      <ul>
        <li>{texts.benefitKeys}</li>
        <li>{texts.benefitUsage}</li>
        <li>{texts.benefitData}</li>
      </ul>
      <p class="small soft">{texts.noCookies}</p>
    </section>
  )
}

function NeedsScript({ view }: { view: View }) {
  const texts = ACCOUNT_TEXTS[view.language]
  return (
    <noscript>
      <div class="note warn">
        <p>
          <strong>{texts.needsScript}</strong> {texts.needsScriptHint}
        </p>
      </div>
    </noscript>
  )
}

function factsOf({ language, chosenLanguage, base }: View) {
  return { language, chosenLanguage: chosenLanguage ?? null, base }
}

function parameter({ parameters }: View, name: string): string | undefined {
  return parameters.find((one) => one.name === name)?.value
}

/** The session of a request, if it has one. Looking at a page renews it as a call does. */
function sessionOf(exchange: Exchange) {
  try {
    return requireSession(exchange)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthenticated') return undefined
    throw error
  }
}

function redirect(exchange: Exchange, address: string): Response {
  return respond(exchange, 302, { ...accountHeaders(exchange), Location: address }, null)
}
