/** The part of JSON Schema (2020-12) that definitions need, and what is wrong with a value by it. */

import { suggestWord } from './field-hints.ts'
import { NAME_IN_WORDS, NAME_PATTERN } from './names.ts'

export interface Schema {
  readonly type: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maxLength?: number
}

/** Half a sentence about an unknown field of the object at `path`, or nothing. */
type FieldHint = (field: string, path: string) => string

/** @returns the first deviation of a value from a schema, in words, or null */
export function findProblem(
  value: unknown,
  schema: Schema,
  path = '',
  hint: FieldHint = () => '',
): string | null {
  const where = path === '' ? 'the definition' : path
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const types = [schema.type].flat()
  if (!types.some((type) => (type === 'integer' ? Number.isInteger(value) : found === type))) {
    const wanted = types.map((type) => (type === 'array' ? 'a list' : `of type ${type}`))
    return `${where} must be ${wanted.join(' or ')}, not ${found}`
  }
  if (Array.isArray(value)) {
    const { items } = schema
    return items ? firstOf(value, (item, i) => findProblem(item, items, `${path}[${i}]`, hint)) : null
  }
  if (schema.type === 'object') return findFieldProblem(value as Record<string, unknown>, schema, path, hint)
  if (schema.enum && !schema.enum.includes(value as string))
    return `${where} must be one of ${schema.enum.join(', ')}, not '${value}'${suggestWord(value as string, schema.enum)}`
  if (schema.pattern && !new RegExp(schema.pattern).test(value as string))
    return schema.pattern === NAME_PATTERN ? `${where} must consist of ${NAME_IN_WORDS}` : `${where} is empty`
  if (schema.minimum !== undefined && (value as number) < schema.minimum)
    return `${where} must be at least ${schema.minimum}`
  if (schema.maxLength !== undefined && (value as string).length > schema.maxLength)
    return `${where} is too long`
  return null
}

function findFieldProblem(
  value: Record<string, unknown>,
  schema: Schema,
  path: string,
  hint: FieldHint,
): string | null {
  const prefix = path === '' ? '' : `${path}.`
  const properties = schema.properties ?? {}
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined)
    return `unknown field '${prefix}${unknown}'; known are ${Object.keys(properties).join(', ')}${hint(unknown, path)}`
  const missing = schema.required?.find((key) => !Object.hasOwn(value, key))
  if (missing !== undefined) return `field '${prefix}${missing}' is missing`
  return firstOf(Object.entries(value), ([key, item]) =>
    findProblem(item, properties[key] as Schema, `${prefix}${key}`, hint),
  )
}

function firstOf<T>(items: readonly T[], find: (item: T, i: number) => string | null): string | null {
  for (const [i, item] of items.entries()) {
    const problem = find(item, i)
    if (problem !== null) return problem
  }
  return null
}
