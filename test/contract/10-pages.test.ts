/** The pages over HTTP (contract 2): headers, languages, public rows and files, refusals for people and for programs. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { TOWNS, TOWNS_PATH } from '../support/towns.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.publish(TOWNS)
  await app.publish({
    ...TOWNS,
    id: 'hostile',
    domain: 'tests',
    title: '<script>alert(1)</script>',
    description: ']]> & "x" \u0000 </textarea>',
    license: 'javascript:alert(1)',
    source_url: 'javascript:alert(1)',
    keywords: ['"><b>'],
  })
})
afterAll(() => app.stop())

const HTML = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'ro' }

/** Sent as written: `fetch` would normalize the path and refuse the headers. */
async function rawGet(path: string, headers: Record<string, string>): Promise<{ text: string }> {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers })
  const head = [`GET ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', '']
  return { text: await rawRequest(app.url, { parts: [head.join('\r\n')] }) }
}

function look(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.get(path, { key: null, headers: { ...HTML, ...headers }, method })
}

describe('pages', () => {
  const PATHS = ['/', '/?q=orase', '/?q=%00&domain=x&page=-1', '/datasets/towns', '/datasets/hostile']

  test.each(PATHS)('%s is a page that runs and loads only our scripts and styles', async (path) => {
    const { status, headers, text } = await look(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('set-cookie')).toBeNull()
    expect(text).not.toMatch(/ style=| on[a-z]+=["']|<style|<script>/)
    const scripts = [...text.matchAll(/<script ([^>]*)>/g)].map((match) => match[1])
    for (const script of scripts)
      expect(script).toMatch(/^type="(module" src="\/assets\/|application\/(ld\+)?json")/)
  })

  test.each(PATHS)('%s has a tag that gets a 304, and is compressed', async (path) => {
    const { headers } = await look(path)
    const etag = headers.get('etag')!
    expect((await look(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await look(path, { 'if-none-match': etag, 'accept-language': 'en' })).status).toBe(200)
    const packed = await look(path, { 'accept-encoding': 'gzip' })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toBe('Accept, Accept-Language, Accept-Encoding')
  })

  test('the language is the chosen one, else the one the browser prefers', async () => {
    expect((await look('/')).text).toContain('<html lang="ro">')
    expect((await look('/', { 'accept-language': 'de, en;q=0.5' })).text).toContain('<html lang="en">')
    const chosen = await look('/datasets/towns?lang=en')
    expect(chosen.text).toContain('<html lang="en">')
    expect(chosen.text).toContain('href="/?lang=en"')
    expect((await look('/?lang=xx')).text).toContain('<html lang="ro">')
  })

  test('addresses of foreign schemes are text, not links', async () => {
    const { text } = await look('/datasets/hostile')
    expect(text).toContain('javascript:alert(1)')
    expect(text).not.toMatch(/(href|src|action)="?javascript:/)
  })

  test('a form sent without scripts redirects to the address of its query', async () => {
    const answer = await look(
      '/datasets/towns?sort=-people&f.column=county&f.operator=contains&f.value=a%C8%99i',
    )
    expect(answer.status).toBe(303)
    const address = answer.headers.get('location')!
    expect(address).toBe('/datasets/towns?county%5Bcontains%5D=a%C8%99i&sort=-people#explore')
    const columns = await look('/datasets/towns?f.field=county&f.field=people&lang=en')
    expect(columns.headers.get('location')).toBe('/datasets/towns?fields=county,people&lang=en#explore')
    const all = TOWNS.table.columns.map(({ name }) => `f.field=${name}`).join('&')
    expect((await look(`/datasets/towns?${all}`)).headers.get('location')).toBe('/datasets/towns#explore')
    expect((await look(address.split('#')[0]!)).text).toContain('Pașcani')
  })

  test('a malformed query is 422 and suggests what was meant', async () => {
    const { status, text } = await look('/datasets/towns?countty=Cluj&lang=en')
    expect(status).toBe(422)
    expect(text).toContain('There is no column “countty”. Did you mean “county” or “count”?</p>')
    const romanian = await look('/datasets/towns?countty=Cluj')
    expect(romanian.status).toBe(422)
    expect(romanian.text).toContain(
      '<p>Nu există coloana „countty”. Ați vrut să scrieți „county” sau „count”?</p>',
    )
    expect(romanian.text).not.toContain('Did you mean')
  })

  test('a sort by an unknown column names it and a similar one', async () => {
    const { status, text } = await look('/datasets/towns?sort=-peple')
    expect(status).toBe(422)
    expect(text).toContain('„sort” cere coloana „peple”, care nu există. Ați vrut să scrieți „people”?</p>')
    for (const lang of ['ro', 'en']) {
      const ignored = await look(`/datasets/towns?limt=5&lang=${lang}`)
      expect([lang, ignored.status, />[^<]*limit\b[^<]*</.test(ignored.text)]).toEqual([lang, 422, false])
    }
  })

  test('the catalog counts its datasets and domains in the singular too', async () => {
    const few = await startTestApp()
    try {
      const lead = async (lang: string) => {
        const { text } = await few.get(`/?lang=${lang}`, { key: null, headers: HTML })
        return text.match(/<p class="lead">(.*?),/)![1]!.replaceAll(/<[^>]*>/g, '')
      }
      await few.publish(TOWNS)
      expect(await lead('ro')).toBe('Există un set de date dintr-un domeniu')
      expect(await lead('en')).toBe('There is 1 dataset from 1 domain')
      await few.publish({ ...TOWNS, id: 'second' })
      expect(await lead('ro')).toBe('Există 2 seturi de date dintr-un domeniu')
      expect(await lead('en')).toBe('There are 2 datasets from 1 domain')
      await few.publish({ ...TOWNS, id: 'third', domain: 'tests' })
      expect(await lead('ro')).toBe('Există 3 seturi de date din 2 domenii')
      expect(await lead('en')).toBe('There are 3 datasets from 2 domains')
    } finally {
      await few.stop()
    }
  })

  test('if a text filter finds nothing, the page suggests one that would, else says that diacritics count', async () => {
    const said = async (query: string) =>
      (await look(`/datasets/towns?${query}`)).text.includes('Diacriticele')
    expect(await said('county=Xyzxyzxyz')).toBe(true)
    expect(await said('county=Iasi')).toBe(false)
    expect((await look('/datasets/towns?county=Iasi')).text).toContain('county%5Beq%5D=IA%C8%98I')
    expect(await said('county=Ia%C8%99i')).toBe(false)
    expect(await said('year=1900')).toBe(false)
    expect((await look('/datasets/towns?county=Xyzxyzxyz&lang=en')).text).toContain(
      'Diacritics count in filters',
    )
  })

  test('the page says how to open the file for Excel', async () => {
    const [romanian, english] = [await look('/datasets/towns'), await look('/datasets/towns?lang=en')]
    expect(romanian.text).toContain('codurile păstrează zerourile')
    expect(english.text).toContain('codes keep their leading zeros')
    // Excel splits at the list separator, which is a semicolon where the decimal mark is a comma.
    const link = (text: string) => /href="([^"]*bom=true[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const fileOf = async (text: string) => (await app.get(link(text), { key: null })).text
    expect(await fileOf(romanian.text)).toStartWith('county;town;')
    expect(await fileOf(english.text)).toStartWith('county,town,')
    for (const format of ['xlsx', 'parquet', 'ndjson'])
      expect(romanian.text).toContain(`download?format=${format}"`)
  })

  test('the page explains in words why rows were quarantined and what failed, with the code as a tooltip', async () => {
    const own = await startTestApp()
    try {
      const definition = { columns: [{ name: 'day', type: 'date' }, { name: 'town' }] }
      const lines = Array.from({ length: 40 }, (_, index) => `2024-01-${10 + (index % 20)},Cluj`)
      await own.ingestCsv(`day,town\n${lines.join('\n')}\nnever,Cluj\n`, {
        ...{ id: 'days', domain: 'tests', definition },
      })
      const read = async (lang: string) =>
        (await own.get(`/datasets/days?lang=${lang}`, { key: null, headers: HTML })).text
      for (const [lang, reason, rule] of [
        ['ro', 'nu este o dată din calendar', 'valoarea este o dată din calendar'],
        ['en', 'not a date', 'the value is a date'],
      ] as const) {
        const text = await read(lang)
        expect(text).toContain(`<span title="invalid_date">${reason}</span>`)
        expect(text).toContain(`<span title="type_date">${rule}</span>`)
      }
    } finally {
      await own.stop()
    }
  })

  test('the page says which rows were mended, which readings are unproven, and which files the rows come from', async () => {
    const own = await startTestApp()
    try {
      const line = (i: number) => `${1 + (i % 12)}/${1 + (i % 9)}/2024,"Cluj, ${i}",${i}\n`
      const table = (from: number, count: number) =>
        `day,town,n\n${Array.from({ length: count }, (_, i) => line(from + i)).join('')}`
      const dataset = { id: 'days', domain: 'tests' }
      await own.ingestCsv(`${table(0, 60)}3/4/2024,Dej, RO,7\n`, dataset)
      await own.ingestCsv(table(60, 40), { ...dataset, definition: { mode: 'append' } })
      const quality = (await own.get('/v1/datasets/days/quality')).body
      expect(quality).toMatchObject({
        rows: { imported: 101 },
        mended: { surplus_blanks: 0, joined: 1, left_off: 0 },
        unproven: [{ kind: 'date_order', column: 'day', read_as: 'dmy' }],
      })
      for (const [lang, ...texts] of [
        [
          'ro',
          'un text tăiat de un separator',
          'citite cu ziua la început',
          'Fișierele din care provin rândurile',
        ],
        [
          'en',
          'a text that an unquoted delimiter',
          'read with the day first',
          'The files that the rows come from',
        ],
      ] as const) {
        const page = (await own.get(`/datasets/days?lang=${lang}`, { key: null, headers: HTML })).text
        for (const text of texts) expect(page).toContain(text)
        expect(page).toContain('<span title="date_order">')
        expect(page).toContain('<td class="number">61</td>')
      }
    } finally {
      await own.stop()
    }
  })

  test('a page accepts few filters, so that no address makes a page of megabytes', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, year) => `year=${year}`).join('&')
    expect((await look(`/datasets/towns?${many(50)}`)).status).toBe(200)
    const { status, text } = await look(`/datasets/towns?${many(1400)}`)
    expect(status).toBe(422)
    expect(text).toContain('Pagina acceptă cel mult 50 de filtre.')
    expect(text.length).toBeLessThan(200_000)
  })

  test('a table of very many columns and very long cells is shown in part, but complete in rows', async () => {
    const wide = await startTestApp()
    try {
      const columns = Array.from({ length: 3000 }, (_, index) => `c${index}`)
      const long = '<é>'.repeat(100_000)
      const line = columns.map((_, index) => (index === 1 ? long : 'x')).join(',')
      await wide.ingestCsv(`${columns.join(',')}\n${line}\n${line}\n`, { id: 'wide', domain: 'tests' })
      const read = (path: string) => wide.get(path, { key: null, headers: HTML })
      const { status, text } = await read('/datasets/wide?lang=en')
      expect([status, text.length < 800_000]).toEqual([200, true])
      expect(text.includes('The first 100 of 3,000 columns appear here')).toBe(true)
      expect(text.includes(`<td class="long">${'&lt;é>'.repeat(166)}`)).toBe(true)
      const chosen = await read('/datasets/wide?fields=c2999,c1')
      expect(chosen.text.includes('sort=c2999')).toBe(true)
      const summary = await read('/datasets/wide/summary?rows=c1')
      expect([summary.status, summary.text.length < 200_000]).toEqual([200, true])
      const rows = await read('/datasets/wide/rows?fields=c1&limit=1')
      expect(rows.body.data[0].c1 === long).toBe(true)
      expect((await read('/openapi/tests/wide.json')).text.includes('<é><é>')).toBe(false)
    } finally {
      await wide.stop()
    }
  })

  test('a path never becomes a link to another host', async () => {
    for (const path of ['//evil.example/x', '/\\evil.example/x', '///evil.example']) {
      const { text } = await rawGet(path, { Accept: 'text/html' })
      expect([path, text.match(/class="language" href="([^"]*)"/)?.[1]]).toEqual([
        path,
        expect.stringMatching(/^\/evil\.example/),
      ])
    }
  })

  test('a Host with shell syntax never appears in a command to copy', async () => {
    const { text } = await rawGet('/datasets/towns', { Accept: 'text/html', Host: "a'$(id)'b" })
    expect(text).toContain('http://localhost/v1/geospatial/towns')
    expect(text).not.toContain('$(id)')
  })

  test('search engines do not index search results', async () => {
    expect((await look('/?q=orase')).text).toContain('<meta name="robots" content="noindex"')
    expect((await look('/')).text).not.toContain('noindex')
  })

  test('HEAD answers like GET without a body', async () => {
    const { status, text, headers } = await look('/datasets/towns', {}, 'HEAD')
    expect([status, text]).toEqual([200, ''])
    expect(headers.get('etag')).toBe((await look('/datasets/towns')).headers.get('etag'))
  })
})

