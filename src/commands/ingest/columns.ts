/** The columns of an ingested file for people: types, examples, and the values that kept a column from being numbers. */

import { fitName, fitText } from '../../base/text/fit-text.ts'
import type { IngestReport } from '../../publish/edition/compose-report.ts'
import type { ReadOptions } from '../../read/definition/read-options.ts'
import type { NearType } from '../../read/report/decisions.ts'
import { adviseOnObstacles, nameObstacles } from '../../read/values/obstacles.ts'
import type { Cli } from '../cli/cli.ts'
import { formatAmount, printTable } from '../cli/print.ts'

type Column = IngestReport['columns'][number]

const SHOWN_COLUMNS = 40
const EXPLAINED = 5
const EXPLAINED_CLOSER = 40
const NAME_WIDTH = 32
const EXAMPLE_WIDTH = 44
const NAMED_COLUMNS = 3

/** A table of the columns, with examples of their values if nothing was published. */
export function printColumns(cli: Cli, { columns, published }: IngestReport): void {
  cli.print('\n')
  printTable(cli, columns.slice(0, SHOWN_COLUMNS), {
    column: ({ name }) => fitName(name, NAME_WIDTH),
    type: 'type',
    null: 'null_count',
    distinct: 'distinct_count',
    source: ({ source_name }) => source_name && fitName(source_name, NAME_WIDTH),
    ...(!published && {
      'for example': ({ examples }: Column) => fitText(examples.join(' | '), EXAMPLE_WIDTH),
    }),
  })
  const left = columns.length - SHOWN_COLUMNS
  if (left > 0) cli.print(`… and ${formatAmount(left, 'more column')} (--json lists all)\n`)
}

/** Why columns are text: the values that prevent another type, or the rule that keeps identifiers. */
export function printEvidence(cli: Cli, { columns, published, read }: IngestReport): void {
  const near = columns.filter(({ nearly }) => nearly !== null)
  // Identifiers are right as text; a column that a definition would turn into numbers is worth a line each time.
  const isNews = (reason: string | null) => reason !== null && (!published || / in a definition/.test(reason))
  const kept = columns.filter(({ text_because: reason }) => isNews(reason))
  // Columns with the same type and the same offending values are printed together.
  const obstaclesOf = ({ nearly }: Column) => {
    const texts = nearly!.values.map(({ value }) => value).toSorted()
    return JSON.stringify([nearly!.type, nearly!.exceptions > texts.length, texts])
  }
  const lines = [
    ...Map.groupBy(near, obstaclesOf)
      .values()
      .map((alike) => explainNearly(alike, read)),
    ...kept.map(({ name, text_because: why }) => `'${name}' is text: ${why}`),
  ]
  if (lines.length === 0) return
  const most = published ? EXPLAINED : EXPLAINED_CLOSER
  cli.print('\n')
  for (const line of lines.slice(0, most)) cli.print(`${line}\n`)
  if (lines.length > most) cli.print(`… and ${formatAmount(lines.length - most, 'more line')} (--json)\n`)
  if (published && near.length > 0)
    cli.print('a column that is published changes its type only with --accept-drift\n')
}

/** One sentence about columns with the same obstacles: which values prevent the type, and what helps. */
export function explainNearly(columns: readonly Column[], read: ReadOptions): string {
  const near = columns.flatMap(({ nearly }) => nearly ?? [])
  const [first] = near
  if (!first) return ''
  const all = Map.groupBy(
    near.flatMap(({ values }) => values),
    ({ value }) => value,
  )
  const values = [...all].map(([value, found]) => {
    const lines = found.map(({ first_line: line }) => line ?? Number.POSITIVE_INFINITY)
    const line = Math.min(...lines)
    const count = found.reduce((sum, one) => sum + one.count, 0)
    return { value, count, first_line: Number.isFinite(line) ? line : null }
  })
  const obstacles: NearType = { ...first, values }
  const named = columns.slice(0, NAMED_COLUMNS).map(({ name }) => `'${fitName(name, NAME_WIDTH)}'`)
  const rest = columns.length > named.length ? ` and ${columns.length - named.length} more` : ''
  const subject = `${named.join(', ')}${rest} ${columns.length === 1 ? 'is' : 'are'}`
  return `${subject} text and not ${first.type} because of ${nameObstacles(obstacles)}; ${adviseOnObstacles(first.type, obstacles, read)}`
}
