import { hydrate, type VNode } from 'preact'
import { type AccountFacts, accountLink, ENTRY_PATHS, FACTS_ID, ROOT_ID } from '../account/account-places.ts'
import { whenSignedOut } from '../signed-in/api.ts'
import './language-link.ts'

/**
 * Hands an account's page over to its island.
 * @param draw renders the page's root from the facts that came with the page
 * @param place the address to return to when the session ends on this page
 */
export function takeOver<Facts extends AccountFacts>(
  draw: (facts: Facts) => VNode,
  place?: (facts: Facts) => string,
): void {
  const root = document.getElementById(ROOT_ID)
  const text = document.getElementById(FACTS_ID)?.textContent
  if (!root || !text) return
  const facts: Facts = JSON.parse(text)
  if (place !== undefined) {
    const parameters = { note: 'ended', next: place(facts) }
    whenSignedOut(() => location.assign(accountLink(facts, ENTRY_PATHS.login, parameters)))
  }
  hydrate(draw(facts), root)
}
