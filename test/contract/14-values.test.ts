/** The page of all values of a column: `/datasets/{id}/values` (contract 14). */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { wordsOf } from '../../src/base/text/words.ts'
import { startTestApp, type TestApp } from '../support/app.ts'

const PLACES = [
  'Timiș',
  'Târgu Mureș',
  'Mureș',
  'ŢEBEA',
  'Łódź',
  'Satu Mare',
  'Baia Mare',
  'Cluj',
  'a&b <c>',
  '',
]
const NAMES = Array.from({ length: 120 }, (_, n) =>
  `${PLACES[n % PLACES.length]}${n < 10 ? '' : ` ${n}`}`.trim(),
)
/** Row `n` has name `n % 120`, so that low-numbered names occur once more; every seventh row has none. */
const ROWS = Array.from({ length: 1000 }, (_, n) => ({
  name: n % 7 === 0 ? null : NAMES[n % NAMES.length]!,
  year: 2000 + (n % 30),
  urban: n % 3 === 0,
}))

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ flags: { public_per_minute: '100000' } })
  await app.publish({
    ...{ id: 'places', domain: 'tests', title: 'Places' },
    table: {
      columns: [
        { name: 'name', type: 'string' },
        { name: 'year', type: 'integer' },
        { name: 'urban', type: 'boolean' },
      ],
      rows: ROWS.map(({ name, year, urban }) => [name, year, urban]),
    },
  })
})
afterAll(() => app.stop())

const look = (query: string) =>
  app.get(`/datasets/places/values?lang=en&${query}`, { key: null, headers: { accept: 'text/html' } })

/** Values and counts of a page, in its order; null means missing. */
function valuesIn(text: string): [string | null, number][] {
  const rows = /<tbody>(.*)<\/tbody>/s.exec(text)?.[1]?.split('</tr>').slice(0, -1) ?? []
  return rows.map((row) => {
    const shown = /<th scope="row">(.*)<\/th>/s.exec(row)![1]!
    const value = shown.includes('missing') ? null : shown.replace(/<(?:"[^"]*"|[^">])*>/g, '')
    const read = value?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? null
    return [
      read === '“”' ? '' : read,
      Number(/<td class="number">([\d,]+)</.exec(row)![1]!.replaceAll(',', '')),
    ]
  })
}

async function allValues(query: string): Promise<[string | null, number][]> {
  const found: [string | null, number][] = []
  for (let page = `/datasets/places/values?lang=en&${query}`; ; ) {
    const { text, status } = await app.get(page, { key: null, headers: { accept: 'text/html' } })
    expect(status).toBe(200)
    found.push(...valuesIn(text))
    const next = /href="([^"]*)"[^>]*>Next</.exec(text)?.[1]
    if (next === undefined) return found
    page = next.replaceAll('&amp;', '&')
  }
}

function expected(column: keyof (typeof ROWS)[number], rows = ROWS): [string | null, number][] {
  const groups = Map.groupBy(rows, (row) => row[column])
  return [...groups].map(([value, those]) => [value === null ? null : String(value), those.length])
}

const sorted = (values: [string | null, number][]) => values.map((one) => JSON.stringify(one)).sort()

test('pages have every value of the column once, most frequent first, with its number of rows', async () => {
  const found = await allValues('column=name')
  expect(sorted(found)).toEqual(sorted(expected('name')))
  const counts = found.map(([, count]) => count)
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect((await look('column=name')).text).toContain(`${expected('name').length} values`)
})

test.each(['timis', 'MURES', 'mare sa', 'tebea', 'lodz', '7', 'c', 'mur 1'])(
  'the box finds %s at the beginning of words, without regard to case and diacritics',
  async (find) => {
    const holds = (value: string | null) =>
      wordsOf(find).every((word) => wordsOf(value ?? '').some((one) => one.startsWith(word)))
    const wanted = expected('name').filter(([value]) => value !== null && holds(value))
    expect(wanted.length).toBeGreaterThan(0)
    expect(sorted(await allValues(`column=name&find=${encodeURIComponent(find)}`))).toEqual(sorted(wanted))
  },
)

test('numbers are found by their first digits, and a search for signs alone finds nothing', async () => {
  const found = await allValues('column=year&find=201')
  expect(found.map(([value]) => value).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `${2010 + n}`))
  const { text } = await look('column=name&find=--')
  expect(text).toContain('No value has these words')
  expect(valuesIn(text)).toEqual([])
})

