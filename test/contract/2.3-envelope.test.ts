import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: () => new Date('2025-03-04T05:06:07.890Z') })
  await app.publish(TOWNS)
  await app.publish({ ...TOWNS, id: 'sourceless', source_url: null })
})
afterAll(() => app.stop())

describe('2.3 list envelope', () => {
  test('the offset form has exactly the members of the specification', async () => {
    const { status, headers, body } = await app.get(`${TOWNS_PATH}?limit=2&offset=2&fields=county,people`)
    const at = (offset: number) => `${app.url}${TOWNS_PATH}?limit=2&offset=${offset}&fields=county,people`
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      data: [
        { county: 'Iași', people: 271692 },
        { county: 'IAȘI', people: 30766 },
      ],
      pagination: { total: 10, count: 2, limit: 2, offset: 2, has_next: true, next_offset: 4 },
      meta: {
        api_version: 'v1',
        dataset: 'towns',
        domain: 'geospatial',
        source: 'https://data.example.org/orașe',
        last_updated: '2025-01-31T08:00:00Z',
        generated_at: '2025-03-04T05:06:07Z',
      },
      links: {
        self: TOWNS_PATH,
        next: at(4),
        prev: at(0),
        first: at(0),
        last: at(8),
        documentation: `${app.url}/docs`,
      },
    })
  })

  test('the cursor form has only the members that make sense for a walk', async () => {
    const { body } = await app.get(`${TOWNS_PATH}?cursor=start&limit=3`)
    expect(Object.keys(body)).toEqual(['data', 'pagination', 'meta', 'links'])
    expect(body.pagination).toEqual({
      count: 3,
      limit: 3,
      has_next: true,
      next_cursor: expect.stringMatching(/^[\w-]+$/),
    })
    expect(body.links).toEqual({
      self: TOWNS_PATH,
      next: `${app.url}${TOWNS_PATH}?cursor=${body.pagination.next_cursor}&limit=3`,
      first: `${app.url}${TOWNS_PATH}?cursor=start&limit=3`,
      documentation: `${app.url}/docs`,
    })
  })

  test('a dataset whose source is not known has no meta.source', async () => {
    const { body } = await app.get('/v1/geospatial/sourceless?limit=1')
    expect(Object.keys(body.meta)).toEqual([
      'api_version',
      'dataset',
      'domain',
      'last_updated',
      'generated_at',
    ])
  })

  test('rows show every type as JSON has it, in the order of the columns', async () => {
    const { text } = await app.get(`${TOWNS_PATH}?town=pașcani`)
    expect(text).toStartWith(
      '{"data":[{"county":"IAȘI","town":"Pașcani","year":2022,"people":30766,"area":75.42,"seat":false,' +
        '"counted_on":"2022-06-15","entered_at":null,"count":2}],"pagination":',
    )
  })

  test('generated_at follows the clock even for a cached page', async () => {
    let now = new Date('2025-01-01T00:00:00Z')
    const ticking = await startTestApp({ now: () => now })
    try {
      await ticking.publish(TOWNS)
      const times: string[] = []
      for (let second = 0; second < 5; second++) {
        now = new Date(Date.UTC(2025, 0, 1, 0, 0, second, 999))
        for (const encoding of ['identity', 'zstd']) {
          const { body } = await ticking.get(TOWNS_PATH, { headers: { 'accept-encoding': encoding } })
          times.push(body.meta.generated_at)
        }
      }
      expect(times).toEqual([0, 0, 1, 1, 2, 2, 3, 3, 4, 4].map((second) => `2025-01-01T00:00:0${second}Z`))
    } finally {
      await ticking.stop()
    }
  })

  test('addresses start with base_url where it is set', async () => {
    const behind = await startTestApp({ flags: { base_url: 'https://data.example.org/open' } })
    try {
      await behind.publish(TOWNS)
      const { body, headers } = await behind.get(`${TOWNS_PATH}?limit=9`)
      expect(body.links.next).toBe(`https://data.example.org/open${TOWNS_PATH}?limit=9&offset=9`)
      expect(body.links.self).toBe(TOWNS_PATH)
      expect(headers.get('link')).not.toContain('127.0.0.1')
    } finally {
      await behind.stop()
    }
  })
})
