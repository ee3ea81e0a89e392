/** Refusals of unknown parameters, columns and operators, with the names that the client may have meant. */

import { listSome } from '../base/text/fit-text.ts'
import { suggest } from '../base/text/suggest.ts'
import type { ColumnType } from '../engine/columns/column.ts'
import { OPERATOR_TABLE, OPERATORS, type Operator, operatorsFor } from '../engine/operators.ts'
import type { QuerySchema } from './query-schema.ts'
import { quote, type Refusal } from './values.ts'

/** Names for grouping. */
const OF_GROUPS: readonly Meaning[] = [
  { spellings: ['groupby', 'group', 'by', 'dimensions', 'rollup'], names: ['group_by'] },
  {
    spellings: ['measures', 'measure', 'metrics', 'aggregate', 'aggregates', 'aggregations', 'aggs', 'agg'],
    names: ['measures'],
    hint: 'measures are written as in measures=count,sum(column)',
  },
  {
    spellings: ['sum', 'avg', 'average', 'mean', 'min', 'max', 'median', 'countdistinct'],
    names: ['measures'],
    hint: 'measures are written as in measures=count,sum(column)',
  },
  {
    spellings: ['having'],
    names: [],
    beside: 'group_by',
    hint: 'each result is a separate parameter, as in count[gte]=5',
  },
]

const MEANINGS: readonly Meaning[] = [
  {
    spellings: ['limit', 'perpage', 'pagesize', 'pagelimit', 'size', 'rows', 'top', 'take', 'maxresults'],
    names: ['limit'],
  },
  { spellings: ['offset', 'skip', 'start', 'startindex', 'pageoffset'], names: ['offset'] },
  {
    spellings: ['page', 'pagenumber', 'pageno', 'pageindex'],
    names: ['limit', 'offset'],
    hint: 'pages have no numbers, the third of 50 is limit=50&offset=100',
  },
  {
    spellings: ['sort', 'order', 'orderby', 'ordering', 'sortby', 'sortorder', 'sortfield', 'direction'],
    names: ['sort'],
    hint: 'sort=name is ascending, sort=-name descending',
  },
  { spellings: ['fields', 'select', 'columns', 'cols', 'properties', 'propertyname'], names: ['fields'] },
  { spellings: ['count', 'total', 'includetotal', 'withcount', 'inlinecount'], names: ['count'] },
  {
    spellings: ['cursor', 'after', 'pagetoken', 'nexttoken', 'nextcursor', 'pagecursor', 'continuationtoken'],
    names: ['cursor'],
  },
  { spellings: ['format', 'output', 'outputformat', 'filetype', 'fileformat'], names: ['format'] },
  { spellings: ['q', 'query', 'search', 'text', 'fulltext'], names: ['q'] },
  ...OF_GROUPS,
  {
    spellings: ['select', 'fields', 'columns', 'distinct'],
    names: ['group_by', 'measures'],
    hint: '"group_by" and "measures" name what is shown',
  },
  {
    spellings: ['columns', 'fields', 'select', 'facet', 'facets', 'facetfield', 'distinct'],
    names: ['columns'],
  },
]

/** What other addresses do, or filters on columns. */
const ELSEWHERE: readonly Meaning[] = [
  {
    spellings: [
      ...OF_GROUPS.flatMap(({ spellings }) => spellings),
      ...['pivot', 'aggregation', 'apply', 'stats', 'statistics', 'countby'],
    ],
    names: [],
    hint: '/aggregate of the same dataset groups rows and measures them, as in /aggregate?group_by=column&measures=sum(other_column)',
  },
  {
    spellings: ['distinct', 'unique', 'facet', 'facets', 'facetfield', 'facetby', 'values'],
    names: [],
    hint: '/facets of the same dataset counts the values of columns, as in /facets?columns=column',
  },
  {
    spellings: ['where', 'filter', 'filters', 'conditions'],
    names: [],
    hint: 'each column is a separate parameter, as in column=value or column[gte]=value',
  },
]

const MOST_SUGGESTIONS = 3
const MOST_LISTED = 12

