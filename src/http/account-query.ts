/** Query strings of the account routes: a table of parameters, each at most once, nothing silently ignored. */

import { Findings } from '../datasets/findings.ts'
import { unknownParameter } from '../datasets/unknown-names.ts'
import { coerceValue, isRefusal, quote, type Refusal } from '../datasets/values.ts'
import type { ErrorCode } from '../errors.ts'
import { readQueryString } from '../text/query-string.ts'

/** How one parameter is read. */
export interface QueryParameter<T> {
  /** When it is not given. */
  readonly fallback: T
  /** Code of the 422 for a value that does not fit. */
  readonly code: ErrorCode
  readonly read: (text: string) => { readonly value: T } | Refusal
}

type ParameterTable = Readonly<Record<string, QueryParameter<unknown>>>
export type QueryValues<Table extends ParameterTable> = {
  readonly [Name in keyof Table]: Table[Name] extends QueryParameter<infer T> ? T : never
}

const INTEGER = /^-?[0-9]+$/

/** A whole number within bounds. */
export function integerParameter<T extends number | undefined>(
  bounds: { readonly min: number; readonly max: number; readonly fallback: T },
  code: ErrorCode = 'invalid_value',
): QueryParameter<number | T> {
  const { min, max, fallback } = bounds
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  return {
    fallback,
    code,
    read(text) {
      const value = INTEGER.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? { value } : { message: `must be an integer ${range}` }
    },
  }
}

/** A text that fits a pattern, as `make` understands it. */
export function textParameter<T>(
  pattern: RegExp,
  expected: string,
  make: (text: string) => T,
): QueryParameter<T | undefined> {
  const read = (text: string) => (pattern.test(text) ? { value: make(text) } : { message: expected })
  return { fallback: undefined, code: 'invalid_value', read }
}

/** A moment, written like the values of datetime columns; UTC with `Z`, with a fraction where one was given. */
export const MOMENT_PARAMETER: QueryParameter<string | undefined> = {
  fallback: undefined,
  code: 'invalid_value',
  read(text) {
    const moment = coerceValue('datetime', text)
    return isRefusal(moment)
      ? { ...moment, message: `must be a datetime: ${moment.message}` }
      : { value: String(moment) }
  },
}

/** @throws ApiError (422 codes) with one entry of detail per offender */
export function readAccountQuery<Table extends ParameterTable>(
  raw: string,
  table: Table,
): QueryValues<Table> {
  const findings = new Findings()
  const { parameters, undecodable } = readQueryString(raw)
  findings.addUndecodable(undecodable)
  const values: Record<string, unknown> = {}
  for (const { name, value } of parameters) {
    const location = `query.${name}`
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined
    if (parameter === undefined) {
      findings.add('unknown_parameter', location, () => unknownParameter(name, Object.keys(table)))
    } else if (Object.hasOwn(values, name)) {
      findings.add('duplicate_parameter', location, {
        message: `parameter "${name}" is given twice: give it once`,
      })
    } else values[name] = readOne(name, value, parameter, findings)
  }
  findings.throwIfAny()
  for (const [name, { fallback }] of Object.entries(table)) values[name] ??= fallback
  return values as QueryValues<Table>
}

function readOne(
  name: string,
  text: string,
  { code, read }: QueryParameter<unknown>,
  findings: Findings,
): unknown {
  const found = read(text)
  if ('value' in found) return found.value
  findings.add(code, `query.${name}`, {
    ...found,
    message: `parameter "${name}" ${found.message}, not ${quote(text)}`,
  })
  return null
}
