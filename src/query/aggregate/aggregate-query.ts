/** Turns the query string of `GET /v1/{domain}/{dataset}/aggregate` into a typed query or a 422 (contract 7). */

import type { Parameter } from '../../base/text/query-string.ts'
import { suggest } from '../../base/text/suggest.ts'
import { type AggregateQuery, DATE_PARTS, MEASURES, resultTypes } from '../../engine/aggregate/group-query.ts'
import type { ColumnFilter, CsvForm } from '../../engine/row-query.ts'
import { columnOfFilter, filterGroups, type Reading } from '../filters.ts'
import { Findings } from '../findings.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../formats.ts'
import {
  DELIMITER,
  flagParameter,
  formatParameter,
  PAGE_PARAMETERS,
  type QueryParameter,
  readParameters,
  refuseCsvForm,
  WORDS,
  withWords,
} from '../parameters.ts'
import { suggestColumns, yieldsToColumn } from '../query.ts'
import { type QuerySchema, querySchema } from '../query-schema.ts'
import { unknownFilter } from '../unknown-names.ts'
import { coerceExact, quote, type Refusal } from '../values.ts'
import { defaultName, type Entry, GROUP_BY, MEASURES_PARAMETER } from './entries.ts'

const AGGREGATE_PARAMETERS = {
  q: WORDS,
  group_by: GROUP_BY,
  measures: MEASURES_PARAMETER,
  /** Read once the results are known. */
  sort: { fallback: undefined, code: 'invalid_sort', read: () => undefined } as QueryParameter<undefined>,
  ...PAGE_PARAMETERS,
  count: flagParameter('count'),
  format: formatParameter(EXPORT_FORMATS),
  bom: flagParameter('bom'),
  delimiter: DELIMITER,
  safe: flagParameter('safe'),
} as const

/** Comparisons with results use all digits that are written. */
const OF_RESULTS: Reading = { toEqual: coerceExact, toCompare: coerceExact }

const USABLE: readonly string[] = Object.keys(AGGREGATE_PARAMETERS)

/** Parameters of lists and exports that have no meaning for groups, unless a column has the name. */
const OF_ROWS: Readonly<Record<string, string>> = {
  cursor: 'groups are paged by "limit" and "offset", and format=csv sends all of them',
  fields: '"group_by" and "measures" name what is shown',
}

export interface AggregateRequest {
  readonly query: AggregateQuery
  readonly results: QuerySchema['columns']
  /** The format of a file with all groups; undefined: a page of them. */
  readonly format: ExportFormat | undefined
  /** Whether CSV begins with a byte order mark, for Excel. */
  readonly bom: boolean
  readonly csv: CsvForm
  readonly parameters: readonly Parameter[]
}

/**
 * Reads the query of an aggregate.
 * @param raw the query string without `?`, still percent-encoded
 * @throws ApiError (422 codes) with one entry of detail per offender
 */
export function parseAggregateQuery(raw: string, schema: QuerySchema): AggregateRequest {
  const findings = new Findings()
  const others: Parameter[] = []
  const { values, given, parameters } = readParameters(
    raw,
    AGGREGATE_PARAMETERS,
    schema,
    findings,
    (other) => others.push(other),
    (name) => yieldsToColumn(name, schema),
  )
  const results = joinResults(values.group_by, values.measures, schema, findings)
  const { filters, having } = readFilters(others, schema, results, findings)
  const sort = given.sort === undefined ? [] : readSort(given.sort, results, schema, findings)
  const { q, format, limit, offset, count = true } = values
  const { bom = false, delimiter = ',', safe = false } = values
  for (const name of ['limit', 'offset', 'count'] as const) {
    if (format === undefined || given[name] === undefined) continue
    findings.add('unknown_parameter', `query.${name}`, {
      message: `parameter "${name}" does not apply to files, which hold all groups: leave it or "format" out`,
    })
  }
  refuseCsvForm({ bom, safe, delimiter: delimiter !== ',' }, format, findings)
  suggestColumns(given, (name) => schema.positions.has(name) || results.schema.positions.has(name), findings)
  findings.throwIfAny()
  const { groups, measures } = results
  const rows = withWords(filters, q)
  const query = { filters: rows, groups, measures, having, sort, limit, offset, count }
  const csv = { delimiter, safe }
  return { query, results: results.schema.columns, format, bom, csv, parameters }
}

