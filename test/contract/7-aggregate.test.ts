/** Groups and measures of rows: contract 7. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

const AGGREGATE = `${TOWNS_PATH}/aggregate`
const OPEN = '/datasets/towns/aggregate'

/** Values whose sums do not fit in a double, and spellings of one name. */
const EXACT = {
  id: 'exact',
  domain: 'economy',
  table: {
    columns: [
      { name: 'name', type: 'string' as const },
      { name: 'big', type: 'integer' as const },
      { name: 'part', type: 'decimal' as const },
      { name: 'sum_big', type: 'integer' as const },
    ],
    rows: [
      ['Iaşi', 2 ** 53 - 1, 0.1, 1],
      ['Iași', 2 ** 53 - 1, 0.2, 2],
      ['IAȘI', 2 ** 53 - 1, 1e21, 3],
      ['Iași', -5, 1e-7, 4],
      ['', null, null, 5],
    ],
  },
}

const MANY_ROWS = 1_000_001

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
  await app.publish(EXACT)
  const rows = Array.from({ length: MANY_ROWS }, (_, row) => `${row},${row % 7}`)
  await app.ingestCsv(`number,week_day\n${rows.join('\n')}\n`, { id: 'many', domain: 'economy' })
}, 60_000)
afterAll(() => app.stop())

const dataOf = async (query: string, path = AGGREGATE) => {
  const { status, body } = await app.get(`${path}?${query}`)
  expect([query, status, body.error]).toEqual([query, 200, undefined])
  return body.data
}
const textOf = async (query: string) => (await app.get(`/v1/economy/exact/aggregate?${query}`)).text

describe('7 aggregate: groups', () => {
  test('are in the order of their column; null forms a separate group, the last one', async () => {
    expect(await dataOf('group_by=county')).toEqual([
      { county: 'Alba', count: 2 },
      { county: 'Bacău', count: 1 },
      { county: 'București', count: 1 },
      { county: 'Cluj', count: 2 },
      { county: 'IAȘI', count: 3 },
      { county: null, count: 1 },
    ])
  })

  test('have the rows that eq finds, and the spelling most frequent in the whole dataset', async () => {
    expect(
      await dataOf('group_by=name&measures=count,min(name),max(name)', '/v1/economy/exact/aggregate'),
    ).toEqual([
      { name: '', count: 1, min_name: '', max_name: '' },
      { name: 'Iași', count: 4, min_name: 'Iași', max_name: 'Iași' },
    ])
    // Also if only another spelling is among the rows.
    expect(await dataOf('group_by=name&part[gt]=5', '/v1/economy/exact/aggregate')).toEqual([
      { name: 'Iași', count: 1 },
    ])
  })

  test('of up to four columns, in the order of group_by', async () => {
    const data = await dataOf('group_by=year,seat,counted_on,c:count&county=Cluj&county=Alba')
    expect(data.map(Object.values)).toEqual([
      [2021, false, '2021-12-01', 1, 1],
      [2021, true, '2021-12-01', 3, 1],
      [2023, false, '2023-02-28', 0, 1],
      [2023, true, '2023-01-31', 1, 1],
    ])
  })

  test('of parts of dates and datetimes', async () => {
    expect(await dataOf('group_by=year(counted_on)')).toEqual([
      { year_counted_on: 2019, count: 1 },
      { year_counted_on: 2020, count: 2 },
      { year_counted_on: 2021, count: 2 },
      { year_counted_on: 2022, count: 2 },
      { year_counted_on: 2023, count: 2 },
      { year_counted_on: null, count: 1 },
    ])
    expect(
      await dataOf('group_by=quarter(entered_at),month(entered_at),day(entered_at)&county=Cluj'),
    ).toEqual([
      {
        ...{ quarter_entered_at: '2021-Q4', month_entered_at: '2021-12', day_entered_at: '2021-12-01' },
        count: 2,
      },
    ])
  })

  test('without group_by are one group of all rows, even if none match', async () => {
    expect(await dataOf('')).toEqual([{ count: 10 }])
    expect(
      await dataOf(
        'county=nowhere&measures=count,count(year),count_distinct(year),sum(year),avg(year),min(town),max(town),median(year)',
      ),
    ).toEqual([
      {
        ...{ count: 0, count_year: 0, count_distinct_year: 0, sum_year: null, avg_year: null },
        ...{ min_town: null, max_town: null, median_year: null },
      },
    ])
    expect(await dataOf('county=nowhere&group_by=county')).toEqual([])
  })
})

