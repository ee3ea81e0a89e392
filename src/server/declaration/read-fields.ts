/** Request bodies, read by their schema; everything that is wrong with a body is named at once. */

import type { Static, TSchema } from 'elysia'
import { ApiError, type Problem } from '../../base/errors.ts'
import { isObject } from '../../base/plain-object.ts'
import { suggest } from '../../base/text/suggest.ts'
import { type FieldReader, READS } from './fields.ts'
import type { TObject } from './schema.ts'

/**
 * The fields of a body, as the schema's fields read them.
 * @throws ApiError `invalid_body`, one detail per wrong, missing or unknown field
 */
export function readFields<Body extends TObject>(schema: Body, body: unknown): Static<Body> {
  if (!isObject(body)) throw refusal([{ location: 'body', message: 'The body is a JSON object.' }])
  const given = new Map<string, unknown>(Object.entries(body))
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const value = given.get(name)
    if (!given.has(name)) {
      if (schema.required?.includes(name)) problems.push(problem(name, 'is missing'))
      continue
    }
    const { read, expected } = (property as unknown as { [READS]: FieldReader<unknown> })[READS]
    // Half a surrogate pair can be written in JSON, but neither stored nor hashed as what it is.
    const isText = typeof value !== 'string' || value.isWellFormed()
    values[name] = isText ? read(value) : undefined
    if (values[name] !== undefined) continue
    problems.push(problem(name, isText ? expected : 'is a text of whole Unicode characters'))
  }
  for (const name of given.keys()) {
    if (!Object.hasOwn(schema.properties, name)) problems.push(unknownField(name, schema))
  }
  if (problems.length > 0) throw refusal(problems)
  return values as Static<Body>
}

function problem(name: string, what: string): Problem {
  return { location: `body.${name}`, message: `${name} ${what}.` }
}

function unknownField(name: string, { properties }: TObject): Problem {
  const shown = name.slice(0, 64)
  const suggestions = suggest(shown, Object.keys(properties))
  return {
    location: `body.${shown}`,
    message: `${shown} is not a field of this request.`,
    ...(suggestions.length > 0 && { suggestions }),
  }
}

function refusal(problems: readonly Problem[]): ApiError {
  return new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}
