import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: () => new Date('2025-03-04T05:06:07Z') })
  await app.ingestCsv('Județ,Elevi\nAlba,10\nIași,\nCluj,30\n', {
    id: 'pupils',
    domain: 'education',
    title: 'Elevi înscriși în învățământ',
    definition: {
      ...{ description: 'Pupils by county', publisher: 'Ministerul Educației', license: 'OGL-ROU-1.0' },
      ...{ keywords: ['școli'], source_url: 'https://data.gov.ro/x', source_package_id: 'pkg-1' },
      ...{ primary_key: ['judet'] },
    },
  })
  await app.ingestCsv('a,b\n1,2\n', { id: 'roads', domain: 'transport', title: 'Drumuri și elevi' })
  await app.ingestCsv('a,b\n1,2\n', { id: 'trains', domain: 'transport', title: 'Trenuri' })
})
afterAll(() => app.stop())

const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('4.3 dataset list', () => {
  test('is the offset envelope of catalog entries, by domain and id', async () => {
    const { status, body } = await app.get('/v1/datasets?limit=1')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: 'pupils',
          domain: 'education',
          title: 'Elevi înscriși în învățământ',
          description: 'Pupils by county',
          row_count: 3,
          last_updated: '2025-03-04T05:06:07Z',
          endpoint: '/v1/education/pupils',
        },
      ],
      pagination: { total: 3, count: 1, limit: 1, offset: 0, has_next: true, next_offset: 1 },
      meta: { api_version: 'v1', generated_at: '2025-03-04T05:06:07Z' },
      links: {
        self: '/v1/datasets',
        next: `${app.url}/v1/datasets?limit=1&offset=1`,
        prev: null,
        first: `${app.url}/v1/datasets?limit=1&offset=0`,
        last: `${app.url}/v1/datasets?limit=1&offset=2`,
        documentation: `${app.url}/docs`,
      },
    })
  })

  test('domain filters the list; an unknown domain gives an empty one', async () => {
    expect(ids(await app.get('/v1/datasets?domain=transport'))).toEqual(['roads', 'trains'])
    expect((await app.get('/v1/datasets?domain=nowhere')).body.pagination.total).toBe(0)
  })

  test('updated_since keeps datasets published at that time or later, in lists and searches', async () => {
    const listed = async (since: string) => ids(await app.get(`/v1/datasets?updated_since=${since}`))
    const all = ['pupils', 'roads', 'trains']
    for (const since of ['2025-03-04', '2025-03-04T05:06:07Z', '2025-03-04T05:06:07.9Z']) {
      expect([since, await listed(since)]).toEqual([since, all])
    }
    for (const since of ['2025-03-05', '2025-03-04T05:06:08Z'])
      expect([since, await listed(since)]).toEqual([since, []])
    expect(ids(await app.get('/v1/search?q=elevi&updated_since=2025-03-04')).sort()).toEqual([
      'pupils',
      'roads',
    ])
    const none = await app.get('/v1/search?q=elevi&updated_since=2025-03-05')
    expect([none.body.pagination.total, ids(none)]).toEqual([0, []])
    expect(
      (await app.get('/v1/datasets?updated_since=2025-03-04&domain=transport')).body.pagination.total,
    ).toBe(2)
  })

  test('format=csv is the whole catalog as a file, with the fields of the list', async () => {
    const { status, headers, text } = await app.get('/v1/datasets?format=csv&domain=education')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="catalog.csv"')
    expect(text).toBe(
      'id,domain,title,description,row_count,last_updated,endpoint\r\n' +
        'pupils,education,Elevi înscriși în învățământ,Pupils by county,3,2025-03-04T05:06:07Z,/v1/education/pupils\r\n',
    )
    const whole = await app.get('/v1/datasets?format=csv')
    expect(whole.text.split('\r\n')).toHaveLength(5)
    const known = { 'If-None-Match': whole.headers.get('etag')! }
    expect((await app.get('/v1/datasets?format=csv', { headers: known })).status).toBe(304)
    expect((await app.get('/v1/datasets', { headers: known })).status).toBe(200)
    expect((await app.get('/v1/datasets?format=json')).body.data).toHaveLength(3)
  })

  test('every entry leads to its dataset', async () => {
    for (const { endpoint } of (await app.get('/v1/datasets')).body.data) {
      expect((await app.get(endpoint)).status).toBe(200)
    }
  })

  test.each([
    ['/v1/datasets?limit=0', 'invalid_limit'],
    ['/v1/datasets?limit=1001', 'invalid_limit'],
    ['/v1/datasets?offset=-1', 'invalid_offset'],
    ['/v1/datasets?domain=', 'invalid_value'],
    ['/v1/datasets?updated_since=yesterday', 'invalid_value'],
    ['/v1/datasets?format=xml', 'invalid_format'],
    ['/v1/datasets?format=csv&limit=5&offset=5', 'unknown_parameter'],
    ['/v1/datasets?domain=a&domain=b', 'duplicate_parameter'],
    ['/v1/datasets?limit=1&limit=1', 'duplicate_parameter'],
    ['/v1/datasets?sort=id', 'unknown_parameter'],
    ['/v1/datasets?domian=a', 'unknown_parameter'],
    ['/v1/datasets?domain=%ZZ', 'invalid_value'],
    ['/v1/search', 'invalid_value'],
    ['/v1/search?q=', 'invalid_value'],
    ['/v1/search?q=a&q=b', 'duplicate_parameter'],
    ['/v1/search?q=a&limit=0', 'invalid_limit'],
    ['/v1/search?q=a&domain=b', 'unknown_parameter'],
    ['/v1/datasets/pupils?fields=id', 'unknown_parameter'],
    ['/v1/datasets/pupils/quality?x=1', 'unknown_parameter'],
  ])('%s is refused with %s', async (path, code) => {
    const { status, body } = await app.get(path)
    expect([status, body.error.code]).toEqual([422, code])
    expect(body.error.detail[0].location).toStartWith('query.')
  })
})

