import { describe, expect, test } from 'bun:test'
import { ApiError } from '../../src/base/errors.ts'
import { parseAggregateQuery } from '../../src/query/aggregate/aggregate-query.ts'
import { parseFacetsQuery } from '../../src/query/aggregate/facets-query.ts'
import { parseListQuery } from '../../src/query/query.ts'
import { querySchema } from '../../src/query/query-schema.ts'
import { TOWNS_TABLE } from '../support/towns.ts'

const schema = querySchema(TOWNS_TABLE.columns)
const aggregate = (raw: string) => parseAggregateQuery(raw, schema)
const namesOf = (raw: string) => aggregate(raw).results.map(({ name }) => name)

function refusal(parse: () => unknown): ApiError {
  try {
    parse()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('not refused')
}
const refused = (raw: string) => {
  const { code, message, detail = [] } = refusal(() => aggregate(raw))
  return { code, message, location: detail[0]?.location, suggestions: detail[0]?.suggestions ?? [] }
}

describe('an aggregate', () => {
  test('of an empty query counts all rows', () => {
    expect(aggregate('')).toEqual({
      query: {
        ...{ filters: [], groups: [], having: [], sort: [], limit: 50, offset: 0, count: true },
        measures: [{ kind: 'count', column: null }],
      },
      results: [{ name: 'count', type: 'integer' }],
      format: undefined,
      bom: false,
      csv: { delimiter: ',', safe: false },
      parameters: [],
    })
  })

  test('groups by columns and parts of dates, and names results by default', () => {
    const { query, results } = aggregate(
      'group_by=county,month(counted_on),year(entered_at)&measures=count,count(year),count_distinct(town),sum(people),avg(area),min(town),max(counted_on),median(year)',
    )
    expect(query.groups).toEqual([
      { column: 0, part: null },
      { column: 6, part: 'month' },
      { column: 7, part: 'year' },
    ])
    expect(query.measures.slice(0, 4)).toEqual([
      { kind: 'count', column: null },
      { kind: 'count', column: 2 },
      { kind: 'count_distinct', column: 1 },
      { kind: 'sum', column: 3 },
    ])
    expect(results.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...['county string', 'month_counted_on string', 'year_entered_at integer'],
      ...['count integer', 'count_year integer', 'count_distinct_town integer', 'sum_people integer'],
      ...['avg_area decimal', 'min_town string', 'max_counted_on date', 'median_year decimal'],
    ])
  })

  test('names results as the query says', () => {
    expect(namesOf('group_by=where:county,at:day(entered_at)&measures=total:sum(people),n:count')).toEqual([
      ...['where', 'at', 'total', 'n'],
    ])
  })

  test('filters rows by columns and groups by results; a column of that name comes first', () => {
    const { query } = aggregate(
      'group_by=county&measures=n:count,year:sum(people),sum(area)&year=2021&n[gte]=2&n[gte]=5&sum_area[lt]=3.5&county=Cluj',
    )
    expect(query.filters).toEqual([
      { column: 2, operator: 'eq', operands: [[2021]] },
      { column: 0, operator: 'eq', operands: [['Cluj']] },
    ])
    expect(query.having).toEqual([
      { result: 1, operator: 'gte', operands: [['2'], ['5']] },
      { result: 3, operator: 'lt', operands: [['3.5']] },
    ])
  })

  test('sorts by results', () => {
    const { query } = aggregate('group_by=county&measures=sum(people),count&sort=-sum_people,count,county')
    expect(query.sort).toEqual([
      { result: 1, descending: true },
      { result: 2, descending: false },
      { result: 0, descending: false },
    ])
  })

  test('is a page with an exact total unless count=false, or a file', () => {
    expect(aggregate('limit=5&offset=10&count=false').query).toMatchObject({
      limit: 5,
      offset: 10,
      count: false,
    })
    expect(aggregate('format=csv&bom=true')).toMatchObject({ format: 'csv', bom: true })
    expect(aggregate('format=json').format).toBe('ndjson')
    expect(aggregate('format=csv&delimiter=tab&safe=true').csv).toEqual({ delimiter: '\t', safe: true })
  })
})

