import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { wordsOf } from '../../src/base/text/words.ts'
import { openTestCatalog } from '../support/catalog-engine.ts'
import { runs } from '../support/property-runs.ts'
import { type SampleDataset, versionRecord } from '../support/version.ts'

const ALL = { limit: 1000, offset: 0 }

/** A catalog of these datasets, without files. */
async function catalogOf(samples: Readonly<Record<string, SampleDataset>>) {
  const { catalog } = await openTestCatalog({}, false)
  for (const [id, sample] of Object.entries(samples)) {
    const version = await catalog.reserveVersion(id)
    await catalog.publish(
      versionRecord({ title: 'Untitled', ...sample, id }, version, { sha256: '', bytes: 0 }),
      () => {},
    )
  }
  return {
    catalog,
    find: (text: string) => catalog.search(text, ALL).datasets.map((entry) => entry.id),
  }
}

test('diacritics and case never matter, in any form', async () => {
  const { find } = await catalogOf({
    a_comma: { title: 'Județe' },
    b_cedilla: { title: 'JUDEŢE' },
    c_combining: { title: 'Jude\u0074\u0326e' },
    d_plain: { title: 'judete' },
    e_polish: { title: 'Łódź' },
    f_german: { title: 'Straßen' },
    g_serbian: { title: 'Đorđe' },
    h_danish: { title: 'Ørsted æble' },
    i_turkish: { title: 'İstanbul ışık' },
  })
  for (const text of ['judet', 'județ', 'judeţ', 'JUDEȚE', 'jude\u0074\u0326e']) {
    expect(find(text)).toEqual(['a_comma', 'b_cedilla', 'c_combining', 'd_plain'])
  }
  expect(find('lodz')).toEqual(['e_polish'])
  expect(find('strassen')).toEqual(['f_german'])
  expect(find('STRASSE')).toEqual(['f_german'])
  expect(find('dorde')).toEqual(['g_serbian'])
  expect(find('orsted aeble')).toEqual(['h_danish'])
  expect(find('istanbul isik')).toEqual(['i_turkish'])
})

test('title, keywords, description, publisher and columns weigh in this order, regardless of length', async () => {
  const long = 'cuvânt '.repeat(400)
  const { find } = await catalogOf({
    a_publisher: { publisher: 'Asociația de elevi' },
    e_keyword: { keywords: ['elevi'] },
    b_column: { columnNames: ['elevi'] },
    c_description: { description: 'Elevi, elevi, elevi' },
    d_title: { title: `Elevi ${long}`, description: long.repeat(20) },
  })
  expect(find('elevi')).toEqual(['d_title', 'e_keyword', 'c_description', 'a_publisher', 'b_column'])
})

test('equal matches are ordered by id', async () => {
  const { find } = await catalogOf({
    b: { title: 'Elevi' },
    c: { title: 'Elevi' },
    a: { title: 'Elevi' },
  })
  expect(find('elevi')).toEqual(['a', 'b', 'c'])
})

test('all words must occur; the last one may be a prefix', async () => {
  const { find } = await catalogOf({
    a: { title: 'Elevi înscriși', description: 'pe județe' },
    b: { title: 'Elevi', description: 'pe ani' },
  })
  expect(find('elevi jud')).toEqual(['a'])
  expect(find('jud elevi')).toEqual([])
  expect(find('judete elevi')).toEqual(['a'])
  expect(find('elev')).toEqual(['a', 'b'])
  expect(find('elevi elevi elevi')).toEqual(['a', 'b'])
})

test('columns, ids, domains, publishers and keywords are found by their words', async () => {
  const { find } = await catalogOf({
    elevi_2015_2016: {
      columnNames: ['numarul_elevilor_existenti', 'county'],
      domain: 'education',
      publisher: 'Ministerul Educației',
      keywords: ['școli', 'preuniversitar'],
    },
  })
  for (const text of [
    'numarul',
    'elevilor',
    'numarul_elevilor',
    'existenti county',
    '2015',
    '2015_2016',
    'education',
    'ministerul educatiei',
    'scoli',
  ]) {
    expect(find(text)).toEqual(['elevi_2015_2016'])
  }
  expect(find('elevilo numarul')).toEqual([])
})

test('text without words finds nothing', async () => {
  const { catalog } = await catalogOf({ a: { title: 'Elevi' } })
  for (const text of ['', ' ', '"', '***', '-- ()', '😀', '\0', "'';", '\u0326']) {
    expect(catalog.search(text, ALL)).toEqual({ total: 0, datasets: [] })
  }
})

test('no text makes a search fail, and index syntax has no effect', async () => {
  const { catalog, find } = await catalogOf({
    a: { title: 'Elevi near and or not' },
    b: { title: 'Profesori' },
  })
  expect(find('"elevi"')).toEqual(['a'])
  expect(find('elevi OR profesori')).toEqual([])
  expect(find('NOT elevi')).toEqual(['a'])
  expect(find('NEAR(elevi near)')).toEqual(['a'])
  expect(find('title:elevi')).toEqual([])
  expect(find('elev*')).toEqual(['a'])
  expect(find('^elevi')).toEqual(['a'])
  expect(find('elevi\0near')).toEqual(['a'])

  const alphabet = fc.constantFrom(
    'elevi',
    '"',
    "'",
    '*',
    '-',
    '(',
    ')',
    ':',
    '^',
    '+',
    '{',
    '}',
    'AND',
    'NEAR',
    '\0',
    'ș',
    ' ',
    '\ud800',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(alphabet, { maxLength: 40 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      expect(catalog.search(text, ALL).total).toBeLessThanOrEqual(2)
    }),
    { numRuns: runs(500) },
  )
})

test('a text of 10 kB is answered completely', async () => {
  const words = Array.from({ length: 1700 }, (_, number) => `w${number}`)
  const { catalog, find } = await catalogOf({
    a: { description: words.join(' ') },
    b: { description: words.slice(1).join(' ') },
  })
  expect(find(words.join(' '))).toEqual(['a'])
  expect(find(words.slice(5).join(' '))).toEqual(['a', 'b'])
  expect(find(`${words.join(' ')} missing`)).toEqual([])
  expect(find(`missing ${words.join(' ')}`)).toEqual([])
  expect(catalog.search('"'.repeat(10_000), ALL).total).toBe(0)
  expect(catalog.search('elevi '.repeat(2000), ALL).total).toBe(0)
})

test('pages of a search neither overlap nor skip results, and the total is exact', async () => {
  const ids = Array.from({ length: 25 }, (_, number) => `d${String(number).padStart(2, '0')}`)
  const { catalog } = await catalogOf(Object.fromEntries(ids.map((id) => [id, { title: 'Elevi' }])))
  const found = [0, 10, 20, 30].map((offset) => catalog.search('elevi', { limit: 10, offset }))
  expect(found.map((page) => page.total)).toEqual([25, 25, 25, 25])
  expect(found.flatMap((page) => page.datasets.map((entry) => entry.id))).toEqual(ids)
})

test('a new version replaces the searchable texts', async () => {
  const { catalog, find } = await catalogOf({ a: { title: 'Vechi' } })
  const version = await catalog.reserveVersion('a')
  await catalog.publish(versionRecord({ id: 'a', title: 'Nou' }, version, { sha256: '', bytes: 0 }), () => {})
  expect(find('vechi')).toEqual([])
  expect(find('nou')).toEqual(['a'])
})

test('folding to words yields only lower-case letters and digits, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const words = wordsOf(text)
      for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u)
      expect(wordsOf(words.join(' '))).toEqual(words)
    }),
    { numRuns: runs(2000) },
  )
})
