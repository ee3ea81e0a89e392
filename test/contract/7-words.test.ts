import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
})
afterAll(() => app.stop())

interface TownRow {
  readonly town: string
}

async function townsOf(query: string): Promise<string[]> {
  const { status, body } = await app.get(`${TOWNS_PATH}?fields=town&${query}`)
  expect(status).toBe(200)
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map(({ town }: TownRow) => town.split(' ')[0])
}

describe('q on lists', () => {
  test.each([
    ['q=iasi', ['Iași', 'Pașcani', 'Hârlău']],
    ['q=IA%C5%9EI', ['Iași', 'Pașcani', 'Hârlău']],
    ['q=napoca', ['Cluj-Napoca']],
    ['q=nap', ['Cluj-Napoca']],
    ['q=poca', []],
    ['q=cetatea+alba', ['Alba']],
    ['q=alba', ['Alba', '']],
    ['q=iasi+pascani', ['Pașcani']],
    ['q=iasi+cluj', []],
    ['q=iasi&year=2022', ['Iași', 'Pașcani']],
    ['q=2021', []],
    ['q=%3F%21+-', []],
    ['q=cluj-napoca', ['Cluj-Napoca']],
  ])('%s', async (query, towns) => {
    expect(await townsOf(query)).toEqual(towns)
  })

  test('pages, links and tags depend on the words, so one list is never answered with another', async () => {
    const first = await app.get(`${TOWNS_PATH}?q=iasi&limit=2`)
    expect(first.body.pagination).toMatchObject({ total: 3, count: 2, has_next: true })
    const next = await app.get(first.body.links.next.replace(app.url, ''))
    expect(next.body.data.map(({ town }: TownRow) => town)).toEqual(['Hârlău'])
    const other = await app.get(`${TOWNS_PATH}?q=cluj&limit=2`)
    expect(other.headers.get('etag')).not.toBe(first.headers.get('etag'))
    expect(other.body.pagination.total).toBe(2)
    const again = await app.get(`${TOWNS_PATH}?q=iasi&limit=2`, {
      headers: { 'If-None-Match': first.headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })

  test('a walk by cursor keeps its words', async () => {
    const start = await app.get(`${TOWNS_PATH}?q=iasi&limit=2&cursor=start`)
    const cursor = start.body.pagination.next_cursor
    const rest = await app.get(`${TOWNS_PATH}?q=IA%C8%98I&limit=2&cursor=${cursor}`)
    expect(rest.body.data.map(({ town }: TownRow) => town)).toEqual(['Hârlău'])
    const refused = await app.get(`${TOWNS_PATH}?q=cluj&limit=2&cursor=${cursor}`)
    expect(refused.status).toBe(422)
    expect(refused.body.error.code).toBe('invalid_cursor')
  })
})

test('q finds the same rows in exports and at the addresses without a key', async () => {
  const file = await app.get(`${TOWNS_PATH}/export?q=iasi&fields=town&format=csv`)
  expect(file.text).toBe('town\r\nIași\r\nPașcani\r\nHârlău\r\n')
  const rows = await app.get('/datasets/towns/rows?q=iasi&fields=town', { key: null })
  expect(rows.body.data.map(({ town }: TownRow) => town)).toEqual(['Iași', 'Pașcani', 'Hârlău'])
  const download = await app.get('/datasets/towns/download?q=iasi&fields=town', { key: null })
  expect(download.text).toBe(file.text)
})

test.each([
  ['q=', 'invalid_value'],
  ['q=+', 'invalid_value'],
  ['q=a&q=b', 'duplicate_parameter'],
])('%s is refused by name', async (query, code) => {
  for (const path of [TOWNS_PATH, `${TOWNS_PATH}/export`]) {
    const { status, body } = await app.get(`${path}?${query}`)
    expect(status).toBe(422)
    expect(body.error.code).toBe(code)
    expect(body.error.detail[0].location).toBe('query.q')
  }
})

test.each(['query', 'search', 'text', 'fulltext'])('%s suggests q', async (name) => {
  const { status, body } = await app.get(`${TOWNS_PATH}?${name}=cluj`)
  expect(status).toBe(422)
  expect(body.error.detail[0].suggestions[0]).toBe('q')
})

describe('hints of a list without rows', () => {
  async function hintsOf(query: string) {
    const { status, body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect([status, body.data]).toEqual([200, []])
    return body.meta.hints
  }

  test.each([
    ['county=iasi', [{ parameter: 'county', value: 'IAȘI', rows: 3 }]],
    ['county[eq]=iasi', [{ parameter: 'county[eq]', value: 'IAȘI', rows: 3 }]],
    ['county=iasi&year=2022', [{ parameter: 'county', value: 'IAȘI', rows: 2 }]],
    ['county=iasi&count=false', [{ parameter: 'county', value: 'IAȘI', rows: 3 }]],
    ['county=iasi&cursor=start', [{ parameter: 'county', value: 'IAȘI', rows: 3 }]],
    ['county=Clju', [{ parameter: 'county', value: 'Cluj', rows: 2 }]],
    ['county[contains]=asi', [{ parameter: 'county[contains]', value: 'AȘI', rows: 3 }]],
    ['county[contains]=clju', [{ parameter: 'county[contains]', value: 'Cluj', rows: 2 }]],
    ['county[starts_with]=ias', [{ parameter: 'county[starts_with]', value: 'IAȘ', rows: 3 }]],
    ['county[starts_with]=iaso', [{ parameter: 'county[starts_with]', value: 'IAȘI', rows: 3 }]],
    ['county[in]=xyz,Albaa', [{ parameter: 'county[in]', value: 'xyz,Alba', rows: 2 }]],
    ['town=Alba+Iulia,+"Cetate"', [{ parameter: 'town', value: 'Alba Iulia, "Cetatea"', rows: 1 }]],
    [
      'town[in]="Alba Iulia, ""Cetate"""',
      [{ parameter: 'town[in]', value: '"Alba Iulia, ""Cetatea"""', rows: 1 }],
    ],
    ['year=1800', [{ parameter: 'year', value: '2020', rows: 2 }]],
    ['q=bucurseti', [{ parameter: 'q', value: 'București', rows: 1 }]],
    ['q=turdaa+cluj', [{ parameter: 'q', value: 'Turda cluj', rows: 1 }]],
    [
      'county=Clju&q=trda',
      [
        { parameter: 'county', value: 'Cluj', rows: 1 },
        { parameter: 'q', value: 'Turda', rows: 1 },
      ],
    ],
  ])('%s', async (query, hints) => {
    expect(await hintsOf(query)).toEqual(hints)
  })

  test.each([
    'county=xxxxxxxx',
    'county=iasi&year=1800',
    'county=Cluj&year=2023',
    'q=%3F',
    'county[ne]=Cluj&county=Cluj',
  ])('there are none if no similar value finds a row: %s', async (query) => {
    expect(await hintsOf(query)).toBeUndefined()
  })

  test('there are none on a page past the last row, or on a list with rows', async () => {
    expect(await hintsOf('county=Cluj&offset=5')).toBeUndefined()
    expect((await app.get(`${TOWNS_PATH}?county=Cluj`)).body.meta.hints).toBeUndefined()
  })

  test('a query that follows a hint finds as many rows as the hint says', async () => {
    const query = new URLSearchParams('county=iasi&year=2022&q=pascany')
    const hints = await hintsOf(query.toString())
    expect(hints.length).toBe(2)
    for (const { parameter, value } of hints) query.set(parameter, value)
    const { body } = await app.get(`${TOWNS_PATH}?${query}`)
    expect(body.pagination.total).toBe(hints[0].rows)
  })

  test('aggregates and facets have the same hints', async () => {
    const wanted = [{ parameter: 'county', value: 'IAȘI', rows: 2 }]
    for (const path of [
      'aggregate',
      'aggregate?group_by=year',
      'facets?columns=year',
      'facets?columns=county',
    ]) {
      const separator = path.includes('?') ? '&' : '?'
      const { body } = await app.get(`${TOWNS_PATH}/${path}${separator}county=iasi&year[gte]=2022`)
      expect([path, body.meta.hints]).toEqual([path, wanted])
    }
    const found = await app.get(`${TOWNS_PATH}/facets?columns=county&county=Cluj`)
    expect(found.body.meta.hints).toBeUndefined()
  })
})
