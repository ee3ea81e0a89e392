import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS } from '../support/towns.ts'
import { until } from '../support/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ now: () => new Date('2026-03-04T05:06:07Z') })
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
  test('a dataset is a package with a datastore resource and its files, a domain is a group, a publisher an organization', async () => {
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
      id: 'pupils-rows',
      datastore_active: true,
      url: `${app.url}/datastore/dump/pupils-rows`,
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
    `${'-'.repeat(50)}name:a`,
    `${'NOT '.repeat(50)}name:a`,
  ])('fq=%s is a Validation Error that names it', async (fq) => {
    const [status, type, error] = await errorOf('package_search', `fq=${encodeURIComponent(fq)}`)
    expect([status, type, typeof error.fq[0]]).toEqual([409, 'Validation Error', 'string'])
  })
})

const post = async (action: string, given: object) => {
  const answer = await fetch(`${app.url}/api/3/action/${action}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify(given),
  })
  const text = await answer.text()
  return { status: answer.status, length: text.length, body: JSON.parse(text) }
}

describe('9 CKAN: hostile arguments', () => {
  test('a filter query of a megabyte is refused before it is read, even in parts', async () => {
    for (const given of [
      { fq: '-'.repeat(5000) },
      { fq: '-'.repeat(200_000) },
      { fq: '[ '.repeat(100_000) },
      { fq_list: Array.from({ length: 5000 }, () => 'name:a') },
    ]) {
      const { status, body } = await post('package_search', given)
      const [name] = Object.keys(given)
      expect([status, body.error.__type, typeof body.error[name!][0]]).toEqual([
        ...[409, 'Validation Error', 'string'],
      ])
    }
  })

  test('a refusal lists at most ten mistakes, with names shortened', async () => {
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`row${n}`, 1]))
    const refused = await post('package_search', many)
    expect([refused.status, Object.keys(refused.body.error).length]).toEqual([409, 11])
    const long = await post('package_search', { ['r'.repeat(100_000)]: 1 })
    expect([long.status, long.length < 2000]).toEqual([409, true])
    const objects = await post('datastore_search', {
      resource_id: 'pupils',
      filters: { judet: Array.from({ length: 3000 }, () => ({})) },
    })
    expect([objects.status, objects.body.error.filters.length]).toEqual([409, 10])
  })

  test('filters of all columns together accept as many values as fit in the longest address', async () => {
    const search = (judet: number, elevi: number) =>
      post('datastore_search', {
        resource_id: 'pupils',
        filters: {
          judet: ['Cluj', ...Array.from({ length: judet - 1 }, (_, n) => `x${n}`)],
          elevi: [5, ...Array.from({ length: elevi - 1 }, (_, n) => 1000 + n)],
        },
      })
    const found = (await search(3000, 1000)).body.result
    expect([found.total, found.records.length]).toEqual([1, 1])
    const refused = await search(3000, 1001)
    expect([refused.status, refused.body.error.filters]).toEqual([
      409,
      ['takes up to 4000 values, and all arguments up to 64 KB: ask in parts'],
    ])
  })

  test('links longer than 4 KB are left out', async () => {
    const linksOf = async (length: number) =>
      (await post('datastore_search', { resource_id: 'pupils', q: 'x'.repeat(length) })).body.result._links
    expect(Object.keys(await linksOf(3900))).toEqual(['start', 'next'])
    expect(await linksOf(4096)).toEqual({})
  })

  test.each(['__proto__', 'constructor', 'valueOf'])('sort=%s is not an order', async (name) => {
    expect((await errorOf('package_search', `sort=${name}`)).slice(0, 2)).toEqual([409, 'Validation Error'])
  })

  test('an argument called __type does not change the type of the error', async () => {
    expect((await errorOf('package_search', '__type=x'))[1]).toBe('Validation Error')
  })
})

describe('9 CKAN: datastore', () => {
  test('rows have the values of lists, whatever the form of the call', async () => {
    const listed = (await app.get('/v1/education/pupils')).body.data
    const query = 'resource_id=pupils'
    const found = await resultOf('datastore_search', query)
    expect(found.records).toEqual(listed)
    expect(found).toMatchObject({
      total: 4,
      limit: 100,
      resource_id: 'pupils-rows',
      records_format: 'objects',
    })
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

  test('all rows can be read page by page, and a truncated answer says so', async () => {
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

  test('distinct rows are complete whatever their texts look like', async () => {
    const hostile = 'a,"rows_of_group":7}'
    const other = await startTestApp()
    try {
      await other.ingestCsv(`text,n\n"${hostile.replaceAll('"', '""')}",1\n"x,",2\n`, {
        ...{ id: 'quotes', domain: 'tests', title: 'Quotes' },
      })
      const path = '/api/3/action/datastore_search?resource_id=quotes&distinct=true&fields=text,n&sort=n'
      expect((await other.get(path)).body.result.records).toEqual([
        { text: hostile, n: 1 },
        { text: 'x,', n: 2 },
      ])
    } finally {
      await other.stop()
    }
  })

  test('the links of an answer lead to its next page', async () => {
    const first = await resultOf(
      'datastore_search',
      `resource_id=pupils&limit=1&filters=${encoded({ judet: 'Cluj' })}&sort=elevi+desc`,
    )
    const next = await (await fetch(app.url + first._links.next)).json()
    expect([first.records[0].elevi, next.result.records[0].elevi]).toEqual([30, 5])
  })

  test('datastore_info describes the columns, and the dump is the exported file', async () => {
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

  test('a dump accepts limit, offset, fields, sort and q', async () => {
    const dump = async (query: string) =>
      (await app.get(`/datastore/dump/pupils-rows?${query}`, { key: null })).text.trimEnd().split('\r\n')
    const all = await dump('')
    expect(await dump('limit=2')).toEqual(all.slice(0, 3))
    expect(await dump('limit=2&offset=1')).toEqual([all[0]!, ...all.slice(2, 4)])
    expect(await dump('offset=3')).toEqual([all[0]!, ...all.slice(4)])
    expect(await dump('limit=0')).toEqual(all.slice(0, 1))
    const sorted = await dump('fields=elevi&sort=elevi+desc')
    expect(await dump('fields=elevi&sort=elevi+desc&limit=1&offset=1')).toEqual([sorted[0]!, sorted[2]!])
    expect((await dump('q=alba&limit=1')).length).toBe(2)
  })

  test('the help of an answer is an address that explains the action', async () => {
    const helpOf = async (path: string) =>
      ((await (await fetch(app.url + path)).json()) as { help: string }).help
    const guide = `${app.url}/docs/guides/ckan`
    for (const path of ['/datastore/dump/pupils?limit=x', '/datastore/dump/nowhere', '/api/3', '/datastore'])
      expect([path, await helpOf(path)]).toEqual([path, guide])
    expect(await helpOf('/api/3/action/package_lst')).toBe(guide)
    const help = await helpOf('/api/3/action/package_show')
    expect(help).toBe(`${app.url}/api/3/action/help_show?name=package_show`)
    for (const address of [guide, help]) expect((await fetch(address)).status).toBe(200)
  })
})

