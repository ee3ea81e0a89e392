/**
 * Random requests to the datasets of a service: mostly valid ones, then valid ones with one mistake, then noise. The seed
 * determines every request.
 */

export interface Column {
  readonly name: string
  readonly type: string
  /** Values from the data. */
  readonly samples: readonly unknown[]
}

export interface Dataset {
  /** `/v1/economy/salaries` */
  readonly path: string
  readonly columns: readonly Column[]
}

type Random = () => number
type Parameter = readonly [name: string, value: string]

const OPERATORS = [
  ...['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in'],
  ...['contains', 'starts_with', 'is_null'],
]

const ODD_VALUES = [
  ...['', ' ', '0', '-0', '-1', '1e5', '1e309', 'NaN', 'Infinity', '0x10', '1,5', '1.', '.5', '+1', '٣'],
  ...['9007199254740991', '9007199254740992', '99999999999999999999999', 'true', 'TRUE', 'false', 'null'],
  ...[
    '2024-02-30',
    '2024-02-29',
    '0000-00-00',
    '99999-01-01',
    '2024-02-29T25:00:00Z',
    '2024-02-29T10:00:00+99:99',
  ],
  ...[
    'a'.repeat(300),
    'ș'.repeat(100),
    '😀',
    '\u0000',
    '\u0301',
    '\ufeff',
    '\u202e',
    'İ',
    'ß',
    '\r\n',
    '\ud800',
  ],
  ...[
    '"',
    '"a',
    '"a"b',
    'a,"b',
    ',',
    ',,,',
    '"a,b",c',
    '[',
    ']',
    '[]',
    '%',
    '%25',
    '../..',
    "' OR 1=1 --",
    '{}',
  ],
]

const ODD_NAMES = [
  ...[
    '',
    '[',
    ']',
    '[]',
    '[eq]',
    'a[',
    'a]',
    'a[]',
    'a[eq',
    'a[eq][eq]',
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    '__proto__[eq]',
    'limit[eq]',
    'sort[]',
    'Limit',
    'ș',
    '\u0000',
    'x'.repeat(500),
    'cursor ',
    'page',
    'q',
  ],
]

/** Parts of a query that no library would write. */
const RAW = [
  '%',
  '%z',
  '%zz=1',
  '%ff=%fe',
  'a=%c3',
  '%00',
  '&&&',
  '=',
  '==',
  '?',
  '?limit=1',
  'a+b=+',
  '%5',
  ';',
  '#',
]

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

/** What a request asks of a dataset, mostly lists. */
const KINDS = ['', '', '', '', '/aggregate', '/aggregate', '/facets'] as const
const PARAMETERS_OF = { '': randomParameters, '/aggregate': randomAggregate, '/facets': randomFacets }

/** Path and query of a request. */
export function randomRequest(random: Random, datasets: readonly Dataset[]): string {
  const dataset = pick(random, datasets)
  const kind = pick(random, KINDS)
  const path = random() < 0.03 ? oddPath(random, dataset.path) : dataset.path + kind
  const parameters = PARAMETERS_OF[kind](random, dataset)
  const wrong = random()
  if (wrong < 0.25) spoil(random, parameters, dataset)
  let query = parameters
    .map(([name, value]) => `${written(random, name)}=${written(random, value)}`)
    .join('&')
  if (wrong > 0.97) query += `&${pick(random, RAW)}`
  if (random() < 0.01)
    query = [...query].map((char) => (random() < 0.1 ? pick(random, [...'[]=&%,"\'+;']) : char)).join('')
  return query === '' ? path : `${path}?${query}`
}

/** A value as a client may send it: fully encoded, or only where necessary. */
function written(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed())
  if (random() < 0.5) return encoded
  return encoded.replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',').replaceAll('%20', '+')
}

function oddPath(random: Random, path: string): string {
  const odd = [
    '/',
    '//',
    '/export',
    '/%00',
    '/..',
    '/%2e%2e',
    '/%ff',
    `/${'x'.repeat(3000)}`,
    '%',
    '/export/x',
    '?',
  ]
  return random() < 0.5
    ? path + pick(random, odd)
    : `/v1/${pick(random, ['', 'x', 'x/y', '%', 'datasets', 'x/y/z'])}`
}

function randomParameters(random: Random, { columns }: Dataset): Parameter[] {
  const parameters: Parameter[] = []
  for (let i = Math.floor(random() * 4); i > 0; i--)
    parameters.push(randomFilter(random, pick(random, columns)))
  const names = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, columns).name)
  if (random() < 0.5) parameters.push(['limit', String(1 + Math.floor(random() ** 4 * 1000))])
  if (random() < 0.3) parameters.push(['fields', [...new Set(names())].join()])
  if (random() < 0.2) parameters.push(['count', random() < 0.5 ? 'true' : 'false'])
  if (random() < 0.1) return [...parameters, ['cursor', 'start']]
  if (random() < 0.4) parameters.push(['offset', String(Math.floor(random() ** 3 * 50_000))])
  if (random() < 0.4)
    parameters.push([
      'sort',
      [...new Set(names())].map((name) => (random() < 0.5 ? `-${name}` : name)).join(),
    ])
  return parameters
}