describe('7 aggregate: measures', () => {
  test('ignore nulls', async () => {
    const measures =
      'count,count(people),count_distinct(year),sum(people),sum(area),avg(area),min(town),max(counted_on),median(people)'
    expect(await dataOf(`group_by=county&measures=${measures}&county=Alba`)).toEqual([
      {
        ...{ county: 'Alba', count: 2, count_people: 1, count_distinct_year: 1, sum_people: 64227 },
        ...{ sum_area: 103.65, avg_area: 51.825, min_town: '', max_counted_on: '2023-02-28' },
        median_people: 64227,
      },
    ])
  })

  test('are named as the query says, groups first in a row', async () => {
    const data = await dataOf('measures=people:sum(people),n:count&group_by=y:year')
    expect(Object.keys(data[0])).toEqual(['y', 'people', 'n'])
  })

  test('are exact: sums have all their digits, also beyond 2^53, without exponent', async () => {
    expect(await textOf('measures=sum(big),sum(part)')).toStartWith(
      '{"data":[{"sum_big":27021597764222968,"sum_part":1000000000000000000000.3000001}]',
    )
    expect(await textOf('measures=sum(part)&part[lt]=1&part[gt]=0.01')).toStartWith(
      '{"data":[{"sum_part":0.3}]',
    )
    expect(await textOf('measures=avg(big)')).toStartWith('{"data":[{"avg_big":6755399441055740}]')
    expect(await textOf('measures=median(part),a:avg(part)&part[lt]=1')).toStartWith(
      '{"data":[{"median_part":0.1,"a":0.100000033333333}]',
    )
  })
})

test('a decimal has one form in lists, files, groups, measures and facets, and filters accept that form', async () => {
  const path = '/v1/economy/exact'
  const formsOf = async (query: string) => [
    ...(await app.get(`${path}${query}`)).text.matchAll(/\b1e[-+]\d+/g),
  ]
  const shown = async (query: string) => (await formsOf(query)).map(([form]) => form)
  expect(await shown('?sort=part&fields=part')).toEqual(['1e-7', '1e+21'])
  expect(await shown('/export?format=csv&fields=part')).toEqual(['1e+21', '1e-7'])
  for (const format of ['', '&format=csv', '&format=ndjson'])
    expect(await shown(`/aggregate?group_by=part&measures=count${format}`)).toEqual(['1e-7', '1e+21'])
  const measures = 'min(part),max(part),median(part)'
  expect(await shown(`/aggregate?measures=${measures}`)).toEqual(['1e-7', '1e+21'])
  expect(await shown(`/aggregate?measures=${measures}&big=-5`)).toEqual(['1e-7', '1e-7', '1e-7'])
  expect(await shown('/facets?columns=part')).toEqual(['1e-7', '1e+21'])
  expect((await app.get(`${path}?part=1e-7`)).body.pagination.total).toBe(1)
  expect(
    (await app.get(`${path}/aggregate?group_by=big&measures=min(part)&min_part=1e-7`)).body.data,
  ).toEqual([{ big: -5, min_part: 1e-7 }])
})

