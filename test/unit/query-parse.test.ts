import { describe, expect, test } from 'bun:test'
import { ApiError } from '../../src/base/errors.ts'
import { readQueryString, writeQueryString } from '../../src/base/text/query-string.ts'
import { suggest } from '../../src/base/text/suggest.ts'
import { canonicalFilters } from '../../src/query/filters.ts'
import { parseExportQuery, parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'
import { TOWNS_TABLE } from '../support/towns.ts'

const schema = querySchema(TOWNS_TABLE.columns)

function refusal(parse: () => unknown): ApiError {
  try {
    parse()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('not refused')
}

describe('list queries', () => {
  test('an empty query asks for the first 50 rows with every column', () => {
    const query = parseListQuery('', schema)
    expect(query).toEqual({
      filters: [],
      sort: [],
      fields: [0, 1, 2, 3, 4, 5, 6, 7, 8],
      limit: 50,
      offset: 0,
      count: undefined,
      cursor: undefined,
      parameters: [],
    })
  })

  test('plain and [eq] are one group of alternatives; other operators on the column form their own', () => {
    const { filters } = parseListQuery('year=2021&year%5Beq%5D=2022&year[gt]=1&year[in]=1,2', schema)
    expect(filters).toEqual([
      { column: 2, operator: 'eq', operands: [[2021], [2022]] },
      { column: 2, operator: 'gt', operands: [[1]] },
      { column: 2, operator: 'in', operands: [[1, 2]] },
    ])
  })

  test('values are decoded once: plus is a blank, %2B a plus, UTF-8 and equal signs stay', () => {
    const { filters } = parseListQuery('town=a+b&town=a%2Bb&town=%C8%99=%253D', schema)
    expect(filters).toEqual([{ column: 1, operator: 'eq', operands: [['a b'], ['a+b'], ['ș=%3D']] }])
  })

  test('sort and fields keep the given order', () => {
    const query = parseListQuery('sort=-year,town&fields=town,county', schema)
    expect(query.sort).toEqual([
      { column: 2, descending: true },
      { column: 1, descending: false },
    ])
    expect(query.fields).toEqual([1, 0])
  })

  test('a column named like a parameter is filtered with an operator', () => {
    const query = parseListQuery('count[eq]=2&count=false', schema)
    expect(query.count).toBe(false)
    expect(query.filters).toEqual([{ column: 8, operator: 'eq', operands: [[2]] }])
  })

  test('every problem of a query is reported at once; the first one decides', () => {
    const error = refusal(() =>
      parseListQuery('people=x&contry=a&year[gtt]=1&limit=0&sort=yaer&offset=-1', schema),
    )
    expect(error.code).toBe('invalid_value')
    expect(error.message).toContain('"x" is not an integer')
    expect(error.detail?.map(({ location }) => location)).toEqual([
      'query.people',
      'query.contry',
      'query.year[gtt]',
      'query.sort',
      'query.limit',
      'query.offset',
    ])
    expect(error.detail?.[1]?.suggestions).toEqual(['county'])
    expect(error.detail?.[2]?.suggestions?.[0]).toBe('gt')
    expect(error.detail?.[3]?.suggestions).toEqual(['year'])
  })

  test('names of object properties are not operators or columns', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(refusal(() => parseListQuery(`county[${name}]=1`, schema)).code).toBe('unknown_operator')
      expect(refusal(() => parseListQuery(`${name}=1`, schema)).code).toBe('unknown_column')
    }
  })

  test('thousands of problems do not make an answer of thousands of entries', () => {
    const raw = Array.from({ length: 5000 }, (_, index) => `x${index}=1`).join('&')
    expect(refusal(() => parseListQuery(raw, schema)).detail?.length).toBe(20)
  })
})

describe('words', () => {
  test('are folded as in the search of the catalog, and follow the filters', () => {
    const { filters } = parseListQuery('q=IA%C8%98I,+Łódź&county=Cluj', schema)
    expect(filters).toEqual([
      { column: 0, operator: 'eq', operands: [['Cluj']] },
      { words: ['iasi', 'lodz'] },
    ])
    expect(parseExportQuery('q=Stra%C3%9Fe', schema).filters).toEqual([{ words: ['strasse'] }])
    expect(parseListQuery('q=%3F!', schema).filters).toEqual([{ words: [] }])
  })

  test('that are empty or repeated are refused; a column of that name is filtered with an operator', () => {
    const own = querySchema([{ name: 'q', type: 'integer' }])
    for (const raw of ['q=', 'q=+']) {
      const error = refusal(() => parseListQuery(raw, schema))
      expect(error.code).toBe('invalid_value')
      expect(error.detail![0]!.location).toBe('query.q')
    }
    expect(refusal(() => parseExportQuery('q=a&q=b', schema)).code).toBe('duplicate_parameter')
    expect(parseListQuery('q[eq]=5', own).filters).toEqual([{ column: 0, operator: 'eq', operands: [[5]] }])
    expect(parseListQuery('q=5', own).filters).toEqual([{ words: ['5'] }])
  })

  test('are bound to cursors, whatever their order', () => {
    const canonical = (raw: string) => canonicalFilters(parseListQuery(raw, schema).filters)
    expect(canonical('q=cluj+alba&year=2021')).toBe(canonical('year=2021&q=ALBA,+Cluj'))
    expect(canonical('q=cluj')).not.toBe(canonical('q=alba'))
    expect(canonical('q=cluj')).not.toBe(canonical(''))
  })
})

