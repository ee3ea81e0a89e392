/**
 * Long work in turns. The engine computes on the one JavaScript thread, so work that takes long is written as a
 * generator that yields now and then, saying how much it has done; after a turn's worth other requests get theirs.
 */

/** Yields the cost of what it just did, or a promise it has to wait for. */
export type Work<T> = Generator<number | Promise<unknown>, T, void>

/**
 * What a turn may cost. Costs are nanoseconds, estimated from measurements on a small server: they bound how long
 * others wait and need no more precision than that.
 */
const TURN = 8_000_000

/** Rows worked on between two yields: a small part of a turn, whatever is done with them. */
const BLOCK_ROWS = 2 ** 18

/** The blocks of `count` rows. */
export function* blocksOf(count: number): Generator<readonly [from: number, to: number], void, void> {
  for (let from = 0; from < count; from += BLOCK_ROWS) yield [from, Math.min(from + BLOCK_ROWS, count)]
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs the work: its result at once when it fits into one turn, else a promise of it. */
export function runInTurns<T>(work: Work<T>): T | Promise<T> {
  let done = 0
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (typeof step.value !== 'number') return finishInTurns(work, step.value)
    done += step.value
    if (done > TURN) return finishInTurns(work, nextTurn())
  }
}

async function finishInTurns<T>(work: Work<T>, awaited: Promise<unknown>): Promise<T> {
  await awaited
  let done = 0
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (typeof step.value !== 'number') await step.value
    else done += step.value
    if (done <= TURN) continue
    await nextTurn()
    done = 0
  }
}
