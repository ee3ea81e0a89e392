/** @jsxImportSource preact */
/**
 * `/datasets/{id}/map`: the rows that filters leave as points, where two columns are latitude and longitude. Zooming and
 * moving are filters on the two columns, so each view has an address, and the table shows the same rows.
 */

import { ApiError } from '../../base/errors.ts'
import { type Parameter, writeQueryString } from '../../base/text/query-string.ts'
import type { OpenDataset } from '../../engine/memory/open-dataset.ts'
import { listPage } from '../../engine/run.ts'
import { parseListQuery } from '../../query/query.ts'
import { requireDataset, schemaOf } from '../../query/query-schema.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import type { PageAccess } from '../dataset/ask-rows.ts'
import { type Coordinates, findCoordinates } from '../explorer/coordinates.ts'
import { NOT_ASKED, questionAddress } from '../explorer/question.ts'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { type Frame, frameOf, MapDrawing, type Move, moved, type Point } from './map-drawing.tsx'

/** Points of a drawing, and the pages of rows that they are read in, spread over all rows. */
const MOST_POINTS = 1000
const PAGES = 10

/**
 * Answers `GET /datasets/{id}/map` with the filters and words of the explorer in the query.
 * @throws ApiError `dataset_not_found`; `not_found` for a dataset without coordinates or closed to readers without a key;
 * the refusals of a list
 */
export async function answerMapPage(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app, exchange } = view
  const served = requireDataset(app.catalog, id)
  const coordinates = access.shows(served) ? findCoordinates(served.columns) : undefined
  if (coordinates === undefined) throw new ApiError('not_found', `There is no map of ${id}.`)
  await access.count(exchange)
  const asked = view.parameters.filter(
    ({ name, value }) => value !== '' && ![...NOT_ASKED, 'sort', 'fields', 'offset'].includes(name),
  )
  const question = { coordinates, asked }
  const { points, total } = await findPoints(view, served, access, question)
  const page = `/datasets/${id}`
  const { title } = app.catalog.record(id)!.dataset
  const texts = MAP_TEXTS[view.language]
  return respondPage(view, {
    title: texts.heading(title),
    section: 'catalog',
    isPrivate: view.parameters.length > 0,
    body: (
      <>
        <p class="crumbs">
          <a href={view.link(page)}>{title}</a>
        </p>
        <h1>{texts.heading(title)}</h1>
        <p>{points.length === 0 ? texts.none : texts.lead}</p>
        {points.length > 0 && <p class="small soft">{texts.drawn(points.length, total)}</p>}
        {controls(view, `${page}/map`, question, points)}
        {points.length > 0 && (
          <MapDrawing
            language={view.language}
            label={texts.heading(title)}
            points={points}
            addressOf={(point) =>
              `${addressIn(view, page, [
                ...withoutPlace(question),
                { name: `${question.coordinates.latitude}[eq]`, value: String(point.latitude) },
                { name: `${question.coordinates.longitude}[eq]`, value: String(point.longitude) },
              ])}#explore`
            }
          />
        )}
        <p>
          <a href={`${addressIn(view, page, question.asked)}#explore`}>{texts.rows}</a>
        </p>
      </>
    ),
  })
}

interface MapQuestion {
  readonly coordinates: Coordinates
  readonly asked: readonly Parameter[]
}

/** Pages of rows from evenly spread places of the file, or all rows where they are few. */
async function findPoints(
  { app, exchange }: View,
  served: ServedDataset,
  access: PageAccess,
  { coordinates, asked }: MapQuestion,
): Promise<{ points: readonly Point[]; total: number }> {
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
  const first = await pageAt(0, MOST_POINTS)
  if (first.total <= MOST_POINTS) return first
  const points: Point[] = []
  for (let page = 0; page < PAGES; page++) {
    const offset = Math.floor((page * first.total) / PAGES)
    points.push(...(await pageAt(offset, MOST_POINTS / PAGES)).points)
  }
  return { points, total: first.total }
}

function controls(view: View, path: string, question: MapQuestion, points: readonly Point[]) {
  const texts = MAP_TEXTS[view.language]
  const moves: readonly (readonly [string, Move])[] = [
    [texts.closer, { factor: 1 / 2 }],
    [texts.farther, { factor: 2 }],
    [texts.north, { north: 1 / 2 }],
    [texts.south, { north: -1 / 2 }],
    [texts.west, { east: -1 / 2 }],
    [texts.east, { east: 1 / 2 }],
  ]
  const frame = askedFrame(question) ?? (points.length === 0 ? undefined : frameOf(points))
  return (
    <nav class="row map-controls" aria-label={texts.controls}>
      {frame !== undefined &&
        moves.map(([name, move]) => (
          <a
            class="button small"
            rel="nofollow"
            href={addressIn(view, path, inFrame(question, moved(frame, move)))}
          >
            {name}
          </a>
        ))}
      <a class="button small" rel="nofollow" href={addressIn(view, path, withoutPlace(question))}>
        {texts.whole}
      </a>
    </nav>
  )
}

function addressIn(view: View, path: string, parameters: readonly Parameter[]): string {
  const language = view.chosenLanguage === undefined ? [] : [{ name: 'lang', value: view.chosenLanguage }]
  return questionAddress(path, [...parameters, ...language])
}

const SIDES = [
  ['south', 'latitude', 'gte'],
  ['north', 'latitude', 'lte'],
  ['west', 'longitude', 'gte'],
  ['east', 'longitude', 'lte'],
] as const

/** The frame that the filters ask for; undefined where one of its sides is open. */
function askedFrame({ coordinates, asked }: MapQuestion): Frame | undefined {
  const sides = SIDES.map(([side, column, operator]) => {
    const written = asked.find(({ name }) => name === `${coordinates[column]}[${operator}]`)
    return [side, written === undefined ? Number.NaN : Number(written.value)] as const
  })
  if (sides.some(([, value]) => !Number.isFinite(value))) return undefined
  const frame = Object.fromEntries(sides) as unknown as Frame
  return frame.south < frame.north && frame.west < frame.east ? frame : undefined
}

function withoutPlace({ coordinates, asked }: MapQuestion): Parameter[] {
  const own = SIDES.map(([, column, operator]) => `${coordinates[column]}[${operator}]`)
  return asked.filter(({ name }) => !own.includes(name))
}

function inFrame(question: MapQuestion, frame: Frame): Parameter[] {
  const sides = SIDES.map(([side, column, operator]) => ({
    name: `${question.coordinates[column]}[${operator}]`,
    value: String(Number(frame[side].toFixed(5))),
  }))
  return [...withoutPlace(question), ...sides]
}
