/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { change } from '../signed-in/api.ts'
import { PageLanguage } from '../signed-in/page-language.ts'
import { explain } from '../signed-in/refusals.ts'
import { Button } from '../signed-in/section.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import {
  type AccountFacts,
  accountLink,
  type ConsoleFacts,
  type ConsoleSection,
  ENTRY_PATHS,
} from './account-places.ts'
import { Keys } from './keys.tsx'
import { Logs } from './logs.tsx'
import { Profile } from './profile.tsx'
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
  return (
    <PageLanguage.Provider value={facts.language}>
      <Section facts={facts} />
    </PageLanguage.Provider>
  )
}

export function SignOut({ facts }: { facts: AccountFacts }) {
  const texts = ACCOUNT_TEXTS[facts.language]
  const [trouble, setTrouble] = useState<string>()
  const leave = async () => {
    try {
      await change('POST', '/account/api/logout')
      location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'gone' }))
    } catch (error) {
      setTrouble(explain(facts.language, error).message)
    }
  }
  return (
    <>
      <Button class="small" onPress={() => leave()}>
        {texts.signOut}
      </Button>
      <span role="alert">{trouble}</span>
    </>
  )
}