describe('a name that means nothing here', () => {
  const suggested = (
    raw: string,
    parse: typeof parseListQuery | typeof parseExportQuery = parseListQuery,
  ) => {
    const problem = refusal(() => parse(raw, schema)).detail![0]!
    return { message: problem.message, suggestions: problem.suggestions ?? [] }
  }

  test('is never suggested to itself', () => {
    for (const name of ['limit[eq]', 'sort[foo]', 'offset[gte]', 'fields[]', 'cursor[in]']) {
      const { message, suggestions } = suggested(`${name}=5`)
      expect(suggestions).not.toContain(name.split('[')[0]!)
      expect(message).toContain('takes no operator')
    }
    expect(suggested('count[foo]=5').suggestions).toContain('eq')
    expect(suggested('bom[eq]=1', parseExportQuery).message).toContain('takes no operator')
  })

  test.each([
    ['page=2', ['limit', 'offset']],
    ['page%5Bsize%5D=2', ['limit']],
    ['per_page=10', ['limit']],
    ['pageSize=10', ['limit']],
    ['$limit=10', ['limit']],
    ['$skip=10', ['offset']],
    ['order=people', ['sort']],
    ['order_by=people', ['sort']],
    ['$orderby=people', ['sort']],
    ['select=people', ['fields']],
    ['columns=people', ['fields']],
    ['page_token=x', ['cursor']],
    ['search=cluj', ['q']],
    ['query=cluj', ['q']],
    ['text=cluj', ['q']],
    ['fulltext=cluj', ['q']],
  ])('%s of another interface is refused with our name', (raw, names) => {
    expect(suggested(raw).suggestions.slice(0, names.length)).toEqual(names)
  })

  test.each([
    ['$where=people>5', 'column[gte]=value'],
    ['filter[people]=5', 'column=value'],
    ['page=3', 'limit=50&offset=100'],
  ])('%s is refused with how it is written here', (raw, example) => {
    expect(suggested(raw).message).toContain(example)
  })

  test('the refusal names no parameters that do not apply', () => {
    expect(suggested('per_page=5', parseExportQuery).suggestions).not.toContain('limit')
    expect(suggested('output=csv', parseExportQuery).suggestions).toEqual(['format'])
    expect(suggested('output=csv').suggestions).not.toContain('format')
  })

  test('a column of the dataset comes before what other interfaces mean by its name', () => {
    const own = querySchema([{ name: 'page', type: 'integer' }])
    expect(parseListQuery('page=5', own).filters).toHaveLength(1)
    expect(parseListQuery('sort=page', own).sort).toHaveLength(1)
  })

  test('when nothing is near, the refusal lists the columns', () => {
    expect(suggested('zzzzzz=1').message).toContain('county, town, year, people')
    expect(suggested('sort=zzzzzz').message).toContain('county, town, year, people')
    const wide = querySchema(
      Array.from({ length: 500 }, (_, i) => ({ name: `c${i}`, type: 'string' as const })),
    )
    expect(refusal(() => parseListQuery('zzzzzz=1', wide)).message).toContain('c11 and 488 more')
  })
})

test('a parameter with an unsuitable value suggests the column of its name, only where there is one', () => {
  const detail = (
    raw: string,
    parse: typeof parseListQuery | typeof parseExportQuery = parseListQuery,
    columns = schema,
  ) => refusal(() => parse(raw, columns)).detail![0]!
  expect(detail('count=5').suggestions).toEqual(['count[eq]=5'])
  expect(detail('count=5').message).toContain('Did you mean "count[eq]=5"?')
  expect(detail('count=5', parseExportQuery).suggestions).toEqual(['count[eq]=5'])
  const plain = querySchema([{ name: 'format', type: 'string' }])
  expect(detail('count=5', parseListQuery, plain).suggestions).toEqual(['true', 'false'])
  expect(detail('format=a b%26', parseExportQuery, plain).suggestions).toEqual(['format[eq]=a%20b%26'])
  expect(detail('limit=x').suggestions).toBeUndefined()
  expect(detail(`count=${'9'.repeat(5000)}`).message.length).toBeLessThan(300)
})

