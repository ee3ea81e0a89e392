/** Addresses: what is fetched, what is refused, and what the messages say. */

import { expect, onTestFinished, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { CommandError } from '../../src/base/errors.ts'
import { Networks } from '../../src/base/text/ip-address.ts'
import { fileNameOf, isAddress, publicUrl, readUrl, showAddress } from '../../src/publish/fetch/address.ts'
import { type FetchOptions, fetchSource } from '../../src/publish/fetch/fetch-source.ts'
import { FOR_PUBLISHERS, findPlace } from '../../src/publish/fetch/place.ts'
import { FETCH_LIMITS, type FetchLimits } from '../../src/publish/fetch/watch.ts'
import { tempDir } from '../support/temp-dir.ts'
import { selfSigned, startRawServer, startWebServer } from '../support/web-server.ts'

const CSV = 'town,people\nCluj-Napoca,286598\nIași,271692\n'
/** One time-out shortened: a busy machine must not use up the others. */
const QUICK: Readonly<Record<'answer' | 'slow' | 'total', FetchLimits>> = {
  answer: { ...FETCH_LIMITS, answerMs: 300 },
  slow: { ...FETCH_LIMITS, slowMs: 400, slowBytes: 100 },
  total: { ...FETCH_LIMITS, totalMs: 400 },
}

async function fetched(address: string, options: Partial<FetchOptions> = {}) {
  const source = await fetchSource(address, { workFolder: tempDir(), maxBytes: 1e6, ...options })
  if (source === null) throw new Error('unchanged')
  return { ...source, text: readFileSync(source.source.path, 'utf8') }
}

async function refusal(address: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const error = await fetchSource(address, {
    workFolder: tempDir(),
    maxBytes: 1e6,
    ...options,
  })
    .then(() => null)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CommandError)
  return (error as CommandError).message
}

test('a file is fetched with its name, hash and validators, and progress counts to its length', async () => {
  const headers = { etag: '"v1"', 'last-modified': 'Mon, 02 Jun 2025 06:00:00 GMT' }
  const { url, requests } = startWebServer(() => new Response(CSV, { headers }))
  const progress: [number, number | null][] = []
  const result = await fetched(`${url}/date/Popula%C8%9Bie%202025.csv?an=2025#sus`, {
    onProgress: ({ bytes, totalBytes }) => progress.push([bytes, totalBytes]),
  })
  expect(result.text).toBe(CSV)
  expect(result.source.name).toBe('Populație 2025.csv')
  expect(result.source.bytes).toBe(Buffer.byteLength(CSV))
  expect(result.sha256).toBe(new Bun.CryptoHasher('sha256').update(CSV).digest('hex'))
  expect(result.file).toEqual({
    url: `${url}/date/Popula%C8%9Bie%202025.csv?an=2025`,
    etag: '"v1"',
    lastModified: headers['last-modified'],
  })
  expect(progress.at(-1)).toEqual([Buffer.byteLength(CSV), Buffer.byteLength(CSV)])
  expect(requests[0]?.headers.get('user-agent')).toStartWith('izvor/')
  expect([result.decisions, result.warnings]).toEqual([[], []])
})

test('a known file is requested with its validators, and 304 means unchanged', async () => {
  const { url, requests } = startWebServer((request) =>
    request.headers.get('if-none-match') === '"v1"'
      ? new Response(null, { status: 304 })
      : new Response(CSV, { headers: { etag: '"v1"' } }),
  )
  const { file } = await fetched(`${url}/a.csv`)
  const options = { workFolder: tempDir(), maxBytes: 1e6 }
  expect(await fetchSource(`${url}/a.csv`, { ...options, known: file })).toBeNull()
  // What is known of one address says nothing about another.
  expect(await fetchSource(`${url}/b.csv`, { ...options, known: file })).not.toBeNull()
  expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"v1"', null])
})

test('a server that knows only times is asked by time', async () => {
  const { url, requests } = startWebServer((request) => {
    const time = 'Mon, 02 Jun 2025 06:00:00 GMT'
    if (request.headers.get('if-modified-since') === time) return new Response(null, { status: 304 })
    return new Response(CSV, { headers: { 'last-modified': time } })
  })
  const { file } = await fetched(`${url}/a.csv`)
  expect(await fetchSource(`${url}/a.csv`, { workFolder: tempDir(), maxBytes: 1e6, known: file })).toBeNull()
  expect(requests[1]?.headers.get('if-none-match')).toBeNull()
})

test('a 304 to an unconditional request is not a file', async () => {
  const { url } = startWebServer(() => new Response(null, { status: 304 }))
  expect(await refusal(`${url}/a.csv`)).toContain('HTTP 304')
})

