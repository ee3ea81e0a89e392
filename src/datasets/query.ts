/**
 * A query string to a typed query. Every 422 of the dataset routes is decided here (the cursor's seal apart, see
 * `cursor.ts`): specification 4.4-4.7, contract 3. Nothing is silently ignored; all problems are named at once.
 */

import type { Filter, SortField } from '../engine/query.ts'
import { type Parameter, readQueryString } from '../text/query-string.ts'
import { suggest } from '../text/suggest.ts'
import { FilterGroups } from './filters.ts'
import { Findings } from './findings.ts'
import { DEFAULT_FORMAT, type ExportFormat, FORMAT_SPELLINGS, findFormat } from './formats.ts'
import { readLimit, readOffset } from './paging.ts'
import type { QuerySchema } from './query-schema.ts'
import { unknownColumn } from './unknown-names.ts'
import { isRefusal, quote, toBoolean } from './values.ts'

/** Names that are parameters on the dataset routes; a column of such a name is filtered with an operator. */
export const RESERVED_PARAMETERS = [
  'sort',
  'fields',
  'limit',
  'offset',
  'count',
  'cursor',
  'format',
  'bom',
] as const
type Reserved = (typeof RESERVED_PARAMETERS)[number]

const LIST_PARAMETERS: readonly Reserved[] = ['sort', 'fields', 'limit', 'offset', 'count', 'cursor']
const EXPORT_PARAMETERS: readonly Reserved[] = ['format', 'fields', 'bom']

export interface ListQuery {
  readonly filters: readonly Filter[]
  readonly sort: readonly SortField[]
  /** Column positions in the order they are shown. */
  readonly fields: readonly number[]
  readonly limit: number
  readonly offset: number
  /** As asked for; undefined leaves it to the size of the dataset. */
  readonly count: boolean | undefined
  /** `start` or a sealed cursor; undefined in offset mode. */
  readonly cursor: string | undefined
  /** Everything given, in order: links repeat it. */
  readonly parameters: readonly Parameter[]
}

export interface ExportRequest {
  readonly filters: readonly Filter[]
  readonly fields: readonly number[]
  readonly format: ExportFormat
  /** Whether CSV begins with a byte order mark, for Excel. */
  readonly bom: boolean
  readonly parameters: readonly Parameter[]
}

/**
 * Reads the query of `GET /v1/{domain}/{dataset}`.
 * @param raw the query string without `?`, still percent-encoded
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseListQuery(raw: string, schema: QuerySchema): ListQuery {
  const findings = new Findings()
  const { parameters, filters, given } = readParameters(raw, schema, 'list', findings)
  const query: ListQuery = {
    filters,
    sort: readSort(given.sort, schema, findings),
    fields: readFields(given.fields, schema, findings),
    limit: readLimit(given.limit, findings),
    offset: readOffset(given.offset, findings),
    count: readFlag('count', given.count, findings),
    cursor: given.cursor,
    parameters,
  }
  suggestColumns(given, schema, findings)
  refuseCursorConflicts(given, query, findings)
  findings.throwIfAny()
  return query
}

/**
 * Reads the query of `GET /v1/{domain}/{dataset}/export`.
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseExportQuery(raw: string, schema: QuerySchema): ExportRequest {
  const findings = new Findings()
  const { parameters, filters, given } = readParameters(raw, schema, 'export', findings)
  const request: ExportRequest = {
    filters,
    fields: readFields(given.fields, schema, findings),
    format: readFormat(given.format, findings),
    bom: readFlag('bom', given.bom, findings) ?? false,
    parameters,
  }
  suggestColumns(given, schema, findings)
  if (request.bom && request.format !== 'csv') {
    findings.add('invalid_value', 'query.bom', { message: 'parameter "bom" applies to format=csv only' })
  }
  findings.throwIfAny()
  return request
}

type Given = Partial<Record<Reserved, string>>

function readParameters(raw: string, schema: QuerySchema, route: 'list' | 'export', findings: Findings) {
  const { parameters, undecodable } = readQueryString(raw)
  findings.addUndecodable(undecodable)
  const usable = route === 'list' ? LIST_PARAMETERS : EXPORT_PARAMETERS
  const groups = new FilterGroups(schema, findings)
  const given: Given = {}
  for (const { name, value } of parameters) {
    const reserved = RESERVED_PARAMETERS.find((known) => known === name)
    if (reserved === undefined) groups.add(name, value, usable)
    else if (!usable.includes(reserved)) refuseParameter({ name: reserved, value }, route, schema, findings)
    else if (given[reserved] === undefined) given[reserved] = value
    else
      findings.add('duplicate_parameter', `query.${name}`, {
        message: `parameter "${name}" is given twice: give it once`,
      })
  }
  return { parameters, filters: groups.filters, given }
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

/** A parameter with a value that does not fit was meant as the column of its name, where there is one. */
function suggestColumns(given: Given, schema: QuerySchema, findings: Findings): void {
  for (const [name, value] of Object.entries(given)) {
    if (schema.positions.has(name)) findings.suggestInstead(`query.${name}`, asFilter(name, value))
  }
}

