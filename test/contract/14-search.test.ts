/** What a search of the catalog finds, and for whom (contract 14). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR } from '../../src/accounts/audit/audit.ts'
import { mintKey } from '../../src/accounts/keys/keys.ts'
import { openDatabase } from '../../src/db/open.ts'
import { Catalog } from '../../src/store/catalog/catalog.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { testsNodes } from '../support/node-settings.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: '100000' } })
  await app.ingestCsv(
    'Județ,Tip combustibil,E-mail,Vehicule\nCLUJ,ELECTRIC,ana@exemplu.ro,3\nCLUJ,BENZINĂ,ion@exemplu.ro,5\n' +
      'IAȘI,BENZINĂ ȘI ELECTRIC,eva@exemplu.ro,2\n',
    {
      id: 'fleet',
      domain: 'transport',
      title: 'Parcul auto',
      definition: {
        columns: [
          { name: 'tip_combustibil', source: 'Tip combustibil', title: 'Tip combustibil' },
          { name: 'judet', source: 'Județ', title: 'Județ' },
        ],
        description: 'Câte vehicule sunt',
        publisher: 'Registrul Auto',
        keywords: ['mărci'],
      },
    },
  )
  await app.ingestCsv('Oraș,Animal\nCLUJ,ZIMBRU\nIAȘI,RÂS\n', {
    id: 'reserve',
    domain: 'nature',
    title: 'Rezervații',
    definition: { description: 'Locuri care sunt ocrotite' },
  })
  await app.app.catalog.edit('reserve', { dataset: {}, columns: {}, open: false })
})
afterAll(() => app.stop())

const search = async (q: string, key?: string | null) =>
  (await app.get(`/v1/search?q=${encodeURIComponent(q)}`, key === undefined ? {} : { key })).body
const found = async (q: string) => (await search(q)).data.map(({ id }: { id: string }) => id)
/** The results on the page, without a key. */
async function page(q: string, language = 'en'): Promise<string> {
  const { text } = await app.get(`/?lang=${language}&q=${encodeURIComponent(q)}`, {
    key: null,
    headers: { accept: 'text/html' },
  })
  return /<section id="results".*?<\/main>/s.exec(text)![0]
}

test('a dataset is found by words in any form, without diacritics, or by synonyms', async () => {
  for (const q of [
    'parc auto',
    'masini',
    'electric',
    'mașini electrice',
    'cluj',
    'autovehicule',
    'PARCURI',
    'mar',
  ])
    expect([q, await found(q)]).toEqual([q, q === 'cluj' ? ['fleet', 'reserve'] : ['fleet']])
})

test('a grammatical word is not taken for a form of another word', async () => {
  expect(await found('cars')).toEqual(await found('masini'))
})

test('an entry says where each word is, with the shortest value that has it', async () => {
  const at = async (q: string) => (await search(q)).data[0].matches
  expect(await at('parc')).toEqual([{ field: 'title', column: null, text: 'Parcul auto' }])
  expect(await at('marca')).toEqual([{ field: 'keywords', column: null, text: 'mărci' }])
  expect(await at('cate')).toEqual([{ field: 'description', column: null, text: 'Câte vehicule sunt' }])
  expect(await at('registru')).toEqual([{ field: 'publisher', column: null, text: 'Registrul Auto' }])
  expect(await at('combustibili')).toEqual([
    { field: 'column', column: 'tip_combustibil', text: 'Tip combustibil' },
  ])
  expect(await at('electrica clujul')).toEqual([
    { field: 'value', column: 'tip_combustibil', text: 'ELECTRIC' },
    { field: 'value', column: 'judet', text: 'CLUJ' },
  ])
})

test('columns that look like personal data are not searched', async () => {
  for (const q of ['ana', 'exemplu', 'ana@exemplu.ro']) expect([q, await found(q)]).toEqual([q, []])
})

test('values of a closed dataset are searched only for keys that can read it', async () => {
  expect(await found('zimbru')).toEqual(['reserve'])
  const mint = (scope: string) =>
    mintKey(app.app.accounts, OPERATOR, { label: 's', plan: 'unlimited', scopes: [scope] }, new Date())
  const [inside, outside] = [await mint('read:nature'), await mint('read:transport')]
  expect((await search('zimbru', inside.secret)).data).toHaveLength(1)
  const hidden = await search('zimbru', outside.secret)
  expect([hidden.data, hidden.meta.suggestions]).toEqual([[], []])
  expect(await page('zimbru')).not.toContain('Rezerva')
  expect(await page('rezervatii')).toContain('Rezerva')
  // Neither its values nor similar words.
  expect(await page('zimbri rezervatie')).not.toContain('zimbru')
  const ckan = async (key: string | null) =>
    (await app.get('/api/3/action/package_search?q=zimbru', { key })).body.result.count
  expect([await ckan(null), await ckan(app.key), await ckan(outside.secret)]).toEqual([0, 1, 0])
})