describe('7 aggregate: filters on results', () => {
  test('compare the value shown', async () => {
    expect(await dataOf('group_by=county&measures=sum(people)&sum_people[gte]=300000')).toEqual([
      { county: 'București', sum_people: 1716961 },
      { county: 'Cluj', sum_people: 329917 },
      { county: 'IAȘI', sum_people: 311594 },
    ])
    expect(await dataOf('group_by=county&measures=n:count&n=3&n=1&n[ne]=1')).toEqual([
      { county: 'IAȘI', n: 3 },
    ])
    expect(await dataOf('group_by=m:month(counted_on)&m[starts_with]=2023')).toEqual([
      { m: '2023-01', count: 1 },
      { m: '2023-02', count: 1 },
    ])
    expect(await dataOf('group_by=county&measures=sum(area)&sum_area[is_null]=true')).toEqual([])
  })

  test('filter rows where a column has that name', async () => {
    const path = '/v1/economy/exact/aggregate'
    expect(await dataOf('measures=sum(sum_big)&sum_sum_big[gte]=16', path)).toEqual([])
    expect(await dataOf('measures=n:count,sum_big:sum(sum_big)&sum_big[gte]=4', path)).toEqual([
      { n: 2, sum_big: 9 },
    ])
    // The dataset has a column `count`.
    expect(await dataOf('group_by=county&count[eq]=1')).toEqual([
      { county: 'Alba', count: 1 },
      { county: 'Cluj', count: 1 },
    ])
  })

  test('reduce the total', async () => {
    const { body } = await app.get(`${AGGREGATE}?group_by=county&measures=n:count&n[gte]=2&limit=1`)
    expect(body.pagination.total).toBe(3)
  })

  test('compare sums beyond 2^53 exactly', async () => {
    const path = '/v1/economy/exact/aggregate'
    const ask = (filter: string) => dataOf(`measures=total:sum(big)&total${filter}`, path)
    expect(await ask('=27021597764222968')).toHaveLength(1)
    expect(await ask('[gt]=27021597764222967')).toHaveLength(1)
    expect(await ask('[gt]=27021597764222968')).toEqual([])
    expect(await ask('[in]=1,27021597764222969')).toEqual([])
  })
})

describe('7 aggregate: order and pages', () => {
  test('sort accepts results; ties are in the order of the groups, nulls last in both directions', async () => {
    const order = async (sort: string) =>
      (await dataOf(`group_by=county&measures=count,sum(area)&sort=${sort}`)).map(
        (row: { county: string }) => row.county,
      )
    expect(await order('-count')).toEqual(['IAȘI', 'Alba', 'Cluj', 'Bacău', 'București', null])
    expect(await order('count,-county')).toEqual(['București', 'Bacău', null, 'Cluj', 'Alba', 'IAȘI'])
    expect(await order('-sum_area')).toEqual(['Cluj', 'București', 'IAȘI', 'Alba', 'Bacău', null])
    expect(await order('-county')).toEqual(['IAȘI', 'Cluj', 'București', 'Bacău', 'Alba', null])
  })

  test('pages have the envelope of lists, and an exact total', async () => {
    const { headers, body } = await app.get(`${AGGREGATE}?group_by=county&limit=2&offset=2`)
    expect(Object.keys(body)).toEqual(['data', 'pagination', 'meta', 'links'])
    expect(body.data).toEqual([
      { county: 'București', count: 1 },
      { county: 'Cluj', count: 2 },
    ])
    expect(body.pagination).toEqual({
      ...{ total: 6, count: 2, limit: 2, offset: 2, has_next: true, next_offset: 4 },
    })
    const at = (offset: number) => `${app.url}${AGGREGATE}?group_by=county&limit=2&offset=${offset}`
    expect(body.links).toEqual({
      ...{ self: AGGREGATE, next: at(4), prev: at(0), first: at(0), last: at(4) },
      documentation: `${app.url}/docs`,
    })
    expect(headers.get('link')).toContain(`<${at(4)}>; rel="next"`)
    expect(body.meta).toMatchObject({ api_version: 'v1', dataset: 'towns', domain: 'geospatial' })
    const next = await app.get(body.links.next.slice(app.url.length))
    expect(next.body.data).toEqual([
      { county: 'IAȘI', count: 3 },
      { county: null, count: 1 },
    ])
    expect(next.body.pagination).toMatchObject({ has_next: false, next_offset: null })
  })

  test('count=false leaves the total out; has_next stays exact', async () => {
    const pagination = async (query: string) =>
      (await app.get(`${AGGREGATE}?group_by=county&count=false&${query}`)).body.pagination
    expect(await pagination('limit=5')).toMatchObject({ total: null, count: 5, has_next: true })
    expect(await pagination('limit=6')).toMatchObject({ total: null, count: 6, has_next: false })
    expect(await pagination('offset=9')).toMatchObject({ total: null, count: 0, has_next: false })
  })

  test('the total is counted whatever the size of the dataset', async () => {
    const { body } = await app.get('/v1/economy/many/aggregate?group_by=week_day&limit=1')
    expect(body.pagination).toMatchObject({ total: 7, count: 1 })
    expect(body.data).toEqual([{ week_day: 0, count: 142858 }])
  })
})

