import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { CLASSES, levels } from '../../src/pages/map/ask-counties.ts'
import { drawingOf, frameOf, moved, ticksBetween, WIDTH } from '../../src/pages/map/frame.ts'
import { OUTLINES } from '../../src/pages/map/outlines.ts'
import { findCoordinates } from '../../src/pages/question/coordinates.ts'
import { countyColumns, countyOf } from '../../src/pages/question/county-columns.ts'

const POINTS = fc.array(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  { minLength: 1, maxLength: 30 },
)

/** A frame as wide as the world, whose halves round to less than it. */
const DATE_LINE = [
  { latitude: 0, longitude: -166.153845971457 },
  { latitude: 0, longitude: 180 },
  { latitude: 89.86599245584125, longitude: 0 },
]

test('every point is inside the drawing, north above south and east right of west', () => {
  fc.assert(
    fc.property(POINTS, (points) => {
      const { height, place } = drawingOf(frameOf(points))
      for (const point of points) {
        const { x, y } = place(point)
        expect(x >= 0 && x <= WIDTH && y >= 0 && y <= height).toBe(true)
        for (const other of points) {
          if (other.latitude > point.latitude) expect(place(other).y).toBeLessThanOrEqual(y)
          if (other.longitude > point.longitude) expect(place(other).x).toBeGreaterThanOrEqual(x)
        }
      }
    }),
    { examples: [[DATE_LINE]] },
  )
})

test('lines of degrees are inside their frame, and never crowded', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -180, max: 179, noNaN: true }),
      fc.double({ min: 0.002, max: 360, noNaN: true }),
      (low, span) => {
        const ticks = ticksBetween(low, low + span)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThan(20)
        for (const tick of ticks) {
          expect(tick).toBeGreaterThanOrEqual(low - 1e-9)
          expect(tick).toBeLessThanOrEqual(low + span + 1e-9)
        }
      },
    ),
  )
})

test('zooming out and in again gives the same frame, and moving keeps the size', () => {
  const frame = { south: 44, north: 46, west: 24, east: 28 }
  expect(moved(moved(frame, { factor: 2 }), { factor: 1 / 2 })).toEqual(frame)
  expect(moved(frame, { north: 1 / 2, east: -1 / 2 })).toEqual({ south: 45, north: 47, west: 22, east: 26 })
})

test('coordinates are found by their words and values', () => {
  const column = (name: string, min: number, max: number, title: string | null = null) =>
    ({ name, title, type: 'decimal', min, max }) as const
  expect(findCoordinates([column('lat', 43, 48), column('lng', 20, 30)])).toEqual({
    latitude: 'lat',
    longitude: 'lng',
  })
  const titled = [column('y', 43, 48, 'Latitudine'), column('x', 20, 30, 'Longitudine (grade)')]
  expect(findCoordinates(titled)).toEqual({ latitude: 'y', longitude: 'x' })
  expect(findCoordinates([column('lat', 43, 4800), column('lon', 20, 30)])).toBeUndefined()
  expect(findCoordinates([column('plate', 43, 48), column('lon', 20, 30)])).toBeUndefined()
})

/** Corners of each ring of a path, in steps. */
function ringsOf(path: string): number[][][] {
  return path.split('z').flatMap((ring) => {
    const [start, ...steps] = (ring.match(/-?\d+,?-?\d*/g) ?? []).join(' ').match(/-?\d+/g)?.map(Number) ?? []
    if (start === undefined) return []
    const numbers = [start, ...steps]
    let [x, y] = [0, 0]
    return [
      Array.from({ length: numbers.length / 2 }, (_, index) => {
        x += numbers[index * 2]!
        y += numbers[index * 2 + 1]!
        return [x, y]
      }),
    ]
  })
}

test('the outlines are the 42 counties of the reference table, and neighbours share their borders', () => {
  expect(OUTLINES).toHaveLength(42)
  for (const { name, code } of OUTLINES) {
    expect(countyOf(code)).toBe(name)
    expect(countyOf(name)).toBe(name)
  }
  const owners = new Map<string, string[]>()
  for (const { code, path } of OUTLINES) {
    for (const ring of ringsOf(path)) {
      for (const [index, point] of ring.entries()) {
        const edge = [`${point}`, `${ring[(index + 1) % ring.length]}`].sort().join(' ')
        owners.getOrInsertComputed(edge, () => []).push(code)
      }
    }
  }
  const ends = new Map<string, number>()
  for (const [edge, codes] of owners) {
    expect(codes.length).toBeLessThanOrEqual(2)
    if (codes.length === 1) for (const end of edge.split(' ')) ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  // The borders of one county alone are the closed border of the country.
  for (const count of ends.values()) expect(count % 2).toBe(0)
  const shared = owners.values().filter((codes) => codes.length === 2)
  expect(shared.toArray().length).toBeGreaterThan(800)
  const { size } = Bun.file(new URL('../../data/reference/romania-counties.json', import.meta.url))
  expect(size).toBeLessThan(40_000)
})

test('classes of a legend follow the order of the figures, and equal figures share one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 42 }), (numbers) => {
      const levelOf = levels(numbers.map(String), 'integer')
      for (const a of numbers) {
        expect(levelOf(String(a))).toBeWithin(0, CLASSES)
        for (const b of numbers) if (a < b) expect(levelOf(String(a))).toBeLessThanOrEqual(levelOf(String(b)))
      }
      const different = new Set(numbers).size
      const used = new Set(numbers.map((one) => levelOf(String(one)))).size
      if (different <= CLASSES) expect(used).toBe(different)
    }),
  )
})

test('columns of counties are those of the reference table, and texts that name them', () => {
  const column = (name: string, min: string, max: string, type = 'string') =>
    ({ name, title: null, type, min, max, distinct_count: 40 }) as never
  const columns = [
    column('judet', 'AB', 'Vrancea'),
    column('judet_canonical', 'Alba', 'Vrancea'),
    column('county_of_birth', 'ALBA', 'VÂLCEA'),
    column('judecatorie', 'Alba', 'Vrancea'),
    column('judet_scris', 'a', 'z'),
    column('county_total', '1', '9', 'integer'),
    column('county_and_total', 'Alba', 'TOTAL'),
  ]
  const definition = { columns: [{ name: 'judet', canonical: 'counties' }] }
  expect(countyColumns({ columns, definition })).toEqual([1, 2, 6])
  expect(countyColumns({ columns, definition: null })).toEqual([0, 1, 2, 6])
})