test('the measure of the summary is beside the number of rows', async () => {
  await app.ingestCsv(`judet;total\nCluj;10\nCluj;15\nAlba;1.5\n`.replaceAll(';', ','), {
    ...{ id: 'sums', domain: 'tests' },
  })
  const { text } = await app.get('/datasets/sums/values?column=judet&lang=en', {
    key: null,
    headers: { accept: 'text/html' },
  })
  expect(text).toContain('>Sum: total<')
  const cells = [...text.matchAll(/<td class="number">([^<]*)</g)].map(([, cell]) => cell)
  expect(cells).toEqual(['2', '25', '1', '1.5'])
})

test('the description of a column links to its values if these are not listed beside the rows', async () => {
  const headers = { accept: 'text/html' }
  const described = async () => {
    const { text } = await app.get('/datasets/places?lang=en', { key: null, headers })
    const table = text.slice(text.indexOf('id="columns"'), text.indexOf('id="quality"'))
    return [...table.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  }
  // Years and names are listed beside the rows.
  expect(await described()).toEqual([])
  const rows = Array.from({ length: 90 }, (_, n) => `Strada ${n},${n % 2 ? 'Cluj' : 'Alba'},${n}.5`)
  await app.ingestCsv(`street,county,rate\n${rows.join('\n')}\n`, { id: 'streets', domain: 'tests' })
  const { text } = await app.get('/datasets/streets?lang=en', { key: null, headers })
  for (const column of ['street', 'rate']) {
    const href = `/datasets/streets/values?column=${column}&lang=en`
    expect(text).toMatch(
      new RegExp(
        `<a href="${href.replace('?', '\\?').replace('&', '&amp;')}"[^>]*>90<span class="unseen">, All values: ${column}<`,
      ),
    )
    expect((await app.get(href, { key: null, headers })).status).toBe(200)
  }
  expect(text).not.toContain('/values?column=county')
})

test('filters on other columns narrow the rows, those on the column itself do not', async () => {
  const urban = ROWS.filter((row) => row.urban)
  expect(sorted(await allValues('column=name&urban[eq]=true'))).toEqual(sorted(expected('name', urban)))
  const found = await allValues('column=year&year[eq]=2001&urban[eq]=true')
  expect(sorted(found)).toEqual(sorted(expected('year', urban)))
})

test('a value links to its rows and keeps the other filters', async () => {
  const { text } = await look('column=name&find=timis&year[gte]=2010')
  const link = /href="([^"]*)"[^>]*data-value="Timiș 10"/.exec(text)![1]!.replaceAll('&amp;', '&')
  const rows = await app.get(link, { key: null, headers: { accept: 'text/html' } })
  const count = ROWS.filter(({ name, year }) => name === 'Timiș 10' && year >= 2010).length
  expect(rows.text).toContain(`<strong class="number">${count} row`)
})

test.each([
  ['column=nothing', 'nothing'],
  ['column=name&nothing[eq]=1', 'nothing'],
])('%s is refused by name', async (query, name) => {
  const { status, text } = await look(query)
  expect([status, text.includes(name)]).toEqual([422, true])
})

test('values follow the rules of public rows: closed datasets, public_browsing, and the limit per minute', async () => {
  const closed = await startTestApp({ flags: { public_browsing: 'false' } })
  const counted = await startTestApp({ flags: { public_per_minute: '2' } })
  const table = { columns: [{ name: 'name', type: 'string' as const }], rows: [['SECRET']] }
  try {
    for (const one of [closed, counted]) await one.publish({ id: 'places', domain: 'tests', table })
    const ask = (one: TestApp) =>
      one.get('/datasets/places/values?column=name', { key: null, headers: { accept: 'text/html' } })
    const refused = await ask(closed)
    expect([refused.status, refused.text.includes('SECRET')]).toEqual([401, false])
    const answers = [await ask(counted), await ask(counted), await ask(counted)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  } finally {
    await closed.stop()
    await counted.stop()
  }
})

test('the list beside the rows has all of up to twelve values, and of more the most frequent with a link to all', async () => {
  await app.publish({
    ...{ id: 'kinds', domain: 'tests', title: 'Kinds' },
    table: {
      columns: ['month', 'line'].map((name) => ({ name, type: 'string' as const })),
      rows: Array.from({ length: 156 }, (_, n) => [`month ${n % 12}`, `line ${n % 13}`]),
    },
  })
  const { text } = await app.get('/datasets/kinds?lang=en', { key: null, headers: { accept: 'text/html' } })
  const [months = '', lines = ''] = text.split('<h3 id="facet-').slice(1)
  expect([months.match(/>month \d+</g)?.length, months.includes('other values')]).toEqual([12, false])
  expect(lines.split('</section>')[0]).toMatch(/other values<\/span> <span class="number soft">60</)
  expect(lines.match(/>line \d+<\/span>/g)).toHaveLength(8)
})
