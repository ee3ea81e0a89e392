/** @jsxImportSource preact */
import type { Language } from '../../base/text/language.ts'
import { describeQuestion } from '../explorer/filter-panel.tsx'
import { readQuestion } from '../question/question.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { formatNumber } from '../texts/texts.ts'
import { drawingOf, type Frame, type Point, ticksBetween, WIDTH } from './frame.ts'
import { degreesOf, OUTLINED, OUTLINES, transformTo } from './outlines.ts'
import type { PointsProps } from './points.tsx'

const GAP = 4
/** In degrees: a narrower frame contains few borders, and shows the grid. */
const NARROW = 1.5
/** In degrees: a wider frame has no room for the letters of counties. */
const WIDE = 14
const RADIUS = 4

/** Points on the outlines of counties, or on a grid where outlines do not help. Needs no script and no request. */
export function PointsMap({ view, served, answer }: PointsProps) {
  const { language } = view
  const { points, coordinates, elsewhere } = answer
  const texts = MAP_TEXTS[language]
  if (answer.frame === undefined) return <p class="soft">{texts.none}</p>
  const { height, place, frame } = drawingOf(answer.frame)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <svg
      class="map points"
      viewBox={`0 0 ${WIDTH} ${height}`}
      role="group"
      aria-label={[
        texts.heading(view.app.catalog.record(served.id)!.dataset.title),
        ...describeQuestion(language, served.columns, readQuestion(answer.elsewhere)),
      ].join(' · ')}
      data-frame={[frame.south, frame.north, frame.west, frame.east].join()}
    >
      <g>
        {hasGrid(frame) && <Grid language={language} frame={frame} height={height} place={place} />}
        {overlaps(frame) && (
          <>
            <path
              class="outlines"
              transform={transformTo(place)}
              d={OUTLINES.map(({ path }) => path).join('')}
            />
            <g>
              {OUTLINES.map((one) => ({ ...one, at: degreesOf(one.label) }))
                .filter(({ at }) => frame.east - frame.west < WIDE && isInside(at, frame))
                .map(({ code, at }) => (
                  <text class="code" x={round(place(at).x)} y={round(place(at).y)}>
                    {code}
                  </text>
                ))}
            </g>
          </>
        )}
        {points.map((point) => {
          const { x, y } = place(point)
          const { latitude, longitude } = point
          const name = texts.place(formatNumber(language, latitude), formatNumber(language, longitude))
          const address = view.link(`/datasets/${served.id}#explore`, [
            ...elsewhere,
            { name: `${coordinates.latitude}[eq]`, value: String(latitude) },
            { name: `${coordinates.longitude}[eq]`, value: String(longitude) },
          ])
          // By keyboard the rows are reached through the table, not through a thousand links.
          return (
            <a href={address} rel="nofollow" tabIndex={-1} aria-label={name}>
              <circle cx={round(x)} cy={round(y)} r={RADIUS}>
                <title>{name}</title>
              </circle>
            </a>
          )
        })}
      </g>
    </svg>
  )
}

interface GridProps extends ReturnType<typeof drawingOf> {
  readonly language: Language
}

function Grid({ language, frame, height, place }: GridProps) {
  const { south, north, west, east } = frame
  const across = ticksBetween(south, north).map((latitude) => {
    const y = round(place({ latitude, longitude: west }).y)
    return { degrees: latitude, line: { x1: 0, x2: WIDTH, y1: y, y2: y }, name: { x: GAP, y: y - GAP } }
  })
  const down = ticksBetween(west, east).map((longitude) => {
    const x = round(place({ latitude: north, longitude }).x)
    return {
      degrees: longitude,
      line: { x1: x, x2: x, y1: 0, y2: height },
      name: { x: x + GAP, y: height - GAP },
    }
  })
  return [...across, ...down].map(({ degrees, line, name }) => (
    <g class="net">
      <line {...line} />
      <text {...name}>{formatNumber(language, degrees)}°</text>
    </g>
  ))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function isInside({ latitude, longitude }: Point, { south, north, west, east }: Frame): boolean {
  return latitude > south && latitude < north && longitude > west && longitude < east
}

function overlaps({ south, north, west, east }: Frame): boolean {
  return south < OUTLINED.north && north > OUTLINED.south && west < OUTLINED.east && east > OUTLINED.west
}

/** Whether the grid is drawn; within the country, borders show where a place is. */
function hasGrid({ south, north, west, east }: Frame): boolean {
  const middle = { latitude: (south + north) / 2, longitude: (west + east) / 2 }
  const isWide = east - west > 2 * (OUTLINED.east - OUTLINED.west)
  return east - west < NARROW || isWide || !isInside(middle, OUTLINED)
}
