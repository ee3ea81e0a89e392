/** A question of the explorer, answered for the page itself. */

import type { ServedDataset } from '../../catalog/record.ts'
import { type ListQuery, parseListQuery } from '../../datasets/query.ts'
import { listPage } from '../../engine/run.ts'
import { countValues } from '../../engine/value-counts.ts'
import { ApiError } from '../../errors.ts'
import { writeQueryString } from '../../text/query-string.ts'
import { type Chart, makeChart } from '../explorer/chart.ts'
import type { Answer } from '../explorer/explorer.tsx'
import { PAGE_ROWS, type Question, writeQuestion } from '../explorer/question.ts'
import { sayProblem } from '../explorer/say-problem.ts'
import { MOST_COLUMNS, shortenRows } from '../explorer/shorten.ts'
import type { View } from '../view.ts'
import type { PublicAccess } from './public-access.ts'
import { schemaOf } from './served.ts'

const decoder = new TextDecoder()

/** The rows, or the first thing that is wrong with the question. */
export async function askRows(
  { exchange, language }: View,
  access: PublicAccess,
  served: ServedDataset,
  question: Question,
): Promise<Answer> {
  const text = writeQueryString(writeQuestion(question, ['filters', 'sort', 'fields', 'offset']))
  const query = readOrRefuse(text, served)
  if (query instanceof ApiError) return { problem: sayProblem(language, query, question, served.columns) }
  const fields = query.fields.slice(0, MOST_COLUMNS)
  const page = { ...query, fields, limit: PAGE_ROWS, count: true }
  const answer = exchange.service.openDatasets.use(served, (dataset) => {
    const listed = listPage(dataset, page)
    return listed instanceof Promise ? listed.then(toAnswer) : toAnswer(listed)
  })
  return await access.hold(exchange, answer)
}

function readOrRefuse(text: string, served: ServedDataset): ListQuery | ApiError {
  try {
    return parseListQuery(text, schemaOf(served))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function toAnswer(page: { rows: Uint8Array; total: number | null; hasNext: boolean }): Answer {
  return {
    rows: shortenRows(JSON.parse(decoder.decode(page.rows))),
    total: page.total ?? 0,
    hasNext: page.hasNext,
  }
}

/** The chart asked for, else that of the column that suits best; null when there is nothing to draw. */
export async function askChart(
  { exchange }: View,
  access: PublicAccess,
  served: ServedDataset,
  question: Question,
): Promise<Chart | null> {
  const { columns, positions } = schemaOf(served)
  const asked = question.chart === null ? undefined : positions.get(question.chart)
  const column = asked ?? mostTelling(served)
  if (column === undefined) return null
  const query = readOrRefuse(writeQueryString(writeQuestion(question, ['filters'])), served)
  if (query instanceof ApiError) return null
  const chart = exchange.service.openDatasets.use(served, (dataset) =>
    countValues(dataset, column, query.filters, (counts) => makeChart(columns[column]!.name, counts)),
  )
  return await access.hold(exchange, chart)
}

/** Values that fit a ranking. */
const FEW = 60

/** The first column whose values recur; else the first one. */
function mostTelling({ columns, rows }: ServedDataset): number | undefined {
  if (columns.length === 0 || rows === 0) return undefined
  const telling = columns.findIndex(
    ({ distinct_count: distinct }) => distinct > 1 && distinct <= Math.min(FEW, rows / 2),
  )
  return Math.max(0, telling)
}
