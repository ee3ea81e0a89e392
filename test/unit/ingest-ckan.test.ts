/** CKAN catalogues: a loopback server answers as the CKAN API guide says. */

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CommandError } from '../../src/base/errors.ts'
import { Networks } from '../../src/base/text/ip-address.ts'
import { type CkanFile, chooseResource, findCkanFile, type Resource } from '../../src/publish/fetch/ckan.ts'
import { fetchSource } from '../../src/publish/fetch/fetch-source.ts'
import { runs } from '../support/property-runs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { startWebServer } from '../support/web-server.ts'

const CSV = 'town,people\nCluj-Napoca,286598\n'

type Entry = Readonly<Record<string, unknown>>

const PACKAGE: Entry = {
  id: '5f1b7c1e-8d0c-4a51-9f43-0d9a5c2f1a10',
  name: 'populatie-orase',
  title: 'Populația orașelor',
  notes: 'Populația după domiciliu.',
  license_id: 'cc-by',
  license_title: 'Creative Commons Attribution',
  organization: { id: 'o-1', name: 'ins', title: 'Institutul Național de Statistică' },
  tags: [
    { name: 'populatie', display_name: 'populație' },
    { name: 'orase', display_name: 'orașe' },
  ],
}

interface Catalogue {
  readonly url: string
  readonly asked: string[]
}

