import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { safeBase, webAddress } from '../../src/interop/addresses.ts'
import { TurtleWriter } from '../../src/interop/catalog-document.ts'
import { readLicence } from '../../src/interop/licences.ts'
import { themeOf } from '../../src/interop/vocabulary.ts'
import { parseTurtle } from '../support/rdf.ts'

const texts = fc.string({ unit: 'binary' })

test('any text survives Turtle', () => {
  fc.assert(
    fc.property(texts, texts, (title, name) => {
      const writer = new TurtleWriter()
      const text = writer.write({
        '@id': 'http://localhost/x',
        'dct:title': title,
        'dct:publisher': { '@type': 'foaf:Agent', 'foaf:name': { '@value': name, '@language': 'ro' } },
      })
      const store = parseTurtle(text + writer.end())
      const literals = store.getObjects(null, null, null).filter(({ termType }) => termType === 'Literal')
      expect(literals.map(({ value }) => value).sort()).toEqual(
        [title.toWellFormed(), name.toWellFormed()].sort(),
      )
    }),
  )
})

test('any valid web address can be written in Turtle and is read back unchanged', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), texts), (text) => {
      const address = webAddress(`https://example.org/${text}`)
      if (address === undefined) return
      expect(webAddress(address)).toBe(address)
      const writer = new TurtleWriter()
      const written = writer.write({ '@id': address, 'dct:title': 'x' })
      expect(parseTurtle(written + writer.end()).getSubjects(null, null, null)[0]?.value).toBe(address)
    }),
  )
})

test.each([
  ['javascript:alert(1)', undefined],
  ['ftp://example.org/x', undefined],
  ['data.gov.ro', undefined],
  ['https://', undefined],
  ['HTTPS://Example.org/Ț', 'https://example.org/%C8%9A'],
])('%s as a web address is %p', (text, address) => {
  expect(webAddress(text)).toBe(address)
})

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['https://date.example.org/portal', 'https://date.example.org/portal'],
  ['http://a"><script>', 'http://localhost'],
])('%s as the service’s own address is %s', (base, safe) => {
  expect(safeBase(base)).toBe(safe)
})

test.each([
  ['CC BY 4.0', 'CC-BY-4.0'],
  ['cc-by-4.0', 'CC-BY-4.0'],
  ['https://creativecommons.org/licenses/by/4.0/deed.ro', 'CC-BY-4.0'],
  ['http://creativecommons.org/licenses/by/4.0', 'CC-BY-4.0'],
  ['http://creativecommons.org/publicdomain/zero/1.0/legalcode', 'CC0-1.0'],
  ['CC0', 'CC0-1.0'],
  ['ODbL', 'ODbL-1.0'],
])('the licence %s is %s', (text, id) => {
  expect(readLicence(text)?.openDefinitionId).toBe(id)
})

test('an unknown licence keeps its name or its address', () => {
  expect(readLicence(null)).toBeNull()
  expect(readLicence('  ')).toBeNull()
  expect(readLicence('OGL-ROU-1.0')?.title).toContain('Guvernare Deschisă')
  expect(readLicence('Licență proprie')).toMatchObject({ title: 'Licență proprie', url: null, iri: null })
  expect(readLicence('https://example.org/licence')).toMatchObject({ url: 'https://example.org/licence' })
})

test.each([
  ['economy', 'ECON'],
  ['transport', 'TRAN'],
  ['geospatial', 'REGI'],
  ['public_health', 'HEAL'],
  ['educatie', 'EDUC'],
])('the domain %s belongs to the theme %s', (domain, code) => {
  expect(themeOf(domain)?.['@id']).toEndWith(`/${code}`)
})

test('a domain that suggests none has no theme', () => {
  expect(themeOf('diverse')).toBeUndefined()
})
