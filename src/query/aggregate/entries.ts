/** The entries of `group_by` and `measures`: `county`, `month(period)`, `total:sum(value_lei)` (contract 7). */

import { suggest } from '../../base/text/suggest.ts'
import type { DatePart, GroupKey, Measure, MeasureKind } from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { Note, QueryParameter } from '../parameters.ts'
import type { QuerySchema } from '../query-schema.ts'
import { listNames, unknownColumn } from '../unknown-names.ts'
import { quote, type Refusal } from '../values.ts'
import {
  type FunctionNames,
  findForeignFunction,
  findFunction,
  functionsOf,
  measuresOn,
} from './functions.ts'

export const MOST_GROUP_COLUMNS = 4
export const MOST_MEASURES = 10

/** A named result of the query. `key` is undefined if the entry was refused: only its name is known. */
export interface Entry<Key> {
  readonly name: string
  readonly key: Key | undefined
}

interface Written {
  readonly text: string
  /** Before the colon; undefined: no colon. */
  readonly name: string | undefined
  /** Before the parenthesis; undefined: no parenthesis. */
  readonly function: string | undefined
  readonly argument: string
}

type ListParameter = keyof FunctionNames
type EntryParameter<Key> = QueryParameter<readonly Entry<Key>[], QuerySchema>

export const GROUP_BY: EntryParameter<GroupKey> = {
  fallback: [],
  code: 'invalid_aggregate',
  read: (text, note, schema) =>
    readEntries('group_by', text, MOST_GROUP_COLUMNS, note, (written) => readGroup(written, schema)),
}

/** By default, rows are counted. */
export const MEASURES_PARAMETER: EntryParameter<Measure> = {
  fallback: [{ name: 'count', key: { kind: 'count', column: null } }],
  code: 'invalid_aggregate',
  read: (text, note, schema) =>
    readEntries('measures', text, MOST_MEASURES, note, (written) => readMeasure(written, schema)),
}

/** The name of a result without a given name: `sum_value_lei`, `month_period`. */
export function defaultName(kind: MeasureKind | DatePart, column: string): string {
  return `${kind}_${column}`
}

const ENTRY = /^(?:([^:()]*):)?(?:([^:()]*)\(([^()]*)\)|([^:()]*))$/
const NAME = /^[a-z0-9_]{1,64}$/

function readEntries<Key>(
  parameter: ListParameter,
  text: string,
  most: number,
  note: Note,
  read: (written: Written) => Key | Refusal,
): Entry<Key>[] {
  const entries: Entry<Key>[] = []
  for (const [index, item] of text.split(',').entries()) {
    if (index >= most) {
      note({ message: `parameter "${parameter}" takes at most ${most} entries; ${quote(item)} is one more` })
      return entries
    }
    const written = readWritten(parameter, item, note)
    if (written === undefined) continue
    const key = read(written)
    if (isRefused(key)) note(key)
    const { function: fn, argument, name = fn === undefined ? argument : `${fn}_${argument}` } = written
    entries.push({ name, key: isRefused(key) ? undefined : key })
  }
  return entries
}

function isRefused<Key>(key: Key | Refusal): key is Refusal {
  return typeof key === 'object' && key !== null && 'message' in key
}

function readWritten(parameter: ListParameter, text: string, note: Note): Written | undefined {
  if (text === '') return note({ message: `parameter "${parameter}" needs an entry between its commas` })
  const found = ENTRY.exec(text)
  if (found === null) {
    const form = parameter === 'group_by' ? 'column or month(column)' : 'count or sum(column)'
    return note({
      message: `${quote(text)} in parameter "${parameter}" cannot be read: write ${form}, or name:${form.split(' ')[2]}`,
    })
  }
  const [, name, fn, between, plain] = found
  if (name !== undefined && !NAME.test(name)) {
    const near = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]+/g, '_')
      .slice(0, 64)
    note({
      message: `${quote(name)} in parameter "${parameter}" is not a name for a result: it takes 1 to 64 of a-z, 0-9 and _`,
      ...(NAME.test(near) && { suggestions: [near] }),
    })
  }
  return { text, name, function: fn, argument: between ?? plain ?? '' }
}

function readGroup(written: Written, schema: QuerySchema): GroupKey | Refusal {
  const { function: fn, argument } = written
  if (fn !== undefined) {
    const found = readFunction('group_by', written, fn, schema)
    return isRefused(found) ? found : { column: found.column, part: found.kind }
  }
  const column = schema.positions.get(argument)
  return column === undefined ? unknownColumn(argument, 'group_by', schema) : { column, part: null }
}

