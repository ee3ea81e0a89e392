/**
 * Callers that keep a service's event loop busy. Each call is sent over a new connection, so the listener finds the next one
 * before the round of the event loop ends, and no cache can answer it.
 */

interface Outcome {
  /** Monotonic times: before the call was sent, and when its answer was complete. */
  readonly began: number
  readonly ended: number
  /** The status, and for a success a word of the answer. */
  readonly got: string
}

interface Caller {
  /** Called in turn. */
  readonly addresses: readonly string[]
  readonly secret: string
  /** The path of the nth call. */
  readonly path: (n: number) => string
  /** The part of a success that matters. */
  readonly read?: (body: unknown) => string
}

const CALLERS = 10
/** Answers before the change, and to calls that began after it. */
const ENOUGH = 40

/**
 * Makes a change while callers call.
 * @param change resolves when it was answered
 * @returns the answers, each kind once, to calls that ended before the change was requested, and to those that began after
 *   it was answered
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