function randomAggregate(random: Random, { columns }: Dataset): Parameter[] {
  const some = <T>(most: number, make: () => T) => Array.from({ length: Math.floor(random() * most) }, make)
  const groups = some(4, () => {
    const { name, samples } = pick(random, columns)
    const isDate = /^\d{4}-\d\d-\d\d/.test(String(samples[0]))
    return isDate && random() < 0.7 ? `${pick(random, ['year', 'quarter', 'month', 'day'])}(${name})` : name
  })
  const measures = some(5, () => {
    const { name, samples } = pick(random, columns)
    const functions =
      typeof samples[0] === 'number' ? ['sum', 'avg', 'median', 'min'] : ['max', 'count_distinct']
    return `${pick(random, [...functions, 'count'])}(${name})`
  })
  const named = (entries: readonly string[], letter: string) =>
    entries.map((entry, index) => `${letter}${index}:${entry}`).join()
  const results = [...groups.map((_, index) => `g${index}`), ...measures.map((_, index) => `m${index}`)]
  const parameters = some(3, () => randomFilter(random, pick(random, columns)))
  if (groups.length > 0) parameters.push(['group_by', named(groups, 'g')])
  if (measures.length > 0) parameters.push(['measures', named(measures, 'm')])
  if (results.length > 0 && random() < 0.4)
    parameters.push(['sort', (random() < 0.5 ? '-' : '') + pick(random, results)])
  if (measures.length > 0 && random() < 0.2)
    parameters.push([
      `m0[${pick(random, ['gt', 'ne', 'is_null', 'in'])}]`,
      pick(random, ['1', '0', 'true', '2,3']),
    ])
  if (random() < 0.2) parameters.push(['q', randomValue(random, pick(random, columns))])
  if (random() < 0.2) return [...parameters, ['format', random() < 0.5 ? 'csv' : 'ndjson']]
  if (random() < 0.5) parameters.push(['limit', String(1 + Math.floor(random() ** 4 * 1000))])
  if (random() < 0.3) parameters.push(['offset', String(Math.floor(random() ** 3 * 5000))])
  return parameters
}

function randomFacets(random: Random, { columns }: Dataset): Parameter[] {
  const parameters: Parameter[] = []
  if (random() < 0.7) parameters.push(randomFilter(random, pick(random, columns)))
  const names = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(random, columns).name)
  if (random() < 0.8) parameters.push(['columns', [...new Set(names)].join()])
  if (random() < 0.5) parameters.push(['limit', String(1 + Math.floor(random() * 100))])
  if (random() < 0.2) parameters.push(['q', randomValue(random, pick(random, columns))])
  return parameters
}

function randomFilter(random: Random, column: Column): Parameter {
  const operator = pick(random, OPERATORS)
  if (operator === 'is_null') return [`${column.name}[is_null]`, random() < 0.5 ? 'true' : 'false']
  if (operator === 'in' || operator === 'not_in') {
    const values = Array.from({ length: 1 + Math.floor(random() * 5) }, () => randomValue(random, column))
    return [`${column.name}[${operator}]`, values.map((value) => `"${value.replaceAll('"', '""')}"`).join()]
  }
  const name = operator === 'eq' && random() < 0.5 ? column.name : `${column.name}[${operator}]`
  return [name, randomValue(random, column)]
}

function randomValue(random: Random, { samples }: Column): string {
  if (random() < 0.05) return pick(random, ODD_VALUES)
  const value = String(samples.length > 0 ? pick(random, samples) : 0)
  return random() < 0.2 ? value.slice(0, Math.floor(random() * value.length)) : value
}

/** Puts one mistake into a query. */
function spoil(random: Random, parameters: Parameter[], { columns }: Dataset): void {
  const column = pick(random, columns).name
  const odd = pick(random, ODD_VALUES)
  const wrong: Parameter = pick<Parameter>(random, [
    [column, odd],
    [`${column}[${pick(random, [...OPERATORS, 'like', 'EQ', '', 'eq ', '__proto__'])}]`, odd],
    [pick(random, ODD_NAMES), odd],
    [pick(random, ['limit', 'offset', 'count', 'cursor', 'format']), odd],
    [
      pick(random, ['fields', 'sort']),
      pick(random, [odd, `${column},${column}`, `--${column}`, `-${odd}`, `${column},`]),
    ],
    ['limit', pick(random, ['0', '1001', '-5', '1.5', '١'])],
    [`${column}[in]`, Array.from({ length: random() < 0.1 ? 3000 : 1000 }, (_, i) => i).join()],
  ])
  parameters.splice(Math.floor(random() * (parameters.length + 1)), 0, wrong)
  if (random() < 0.2) parameters.push(wrong)
}
