/** The most frequent values of columns: contract 7. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Filter } from '../../src/engine/row-query.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { facetPlainly, othersOf } from '../support/facet-oracle.ts'
import { runs } from '../support/property-runs.ts'
import { fieldsFor, filtersFor, type PlainTable, tables } from '../support/random-table.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'
import { filterParameters } from '../support/written-query.ts'

const FACETS = `${TOWNS_PATH}/facets`
const OPEN = '/datasets/towns/facets'

/** Columns with 1, 2, 1,000 and 1,001 distinct values, and 19 more with two. */
const WIDE = {
  id: 'wide',
  domain: 'economy',
  table: {
    columns: [
      ...['one', 'two', 'thousand', 'more', ...Array.from({ length: 19 }, (_, n) => `pair_${n}`)].map(
        (name) => ({
          ...{ name, type: 'integer' as const },
        }),
      ),
    ],
    rows: Array.from({ length: 1001 }, (_, n) => [
      1,
      n % 2,
      n % 1000,
      n,
      ...Array.from({ length: 19 }, () => n % 2),
    ]),
  },
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
  await app.publish(WIDE)
})
afterAll(() => app.stop())

interface Facet {
  readonly column: string
  readonly distinct: number
  readonly nulls: number
  readonly other: number
  readonly values: readonly { readonly value: unknown; readonly count: number }[]
}

async function facetsOf(query: string, path = FACETS): Promise<Facet[]> {
  const { status, body } = await app.get(`${path}?${query}`)
  expect([query, status, body.error]).toEqual([query, 200, undefined])
  return body.data
}