/** An unknown parameter on a route without columns. @param usable the parameters that the route takes */
export function unknownParameter(name: string, usable: readonly string[]): Refusal {
  const message = `unknown parameter ${quote(name)}`
  if (usable.length === 0) return { message: `${message}: this address takes none` }
  const foreign = findForeignName(name, usable, false)
  const suggestions = foreign?.names ?? suggest(name, usable)
  if (suggestions.length === 0) return { message: `${message}: this address takes ${usable.join(', ')}` }
  return { message: foreign?.hint ? `${message}: ${foreign.hint}` : message, suggestions }
}

/**
 * A filter on an unknown column.
 * @param name the parameter's name as written, `column` its part before the brackets
 * @param usable the parameters that the route takes
 */
export function unknownFilter(
  name: string,
  column: string,
  schema: QuerySchema,
  usable: readonly string[],
): Refusal {
  const what = name === column ? 'column or parameter' : `column ${quote(column)} in parameter`
  const message = `unknown ${what} ${quote(name)}`
  // `limit[eq]` filters a column, so suggesting the parameter `limit` would not help.
  if (usable.includes(column))
    return { message: `${message}: the parameter ${quote(column)} takes no operator` }
  const foreign = findForeignName(name, usable, true)
  // If another address does it, no parameter of this one does.
  const isElsewhere = foreign !== undefined && foreign.names.length === 0
  const near = suggest(column, [...schema.positions.keys(), ...(isElsewhere ? [] : usable)])
  const suggestions = [...new Set([...(foreign?.names ?? []), ...near])].slice(0, MOST_SUGGESTIONS)
  const hint = foreign?.hint ?? (suggestions.length === 0 ? listColumns(schema) : undefined)
  return { message: hint === undefined ? message : `${message}: ${hint}`, suggestions }
}

/** An unknown column in `sort` or `fields`. */
export function unknownColumn(name: string, parameter: string, schema: QuerySchema): Refusal {
  const message = `unknown column ${quote(name)} in parameter "${parameter}"`
  const suggestions = suggest(name, schema.positions.keys())
  if (suggestions.length > 0) return { message, suggestions }
  return { message: `${message}: ${listColumns(schema)}` }
}

/** An operator that does not exist. @param name the parameter's name as written: `year[above]` */
export function unknownOperator(name: string, operator: string, type: ColumnType): Refusal {
  const usable = operatorsFor(type)
  const meant = OPERATORS.find((name) => OPERATOR_TABLE[name].foreign.includes(operator))
  const near = suggest(meant ?? operator, usable)
  return {
    message: `unknown operator ${quote(operator)} in parameter ${quote(name)}`,
    suggestions: near.length > 0 ? near : usable,
  }
}

/** An operator that exists, but not for columns of this type. */
export function unsuitableOperator(operator: Operator, column: string, type: ColumnType): Refusal {
  return {
    message: `operator ${quote(operator)} does not apply to column ${quote(column)}, which is of type ${type}`,
    suggestions: operatorsFor(type),
  }
}

function listColumns({ columns }: QuerySchema): string {
  return `the columns are ${listNames(columns)}`
}

/** The names of columns for a message, at most `MOST_LISTED`. */
export function listNames(columns: QuerySchema['columns']): string {
  const names = columns.map(({ name }) => name)
  return listSome(names, MOST_LISTED)
}

/**
 * What other interfaces call our parameters: people use the names they know, and `suggest` cannot find `limit` in
 * `per_page`. Names are compared without case, `$`, `_`, `-` and brackets.
 */
interface Meaning {
  readonly spellings: readonly string[]
  readonly names: readonly string[]
  readonly hint?: string
  /** Applies only where our parameter of this name exists. */
  readonly beside?: string
}

/** Our parameter, among the usable ones, for another interface's name, or a hint at what does its work elsewhere. */
function findForeignName(
  written: string,
  usable: readonly string[],
  hasColumns: boolean,
): Meaning | undefined {
  const known = MEANINGS.filter(({ names, beside }) =>
    [...names, ...(beside === undefined ? [] : [beside])].every((name) => usable.includes(name)),
  )
  const meanings = hasColumns ? [...known, ...ELSEWHERE] : known
  // `page[size]` is one name; in `filter[county]` only the first half is.
  for (const word of [plain(written), plain(written.split('[', 1)[0] as string)]) {
    const meaning = meanings.find(({ spellings }) => spellings.includes(word))
    if (meaning !== undefined && !meaning.names.includes(written)) return meaning
  }
  return undefined
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
