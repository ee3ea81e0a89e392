import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  const schools = Array.from(
    { length: 1500 },
    (_, n) =>
      `Școala ${n},${(44 + (n % 50) / 20).toFixed(2)},${(23 + (n % 47) / 20).toFixed(2)},${n % 2 ? 'urban' : 'rural'}`,
  )
  await app.ingestCsv(`name,lat,lon,area\n${schools.join('\n')}\nFără loc,,,urban\n`, {
    id: 'schools',
    domain: 'education',
  })
  await app.ingestCsv('a,b\n1,2\n3,4\n', { id: 'plain', domain: 'education' })
})
afterAll(() => app.stop())

const look = (path: string) => app.get(path, { key: null, headers: { accept: 'text/html' } })
const pointsIn = (text: string) => (text.match(/<circle/g) ?? []).length
const linkOf = (text: string, name: string) =>
  new RegExp(`href="([^"]+)"[^>]*(?:aria-label="${name}"|>${name}<)`).exec(text)![1]!.replaceAll('&amp;', '&')

test('the page of a dataset with coordinates links to a map; other datasets have none', async () => {
  const page = await look('/datasets/schools?lang=en')
  expect(page.text).toContain('href="/datasets/schools/map?lang=en"')
  expect((await look('/datasets/plain')).text).not.toContain('/datasets/plain/map')
  expect((await look('/datasets/plain/map')).status).toBe(404)
  const { status, text } = await look('/datasets/schools/map?lang=en')
  expect(status).toBe(200)
  expect(pointsIn(text)).toBe(1000)
  expect(text).toContain('1,000 points of 1,500 rows')
})

test('filters leave fewer points, and all of them are drawn', async () => {
  const { text } = await look('/datasets/schools/map?area[eq]=urban&lang=en')
  expect(pointsIn(text)).toBe(750)
  expect(text).toContain('>750 points<')
  expect((await look('/datasets/schools/map?area[eq]=nowhere&lang=en')).text).toContain(
    'None of the filtered rows',
  )
  expect((await look('/datasets/schools/map?nothing[eq]=1')).status).toBe(422)
})

test('zooming in filters by place, step by step, and one click shows the whole map again', async () => {
  const { text } = await look('/datasets/schools/map?area[eq]=urban&lang=en')
  const closer = await look(linkOf(text, 'Zoom in'))
  expect(pointsIn(closer.text)).toBeGreaterThan(0)
  expect(pointsIn(closer.text)).toBeLessThan(750)
  const closest = await look(linkOf(closer.text, 'Zoom in'))
  expect(pointsIn(closest.text)).toBeLessThan(pointsIn(closer.text))
  expect(pointsIn((await look(linkOf(closest.text, 'The whole map'))).text)).toBe(750)
  const table = await look(linkOf(closest.text, 'The rows on the map, as a table'))
  expect(table.text).toContain(`<strong class="number">${pointsIn(closest.text)} rows`)
})

test('a point links to its row', async () => {
  const { text } = await look('/datasets/schools/map?name[eq]=%C8%98coala%2017&lang=en')
  expect(pointsIn(text)).toBe(1)
  const address = /<a href="([^"]+)"[^>]*aria-label="The row at 44.85, 23.85"/
    .exec(text)![1]!
    .replaceAll('&amp;', '&')
  const row = await look(address)
  expect(row.text).toContain('1 row<')
  expect(row.text).toContain('Școala 17')
})

test('the outlines of counties are below the points, a frame has fewer points, and both are small', async () => {
  const packed = async (path: string) => {
    const { body } = await fetch(app.url + path, {
      headers: { 'accept-encoding': 'gzip' },
      decompress: false,
    })
    return (await new Response(body).bytes()).length
  }
  expect((await look('/datasets/schools/map')).text).toContain('class="outlines"')
  const framed = await look('/embed/schools?view=map&lang=en')
  expect(pointsIn(framed.text)).toBe(400)
  expect(framed.text).toContain('400 points of 1,500 rows')
  expect(await packed('/datasets/schools/map')).toBeLessThan(50_000)
  expect(await packed('/embed/schools?view=map')).toBeLessThan(25_000)
})