describe('7 facets', () => {
  test('are the values of each column with their counts, most frequent first, ties by value', async () => {
    expect(await facetsOf('columns=county,year')).toEqual([
      {
        ...{ column: 'county', distinct: 5, nulls: 1, other: 0 },
        values: [
          { value: 'IAȘI', count: 3 },
          { value: 'Alba', count: 2 },
          { value: 'Cluj', count: 2 },
          { value: 'Bacău', count: 1 },
          { value: 'București', count: 1 },
        ],
      },
      {
        ...{ column: 'year', distinct: 4, nulls: 1, other: 0 },
        values: [
          { value: 2021, count: 3 },
          { value: 2020, count: 2 },
          { value: 2022, count: 2 },
          { value: 2023, count: 2 },
        ],
      },
    ])
  })

  test('have values of the type of their column', async () => {
    const facets = await facetsOf('columns=seat,area,counted_on,entered_at&town=Turda')
    expect(facets.map(({ values }) => values[0]!.value)).toEqual([
      false,
      91.43,
      '2021-12-01',
      '2021-12-01T08:00:00.5Z',
    ])
  })

  test('limit is the number of values for each column; other counts the rows with values not shown', async () => {
    const [facet] = await facetsOf('columns=county&limit=2')
    expect(facet).toEqual({
      ...{ column: 'county', distinct: 5, nulls: 1, other: 4 },
      values: [
        { value: 'IAȘI', count: 3 },
        { value: 'Alba', count: 2 },
      ],
    })
    const [ten] = await facetsOf('columns=thousand', '/v1/economy/wide/facets')
    expect([ten!.values.length, ten!.distinct, ten!.other]).toEqual([10, 1000, 990])
    expect(ten!.values[0]).toEqual({ value: 0, count: 2 })
  })

  test('filters on a column do not narrow its own facet, those on other columns do', async () => {
    const [county, year] = await facetsOf('columns=county,year&county=Cluj&county[ne]=Alba&year=2021')
    expect(county!.values).toEqual([
      { value: 'Cluj', count: 2 },
      { value: 'IAȘI', count: 1 },
    ])
    expect(year!.values).toEqual([{ value: 2021, count: 2 }])
  })

  test('without names are those of the first twenty columns with 2 to 1,000 distinct values', async () => {
    const columns = (await facetsOf('', '/v1/economy/wide/facets')).map(({ column }) => column)
    expect(columns).toEqual(['two', 'thousand', ...Array.from({ length: 18 }, (_, n) => `pair_${n}`)])
  })

  test('without rows are empty', async () => {
    expect(await facetsOf('columns=county&town=nowhere')).toEqual([
      { column: 'county', distinct: 0, nulls: 0, other: 0, values: [] },
    ])
  })

  test('come with meta and links, without pages', async () => {
    const { body, headers } = await app.get(`${FACETS}?columns=county`)
    expect(Object.keys(body)).toEqual(['data', 'meta', 'links'])
    expect(body.meta).toMatchObject({ api_version: 'v1', dataset: 'towns', domain: 'geospatial' })
    expect(body.links).toEqual({ self: FACETS, documentation: `${app.url}/docs` })
    expect(headers.get('link')).toBeNull()
  })

  test.each([
    ['columns=contry', 'unknown_column', 'query.columns'],
    ['columns=', 'invalid_value', 'query.columns'],
    ['columns=county,county', 'invalid_value', 'query.columns'],
    ['limit=0', 'invalid_limit', 'query.limit'],
    ['limit=101', 'invalid_limit', 'query.limit'],
    ['format=csv', 'unknown_parameter', 'query.format'],
    ['sort=county', 'unknown_parameter', 'query.sort'],
    ['yaer=2021', 'unknown_column', 'query.yaer'],
    ['year[above]=2021', 'unknown_operator', 'query.year[above]'],
  ])('%s is %s', async (query, code, location) => {
    for (const path of [FACETS, OPEN]) {
      const { status, body } = await app.get(`${path}?${query}`)
      expect([status, body.error.code, body.error.detail[0].location]).toEqual([422, code, location])
    }
  })

  test('count is refused', async () => {
    const { status, body } = await app.get('/v1/economy/wide/facets?count=true')
    expect([status, body.error.code]).toEqual([422, 'unknown_parameter'])
  })

  test('a key is needed below /v1, but not at the open address', async () => {
    expect((await app.get(FACETS, { key: null })).status).toBe(401)
    expect((await app.get(`${OPEN}?columns=county`, { key: null })).body.data).toEqual(
      await facetsOf('columns=county'),
    )
    expect((await app.get('/v1/economy/towns/facets')).body.error.code).toBe('dataset_not_found')
  })

  test.each([FACETS, OPEN])('%s has a tag that answers 304, and HEAD', async (path) => {
    const first = await app.get(`${path}?columns=year`)
    const headers = { 'if-none-match': first.headers.get('etag')! }
    expect((await app.get(`${path}?columns=year`, { headers })).status).toBe(304)
    expect((await app.get(`${path}?columns=county`, { headers })).status).toBe(200)
    const head = await app.get(`${path}?columns=year`, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', first.headers.get('etag')])
  })
})

const TABLES = runs(20)
let published = 0

/** A facet as in JSON. */
function shownFacet(table: PlainTable, filters: readonly Filter[], column: number, limit: number): Facet {
  const { name, type } = table.columns[column]!
  const facet = facetPlainly(table, filters, column, limit)
  const isBare = ['integer', 'decimal', 'boolean'].includes(type)
  const values = facet.values.map(({ value, count }) => ({
    value: isBare ? JSON.parse(value) : value,
    count,
  }))
  return { ...facet, column: name, values }
}

test('random facets match the oracle, and add up to the total of the list', async () => {
  const cases = tables().chain((table) =>
    fc.tuple(
      fc.constant(table),
      fc.array(fc.tuple(filtersFor(table), fieldsFor(table), fc.integer({ min: 1, max: 12 })), {
        minLength: 5,
        maxLength: 5,
      }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ([table, queries]) => {
      const id = `random_${published++}`
      await app.publish({ id, domain: 'random', table })
      const parametersOf = (filters: readonly Filter[]) =>
        new URLSearchParams(filterParameters(table.columns, filters))
      for (const [filters, fields, limit] of queries) {
        const columns = fields.map((column) => table.columns[column]!.name).join()
        const query = `${parametersOf(filters)}&columns=${columns}&limit=${limit}`
        const facets = await facetsOf(query, `/v1/random/${id}/facets`)
        expect(facets).toEqual(fields.map((column) => shownFacet(table, filters, column, limit)))
        const [first] = facets
        const list = await app.get(`/v1/random/${id}?limit=1&${parametersOf(othersOf(filters, fields[0]!))}`)
        const shown = first!.values.reduce((sum, { count }) => sum + count, 0)
        expect(shown + first!.nulls + first!.other).toBe(list.body.pagination.total)
      }
    }),
    { numRuns: TABLES, endOnFailure: true },
  )
}, 60_000)