describe('an entry that cannot be computed', () => {
  test.each([
    ['group_by=', 'needs an entry', []],
    ['measures=count,', 'needs an entry', []],
    ['group_by=county,county', 'named "county"', []],
    ['measures=sum(people),sum(people)', 'named "sum_people"', []],
    ['measures=a:count,a:sum(people)', 'named "a"', []],
    ['group_by=county&measures=county:count', 'named "county"', []],
    ['group_by=count', 'named "count"', []],
    ['group_by=county,town,year,area,seat', 'at most 4 entries; "seat"', []],
    [
      'measures=a:count,b:count,c:count,d:count,e:count,f:count,g:count,h:count,i:count,j:count,k:count',
      'at most 10',
      [],
    ],
    ['group_by=contry', '"contry"', ['county']],
    ['group_by=month(counted_no)', '"counted_no"', ['month(counted_on)']],
    [
      'group_by=week(counted_on)',
      'nknown function "week"',
      ['year(counted_on)', 'quarter(counted_on)', 'month(counted_on)', 'day(counted_on)'],
    ],
    ['group_by=mont(counted_on)', 'nknown function "mont"', ['month(counted_on)']],
    ['group_by=year(county)', 'of type string', ['county']],
    ['group_by=sum(people)', 'belongs to parameter "measures"', []],
    ['measures=month(counted_on)', 'belongs to parameter "group_by"', []],
    ['measures=sum(county)', 'of type string', ['count_distinct(county)', 'min(county)', 'max(county)']],
    ['measures=avg(seat)', 'of type boolean', ['count_distinct(seat)']],
    ['measures=max(seat)', 'of type boolean', ['count_distinct(seat)']],
    [
      'measures=median(counted_on)',
      'of type date',
      ['count_distinct(counted_on)', 'min(counted_on)', 'max(counted_on)'],
    ],
    ['measures=sum(peple)', '"peple"', ['sum(people)']],
    ['measures=total(people)', 'nknown function "total"', ['sum(people)']],
    ['measures=mean(people)', 'nknown function "mean"', ['avg(people)']],
    ['measures=people', 'needs a function', ['sum(people)', 'avg(people)', 'median(people)']],
    ['measures=sum', 'sum(column)', []],
    ['measures=COUNT', 'is not a measure', ['count', 'count_distinct(counted_on)', 'count_distinct(county)']],
    ['measures=peple', 'is not a measure', ['sum(people)']],
    ['measures=sum()', 'needs a column', []],
    ['measures=count(*)', 'names no column', ['count']],
    ['measures=count()', 'names no column', ['count']],
    ['measures=Total Sum:sum(people)', '"Total Sum"', ['total_sum']],
    [`measures=${'x'.repeat(65)}:count`, '1 to 64', ['x'.repeat(64)]],
    ['measures=sum(people', 'cannot be read', []],
    ['measures=sum(people))', 'cannot be read', []],
    ['measures=a:b:count', 'cannot be read', []],
  ])('%s is refused by name', (raw, part, suggestions) => {
    const { code, message, location, suggestions: found } = refused(raw)
    expect(code).toBe('invalid_aggregate')
    expect(message).toContain(part)
    expect(location).toBe(
      raw.includes('&') || raw.startsWith('m') || raw === 'group_by=count'
        ? 'query.measures'
        : 'query.group_by',
    )
    expect(found).toEqual(suggestions)
  })

  test('lists the columns that a function accepts, where none is near', () => {
    expect(refused('measures=sum(zzzzzz)').message).toContain('"sum" takes year, people, area, count.')
    const plain = querySchema([{ name: 'county', type: 'string' }])
    const { message } = refusal(() => parseAggregateQuery('group_by=month(day)', plain))
    expect(message).toContain('the dataset has none that "month" takes')
  })

  test('names of object properties are not functions', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(refused(`measures=${name}(people)`).code).toBe('invalid_aggregate')
      expect(refused(`group_by=${name}(counted_on)`).code).toBe('invalid_aggregate')
      expect(refused(`group_by=${name}`).code).toBe('invalid_aggregate')
    }
  })
})