test("a refusal of an operator's value names the operator as it was written", () => {
  for (const operator of ['contains', 'starts_with']) {
    const { message } = refusal(() => parseListQuery(`town[${operator}]=`, schema))
    expect(message).toContain(`"${operator}" needs`)
  }
})

describe('export queries', () => {
  test('csv of all columns is the default, json another name for ndjson', () => {
    expect(parseExportQuery('', schema)).toMatchObject({ format: 'csv', bom: false })
    expect(parseExportQuery('format=json', schema).format).toBe('ndjson')
    expect(parseExportQuery('bom=true', schema).bom).toBe(true)
  })

  test.each(['limit=1', 'offset=0', 'cursor=start', 'count=true'])('%s does not apply', (raw) => {
    expect(refusal(() => parseExportQuery(raw, schema)).code).toBe('unknown_parameter')
  })

  test('CSV options are refused with another format, whether named or negotiated', () => {
    for (const raw of ['bom=true', 'delimiter=;', 'safe=true']) {
      expect(refusal(() => parseExportQuery(`format=ndjson&${raw}`, schema)).code).toBe('invalid_value')
      expect(refusal(() => parseExportQuery(raw, schema, 'ndjson')).code).toBe('invalid_value')
    }
    expect(parseExportQuery('format=ndjson&bom=false&safe=false', schema).format).toBe('ndjson')
  })

  test('a delimiter is a comma, a semicolon, a bar or a tab', () => {
    const delimiterOf = (text: string) => parseExportQuery(`delimiter=${text}`, schema).csv.delimiter
    expect([',', ';', '%3B', '|', 'tab', '%09'].map(delimiterOf)).toEqual([',', ';', ';', '|', '\t', '\t'])
    for (const text of ['', 'x', ';;', '%5Ct', 'semicolon', 'constructor'])
      expect(refusal(() => delimiterOf(text)).code).toBe('invalid_value')
  })

  test('a column named delimiter or safe is filtered like others, in lists too', () => {
    const named = querySchema([
      { name: 'delimiter', type: 'string' },
      { name: 'safe', type: 'boolean' },
    ])
    for (const parse of [parseListQuery, parseExportQuery])
      expect(parse('delimiter=x&safe=true', named).filters.length).toBe(2)
    expect(refusal(() => parseListQuery('delimiter=;', schema)).code).toBe('unknown_parameter')
  })
})

test('filters have one canonical text, however they were written', () => {
  const of = (raw: string) => canonicalFilters(parseListQuery(raw, schema).filters)
  expect(of('year=2021&county=a&year[eq]=2022')).toBe(of('county[eq]=a&year=2022&year=2021'))
  expect(of('year[in]=1,2')).toBe(of('year[in]=2,1.0'))
  expect(of('year=2021')).not.toBe(of('year=2022'))
  expect(of('year=2021')).not.toBe(of('people=2021'))
  expect(of('town[in]="a,b"')).not.toBe(of('town[in]=a,b'))
})

test('query strings survive being written and read back', () => {
  const parameters = [
    { name: 'county[in]', value: '"a,b",ș+ț&=%' },
    { name: 'at', value: '2021-01-10T17:00:00+02:00' },
    { name: 'empty', value: '' },
  ]
  expect(readQueryString(writeQueryString(parameters))).toEqual({ parameters, undecodable: [] })
  expect(writeQueryString(parameters)).not.toMatch(/[[\]"<> ]/)
})

test('a word longer than any name suggests nothing', () => {
  expect(suggest('x'.repeat(10_000), ['x'])).toEqual([])
})

test.each([
  ['contry', ['county', 'country', 'year'], ['country', 'county']],
  ['limt', ['limit', 'list_price'], ['limit']],
  [
    'manufacturer_canon',
    ['manufacturer', 'manufacturer_canonical'],
    ['manufacturer', 'manufacturer_canonical'],
  ],
  ['gtE', ['gt', 'gte', 'lte'], ['gte', 'gt', 'lte']],
  ['cljj', ['c', 'cluj'], ['cluj']],
  ['zzzz', ['county'], []],
  ['', ['a'], []],
])('%p suggests what it may have meant', (word, candidates, expected) => {
  const found = suggest(word, candidates)
  expect(new Set(found)).toEqual(new Set(expected))
})
