/**
 * What other interfaces call our parameters: people use the names they know, and `suggest` cannot see `limit` in
 * `per_page`. Names are compared without case, `$`, `_`, `-` and brackets.
 */

/** What a foreign name is here. */
export interface ForeignName {
  /** Our names for it, the ones that apply where it was used. */
  readonly names: readonly string[]
  /** Half a sentence that explains, where a name alone does not. */
  readonly hint: string | undefined
}

interface Meaning {
  readonly spellings: readonly string[]
  readonly names: readonly string[]
  readonly hint?: string
  /** Holds only beside this parameter of ours. */
  readonly beside?: string
}

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
    hint: 'each result is a parameter of its own, as in count[gte]=5',
  },
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

/** Parameters of `/aggregate` and `/facets`, which other addresses of a dataset point to. */
const ELSEWHERE: readonly Meaning[] = [
  {
    spellings: [
      ...[
        'groupby',
        'group',
        'by',
        'dimensions',
        'rollup',
        'pivot',
        'measures',
        'measure',
        'metrics',
        'having',
      ],
      ...[
        'aggregate',
        'aggregates',
        'aggregation',
        'aggregations',
        'aggs',
        'agg',
        'apply',
        'stats',
        'statistics',
      ],
      ...['sum', 'avg', 'average', 'mean', 'min', 'max', 'median', 'countdistinct', 'countby'],
    ],
    names: [],
    hint: '/aggregate of the same dataset groups rows and measures them, as in /aggregate?group_by=column&measures=sum(other_column)',
  },
  {
    spellings: ['distinct', 'unique', 'facet', 'facets', 'facetfield', 'facetby', 'values'],
    names: [],
    hint: '/facets of the same dataset counts the values of columns, as in /facets?columns=column',
  },
]

/** Parameters that do not exist here: filters on columns take their place. */
const FILTERS: readonly Meaning[] = [
  {
    spellings: ['where', 'filter', 'filters', 'conditions'],
    names: [],
    hint: 'each column is a parameter of its own, as in column=value or column[gte]=value',
  },
]

/**
 * What a parameter of another interface is called here, or undefined when it is none that we know.
 * @param usable our parameters where it was used; others are not offered
 * @param hasColumns whether columns can be filtered there
 */
export function findForeignName(
  written: string,
  usable: readonly string[],
  hasColumns: boolean,
): ForeignName | undefined {
  const meaning = findMeaning(written, usable, hasColumns)
  return meaning && { names: meaning.names, hint: meaning.hint }
}

function findMeaning(written: string, usable: readonly string[], hasColumns: boolean): Meaning | undefined {
  const known = MEANINGS.filter(({ names, beside }) =>
    [...names, ...(beside === undefined ? [] : [beside])].every((name) => usable.includes(name)),
  )
  const meanings = hasColumns ? [...known, ...ELSEWHERE, ...FILTERS] : known
  // `page[size]` is one name, of `filter[county]` the first half is.
  for (const word of [plain(written), plain(written.split('[', 1)[0] as string)]) {
    const meaning = meanings.find(({ spellings }) => spellings.includes(word))
    if (meaning !== undefined && !meaning.names.includes(written)) return meaning
  }
  return undefined
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