test('a compressed transfer is decompressed, even when only the header says so', async () => {
  const packed = gzipSync(CSV)
  const { url } = startWebServer((request) => {
    const { pathname } = new URL(request.url)
    const bodies = new Map([
      ['/packed.csv', packed],
      ['/short.csv', packed.subarray(0, 30)],
    ])
    const body = bodies.get(pathname) ?? CSV
    return new Response(body, { headers: { 'content-encoding': pathname === '/br.csv' ? 'br' : 'gzip' } })
  })
  expect((await fetched(`${url}/packed.csv`)).text).toBe(CSV)
  expect((await fetched(`${url}/plain.csv`)).text).toBe(CSV)
  expect(await refusal(`${url}/br.csv`)).toContain('packed as br')
  expect(await refusal(`${url}/short.csv`)).toContain('cannot be unpacked')
})

test('a body that expands without end is refused long before the disk is full', async () => {
  const bomb = gzipSync(new Uint8Array(150_000_000))
  const { url } = startWebServer(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
  expect(await refusal(`${url}/bomb.csv`, { maxBytes: 1e9 })).toContain('grows more than 200 times')
})

const STATUSES: readonly (readonly [number, RegExp])[] = [
  [401, /without signing in.*401/],
  [403, /without signing in.*403/],
  [404, /no file at this address.*404/],
  [410, /no file at this address.*410/],
  [429, /cannot answer now.*429/],
  [418, /does not give the file.*418/],
  [500, /cannot answer now.*500/],
  [503, /cannot answer now.*503/],
]
for (const [status, expected] of STATUSES) {
  test(`status ${status} is reported with its meaning`, async () => {
    const { url } = startWebServer(() => new Response('a,b\n1,2\n', { status }))
    expect(await refusal(`${url}/a.csv`)).toMatch(expected)
  })
}

test('a page in place of a file is refused, with a hint for catalogues', async () => {
  const { url } = startWebServer(
    () => new Response('<!doctype html><title>x</title>', { headers: { 'content-type': 'text/html' } }),
  )
  expect(await refusal(`${url}/download`)).toContain('a page at this address, not a file')
  expect(await refusal(`${url}/dataset/parc-auto`)).toContain(`ckan:${url}/dataset/parc-auto`)
})

test('a table that a server labels as a page is a table', async () => {
  const { url } = startWebServer(() => new Response(CSV, { headers: { 'content-type': 'text/html' } }))
  expect((await fetched(`${url}/a.csv`)).text).toBe(CSV)
})

const BROKEN: readonly (readonly [string, string, boolean, RegExp, FetchLimits?])[] = [
  [
    'stops before the announced end',
    'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\na,b\n1,',
    true,
    /broke off before the end of its 500 bytes/,
  ],
  [
    'stops in the middle of a chunked body',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\na,b\n\r\n',
    true,
    /broke off before its end/,
  ],
  [
    'falls silent in the middle',
    'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\na,b\n1,',
    false,
    /is too slow: less than 100 bytes came in 0.4 s/,
    QUICK.slow,
  ],
  ['never answers', '', false, /does not answer: nothing came for 0.3 s/, QUICK.answer],
  ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', true, /The connection to .* failed/],
  ['closes at once', '', true, /The connection to .* broke off/],
]
for (const [what, words, ends, expected, limits] of BROKEN) {
  test(`a server that ${what} is an error that says so`, async () => {
    const url = await startRawServer((socket) => {
      if (words !== '') socket.write(words)
      if (ends) socket.end()
    })
    expect(await refusal(`${url}/a.csv`, limits && { limits })).toMatch(expected)
  })
}

test('a server that trickles is abandoned, by its rate or by its total time', async () => {
  const url = await startRawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(drip))
  })
  expect(await refusal(`${url}/a.csv`, { limits: QUICK.slow })).toContain('is too slow')
  expect(await refusal(`${url}/a.csv`, { limits: QUICK.total })).toContain('takes longer than 0.4 s')
})

test('a body longer than its limit is refused, announced or not', async () => {
  const { url } = startWebServer((request) => {
    if (request.url.endsWith('/announced')) return new Response('x'.repeat(5000))
    const endless = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('x'.repeat(400)))
      },
    })
    return new Response(endless)
  })
  for (const path of ['announced', 'endless'])
    expect(await refusal(`${url}/${path}`, { maxBytes: 1000 })).toContain('larger than 1 KB')
})

test('a missing server is an error that says so', async () => {
  expect(await refusal('http://127.0.0.1:1/a.csv')).toContain('does not answer')
  expect(await refusal('http://nowhere.invalid/a.csv')).toContain('no server called')
})