describe('a query of an aggregate is refused', () => {
  test.each([
    ['group_by=county&group_by=year', 'duplicate_parameter', 'query.group_by'],
    ['group_by=county&sum_people[gte]=5', 'unknown_column', 'query.sum_people[gte]'],
    ['group_by=county&sort=-sum_people', 'unknown_column', 'query.sort'],
    ['group_by=county&sort=town', 'unknown_column', 'query.sort'],
    ['group_by=county&sort=', 'invalid_sort', 'query.sort'],
    ['group_by=county&sort=county,-county', 'invalid_sort', 'query.sort'],
    ['cursor=start', 'unknown_parameter', 'query.cursor'],
    ['fields=county', 'unknown_parameter', 'query.fields'],
    ['format=csv&limit=5', 'unknown_parameter', 'query.limit'],
    ['format=ndjson&offset=5', 'unknown_parameter', 'query.offset'],
    ['format=csv&count=true', 'unknown_parameter', 'query.count'],
    ['format=pdf', 'invalid_format', 'query.format'],
    ['bom=true', 'invalid_value', 'query.bom'],
    ['format=ndjson&delimiter=;', 'invalid_value', 'query.delimiter'],
    ['safe=true', 'invalid_value', 'query.safe'],
    ['limit=0', 'invalid_limit', 'query.limit'],
    ['offset=-1', 'invalid_offset', 'query.offset'],
    ['count=5', 'invalid_value', 'query.count'],
    ['count[contains]=5', 'unknown_operator', 'query.count[contains]'],
    ['measures=n:count&n[gte]=x', 'invalid_value', 'query.n[gte]'],
    ['contry=Cluj', 'unknown_column', 'query.contry'],
  ])('%s', (raw, code, location) => {
    expect(refused(raw)).toMatchObject({ code, location })
  })

  test('with how to request a missing result', () => {
    expect(refused('group_by=county&sum_people[gte]=5').message).toContain(
      'add sum(people) to parameter "measures"',
    )
    expect(refused('sort=month_counted_on').message).toContain(
      'add month(counted_on) to parameter "group_by"',
    )
    expect(refused('measures=sum(people)&sum_peple[gte]=5').suggestions).toEqual(['sum_people'])
    expect(refused('measures=sum(people)&sort=sum_peple').suggestions).toEqual(['sum_people'])
  })

  test('once for an entry, though filters and sort name it', () => {
    const { detail } = refusal(() => aggregate('measures=sum(county)&sum_county[gte]=5&sort=-sum_county'))
    expect(detail?.map(({ location }) => location)).toEqual(['query.measures'])
  })

  test('with all of its problems at once', () => {
    const { detail } = refusal(() => aggregate('group_by=contry&measures=sum(county)&limit=0&yaer=1&sort=x'))
    expect(detail?.map(({ location }) => location)).toEqual([
      ...['query.group_by', 'query.measures', 'query.limit', 'query.yaer', 'query.sort'],
    ])
  })

  test.each([
    ['groupby=county', ['group_by']],
    ['$group=county', ['group_by']],
    ['metrics=sum(people)', ['measures']],
    ['$select=county', ['group_by', 'measures']],
    ['order_by=county', ['sort']],
  ])('%s of another interface, with our name', (raw, names) => {
    expect(refused(raw).suggestions.slice(0, names.length)).toEqual(names)
  })

  test('having of another interface, with how it is written here', () => {
    expect(refused('having=count>5').message).toContain('count[gte]=5')
  })
})

