import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { very_large_rows: 11 } })
  await app.publish(TOWNS)
  await app.publish({ ...TOWNS, id: 'keyed', primaryKey: ['people'] })
  const rows = [...TOWNS.table.rows, ...TOWNS.table.rows]
  await app.publish({ ...TOWNS, id: 'large', table: { ...TOWNS.table, rows } })
})
afterAll(() => app.stop())

const people = async (query: string, path = TOWNS_PATH) => {
  const { body } = await app.get(`${path}?fields=people&${query}`)
  return body.data.map((row: { people: number | null }) => row.people)
}

describe('4.4 list parameters', () => {
  test.each([
    ['limit=1', 1],
    ['limit=1000', 10],
    ['limit=010', 10],
    ['', 10],
  ])('%p shows %p rows', async (query, count) => {
    expect((await app.get(`${TOWNS_PATH}?${query}`)).body.pagination.count).toBe(count)
  })

  test.each([
    ['sort=', 'invalid_sort', 'query.sort'],
    ['sort=year,', 'invalid_sort', 'query.sort'],
    ['sort=-', 'invalid_sort', 'query.sort'],
    ['sort=year,-year', 'invalid_sort', 'query.sort'],
    ['sort=yaer', 'unknown_column', 'query.sort'],
    ['sort=+year', 'unknown_column', 'query.sort'],
    ['sort=year&sort=town', 'duplicate_parameter', 'query.sort'],
    ['fields=', 'invalid_fields', 'query.fields'],
    ['fields=year,year', 'invalid_fields', 'query.fields'],
    ['fields=year,,town', 'invalid_fields', 'query.fields'],
    ['fields=Year', 'unknown_column', 'query.fields'],
    ['fields=year&fields=town', 'duplicate_parameter', 'query.fields'],
    ['limit=', 'invalid_limit', 'query.limit'],
    ['limit=0', 'invalid_limit', 'query.limit'],
    ['limit=1001', 'invalid_limit', 'query.limit'],
    ['limit=-1', 'invalid_limit', 'query.limit'],
    ['limit=1.0', 'invalid_limit', 'query.limit'],
    ['limit=1e2', 'invalid_limit', 'query.limit'],
    ['limit=+5', 'invalid_limit', 'query.limit'],
    ['limit=5&limit=5', 'duplicate_parameter', 'query.limit'],
    ['offset=', 'invalid_offset', 'query.offset'],
    ['offset=-1', 'invalid_offset', 'query.offset'],
    ['offset=9007199254740992', 'invalid_offset', 'query.offset'],
    ['offset=1&offset=1', 'duplicate_parameter', 'query.offset'],
    ['count=', 'invalid_value', 'query.count'],
    ['count=1', 'invalid_value', 'query.count'],
    ['count=true&count=true', 'duplicate_parameter', 'query.count'],
    ['cursor=', 'invalid_cursor', 'query.cursor'],
    ['format=csv', 'unknown_parameter', 'query.format'],
    ['bom=true', 'unknown_parameter', 'query.bom'],
    ['limt=5', 'unknown_column', 'query.limt'],
    ['Limit=5', 'unknown_column', 'query.Limit'],
    ['%FF=1', 'invalid_value', 'query'],
    ['county=%', 'invalid_value', 'query.county'],
    ['county=%ZZ', 'invalid_value', 'query.county'],
    ['county=%C8', 'invalid_value', 'query.county'],
  ])('%p is refused with %p at %p', async (query, code, location) => {
    const { status, body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect(status).toBe(422)
    expect(body.error.code).toBe(code)
    expect(body.error.detail[0].location).toBe(location)
    expect(body.error.detail[0].message).toBe(body.error.message)
    expect(body.data).toBeUndefined()
  })

  test('the refusal of a limit or offset names the range', async () => {
    const messageOf = async (query: string) => (await app.get(`${TOWNS_PATH}?${query}`)).body.error.message
    const tooLarge = '9007199254740992'
    expect(await messageOf(`offset=${tooLarge}`)).toEndWith(
      `must be an integer from 0 to 9007199254740991, not "${tooLarge}".`,
    )
    expect(await messageOf(`limit=${tooLarge}`)).toEndWith(
      `must be an integer from 1 to 1000, not "${tooLarge}".`,
    )
  })

  test('a misspelt parameter is refused and a similar name suggested', async () => {
    const { body } = await app.get(`${TOWNS_PATH}?limt=5`)
    expect(body.error.detail[0].suggestions).toContain('limit')
    expect(body.error.message).toContain('"limt"')
  })

  test('sorting puts nulls last in both directions and keeps file order among ties', async () => {
    expect(await people('sort=year,-people')).toEqual([
      39172,
      0,
      286598,
      43319,
      9136,
      271692,
      30766,
      64227,
      null,
      1716961,
    ])
    expect(await people('sort=-year')).toEqual([
      64227,
      null,
      271692,
      30766,
      286598,
      43319,
      9136,
      0,
      39172,
      1716961,
    ])
  })

  test('spellings of one text tie, and the next field decides', async () => {
    expect(await people('county=iași&sort=county,people')).toEqual([9136, 30766, 271692])
    expect(await people('county=iași&sort=-county,people')).toEqual([9136, 30766, 271692])
  })

  test('without sort rows are in the order of the primary key, or of the file if there is none', async () => {
    expect(await people('limit=3')).toEqual([286598, 43319, 271692])
    expect(await people('limit=3', '/v1/geospatial/keyed')).toEqual([0, 9136, 30766])
    expect((await people('', '/v1/geospatial/keyed')).at(-1)).toBeNull()
  })

  test('a very large dataset is counted only on request, filtered or not', async () => {
    const total = async (query: string) =>
      (await app.get(`/v1/geospatial/large?${query}`)).body.pagination.total
    expect(await total('')).toBeNull()
    expect(await total('year=2021')).toBeNull()
    expect(await total('count=true')).toBe(20)
    expect(await total('count=true&year=2021')).toBe(6)
    expect((await app.get(`${TOWNS_PATH}?count=false`)).body.pagination.total).toBeNull()
  })

  test.each([
    ['/v1/geospatial/nowhere', 'dataset_not_found'],
    ['/v1/economy/towns', 'dataset_not_found'],
    ['/v1/nowhere/towns', 'dataset_not_found'],
    ['/v1/geospatial/nowhere/export', 'dataset_not_found'],
    ['/v1/education/elevi_2015_2016', 'dataset_not_ingested'],
    ['/v1/education/elevi_2015_2016/export', 'dataset_not_ingested'],
    ['/v1/economy/elevi_2015_2016', 'dataset_not_found'],
    ['/v1/geospatial/nowhere?limit=0', 'dataset_not_found'],
  ])('%s is 404 %s', async (path, code) => {
    const { status, body } = await app.get(path)
    expect(status).toBe(404)
    expect(body.error.code).toBe(code)
  })
})
