import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a round of the event loop that no other waiter has: what is done at once then delays requests of others by
 * itself alone, however many such calls come together.
 */
export function ownRound(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
