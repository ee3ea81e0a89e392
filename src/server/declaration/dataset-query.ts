/** The query language of lists and exports, for the description; `query/query.ts` reads it. */

import { t } from 'elysia'
import { FORMAT_SPELLINGS } from '../../query/formats.ts'
import { OPERATOR_TABLE } from '../../query/operators.ts'
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../../query/paging.ts'
import { RESERVED_PARAMETERS } from '../../query/query.ts'
import { limitParameter, OFFSET } from './parameters.ts'
import { oneOf } from './schema.ts'

const OPERATORS = Object.values(OPERATOR_TABLE)
const NAME = '[a-z0-9_]{1,64}'
/** How filters are written, for people. */
export const FILTER_SYNTAX = [
  'Filters: `column=value`, or `column[operator]=value` (brackets may be percent-encoded). Filters on different columns ' +
    'combine with AND; a repeated parameter means OR. Comparisons never match null.',
  '',
  '| operator | meaning |',
  '|---|---|',
  ...OPERATORS.map(({ name, meaning, on }) => {
    const types = on.length === 1 ? ` (${on[0]} columns only)` : ''
    return `| \`${name}\` | ${meaning}${types} |`
  }),
  '',
  'Integers are written in digits, decimals with a point, booleans as `true` or `false`, dates as `YYYY-MM-DD`, ' +
    'datetimes as RFC 3339 (a plus sign as `%2B`). A column named like one of the parameters ' +
    `(${RESERVED_PARAMETERS.join(', ')}) is filtered with an operator.`,
].join('\n')

/** Filters of any dataset, as one open object, whose members are parameters each (`form`, exploded: the default). */
const filters = t.Unsafe<unknown>({
  ...{ type: 'object', description: FILTER_SYNTAX },
  propertyNames: { pattern: `^${NAME}(\\[(${OPERATORS.map(({ name }) => name).join('|')})\\])?$` },
  additionalProperties: { type: 'string' },
})

const names = (description: string) => t.String({ minLength: 1, description })
const fields = names('Columns to return, between commas, in this order.')
const q = t.String({
  minLength: 1,
  description:
    'Words that rows are searched for: each begins a word of some text column. Case and diacritics are ignored; only ' +
    'punctuation finds nothing.',
  examples: ['cluj'],
})
const flagParameter = (description: string) => t.Boolean({ description, examples: [false] })

/**
 * No default is named beside `limit`: generated clients send defaults, and `cursor` takes no other parameter of the
 * order. Clients that send a cursor leave `offset`, `sort` and `count` out.
 */
export const LIST_QUERY = t.Partial(
  t.Object({
    filters,
    q,
    sort: names(
      'Columns between commas, `-` before a name for descending order; later ones break ties. Nulls come last.',
    ),
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

export const EXPORT_QUERY = t.Partial(
  t.Object({
    filters,
    q,
    format: oneOf(FORMAT_SPELLINGS, {
      description: '`csv` when left out; `json` is another name for `ndjson`.',
      examples: ['ndjson'],
    }),
    fields,
    bom: flagParameter('Begins CSV with a byte order mark, for Excel.'),
  }),
)