test('columns named like parameters of lists can be filtered and grouped', () => {
  const own = querySchema([
    { name: 'cursor', type: 'string' },
    { name: 'limit', type: 'integer' },
  ])
  const { query } = parseAggregateQuery('cursor=a&limit[eq]=5&group_by=limit', own)
  expect(query.filters).toHaveLength(2)
  expect(refusal(() => parseAggregateQuery('limit=x', own)).detail![0]!.suggestions).toEqual(['limit[eq]=x'])
})

describe('facets', () => {
  const facets = (raw: string) => parseFacetsQuery(raw, schema)

  test('take columns, a limit and filters', () => {
    expect(facets('')).toEqual({ filters: [], columns: undefined, limit: 10, parameters: [] })
    expect(facets('columns=year,county&limit=100&town=Turda')).toMatchObject({
      columns: [2, 0],
      limit: 100,
      filters: [{ column: 1, operator: 'eq', operands: [['Turda']] }],
    })
  })

  test.each([
    ['columns=contry', 'unknown_column', 'query.columns'],
    ['columns=', 'invalid_value', 'query.columns'],
    ['columns=county,', 'invalid_value', 'query.columns'],
    ['columns=,,', 'invalid_value', 'query.columns'],
    ['columns=county,county', 'invalid_value', 'query.columns'],
    ['columns=county&columns=town', 'duplicate_parameter', 'query.columns'],
    ['limit=101', 'invalid_limit', 'query.limit'],
    ['limit=0', 'invalid_limit', 'query.limit'],
    ['format=csv', 'unknown_parameter', 'query.format'],
    ['sort=county', 'unknown_parameter', 'query.sort'],
    ['offset=0', 'unknown_parameter', 'query.offset'],
    ['group_by=county', 'unknown_column', 'query.group_by'],
    ['yaer=2021', 'unknown_column', 'query.yaer'],
  ])('%s is refused', (raw, code, location) => {
    const { code: found, detail } = refusal(() => facets(raw))
    expect(detail).toHaveLength(1)
    expect([found, detail![0]!.location]).toEqual([code, location])
  })

  test('count is refused where no column has the name', () => {
    const plain = querySchema([{ name: 'county', type: 'string' }])
    expect(refusal(() => parseFacetsQuery('count=true', plain)).code).toBe('unknown_parameter')
    expect(facets('count=3').filters).toEqual([{ column: 8, operator: 'eq', operands: [[3]] }])
  })

  test('take at most 20 columns', () => {
    const wide = querySchema(
      Array.from({ length: 30 }, (_, i) => ({ name: `c${i}`, type: 'string' as const })),
    )
    const columns = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`).join()
    expect(parseFacetsQuery(`columns=${columns(20)}`, wide).columns).toHaveLength(20)
    expect(refusal(() => parseFacetsQuery(`columns=${columns(21)}`, wide)).code).toBe('invalid_value')
  })
})

describe('a list refuses what groups rows with the address that does', () => {
  test.each(['group_by=county', '$group=county', 'measures=count', 'sum=people', 'having=x', 'aggregate=x'])(
    '%s: /aggregate',
    (raw) => {
      const { code, message } = refusal(() => parseListQuery(raw, schema))
      expect(code).toBe('unknown_column')
      expect(message).toContain('/aggregate?group_by=')
    },
  )

  test.each(['distinct=county', 'facet=county', 'facet.field=county'])('%s: /facets', (raw) => {
    expect(refusal(() => parseListQuery(raw, schema)).message).toContain('/facets?columns=')
  })

  test('and offers none of its own parameters instead', () => {
    const [problem] = refusal(() => parseListQuery('count_distinct=county', schema)).detail!
    expect(problem!.message).toContain('/aggregate?group_by=')
    const plain = querySchema([{ name: 'place', type: 'string' }])
    const [alone] = refusal(() => parseListQuery('count_distinct=place', plain)).detail!
    expect(alone!.suggestions).toBeUndefined()
  })

  test('and select with fields', () => {
    expect(refusal(() => parseListQuery('$select=county', schema)).detail![0]!.suggestions).toEqual([
      'fields',
    ])
  })
})
