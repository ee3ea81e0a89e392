/** @jsxImportSource preact */
import { hydrate } from 'preact'
import {
  accountLink,
  CONSOLE_PATHS,
  type ConsoleFacts,
  ENTRY_PATHS,
  FACTS_ID,
  ROOT_ID,
} from '../account/account-places.ts'
import { Console, SignOut } from '../account/console.tsx'
import { whenSignedOut } from '../signed-in/api.ts'
import './language-link.ts'

const root = document.getElementById(ROOT_ID)
const signOut = document.getElementById('sign-out')
const text = document.getElementById(FACTS_ID)?.textContent
if (root && signOut && text) {
  const facts: ConsoleFacts = JSON.parse(text)
  whenSignedOut(() => {
    const parameters = { note: 'ended', next: CONSOLE_PATHS[facts.section] }
    location.assign(accountLink(facts, ENTRY_PATHS.login, parameters))
  })
  hydrate(<Console facts={facts} />, root)
  hydrate(<SignOut facts={facts} />, signOut)
}
