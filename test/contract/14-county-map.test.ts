import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const known = [
    ...['CJ,ELECTRIC,2023,10.25', 'Jud. Cluj,ELECTRIC,2024,20.50', 'Iași,ELECTRIC,2024,5.10'],
    ...['Iasi,DIESEL,2023,4.90', 'Sector 1,DIESEL,2024,7', 'Sector 2,DIESEL,2024,8', 'Alba,DIESEL,2024,1'],
    ...['Bihor,DIESEL,2024,2', 'Vrancea,DIESEL,2024,3'],
  ]
  const unknown = ['Străinătate,DIESEL,2024,99', ',DIESEL,2024,0.5']
  const textOf = (rows: readonly string[]) => ['judet,combustibil,an,valoare', ...rows].join('\n')
  const column = { name: 'judet', type: 'string' }
  await app.ingestCsv(textOf([...known, ...unknown]), {
    id: 'parc',
    domain: 'transport',
    definition: { columns: [{ ...column, canonical: 'counties' }] },
  })
  await app.ingestCsv(textOf(known), { id: 'brut', domain: 'transport', definition: { columns: [column] } })
})
afterAll(() => app.stop())

const look = (path: string) => app.get(path, { key: null, headers: { accept: 'text/html' } })
const labelsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/aria-label="([^":]+): ([^"]+)"/g)].map(([, name, said]) => [name, said]),
  )
const linkOf = (text: string, county: string) =>
  new RegExp(`href="([^"]+)"[^>]*aria-label="${county}:`).exec(text)![1]!.replaceAll('&amp;', '&')

test('counties are shaded by the first measure of the summary, with the figures of the aggregate', async () => {
  const { status, text } = await look('/datasets/parc/map?lang=en')
  expect(status).toBe(200)
  expect(text).toContain('Sum: valoare')
  const said = labelsIn(text)
  const { body } = await app.get(
    '/v1/transport/parc/aggregate?group_by=judet_canonical&measures=sum(valoare)&limit=100',
  )
  expect(body.data.length).toBe(8)
  for (const group of body.data) {
    if (group.judet_canonical === null || group.judet_canonical === 'Străinătate') continue
    expect(Number(said[group.judet_canonical])).toBe(group.sum_valoare)
  }
  expect(said).toMatchObject({ Cluj: '30.75', București: '15', Constanța: 'no rows' })
  expect(Object.values(said).filter((one) => one === 'no rows')).toHaveLength(36)
  expect(text.match(/fill="var\(--level-\d\)" transform/g)).toHaveLength(6)
  // Values without a place on the map are counted in a note, and are in the table.
  expect(text).toContain('2 rows have no known county')
  expect(text).toMatch(/Străinătate<\/a><\/th><td class="number">99</)
})

test('a county links to its rows, filters apply, and the legend has the lowest and highest values', async () => {
  const { text } = await look('/datasets/parc/map?combustibil[eq]=ELECTRIC&measure=count&lang=en')
  expect(labelsIn(text)).toMatchObject({ Cluj: '2', Iași: '1', București: 'no rows' })
  expect(text).toContain('lowest: 1')
  expect(text).toContain('highest: 2')
  expect(text).toContain('no rows <span class="soft">(40 counties)')
  const rows = await look(linkOf(text, 'Cluj'))
  expect(rows.text).toContain('2 rows<')
})

test('spellings of one county are measured together even if no reference table joined them', async () => {
  const { text } = await look('/datasets/brut/map?measure=avg(valoare)&lang=en')
  expect(labelsIn(text)).toMatchObject({ Cluj: '15.38', Iași: '5.00', București: '7.50' })
  expect((await look(linkOf(text, 'București'))).text).toContain('2 rows<')
})