test('redirects are followed, and another server is reported', async () => {
  const other = startWebServer(() => new Response(CSV))
  const { url } = startWebServer((request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/start.csv') return Response.redirect('/next', 302)
    return Response.redirect(`${other.url}/storage/1234`, 307)
  })
  const result = await fetched(`${url}/start.csv`)
  expect(result.text).toBe(CSV)
  expect(result.source.name).toBe('start.csv')
  expect(result.decisions).toEqual([
    { kind: 'redirect', reason: expect.stringContaining(new URL(other.url).host), override: null },
  ])
})

test('redirects in a circle, too far, or to no address are refused', async () => {
  const { url } = startWebServer((request) => {
    const { pathname } = new URL(request.url)
    const step = Number(/^\/far\/(\d+)/.exec(pathname)?.[1] ?? -1)
    const location = step >= 0 ? `/far/${step + 1}` : pathname === '/file' ? 'file:///etc/passwd' : '/circle'
    return new Response(null, { status: 301, headers: { location } })
  })
  expect(await refusal(`${url}/circle`)).toContain('in a circle')
  expect(await refusal(`${url}/far/0`)).toContain('more than 5 times')
  expect(await refusal(`${url}/file`)).toContain('leads elsewhere, where there is no file')
})

test('https is never left for http, and its certificate must be valid', async () => {
  const tls = selfSigned(tempDir())
  if (tls === null) return console.log('skipped: without openssl there is no certificate to serve with')
  const plain = startWebServer(() => new Response(CSV))
  const { url } = startWebServer((request) => {
    const to = new URL(request.url).pathname === '/down' ? `${plain.url}/a.csv` : '/a.csv'
    return request.url.endsWith('/a.csv') ? new Response(CSV) : Response.redirect(to, 302)
  }, tls)
  expect(url).toStartWith('https://')
  expect(await refusal(`${url}/a.csv`)).toContain('cannot be trusted')
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  expect((await fetched(`${url}/same`)).text).toBe(CSV)
  expect(await refusal(`${url}/down`)).toContain('without encryption')
  expect(plain.requests).toEqual([])
})

test('five redirects are followed', async () => {
  const { url } = startWebServer((request) => {
    const step = Number(new URL(request.url).pathname.slice(1))
    return step === 5 ? new Response(CSV) : Response.redirect(`/${step + 1}`, 302)
  })
  expect((await fetched(`${url}/0`)).text).toBe(CSV)
})

/** Of the loopback, 127.0.0.1 plays a network behind a firewall, and 127.0.0.2 the public internet. */
const INSIDE = Networks.of(['127.0.0.1'])
const namesOf =
  (names: Readonly<Record<string, readonly string[]>>) =>
  async (host: string): Promise<readonly string[]> =>
    names[host] ?? []

test('a public address does not lead into a private network, by address, by name or by a name on both sides', async () => {
  const inside = startWebServer(() => new Response(CSV))
  const port = new URL(inside.url).port
  const to = (request: Request) => `http://${new URL(request.url).searchParams.get('to')}/secret.csv`
  const open = startWebServer((request) => Response.redirect(to(request), 302), undefined, '127.0.0.2')
  const resolve = namesOf({
    'open.example': ['127.0.0.2'],
    'inside.example': ['127.0.0.1'],
    'both.example': ['127.0.0.2', '127.0.0.1'],
  })
  const from = `http://open.example:${new URL(open.url).port}/a.csv?to=`
  const guard = { resolve, inside: INSIDE }
  for (const host of ['127.0.0.1', 'inside.example'])
    expect(await refusal(`${from}${host}:${port}`, guard)).toContain('inside a private network')
  expect(await refusal(`${from}both.example:${port}`, guard)).toContain(
    'inside a private network and outside',
  )
  // The source may not lead to such a name either: its redirects would be judged as those of an inner host.
  expect(await refusal(`http://both.example:${port}/a.csv`, guard)).toContain('and outside')
  expect(inside.requests).toEqual([])
  // A request from inside may be redirected inside.
  const { text, network } = await fetched(`http://inside.example:${port}/a.csv`, guard)
  expect([text, network]).toEqual([CSV, 'private'])
})

test('a name is looked up once per request, and the connection goes to the judged address', async () => {
  const inside = startWebServer(() => new Response('secret'))
  const port = Number(new URL(inside.url).port)
  const open = startWebServer(() => new Response(CSV), undefined, '127.0.0.2', port)
  const answers = [['127.0.0.2'], ['127.0.0.1']]
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return answers.shift() ?? []
  }
  const { text, network } = await fetched(`http://rebinding.example:${port}/a.csv`, {
    resolve,
    inside: INSIDE,
  })
  expect([text, network, asked, inside.requests]).toEqual([CSV, 'public', ['rebinding.example'], []])
  expect(open.requests[0]?.headers.get('host')).toBe(`rebinding.example:${port}`)
  // A second look-up leads inside, where nobody else may ask.
  const only = FOR_PUBLISHERS
  const again = await refusal(`http://rebinding.example:${port}/a.csv`, { resolve, inside: INSIDE, only })
  expect(again).toContain('from which the service fetches nothing')
  expect(inside.requests).toEqual([])
})

