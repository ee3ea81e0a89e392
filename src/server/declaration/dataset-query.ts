/** The query language of lists and exports, for the description; `query/query.ts` reads it. */

import { t } from 'elysia'
import { DATE_PARTS, MEASURES } from '../../engine/aggregate/group-query.ts'
import { OPERATOR_TABLE } from '../../engine/operators.ts'
import { MOST_GROUP_COLUMNS, MOST_MEASURES } from '../../query/aggregate/entries.ts'
import { DEFAULT_VALUES, MOST_COLUMNS, MOST_VALUES } from '../../query/aggregate/facets-query.ts'
import { DATE_PART_TABLE, MEASURE_TABLE } from '../../query/aggregate/functions.ts'
import { DELIMITERS, EXPORT_FORMATS, spellingsOf } from '../../query/formats.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../query/parameters.ts'
import { RESERVED_PARAMETERS } from '../../query/query.ts'
import { limitParameter, OFFSET } from './parameters.ts'
import { oneOf } from './schema.ts'

const OPERATORS = Object.entries(OPERATOR_TABLE)
const NAME = '[a-z0-9_]{1,64}'
export const FILTER_SYNTAX = [
  'Filters: `column=value`, or `column[operator]=value` (brackets may be percent-encoded). Filters on different columns ' +
    'combine with AND; a repeated parameter means OR. Comparisons never match null.',
  '',
  '| operator | meaning |',
  '|---|---|',
  ...OPERATORS.map(([name, { meaning, on }]) => {
    const types = on.length === 1 ? ` (${on[0]} columns only)` : ''
    return `| \`${name}\` | ${meaning}${types} |`
  }),
  '',
  'Integers are written in digits, decimals with a point, booleans as `true` or `false`, dates as `YYYY-MM-DD`, ' +
    'datetimes as RFC 3339 (a plus sign as `%2B`). A column named like one of the parameters ' +
    `(${RESERVED_PARAMETERS.join(', ')}) is filtered with an operator.`,
].join('\n')

/** The filters of any dataset, as one open object; each member is a parameter (`form`, exploded: the default). */
const filters = t.Unsafe<unknown>({
  type: 'object',
  description: FILTER_SYNTAX,
  propertyNames: { pattern: `^${NAME}(\\[(${OPERATORS.map(([name]) => name).join('|')})\\])?$` },
  additionalProperties: { type: 'string' },
})

/** The same for aggregates, whose results are filtered as well. */
const groupFilters = t.Unsafe<unknown>({
  ...filters,
  description: `${FILTER_SYNTAX}\n\nA filter on the name of a result, as in \`count[gte]=10\`, leaves groups out; where a column has that name, it filters rows.`,
})

const names = (description: string) => t.String({ minLength: 1, description })
const fields = names('Columns to return, separated by commas, in this order.')
const q = t.String({
  minLength: 1,
  description:
    'Words to search rows for: each begins a word of some text column. Case and diacritics are ignored; only ' +
    'punctuation finds nothing.',
  examples: ['cluj'],
})
const sort = names(
  'Columns separated by commas, `-` before a name for descending order; later ones break ties. Nulls come last.',
)
const flagParameter = (description: string) => t.Boolean({ description, examples: [false] })

/**
 * Only `limit` has a default here: generated clients send defaults, and `offset`, `sort` and `count` cannot be combined
 * with `cursor`.
 */
export const LIST_QUERY = t.Partial(
  t.Object({
    filters,
    q,
    sort,
    fields,
    limit: limitParameter(LARGEST_LIMIT, DEFAULT_LIMIT),
    offset: OFFSET,
    count: flagParameter(
      'Whether `pagination.total` is counted. Without it, only very large datasets are not.',
    ),
    cursor: t.String({
      minLength: 1,
      description:
        'Walks all matching rows in file order: begin with `start`, then send `pagination.next_cursor` until it is null. ' +
        'Not together with `offset`, `sort` or `count=true`. A cursor ends with the dataset version it was made for.',
    }),
  }),
)