test('a total left among the counties does not take their map away, and is shown as what it is', async () => {
  const rows = ['judet,numar_vehicule', 'Alba,10', 'Cluj,20', 'Iași,30', 'TOTAL,60']
  await app.ingestCsv(rows.join('\n'), { id: 'cu_total', domain: 'transport' })
  expect((await look('/datasets/cu_total')).text).toContain('href="/datasets/cu_total/map"')
  const { text } = await look('/datasets/cu_total/map?lang=en')
  expect(labelsIn(text)).toMatchObject({ Alba: '10', Cluj: '20', Iași: '30', Vrancea: 'no rows' })
  expect(text).toContain('highest: 30')
  expect(text).toContain('1 row has no known county')
  expect(text).toMatch(/TOTAL<\/a><\/th><td class="number">60</)
})

test('pages link to the map with filters and measure, and the map links back', async () => {
  const page = await look('/datasets/parc?combustibil[eq]=DIESEL&lang=en')
  expect(page.text).toContain('/datasets/parc/map?combustibil%5Beq%5D=DIESEL&amp;lang=en')
  const summary = await look('/datasets/parc/summary?rows=judet_canonical&measure=avg(valoare)&lang=en')
  expect(summary.text).toMatch(/\/datasets\/parc\/map\?rows=judet_canonical&amp;measure=avg/)
  const map = await look('/datasets/parc/map?measure=avg(valoare)&lang=en')
  expect(map.text).toContain('/datasets/parc/summary?rows=judet_canonical&amp;measure=avg')
})

test('a frame shows the same map, a wrong measure is refused, and a closed dataset needs a key', async () => {
  const framed = await look('/embed/parc?view=map&lang=en')
  expect(framed.status).toBe(200)
  expect(labelsIn(framed.text)).toMatchObject({ Cluj: '30.75', Constanța: 'no rows' })
  expect((await look('/datasets/parc/map?measure=sum(nimic)')).status).toBe(422)
  const closed = await startTestApp({ settings: { public_browsing: false } })
  await closed.ingestCsv('judet,n\nCluj,1\nIași,2\n', { id: 'parc', domain: 'transport' })
  const headers = { accept: 'text/html' }
  expect((await closed.get('/datasets/parc/map', { key: null, headers })).status).toBe(401)
  await closed.stop()
})

test('with coordinates as well, the points accept the parameters of the counties', async () => {
  await app.ingestCsv('judet,lat,lon,valoare\nCluj,46.77,23.6,1\nIași,47.16,27.58,2\n', {
    ...{ id: 'sedii', domain: 'transport' },
  })
  const points = '/datasets/sedii/map?rows=judet&measure=sum(valoare)&draw=points&judet[eq]=Cluj&lang=en'
  for (const path of [points, points.replace('/datasets/sedii/map?', '/embed/sedii?view=map&')]) {
    const { status, text } = await look(path)
    expect([status, text.match(/<circle/g)?.length]).toEqual([200, 1])
    expect(text).toMatch(/class="map points"[^>]* aria-label="[^"]+ · judet is “Cluj”"/)
  }
  // Without counties these parameters are filters on columns of that name.
  await app.ingestCsv('lat,lon,rows\n46.77,23.6,1\n47.16,27.58,2\n', { id: 'puncte', domain: 'transport' })
  expect((await look('/datasets/puncte/map?rows=1')).text.match(/<circle/g)).toHaveLength(1)
  expect((await look('/datasets/puncte/map?measure=count')).status).toBe(422)
})

test('the name of a map says which rows it shows, and a frame has that name', async () => {
  for (const path of ['/datasets/parc/map?', '/embed/parc?view=map&']) {
    const { text } = await look(`${path}combustibil[eq]=ELECTRIC&q=cluj&lang=en`)
    expect(text).toMatch(
      /class="map counties"[^>]* aria-label="[^"]*, by county · [^"]*cluj[^"]* · combustibil is “ELECTRIC”"/,
    )
  }
  for (const view of ['summary', 'map', 'rows']) {
    const said = '<p class="small">combustibil is “ELECTRIC”</p>'
    expect((await look(`/embed/parc?view=${view}&combustibil[eq]=ELECTRIC&lang=en`)).text).toContain(said)
    expect((await look(`/embed/parc?view=${view}&lang=en`)).text).not.toContain('combustibil is')
  }
})
