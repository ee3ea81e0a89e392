import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { findCoordinates } from '../../src/pages/explorer/coordinates.ts'
import { drawingOf, frameOf, moved, ticksBetween, WIDTH } from '../../src/pages/map/map-drawing.tsx'

const POINTS = fc.array(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  { minLength: 1, maxLength: 30 },
)

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
  )
})

test('lines of degrees are inside their frame, and never a crowd', () => {
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

test('zooming out and in again is the same frame, and moving keeps the size', () => {
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