const BOM_MEANING = 'Begins CSV with a byte order mark, for Excel.'
const DELIMITER_NAMES = Object.keys(DELIMITERS).filter((name) => name !== '\t')
const DELIMITER_MEANING = 'What separates the cells of CSV; by default a comma.'
const SAFE_MEANING =
  "Writes `'` before texts of CSV that begin with `=`, `+`, `-` or `@`, so that spreadsheets do not read them as formulas."

export const EXPORT_QUERY = t.Partial(
  t.Object({
    filters,
    q,
    format: oneOf(spellingsOf(EXPORT_FORMATS), {
      description: 'By default as `Accept` says, else `csv`; `json` is another name for `ndjson`.',
      examples: ['ndjson'],
    }),
    sort,
    fields,
    bom: flagParameter(BOM_MEANING),
    delimiter: oneOf(DELIMITER_NAMES, { description: DELIMITER_MEANING, examples: [','] }),
    safe: flagParameter(SAFE_MEANING),
  }),
)

const ENTRY = (of: string) => `(${NAME}:)?(${of})`
const FUNCTIONS_OF_GROUPS = DATE_PARTS.join('|')
const FUNCTIONS_OF_MEASURES = MEASURES.join('|')
const list = (entry: string, most: number) => `^${entry}(,${entry}){0,${most - 1}}$`

const inWords = (functions: Readonly<Record<string, { readonly meaning: string }>>) =>
  Object.entries(functions)
    .map(([name, { meaning }]) => `\`${name}\`: ${meaning}`)
    .join('; ')

const GROUP_BY = t.String({
  pattern: list(ENTRY(`${NAME}|(${FUNCTIONS_OF_GROUPS})\\(${NAME}\\)`), MOST_GROUP_COLUMNS),
  description: `Up to ${MOST_GROUP_COLUMNS} entries, separated by commas: a column, or a part of a date or datetime, as in \`month(column)\` (${inWords(DATE_PART_TABLE)}). \`name:\` before an entry names its result. Without it, all rows form one group.`,
})
const MEASURES_TEXT = t.String({
  pattern: list(ENTRY(`count|(${FUNCTIONS_OF_MEASURES})\\(${NAME}\\)`), MOST_MEASURES),
  description: `Up to ${MOST_MEASURES} entries, separated by commas, as in \`count,sum(column)\`; by default \`count\` (${inWords(MEASURE_TABLE)}). \`name:\` before an entry names its result, else \`sum(column)\` is \`sum_column\`.`,
  examples: ['count'],
})

/** Parameters of files have no example: a client that sends all examples of an operation would send them with `limit`. */
export const AGGREGATE_QUERY = t.Partial(
  t.Object({
    filters: groupFilters,
    q,
    group_by: GROUP_BY,
    measures: MEASURES_TEXT,
    sort: t.String({
      minLength: 1,
      examples: ['-count'],
      description:
        'Names of results separated by commas, `-` before a name for descending order. Groups that tie, and all without it, are in the order of `group_by`; nulls come last.',
    }),
    limit: limitParameter(LARGEST_LIMIT, DEFAULT_LIMIT),
    offset: OFFSET,
    count: flagParameter('`false`: without `pagination.total`.'),
    format: oneOf(spellingsOf(EXPORT_FORMATS), {
      description: 'All groups as a file; not together with `limit`, `offset` and `count`.',
    }),
    bom: t.Boolean({ description: BOM_MEANING }),
    delimiter: oneOf(DELIMITER_NAMES, { description: DELIMITER_MEANING }),
    safe: t.Boolean({ description: SAFE_MEANING }),
  }),
)

export const FACETS_QUERY = t.Partial(
  t.Object({
    filters,
    q,
    columns: names(
      `Up to ${MOST_COLUMNS} columns, separated by commas. By default the first ${MOST_COLUMNS} with 2 to 1,000 distinct values.`,
    ),
    limit: limitParameter(MOST_VALUES, DEFAULT_VALUES, 'Values per column.'),
  }),
)