/** A catalogue below a path, with one package; files are at `/file/…`. */
function startCatalogue(resources: readonly Entry[], path = '', hostname = '127.0.0.1'): Catalogue {
  const asked: string[] = []
  const { url } = startWebServer(
    (request) => {
      const { pathname, searchParams, origin } = new URL(request.url)
      asked.push(pathname)
      if (pathname.startsWith('/file/')) return new Response(CSV)
      if (pathname !== `${path}/api/3/action/package_show`)
        return new Response('<h1>404 Not Found</h1>', {
          status: 404,
          headers: { 'content-type': 'text/html' },
        })
      const help = `${origin}${path}/api/3/action/help_show?name=package_show`
      const id = searchParams.get('id')
      if (id === 'inchis') {
        const error = { __type: 'Authorization Error', message: 'Access denied' }
        return Response.json({ help, success: false, error }, { status: 403 })
      }
      if (id !== PACKAGE.id && id !== PACKAGE.name) {
        const error = { __type: 'Not Found Error', message: 'Not found' }
        return Response.json({ help, success: false, error }, { status: 404 })
      }
      const absolute = resources.map((entry) => ({
        ...entry,
        url: String(entry.url).replace(/^\//, `${origin}/`),
      }))
      return Response.json({ help, success: true, result: { ...PACKAGE, resources: absolute } })
    },
    undefined,
    hostname,
  )
  return { url, asked }
}

const RESOURCES: readonly Entry[] = [
  { id: 'r-meta', name: 'Descriere', format: 'PDF', url: '/file/descriere.pdf' },
  {
    id: 'r-csv',
    name: 'Populație',
    format: 'CSV',
    url: '/file/populatie.csv',
    last_modified: '2025-05-02T10:00:00',
  },
]

async function fetched(address: string) {
  const source = await fetchSource(address, { workFolder: tempDir(), maxBytes: 1e6 })
  if (source === null) throw new Error('unchanged')
  return source
}

async function refusal(address: string): Promise<CommandError> {
  const error = await fetched(address)
    .then(() => null)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(CommandError)
  return error as CommandError
}

test('a package gives its data and what it says about them', async () => {
  const { url } = startCatalogue(RESOURCES)
  const { about, source, decisions, address, file } = await fetched(`ckan:${url}/populatie-orase`)
  expect(about).toEqual({
    title: 'Populația orașelor',
    description: 'Populația după domiciliu.',
    publisher: 'Institutul Național de Statistică',
    license: 'Creative Commons Attribution',
    keywords: ['populație', 'orașe'],
    source_url: `${url}/file/populatie.csv`,
    source_package_id: PACKAGE.id as string,
  })
  expect([source.name, address, file.url]).toEqual([
    'populatie.csv',
    `ckan:${url}/populatie-orase`,
    `${url}/file/populatie.csv`,
  ])
  expect(decisions).toEqual([
    {
      kind: 'resource',
      reason: expect.stringMatching(/'Populație'.*the only table.*not taken: Descriere \(PDF\)/),
      override: 'ckan:ADDRESS/PACKAGE/RESOURCE',
    },
  ])
})

test('a package is found by name and id, below a path, and by the address of its page', async () => {
  const plain = startCatalogue(RESOURCES)
  const below = startCatalogue(RESOURCES, '/date/ro')
  const addresses = [
    `${plain.url}/${PACKAGE.id}`,
    `${plain.url}/populatie-orase/`,
    `${plain.url}/dataset/populatie-orase`,
    `${below.url}/date/ro/populatie-orase`,
    `${below.url}/date/ro/dataset/populatie-orase`,
  ]
  for (const address of addresses)
    expect((await fetched(`ckan:${address}`)).source.name).toBe('populatie.csv')
})

test('a resource is named by id, by name, by position, or by its page; a title then says which one', async () => {
  const { url } = startCatalogue(RESOURCES)
  for (const path of ['r-csv', 'Popula%C8%9Bie', 'POPULATIE', '2'])
    expect((await fetched(`ckan:${url}/populatie-orase/${path}`)).about.title).toBe(
      'Populația orașelor: Populație',
    )
  const page = `ckan:${url}/dataset/populatie-orase/resource/r-csv`
  expect((await fetched(page)).file.url).toBe(`${url}/file/populatie.csv`)
  const missing = await refusal(`ckan:${url}/populatie-orase/nimic`)
  expect(missing.message).toMatch(/no package|has no file 'nimic'/)
})

test('the refusal of a catalogue is reported in its own words', async () => {
  const { url } = startCatalogue(RESOURCES)
  expect((await refusal(`ckan:${url}/alt-pachet`)).message).toMatch(
    /does not give the package “alt-pachet”\. .*\(Not found\)/,
  )
  expect((await refusal(`ckan:${url}/inchis`)).message).toMatch(
    /does not show the package “inchis” to everybody\. \(Access denied\)/,
  )
  expect((await refusal(`ckan:${url}/`)).message).toContain('ckan:https:// for a CKAN package')
  const other = startWebServer(() => new Response('<h1>Hello</h1>'))
  expect((await refusal(`ckan:${other.url}/x`)).message).toContain('does not answer as a CKAN catalogue')
})

test('any answer of a catalogue leads to a file or a refusal', async () => {
  let answer: unknown = null
  const { url } = startWebServer((request) =>
    request.url.includes('/api/') ? Response.json(answer) : new Response(CSV),
  )
  const odd = fc.jsonValue({ maxDepth: 2 })
  const resource = fc.oneof(
    odd,
    fc.record({ id: odd, name: odd, format: odd, url: fc.oneof(odd, fc.webUrl()) }),
  )
  const described = fc.record({
    title: odd,
    notes: odd,
    organization: odd,
    tags: odd,
    resources: fc.array(resource),
  })
  const answers = fc.oneof(
    odd,
    fc.record({ success: fc.boolean(), result: fc.oneof(odd, described), error: odd }),
  )
  await fc.assert(
    fc.asyncProperty(answers, async (body) => {
      answer = body
      const outcome = await findCkanFile(`ckan:${url}/x`, tempDir(), {}).catch((error: unknown) => error)
      expect(outcome instanceof CommandError || (outcome as CkanFile).url instanceof URL).toBe(true)
    }),
    { numRuns: runs(200) },
  )
})

test('a package without readable files is refused, with a list of what it has', async () => {
  const { url } = startCatalogue(RESOURCES.slice(0, 1))
  const error = await refusal(`ckan:${url}/populatie-orase`)
  expect(error.kind).toBe('usage')
  expect(error.message).toMatch(/no file in a format that can be read.*\n {2}1 {2}Descriere, PDF, r-meta\)$/)
})

