/** The part of the world that a map of points shows. */

/** In degrees; `south` < `north`, `west` < `east`. */
export interface Frame {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Size of the drawing, in its own units. */
export const WIDTH = 720
const LEAST_HEIGHT = 300
const MOST_HEIGHT = 720
/** The least span of a frame in degrees. */
const LEAST_SPAN = 0.002
/** The share of a frame that stays free at each edge. */
const MARGIN = 0.04

export function frameOf(points: readonly Point[]): Frame {
  const latitudes = points.map(({ latitude }) => latitude)
  const longitudes = points.map(({ longitude }) => longitude)
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)]
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)]
  const [high, wide] = [Math.max(north - south, LEAST_SPAN), Math.max(east - west, LEAST_SPAN)]
  return centred((south + north) / 2, (west + east) / 2, high * (1 + 2 * MARGIN), wide * (1 + 2 * MARGIN))
}

function centred(latitude: number, longitude: number, high: number, wide: number): Frame {
  return {
    south: Math.max(-90, latitude - high / 2),
    north: Math.min(90, latitude + high / 2),
    west: Math.max(-180, longitude - wide / 2),
    east: Math.min(180, longitude + wide / 2),
  }
}

/** A change of a frame: its size by `factor`, its centre by fractions of its size. */
export interface Move {
  readonly factor?: number
  readonly north?: number
  readonly east?: number
}

export function moved({ south, north, west, east }: Frame, { factor = 1, ...by }: Move): Frame {
  const [high, wide] = [north - south, east - west]
  const latitude = (south + north) / 2 + (by.north ?? 0) * high
  const longitude = (west + east) / 2 + (by.east ?? 0) * wide
  return centred(latitude, longitude, high * factor, wide * factor)
}

/** The drawing of a frame, true to scale at its middle latitude; too flat or tall a frame is extended. */
export function drawingOf(frame: Frame) {
  const shrink = Math.max(Math.cos(((frame.south + frame.north) / 2 / 180) * Math.PI), 0.1)
  const [high, wide] = [frame.north - frame.south, (frame.east - frame.west) * shrink]
  const height = Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, (WIDTH * high) / wide)))
  const shape = height / WIDTH
  const extended = centred(
    (frame.south + frame.north) / 2,
    (frame.west + frame.east) / 2,
    Math.max(high, wide * shape),
    Math.max(wide, high / shape) / shrink,
  )
  // Sums of halves may round to less than the frame.
  const [south, north] = [Math.min(frame.south, extended.south), Math.max(frame.north, extended.north)]
  const [west, east] = [Math.min(frame.west, extended.west), Math.max(frame.east, extended.east)]
  return {
    height,
    frame: { south, north, west, east },
    place: ({ latitude, longitude }: Point) => ({
      x: ((longitude - west) / (east - west)) * WIDTH,
      y: ((north - latitude) / (north - south)) * height,
    }),
  }
}

/** About three to eight round degrees between two bounds. */
export function ticksBetween(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 3))
  const step = [5, 2, 1].map((times) => times * power).find((one) => (high - low) / one >= 3) ?? power
  const ticks: number[] = []
  for (let index = Math.ceil(low / step); index * step <= high; index++)
    ticks.push(Number((index * step).toPrecision(12)))
  return ticks
}