function readMeasure(written: Written, schema: QuerySchema): Measure | Refusal {
  const { text, function: fn, argument } = written
  if (fn === undefined)
    return argument === 'count' ? { kind: 'count', column: null } : refusePlain(text, argument, schema)
  if (fn === 'count' && (argument === '' || argument === '*')) {
    return {
      message: `${quote(text)} in parameter "measures" names no column; rows are counted without one`,
      suggestions: ['count'],
    }
  }
  return readFunction('measures', written, fn, schema)
}

const OTHER = {
  group_by: { parameter: 'measures', is: 'a measure' },
  measures: { parameter: 'group_by', is: 'a group' },
} as const

/** Reads a function of a column, and checks that it takes columns of that type. */
function readFunction<P extends ListParameter>(
  parameter: P,
  { text, argument }: Written,
  fn: string,
  schema: QuerySchema,
): { readonly kind: FunctionNames[P]; readonly column: number } | Refusal {
  const found = findFunction(fn, parameter)
  if (found === undefined) {
    const { parameter: other, is } = OTHER[parameter]
    if (findFunction(fn, other) === undefined) return unknownFunction(parameter, fn, argument)
    const message = `${quote(text)} in parameter "${parameter}" is ${is}: it belongs to parameter "${other}"`
    return { message }
  }
  const { kind, on } = found
  const column = schema.positions.get(argument)
  if (column === undefined) return unknownArgument(parameter, argument, kind, on, schema)
  const { type } = schema.columns[column]!
  if (on.includes(type)) return { kind, column }
  const takes = on.includes('date')
    ? on.includes('string')
      ? 'any column but booleans'
      : 'dates'
    : 'numbers'
  const usable = measuresOn(type).slice(1)
  return {
    message: `function ${quote(kind)} in parameter "${parameter}" takes ${takes}, and column ${quote(argument)} is of type ${type}`,
    suggestions: parameter === 'group_by' ? [argument] : usable.map((name) => `${name}(${argument})`),
  }
}

/** A measure without parentheses: a column without a function, or a function without a column. */
function refusePlain(text: string, argument: string, schema: QuerySchema): Refusal {
  const message = `${quote(text)} in parameter "measures" is not a measure`
  const kind = findFunction(argument, 'measures')?.kind ?? findForeignFunction(argument, 'measures')
  if (kind !== undefined) return { message: `${message}: write the column as well, as in ${kind}(column)` }
  const column = schema.positions.get(argument)
  if (column === undefined) {
    const near = suggest(argument, new Set(['count', ...schema.positions.keys()]))
    return {
      message: `${message}: write count, or a function with its column, as in sum(column)`,
      suggestions: near.map((name) =>
        name === 'count' ? name : `${offeredOn(schema, schema.positions.get(name)!)[0]}(${name})`,
      ),
    }
  }
  return {
    message: `${message}: a column needs a function`,
    suggestions: offeredOn(schema, column).map((name) => `${name}(${argument})`),
  }
}

function offeredOn(schema: QuerySchema, column: number): readonly MeasureKind[] {
  const usable = measuresOn(schema.columns[column]!.type)
  return usable.includes('sum') ? ['sum', 'avg', 'median'] : usable.slice(1)
}

function unknownFunction(parameter: ListParameter, fn: string, argument: string): Refusal {
  const names = functionsOf(parameter).map(([name]) => name)
  const foreign = findForeignFunction(fn, parameter)
  const near = foreign === undefined ? suggest(fn, names) : [foreign]
  return {
    message: `unknown function ${quote(fn)} in parameter "${parameter}"`,
    suggestions: (near.length > 0 ? near : names).map((name) => `${name}(${argument})`),
  }
}

function unknownArgument(
  parameter: ListParameter,
  name: string,
  fn: MeasureKind | DatePart,
  on: readonly ColumnType[],
  { columns }: QuerySchema,
): Refusal {
  if (name === '')
    return { message: `function "${fn}" in parameter "${parameter}" needs a column between its parentheses` }
  const usable = columns.filter(({ type }) => on.includes(type))
  const message = `unknown column ${quote(name)} in parameter "${parameter}"`
  if (usable.length === 0) return { message: `${message}, and the dataset has none that "${fn}" takes` }
  const near = suggest(
    name,
    usable.map((column) => column.name),
  )
  if (near.length > 0) return { message, suggestions: near.map((column) => `${fn}(${column})`) }
  return { message: `${message}: "${fn}" takes ${listNames(usable)}` }
}
