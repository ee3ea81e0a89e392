/** How many units a process takes from a row of the ledger at once: what is asked for, and a block for later. */

import type { Counted, Counts, Work } from './row-questions.ts'
import { addUnits, expire, secondOf, secondsUntil, secondsUntilMore, settle, steady } from './slots.ts'

/** What is counted in a row, up to a limit. */
export interface Limited extends Counted {
  readonly most: number
}

export interface WindowState {
  /** Whether the events were counted. */
  readonly admitted: boolean
  readonly remaining: number
  /** Whole seconds until there is more room; after a refusal, until the events will be admitted. */
  readonly resetSeconds: number
}

const LARGEST_BLOCK = 256
/** All blocks of all processes together leave most of what is left in the ledger. */
const SHARE = 8
const SOON_MS = 1000

/**
 * Takes `n` units from the row, if there is room, and a block of more to use without asking.
 * @param at by the clock of the ledger @param sharers processes that may hold blocks
 */
export function takeUnits(
  draft: Counts,
  window: Limited,
  n: number,
  at: number,
  sharers: number,
): ReturnType<Work<WindowState>> {
  const { slots } = draft
  const { most } = window
  const wasUnused = draft.lent > 0 && 2 * draft.free > draft.lent
  settle(slots, window, draft)
  const { moment, isSetBack } = steady(slots, window, at)
  expire(slots, window, moment)
  const wanted = Math.max(n, 1)
  if (slots.used + wanted > most) {
    // A limit that was lowered meanwhile takes more than `wanted` events to leave.
    const resetSeconds = secondsUntil(slots, window, slots.used + wanted - most, moment)
    return { result: { admitted: false, remaining: 0, resetSeconds }, isChanged: isSetBack }
  }
  if (n > 0) {
    const isSoon = Math.abs(at - draft.askedAt) <= SOON_MS
    draft.size = nextSize(isSoon ? draft.size : 0, wasUnused)
    const room = most - slots.used - n
    const spared = Math.floor(room / (SHARE * sharers))
    draft.lent = Math.min(Math.max(draft.size - n, draft.waiting), spared)
    draft.free = draft.lent
    draft.second = secondOf(moment)
    draft.usedAt = moment
    draft.askedAt = at
    draft.span = window
    addUnits(slots, window, n, draft.lent, moment)
  }
  return { result: stateOf(draft, window, moment), isChanged: n > 0 || isSetBack }
}

/** What an admitted event is answered with. */
export function stateOf({ slots, free }: Counts, window: Limited, at: number): WindowState {
  const resetSeconds = secondsUntilMore(slots, window, at)
  return { admitted: true, remaining: Math.max(0, window.most - slots.used + free), resetSeconds }
}

function nextSize(size: number, wasUnused: boolean): number {
  return wasUnused ? Math.max(1, size >> 1) : Math.min(Math.max(1, 2 * size), LARGEST_BLOCK)
}
