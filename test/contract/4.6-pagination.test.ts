import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import type { PlainTable } from '../support/random-table.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

const NUMBERS = { id: 'numbers', domain: 'economy' }

function numbers(from: number, to: number): PlainTable {
  const rows = Array.from({ length: to - from }, (_, index) => [from + index, (from + index) % 3])
  return {
    columns: [
      { name: 'n', type: 'integer' },
      { name: 'third', type: 'integer' },
    ],
    rows,
  }
}

/** Follows `links.next` from an address to the end. @returns the values of `n` on the way */
async function walk(target: TestApp, path: string): Promise<number[]> {
  const seen: number[] = []
  let next: string | null = path
  for (let pages = 0; next !== null && pages < 100; pages++) {
    const { status, body } = await target.get(next)
    expect(status).toBe(200)
    seen.push(...body.data.map((row: { n: number }) => row.n))
    next = body.links.next?.slice(target.url.length) ?? null
    expect(body.pagination.has_next).toBe(next !== null)
  }
  return seen
}

const pageOf = async (query: string) => (await app.get(`${TOWNS_PATH}?${query}`)).body

describe('4.6 pages by offset', () => {
  const offsetIn = (link: string | null) => link && Number(new URL(link).searchParams.get('offset'))

  test.each([
    ['limit=4', { count: 4, next: 4, prev: null, last: 8 }],
    ['limit=4&offset=4', { count: 4, next: 8, prev: 0, last: 8 }],
    ['limit=4&offset=8', { count: 2, next: null, prev: 4, last: 8 }],
    ['limit=5&offset=5', { count: 5, next: null, prev: 0, last: 5 }],
    ['limit=4&offset=2', { count: 4, next: 6, prev: 0, last: 6 }],
    ['limit=4&offset=10', { count: 0, next: null, prev: 8, last: 10 }],
    ['limit=4&offset=9007199254740991', { count: 0, next: null, prev: 8, last: 9007199254740991 }],
    ['limit=4&county=nowhere', { count: 0, next: null, prev: null, last: 0 }],
    ['limit=4&count=false', { count: 4, next: 4, prev: null, last: null }],
    ['limit=5&offset=5&count=false', { count: 5, next: null, prev: 0, last: null }],
  ])('%s', async (query, expected) => {
    const { pagination, links } = await pageOf(query)
    expect(pagination.count).toBe(expected.count)
    expect(pagination.has_next).toBe(expected.next !== null)
    expect(pagination.next_offset).toBe(expected.next)
    expect(offsetIn(links.next)).toBe(expected.next)
    expect(offsetIn(links.prev)).toBe(expected.prev)
    expect(offsetIn(links.first)).toBe(0)
    expect(offsetIn(links.last)).toBe(expected.last)
  })

  test('links repeat every given parameter in order and can be requested as they are', async () => {
    const query =
      'county%5Bin%5D=%22a,b%22,cluj&town%5Bcontains%5D=a+%26b&offset=0&sort=-year&limit=1&count=true'
    const { links, pagination } = await pageOf(
      `county[in]="a,b",cluj&year[gte]=2000&offset=0&sort=-year&limit=1`,
    )
    expect(pagination.has_next).toBe(true)
    expect(links.next).toBe(
      `${app.url}${TOWNS_PATH}?county%5Bin%5D=%22a,b%22,cluj&year%5Bgte%5D=2000&offset=1&sort=-year&limit=1`,
    )
    const { links: again } = await pageOf(query)
    expect(again.first).toBe(`${app.url}${TOWNS_PATH}?${query.replace('a+%26b', 'a%20%26b')}`)
  })

  test('the Link header repeats the links, and is left out if it would exceed 4 KB', async () => {
    const { headers, body } = await app.get(`${TOWNS_PATH}?limit=4&offset=4`)
    const expected = ['next', 'prev', 'first', 'last'].map((name) => `<${body.links[name]}>; rel="${name}"`)
    expect(headers.get('link')).toBe(expected.join(', '))
    const long = await app.get(`${TOWNS_PATH}?limit=4&town[ne]=${'x'.repeat(2000)}`)
    expect(long.status).toBe(200)
    expect(long.headers.get('link')).toBeNull()
    expect(long.body.links.next).toBeString()
  })

  test('following links.next shows every matching row once, with and without counting', async () => {
    await app.publish({ ...NUMBERS, table: numbers(0, 100) })
    const expected = Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 3 === 1)
    expect(await walk(app, '/v1/economy/numbers?third=1&limit=7')).toEqual(expected)
    expect(await walk(app, '/v1/economy/numbers?third=1&limit=7&count=false')).toEqual(expected)
    expect(await walk(app, '/v1/economy/numbers?third=1&limit=7&sort=-n')).toEqual(expected.toReversed())
  })
})