describe('7 aggregate: files', () => {
  test('CSV has all groups: header, CRLF, null as an empty cell, an empty text in quotes', async () => {
    const { headers, text } = await app.get(
      `${AGGREGATE}?group_by=county,town&measures=n:count,sum(people)&format=csv&year[gte]=2023`,
    )
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="towns.csv"')
    expect(text).toBe('county,town,n,sum_people\r\nAlba,"",1,\r\nAlba,"Alba Iulia, ""Cetatea""",1,64227\r\n')
  })

  test('NDJSON has the values of the page', async () => {
    const query = 'group_by=county&measures=count,sum(area),max(entered_at)&sort=-count'
    const { headers, text } = await app.get(`${AGGREGATE}?${query}&format=ndjson`)
    expect(headers.get('content-disposition')).toBe('attachment; filename="towns.ndjson"')
    const rows = text.split('\n')
    expect(rows.pop()).toBe('')
    expect(rows.map((row) => JSON.parse(row))).toEqual(await dataOf(query))
    expect(await app.get('/v1/economy/exact/aggregate?measures=sum(big)&format=ndjson')).toMatchObject({
      text: '{"sum_big":27021597764222968}\n',
    })
  })

  test('have all groups, beyond the limit of a page', async () => {
    const { text } = await app.get('/v1/economy/many/aggregate?group_by=number&number[lt]=5000&format=csv')
    const lines = text.split('\r\n')
    expect([lines.length, lines[0], lines[5000]]).toEqual([5002, 'number,count', '4999,1'])
  })

  test('without groups are a header line, or empty', async () => {
    expect((await app.get(`${AGGREGATE}?group_by=county&county=x&format=csv`)).text).toBe('county,count\r\n')
    expect((await app.get(`${AGGREGATE}?group_by=county&county=x&format=ndjson`)).text).toBe('')
  })

  test('accept another delimiter, and defuse texts that look like formulas', async () => {
    const table = {
      columns: [{ name: 'text', type: 'string' as const }],
      rows: [['=1+1'], ['-a;b'], ['a,b']],
    }
    await app.publish({ id: 'formulas', domain: 'economy', table })
    const path = '/v1/economy/formulas/aggregate?group_by=text&measures=n:count,m:max(text)&format=csv'
    expect((await app.get(`${path}&delimiter=%3B&safe=true`)).text.split('\r\n').sort()).toEqual([
      ...['', `"'-a;b";1;"'-a;b"`, "'=1+1;1;'=1+1", 'a,b;1;a,b', 'text;n;m'],
    ])
    expect((await app.get(path)).text.split('\r\n').sort()).toEqual([
      ...['', '"a,b",1,"a,b"', '-a;b,1,-a;b', '=1+1,1,=1+1', 'text,n,m'],
    ])
  })

  test('begin with a byte order mark if bom=true', async () => {
    const bytes = await (await app.fetch(`${AGGREGATE}?format=csv&bom=true`)).bytes()
    expect([...bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, 0x63])
  })

  test('HEAD sends their headers', async () => {
    const { status, headers, text } = await app.get(`${AGGREGATE}?format=csv`, { method: 'HEAD' })
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('content-disposition')).toBe('attachment; filename="towns.csv"')
  })

  test('are refused with limit, offset or count', async () => {
    for (const name of ['limit=5', 'offset=5', 'count=true']) {
      const { status, body } = await app.get(`${AGGREGATE}?format=csv&${name}`)
      expect([status, body.error.code]).toEqual([422, 'unknown_parameter'])
    }
  })
})