const LONGEST_REPEATED = 80

/** The filter on a column named like a parameter, ready for an address. */
function asFilter(name: string, value: string): string {
  const repeated = value.length > LONGEST_REPEATED ? '' : `=${encodeURIComponent(value.toWellFormed())}`
  return `${name}[eq]${repeated}`
}

function readSort(text: string | undefined, schema: QuerySchema, findings: Findings): SortField[] {
  if (text === undefined) return []
  const sort: SortField[] = []
  for (const item of text.split(',')) {
    const descending = item.startsWith('-')
    const name = descending ? item.slice(1) : item
    const column = readColumn('sort', name, schema, findings)
    if (column === undefined) continue
    if (sort.some((field) => field.column === column)) {
      findings.add('invalid_sort', 'query.sort', { message: `parameter "sort" names column "${name}" twice` })
    }
    sort.push({ column, descending })
  }
  return sort
}

function readFields(text: string | undefined, schema: QuerySchema, findings: Findings): number[] {
  if (text === undefined) return schema.columns.map((_, position) => position)
  const fields = new Set<number>()
  for (const name of text.split(',')) {
    const column = readColumn('fields', name, schema, findings)
    if (column === undefined) continue
    if (fields.has(column)) {
      findings.add('invalid_fields', 'query.fields', {
        message: `parameter "fields" names column "${name}" twice`,
      })
    }
    fields.add(column)
  }
  return [...fields]
}

function readColumn(
  parameter: 'sort' | 'fields',
  name: string,
  schema: QuerySchema,
  findings: Findings,
): number | undefined {
  const column = schema.positions.get(name)
  if (column !== undefined) return column
  const location = `query.${parameter}`
  if (name === '') {
    const code = parameter === 'sort' ? 'invalid_sort' : 'invalid_fields'
    findings.add(code, location, {
      message: `parameter "${parameter}" needs a column name between its commas`,
    })
    return undefined
  }
  findings.add('unknown_column', location, () => unknownColumn(name, parameter, schema))
  return undefined
}

function readFlag(name: 'count' | 'bom', text: string | undefined, findings: Findings): boolean | undefined {
  if (text === undefined) return undefined
  const flag = toBoolean(text)
  if (!isRefusal(flag)) return flag
  findings.add('invalid_value', `query.${name}`, { ...flag, message: `parameter "${name}": ${flag.message}` })
  return undefined
}

function readFormat(text: string | undefined, findings: Findings): ExportFormat {
  if (text === undefined) return DEFAULT_FORMAT
  const format = findFormat(text)
  if (format !== undefined) return format
  const near = suggest(text, FORMAT_SPELLINGS)
  findings.add('invalid_format', 'query.format', {
    message: `parameter "format" must be csv, ndjson or json, not ${quote(text)}`,
    ...(near.length > 0 && { suggestions: near }),
  })
  return DEFAULT_FORMAT
}

/** A cursor walks in file order and counts nothing: specification 4.6 rules 4 and 5. */
function refuseCursorConflicts(given: Given, query: ListQuery, findings: Findings): void {
  if (given.cursor === undefined) return
  if (given.cursor === '') {
    findings.add('invalid_cursor', 'query.cursor', {
      message: 'parameter "cursor" is empty',
      suggestions: ['start'],
    })
  }
  for (const name of ['offset', 'sort'] as const) {
    if (given[name] === undefined) continue
    findings.add('cursor_conflict', `query.${name}`, {
      message: `parameter "cursor" cannot be combined with "${name}": a walk goes in the order of the file; leave one of them out`,
    })
  }
  if (query.count !== true) return
  findings.add('cursor_conflict', 'query.count', {
    message:
      'parameter "cursor" cannot be combined with count=true: a walk counts nothing; leave one of them out',
  })
}