describe('4.3 search', () => {
  test('ignores case and diacritics, takes the last word as a prefix, and ranks titles first', async () => {
    expect(ids(await app.get('/v1/search?q=INVATAM'))).toEqual(['pupils'])
    expect(ids(await app.get('/v1/search?q=elevi'))).toContain('roads')
    expect(ids(await app.get('/v1/search?q=drumuri+ele'))).toEqual(['roads'])
    expect(ids(await app.get('/v1/search?q=elevi+trenuri'))).toEqual([])
    expect((await app.get('/v1/search?q=elevi&limit=1')).body.pagination).toMatchObject({
      total: 2,
      has_next: true,
    })
  })

  test.each([
    '%21%21',
    '"',
    "'",
    'a"b',
    'NEAR(',
    '*',
    '-',
    'a AND',
    'title:x',
    '%00',
    '😀',
    '^a',
    'x'.repeat(5000),
  ])('hostile text %p is answered', async (text) => {
    const { status, body } = await app.get(`/v1/search?q=${text}`)
    expect(status).toBe(200)
    expect(body.data).toBeArray()
  })
})

describe('4.3 descriptor and quality', () => {
  test('the descriptor has columns, counts, a sample row and provenance', async () => {
    const { status, body } = await app.get('/v1/datasets/pupils')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: 'pupils',
      publisher: 'Ministerul Educației',
      license: 'OGL-ROU-1.0',
      keywords: ['școli'],
      endpoint: '/v1/education/pupils',
      export_endpoint: '/v1/education/pupils/export',
      aggregate_endpoint: '/v1/education/pupils/aggregate',
      facets_endpoint: '/v1/education/pupils/facets',
      row_count: 3,
      primary_key: ['judet'],
      provenance: {
        ingestion_version: 1,
        rows_imported: 3,
        rows_quarantined: 0,
        source_file: 'pupils.csv',
        source_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        source_url: 'https://data.gov.ro/x',
        source_package_id: 'pkg-1',
        imported_at: '2025-03-04T05:06:07Z',
      },
    })
    expect(body.columns.map((column: { name: string; type: string }) => [column.name, column.type])).toEqual([
      ['judet', 'string'],
      ['elevi', 'integer'],
    ])
    expect(body.columns[1]).toMatchObject({
      source_name: 'Elevi',
      null_count: 1,
      distinct_count: 2,
      min: 10,
      max: 30,
    })
    expect(Object.keys(body.sample_row)).toEqual(['judet', 'elevi'])
    for (const address of [body.export_endpoint, body.aggregate_endpoint, body.facets_endpoint])
      expect([address, (await app.get(address)).status]).toEqual([address, 200])
  })

  test('the quality report is that of the served version', async () => {
    const { body } = await app.get('/v1/datasets/pupils/quality')
    expect(body).toMatchObject({
      dataset: 'pupils',
      ingestion_version: 1,
      measured: true,
      rows: { read: 3, imported: 3, quarantined: 0 },
      mended: { surplus_blanks: 0, joined: 0, left_off: 0 },
      unproven: [],
    })
    expect(body.completeness[1]).toMatchObject({ column: 'elevi', filled: 2, missing: 1 })
  })

  test.each([
    '/v1/datasets/nope',
    '/v1/datasets/nope/quality',
    '/v1/datasets/elevi_2015_2016',
    '/v1/datasets/%20',
  ])('%s is 404', async (path) => {
    const { status, body } = await app.get(path)
    expect([status, body.error.code]).toEqual([404, 'dataset_not_found'])
    expect(body.error.message).toContain('/v1/datasets lists')
  })

  test('a removed dataset is gone everywhere', async () => {
    app.app.dataDir.discard(await app.app.catalog.remove('trains'))
    expect(ids(await app.get('/v1/datasets?domain=transport'))).toEqual(['roads'])
    expect((await app.get('/v1/search?q=trenuri')).body.data).toEqual([])
    for (const path of ['/v1/transport/trains', '/v1/datasets/trains', '/openapi/transport/trains.json']) {
      expect((await app.get(path)).body.error.code).toBe('dataset_not_found')
    }
  })
})

test('a misspelt dataset is refused and the full name of a similar one suggested', async () => {
  const [entry] = (await app.get('/v1/datasets?limit=1')).body.data
  const misspelt = entry.id.slice(0, -1)
  for (const path of [
    `/v1/datasets/${misspelt}`,
    `/v1/${entry.domain}/${misspelt}`,
    `/v1/nowhere/${entry.id}`,
  ]) {
    const { status, body } = await app.get(path)
    expect([status, body.error.code]).toEqual([404, 'dataset_not_found'])
    expect(body.error.detail[0].suggestions).toContain(`${entry.domain}/${entry.id}`)
    expect(body.error.message).toContain(`Did you mean`)
  }
})

test('parameters of other interfaces are refused and ours suggested', async () => {
  const suggested = async (path: string) => (await app.get(path)).body.error.detail[0].suggestions
  expect(await suggested('/v1/datasets?page=2')).toEqual(['limit', 'offset'])
  expect(await suggested('/v1/datasets?per_page=5')).toEqual(['limit'])
  expect(await suggested('/v1/search?q=a&rows=5')).toEqual(['limit'])
  expect(await suggested('/v1/search?query=a')).toEqual(['q'])
  const { body } = await app.get('/v1/datasets?colour=red')
  expect(body.error.message).toContain('domain, updated_since, format, limit, offset')
})
