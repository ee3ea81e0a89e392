import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mintKey, OPERATOR } from '../../src/accounts/keys/keys.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = startTestApp({ now: () => new Date('2026-03-04T05:06:07Z') })
  await app.ingestCsv('Județ,Elevi,Medie\nAlba,10,9.5\nIași,,8.25\nCluj,30,\nCluj,5,7\n', {
    id: 'pupils',
    domain: 'education',
    title: 'Elevi pe județe',
    definition: {
      ...{ description: 'Pupils by county', publisher: 'Ministerul Educației', license: 'CC-BY-4.0' },
      ...{ keywords: ['școli', 'elevi'], source_url: 'https://data.gov.ro/x' },
    },
  })
  const rows = Array.from({ length: 33_000 }, (_, n) => `${n},text ${n}`)
  await app.ingestCsv(`n,words\n${rows.join('\n')}\n`, { id: 'long', domain: 'economy', title: 'Many rows' })
})
afterAll(() => app.stop())

const call = (action: string, query = '', key: string | null = null) =>
  app.get(`/api/3/action/${action}${query && `?${query}`}`, { key })
const resultOf = async (action: string, query = '') => {
  const { status, body } = await call(action, query)
  expect([action, query, status, body.success]).toEqual([action, query, 200, true])
  expect(body.help).toBe(`${app.url}/api/3/action/help_show?name=${action}`)
  return body.result
}
const errorOf = async (action: string, query = '', key: string | null = null) => {
  const { status, body } = await call(action, query, key)
  expect(body.success).toBe(false)
  return [status, body.error.__type, body.error]
}
const encoded = (value: object) => encodeURIComponent(JSON.stringify(value))

describe('9 CKAN: metadata', () => {
  test('a dataset is a package with a datastore resource and its files, a domain a group, a publisher an organization', async () => {
    const shown = await resultOf('package_show', 'id=pupils')
    expect(shown).toMatchObject({
      ...{
        id: 'pupils',
        name: 'pupils',
        title: 'Elevi pe județe',
        notes: 'Pupils by county',
        type: 'dataset',
      },
      ...{
        metadata_modified: '2026-03-04T05:06:07.000000',
        license_id: 'CC-BY-4.0',
        url: 'https://data.gov.ro/x',
      },
      organization: { name: 'ministerul-educatiei', title: 'Ministerul Educației' },
      groups: [{ name: 'education' }],
    })
    expect(shown.tags.map(({ name }: { name: string }) => name)).toEqual(['școli', 'elevi'])
    const [rows, ...files] = shown.resources
    expect(rows).toMatchObject({
      id: 'pupils',
      datastore_active: true,
      url: `${app.url}/datastore/dump/pupils`,
    })
    expect(files.length).toBeGreaterThan(1)
    for (const { id, url, datastore_active } of [rows, ...files]) {
      expect((await fetch(url)).status).toBe(200)
      expect(await resultOf('resource_show', `id=${id}`)).toMatchObject({
        id,
        package_id: 'pupils',
        datastore_active,
      })
    }
    expect(await resultOf('organization_list')).toEqual(['ministerul-educatiei'])
    expect(await resultOf('organization_show', 'id=ministerul-educatiei')).toMatchObject({ package_count: 1 })
    expect(await resultOf('group_list', 'all_fields=true')).toMatchObject([
      { name: 'economy' },
      { name: 'education' },
    ])
    expect((await resultOf('group_show', 'id=economy')).packages[0].name).toBe('long')
    expect(await resultOf('tag_list', 'query=elev')).toEqual(['elevi'])
    expect((await resultOf('license_list')).map(({ id }: { id: string }) => id)).toContain('CC-BY-4.0')
    expect((await resultOf('status_show')).extensions).toEqual(['datastore'])
    expect(await resultOf('package_list', 'limit=1&offset=1')).toEqual(['pupils'])
    expect(await resultOf('current_package_list_with_resources', 'limit=5')).toHaveLength(2)
  })

  const names = async (query: string) =>
    (await resultOf('package_search', query)).results.map(({ name }: { name: string }) => name)

  test('package_search finds words, filters, sorts and pages', async () => {
    expect(await names('q=scoli')).toEqual(['pupils'])
    expect((await names('')).sort()).toEqual(['long', 'pupils'])
    expect(await names('q=*:*&sort=name+desc')).toEqual(['pupils', 'long'])
    expect(await names('sort=name+asc&rows=1&start=1')).toEqual(['pupils'])
    expect((await resultOf('package_search', 'rows=0')).count).toBe(2)
  })

  test.each([
    ['groups:education', ['pupils']],
    ['-groups:education', ['long']],
    ['groups:(education OR economy)', ['long', 'pupils']],
    ['tags:"școli" AND organization:ministerul-educatiei', ['pupils']],
    ['+name:pup* +state:active', ['pupils']],
    ['name:long OR tags:elevi', ['long', 'pupils']],
    ['NOT (name:long OR tags:elevi)', []],
    ['metadata_modified:[2026-01-01T00:00:00Z TO *]', ['long', 'pupils']],
    ['metadata_modified:[2026-03-04T05:06:08 TO *]', []],
    ['res_format:CSV', ['long', 'pupils']],
    ['organization:*', ['pupils']],
  ])('fq=%s', async (fq, expected) => {
    expect(await names(`sort=name+asc&fq=${encodeURIComponent(fq)}`)).toEqual(expected)
  })

  test.each([
    'colour:red',
    'groups:(a',
    'metadata_modified:[x TO *]',
    'word',
    'AND',
    `${'('.repeat(50)}name:a`,
  ])('fq=%s is a Validation Error that names it', async (fq) => {
    const [status, type, error] = await errorOf('package_search', `fq=${encodeURIComponent(fq)}`)
    expect([status, type, typeof error.fq[0]]).toEqual([409, 'Validation Error', 'string'])
  })
})

