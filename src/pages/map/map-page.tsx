/** @jsxImportSource preact */
/**
 * `/datasets/{id}/map`: the matching rows as counties shaded by a measure if a column names counties, else as points if two
 * columns are latitude and longitude.
 */

import { ApiError } from '../../base/errors.ts'
import type { ServedDataset } from '../../store/catalog/record.ts'
import { admitReader, type PageAccess } from '../dataset/ask-rows.ts'
import { subpage } from '../dataset/subpage.tsx'
import { MAP_FORM, pageAddress, partAddress } from '../explorer/addresses.ts'
import { EmbedCode } from '../explorer/embed-code.tsx'
import { FilterList } from '../explorer/filter-panel.tsx'
import { respondPage } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { findCoordinates } from '../question/coordinates.ts'
import { countyColumns } from '../question/county-columns.ts'
import { measureLabel } from '../question/measures.ts'
import { questionAddress } from '../question/question.ts'
import { askSummary } from '../summary/ask-summary.ts'
import { readChoice, summaryAddress } from '../summary/choice.ts'
import { MAP_TEXTS } from '../texts/dataset.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { findCounties } from './ask-counties.ts'
import { CountyMap, CountyTable } from './county-map.tsx'
import { askPoints, Controls, MOST_POINTS } from './points.tsx'
import { PointsMap } from './points-map.tsx'

export interface Asked {
  readonly view: View
  readonly access: PageAccess
  readonly served: ServedDataset
  /** By default that of a page. */
  readonly mostPoints?: number
}

/** A map and what surrounds it on its page. */
export interface DrawnMap {
  /** What the map shows, unless the dataset's title says it. */
  readonly name?: string
  readonly heading: preact.ComponentChildren
  readonly figure: preact.VNode
  /** How many of the points are drawn. */
  readonly note?: string
  /** The exact figures of counties. */
  readonly table?: preact.VNode
  readonly beside: preact.ComponentChildren
}

/**
 * Draws the map for the parameters of a view, without a page around it. The caller admits the request.
 * @throws ApiError `not_found` for a dataset without counties and coordinates; the refusals of an aggregate or a list
 */
export async function drawMap({ view, access, served, mostPoints = MOST_POINTS }: Asked): Promise<DrawnMap> {
  const [county] = askedCounties(view, served)
  const coordinates = findCoordinates(served.columns)
  const isPoints = view.parameters.some(({ name, value }) => name === MAP_FORM && value === 'points')
  if (county !== undefined && (coordinates === undefined || !isPoints))
    return await drawCounties({ view, access, served }, county)
  if (coordinates === undefined) throw new ApiError('not_found', `There is no map of ${served.id}.`)
  const answer = await askPoints(view, served, access, { coordinates, most: mostPoints })
  const texts = MAP_TEXTS[view.language]
  const note = texts.drawn(answer.points.length, answer.total)
  return {
    note,
    heading: (
      <>
        <h2>{texts.asPoints}</h2>
        <p>{answer.points.length === 0 ? texts.none : texts.lead}</p>
        {answer.points.length > 0 && (
          <p class="small soft" role="status">
            {note}
          </p>
        )}
        <Keys text={texts.keys} />
        <Controls view={view} served={served} answer={answer} />
      </>
    ),
    figure: <PointsMap view={view} served={served} answer={answer} />,
    beside: (
      <p>
        <a href={view.link(`/datasets/${served.id}#explore`, answer.asked)}>{texts.rows}</a>
      </p>
    ),
  }
}

/** Explains the keys; hidden until the script that handles them shows it. */
function Keys({ text }: { text: string }) {
  return (
    <p class="small soft" data-keys hidden>
      {text}
    </p>
  )
}

/** Columns of counties; the one named by the parameter `rows` comes first. */
function askedCounties({ app, parameters }: View, { id, columns }: ServedDataset): number[] {
  const all = countyColumns(app.catalog.record(id)!)
  const rows = parameters.find(({ name }) => name === 'rows')?.value
  return all.toSorted((a, b) => Number(columns[b]!.name === rows) - Number(columns[a]!.name === rows))
}

async function drawCounties({ view, access, served }: Asked, column: number): Promise<DrawnMap> {
  const parameters = view.parameters.filter(({ name }) => name !== MAP_FORM)
  const { choice, question } = readChoice(parameters)
  const asked = { ...choice, rows: served.columns[column]!.name, columns: null }
  // There is a column to group by, so it isn't null.
  const answer = (await askSummary(view, access, served, asked, question, findCounties))!
  const texts = MAP_TEXTS[view.language]
  const place = { ...view, dataset: served }
  const props = { ...view, served, figures: answer, question }
  const shown = { rows: choice.rows, measure: choice.measure }
  const name = texts.counties(measureLabel(view.language, answer.measure, served.columns))
  return {
    name,
    heading: (
      <>
        <FilterList
          language={view.language}
          columns={served.columns}
          question={question}
          addressOf={(other) => partAddress(place, 'map', other, shown)}
        />
        <h2>{name}</h2>
        <p>{answer.found === 0 ? EXPLORER_TEXTS[view.language].none : texts.countiesLead}</p>
        <Keys text={texts.countyKeys} />
      </>
    ),
    figure: <CountyMap {...props} />,
    table: <CountyTable {...props} />,
    beside: (
      <>
        <p class="row">
          <a href={summaryAddress(place, { ...answer.choice, order: null, offset: 0 }, question)}>
            {texts.summary}
          </a>
          <a href={pageAddress(place, question)}>{texts.rows}</a>
          {findCoordinates(served.columns) && (
            <a href={partAddress(place, 'map', question, { [MAP_FORM]: 'points' })}>{texts.asPoints}</a>
          )}
        </p>
      </>
    ),
  }
}

/**
 * Answers `GET /datasets/{id}/map`; the query holds the explorer's filters and words, and the summary's `rows` and
 * `measure`.
 * @throws ApiError `dataset_not_found`, as `access.admit` and `drawMap`
 */
export async function answerMapPage(view: View, id: string, access: PageAccess): Promise<Response> {
  const { app } = view
  const served = await admitReader(view, id, access)
  const { heading, figure, table, beside } = await drawMap({ view, access, served })
  const { title } = app.catalog.record(id)!.dataset
  const page = subpage(view, served, {
    title: MAP_TEXTS[view.language].heading(title),
    script: 'map.js',
    body: (
      <>
        <div id="map">
          {heading}
          <div class="map-and-table">
            {figure}
            <div>
              {table}
              {beside}
            </div>
          </div>
        </div>
        <EmbedCode {...view} page={questionAddress(view.path, view.parameters)} title={title} />
      </>
    ),
  })
  return respondPage(view, page)
}
