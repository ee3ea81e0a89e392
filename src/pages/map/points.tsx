/** @jsxImportSource preact */
/** Rows as points. Zooming and moving are filters on two columns, so each view has an address and a table. */

import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { parseListQuery } from '../../query/query.ts'
import { schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import { languageOf, MAP_FORM } from '../explorer/addresses.ts'
import type { View } from '../layout/view.ts'
import type { Coordinates } from '../question/coordinates.ts'
import { countyColumns } from '../question/county-columns.ts'
import { NOT_ASKED, questionAddress } from '../question/question.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { drawingOf, type Frame, frameOf, type Move, moved, type Point } from './frame.ts'
import { PointsMap } from './points-map.tsx'

/** Points of a drawing on a page, and the pages of rows that they are read in, spread over all rows. */
export const MOST_POINTS = 1000
const PAGES = 10

export interface PointsAnswer {
  readonly coordinates: Coordinates
  /** Filters and words, those of the place among them. */
  readonly asked: readonly Parameter[]
  readonly points: readonly Point[]
  readonly total: number
}

/** Pages of rows from evenly spread places of the file, or all rows where they are few. @throws ApiError as lists do */
export async function askPoints(
  { app, exchange, parameters }: View,
  served: ServedDataset,
  access: PageAccess,
  { coordinates, most }: { readonly coordinates: Coordinates; readonly most: number },
): Promise<PointsAnswer> {
  const own = [...NOT_ASKED, 'sort', 'fields', 'offset', MAP_FORM]
  const asked = parameters.filter(({ name, value }) => value !== '' && !own.includes(name))
  const { latitude, longitude } = coordinates
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
  if (first.total <= most) return { coordinates, asked, ...first }
  const points: Point[] = []
  for (let page = 0; page < PAGES; page++) {
    const offset = Math.floor((page * first.total) / PAGES)
    points.push(...(await pageAt(offset, most / PAGES)).points)
  }
  return { coordinates, asked, points, total: first.total }
}

interface PointsProps {
  readonly view: View
  readonly served: ServedDataset
  readonly answer: PointsAnswer
}

/** The frame that is asked for, else the one around the points; undefined where there is neither. */
function shownFrame(answer: PointsAnswer): Frame | undefined {
  const frame = askedFrame(answer) ?? (answer.points.length === 0 ? undefined : frameOf(answer.points))
  return frame && drawingOf(frame).frame
}

export function PointsFigure({ view, served, answer }: PointsProps) {
  const frame = shownFrame(answer)
  if (frame === undefined) return <p class="soft">{MAP_TEXTS[view.language].none}</p>
  const { latitude, longitude } = answer.coordinates
  return (
    <PointsMap
      language={view.language}
      label={MAP_TEXTS[view.language].heading(view.app.catalog.record(served.id)!.dataset.title)}
      frame={frame}
      points={answer.points}
      addressOf={(point) =>
        `${addressIn(view, `/datasets/${served.id}`, [
          ...withoutPlace(answer),
          { name: `${latitude}[eq]`, value: String(point.latitude) },
          { name: `${longitude}[eq]`, value: String(point.longitude) },
        ])}#explore`
      }
    />
  )
}

/** Buttons that zoom and move, by sign; their names are for who cannot see them. */
export function Controls({ view, served, answer }: PointsProps) {
  const texts = MAP_TEXTS[view.language]
  const frame = shownFrame(answer)
  const moves: readonly (readonly [sign: string, name: string, key: string, move: Move])[] = [
    ['+', texts.closer, '+', { factor: 1 / 2 }],
    ['−', texts.farther, '-', { factor: 2 }],
    ['←', texts.west, 'ArrowLeft', { east: -1 / 4 }],
    ['↑', texts.north, 'ArrowUp', { north: 1 / 4 }],
    ['↓', texts.south, 'ArrowDown', { north: -1 / 4 }],
    ['→', texts.east, 'ArrowRight', { east: 1 / 4 }],
  ]
  const address = (parameters: readonly Parameter[]) =>
    addressIn(view, `/datasets/${served.id}/map`, [...keptForm(view), ...parameters])
  return (
    <nav class="row map-controls" aria-label={texts.controls}>
      {frame !== undefined &&
        moves.map(([sign, name, key, move]) => (
          <a
            class="button small"
            rel="nofollow"
            href={address(inFrame(answer, moved(frame, move)))}
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
        href={address(withoutPlace(answer))}
        data-sides={sidesOf(answer)}
      >
        {texts.whole}
      </a>
      {countyColumns(view.app.catalog.record(served.id)!).length > 0 && (
        <a href={view.link(`/datasets/${served.id}/map`)}>{texts.asCounties}</a>
      )}
    </nav>
  )
}

function keptForm({ parameters }: View): Parameter[] {
  return parameters.filter(({ name }) => name === MAP_FORM)
}

function addressIn(view: View, path: string, parameters: readonly Parameter[]): string {
  return questionAddress(path, [...parameters, ...languageOf(view)])
}

const SIDES = [
  ['south', 'latitude', 'gte'],
  ['north', 'latitude', 'lte'],
  ['west', 'longitude', 'gte'],
  ['east', 'longitude', 'lte'],
] as const

type Placed = Pick<PointsAnswer, 'coordinates' | 'asked'>

/** Names of the parameters that are the sides of a frame, for the island that drags it. */
function sidesOf({ coordinates }: Placed): string {
  return SIDES.map(([, column, operator]) => `${coordinates[column]}[${operator}]`).join()
}

/** The frame that the filters ask for; undefined where one of its sides is open. */
function askedFrame({ coordinates, asked }: Placed): Frame | undefined {
  const sides = SIDES.map(([side, column, operator]) => {
    const written = asked.find(({ name }) => name === `${coordinates[column]}[${operator}]`)
    return [side, written === undefined ? Number.NaN : Number(written.value)] as const
  })
  if (sides.some(([, value]) => !Number.isFinite(value))) return undefined
  const frame = Object.fromEntries(sides) as unknown as Frame
  return frame.south < frame.north && frame.west < frame.east ? frame : undefined
}

function withoutPlace(placed: Placed): Parameter[] {
  const own = sidesOf(placed).split(',')
  return placed.asked.filter(({ name }) => !own.includes(name))
}

function inFrame(placed: Placed, frame: Frame): Parameter[] {
  const sides = SIDES.map(([side, column, operator]) => ({
    name: `${placed.coordinates[column]}[${operator}]`,
    value: String(Number(frame[side].toFixed(5))),
  }))
  return [...withoutPlace(placed), ...sides]
}
