import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

const DAYS = 900
const dayOf = (index: number) => new Date(Date.UTC(2022, 0, 1 + index)).toISOString().slice(0, 10)
const SCRIPT = '"><script>alert(1)</script>\u0008'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const rows = Array.from(
    { length: DAYS },
    (_, n) => `${dayOf(n)},Stația ${n % 3},${(n * 37) % 101}.${n % 10}`,
  )
  const csv = `zi,statie,consum_kwh\n${rows.join('\n')}\n`
  const definition = { title: 'Consum pe zile', publisher: 'Furnizorul' }
  await app.ingestCsv(csv, { id: 'consum', domain: 'energy', definition })
  await app.ingestCsv(csv, { id: 'hostile', domain: 'energy', definition: { title: SCRIPT } })
  await app.ingestCsv(csv, { id: 'closed', domain: 'energy' })
  await app.app.catalog.edit('closed', { dataset: {}, columns: {}, open: false })
})
afterAll(() => app.stop())

const look = (path: string, headers: Record<string, string> = {}) => app.get(path, { key: null, headers })

/** The values of the marks, without thousands separators, by their labels. */
const drawnIn = (html: string) =>
  new Map(
    [...html.matchAll(/<(?:rect|circle)[^>]*><title>([^<]*): ([^<:]*)<\/title>/g)].map(([, label, value]) => [
      label!,
      value!.replaceAll(',', ''),
    ]),
  )

/** The sum by group, exact, from the API. */
async function groups(group: string, id = 'consum') {
  const path = `/v1/energy/${id}/aggregate?format=csv&group_by=${group}&measures=sum(consum_kwh)`
  const lines = (await app.get(path)).text.trim().split('\r\n').slice(1)
  return new Map(lines.map((line) => line.split(',') as [string, string]))
}

describe('a chart of time', () => {
  test('starts with the sum of what is measured, by periods that can be distinguished', async () => {
    const { text } = await look('/datasets/consum/summary?lang=en')
    expect(text).toContain('Sum: ')
    expect(drawnIn(text)).toEqual(await groups('month(zi)'))
  })

  test('follows the filters: one month is drawn by days', async () => {
    const { text } = await look('/datasets/consum/summary?zi[gte]=2023-02-01&zi[lt]=2023-03-01&lang=en')
    expect([...drawnIn(text).keys()]).toEqual(
      Array.from({ length: 28 }, (_, day) => `2023-02-${String(day + 1).padStart(2, '0')}`),
    )
  })

  test('with too many periods is drawn by longer ones, says so, and ends with the newest', async () => {
    const { text } = await look('/datasets/consum/summary?rows=zi&draw=columns&lang=en')
    const drawn = drawnIn(text)
    expect(drawn).toEqual(await groups('month(zi)'))
    expect([...drawn.keys()].at(-1)).toBe(dayOf(DAYS - 1).slice(0, 7))
    expect(text).toContain('the table has too many periods')
  })
})

describe('the picture of a summary', () => {
  test('has a tag, can be framed, sets no cookie, and draws the values of the API', async () => {
    const path = '/datasets/consum/summary.svg?rows=statie&lang=en'
    const { status, text, headers } = await look(path)
    expect([status, headers.get('content-type'), headers.get('set-cookie')]).toEqual([
      ...[200, 'image/svg+xml; charset=utf-8', null],
    ])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors *")
    expect(drawnIn(text)).toEqual(await groups('statie'))
    expect((await look(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
  })

  test('is well-formed and runs nothing, whatever the title contains', async () => {
    const { text } = await look('/datasets/hostile/summary.svg?statie[ne]=%3Cscript%3E')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('\u0008')
    expect(text).toContain('&lt;script>alert(1)')
  })

  test('of a closed dataset needs a key like its rows, and refusals are those of aggregates', async () => {
    for (const [path, status, code] of [
      ['/datasets/closed/summary.svg', 401, 'api_key_missing'],
      ['/datasets/nothing/summary.svg', 404, 'dataset_not_found'],
      ['/datasets/consum/summary.svg?judet=Cluj', 422, 'unknown_column'],
      ['/datasets/consum/summary.svg?measure=sum(zi)', 422, 'invalid_aggregate'],
      ['/datasets/consum/summary.svg?rows=statie&measure=max(zi)', 404, 'not_found'],
    ] as const) {
      const { status: found, text } = await look(path)
      expect([path, found, JSON.parse(text).error.code]).toEqual([path, status, code])
    }
  })
})