describe('9 CKAN: datastore', () => {
  test('rows have the values of lists, by every form of a call', async () => {
    const listed = (await app.get('/v1/education/pupils')).body.data
    const query = 'resource_id=pupils'
    const found = await resultOf('datastore_search', query)
    expect(found.records).toEqual(listed)
    expect(found).toMatchObject({ total: 4, limit: 100, resource_id: 'pupils', records_format: 'objects' })
    expect(found.fields).toEqual([
      { id: 'judet', type: 'text' },
      { id: 'elevi', type: 'int8' },
      { id: 'medie', type: 'float8' },
    ])
    const sent = {
      resource_id: 'pupils',
      limit: 2,
      filters: { judet: 'Cluj' },
      fields: ['elevi'],
      sort: 'elevi desc',
    }
    const headers = { 'content-type': 'application/json' }
    const posted = await fetch(`${app.url}/api/action/datastore_search`, {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
    })
    expect((await posted.json()).result.records).toEqual([{ elevi: 30 }, { elevi: 5 }])
    const form = new URLSearchParams({ resource_id: 'pupils', limit: '1' })
    const asForm = await fetch(`${app.url}/api/3/action/datastore_search`, { method: 'POST', body: form })
    expect((await asForm.json()).result.records).toEqual(listed.slice(0, 1))
  })

  test('filters, words, order, formats and distinct values', async () => {
    const records = async (query: string) =>
      (await resultOf('datastore_search', `resource_id=pupils&${query}`)).records
    expect(await records(`filters=${encoded({ judet: ['Alba', 'Iași'] })}&fields=judet`)).toEqual([
      { judet: 'Alba' },
      { judet: 'Iași' },
    ])
    expect(await records(`filters=${encoded({ elevi: null })}&fields=judet`)).toEqual([{ judet: 'Iași' }])
    expect(await records('q=clu&fields=elevi&sort=elevi')).toEqual([{ elevi: 5 }, { elevi: 30 }])
    expect(await records(`q=${encoded({ judet: 'lb' })}&fields=judet`)).toEqual([{ judet: 'Alba' }])
    expect(await records('records_format=lists&limit=1')).toEqual([['Alba', 10, 9.5]])
    expect(await records('records_format=csv&sort=elevi+desc')).toBe(
      'Cluj,30,\nAlba,10,9.5\nCluj,5,7\nIași,,8.25\n',
    )
    expect(await records('records_format=tsv&limit=1')).toBe('Alba\t10\t9.5\n')
    expect(await records('distinct=true&fields=judet')).toEqual([
      { judet: 'Alba' },
      { judet: 'Cluj' },
      { judet: 'Iași' },
    ])
    expect(await records('limit=0')).toEqual([])
  })

  test('all rows are read page by page, and an answer that was cut says so', async () => {
    const seen: number[] = []
    for (let offset = 0; ; offset += 10_000) {
      const { records, total } = await resultOf(
        'datastore_search',
        `resource_id=long&limit=10000&offset=${offset}&fields=n`,
      )
      expect(total).toBe(33_000)
      if (records.length === 0) break
      seen.push(...records.map(({ n }: { n: number }) => n))
    }
    expect(seen).toEqual(Array.from({ length: 33_000 }, (_, n) => n))
    const cut = await resultOf('datastore_search', 'resource_id=long&limit=40000&include_total=false')
    expect([cut.records.length, cut.limit, cut.records_truncated, 'total' in cut]).toEqual([
      32_000,
      32_000,
      true,
      false,
    ])
  })

  test('the links of an answer lead to its next page', async () => {
    const first = await resultOf(
      'datastore_search',
      `resource_id=pupils&limit=1&filters=${encoded({ judet: 'Cluj' })}&sort=elevi+desc`,
    )
    const next = await (await fetch(first._links.next)).json()
    expect([first.records[0].elevi, next.result.records[0].elevi]).toEqual([30, 5])
  })

  test('datastore_info describes the columns, and the dump is the file', async () => {
    expect(await resultOf('datastore_info', 'id=pupils')).toMatchObject({
      meta: { count: 4 },
      fields: [{ id: 'judet' }, {}, {}],
    })
    const dump = await app.get('/datastore/dump/pupils', { key: null })
    expect(dump.text).toBe((await app.get('/datasets/pupils/download', { key: null })).text)
    const tsv = await app.get(`/datastore/dump/pupils?format=tsv&filters=${encoded({ judet: 'Alba' })}`, {
      key: null,
    })
    expect(tsv.text).toBe('judet\televi\tmedie\r\nAlba\t10\t9.5\r\n')
  })
})

