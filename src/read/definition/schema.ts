/** The part of JSON Schema (2020-12) that definitions need, and validation against it. */

import { suggest } from '../../base/text/suggest.ts'
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

interface Values {
  readonly string: string
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
}

/** The type of the values that a schema accepts; the schema must be a literal type. */
export type ValueBy<S> = S extends { enum: readonly (infer E)[] }
  ? E
  : S extends { properties: infer P; required?: readonly (infer R)[] }
    ? { readonly [K in keyof P & R]: ValueBy<P[K]> } & { readonly [K in Exclude<keyof P, R>]?: ValueBy<P[K]> }
    :
        | (S extends { items: infer I } ? readonly ValueBy<I>[] : never)
        | (S extends { type: infer T }
            ? Values[(T extends readonly (infer M)[] ? M : T) & keyof Values]
            : never)

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
    if (!items) return null
    const problems = value.values().map((item, i) => findProblem(item, items, `${path}[${i}]`, hint))
    return problems.find((problem) => problem !== null) ?? null
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
  const fields = Object.entries(value).values()
  const problems = fields.map(([key, item]) =>
    findProblem(item, properties[key] as Schema, `${prefix}${key}`, hint),
  )
  return problems.find((problem) => problem !== null) ?? null
}

/** Other programs' names for types. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  text: 'string',
  number: 'integer or decimal',
  int: 'integer',
  float: 'decimal',
  double: 'decimal',
  bool: 'boolean',
  timestamp: 'datetime',
}

/** The objects of a definition that have fields. */
const PLACES = { read: 'under "read"', '': 'beside "id"', columns: 'in an entry of "columns"' } as const
type FieldPlace = keyof typeof PLACES

/** What a wrong word may have meant: half a sentence to end a message with, or nothing. @param known the valid words */
function suggestWord(word: string, known: readonly string[]): string {
  const other = OTHER_WORDS[word.toLowerCase()]
  const [near] = other !== undefined && known.includes('string') ? [other] : suggest(word, known)
  return near === undefined ? '' : `: did you mean ${near}?`
}

/** The same for a field. @param path of its object, such as `columns[0]`; @param fields known fields by place */
export function suggestField(
  field: string,
  path: string,
  fields: Readonly<Record<FieldPlace, readonly string[]>>,
): string {
  const own = path.replace(/\[.*/, '') as FieldPlace
  for (const place of Object.keys(PLACES) as FieldPlace[])
    if (place !== own && fields[place].includes(field)) return `. '${field}' belongs ${PLACES[place]}`
  return suggestWord(field, fields[own])
}
