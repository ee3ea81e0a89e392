/** A question of the explorer, answered for the page itself. */

import type { ServedDataset } from '../../catalog/record.ts'
import { parseListQuery } from '../../datasets/query.ts'
import { listPage } from '../../engine/run.ts'
import { countValues } from '../../engine/value-counts.ts'
import { ApiError } from '../../errors.ts'
import type { Service } from '../../http/service.ts'
import type { Language } from '../../mail/language.ts'
import { writeQueryString } from '../../text/query-string.ts'
import { type Chart, makeChart } from '../explorer/chart.ts'
import type { Answer } from '../explorer/explorer.tsx'
import { PAGE_ROWS, type Question, writeQuestion } from '../explorer/question.ts'
import { sayProblem } from '../explorer/say-problem.ts'
import { MOST_COLUMNS, shortenRows } from '../explorer/shorten.ts'
import { schemaOf } from './served.ts'

const decoder = new TextDecoder()

/** The rows, or the first thing that is wrong with the question. */
export async function askRows(
  service: Service,
  served: ServedDataset,
  question: Question,
  language: Language,
): Promise<Answer> {
  try {
    const text = writeQueryString(writeQuestion(question, ['filters', 'sort', 'fields', 'offset']))
    const query = parseListQuery(text, schemaOf(served))
    const fields = query.fields.slice(0, MOST_COLUMNS)
    const page = { ...query, fields, limit: PAGE_ROWS, count: true }
    return await service.openDatasets.use(served, (dataset) => {
      const listed = listPage(dataset, page)
      return listed instanceof Promise ? listed.then(toAnswer) : toAnswer(listed)
    })
  } catch (error) {
    if (error instanceof ApiError) return { problem: sayProblem(language, error, question, served.columns) }
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
  service: Service,
  served: ServedDataset,
  question: Question,
): Promise<Chart | null> {
  const schema = schemaOf(served)
  const asked = question.chart === null ? undefined : schema.positions.get(question.chart)
  const column = asked ?? mostTelling(served)
  if (column === undefined) return null
  try {
    const { filters } = parseListQuery(writeQueryString(writeQuestion(question, ['filters'])), schema)
    return await service.openDatasets.use(served, (dataset) =>
      countValues(dataset, column, filters, (counts) => makeChart(schema.columns[column]!.name, counts)),
    )
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
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