describe('9 CKAN: refusals', () => {
  test.each([
    ['package_lst', '', 400, 'Bad Request'],
    ['package_show', 'id=nowhere', 404, 'Not Found Error'],
    ['package_show', '', 409, 'Validation Error'],
    ['resource_show', 'id=pupils-file-xyz', 404, 'Not Found Error'],
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

  test('arguments that have no effect here are accepted', async () => {
    await resultOf('package_search', 'include_private=true&include_drafts=false&rows=0')
    await resultOf('package_show', 'id=pupils&include_tracking=true')
  })

  test('in each way to send a key, a wrong one is an Authorization Error and a right one is counted', async () => {
    for (const key of ['rok_wrong', `rok_${'x'.repeat(38)}`])
      expect((await errorOf('package_list', '', key)).slice(0, 2)).toEqual([403, 'Authorization Error'])
    const { secret } = await app.mintKey('free')
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

  test('rows that need a key are refused without one, but their metadata is open', async () => {
    const closed = await startTestApp({ flags: { public_browsing: false } })
    try {
      await closed.ingestCsv('a,b\n1,2\n3,4\n', { id: 'closed', domain: 'tests' })
      const get = (path: string, key: string | null) => closed.get(path, { key })
      expect((await get('/api/3/action/package_show?id=closed', null)).status).toBe(200)
      expect((await get('/api/3/action/datastore_search?resource_id=closed', null)).status).toBe(403)
      const { secret } = await closed.mintKey()
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

describe('9 CKAN: harvesters and habits of clients', () => {
  test('a harvester gets every package once, and later what changed, even within the second of its last visit', async () => {
    let now = new Date('2026-05-01T10:00:00Z')
    const own = await startTestApp({ now: () => now })
    try {
      const publish = (id: string, values: string) =>
        own.ingestCsv(`a,b\n${values}\n`, { id, domain: 'economy' })
      for (let index = 0; index < 7; index++) await publish(`d${index}`, '1,2')
      // The query that ckanext-harvest sends.
      const gather = async (terms: string) => {
        const ids: string[] = []
        for (let start = 0; ; start += 3) {
          const query = new URLSearchParams({ rows: '3', start: String(start), sort: 'id asc' })
          if (terms !== '') query.set('fq', terms)
          const { body } = await own.get(`/api/3/action/package_search?${query}`, { key: null })
          if (body.result.results.length === 0) return ids
          ids.push(...body.result.results.map(({ id }: { id: string }) => id))
        }
      }
      const all = Array.from({ length: 7 }, (_, index) => `d${index}`)
      expect(await gather('')).toEqual(all)
      expect(await gather('metadata_modified:[2026-05-01T10:00:00.123456Z TO *]')).toEqual(all)
      expect(await gather('metadata_modified:[2026-05-01T11:00:00.000001Z TO *]')).toEqual([])
      now = new Date('2026-05-01T12:00:00Z')
      await publish('d4', '1,3')
      const terms = '-organization:nobody metadata_modified:[2026-05-01T11:00:00.000001Z TO *]'
      expect(await gather(terms)).toEqual(['d4'])
      const { body } = await own.get('/api/3/action/package_search', { key: null })
      expect(body.result.results[0].name).toBe('d4')
    } finally {
      await own.stop()
    }
  })

  test('values in brackets combine by AND, OR and minus', async () => {
    const names = async (fq: string) =>
      (await resultOf('package_search', `fq=${encodeURIComponent(fq)}`)).results.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('tags:(școli AND elevi)')).toEqual(['pupils'])
    expect(await names('tags:(școli AND altele)')).toEqual([])
    expect(await names('groups:(education OR economy) -tags:(elevi OR altele)')).toEqual(['long'])
    expect(await names('groups:(* -economy)')).toEqual(['pupils'])
    expect((await call('package_search', `fq=${encodeURIComponent('tags:(a OR)')}`)).status).toBe(409)
  })

  test('ids of resources have the length that CKAN requires, and a dataset id means its rows', async () => {
    const { resources } = await resultOf('package_show', 'id=long')
    expect(resources.map(({ id }: { id: string }) => id)).toContain('long-rows')
    for (const { id } of resources) expect(id).toMatch(/^[0-9a-zA-Z _-]{7,100}$/)
    const [short, full] = await Promise.all(
      ['long', 'long-rows'].map((id) => resultOf('datastore_search', `resource_id=${id}&limit=2`)),
    )
    expect(short.records).toEqual(full.records)
    expect(await resultOf('resource_show', 'id=long')).toEqual(
      await resultOf('resource_show', 'id=long-rows'),
    )
  })

  test('publishers and domains are sorted as requested', async () => {
    expect(await resultOf('group_list', 'sort=name+desc')).toEqual(['education', 'economy'])
    expect(await resultOf('group_list', 'sort=package_count+desc')).toEqual(['economy', 'education'])
    expect((await call('organization_list', 'sort=colour')).status).toBe(409)
  })

  test('only a truncated answer is marked as truncated', async () => {
    const whole = await resultOf('datastore_search', 'resource_id=pupils&limit=40000')
    expect([whole.records.length, whole.records_truncated]).toEqual([4, undefined])
    const rest = await resultOf('datastore_search', 'resource_id=long&limit=40000&offset=32000&fields=n')
    expect([rest.records.length, rest.records_truncated]).toEqual([1000, undefined])
  })

  test('only the rows that were sent are counted', async () => {
    const own = await startTestApp()
    try {
      await own.publish(TOWNS)
      await own.get('/api/3/action/datastore_search?resource_id=towns&limit=3')
      await own.get('/api/3/action/datastore_search?resource_id=towns&distinct=true&fields=county')
      await until(() => own.app.usage.useCounters.list()[0]?.calls === 2)
      expect(own.app.usage.useCounters.list()).toMatchObject([{ dataset: 'towns', rows: 3 + 6 }])
    } finally {
      await own.stop()
    }
  })

  test('distinct accepts a column named like a measure, and sorting by _id is the default order', async () => {
    const own = await startTestApp()
    try {
      await own.publish(TOWNS)
      const ask = async (query: string) =>
        (await own.get(`/api/3/action/datastore_search?resource_id=towns&${query}`)).body.result.records
      expect(await ask('distinct=true&fields=count&sort=count')).toEqual([
        ...[0, 1, 2, 3, 4, 6].map((count) => ({ count })),
        { count: null },
      ])
      expect(await ask('sort=_id')).toEqual(await ask(''))
      expect(await ask('sort=_id+asc,year+desc')).toEqual(await ask('sort=year+desc'))
    } finally {
      await own.stop()
    }
  })

  test('a text query with anything but words and & is refused, not guessed at', async () => {
    expect(
      await resultOf(
        'datastore_search',
        `resource_id=pupils&plain=false&q=${encodeURIComponent('clu:* & cluj')}`,
      ),
    ).toMatchObject({ total: 2 })
    const [status, type, error] = await errorOf(
      'datastore_search',
      'resource_id=pupils&plain=false&q=alba|cluj',
    )
    expect([status, type, Object.keys(error)]).toEqual([409, 'Validation Error', ['q', '__type']])
  })

  test('any values give either a result or an error of CKAN', async () => {
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'pupils',
        'groups:economy',
        '((',
        'a:b OR',
        '[* TO',
        '"',
        '-',
        '*:*',
        '{}',
        '[]',
        '__proto__',
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const parameters = fc.constantFrom(
      ...[
        'id',
        'resource_id',
        'q',
        'fq',
        'sort',
        'rows',
        'start',
        'limit',
        'offset',
        'filters',
        'fields',
        'plain',
      ],
      ...[
        'distinct',
        'records_format',
        'all_fields',
        '__proto__',
        '__type',
        'name',
        'query',
        'include_total',
      ],
    )
    const actions = fc.constantFrom(
      ...[
        'package_list',
        'package_show',
        'package_search',
        'resource_show',
        'organization_list',
        'group_show',
      ],
      ...['datastore_search', 'datastore_info', 'tag_list', 'current_package_list_with_resources'],
    )
    const given = fc.dictionary(parameters, values, { maxKeys: 4 })
    const own = await startTestApp({ flags: { public_per_minute: 1_000_000 } })
    await own.publish(TOWNS)
    const property = fc.asyncProperty(actions, given, fc.boolean(), async (action, dictionary, isPosted) => {
      const known = action.startsWith('datastore') ? { resource_id: 'towns', ...dictionary } : dictionary
      const pairs = Object.entries(known).map(
        ([name, value]) =>
          [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
      )
      const path = `/api/3/action/${action}`
      const posted = {
        ...{ key: null, method: 'POST', body: JSON.stringify(known) },
        headers: { 'content-type': 'application/json' },
      }
      const answer = isPosted
        ? await own.get(path, posted)
        : await own.get(`${path}?${new URLSearchParams(pairs)}`, { key: null })
      expect([200, 404, 409]).toContain(answer.status)
      expect(answer.body.success).toBe(answer.status === 200)
      if (answer.status !== 200) expect(typeof answer.body.error.__type).toBe('string')
    })
    try {
      await fc.assert(property, { numRuns: 300 })
    } finally {
      await own.stop()
    }
  }, 60_000)
})