/** A name means a column first, then a result. */
function readFilters(
  others: readonly Parameter[],
  schema: QuerySchema,
  results: Results,
  findings: Findings,
): { filters: readonly ColumnFilter[]; having: AggregateQuery['having'] } {
  const ofRows = filterGroups(schema, findings)
  const ofGroups = filterGroups(results.schema, findings, OF_RESULTS)
  for (const { name, value } of others) {
    const column = columnOfFilter(name)
    if (schema.positions.has(column)) ofRows.add(name, value, USABLE)
    else if (results.schema.positions.has(column)) ofGroups.add(name, value, USABLE)
    else if (results.refused.has(column)) continue
    else if (Object.hasOwn(OF_ROWS, name)) {
      const message = `parameter "${name}" does not apply to groups: ${OF_ROWS[name]}`
      findings.add('unknown_parameter', `query.${name}`, { message })
    } else {
      findings.add('unknown_column', `query.${name}`, (): Refusal => {
        const missing = findDefaultName(column, schema)
        if (missing === undefined)
          return unknownFilter(name, column, schema, [...results.schema.positions.keys(), ...USABLE])
        return { message: `unknown result ${quote(column)} in parameter ${quote(name)}: ${missing}` }
      })
    }
  }
  const having = ofGroups.filters.map(({ column, ...filter }) => ({ ...filter, result: column }))
  return { filters: ofRows.filters, having }
}

function readSort(
  text: string,
  { schema: { positions }, refused }: Results,
  schema: QuerySchema,
  findings: Findings,
): AggregateQuery['sort'] {
  const sort: { result: number; descending: boolean }[] = []
  const note = (message: string) => findings.add('invalid_sort', 'query.sort', { message })
  for (const item of text.split(',')) {
    const descending = item.startsWith('-')
    const name = descending ? item.slice(1) : item
    const result = positions.get(name)
    if (name === '') note('parameter "sort" needs the name of a result between its commas')
    else if (result === undefined) {
      if (!refused.has(name))
        findings.add('unknown_column', 'query.sort', () => unknownInSort(name, positions, schema))
    } else if (sort.some((field) => field.result === result)) {
      note(`parameter "sort" names result "${name}" twice`)
    } else sort.push({ result, descending })
  }
  return sort
}

function unknownInSort(name: string, positions: QuerySchema['positions'], schema: QuerySchema) {
  const message = `unknown result ${quote(name)} in parameter "sort"`
  const names = [...positions.keys()]
  const suggestions = suggest(name, names)
  if (suggestions.length > 0) return { message, suggestions }
  const missing = findDefaultName(name, schema)
  return { message: `${message}: ${missing ?? `groups are sorted by what they show, ${names.join(', ')}`}` }
}

type Groups = AggregateQuery['groups']

type Measures = AggregateQuery['measures']

interface Results {
  readonly groups: Groups
  readonly measures: Measures
  /** Names and types in the order of a row. */
  readonly schema: QuerySchema
  /** Names of refused entries: uses of them are not reported again. */
  readonly refused: ReadonlySet<string>
}

function joinResults(
  groups: readonly Entry<Groups[number]>[],
  measures: readonly Entry<Measures[number]>[],
  { columns }: QuerySchema,
  findings: Findings,
): Results {
  const entries = [...groups, ...measures]
  for (const [index, { name }] of entries.entries()) {
    if (entries.findIndex((entry) => entry.name === name) === index) continue
    const [parameter, form] = index < groups.length ? ['group_by', 'column'] : ['measures', 'sum(column)']
    findings.add('invalid_aggregate', `query.${parameter}`, {
      message: `two results are named ${quote(name)}: leave one out, or name one yourself, as in other:${form}`,
    })
  }
  const keys = {
    groups: groups.flatMap(({ key }) => key ?? []),
    measures: measures.flatMap(({ key }) => key ?? []),
  }
  const types = resultTypes(columns, keys)
  const names = entries.flatMap(({ name, key }) => (key === undefined ? [] : [name]))
  return {
    ...keys,
    schema: querySchema(names.map((name, index) => ({ name, type: types[index]! }))),
    refused: new Set(entries.flatMap(({ name, key }) => (key === undefined ? [name] : []))),
  }
}

function findDefaultName(name: string, { columns }: QuerySchema): string | undefined {
  for (const [kinds, parameter] of [[MEASURES, 'measures'] as const, [DATE_PARTS, 'group_by'] as const]) {
    for (const kind of kinds) {
      const column = columns.find((one) => name === defaultName(kind, one.name))
      if (column !== undefined) return `add ${kind}(${column.name}) to parameter "${parameter}"`
    }
  }
  return undefined
}
