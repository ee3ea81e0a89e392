import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
const SCRIPT = '"><script>alert(1)</script>'
beforeAll(async () => {
  app = await startTestApp()
  const rows = Array.from({ length: 400 }, (_, n) => `${2000 + (n % 20)},${n % 3 ? 'Cluj' : 'Alba'},${n}`)
  const csv = `year,county,vehicle_count\n${rows.join('\n')}\n`
  const definition = {
    title: 'Parcul auto',
    publisher: 'Direcția <b>Auto</b>',
    license: 'CC-BY-4.0',
    description: 'Vehicule pe județe',
  }
  await app.ingestCsv(csv, { id: 'vehicles', domain: 'transport', definition })
  await app.ingestCsv(csv, { id: 'hostile', domain: 'transport', definition: { title: SCRIPT } })
  await app.ingestCsv(csv, { id: 'closed', domain: 'transport' })
  await app.app.catalog.edit('closed', { dataset: {}, columns: {}, open: false })
})
afterAll(() => app.stop())

const look = (path: string, headers: Record<string, string> = {}) =>
  app.get(path, { key: null, headers: { accept: 'text/html', ...headers } })

/** The links in a page. */
const linksOf = (html: string) => html.match(/<a [^>]*>/g) ?? []

describe('a frame', () => {
  test.each(['summary', 'rows'])(
    'of the view %s has no cookie, script, form or header, and its links open outside it',
    async (view) => {
      const { status, text, headers } = await look(`/embed/vehicles?view=${view}&lang=ro`, {
        cookie: 'izvor=1',
      })
      expect(status).toBe(200)
      expect(headers.get('set-cookie')).toBeNull()
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors *",
      )
      expect(headers.get('x-frame-options')).toBeNull()
      expect(text).not.toMatch(/<(script|form|input|button|header|iframe)\b/)
      expect(text).toContain('<html lang="ro">')
      const links = linksOf(text)
      expect(links.length).toBeGreaterThan(1)
      for (const link of links) expect(link).toStartWith('<a target="_blank" rel="noopener nofollow" ')
      for (const link of links) expect(link.match(/ rel=/g)).toHaveLength(1)
      const shown = view === 'rows' ? '' : `/${view}`
      expect(text).toContain(`href="/datasets/vehicles${shown}?lang=ro"`)
      for (const words of ['Parcul auto', 'Direcția &lt;b>Auto', 'CC-BY-4.0', '<time'])
        expect(text).toContain(words)
    },
  )

  test('shows the figures of the page with the same parameters', async () => {
    const query = 'rows=county&measure=sum(vehicle_count)&year[gte]=2010&lang=en'
    const [page, frame] = await Promise.all([
      look(`/datasets/vehicles/summary?${query}`),
      look(`/embed/vehicles?view=summary&${query}`),
    ])
    const figures = (html: string) =>
      [
        .../<table[\s\S]*?<\/table>/
          .exec(html)![0]
          .matchAll(/<td class="number">(?:<svg[\s\S]*?<\/svg>)?([^<]*)/g),
      ].map(([, text]) => text)
    expect(figures(frame.text)).toEqual(figures(page.text))
    expect(figures(frame.text).length).toBeGreaterThan(2)
  })

  test('is in the language of lang, else of the browser', async () => {
    expect((await look('/embed/vehicles?lang=en')).text).toContain('<html lang="en">')
    expect((await look('/embed/vehicles', { 'accept-language': 'en' })).text).toContain('<html lang="en">')
    expect((await look('/embed/vehicles', { 'accept-language': 'ro' })).text).toContain('<html lang="ro">')
  })

  test('has a tag, and is below 25 KB with its style', async () => {
    const { headers, text } = await look('/embed/vehicles?view=rows&lang=en')
    const tag = headers.get('etag')!
    expect((await look('/embed/vehicles?view=rows&lang=en', { 'if-none-match': tag })).status).toBe(304)
    const style = /href="(\/assets\/style[^"]+)"/.exec(text)![1]!
    const sizes = await Promise.all(
      ['/embed/vehicles?view=rows', '/embed/vehicles?view=summary', style].map(async (path) => {
        const answer = await app.fetch(path, {
          key: null,
          headers: { accept: 'text/html', 'accept-encoding': 'gzip' },
        })
        return Number(answer.headers.get('content-length'))
      }),
    )
    for (const size of sizes) expect(size).toBeGreaterThan(500)
    expect(Math.max(sizes[0]!, sizes[1]!) + sizes[2]!).toBeLessThan(25_000)
  })

  test.each([
    ['/embed/vehicles?view=table', 422, 'view'],
    ['/embed/vehicles?view=summary&view=rows', 422, 'view'],
    ['/embed/vehicles?view=rows&limit=5', 422, 'limit'],
    ['/embed/vehicles?view=summary&sort=year', 422, 'sort'],
    ['/embed/vehicles?view=rows&no_such=1', 422, 'no_such'],
    ['/embed/vehicles?view=summary&rows=no_such', 422, 'no_such'],
    ['/embed/no_such', 404, ''],
    ['/embed/closed', 401, ''],
  ])('%s is a page of status %i in the frame', async (path, status, word) => {
    const found = await look(`${path}${path.includes('?') ? '&' : '?'}lang=en`)
    expect(found.status).toBe(status)
    expect(found.headers.get('content-security-policy')).toEndWith('frame-ancestors *')
    expect(found.headers.get('cache-control')).toBe('no-store')
    expect(found.text).toContain('<body class="embed">')
    expect(found.text).toContain(word)
    expect(found.text).not.toMatch(/<(table|svg)/)
  })

  test('counts like rows without a key, and is refused within the frame', async () => {
    const other = await startTestApp({ settings: { public_per_minute: 2 } })
    try {
      await other.ingestCsv('a,b\n1,2\n1,3\n', { id: 'few', domain: 'economy' })
      const ask = () => other.get('/embed/few?lang=en', { key: null, headers: { accept: 'text/html' } })
      expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
      const { status, text, headers } = await ask()
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      expect(text).toContain('<body class="embed">')
    } finally {
      await other.stop()
    }
  })

  test('is shown only on the sites of embed_hosts, and is closed by public_browsing', async () => {
    const flags = { embed_hosts: 'example.org, *.example.com', public_browsing: 'false' }
    const other = await startTestApp({ flags })
    try {
      await other.ingestCsv('a,b\n1,2\n', { id: 'few', domain: 'economy' })
      const { status, headers } = await other.get('/embed/few', {
        key: null,
        headers: { accept: 'text/html' },
      })
      expect(status).toBe(401)
      expect(headers.get('content-security-policy')).toEndWith('frame-ancestors example.org *.example.com')
    } finally {
      await other.stop()
    }
  })

  test('is the only page that may be framed', async () => {
    for (const path of [
      '/',
      '/datasets/vehicles',
      '/datasets/vehicles/summary',
      '/docs/guides',
      '/account/login',
      '/nothing',
      '/oembed',
      '/v1/datasets',
    ]) {
      const { headers } = await look(path)
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringContaining("frame-ancestors 'none'"),
      ])
    }
  })
})

