/** Checks values against the part of OpenAPI 3.0 schemas that the description uses. */

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies are looked into freely.
type Any = any

/** What does not fit, as `path: reason`; empty when all does. */
export function schemaErrors(document: Any, schema: Any, value: Any, path = '$'): string[] {
  if (schema.$ref !== undefined) return schemaErrors(document, resolveRef(document, schema.$ref), value, path)
  if (value === null) return schema.nullable === true ? [] : [`${path}: null`]
  if (schema.oneOf !== undefined) {
    const fitting = schema.oneOf.filter((one: Any) => schemaErrors(document, one, value, path).length === 0)
    return fitting.length === 1 ? [] : [`${path}: fits ${fitting.length} of oneOf`]
  }
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((one: Any) => schemaErrors(document, one, value, path).length === 0)
    return fits ? [] : [`${path}: fits none of anyOf`]
  }
  return [...typeErrors(schema, value, path), ...memberErrors(document, schema, value, path)]
}

export function resolveRef(document: Any, ref: string): Any {
  const found = ref
    .slice(2)
    .split('/')
    .reduce((node, name) => node?.[name], document)
  if (found === undefined) throw new Error(`no ${ref}`)
  return found
}

const TYPES: Record<string, (value: Any) => boolean> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: Number.isSafeInteger,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && !Array.isArray(value),
}

function typeErrors(schema: Any, value: Any, path: string): string[] {
  const errors: string[] = []
  if (schema.type !== undefined && !TYPES[schema.type]!(value)) errors.push(`${path}: no ${schema.type}`)
  if (schema.enum !== undefined && !schema.enum.includes(value)) errors.push(`${path}: not in enum`)
  if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
    errors.push(`${path}: ${schema.pattern}`)
  if (schema.minimum !== undefined && value < schema.minimum) errors.push(`${path}: under ${schema.minimum}`)
  if (schema.maximum !== undefined && value > schema.maximum) errors.push(`${path}: over ${schema.maximum}`)
  if (schema.format === 'date-time' && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
    errors.push(`${path}: no date-time`)
  }
  return errors
}

function memberErrors(document: Any, schema: Any, value: Any, path: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      schemaErrors(document, schema.items ?? {}, item, `${path}[${index}]`),
    )
  }
  if (typeof value !== 'object') return []
  const { properties = {}, required = [], additionalProperties = true } = schema
  const errors = required
    .filter((name: string) => !(name in value))
    .map((name: string) => `${path}.${name}: missing`)
  for (const [name, member] of Object.entries(value)) {
    const known = properties[name] ?? additionalProperties
    if (known === false) errors.push(`${path}.${name}: not described`)
    else if (known !== true) errors.push(...schemaErrors(document, known, member, `${path}.${name}`))
  }
  return errors
}