describe('9 CKAN: refusals', () => {
  test.each([
    ['package_lst', '', 400, 'Bad Request'],
    ['package_show', 'id=nowhere', 404, 'Not Found Error'],
    ['package_show', '', 409, 'Validation Error'],
    ['resource_show', 'id=pupils-xyz', 404, 'Not Found Error'],
    ['organization_show', 'id=nobody', 404, 'Not Found Error'],
    ['datastore_search', '', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=nowhere', 404, 'Not Found Error'],
    ['datastore_search', 'resource_id=pupils&limit=-1', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=pupils&filters=x', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=pupils&sort=a+b+c', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=pupils&records_format=xml', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=pupils&fields=nothing', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=pupils&page=2', 409, 'Validation Error'],
    ['datastore_search', 'resource_id=%ZZ', 409, 'Validation Error'],
    ['datastore_search_sql', 'sql=select+1', 409, 'Validation Error'],
    ['package_list', 'rows=5', 409, 'Validation Error'],
  ] as const)('%s?%s is %d %s', async (action, query, status, type) => {
    expect((await errorOf(action, query)).slice(0, 2)).toEqual([status, type])
  })

  test('arguments that change nothing here are taken', async () => {
    await resultOf('package_search', 'include_private=true&include_drafts=false&rows=0')
    await resultOf('package_show', 'id=pupils&include_tracking=true')
  })

  test('a wrong key is an Authorization Error, a right one counts, in any of its forms', async () => {
    for (const key of ['rok_wrong', `rok_${'x'.repeat(38)}`])
      expect((await errorOf('package_list', '', key)).slice(0, 2)).toEqual([403, 'Authorization Error'])
    const { secret } = app.mintKey('free')
    const ways = [
      { authorization: secret },
      { authorization: `Bearer ${secret}` },
      { 'x-ckan-api-key': secret },
    ]
    const left: (string | null)[] = []
    for (const headers of ways) {
      const answer = await fetch(`${app.url}/api/3/action/package_list`, {
        headers: headers as Record<string, string>,
      })
      expect(answer.status).toBe(200)
      left.push(answer.headers.get('ratelimit'))
    }
    expect(new Set(left).size).toBe(3)
    expect((await call('package_list')).headers.get('ratelimit')).toBeNull()
  })

  test('rows that need a key are refused without one, their metadata is open', async () => {
    const closed = startTestApp({ flags: { public_browsing: false } })
    try {
      await closed.ingestCsv('a,b\n1,2\n3,4\n', { id: 'closed', domain: 'tests' })
      const get = (path: string, key: string | null) => closed.get(path, { key })
      expect((await get('/api/3/action/package_show?id=closed', null)).status).toBe(200)
      expect((await get('/api/3/action/datastore_search?resource_id=closed', null)).status).toBe(403)
      const { secret } = closed.mintKey()
      const { body } = await get('/api/3/action/datastore_search?resource_id=closed', secret)
      expect(body.result.total).toBe(2)
      const terms = { label: 'scoped', plan: 'unlimited', scopes: ['read:economy'] }
      const { secret: elsewhere } = await mintKey(closed.app.accounts, OPERATOR, terms, new Date())
      expect((await get('/api/3/action/datastore_search?resource_id=closed', elsewhere)).status).toBe(404)
      expect((await get('/api/3/action/package_list', elsewhere)).body.result).toEqual([])
    } finally {
      await closed.stop()
    }
  })
})
