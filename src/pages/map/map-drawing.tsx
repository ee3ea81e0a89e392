/** @jsxImportSource preact */

/** Points on a net of degrees, as SVG. */

import type { Language } from '../../base/text/language.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/texts.ts'
import { drawingOf, frameOf, type Point, ticksBetween, WIDTH } from './frame.ts'

const RADIUS = 4
/** Room of a label at its line. */
const GAP = 4

interface Props {
  readonly language: Language
  readonly label: string
  readonly points: readonly Point[]
  /** Where a click on a point leads. */
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
      {points.map((point) => (
        <Place point={point} place={place} address={addressOf(point)} language={language} />
      ))}
    </svg>
  )
}

/** The keyboard reaches the rows by the table, not by a thousand links. */
function Place({
  point,
  place,
  address,
  language,
}: {
  point: Point
  place: (point: Point) => { x: number; y: number }
  address: string
  language: Language
}) {
  const { x, y } = place(point)
  const number = (value: number) => formatNumber(language, value)
  const name = MAP_TEXTS[language].place(number(point.latitude), number(point.longitude))
  return (
    <a href={address} rel="nofollow" tabIndex={-1} aria-label={name}>
      <circle cx={Math.round(x * 10) / 10} cy={Math.round(y * 10) / 10} r={RADIUS}>
        <title>{name}</title>
      </circle>
    </a>
  )
}
