/**
 * Readers of streams that take too little: each holds a place for exports. Their time runs while a chunk waits for them, not
 * while one is made, and not while the whole process is late.
 */

import { LIMITS, noteRefused } from '../base/limits.ts'

/** Milliseconds a reader may keep chunks waiting. */
interface Patience {
  readonly atFirst: number
  /** What it has saved at most by reading fast: the system's buffers take the first megabytes at once. */
  readonly atMost: number
  /** For each byte taken. */
  readonly perByte: number
}

export const PATIENCE: Patience = { atFirst: 30_000, atMost: 60_000, perByte: 1 / LIMITS.download_pace.most }
/** Between two looks. */
const LOOK_MS = 500

const waiting = new Set<ReaderPace>()
let looking: ReturnType<typeof setInterval> | undefined
let lookedAt = 0

export class ReaderPace {
  readonly #tooSlow: () => void
  readonly #patience: Patience
  #left: number
  #since = 0

  /** @param tooSlow called once, when a chunk has waited too long */
  constructor(tooSlow: () => void, patience = PATIENCE) {
    this.#tooSlow = tooSlow
    this.#patience = patience
    this.#left = patience.atFirst
  }

  /** A chunk waits for the reader from now on. */
  gave(bytes: number): void {
    const { atMost, perByte } = this.#patience
    this.#left = Math.min(atMost, this.#left + bytes * perByte)
    this.#since = performance.now()
    waiting.add(this)
    if (looking !== undefined) return
    lookedAt = this.#since
    looking = setInterval(look, LOOK_MS).unref()
  }

  /** The reader has taken it, or is gone. */
  took(): void {
    const now = performance.now()
    if (waiting.delete(this)) this.#left -= Math.max(0, now - this.#since - lateAt(now))
  }

  /** @param late milliseconds in which no reader could be served */
  look(now: number, late: number): void {
    this.#since = Math.min(now, this.#since + late)
    if (now - this.#since < this.#left) return
    waiting.delete(this)
    noteRefused('download_pace')
    this.#tooSlow()
  }
}

/** Milliseconds by which the process is late. */
function lateAt(now: number): number {
  return Math.max(0, now - lookedAt - LOOK_MS)
}

function look(): void {
  const now = performance.now()
  const late = lateAt(now)
  lookedAt = now
  for (const pace of waiting) pace.look(now, late)
  if (waiting.size > 0) return
  clearInterval(looking)
  looking = undefined
}
