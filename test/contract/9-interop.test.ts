/** The catalog in standard formats: DCAT-AP 3, sitemap, robots, Frictionless, llms.txt; none of them needs a key. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { canonical, dcatApFindings, parseJsonLd, parseTurtle, valuesOf } from '../support/rdf.ts'
import { TOWNS } from '../support/towns.ts'

const DCAT = 'http://www.w3.org/ns/dcat#'
const DCT = 'http://purl.org/dc/terms/'
const NASTY = 'Titlu <script>alert("1")</script> & \\ \n \u2028 \u{1F30D} „ghilimele” \ud800'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { publisher: 'Primăria Exemplu', contact: 'date@example.org' } })
  await app.publish({ ...TOWNS, license: 'CC BY 4.0', keywords: ['orașe'], publisher: 'Institutul Național' })
})
afterAll(() => app.stop())

const open = { key: null }
const DOCUMENTS = [
  ['/catalog.ttl', 'text/turtle; charset=utf-8'],
  ['/catalog.jsonld', 'application/ld+json; charset=utf-8'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/datasets/towns/datapackage.json', 'application/json; charset=utf-8'],
] as const

test('a domain has its name from domain_labels in every catalog', async () => {
  const own = await startTestApp({ flags: { domain_labels: 'geo=Geografie,geo.en=Geography' } })
  try {
    await own.publish({ ...TOWNS, domain: 'geo', keywords: ['orașe'] })
    const read = async (path: string) => (await own.get(path, open)).text
    const group = { name: 'geo', title: 'Geografie', display_name: 'Geografie' }
    const action = async (path: string) => JSON.parse(await read(`/api/3/action/${path}`)).result
    expect(await action('group_list?all_fields=true')).toMatchObject([group])
    expect(await action('group_show?id=geo')).toMatchObject({ ...group, packages: [{ groups: [group] }] })
    expect(await action('package_show?id=towns')).toMatchObject({ groups: [group] })
    expect(await action('group_list')).toEqual(['geo'])
    expect(await read('/datasets/towns')).toContain('"keywords":["orașe","Geografie"]')
    expect(await read('/catalog.ttl')).toContain('"Geografie"')
    expect(await read('/feed.atom?lang=en')).toContain('label="Geography"')
  } finally {
    await own.stop()
  }
})

describe('documents for other catalogs', () => {
  test.each(DOCUMENTS)('%s needs no key and is open to every origin', async (path, type) => {
    const { status, headers } = await app.get(path, open)
    expect([status, headers.get('content-type')]).toEqual([200, type])
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('set-cookie')).toBeNull()
  })

  test.each(DOCUMENTS)('%s is not sent again if nothing has changed', async (path) => {
    const own = await startTestApp()
    try {
      await own.publish(TOWNS)
      const etag = (await own.get(path, open)).headers.get('etag')!
      const again = { ...open, headers: { 'if-none-match': etag } }
      const unchanged = await own.get(path, again)
      expect([unchanged.status, unchanged.text]).toEqual([304, ''])
      await own.publish({ ...TOWNS, title: 'Alt titlu' })
      expect((await own.get(path, again)).status).toBe(200)
    } finally {
      await own.stop()
    }
  })

  test.each(DOCUMENTS)('HEAD of %s has the headers of GET and no body', async (path, type) => {
    const { status, headers, text } = await app.get(path, { ...open, method: 'HEAD' })
    expect([status, headers.get('content-type'), text]).toEqual([200, type, ''])
  })

  test('a compressed catalog is the same catalog', async () => {
    const plain = await app.get('/catalog.ttl', { ...open, headers: { 'accept-encoding': 'identity' } })
    const packed = await app.get('/catalog.ttl', { ...open, headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.text).toBe(plain.text)
  })

  test.each(['identity', 'gzip', 'zstd'])(
    'the catalog is the same the second time, as %s',
    async (coding) => {
      const own = await startTestApp()
      try {
        await own.publish(TOWNS)
        const asked = { ...open, headers: { 'accept-encoding': coding } }
        const first = await own.get('/catalog.jsonld', asked)
        const second = await own.get('/catalog.jsonld', asked)
        expect(second.text).toBe(first.text)
        await own.publish({ ...TOWNS, title: 'Alt titlu' })
        expect((await own.get('/catalog.jsonld', asked)).text).toContain('Alt titlu')
      } finally {
        await own.stop()
      }
    },
  )
})

describe('DCAT-AP 3', () => {
  test('has everything mandatory, and everything recommended that is known', async () => {
    const store = parseTurtle((await app.get('/catalog.ttl', open)).text)
    expect(await dcatApFindings(store)).toEqual([])
    expect(store.countQuads(null, null, `${DCAT}Dataset`, null)).toBe(1)
    expect(store.countQuads(null, null, `${DCAT}Distribution`, null)).toBe(3)
  })

  test('the check can fail', async () => {
    const store = parseTurtle((await app.get('/catalog.ttl', open)).text)
    store.removeQuads(store.getQuads(null, `${DCAT}accessURL`, null, null))
    store.removeQuads(store.getQuads(`${app.url}/#catalog`, `${DCT}publisher`, null, null))
    expect((await dcatApFindings(store)).map((line) => line.split(' ').slice(0, 3).join(' ')).sort()).toEqual(
      [
        `Violation ${app.url}/#catalog ${DCT}publisher`,
        ...['api', 'csv', 'ndjson'].map(
          (name) => `Violation ${app.url}/datasets/towns#dataset-${name} ${DCAT}accessURL`,
        ),
      ],
    )
  })

  test('Turtle and JSON-LD are the same graph', async () => {
    const turtle = parseTurtle((await app.get('/catalog.ttl', open)).text)
    const jsonld = await parseJsonLd((await app.get('/catalog.jsonld', open)).text)
    expect(jsonld.size).toBeGreaterThan(80)
    expect(await canonical(jsonld)).toBe(await canonical(turtle))
  })

  test('describes a dataset as its descriptor does', async () => {
    const { body } = await app.get('/v1/datasets/towns')
    const store = parseTurtle((await app.get('/catalog.ttl', open)).text)
    const name = `${app.url}/datasets/towns#dataset`
    expect(valuesOf(store, name, `${DCT}title`)).toEqual([body.title])
    expect(valuesOf(store, name, `${DCT}description`)).toEqual([body.description])
    expect(valuesOf(store, name, `${DCT}modified`)).toEqual([body.provenance.imported_at])
    expect(valuesOf(store, name, `${DCAT}version`)).toEqual(['1'])
    expect(valuesOf(store, name, `${DCAT}keyword`)).toEqual(['orașe', 'geospatial'])
    expect(valuesOf(store, name, `${DCAT}theme`)).toEqual([
      'http://publications.europa.eu/resource/authority/data-theme/REGI',
    ])
    expect(valuesOf(store, `${name}-csv`, `${DCT}license`)).toEqual([
      'http://publications.europa.eu/resource/authority/licence/CC_BY_4_0',
    ])
  })

  test('the addresses of a dataset lead to its rows and to their description', async () => {
    const store = parseTurtle((await app.get('/catalog.ttl', open)).text)
    const service = `${app.url}/datasets/towns#service`
    const [endpoint] = valuesOf(store, service, `${DCAT}endpointURL`)
    const [description] = valuesOf(store, service, `${DCAT}endpointDescription`)
    expect((await app.get(endpoint!.slice(app.url.length))).status).toBe(200)
    const described = await app.get(description!.slice(app.url.length), open)
    expect(Object.keys(described.body.paths)[0]).toBe(endpoint!.slice(app.url.length))
  })

  test('a dataset without description, licence, publisher or known domain still has what is mandatory', async () => {
    const bare = await startTestApp()
    try {
      const { table } = TOWNS
      await bare.publish({ id: 'bare', domain: 'diverse', table })
      const store = parseTurtle((await bare.get('/catalog.ttl', open)).text)
      const findings = await dcatApFindings(store)
      expect(findings.filter((line) => !line.startsWith('Warning'))).toEqual([])
      expect(valuesOf(store, `${bare.url}/datasets/bare#dataset`, `${DCT}description`)[0]).toContain(
        '10 rows',
      )
    } finally {
      await bare.stop()
    }
  })

  test('an empty catalog is valid', async () => {
    const empty = await startTestApp()
    try {
      const store = parseTurtle((await empty.get('/catalog.ttl', open)).text)
      const findings = await dcatApFindings(store)
      expect(findings.filter((line) => !line.startsWith('Warning'))).toEqual([])
      await parseJsonLd((await empty.get('/catalog.jsonld', open)).text)
    } finally {
      await empty.stop()
    }
  })

  test('hostile texts stay texts, and malformed addresses are left out', async () => {
    const odd = await startTestApp()
    try {
      await odd.publish({
        ...TOWNS,
        title: NASTY,
        description: NASTY,
        publisher: NASTY,
        license: NASTY,
        keywords: [NASTY],
        source_url: 'javascript:alert(1)',
      })
      await odd.publish({
        ...TOWNS,
        id: 'spaced',
        source_url: 'https://example.org/a b/{c}?d=<e>|"f"^`g`\\h',
      })
      const turtle = parseTurtle((await odd.get('/catalog.ttl', open)).text)
      const jsonld = await parseJsonLd((await odd.get('/catalog.jsonld', open)).text)
      const name = `${odd.url}/datasets/towns#dataset`
      expect(valuesOf(turtle, name, `${DCT}title`)).toEqual([NASTY.toWellFormed()])
      expect(valuesOf(turtle, name, 'http://www.w3.org/ns/prov#wasDerivedFrom')).toEqual([])
      expect(await canonical(jsonld)).toBe(await canonical(turtle))
      const package_ = (await odd.get('/datasets/towns/datapackage.json', open)).body
      expect([package_.title, package_.sources]).toEqual([NASTY.toWellFormed(), [{ title: 'towns.csv' }]])
      expect((await odd.get('/llms.txt', open)).text).not.toContain('<script>')
    } finally {
      await odd.stop()
    }
  })

  test('a catalog of more datasets than fit in one chunk is complete', async () => {
    const large = await startTestApp()
    try {
      const table = { columns: TOWNS.table.columns, rows: TOWNS.table.rows.slice(0, 1) }
      const ids = Array.from({ length: 120 }, (_, index) => `set_${index}`)
      for (const id of ids) await large.publish({ id, domain: 'economy', table })
      const store = parseTurtle((await large.get('/catalog.ttl', open)).text)
      expect(store.countQuads(null, null, `${DCAT}Dataset`, null)).toBe(ids.length)
      expect(valuesOf(store, `${large.url}/#catalog`, `${DCAT}dataset`).length).toBe(ids.length)
      const { '@graph': graph } = (await large.get('/catalog.jsonld', open)).body
      expect(graph.filter((node: { '@type': string }) => node['@type'] === 'dcat:Dataset').length).toBe(120)
    } finally {
      await large.stop()
    }
  })
})

describe('when browsing is not public', () => {
  test('no document presents a file that needs a key as one that does not', async () => {
    const closed = await startTestApp({ flags: { public_browsing: 'false' } })
    try {
      await closed.publish(TOWNS)
      const { text } = await closed.get('/catalog.ttl', open)
      expect(text).not.toContain('downloadURL')
      expect(
        await dcatApFindings(parseTurtle(text)).then((all) =>
          all.filter((one) => !one.startsWith('Warning')),
        ),
      ).toEqual([])
      const { resources } = (await closed.get('/datasets/towns/datapackage.json', open)).body
      const path = resources[0].path.slice(closed.url.length)
      expect((await closed.get(path, open)).status).toBe(401)
      expect((await closed.get(path)).status).toBe(200)
    } finally {
      await closed.stop()
    }
  })
})

describe('datapackage.json', () => {
  test('has every column, with the type of its values in the file', async () => {
    const { body } = await app.get('/datasets/towns/datapackage.json', open)
    expect(body).toMatchObject({
      name: 'towns',
      title: TOWNS.title,
      version: '1',
      created: '2025-01-31T08:00:00Z',
      licenses: [{ name: 'CC-BY-4.0', path: 'https://creativecommons.org/licenses/by/4.0/' }],
      contributors: [{ title: 'Institutul Național', roles: ['publisher'] }],
    })
    const [resource] = body.resources
    expect(resource).toMatchObject({ name: 'towns', type: 'table', format: 'csv', encoding: 'utf-8' })
    expect(resource.schema.fields.map(({ type }: { type: string }) => type)).toEqual([
      ...['string', 'string', 'integer', 'integer', 'number', 'boolean', 'date', 'datetime', 'integer'],
    ])
  })

  test('links to the file it describes', async () => {
    const { body } = await app.get('/datasets/towns/datapackage.json', open)
    const [{ path, schema }] = body.resources
    const { status, text } = await app.get(path.slice(app.url.length), open)
    const names = schema.fields.map(({ name }: { name: string }) => name)
    expect([status, text.split('\r\n')[0]]).toEqual([200, names.join(',')])
  })

  test('says which columns are required and which identify a row', async () => {
    const own = await startTestApp()
    try {
      const columns = [{ name: 'code', source: 'Cod', type: 'string', required: true }]
      const definition = { columns, primary_key: ['code'], license: 'Licență proprie' }
      await own.ingestCsv('Cod,Nume\nA1,Unu\n', { id: 'codes', domain: 'economy', definition })
      const { body } = await own.get('/datasets/codes/datapackage.json', open)
      const { schema } = body.resources[0]
      expect(schema.primaryKey).toEqual(['code'])
      expect(schema.fields[0]).toEqual({
        ...{ name: 'code', type: 'string', title: 'Cod', constraints: { required: true } },
      })
      expect(body.licenses).toEqual([{ path: `${own.url}/datasets/codes`, title: 'Licență proprie' }])
    } finally {
      await own.stop()
    }
  })

  test('is 404 in the envelope for a dataset that does not exist', async () => {
    const { status, body } = await app.get('/datasets/nowhere/datapackage.json', open)
    expect([status, body.error.code]).toEqual([404, 'dataset_not_found'])
  })
})

describe('for crawlers and language models', () => {
  test('robots.txt keeps crawlers from rows, files and accounts and shows them the sitemap', async () => {
    const { text } = await app.get('/robots.txt', open)
    for (const path of [
      '/account',
      '/v1/',
      ...['rows', 'download', 'aggregate', 'facets'].map((at) => `/datasets/*/${at}`),
    ]) {
      expect(text).toContain(`Disallow: ${path}\n`)
    }
    expect(text).toContain(`Sitemap: ${app.url}/sitemap.xml`)
  })

  test('every page of the sitemap exists, in both languages', async () => {
    const { text } = await app.get('/sitemap.xml', open)
    const addresses = [...text.matchAll(/(?:<loc>|href=")([^<"]+)/g)].map((match) => match[1]!)
    expect(addresses).toContain(`${app.url}/datasets/towns`)
    expect(addresses.length).toBeGreaterThanOrEqual(9)
    for (const address of addresses) {
      const { status } = await app.get(address.slice(app.url.length), open)
      expect([address, status]).toEqual([address, 200])
    }
  })

  test('documents have addresses that start with base_url', async () => {
    const behind = await startTestApp({ flags: { base_url: 'https://date.example.org/portal' } })
    try {
      await behind.publish(TOWNS)
      for (const [path] of DOCUMENTS) {
        const { text } = await behind.get(path, open)
        expect(text).toContain('https://date.example.org/portal')
        expect(text).not.toContain('127.0.0.1')
      }
    } finally {
      await behind.stop()
    }
  })

  test('llms.txt names every operator and dataset, and only addresses that answer', async () => {
    const { text } = await app.get('/llms.txt', open)
    expect(text).toStartWith('# ')
    for (const word of ['is_null', 'not_in', 'Authorization: Bearer', '/v1/geospatial/towns']) {
      expect(text).toContain(word)
    }
    for (const [, address] of text.matchAll(/\]\(([^){}]+)\)/g)) {
      expect([address, (await app.get(address!.slice(app.url.length), open)).status]).toEqual([address!, 200])
    }
  })
})

describe('schema.org', () => {
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of a document
  async function linkedData(own: TestApp, path: string): Promise<any> {
    const { text } = await own.get(path, { key: null, headers: { accept: 'text/html' } })
    const blocks = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)]
    expect(blocks).toHaveLength(1)
    return JSON.parse(blocks[0]![1]!)
  }

  test('a page has what search engines require of a dataset', async () => {
    const data = await linkedData(app, '/datasets/towns')
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Dataset',
      name: TOWNS.title,
      description: TOWNS.description,
      url: `${app.url}/datasets/towns`,
      license: 'https://creativecommons.org/licenses/by/4.0/',
      creator: { '@type': 'Organization', name: 'Institutul Național' },
      isAccessibleForFree: true,
      keywords: ['orașe', 'geospatial'],
      dateModified: '2025-01-31T08:00:00Z',
    })
    for (const { contentUrl, encodingFormat } of data.distribution) {
      const { status, headers } = await app.get(contentUrl.slice(app.url.length), open)
      expect([status, headers.get('content-type')?.split(';')[0]]).toEqual([200, encodingFormat])
    }
    expect(data.variableMeasured.map(({ name }: { name: string }) => name)).toContain('county')
  })

  test('hostile texts cannot break out of the block', async () => {
    const odd = await startTestApp()
    try {
      await odd.publish({ ...TOWNS, title: NASTY, description: `${NASTY}<!--` })
      expect((await linkedData(odd, '/datasets/towns')).name).toBe(NASTY)
      await linkedData(odd, '/')
    } finally {
      await odd.stop()
    }
  })
})
