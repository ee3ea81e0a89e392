/** Numbers on the pages of a dataset: written in one way, that of the page's language, and read as filters. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

const VEHICLES = [1, 2, 1000, 1000, 1234, 1234, 12_345, 12_345]
const SUMS = [0.5, 1.234, 6674.4, 39_656.6]
const ROWS = Array.from({ length: 80 }, (_, n) => ({
  an: 2019 + (n % 4),
  vehicule: VEHICLES[n % VEHICLES.length]!,
  suma: SUMS[n % SUMS.length]!,
  cod_siruta: 1000 + n * 100,
  editie: 1990 + (n % 8),
}))
const NAMES = ['an', 'vehicule', 'suma', 'cod_siruta', 'editie'] as const

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: '100000' } })
  const rows = ROWS.map((row) => NAMES.map((name) => row[name]).join())
  await app.ingestCsv([NAMES.join(), ...rows].join('\n'), { id: 'parc', domain: 'tests', title: 'Parc' })
})
afterAll(() => app.stop())

/** The text of a page without its scripts, tags and non-breaking blanks. */
async function read(path: string, language: 'ro' | 'en'): Promise<string> {
  const address = `/datasets/parc${path}${path.includes('?') ? '&' : '?'}lang=${language}`
  const { text } = await app.get(address, { key: null, headers: { accept: 'text/html' } })
  const bare = text.replaceAll(/<script.*?<\/script>/gs, '').replaceAll(/<[^>]*>/g, '|')
  return bare.replaceAll('&quot;', '"').replaceAll('\u00a0', ' ').replaceAll(/\|+/g, '|')
}

describe('a page writes its numbers in one way', () => {
  test.each([
    ['ro', ['1.234', '12.345', '6.674,4', '39.656,6', '1,234'], /\b(1234|12345|6674[.,]4|39656[.,]6)\b/],
    ['en', ['1,234', '12,345', '6,674.4', '39,656.6', '1.234'], /\b(1234|12345|6674[.,]4|39656[.,]6)\b/],
  ] as const)('in %s, in table, facets, columns and groups', async (language, written, other) => {
    for (const path of ['', '/summary?rows=vehicule&measure=sum(suma)', '/values?column=vehicule']) {
      const page = await read(path, language)
      for (const number of path === '' ? written : written.slice(0, 2)) expect(page).toContain(`|${number}|`)
      expect(page.replaceAll(/http[^|]*/g, '')).not.toMatch(other)
    }
    const columns = (await read('', language)).split('|vehicule|').at(-1)!
    expect(columns).toContain(`|1 – ${written[1]}|`)
    expect(columns).toContain(language === 'ro' ? '|0,5 – 39.656,6|' : '|0.5 – 39,656.6|')
  })

  test('years, codes, and numbers of four digits about which nothing is known have no separators', async () => {
    for (const language of ['ro', 'en'] as const) {
      const page = await read('', language)
      for (const text of ['|2019|', '|2019 – 2022|', '|1000 – 8900|', '|1990 – 1997|'])
        expect(page).toContain(text)
      const largest = await read('/summary?rows=vehicule&measure=max(an)', language)
      expect(largest).toContain('|2022|')
    }
  })
})

describe('a filter that may be thousands', () => {
  test('is shown as it was read, beside what may have been meant', async () => {
    const romanian = await read('?vehicule[gt]=1.000', 'ro')
    expect(romanian).toContain('|vehicule mai mare decât 1 |')
    expect(romanian).toContain('1.000 înseamnă 1. Poate căutați:|vehicule mai mare decât 1.000|')
    const english = await read('?vehicule[in]=1.000,2', 'en')
    expect(english).toContain('|vehicule one of 1; 2 |')
    expect(await read('?vehicule=1.000', 'en')).not.toContain('|1.000|')
    expect(english).toContain('1.000 means 1. You may be looking for:|vehicule one of 1,000; 2|')
  })

  test('is doubted among decimals only where pages write thousands with a point, and values are so large', async () => {
    expect(await read('?suma[gt]=1.234', 'ro')).toContain('|suma mai mare decât 1.234|')
    expect(await read('?suma[gt]=1.234', 'en')).not.toContain('You may be looking for')
    // A value that the column has, larger and smaller ones than it has, and other notations.
    const sure = ['suma=1.234', 'suma[gt]=45.123', 'suma[gt]=-1.234', 'suma=45.123&vehicule=1.00']
    for (const question of [...sure, 'suma[gt]=0.5&vehicule=1000&an=2019'])
      expect([question, (await read(`?${question}`, 'ro')).includes('o mie se scrie')]).toEqual([
        question,
        false,
      ])
  })

  test('is refused with both readings where a comma may be either', async () => {
    expect(await read('?vehicule[gt]=1,000', 'en')).toContain(
      '"1,000" is not an integer, and its comma may separate thousands or decimals (column vehicule, integer). Did you mean "1000" or "1"?',
    )
    expect(await read('?suma[gt]=1,234', 'ro')).toContain(
      'Virgula poate despărți miile sau zecimalele. Ați vrut să scrieți „1234” sau „1.234”?',
    )
    const { status, body } = await app.get('/v1/tests/parc?vehicule[gt]=1,000')
    expect([status, body.error.detail[0].suggestions]).toEqual([422, ['1000', '1']])
  })

  test('stays a decimal for programs', async () => {
    const { body } = await app.get('/v1/tests/parc?vehicule=1.000&limit=1')
    expect([body.pagination.total, body.data[0].vehicule, body.meta.hints]).toEqual([10, 1, undefined])
  })
})