describe('4.6 walks by cursor', () => {
  test('a walk returns every matching row once, in file order, with any primary key', async () => {
    await app.publish({ ...NUMBERS, id: 'walked', primaryKey: ['third'], table: numbers(0, 50) })
    const all = Array.from({ length: 50 }, (_, n) => n)
    expect(await walk(app, '/v1/economy/walked?cursor=start&limit=7')).toEqual(all)
    expect(await walk(app, '/v1/economy/walked?third[ne]=1&cursor=start&limit=11')).toEqual(
      all.filter((n) => n % 3 !== 1),
    )
    expect(await walk(app, '/v1/economy/walked?cursor=start&limit=50')).toEqual(all)
  })

  test('limit and fields may change during a walk, filters may not', async () => {
    const first = await pageOf('cursor=start&limit=2&year=2021&fields=people')
    const cursor = first.pagination.next_cursor
    const other = await pageOf(`cursor=${cursor}&limit=9&year[eq]=2021&fields=town`)
    expect(other.data).toEqual([{ town: 'Hârlău' }])
    expect(other.pagination).toEqual({ count: 1, limit: 9, has_next: false, next_cursor: null })
    expect(other.links.next).toBeNull()
    expect((await pageOf(`cursor=${cursor}&year=2022`)).error.code).toBe('invalid_cursor')
    expect((await pageOf(`cursor=${cursor}`)).error.code).toBe('invalid_cursor')
  })

  test.each([
    ['cursor=start&offset=0', 'query.offset'],
    ['sort=year&cursor=start', 'query.sort'],
    ['cursor=start&count=true', 'query.count'],
    ['cursor=made-up&offset=1', 'query.offset'],
  ])('%s is a conflict', async (query, location) => {
    const { status, body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect([status, body.error.code, body.error.detail[0].location]).toEqual([
      422,
      'cursor_conflict',
      location,
    ])
  })

  test('count=false is allowed with a cursor', async () => {
    expect((await app.get(`${TOWNS_PATH}?cursor=start&count=false`)).status).toBe(200)
  })

  test('invented and altered cursors, and those of another dataset, are invalid', async () => {
    const cursor: string = (await pageOf('cursor=start&limit=1')).pagination.next_cursor
    const altered = cursor.slice(0, 40) + (cursor[40] === 'A' ? 'B' : 'A') + cursor.slice(41)
    for (const text of ['0', 'START', altered, `${cursor}x`]) {
      const { status, body } = await app.get(`${TOWNS_PATH}?cursor=${text}`)
      expect([status, body.error.code]).toEqual([422, 'invalid_cursor'])
    }
    await app.publish({ ...TOWNS, id: 'elsewhere' })
    const elsewhere = await app.get(`/v1/geospatial/elsewhere?cursor=${cursor}`)
    expect(elsewhere.body.error.code).toBe('invalid_cursor')
  })

  test('a new version ends a walk, a rollback lets it continue', async () => {
    const path = '/v1/economy/replaced?limit=2'
    await app.publish({ ...NUMBERS, id: 'replaced', table: numbers(0, 9) })
    const first = await app.get(`${path}&cursor=start`)
    const next = `${path}&cursor=${first.body.pagination.next_cursor}`
    expect((await app.get(next)).body.data[0].n).toBe(2)

    await app.publish({ ...NUMBERS, id: 'replaced', table: numbers(100, 109) })
    const stale = await app.get(next)
    expect([stale.status, stale.body.error.code]).toEqual([422, 'cursor_expired'])
    expect((await app.get(`${path}&cursor=start`)).body.data[0].n).toBe(100)

    await app.app.catalog.rollback('replaced')
    expect((await app.get(next)).body.data[0].n).toBe(2)
  })
})
