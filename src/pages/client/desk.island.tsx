/** @jsxImportSource preact */
import { hydrate } from 'preact'
import { accountLink, ENTRY_PATHS, FACTS_ID, ROOT_ID } from '../account/account-places.ts'
import { Desk } from '../desk/desk.tsx'
import { type DeskFacts, deskPath } from '../desk/desk-places.ts'
import { whenSignedOut } from '../signed-in/api.ts'
import './language-link.ts'

const root = document.getElementById(ROOT_ID)
const text = document.getElementById(FACTS_ID)?.textContent
if (root && text) {
  const facts: DeskFacts = JSON.parse(text)
  whenSignedOut(() => {
    location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'ended', next: deskPath(facts.place) }))
  })
  hydrate(<Desk facts={facts} />, root)
}
