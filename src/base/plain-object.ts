/** JSON objects with unknown fields. */

/** Whether a value is an object, neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields that are not null. */
export function withoutNulls<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)) as T
}
