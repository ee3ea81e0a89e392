/** The manual: guides in both languages, with examples that run unchanged. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPlans } from '../../src/accounts/keys/plans.ts'
import { ERROR_CODES, ERROR_STATUS } from '../../src/base/error-codes.ts'
import { OPERATORS } from '../../src/engine/operators.ts'
import { planMarkdown } from '../../src/pages/docs/guide-page.tsx'
import { GUIDES } from '../../src/pages/docs/guides.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { TOWNS } from '../support/towns.ts'

const DOCS = join(import.meta.dir, '../../docs')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const rows = ['Alba,Aiud,1', 'Cluj,Dej,2', '"Cluj, ""nou""",Turda,3', '"<b>",Blaj,4', ',,']
  await app.ingestCsv(`county,town,people\n${rows.join('\n')}\n`, { id: 'places', domain: 'economy' })
})
afterAll(() => app.stop())

const PAGES = GUIDES.flatMap(({ path }) => (['ro', 'en'] as const).map((lang) => [path, lang] as const))
const open = { key: null, headers: { accept: 'text/html' } }

function unescaped(html: string): string {
  return html
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

async function textOf(path: string, lang: string): Promise<string> {
  const { status, text, headers } = await app.get(`${path}?lang=${lang}`, open)
  expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
  return text
}

describe('guides', () => {
  test.each(PAGES)('%s in %s declares its language and has no placeholder left', async (path, lang) => {
    const text = await textOf(path, lang)
    expect(text).toStartWith(`<!doctype html><html lang="${lang}">`)
    expect(text).not.toContain('{{')
    expect(text).not.toContain('{#')
    expect(text.match(/<h1/g)).toHaveLength(1)
  })

  test.each(PAGES)('every example of %s in %s is answered', async (path, lang) => {
    const text = unescaped(await textOf(path, lang))
    const shells = [...text.matchAll(/\$IZVOR_KEY" "(http[^"]+)"/g)].map((match) =>
      match[1]!.slice(app.url.length),
    )
    const requests = [...text.matchAll(/<div class="note row spread"><code>GET (\S+)<\/code>/g)].map(
      (match) => match[1]!,
    )
    // Addresses in programs in other languages and in the sample answer.
    const addresses = [...text.matchAll(/["'](http:[^"']+)["']/g)]
      .map((match) => match[1]!)
      .filter((address) => address.startsWith(`${app.url}/`))
      .map((address) => address.slice(app.url.length))
    for (const request of [...shells, ...requests, ...addresses]) {
      const { status, text: answer } = await app.get(request)
      const expected = /\[gt\]=(many|mult)$/.test(request) ? 422 : 200
      expect([request, status, answer]).toEqual([request, expected, answer])
    }
    if (/first-call|queries|paging/.test(path)) expect(shells.length + requests.length).toBeGreaterThan(2)
  })

  test.each(PAGES)('every link of %s in %s leads somewhere, its anchor included', async (path, lang) => {
    const text = unescaped(await textOf(path, lang))
    const addresses = new Set([...text.matchAll(/ href="([/#][^"]*)"/g)].map((match) => match[1]!))
    for (const address of addresses) {
      // The test above covers the one example of a mistake.
      if (address.endsWith('[gt]=many') || address.endsWith('[gt]=mult')) continue
      const [target, anchor] = address.split('#') as [string, string | undefined]
      const page = await app.get(target === '' ? path : target, open)
      // Account pages and the desk redirect visitors to the sign-in.
      expect([address, page.status]).toEqual([address, /^\/(account|publish)\?/.test(address) ? 302 : 200])
      if (anchor) expect([address, page.text.includes(`id="${anchor}"`)]).toEqual([address, true])
    }
  })

  test('the documents name one dataset of the demo, the guides none', () => {
    for (const { name, text } of GUIDES)
      expect([
        name,
        `${text.en}${text.ro}`.match(/vehicle_registry|127\.0\.0\.1|\.md\)|<!--|<a id/g),
      ]).toEqual([name, null])
  })

  test.each(['ro', 'en'] as const)(
    'the table of plans in the document in %s is that of a new service',
    async (lang) => {
      const document = readFileSync(join(DOCS, lang === 'en' ? 'limits.md' : 'ro/limits.md'), 'utf8')
      const [, table] = document.match(/<!-- plans -->\n\n((?:\|.*\n)+)/)!
      expect(table).toBe(`${planMarkdown(await listPlans(app.app.accounts), lang)}\n`)
    },
  )

  test('a link to a document that is not a guide becomes plain text', async () => {
    for (const [lang, words] of [
      ['ro', 'Depanarea'],
      ['en', 'Troubleshooting'],
    ] as const) {
      const text = await textOf('/docs/guides/publishing', lang)
      expect(text).toContain(words)
      expect(text).not.toMatch(/href="[^"]*(troubleshooting|\.\.)/)
      // The pages that the desk redirects to.
      expect(text).toContain('id="publish-on-the-page"')
    }
  })

  test('both languages have the same sections', () => {
    for (const { name, text } of GUIDES) {
      const sections = (markdown: string) => markdown.match(/\{#[\w-]+\}|^### .*|\{\{\w+\}\}|^```\w.*/gm)
      expect([name, sections(text.ro)]).toEqual([name, sections(text.en)])
    }
  })

  test.each(['ro', 'en'])('every error code has a section in %s, with its status', async (lang) => {
    const text = await textOf('/docs/guides/errors', lang)
    for (const code of ERROR_CODES) {
      expect(text).toContain(
        `<h3 id="${code}"><code>${code}</code> <span class="tag">${ERROR_STATUS[code]}</span>`,
      )
      expect(text).toContain(`<a href="#${code}">`)
    }
    expect(text.match(/<h3 /g)).toHaveLength(ERROR_CODES.length)
  })

  test.each(['ro', 'en'])('every operator has a section in %s', async (lang) => {
    const text = await textOf('/docs/guides/queries', lang)
    const sections = [...text.matchAll(/<h3 id="(\w+)"/g)].map((match) => match[1]!)
    expect(sections).toEqual([...OPERATORS])
  })

  test.each(['ro', 'en'])('the sample error in %s is the one that the service sends', async (lang) => {
    const text = unescaped(await textOf('/docs/guides/errors', lang))
    const { error } = JSON.parse(text.match(/\{\s*"error": \{.*?\n\}/s)![0].replaceAll(/<[^>]*>/g, ''))
    const { body } = await app.get('/v1/economy/places?countyy=Cluj')
    const detail = body.error.detail.map((problem: object) => ({ ...problem, message: '…' }))
    expect({ ...body.error, detail }).toMatchObject(error)
  })

  test('every error links to its section', async () => {
    for (const [path, code] of [
      ['/v1/economy/places?nothing=1', 'unknown_column'],
      ['/v1/nowhere/nothing', 'dataset_not_found'],
      ['/nothing', 'not_found'],
      ['/account/api/me', 'unauthenticated'],
    ] as const) {
      const { headers, body } = await app.get(path)
      expect(body.error.code).toBe(code)
      expect(headers.get('link')).toBe(`<${app.url}/docs/guides/errors#${code}>; rel="help"`)
    }
  })

  test('values of a dataset cannot break out of an example', async () => {
    const hostile = await startTestApp()
    try {
      const nasty = '"</code><script>alert(1)</script>\'$(x)`y`'
      const csv = `name,amount\n"${nasty.replaceAll('"', '""')}",1\n"<img src=x onerror=y>",2\n`
      await hostile.ingestCsv(csv, { id: 'nasty', domain: 'economy' })
      for (const { path } of GUIDES) {
        const { text } = await hostile.get(path, open)
        expect(text).not.toContain('<script>alert')
        expect(text).not.toContain('<img')
        for (const [, line] of unescaped(text).matchAll(/"Authorization: Bearer \$IZVOR_KEY" "([^\n]*)/g)) {
          expect(line).not.toMatch(/[$`'](?!\w*["?])/)
        }
      }
    } finally {
      await hostile.stop()
    }
  })

  test('without a suitable dataset, examples say that theirs is invented', async () => {
    const empty = await startTestApp()
    try {
      const { text } = await empty.get('/docs/guides/queries?lang=en', open)
      expect(text).toContain('made-up')
      expect(text).toContain('/v1/transport/vehicle_registry')
      expect(text).not.toContain('/datasets/vehicle_registry')
      await empty.publish(TOWNS)
      expect((await empty.get('/docs/guides/queries?lang=en', open)).status).toBe(200)
    } finally {
      await empty.stop()
    }
  })

  test('without public browsing no example links to rows without a key', async () => {
    const closed = await startTestApp({ flags: { public_browsing: 'false' } })
    try {
      await closed.ingestCsv('county,people\nAlba,1\nCluj,2\n', { id: 'places', domain: 'economy' })
      const { text } = await closed.get('/docs/guides/queries', open)
      expect(text).toContain('/v1/economy/places')
      expect(text).not.toContain('/datasets/places/rows')
    } finally {
      await closed.stop()
    }
  })

  test('plans are those of this service', async () => {
    expect(await textOf('/docs/guides/limits', 'en')).toContain('10,000')
    expect(await textOf('/docs/guides/limits', 'ro')).toContain('10.000')
    expect(await textOf('/docs/guides/limits', 'en')).not.toContain('unlimited')
  })

  test.each(PAGES)('%s in %s is available as Markdown too', async (path, lang) => {
    const { status, headers, text } = await app.get(`${path}.md?lang=${lang}`, { key: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(text).toStartWith('# ')
    expect(text).not.toMatch(/\{\{|\{#/)
    const again = { key: null, headers: { 'if-none-match': headers.get('etag')! } }
    expect((await app.get(`${path}.md?lang=${lang}`, again)).status).toBe(304)
  })

  test('a guide that does not exist is 404, as a page', async () => {
    const page = await app.get('/docs/guides/nothing', open)
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect((await app.get('/docs/guides/nothing')).body.error.code).toBe('not_found')
  })

  test('the index links to every guide and to the reference', async () => {
    const text = await textOf('/docs/guides', 'en')
    for (const { path } of GUIDES) expect(text).toContain(`href="${path}?lang=en"`)
    expect(text).toContain('href="/docs"')
  })
})