test('without public browsing values are searched only with a key', async () => {
  const closed = await startTestApp({ settings: { public_browsing: false } })
  try {
    await closed.ingestCsv('Oraș,Animal\nCLUJ,ZIMBRU\n', { id: 'zoo', domain: 'nature', title: 'Grădini' })
    const { text } = await closed.get('/?q=zimbru', { key: null, headers: { accept: 'text/html' } })
    expect(text).not.toContain('Grădini')
    expect((await closed.get('/v1/search?q=zimbru')).body.data).toHaveLength(1)
  } finally {
    await closed.stop()
  }
})

test('searches without a key are counted as requests for rows', async () => {
  const slow = await startTestApp({ flags: { public_per_minute: '2' } })
  try {
    const ask = async () => (await slow.get('/?q=x', { key: null, headers: { accept: 'text/html' } })).status
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
    expect((await slow.get('/', { key: null, headers: { accept: 'text/html' } })).status).toBe(200)
  } finally {
    await slow.stop()
  }
})

test('if no dataset has all words, other words are suggested with what they find', async () => {
  const { data, meta } = await search('electrik cluuj')
  expect(data).toEqual([])
  expect(meta.suggestions[0]).toEqual({ words: 'electric cluj', ids: ['fleet'] })
  expect((await search('parc zgripțuroi')).meta.suggestions).toEqual([{ words: 'parc', ids: ['fleet'] }])
  expect(await page('electrik cluuj')).toContain('>electric cluj</a>')
  expect(await page('electrik cluuj', 'ro')).toContain('Apropiate de ce căutați')
})

test('the page links to the rows that have the values', async () => {
  const text = await page('electrice cluj')
  expect(text.replaceAll('%5B', '[').replaceAll('%5D', ']')).toContain(
    '/datasets/fleet?tip_combustibil[eq]=ELECTRIC&amp;judet[eq]=CLUJ',
  )
  expect(text).toContain('Rows with Tip combustibil: ELECTRIC, Județ: CLUJ')
})

test('a reference table of the operator adds synonyms, and answers change with it', async () => {
  const before = await app.get('/v1/search?q=hatchback')
  expect(before.body.data).toEqual([])
  const folder = join(String(app.config.data), 'reference')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'synonyms.csv'), '# own\nhatchback,parc auto\n')
  const again = { headers: { 'If-None-Match': before.headers.get('etag')! } }
  const after = await app.get('/v1/search?q=hatchback', again)
  expect([after.status, after.body.data[0].id]).toEqual([200, 'fleet'])
})

// Nodes do not do this, because the files of versions may be elsewhere.
test.skipIf(testsNodes)(
  'a catalog whose versions lack searchable texts gets them from their files when it is opened',
  async () => {
    const database = openDatabase(app.app.dataDir.catalogDb)
    database.exec(
      "UPDATE versions SET search_texts = NULL; INSERT INTO search (search) VALUES ('delete-all')",
    )
    database.close()
    expect(await found('parc electric')).toEqual([])
    Catalog.open(app.app.dataDir).close()
    expect([await found('parc electric'), await found('exemplu')]).toEqual([['fleet'], []])
  },
)

test('the index follows appends, rollbacks, and datasets that are removed', async () => {
  const csv = (value: string) => `Nume,Număr\n${value},1\n`
  const about = { id: 'trees', domain: 'nature', title: 'Copaci' }
  await app.ingestCsv(csv('stejar'), about)
  await app.ingestCsv(csv('mesteacăn'), about)
  expect([await found('stejar'), await found('mesteacan')]).toEqual([[], ['trees']])
  await app.app.catalog.rollback('trees')
  expect([await found('stejar'), await found('mesteacan')]).toEqual([['trees'], []])
  await app.app.catalog.edit('trees', { dataset: { title: 'Păduri' }, columns: {} })
  expect([await found('stejari'), await found('copac'), await found('pădure')]).toEqual([
    ['trees'],
    [],
    ['trees'],
  ])
  app.app.dataDir.discard(await app.app.catalog.remove('trees'))
  expect(await found('stejar')).toEqual([])
})
