/**
 * The events in a window, as its row in a ledger stores them. Those of one second share a slot. A process may hold some
 * units of a slot that it has not used yet. Until it settles them, the slot counts as of the end of its second, since
 * the units may be used until then.
 */

/** Slots, oldest first; each is three numbers: when its last event happened, its units, and how many were lent. */
export interface Slots {
  readonly numbers: number[]
  used: number
}

/** How long events stay. Events of a period all leave when the period ends. */
export interface Span {
  readonly seconds: number
  /** End of the period, milliseconds since 1970; undefined where the window slides. */
  readonly until?: number | undefined
}

/** Units that a process took and has not used yet. */
export interface Block {
  /** Second of the slot it was taken from. */
  second: number
  /** Units beyond the events it was taken for. */
  lent: number
  /** Of these, unused. */
  free: number
  /** When a unit of it was last used. */
  usedAt: number
}

const SECOND_MS = 1000
const WIDTH = 3
/** Allows for requests that began before the latest one, and for clocks of several machines. */
const TOLERANCE_MS = 2000

export function secondOf(at: number): number {
  return Math.floor(at / SECOND_MS)
}

/** @param text the numbers with spaces between them */
export function readSlots(text: string): Slots {
  const numbers = text.split(' ').map(Number)
  let used = 0
  for (let slot = 0; slot < numbers.length; slot += WIDTH) used += numbers[slot + 1]!
  return { numbers, used }
}

/**
 * The moment that counts as now for these slots: never before their last event. If the clock was set back, all events
 * move back with it, as if the last one had just happened. That must be written, or the last event would stay "just now"
 * for as long as the clock is behind.
 */
export function steady({ numbers }: Slots, { until }: Span, at: number) {
  const ahead = until === undefined && numbers.length > 0 ? numbers[numbers.length - WIDTH]! - at : 0
  if (ahead <= TOLERANCE_MS) return { moment: at + Math.max(0, ahead), isSetBack: false }
  for (let slot = 0; slot < numbers.length; slot += WIDTH) numbers[slot]! -= ahead
  return { moment: at, isSetBack: true }
}

/** Drops slots that have left the window. */
export function expire(slots: Slots, span: Span, at: number): void {
  const { numbers } = slots
  while (numbers.length > 0 && leavesAt(numbers, 0, span) <= at) {
    slots.used -= numbers[1]!
    numbers.splice(0, WIDTH)
  }
}

/** Adds current events, and units to lend. */
export function addUnits(slots: Slots, span: Span, events: number, lent: number, at: number): void {
  const { numbers } = slots
  const last = numbers.length - WIDTH
  const moment = span.until ?? at
  if (last >= 0 && secondOf(numbers[last]!) === secondOf(moment)) {
    numbers[last] = moment
    numbers[last + 1]! += events + lent
    numbers[last + 2]! += lent
  } else numbers.push(moment, events + lent, lent)
  slots.used += events + lent
}

/** Settles a block: returns its unused units. */
export function settle(slots: Slots, { until }: Span, block: Block): void {
  const { numbers } = slots
  const second = until === undefined ? block.second : secondOf(until)
  for (let slot = numbers.length - WIDTH; slot >= 0; slot -= WIDTH) {
    if (secondOf(numbers[slot]!) !== second) continue
    const given = Math.min(block.free, numbers[slot + 1]!)
    numbers[slot + 1]! -= given
    numbers[slot + 2] = Math.max(0, numbers[slot + 2]! - block.lent)
    if (until === undefined) numbers[slot] = Math.max(numbers[slot]!, block.usedAt)
    slots.used -= given
    if (numbers[slot + 1] === 0) numbers.splice(slot, WIDTH)
    break
  }
  block.free = block.lent = 0
}

/** Removes the latest events. Lent units stay, since their holder may still use them. */
export function removeUnits(slots: Slots, events: number): void {
  const { numbers } = slots
  let left = events
  for (let slot = numbers.length - WIDTH; slot >= 0 && left > 0; slot -= WIDTH) {
    const given = Math.min(left, numbers[slot + 1]! - numbers[slot + 2]!)
    numbers[slot + 1]! -= given
    slots.used -= given
    left -= given
    if (numbers[slot + 1] === 0) numbers.splice(slot, WIDTH)
  }
}

/** When the last of the events leaves, milliseconds since 1970; 0 without any. */
export function emptyAt({ numbers }: Slots, span: Span): number {
  return numbers.length === 0 ? 0 : leavesAt(numbers, numbers.length - WIDTH, span)
}

/** Whole seconds until this number of the events has left. */
export function secondsUntil({ numbers }: Slots, span: Span, events: number, at: number): number {
  let left = 0
  for (let slot = 0; slot < numbers.length; slot += WIDTH) {
    left += numbers[slot + 1]!
    if (left >= events) return Math.ceil((leavesAt(numbers, slot, span) - at) / SECOND_MS)
  }
  return span.until === undefined ? span.seconds : Math.ceil((span.until - at) / SECOND_MS)
}

/**
 * As `secondsUntil` for one event, while this process holds the lent units of the first slot. Clocks differ, so an event
 * may be after `at`; it stays no longer than the window.
 */
export function secondsUntilMore({ numbers }: Slots, { seconds, until }: Span, at: number): number {
  if (until !== undefined) return Math.ceil((until - at) / SECOND_MS)
  if (numbers.length === 0) return seconds
  return Math.max(1, Math.ceil(Math.min(0, numbers[0]! - at) / SECOND_MS + seconds))
}

/** Whether units of a block may be used now. */
export function isOpen({ second }: Block, { until }: Span, at: number): boolean {
  if (until !== undefined) return at < until
  const now = secondOf(at)
  return now === second || (now < second && second * SECOND_MS - at <= TOLERANCE_MS)
}

function leavesAt(numbers: readonly number[], slot: number, { seconds, until }: Span): number {
  const last = numbers[slot]!
  if (until !== undefined) return last
  const isLent = numbers[slot + 2]! > 0
  return (isLent ? (secondOf(last) + 1) * SECOND_MS : last) + seconds * SECOND_MS
}