describe('refusals', () => {
  test('people get a page, programs the envelope, with the same status', async () => {
    for (const [path, code, status] of [
      ['/nowhere', 'not_found', 404],
      ['/datasets/nowhere', 'dataset_not_found', 404],
      ['/datasets/towns/', 'not_found', 404],
    ] as const) {
      const page = await look(path)
      expect([path, page.status]).toEqual([path, status])
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.text).toContain(`<code>${code}</code>`)
      const program = await app.get(path, { key: null, headers: { accept: '*/*' } })
      expect([program.status, program.body.error.code]).toEqual([status, code])
    }
    const method = await look('/', {}, 'POST')
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(method.text).toContain('<!doctype html>')
  })

  test('addresses for programs answer with the envelope, to browsers too', async () => {
    for (const path of ['/v1/datasets', '/v1/nowhere', '/account/api/none', '/publish/api/none']) {
      const { headers, body } = await look(path)
      expect([path, headers.get('content-type')]).toEqual([path, 'application/json; charset=utf-8'])
      expect(body.error.code).toBeString()
    }
  })

  test('refusals of everything else are pages for a browser', async () => {
    for (const path of ['/datasets/towns/rows?x=1', '/assets/none.js', '/health/none', '/stats?x=1']) {
      const { headers } = await look(path)
      if (path !== '/stats?x=1')
        expect([path, headers.get('content-type')]).toEqual([path, 'text/html; charset=utf-8'])
      const program = await app.get(path, { key: null })
      expect([path, program.headers.get('content-type')]).toEqual([path, 'application/json; charset=utf-8'])
    }
  })

  test('the state of the service is a page in both languages, linked from every footer', async () => {
    expect((await look('/')).text).toContain('href="/status"')
    const page = await look('/status')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('Starea serviciului: în regulă')
    const { text } = await look('/status?lang=en')
    expect(text).toContain('State of the service: working')
    const { checks } = (await app.get('/health/ready', { key: null })).body
    const rows = text.match(/<th scope="row">/g)!
    expect(rows).toHaveLength(Object.keys(checks).length)
  })

  test('a file that is not available is a page for a browser that followed a link, and the envelope for programs', async () => {
    for (const [path, status, text] of [
      ['/datasets/no/download', 404, 'La această adresă nu există niciun set de date.'],
      [
        '/datasets/towns/download?format=xls',
        422,
        'Fișierele se descarcă în formatele csv, ndjson, json, xlsx sau parquet.',
      ],
      ['/datasets/towns/download?year=x', 422, '„x” nu se potrivește pentru „year”.'],
    ] as const) {
      const page = await look(path)
      expect([path, page.status]).toEqual([path, status])
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.text).toContain(`<p>${text}</p>`)
      const program = await app.get(path, { key: null })
      expect([program.status, program.headers.get('content-type')]).toEqual([
        status,
        'application/json; charset=utf-8',
      ])
    }
  })

  test('Romanian pages say in Romanian what is wrong, and programs are answered in English', async () => {
    for (const [path, said, message] of [
      ['/nowhere', 'La această adresă nu există nimic.', 'There is nothing'],
      ['/datasets/nowhere', 'La această adresă nu există niciun set de date.', 'There is no dataset'],
      ['/docs/guides/none', 'La această adresă nu există nimic.', 'There is nothing here.'],
      ['/%ff', 'Adresa nu poate fi citită.', 'Invalid percent-encoding'],
    ] as const) {
      const { text } = await look(path)
      expect([path, text.includes(`<p>${said}</p>`)]).toEqual([path, true])
      // The English message is only in a closed section, marked as English.
      const plain = text.replaceAll(/<p lang="en">.*?<\/p>/g, '')
      expect([path, plain.includes(message)]).toEqual([path, false])
      const program = await app.get(path, { key: null })
      expect(program.body.error.message).toContain(message)
    }
  })

  test('a misspelt dataset is a page with links to similar names', async () => {
    const { text } = await look('/datasets/town?lang=ro')
    expect(text).toContain('<a href="/datasets/towns?lang=ro">towns</a>')
  })

  test('input of a client is escaped', async () => {
    const { text } = await look('/datasets/%3Cscript%3Ealert(1)%3C%2Fscript%3E')
    expect(text).not.toContain('<script>alert')
  })
})