function resource(
  name: string,
  format: string,
  changed = '2025-01-01',
  ending = format.toLowerCase(),
): Resource {
  return {
    id: `id-${name}-${format}`,
    name,
    format,
    changed,
    url: `https://e.org/f/${encodeURIComponent(name)}.${ending}`,
  }
}

test('of one table in several formats the plainest is chosen', () => {
  const files = [resource('Salarii', 'XLSX'), resource('salarii.csv', '.CSV'), resource('Salarii', 'PDF')]
  const choice = chooseResource('x', files, undefined)
  expect(choice.resource.name).toBe('salarii.csv')
  expect(choice.reason).toMatch(/several formats CSV was taken; not taken: Salarii \(XLSX\), Salarii \(PDF\)/)
})

test('of several editions of one table the newest is chosen, and the others are named', () => {
  const files = [
    resource('Șomaj ianuarie 2025', 'CSV', '2025-02-10T00:00:00'),
    resource('Șomaj martie 2025', 'CSV', '2025-04-11T00:00:00'),
    resource('Șomaj martie 2025', 'XLSX', '2025-04-12T00:00:00'),
    resource('Șomaj februarie 2025', 'CSV', '2025-03-12T00:00:00'),
  ]
  const { resource: taken, reason } = chooseResource('x', files, undefined)
  expect([taken.name, taken.format]).toEqual(['Șomaj martie 2025', 'CSV'])
  expect(reason).toMatch(/newest of 3 editions, from 2025-04-11; not taken: Șomaj ianuarie 2025/)
})

test('different tables, and editions without a date, are never guessed at', () => {
  const tables = [resource('Județe', 'CSV', '2025-01-01'), resource('Localități', 'CSV', '2025-06-01')]
  const undated = [resource('Șomaj 2024', 'CSV', ''), resource('Șomaj 2025', 'CSV', '')]
  for (const files of [tables, undated]) {
    expect(() => chooseResource('ckan:x', files, undefined)).toThrow(
      /name one by adding .*\n {2}1 .*\n {2}2 /,
    )
    expect(chooseResource('ckan:x', files, '2').resource).toBe(files[1] as Resource)
  }
})

test('two files with the same name are distinguished by id or position', () => {
  const files = [resource('Date', 'CSV'), { ...resource('Date', 'CSV'), id: 'second' }]
  expect(() => chooseResource('x', files, 'date')).toThrow(/2 files named 'date'/)
  expect(chooseResource('x', files, 'second').resource).toBe(files[1] as Resource)
})

test('the format is what the publisher states, or else what the address ends in', () => {
  const files = [resource('Date', 'Tabel', '2025', 'csv'), resource('Prezentare', 'Document', '2025', 'docx')]
  expect(chooseResource('x', files, undefined).resource.name).toBe('Date')
})

test('a public catalogue does not lead into a private network', async () => {
  const inside = startWebServer(() => new Response(CSV))
  const { url } = startCatalogue(
    [{ id: 'r', name: 'x', format: 'CSV', url: `${inside.url}/x.csv` }],
    '',
    '127.0.0.2',
  )
  const address = `ckan:http://open.example:${new URL(url).port}/populatie-orase`
  // Of the loopback, 127.0.0.1 plays a network behind a firewall.
  const guard = { resolve: async () => ['127.0.0.2'], inside: Networks.of(['127.0.0.1']) }
  const options = { workFolder: tempDir(), maxBytes: 1e6, ...guard }
  await expect(fetchSource(address, options)).rejects.toThrow('inside a private network')
  expect(inside.requests).toEqual([])
})