describe('7 aggregate: refusals', () => {
  test.each([
    ['group_by=contry', 'invalid_aggregate', 'query.group_by'],
    ['measures=sum(county)', 'invalid_aggregate', 'query.measures'],
    ['group_by=county&sum_people[gte]=5', 'unknown_column', 'query.sum_people[gte]'],
    ['sort=-sum_people', 'unknown_column', 'query.sort'],
    ['sort=', 'invalid_sort', 'query.sort'],
    ['cursor=start', 'unknown_parameter', 'query.cursor'],
    ['fields=county', 'unknown_parameter', 'query.fields'],
    ['limit=1001', 'invalid_limit', 'query.limit'],
    ['format=xml', 'invalid_format', 'query.format'],
    ['year=x', 'invalid_value', 'query.year'],
    ['group_by=%ff', 'invalid_value', 'query.group_by'],
  ])('%s is %s', async (query, code, location) => {
    for (const path of [AGGREGATE, OPEN]) {
      const { status, body } = await app.get(`${path}?${query}`)
      expect([status, body.error.code, body.error.detail[0].location]).toEqual([422, code, location])
    }
  })

  test.each(['', '&format=csv', '&format=csv&bom=true', '&number[gte]=0&count=false'])(
    'more than a million groups are one, naming the column with most values: %s',
    async (rest) => {
      const { status, headers, body } = await app.get(
        `/v1/economy/many/aggregate?group_by=week_day,number${rest}`,
      )
      expect([status, body.error.code]).toEqual([422, 'too_many_groups'])
      expect(body.error.message).toContain('"number"')
      expect(headers.get('content-disposition')).toBeNull()
    },
    30_000,
  )
})

describe('7 aggregate: as lists are', () => {
  test('a key is needed below /v1, but not at the open address', async () => {
    expect((await app.get(AGGREGATE, { key: null })).status).toBe(401)
    expect((await app.get(OPEN, { key: null })).body.data).toEqual([{ count: 10 }])
    expect((await app.get('/v1/economy/towns/aggregate')).body.error.code).toBe('dataset_not_found')
    expect((await app.get('/v1/geospatial/siruta/aggregate')).body.error.code).toBe('dataset_not_ingested')
    expect((await app.get('/datasets/nowhere/aggregate', { key: null })).status).toBe(404)
  })

  test.each([AGGREGATE, OPEN])('%s has a tag that answers 304, for pages and files', async (path) => {
    for (const query of ['?group_by=county', '?group_by=county&format=csv']) {
      const first = await app.get(path + query)
      const headers = { 'if-none-match': first.headers.get('etag')! }
      const again = await app.get(path + query, { headers })
      expect([query, again.status, again.text]).toEqual([query, 304, ''])
      expect((await app.get(`${path + query}&year=2021`, { headers })).status).toBe(200)
    }
  })

  test('HEAD answers like GET without a body; other methods are 405', async () => {
    const { headers } = await app.get(`${AGGREGATE}?group_by=county`)
    const head = await app.get(`${AGGREGATE}?group_by=county`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')])
    expect((await app.get(AGGREGATE, { method: 'POST' })).status).toBe(405)
  })

  test('a repeated answer comes from the cache and is identical', async () => {
    const ask = () => app.get(`${AGGREGATE}?group_by=year&measures=avg(area)`)
    const [first, , third] = [await ask(), await ask(), await ask()]
    expect(third.body.data).toEqual(first.body.data)
    expect(third.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('a 304 uses one of the requests per minute', async () => {
    const { secret: key } = await app.mintKey('institution')
    const left = async (query: string, headers = {}) => {
      const answer = await app.get(`${AGGREGATE}?${query}`, { key, headers })
      return [
        answer.status,
        Number(answer.headers.get('x-ratelimit-remaining')),
        answer.headers.get('etag'),
      ] as const
    }
    const [, first, etag] = await left('group_by=county')
    const [status, second] = await left('group_by=county', { 'if-none-match': etag! })
    expect([status, first - second]).toEqual([304, 1])
  })
})