test('of several addresses the first that answers is used; a name without any is reported as unknown', async () => {
  const { url } = startWebServer(() => new Response(CSV))
  const resolve = namesOf({ 'two.example': ['127.0.0.3', '127.0.0.1'] })
  expect((await fetched(`http://two.example:${new URL(url).port}/a.csv`, { resolve })).text).toBe(CSV)
  expect(await refusal('http://none.example/a.csv', { resolve })).toContain('no server called')
})

test('addresses outside the public internet are distinguished from those in it', async () => {
  const networkOf = async (host: string) =>
    (await findPlace(new URL(`http://${host}/`), { resolve: async () => ['93.184.216.34'] })).network
  const inside = [
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['2130706433', '0x7f.1', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:a9fe:a9fe]', '[::7f00:1]'],
    ...['[fe80::1]', '[fec0::1]', '[fd00::1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
    ...['[::ffff:0:7f00:1]', '[100::1]', '[ff02::1]'],
  ]
  for (const host of inside) expect([host, await networkOf(host)]).toEqual([host, 'private'])
  for (const host of ['93.184.216.34', '172.32.0.1', '[2606:2800::1]', '[2001:4860::8888]', 'example.org'])
    expect([host, await networkOf(host)]).toEqual([host, 'public'])
})

test('a user and a password reach the intended server, no other one, and no message', async () => {
  const other = startWebServer(() => new Response('', { status: 403 }))
  const { url, requests } = startWebServer((request) =>
    new URL(request.url).pathname === '/moved'
      ? Response.redirect(`${other.url}/a.csv`, 302)
      : new Response(CSV),
  )
  const { host } = new URL(url)
  const result = await fetched(`http://ana:p%C3%A2r%40la@${host}/a.csv?token=t0psecret&an=2025`)
  const sent = requests[0]?.headers.get('authorization')
  expect(sent).toBe(`Basic ${Buffer.from('ana:pâr@la').toString('base64')}`)
  expect(requests[0]?.url).toContain('token=t0psecret')
  expect(JSON.stringify({ ...result, text: '' })).not.toMatch(/ana|p%C3|t0psecret/)
  expect(result.address).toBe(`http://${host}/a.csv?an=2025`)
  expect(result.warnings).toEqual([{ code: 'secret_not_kept', values: { host } }])
  const message = await refusal(`http://ana:geheim@${host}/moved`)
  expect(message).not.toContain('geheim')
  expect(other.requests[0]?.headers.get('authorization')).toBeNull()
})

test('a displayed address never holds its password', () => {
  const secret = fc.stringMatching(/^[a-zA-Z0-9]{8,20}$/)
  fc.assert(
    fc.property(secret, fc.constantFrom('ckan:', ''), fc.webPath(), (password, scheme, path) => {
      const address = `${scheme}https://somebody:Q${password}Q@example.org${path}?api_key=Q${password}Q&x=1`
      expect(showAddress(address)).not.toContain(`Q${password}Q`)
      expect(publicUrl(readUrl(address))).toContain('x=1')
    }),
  )
  expect(showAddress('https://me:secret@exa mple/')).not.toContain('secret')
  for (const name of [
    'authToken',
    'clientSecret',
    'sessiontoken',
    'a[token]',
    '%74oken',
    'subscription-key',
    'jwt',
  ])
    expect(showAddress(`https://example.org/a?${name}=s&x=1`)).toBe('https://example.org/a?x=1')
  expect(showAddress('https://example.org/a?monkey=s&keyword=x')).toContain('monkey=s&keyword=x')
})

test('addresses are distinguished from paths, and names come from their last segment', () => {
  expect(['https://a/b', 'HTTP://A', 'ckan:https://a/b'].map(isAddress)).toEqual([true, true, true])
  expect(['a.csv', '-', './https/a', 'ftp://a/b', 'httpsfile'].map(isAddress)).toEqual(Array(5).fill(false))
  expect(fileNameOf(new URL('https://e.org/a/b%2Fc.csv?x#y'))).toBe('b/c.csv')
  expect(fileNameOf(new URL('https://e.org/%FF.csv'))).toBe('%FF.csv')
  expect(fileNameOf(new URL('https://e.org/'))).toBe('e.org')
  expect(fileNameOf(new URL('https://e.org/a%0A%1B[2Jb.csv'))).toBe('a [2Jb.csv')
  expect(fileNameOf(new URL(`https://e.org/${'x'.repeat(5000)}`))).toHaveLength(255)
})