describe('rows and files without a key', () => {
  const QUERIES = [
    '',
    '?county=Ia%C8%99i&sort=-people&limit=2',
    '?cursor=start&limit=3',
    '?fields=town&people%5Bgt%5D=1',
  ]

  test.each(QUERIES)('rows%s are those of the API', async (query) => {
    const [open, api] = await Promise.all([
      app.get(`/datasets/towns/rows${query}`, { key: null }),
      app.get(TOWNS_PATH + query),
    ])
    expect(open.status).toBe(200)
    expect(open.body.data).toEqual(api.body.data)
    const { next_cursor: _, ...pagination } = open.body.pagination
    expect(api.body.pagination).toMatchObject(pagination)
    expect(open.headers.get('access-control-allow-origin')).toBe('*')
    if (open.body.links.next)
      expect((await app.get(open.body.links.next.slice(app.url.length), { key: null })).status).toBe(200)
    const again = await app.get(`/datasets/towns/rows${query}`, {
      key: null,
      headers: { 'if-none-match': open.headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })

  test.each(['?format=csv', '?format=csv&bom=true', '?format=ndjson&county=Cluj&fields=town,people'])(
    'download%s is the file of the API',
    async (query) => {
      const [open, api] = await Promise.all([
        app.get(`/datasets/towns/download${query}`, { key: null }),
        app.get(`${TOWNS_PATH}/export${query}`),
      ])
      expect(open.text).toBe(api.text)
      for (const name of ['content-type', 'content-disposition'])
        expect(open.headers.get(name)).toBe(api.headers.get(name))
      const head = await app.get(`/datasets/towns/download${query}`, { key: null, method: 'HEAD' })
      expect([head.status, head.text]).toEqual([200, ''])
    },
  )

  test('the same queries are refused with the same codes', async () => {
    for (const query of ['?nope=1', '?limit=0', '?people=x', '?sort=', '?cursor=x', '?county%5Bgt%5D=%FF']) {
      const [open, api] = await Promise.all([
        app.get(`/datasets/towns/rows${query}`, { key: null }),
        app.get(TOWNS_PATH + query),
      ])
      expect([query, open.status, open.body.error]).toEqual([query, api.status, api.body.error])
    }
  })

  test('are closed by public_browsing; pages then describe a dataset without showing values', async () => {
    const closed = await startTestApp({ flags: { public_browsing: 'false' } })
    try {
      await closed.publish(TOWNS)
      for (const path of ['rows', 'download?format=csv', 'aggregate?group_by=county']) {
        const { status, body, headers } = await closed.get(`/datasets/towns/${path}`, { key: null })
        expect([path, status, body.error.code]).toEqual([path, 401, 'api_key_missing'])
        expect(headers.get('www-authenticate')).toBe('Bearer')
      }
      const page = await closed.get('/datasets/towns', { key: null, headers: HTML })
      const summary = await closed.get('/datasets/towns/summary?rows=county', { key: null, headers: HTML })
      expect([page.status, summary.status]).toEqual([200, 401])
      expect(page.text).toContain('/v1/geospatial/towns')
      const guide = await closed.get('/docs/guides/queries', { key: null, headers: HTML })
      const description = await closed.get('/openapi/geospatial/towns.json', { key: null })
      expect(description.status).toBe(200)
      for (const { text } of [page, summary, guide, description]) {
        expect(text).not.toMatch(/Cluj-Napoca|Alba|Turda|2019-12-31|1716961/)
      }
    } finally {
      await closed.stop()
    }
  })

  test('can be closed by the publisher of a dataset; the catalog lists it and says that a key is needed', async () => {
    const site = await startTestApp()
    const { catalog, dataDir } = site.app
    const get = (path: string, headers = HTML) => site.get(path, { key: null, headers })
    const others = { ...TOWNS, id: 'others', title: 'Alte localități' }
    const edit = (open: boolean) => catalog.edit('towns', { dataset: {}, columns: {}, open })
    try {
      await site.publish(TOWNS)
      await site.publish(others)
      const before = [await site.get(TOWNS_PATH), await get('/datasets/towns/download?format=csv')]
      await edit(false)
      // A new version does not reopen it.
      await site.publish(TOWNS)
      for (const path of ['rows', 'download?format=csv', 'aggregate?group_by=county']) {
        const { status, body } = await get(`/datasets/towns/${path}`, {} as typeof HTML)
        expect([path, status, body.error.code]).toEqual([path, 401, 'api_key_missing'])
        expect((await get(`/datasets/others/${path}`)).status).toBe(200)
      }
      expect((await site.get(TOWNS_PATH)).body.data).toEqual(before[0]!.body.data)
      const page = await get('/datasets/towns')
      expect([page.status, page.text.includes('cu o cheie API')]).toEqual([200, true])
      const description = await get('/openapi/geospatial/towns.json')
      const packaged = await get('/datasets/towns/datapackage.json')
      for (const { text } of [page, description, packaged])
        expect(text).not.toMatch(/Cluj-Napoca|Turda|1716961|towns\/download/)
      expect(packaged.body.resources[0].path).toEndWith('/v1/geospatial/towns/export?format=csv')
      const list = await get('/')
      expect(list.text.match(/cu cheie API/g)).toHaveLength(1)
      expect(list.text).toContain('/datasets/towns')
      const dcat = (await get('/catalog.ttl')).text
      expect([dcat.includes('towns/download'), dcat.includes('others/download')]).toEqual([false, true])
      await site.ingestCsv('county,people\nCluj,286598\nDej,31475\n', { id: 'counted', domain: 'a' })
      expect((await get('/docs/guides/queries')).text).toContain('/v1/a/counted')
      await catalog.edit('counted', { dataset: {}, columns: {}, open: false })
      expect((await get('/docs/guides/queries')).text).not.toContain('/v1/a/counted')

      await edit(true)
      expect((await get('/datasets/towns/download?format=csv')).text).toBe(before[1]!.text)
      await edit(false)
      dataDir.discard(await catalog.remove('towns'))
      await site.publish(TOWNS)
      expect((await get('/datasets/towns/rows')).status).toBe(200)
    } finally {
      await site.stop()
    }
  })

  test('are limited per address and minute', async () => {
    let now = new Date('2025-03-01T12:00:00Z')
    const limited = await startTestApp({ flags: { public_per_minute: 3 }, now: () => now })
    try {
      await limited.publish(TOWNS)
      const get = (path: string) => limited.get(path, { key: null })
      for (const path of ['aggregate', 'facets', 'download']) {
        expect((await get(`/datasets/towns/${path}`)).status).toBe(200)
      }
      const over = await get('/datasets/towns/rows')
      expect([over.status, over.body.error.code, over.headers.get('retry-after')]).toEqual([
        429,
        'rate_limited',
        '60',
      ])
      for (const path of ['/datasets/towns/summary', '/datasets/towns']) {
        const { status, headers } = await limited.get(path, { key: null, headers: HTML })
        expect([path, status, headers.get('retry-after')]).toEqual([path, 429, '60'])
      }
      const page = await limited.get('/datasets/towns', { key: null, headers: HTML })
      expect(page.text).toContain(
        'Prea multe cereri într-un timp scurt. Încercați din nou peste 60 de secunde.',
      )
      expect((await limited.get(TOWNS_PATH)).status).toBe(200)
      expect((await get('/')).status).toBe(200)
      now = new Date('2025-03-01T12:01:00Z')
      expect((await get('/datasets/towns/rows')).status).toBe(200)
    } finally {
      await limited.stop()
    }
  })
})

describe('assets', () => {
  test('are cached forever under the hash of their contents', async () => {
    const { text } = await look('/')
    const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
    expect(paths.length).toBe(2)
    for (const path of paths) {
      const { status, headers, text: contents } = await app.get(path, { key: null })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
      expect(contents).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)/)
    }
  })
})

describe('feeds', () => {
  test('announce new versions, escaped', async () => {
    const path = '/feed.atom'
    const { status, headers, text } = await app.get(path, { key: null, headers: { 'accept-language': 'en' } })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
    expect(text.match(/<entry>/g)).toHaveLength(2)
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;: published')
    expect(text).toContain(`${app.url}/datasets/towns`)
    expect(text).not.toMatch(/<script|\0/)
    const again = await app.get(path, {
      key: null,
      headers: { 'accept-language': 'en', 'if-none-match': headers.get('etag')! },
    })
    expect(again.status).toBe(304)
  })
})
