import type { ValueOrPromise } from '../../src/base/value-or-promise.ts'

/** A value that must be there without waiting. */
export function atOnce<T>(value: ValueOrPromise<T>): T {
  if (value instanceof Promise) throw new Error('expected a value, got a promise')
  return value
}
