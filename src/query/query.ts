/**
 * Turns a query string into a typed query. Every 422 of the dataset routes is decided here (except the cursor's seal, see
 * `list/list-page.ts`): specification 4.4-4.7, contract 3. Nothing is silently ignored; all problems are named at once.
 */

import type { Parameter } from '../base/text/query-string.ts'
import type { CsvForm, PageQuery, SortField } from '../engine/row-query.ts'
import { filterGroups } from './filters.ts'
import { Findings } from './findings.ts'
import { DEFAULT_FORMAT, EXPORT_FORMATS, type ExportFormat } from './formats.ts'
import {
  DELIMITER,
  flagParameter,
  formatParameter,
  type Note,
  PAGE_PARAMETERS,
  type QueryParameter,
  readParameters,
  refuseCsvForm,
  WORDS,
  withWords,
} from './parameters.ts'
import type { QuerySchema } from './query-schema.ts'
import { unknownColumn } from './unknown-names.ts'

type ColumnParameter<T> = QueryParameter<T, QuerySchema>

const SORT: ColumnParameter<readonly SortField[]> = {
  fallback: [],
  code: 'invalid_sort',
  read: (text, note, schema) => readColumns('sort', text, note, schema),
}
const FIELDS: ColumnParameter<readonly number[] | undefined> = {
  fallback: undefined,
  code: 'invalid_fields',
  read: (text, note, schema) => readColumns('fields', text, note, schema).map(({ column }) => column),
}
const CURSOR: QueryParameter<string | undefined> = {
  fallback: undefined,
  code: 'invalid_cursor',
  read(text, note) {
    if (text === '') note({ message: 'parameter "cursor" is empty', suggestions: ['start'] })
    return text
  },
}

const LIST_PARAMETERS = {
  q: WORDS,
  sort: SORT,
  fields: FIELDS,
  ...PAGE_PARAMETERS,
  count: flagParameter('count'),
  cursor: CURSOR,
} as const
const EXPORT_PARAMETERS = {
  q: WORDS,
  sort: SORT,
  fields: FIELDS,
  format: formatParameter(EXPORT_FORMATS),
  bom: flagParameter('bom'),
  delimiter: DELIMITER,
  safe: flagParameter('safe'),
} as const

const YIELDING: readonly string[] = ['delimiter', 'safe']

/** Whether a parameter of this name is a filter, because the dataset has a column with that name. */
export function yieldsToColumn(name: string, { positions }: QuerySchema): boolean {
  return YIELDING.includes(name) && positions.has(name)
}

/** Names of parameters on the dataset routes; a column with such a name is filtered with an explicit operator. */
export const RESERVED_PARAMETERS: readonly string[] = [
  ...new Set([...Object.keys(LIST_PARAMETERS), ...Object.keys(EXPORT_PARAMETERS)]),
]

export interface ListQuery extends Omit<PageQuery, 'count'> {
  /** As requested; undefined: depends on the size of the dataset. */
  readonly count: boolean | undefined
  /** `start` or a sealed cursor; undefined in offset mode. */
  readonly cursor: string | undefined
  readonly parameters: readonly Parameter[]
}

/** Without `sort` in file order. */
export interface ExportRequest extends Pick<PageQuery, 'filters' | 'sort' | 'fields'> {
  readonly format: ExportFormat
  readonly csv: CsvForm
  readonly bom: boolean
  /** For a CKAN dump: a part of the rows. */
  readonly offset?: number
  readonly limit?: number
  readonly parameters: readonly Parameter[]
}

