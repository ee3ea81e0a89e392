/**
 * Answers that every request needs: whose key it is, whether its rate and its quota admit it. In the embedded mode they
 * come from memory, as plain values, so that a request is not held up by another turn of the event loop; a store across
 * the network answers with a promise. Callers on that path handle both; everything else awaits.
 */
export type ValueOrPromise<T> = T | Promise<T>

/** Continues with a value: at once for a plain value, else when it arrives. */
export function withValue<T, R>(
  value: ValueOrPromise<T>,
  next: (value: T) => ValueOrPromise<R>,
): ValueOrPromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
