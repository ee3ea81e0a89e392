/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/texts.ts'

const GAP = 4

interface Props {
  readonly language: Language
  readonly label: string
  readonly points: readonly Point[]
  readonly addressOf: (point: Point) => string
}

export function MapDrawing({ language, label, points, addressOf }: Props) {
  const frame = frameOf(points)
  const { height, place } = drawingOf(frame)
  const degrees = (value: number) => `${formatNumber(language, value)}°`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <svg class="map" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={label}>
      {ticksBetween(frame.south, frame.north).map((latitude) => {
        const { y } = place({ latitude, longitude: frame.west })
        return (
          <g class="net">
            <line x1={0} x2={WIDTH} y1={y} y2={y} />
            <text x={GAP} y={y - GAP}>
              {degrees(latitude)}
            </text>
          </g>
        )
      })}
      {ticksBetween(frame.west, frame.east).map((longitude) => {
        const { x } = place({ latitude: frame.north, longitude })
        return (
          <g class="net">
            <line x1={x} x2={x} y1={0} y2={height} />
            <text x={x + GAP} y={height - GAP}>
              {degrees(longitude)}
            </text>
          </g>
        )
      })}
      {points.map((point) => {
        const { x, y } = place(point)
        const name = MAP_TEXTS[language].place(
          formatNumber(language, point.latitude),
          formatNumber(language, point.longitude),
        )
        // The keyboard reaches the rows by the table, not by a thousand links.
        return (
          <a href={addressOf(point)} rel="nofollow" tabIndex={-1} aria-label={name}>
            <circle cx={Math.round(x * 10) / 10} cy={Math.round(y * 10) / 10} r={4}>
              <title>{name}</title>
            </circle>
          </a>
        )
      })}
    </svg>
  )
}

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
/** Degrees that a frame has at least. */
const LEAST_SPAN = 0.002
/** Part of a frame that stays free at each edge. */
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

/** How a frame changes: its size by `factor`, its centre by parts of its size. */
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

/** A degree of longitude is as long as it is at the middle latitude, within a readable shape. */
export function drawingOf({ south, north, west, east }: Frame) {
  const shrink = Math.cos(((south + north) / 2 / 180) * Math.PI)
  const shape = (north - south) / ((east - west) * Math.max(shrink, 0.1))
  const height = Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, WIDTH * shape)))
  return {
    height,
    place: ({ latitude, longitude }: Point) => ({
      x: ((longitude - west) / (east - west)) * WIDTH,
      y: ((north - latitude) / (north - south)) * height,
    }),
  }
}

/** Round degrees between two bounds, some three to eight of them. */
export function ticksBetween(low: number, high: number): number[] {
  const power = 10 ** Math.floor(Math.log10((high - low) / 3))
  const step = [5, 2, 1].map((times) => times * power).find((one) => (high - low) / one >= 3) ?? power
  const ticks: number[] = []
  for (let index = Math.ceil(low / step); index * step <= high; index++)
    ticks.push(Number((index * step).toPrecision(12)))
  return ticks
}
