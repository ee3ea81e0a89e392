import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a round of the event loop that no other waiter shares, so that work done then delays other requests only
 * by itself, however many such calls come together.
 */
export function ownRound(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
