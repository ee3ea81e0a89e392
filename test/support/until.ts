/** Asks every 5 ms until the answer is the expected one, by default a truthy one; returns it. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isReached: (answer: T) => boolean = Boolean,
): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await ask()
    if (isReached(answer)) return answer as NonNullable<T>
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