describe('hostile texts', () => {
  test('in a title and in parameters stay texts', async () => {
    const attack = encodeURIComponent(SCRIPT)
    for (const path of [
      `/embed/hostile?view=rows&lang=en`,
      `/embed/hostile?view=summary&county[eq]=${attack}`,
      `/embed/hostile?view=${attack}`,
      `/embed/hostile?view=rows&${attack}=1`,
      `/embed/hostile?view=summary&rows=${attack}`,
      `/embed/${attack}`,
      `/datasets/hostile/summary?county[ne]=${attack}`,
      `/datasets/hostile?county[ne]=${attack}`,
    ]) {
      const { text } = await look(path)
      expect(text).not.toContain('<script>alert')
    }
  })

  test('cannot break out of the code to copy', async () => {
    const { text } = await look('/datasets/hostile/summary?lang=en')
    const field = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(text)![1]!
    const code = field
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    expect(code).toMatch(/^<iframe [^<>]*><\/iframe>$/)
    expect(code).toContain('title="&quot;&gt;&lt;script')
  })
})

describe('oEmbed', () => {
  const ask = (url: string, more = '') =>
    app.get(`/oembed?url=${encodeURIComponent(url.replace(/^\//, `${app.url}/`))}${more}`, { key: null })

  test('describes the frame of a page', async () => {
    const { status, body, headers } = await ask('/datasets/vehicles/summary?rows=county&lang=ro')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: 'Parcul auto',
      width: 720,
      height: 480,
    })
    const src = /src="([^"]+)"/.exec(body.html)![1]!.replaceAll('&amp;', '&')
    expect(src).toBe(`${app.url}/embed/vehicles?view=summary&rows=county&lang=ro`)
    expect((await look(src.slice(app.url.length))).status).toBe(200)
  })

  test.each([
    '/datasets/vehicles',
    '/datasets/vehicles?county[eq]=Cluj#explore',
    '/datasets/vehicles/summary',
    '/embed/vehicles?view=rows',
  ])('describes a frame that works for %s', async (url) => {
    const { body } = await ask(url)
    const src = /src="([^"]+)"/.exec(body.html)![1]!.replaceAll('&amp;', '&')
    expect((await look(src.slice(app.url.length))).status).toBe(200)
  })

  test('keeps within the requested size', async () => {
    const { body } = await ask('/datasets/vehicles', '&maxwidth=300&maxheight=200')
    expect(body).toMatchObject({ width: 300, height: 200 })
    expect(body.html).toContain('width="300" height="200"')
    expect(body.thumbnail_url).toBeUndefined()
    const large = (await ask('/datasets/vehicles', '&maxwidth=99999')).body
    expect(large).toMatchObject({ width: 720, thumbnail_width: 1200, thumbnail_height: 630 })
    expect(large.thumbnail_url).toStartWith(`${app.url}/datasets/vehicles/summary.png`)
  })

  test.each([
    ['https://example.org/datasets/vehicles', '', 404, 'not_found'],
    ['/docs', '', 404, 'not_found'],
    ['/datasets/no_such', '', 404, 'dataset_not_found'],
    ['/datasets/closed', '', 401, 'api_key_missing'],
    ['/datasets/vehicles', '&format=xml', 422, 'invalid_format'],
    ['/datasets/vehicles', '&maxwidth=-1', 422, 'invalid_value'],
    ['/datasets/vehicles', '&callback=x', 422, 'unknown_parameter'],
    ['', '', 422, 'invalid_value'],
  ])('%s with %s is %i', async (url, more, status, code) => {
    const found = await ask(url, more)
    expect([found.status, found.body.error.code]).toEqual([status, code])
  })

  test('is linked from the pages of open datasets', async () => {
    for (const path of ['/datasets/vehicles', '/datasets/vehicles/summary?rows=county']) {
      const { text } = await look(path)
      const href = /type="application\/json\+oembed"[^>]*href="([^"]+)"/
        .exec(text)![1]!
        .replaceAll('&amp;', '&')
      const { status, body } = await app.get(href.slice(app.url.length), { key: null })
      expect([status, body.type]).toEqual([200, 'rich'])
      expect(text).toContain('<meta property="og:description" content="Vehicule pe județe"')
    }
    expect((await look('/datasets/closed')).text).not.toContain('json+oembed')
  })
})
