/**
 * Callers that keep a service's event loop busy: each call comes over a connection of its own, so the listener finds the
 * next one before the round of the event loop ends, and asks for what no cache helps with.
 */

interface Outcome {
  /** By the monotonic clock: before the call was sent, and when all of its answer was there. */
  readonly began: number
  readonly ended: number
  /** What the call got: the status, and a word of the answer where it is a success. */
  readonly got: string
}

interface Caller {
  /** Asked in turns. */
  readonly addresses: readonly string[]
  readonly secret: string
  /** The path of the nth call. */
  readonly path: (n: number) => string
  /** What of a success matters. */
  readonly read?: (body: unknown) => string
}

const CALLERS = 10
/** Answers before the change, and to calls that began after it. */
const ENOUGH = 40

/**
 * Makes a change while callers call.
 * @param change resolves when it was answered
 * @returns what calls got that ended before it was asked for, and those that began after it was answered, each kind once
 */
export async function changeUnderLoad(caller: Caller, change: () => Promise<unknown>) {
  const outcomes: Outcome[] = []
  let calls = 0
  let isOver = false
  const loops = Array.from({ length: CALLERS }, async () => {
    while (!isOver) outcomes.push(await call(caller, calls++))
  })
  const reach = async (enough: () => number) => {
    while (enough() < ENOUGH) await Bun.sleep(5)
  }
  const kinds = (counts: (outcome: Outcome) => boolean) => [
    ...new Set(outcomes.filter(counts).map(({ got }) => got)),
  ]
  try {
    await reach(() => outcomes.length)
    const asked = performance.now()
    await change()
    const answered = performance.now()
    await reach(() => outcomes.filter(({ began }) => began > answered).length)
    isOver = true
    await Promise.all(loops)
    return {
      before: kinds(({ ended }) => ended < asked),
      after: kinds(({ began }) => began > answered),
    }
  } finally {
    isOver = true
    await Promise.allSettled(loops)
  }
}

async function call({ addresses, secret, path, read }: Caller, n: number): Promise<Outcome> {
  const began = performance.now()
  const answer = await fetch(addresses[n % addresses.length]! + path(n), {
    headers: { authorization: `Bearer ${secret}`, connection: 'close' },
    keepalive: false,
  })
  const body = await answer.text()
  const word = answer.ok ? (read?.(JSON.parse(body)) ?? '') : (/"code":"(\w+)"/.exec(body)?.[1] ?? '')
  return { began, ended: performance.now(), got: `${answer.status} ${word}`.trimEnd() }
}