/**
 * Reads the query of `GET /v1/{domain}/{dataset}`.
 * @param raw the query string without `?`, still percent-encoded
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseListQuery(raw: string, schema: QuerySchema): ListQuery {
  const findings = new Findings()
  const { values, given, parameters, filters } = readByTable(raw, LIST_PARAMETERS, schema, findings)
  const { q, fields = allColumns(schema), ...rest } = values
  suggestColumns(given, (name) => schema.positions.has(name), findings)
  refuseCursorConflicts(given, values.count, findings)
  findings.throwIfAny()
  return { ...rest, filters: withWords(filters, q), fields, parameters }
}

/**
 * Reads the query of `GET /v1/{domain}/{dataset}/export`.
 * @param preferred the format if `format` is not given
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseExportQuery(
  raw: string,
  schema: QuerySchema,
  preferred: ExportFormat = DEFAULT_FORMAT,
): ExportRequest {
  const findings = new Findings()
  const { values, given, parameters, filters } = readByTable(raw, EXPORT_PARAMETERS, schema, findings)
  const { q, sort, format = preferred, fields = allColumns(schema) } = values
  const { bom = false, delimiter = ',', safe = false } = values
  suggestColumns(given, (name) => schema.positions.has(name), findings)
  refuseCsvForm({ bom, safe, delimiter: delimiter !== ',' }, format, findings)
  findings.throwIfAny()
  return { filters: withWords(filters, q), sort, fields, format, bom, csv: { delimiter, safe }, parameters }
}

function readByTable<Table extends typeof LIST_PARAMETERS | typeof EXPORT_PARAMETERS>(
  raw: string,
  table: Table,
  schema: QuerySchema,
  findings: Findings,
) {
  const isColumn = (name: string) => yieldsToColumn(name, schema)
  const usable = Object.keys(table).filter((name) => !isColumn(name))
  const groups = filterGroups(schema, findings)
  const takeOther = (parameter: Parameter) => {
    const { name, value } = parameter
    if (!RESERVED_PARAMETERS.includes(name) || isColumn(name)) groups.add(name, value, usable)
    else refuseParameter(parameter, table === LIST_PARAMETERS ? 'list' : 'export', schema, findings)
  }
  const query = readParameters(raw, table, schema, findings, takeOther, isColumn)
  return { ...query, filters: groups.filters }
}

function allColumns({ columns }: QuerySchema): number[] {
  return columns.map((_, position) => position)
}

function refuseParameter(
  { name, value }: Parameter,
  route: 'list' | 'export',
  schema: QuerySchema,
  findings: Findings,
) {
  const here = route === 'list' ? 'lists' : 'exports'
  const there = route === 'list' ? 'exports' : 'lists'
  findings.add('unknown_parameter', `query.${name}`, {
    message: `parameter "${name}" belongs to ${there} and does not apply to ${here}`,
    ...(schema.positions.has(name) && { suggestions: [asFilter(name, value)] }),
  })
}

/**
 * Suggests a filter for a parameter with a wrong value if there is a column with its name.
 * @param given the parameters' texts
 */
export function suggestColumns(
  given: Readonly<Record<string, string>>,
  isColumn: (name: string) => boolean,
  findings: Findings,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (isColumn(name)) findings.suggestInstead(`query.${name}`, asFilter(name, value))
  }
}

const LONGEST_REPEATED = 80

function asFilter(name: string, value: string): string {
  const repeated = value.length > LONGEST_REPEATED ? '' : `=${encodeURIComponent(value.toWellFormed())}`
  return `${name}[eq]${repeated}`
}

/** Names of columns between commas, each once; those of `sort` may have a minus sign. @param most limit on the names */
export function readColumns(
  parameter: 'sort' | 'fields' | 'columns',
  text: string,
  note: Note,
  schema: QuerySchema,
  most = Number.POSITIVE_INFINITY,
): SortField[] {
  const fields: SortField[] = []
  for (const [index, item] of text.split(',').entries()) {
    if (index >= most) {
      note({ message: `parameter "${parameter}" takes at most ${most} columns` })
      break
    }
    const descending = parameter === 'sort' && item.startsWith('-')
    const name = descending ? item.slice(1) : item
    const column = schema.positions.get(name)
    if (name === '') note({ message: `parameter "${parameter}" needs a column name between its commas` })
    else if (column === undefined) note(() => unknownColumn(name, parameter, schema), 'unknown_column')
    else if (fields.some((field) => field.column === column))
      note({ message: `parameter "${parameter}" names column "${name}" twice` })
    else fields.push({ column, descending })
  }
  return fields
}

/** A cursor walks in file order and counts nothing: specification 4.6 rules 4 and 5. */
function refuseCursorConflicts(
  given: { readonly cursor?: string; readonly offset?: string; readonly sort?: string },
  count: boolean | undefined,
  findings: Findings,
): void {
  if (given.cursor === undefined) return
  const refuse = (name: string, written: string, why: string) => {
    const message = `parameter "cursor" cannot be combined with ${written}: ${why}; leave one of them out`
    findings.add('cursor_conflict', `query.${name}`, { message })
  }
  for (const name of ['offset', 'sort'] as const)
    if (given[name] !== undefined) refuse(name, `"${name}"`, 'a walk goes in the order of the file')
  if (count === true) refuse('count', 'count=true', 'a walk counts nothing')
}
