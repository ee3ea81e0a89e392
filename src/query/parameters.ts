/** Query strings by a table of parameters: each is given at most once, and nothing is silently ignored. */

import type { ErrorCode } from '../base/error-codes.ts'
import { type Parameter, readQueryString } from '../base/text/query-string.ts'
import { Findings } from './findings.ts'
import { unknownParameter } from './unknown-names.ts'
import { coerceValue, isRefusal, quote, type Refusal, toBoolean } from './values.ts'

/** Notes that a value does not fit. `code`: where it is not the parameter's own. */
export type Note = (refusal: Refusal | (() => Refusal), code?: ErrorCode) => void

/** How one parameter is read. `Context`: what its values are checked against, such as the columns of a dataset. */
export interface QueryParameter<T, Context = unknown> {
  /** The value when it is not given, or does not fit. */
  readonly fallback: T
  /** Code of the 422 for a value that does not fit. */
  readonly code: ErrorCode
  /** What the 422 says when it is missing; absent for an optional parameter. */
  readonly required?: string
  readonly read: (text: string, note: Note, context: Context) => T
}

type ParameterTable<Context> = Readonly<Record<string, QueryParameter<unknown, Context>>>

type QueryValues<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends QueryParameter<infer T, never> ? T : never
}

/** A query string, read by a table. */
export interface ReadQuery<Table> {
  readonly values: QueryValues<Table>
  /** The texts of the table's parameters that were given. */
  readonly given: { readonly [Name in keyof Table]?: string }
  /** Everything that was given, in order. */
  readonly parameters: readonly Parameter[]
}

/**
 * Reads a query string. Names are checked before values, values in the order of the table.
 * @param raw without `?`, still percent-encoded
 * @param takeOther receives the parameters that are not in the table, or that `isOther` says are none
 */
export function readParameters<Context, Table extends ParameterTable<Context>>(
  raw: string,
  table: Table,
  context: Context,
  findings: Findings,
  takeOther: (parameter: Parameter) => void,
  isOther: (name: string) => boolean = () => false,
): ReadQuery<Table> {
  const { parameters, undecodable } = readQueryString(raw)
  findings.addUndecodable(undecodable)
  const given: Record<string, string> = {}
  for (const parameter of parameters) {
    const { name, value } = parameter
    if (!Object.hasOwn(table, name) || isOther(name)) takeOther(parameter)
    else if (given[name] === undefined) given[name] = value
    else {
      const message = `parameter "${name}" is given twice: give it once`
      findings.add('duplicate_parameter', `query.${name}`, { message })
    }
  }
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(table)) {
    values[name] = readValue(name, given[name], table[name]!, context, findings)
  }
  return { values: values as QueryValues<Table>, given: given as ReadQuery<Table>['given'], parameters }
}

function readValue<Context>(
  name: string,
  text: string | undefined,
  { fallback, code, required, read }: QueryParameter<unknown, Context>,
  context: Context,
  findings: Findings,
): unknown {
  const location = `query.${name}`
  if (text !== undefined) {
    return read(text, (refusal, other = code) => findings.add(other, location, refusal), context)
  }
  if (required !== undefined) findings.add(code, location, { message: required })
  return fallback
}

/**
 * Reads the query string of a route that takes the parameters of the table and no others.
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function readQuery<Table extends ParameterTable<unknown>>(
  raw: string,
  table: Table,
): ReadQuery<Table> {
  const findings = new Findings()
  const query = readParameters(raw, table, undefined, findings, ({ name }) =>
    findings.add('unknown_parameter', `query.${name}`, () => unknownParameter(name, Object.keys(table))),
  )
  findings.throwIfAny()
  return query
}

const DIGITS = /^[0-9]+$/
const INTEGER = /^-?[0-9]+$/

/** A whole number within bounds. */
export function integerParameter<T extends number | undefined>(
  name: string,
  { min, max, fallback }: { readonly min: number; readonly max: number; readonly fallback: T },
  code: ErrorCode = 'invalid_value',
): QueryParameter<number | T> {
  const pattern = min < 0 ? INTEGER : DIGITS
  return {
    fallback,
    code,
    read(text, note) {
      const value = pattern.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      note({ message: `parameter "${name}" must be an integer from ${min} to ${max}, not ${quote(text)}` })
      return fallback
    },
  }
}

/** `true` or `false`. */
export function flagParameter(name: string): QueryParameter<boolean | undefined> {
  return {
    fallback: undefined,
    code: 'invalid_value',
    read(text, note) {
      const flag = toBoolean(text)
      if (!isRefusal(flag)) return flag
      note({ ...flag, message: `parameter "${name}": ${flag.message}` })
      return undefined
    },
  }
}

/** A text that fits a pattern, converted by `make`. */
export function textParameter<T>(
  name: string,
  pattern: RegExp,
  expected: string,
  make: (text: string) => T,
): QueryParameter<T | undefined> {
  return {
    fallback: undefined,
    code: 'invalid_value',
    read(text, note) {
      if (pattern.test(text)) return make(text)
      note({ message: `parameter "${name}" ${expected}, not ${quote(text)}` })
      return undefined
    },
  }
}

/** A moment, written like the values of datetime columns; UTC with `Z`, with a fraction where one was given. */
export function momentParameter(name: string): QueryParameter<string | undefined> {
  return {
    fallback: undefined,
    code: 'invalid_value',
    read(text, note) {
      const moment = coerceValue('datetime', text)
      if (!isRefusal(moment)) return String(moment)
      const message = `parameter "${name}" must be a datetime: ${moment.message}, not ${quote(text)}`
      note({ ...moment, message })
      return undefined
    },
  }
}
