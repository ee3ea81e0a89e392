/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { change } from '../signed-in/api.ts'
import { Form } from '../signed-in/form.tsx'
import { PageLanguage } from '../signed-in/page-language.ts'
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
  return (
    <PageLanguage.Provider value={facts.language}>
      <Form
        id="sign-out-form"
        submit={ACCOUNT_TEXTS[facts.language].signOut}
        tone="small"
        send={async () => {
          await change('POST', '/account/api/logout')
          location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'gone' }))
        }}
      />
    </PageLanguage.Provider>
  )
}
