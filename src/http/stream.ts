/** Generators as response bodies. */

import { LIMITS, noteRefused } from '../base/limits.ts'

/** Milliseconds a reader may keep chunks waiting. */
interface Patience {
  readonly atFirst: number
  /** The most a reader can save up by reading fast: the system's buffers take the first megabytes at once. */
  readonly atMost: number
  /** For each byte taken. */
  readonly perByte: number
}

const PATIENCE: Patience = { atFirst: 30_000, atMost: 60_000, perByte: 1 / LIMITS.download_pace.most }

/** Milliseconds between two looks. */
const LOOK_MS = 500

const waiting = new Set<ReaderPace>()
let looking: ReturnType<typeof setInterval> | undefined
let lookedAt = 0

/**
 * The pace of one reader, who may read too slowly while holding an export slot. Time counts while a chunk waits for the
 * reader, not while one is made, and not while the whole process is late.
 */
class ReaderPace {
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

  gave(bytes: number): void {
    const { atMost, perByte } = this.#patience
    this.#left = Math.min(atMost, this.#left + bytes * perByte)
    this.#since = performance.now()
    waiting.add(this)
    if (looking !== undefined) return
    lookedAt = this.#since
    looking = setInterval(look, LOOK_MS).unref()
  }

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

/** The generator with its first chunk made, so that a failure until then can still be answered as an error. */
export async function primed(source: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await source.next()
  return resume(first, source)
}

async function* resume(
  first: IteratorResult<Uint8Array>,
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done) return
    yield first.value
    yield* source
  } finally {
    await source.return(undefined)
  }
}

export interface StreamEnd {
  /** Closes the connection when the stream breaks off; unsent bytes would otherwise hold it until the client reads on. */
  readonly cutOff: () => void
  readonly failed: (error: unknown) => void
  /**
   * Called once when the stream is over: complete, broken, cancelled by the client (even before the first chunk), or cut
   * off because the client reads too slowly. `bytes`: how many were sent.
   */
  readonly over: (bytes: number) => void
  readonly cut?: AbortSignal
}

/**
 * A body that asks the generator for the next chunk only when the client has taken the last one. A failure destroys the
 * connection: the client sees a broken transfer, never a short file that looks whole, and none of the error's text.
 */
export function streamBody(
  source: AsyncGenerator<Uint8Array>,
  end: StreamEnd,
  patience = PATIENCE,
): ReadableStream {
  let givenUp = false
  let bytes = 0
  let fail = () => {}
  const over = () => {
    end.cut?.removeEventListener('abort', takeDown)
    end.over(bytes)
  }
  const giveUp = async () => {
    givenUp = true
    pace.took()
    await source.return(undefined)
    over()
  }
  const breakOff = () => {
    fail()
    end.cutOff()
    void giveUp()
  }
  const takeDown = () => {
    end.failed(new Error('what is read was taken down'))
    breakOff()
  }
  const pace = new ReaderPace(breakOff, patience)
  return new ReadableStream(
    {
      start(controller) {
        // The runtime would print a reason on the console.
        fail = () => controller.error(undefined)
        end.cut?.addEventListener('abort', takeDown)
        if (end.cut?.aborted) takeDown()
      },
      async pull(controller) {
        pace.took()
        try {
          const { done, value } = await source.next()
          if (givenUp) return
          if (!done) {
            controller.enqueue(value)
            bytes += value.length
            pace.gave(value.length)
            return
          }
          controller.close()
        } catch (error) {
          if (givenUp) return
          end.failed(error)
          controller.error(new Error('the stream was cut off'))
        }
        over()
      },
      cancel: giveUp,
    },
    { highWaterMark: 0 },
  )
}

/** The body of an answer to HEAD whose length is unknown. */
export function emptyStream(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 })
}

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
