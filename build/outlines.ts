/**
 * Makes `data/reference/romania-counties.json`, the outlines that maps draw, from a GeoJSON file of the counties:
 * `bun run build:outlines COUNTIES.geojson`. A feature is a polygon with the properties `code` (plate) and `name`; neighbours
 * share the points of their border. The shipped file comes from Natural Earth, 1:10,000,000, admin-1 states and provinces,
 * version 5 (public domain), where `iso_a2` is `RO`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OUTLINES = join(import.meta.dir, '..', 'data', 'reference', 'romania-counties.json')
/** Steps in a degree; one is about 200 m from west to east. */
const SCALE = 400
/** In steps: half a pixel of a map 900 pixels wide. */
const TOLERANCE = 2

type Point = readonly [x: number, y: number]
interface County {
  readonly code: string
  readonly name: string
  readonly rings: readonly (readonly Point[])[]
}

interface Feature {
  readonly properties: { readonly code: string; readonly name: string }
  readonly geometry: { readonly type: string; readonly coordinates: unknown }
}

/** The text of the outlines' file. @throws Error for geometries that are not polygons */
export function makeOutlines(features: readonly Feature[]): string {
  const all = features.map(({ properties: { code, name }, geometry: { type, coordinates } }) => {
    if (type !== 'Polygon' && type !== 'MultiPolygon') throw new Error(`${code} is a ${type}`)
    const rings = (type === 'Polygon' ? coordinates : (coordinates as unknown[]).flat()) as Point[][]
    return { code, name, rings }
  })
  const points = all.flatMap(({ rings }) => rings.flat())
  const [west, north] = [
    Math.floor(Math.min(...points.map(([x]) => x)) * 10) / 10,
    Math.ceil(Math.max(...points.map(([, y]) => y)) * 10) / 10,
  ]
  const counties = all.map(({ rings, ...county }) => ({
    ...county,
    rings: rings.map((ring) => inSteps(ring, west, north)),
  }))
  const kept = keptPoints(counties)
  const written = counties
    .map(({ code, name, rings }) => {
      const simple = rings.map((ring) => ring.filter((point) => kept.has(`${point}`)))
      return { code, name, label: middleOf(simple), path: simple.map(pathOf).join('') }
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1))
  const [width, height] = [0, 1].map((axis) =>
    Math.max(...counties.flatMap(({ rings }) => rings.flat().map((point) => point[axis]!))),
  )
  const lines = written.map((county) => JSON.stringify(county)).join(',\n')
  const head = JSON.stringify({ west, north, scale: SCALE, width, height }).slice(1, -1)
  return `{"source":"Natural Earth, public domain",${head},"counties":[\n${lines}\n]}\n`
}

/** Whole steps from the north-western corner, without repeated points and without the last point, which is the first. */
function inSteps(ring: readonly Point[], west: number, north: number): Point[] {
  const steps = ring.map(([x, y]): Point => [Math.round((x - west) * SCALE), Math.round((north - y) * SCALE)])
  return steps.filter((point, index) => `${point}` !== `${steps[(index + 1) % steps.length]}`)
}

/**
 * The points that stay: where more than two borders meet, and those that the Douglas-Peucker algorithm keeps of each
 * border between them. Both neighbours keep the same points, so no gap opens.
 */
function keptPoints(counties: readonly County[]): Set<string> {
  const owners = new Map<string, Set<string>>()
  const near = new Map<string, Set<string>>()
  for (const { code, rings } of counties) {
    for (const ring of rings) {
      for (const [index, point] of ring.entries()) {
        owners.getOrInsertComputed(`${point}`, () => new Set()).add(code)
        for (const other of [ring.at(index - 1)!, ring[(index + 1) % ring.length]!])
          near.getOrInsertComputed(`${point}`, () => new Set()).add(`${other}`)
      }
    }
  }
  const kept = new Set<string>()
  for (const { rings } of counties) {
    for (const ring of rings) {
      const nodes = [...ring.keys()].filter((index) => near.get(`${ring[index]}`)!.size > 2)
      // A border with only one neighbour, or none, is cut at two points that do not depend on where the ring begins.
      const starts = nodes.length > 1 ? nodes : loopStarts(ring)
      for (const [at, start] of starts.entries()) {
        const end = starts[at + 1] ?? starts[0]! + ring.length
        const arc = Array.from(
          { length: end - start + 1 },
          (_, index) => ring[(start + index) % ring.length]!,
        )
        const [first, last] = [`${arc[0]}`, `${arc.at(-1)}`]
        for (const point of simplify(first < last ? arc : arc.toReversed())) kept.add(`${point}`)
      }
    }
  }
  return kept
}

function loopStarts(ring: readonly Point[]): number[] {
  const texts = ring.map(String)
  const first = texts.indexOf(texts.toSorted()[0]!)
  const far = ring.map(([x, y]) => Math.hypot(x - ring[first]![0], y - ring[first]![1]))
  return [first, far.indexOf(Math.max(...far))].sort((a, b) => a - b)
}

function simplify(arc: readonly Point[]): Point[] {
  const [first, last] = [arc[0]!, arc.at(-1)!]
  const distances = arc.slice(1, -1).map((point) => distanceTo(point, first, last))
  const most = Math.max(0, ...distances)
  if (most <= TOLERANCE) return [first, last]
  const at = distances.indexOf(most) + 1
  return [...simplify(arc.slice(0, at + 1)), ...simplify(arc.slice(at)).slice(1)]
}

function distanceTo([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const along = Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy)
}

/** The position of a county's label: of a grid of points, the one farthest from its borders. */
function middleOf(rings: readonly (readonly Point[])[]): Point {
  const edges = rings.flatMap((ring) => ring.map((point, index) => [point, ring.at(index - 1)!] as const))
  const [xs, ys] = [0, 1].map((axis) => rings.flat().map((point) => point[axis]!)) as [number[], number[]]
  let best: { place: Point; room: number } = { place: rings[0]![0]!, room: -1 }
  for (let x = Math.min(...xs); x <= Math.max(...xs); x += 4) {
    for (let y = Math.min(...ys); y <= Math.max(...ys); y += 4) {
      const crossed = edges.filter(
        ([[x1, y1], [x2, y2]]) => y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1,
      )
      if (crossed.length % 2 === 0) continue
      const room = Math.min(...edges.map(([from, to]) => distanceTo([x, y], from, to)))
      if (room > best.room) best = { place: [x, y], room }
    }
  }
  return best.place
}

/** The first point, then steps from each point to the next. */
function pathOf(ring: readonly Point[]): string {
  const steps = ring.slice(1).map(([x, y], index) => [x - ring[index]![0], y - ring[index]![1]])
  return `M${ring[0]!.join()}l${steps.join(' ').replaceAll(/[ ,]-/g, '-')}z`
}

if (import.meta.main) {
  const [source = ''] = process.argv.slice(2)
  const text = makeOutlines(JSON.parse(readFileSync(source, 'utf8')).features)
  writeFileSync(OUTLINES, text)
  console.log(`${text.length} characters, ${Bun.gzipSync(Buffer.from(text)).length} bytes with gzip`)
}
