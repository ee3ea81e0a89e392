/** The entries of `group_by` and `measures`: `county`, `month(period)`, `total:sum(value_lei)` (contract 7). */

import { suggest } from '../../base/text/suggest.ts'
import {
  DATE_PARTS,
  type DatePart,
  type GroupKey,
  MEASURES,
  type Measure,
  type MeasureKind,
} from '../../engine/aggregate/group-query.ts'
import type { ColumnType } from '../../engine/columns/column.ts'
import type { Note, QueryParameter } from '../parameters.ts'
import type { QuerySchema } from '../query-schema.ts'
import { listNames, unknownColumn } from '../unknown-names.ts'
import { quote, type Refusal } from '../values.ts'
import {
  DATE_PART_TABLE,
  findDatePart,
  findForeignFunction,
  findMeasure,
  MEASURE_TABLE,
  measuresOn,
} from './functions.ts'

export const MOST_GROUPS = 4
export const MOST_MEASURES = 10

/** A result of the query under its name. `key` is undefined where the entry was refused: only its name is known. */
export interface Entry<Key> {
  readonly name: string
  readonly key: Key | undefined
}

interface Written {
  readonly text: string
  /** Before the colon; undefined: it has none. */
  readonly name: string | undefined
  /** Before the parenthesis; undefined: there is none. */
  readonly function: string | undefined
  readonly argument: string
}

type ListParameter = 'group_by' | 'measures'
type EntryParameter<Key> = QueryParameter<readonly Entry<Key>[], QuerySchema>

export const GROUP_BY: EntryParameter<GroupKey> = {
  fallback: [],
  code: 'invalid_aggregate',
  read: (text, note, schema) =>
    readEntries('group_by', text, MOST_GROUPS, note, (written) => readGroup(written, schema)),
}

/** Rows are counted when nothing else is wanted. */
export const MEASURES_PARAMETER: EntryParameter<Measure> = {
  fallback: [{ name: 'count', key: { kind: 'count', column: null } }],
  code: 'invalid_aggregate',
  read: (text, note, schema) =>
    readEntries('measures', text, MOST_MEASURES, note, (written) => readMeasure(written, schema)),
}

/** The name of a result that was given none: `sum_value_lei`, `month_period`. */
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
  if (text === '') {
    note({ message: `parameter "${parameter}" needs an entry between its commas` })
    return undefined
  }
  const found = ENTRY.exec(text)
  if (found === null) {
    const form = parameter === 'group_by' ? 'column or month(column)' : 'count or sum(column)'
    note({
      message: `${quote(text)} in parameter "${parameter}" cannot be read: write ${form}, or name:${form.split(' ')[2]}`,
    })
    return undefined
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

function readGroup({ text, function: fn, argument }: Written, schema: QuerySchema): GroupKey | Refusal {
  const column = schema.positions.get(argument)
  if (fn === undefined)
    return column === undefined ? unknownColumn(argument, 'group_by', schema) : { column, part: null }
  const part = findDatePart(fn)
  if (part === undefined) {
    const measure = findMeasure(fn)
    if (measure !== undefined)
      return {
        message: `${quote(text)} in parameter "group_by" is a measure: it belongs to parameter "measures"`,
      }
    return unknownFunction('group_by', fn, argument, DATE_PARTS)
  }
  if (column === undefined)
    return unknownArgument('group_by', argument, part, DATE_PART_TABLE[part].on, schema)
  const { type } = schema.columns[column]!
  if (DATE_PART_TABLE[part].on.includes(type)) return { column, part }
  return {
    message: `function ${quote(part)} in parameter "group_by" takes dates, and column ${quote(argument)} is of type ${type}`,
    suggestions: [argument],
  }
}

function readMeasure({ text, function: fn, argument }: Written, schema: QuerySchema): Measure | Refusal {
  if (fn === undefined) {
    return argument === 'count' ? { kind: 'count', column: null } : refusePlain(text, argument, schema)
  }
  const kind = findMeasure(fn)
  if (kind === undefined) {
    if (findDatePart(fn) !== undefined)
      return {
        message: `${quote(text)} in parameter "measures" is a group: it belongs to parameter "group_by"`,
      }
    return unknownFunction('measures', fn, argument, MEASURES)
  }
  if (kind === 'count' && (argument === '' || argument === '*')) {
    return {
      message: `${quote(text)} in parameter "measures" names no column; rows are counted without one`,
      suggestions: ['count'],
    }
  }
  const column = schema.positions.get(argument)
  if (column === undefined) return unknownArgument('measures', argument, kind, MEASURE_TABLE[kind].on, schema)
  const { type } = schema.columns[column]!
  return MEASURE_TABLE[kind].on.includes(type) ? { kind, column } : refuseType(kind, argument, type)
}

function refuseType(kind: MeasureKind, column: string, type: ColumnType): Refusal {
  const { on } = MEASURE_TABLE[kind]
  const takes = on.includes('string') ? 'any column but booleans' : 'numbers'
  return {
    message: `function ${quote(kind)} in parameter "measures" takes ${takes}, and column ${quote(column)} is of type ${type}`,
    suggestions: measuresOn(type)
      .slice(1)
      .map((usable) => `${usable}(${column})`),
  }
}

/** A measure without parentheses: a column that wants a function, or a function that wants a column. */
function refusePlain(text: string, argument: string, schema: QuerySchema): Refusal {
  const message = `${quote(text)} in parameter "measures" is not a measure`
  const kind = findMeasure(argument) ?? findForeignFunction(argument, 'measures')
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

function unknownFunction(
  parameter: ListParameter,
  fn: string,
  argument: string,
  names: readonly string[],
): Refusal {
  const foreign = findForeignFunction(fn, parameter)
  const near = foreign === undefined ? suggest(fn, names) : [foreign]
  return {
    message: `unknown function ${quote(fn)} in parameter "${parameter}"`,
    suggestions: (near.length > 0 ? near : names).map((name) => `${name}(${argument})`),
  }
}

/** An unknown column in a function, with near ones that the function takes. */
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
