/** @jsxImportSource preact */

/** A page of somebody signed in, the same on the server and in the browser: who it is, and what the page is about. */

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { change } from './api.ts'
import { Keys } from './keys.tsx'
import { Logs } from './logs.tsx'
import {
  type AccountFacts,
  accountLink,
  type ConsoleFacts,
  type ConsoleSection,
  ENTRY_PATHS,
} from './places.ts'
import { Profile } from './profile.tsx'
import { explain } from './refusals.ts'
import { Security } from './security.tsx'
import { Usage } from './usage.tsx'

const SECTIONS: Readonly<Record<ConsoleSection, (props: { facts: ConsoleFacts }) => ComponentChildren>> = {
  keys: Keys,
  usage: Usage,
  logs: Logs,
  security: Security,
  profile: Profile,
}

export function Console({ facts }: { facts: ConsoleFacts }) {
  const Section = SECTIONS[facts.section]
  return <Section facts={facts} />
}

/** Ends the session and leaves. */
export function SignOut({ facts }: { facts: AccountFacts }) {
  const texts = ACCOUNT_TEXTS[facts.language]
  const [trouble, setTrouble] = useState<string>()
  const leave = async () => {
    try {
      await change('POST', '/logout')
      location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'gone' }))
    } catch (error) {
      setTrouble(explain(facts.language, error).message)
    }
  }
  return (
    <>
      <button type="button" class="small" onClick={() => void leave()}>
        {texts.signOut}
      </button>
      <span role="alert">{trouble}</span>
    </>
  )
}
