/** @jsxImportSource preact */
/** Rows as points. Zooming and moving are filters on two columns, so each view has an address and a table. */

import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { parseListQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import { MAP_FORM } from '../explorer/addresses.ts'
import type { View } from '../layout/view.ts'
import type { Coordinates } from '../question/coordinates.ts'
import { countyColumns } from '../question/county-columns.ts'
import { NOT_ASKED } from '../question/question.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { drawingOf, type Frame, frameOf, type Move, moved } from './frame.ts'

/** The most points on a page's map. Beyond that, they are read in a few pages of rows spread over all rows. */
export const MOST_POINTS = 1000
const PAGES = 10

type PointsAnswer = Awaited<ReturnType<typeof askPoints>>

/** Reads all rows if they are few, else pages of rows evenly spread over the file. @throws ApiError as lists do */
export async function askPoints(
  { app, exchange, parameters }: View,
  served: ServedDataset,
  access: PageAccess,
  { coordinates, most }: { readonly coordinates: Coordinates; readonly most: number },
) {
  const hasCounties = countyColumns(app.catalog.record(served.id)!).length > 0
  // These belong to the map of counties of the same dataset.
  const ofCounties = hasCounties ? ['rows', 'measure'] : []
  const own = [...NOT_ASKED, 'sort', 'fields', 'offset', MAP_FORM, ...ofCounties]
  const asked = parameters.filter(({ name, value }) => value !== '' && !own.includes(name))
  const { latitude, longitude } = coordinates
  const sides = SIDES.map(([side, column, operator]) => ({
    side,
    name: `${coordinates[column]}[${operator}]`,
  }))
  const query = parseListQuery(
    writeQueryString([
      ...asked,
      { name: 'fields', value: `${latitude},${longitude}` },
      { name: `${latitude}[is_null]`, value: 'false' },
      { name: `${longitude}[is_null]`, value: 'false' },
    ]),
    schemaOf(served),
  )
  const pageAt = async (offset: number, limit: number) => {
    const asked = { ...query, limit, offset, count: true }
    const run = async (dataset: OpenDataset) => {
      const page = await listPage(dataset, asked)
      return { total: page.total ?? 0, rows: new TextDecoder().decode(page.rows) }
    }
    const { total, rows } = await app.openDatasets.use(served, run, access.share(exchange))
    const values: Record<string, number>[] = JSON.parse(rows)
    return { total, points: values.map((row) => ({ latitude: row[latitude]!, longitude: row[longitude]! })) }
  }
  const first = await pageAt(0, most)
  const points = first.total <= most ? [...first.points] : []
  for (let page = 0; page < PAGES && first.total > most; page++) {
    const offset = Math.floor((page * first.total) / PAGES)
    points.push(...(await pageAt(offset, most / PAGES)).points)
  }
  const frame = askedFrame(asked, sides) ?? (points.length === 0 ? undefined : frameOf(points))
  return {
    coordinates,
    points,
    total: first.total,
    /** Filters and words; `elsewhere` omits those of the frame. */
    asked,
    elsewhere: asked.filter(({ name }) => sides.every((side) => side.name !== name)),
    /** The filters that set the sides of a frame. */
    sides,
    /** The requested frame, else the one around the points; undefined where there is neither. */
    frame: frame && drawingOf(frame).frame,
  }
}

export interface PointsProps {
  readonly view: View
  readonly served: ServedDataset
  readonly answer: PointsAnswer
}

/** Buttons that zoom and move. They show signs; their names are for screen readers. */
export function Controls({ view, served, answer }: PointsProps) {
  const texts = MAP_TEXTS[view.language]
  const { frame, elsewhere, sides } = answer
  const moves: readonly (readonly [sign: string, name: string, key: string, move: Move])[] = [
    ['+', texts.closer, '+', { factor: 1 / 2 }],
    ['−', texts.farther, '-', { factor: 2 }],
    ['←', texts.west, 'ArrowLeft', { east: -1 / 4 }],
    ['↑', texts.north, 'ArrowUp', { north: 1 / 4 }],
    ['↓', texts.south, 'ArrowDown', { north: -1 / 4 }],
    ['→', texts.east, 'ArrowRight', { east: 1 / 4 }],
  ]
  const form = view.parameters.filter(({ name }) => name === MAP_FORM)
  const address = (shown?: Frame) =>
    view.link(`/datasets/${served.id}/map`, [
      ...form,
      ...elsewhere,
      ...(shown
        ? sides.map(({ side, name }) => ({ name, value: String(Number(shown[side].toFixed(5))) }))
        : []),
    ])
  return (
    <nav class="row map-controls" aria-label={texts.controls}>
      {frame !== undefined &&
        moves.map(([sign, name, key, move]) => (
          <a
            class="button small"
            rel="nofollow"
            href={address(moved(frame, move))}
            aria-label={name}
            title={name}
            data-key={key}
          >
            {sign}
          </a>
        ))}
      <a
        class="button small"
        rel="nofollow"
        href={address()}
        data-sides={sides.map(({ name }) => name).join()}
      >
        {texts.whole}
      </a>
      {countyColumns(view.app.catalog.record(served.id)!).length > 0 && (
        <a href={view.link(`/datasets/${served.id}/map`)}>{texts.asCounties}</a>
      )}
    </nav>
  )
}

const SIDES = [
  ['south', 'latitude', 'gte'],
  ['north', 'latitude', 'lte'],
  ['west', 'longitude', 'gte'],
  ['east', 'longitude', 'lte'],
] as const

type Sides = readonly { readonly side: (typeof SIDES)[number][0]; readonly name: string }[]

/** The frame that the filters set; undefined where one of its sides is open. */
function askedFrame(asked: readonly Parameter[], sides: Sides): Frame | undefined {
  const given = sides.map(({ side, name }) => {
    const written = asked.find((one) => one.name === name)
    return [side, written === undefined ? Number.NaN : Number(written.value)] as const
  })
  if (given.some(([, value]) => !Number.isFinite(value))) return undefined
  const frame = Object.fromEntries(given) as unknown as Frame
  return frame.south < frame.north && frame.west < frame.east ? frame : undefined
}
