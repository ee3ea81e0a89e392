/** The building blocks of schemas for bodies and parameters (TypeBox, as JSON Schema 2020-12). */

import { type Static, type TSchema, t } from 'elysia'

/** Types of TypeBox that Elysia does not export. */
export type TProperties = Record<string, TSchema>
export type TObject<P extends TProperties = TProperties> = ReturnType<typeof t.Object<P>>
export type TUnsafe<T> = ReturnType<typeof t.Unsafe<T>>

/** Keywords of JSON Schema that only describe or bound. */
type Facts = Readonly<Record<string, unknown>>

/** Elysia's own number schemas also accept digits as text: right for addresses, wrong for bodies. */
export const integer = (facts: Facts = {}) => t.Unsafe<number>({ type: 'integer', ...facts })
export const decimal = (facts: Facts = {}) => t.Unsafe<number>({ type: 'number', ...facts })
export const text = (facts: Facts = {}) => t.String(facts)
export const flag = t.Boolean()
export const count = (description?: string) => integer({ minimum: 0, ...(description && { description }) })
export const day = text({ format: 'date', description: 'UTC' })
export const moment = text({
  format: 'date-time',
  description: 'RFC 3339, UTC, whole seconds, `Z`',
  examples: ['2025-01-31T08:00:00Z'],
})
export const sha256 = text({ pattern: '^[0-9a-f]{64}$' })

export function oneOf<const Text extends string>(values: readonly Text[], facts: Facts = {}) {
  return t.Unsafe<Text>({ type: 'string', enum: [...values], ...facts })
}

export function nullable<S extends TSchema>(schema: S, description?: string) {
  const about = description === undefined ? {} : { description }
  const { type, enum: values } = schema
  if (type === undefined || schema.$id !== undefined)
    return t.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], ...about })
  const listed = values === undefined ? {} : { enum: [...values, null] }
  return t.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...listed, ...about })
}

/** An object with these members and no others. */
export function shape<P extends TProperties>(properties: P, facts: Facts = {}) {
  return t.Object(properties, { ...facts, additionalProperties: false })
}

/** As `shape`, with a name in the description. */
export function named<P extends TProperties>(name: string, properties: P) {
  return shape(properties, { $id: name })
}
