/**
 * Answers that every request needs: whose key it is, and whether its rate and its quota admit it. On a single machine
 * they come from memory as plain values, so a request does not wait for another turn of the event loop; a store across
 * the network returns a promise. Callers on that path handle both; all others await.
 */
export type ValueOrPromise<T> = T | Promise<T>

/** Continues with a value: at once for a plain value, else when it arrives. */
export function withValue<T, R>(
  value: ValueOrPromise<T>,
  next: (value: T) => ValueOrPromise<R>,
): ValueOrPromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
