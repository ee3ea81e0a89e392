/** The columns of an ingested file for people: types, examples, and the values that kept a column from being numbers. */

import { fitName, fitText } from '../../base/text/fit-text.ts'
import type { IngestReport } from '../../publish/edition/compose-report.ts'
import { adviseOption } from '../../read/definition/read-options.ts'
import type { Cli } from '../cli/cli.ts'
import { formatAmount, printTable } from '../cli/print.ts'

type Column = IngestReport['columns'][number]

const SHOWN_COLUMNS = 40
const EXPLAINED = 5
const EXPLAINED_CLOSER = 40
const NAME_WIDTH = 32
const EXAMPLE_WIDTH = 44
const VALUE_WIDTH = 24
/** Texts that mean "nothing": a word for it, or a few signs, at most one letter, without digits and currencies. */
const PLACEHOLDER =
  /^(?=.{1,6}$)[^\p{L}\p{N}\p{Sc}]*\p{L}?[^\p{L}\p{N}\p{Sc}]*$|^(?:n\/?a|n\.a\.|null|none|lips[aă])$/iu
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
export function printEvidence(cli: Cli, { columns, published }: IngestReport): void {
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
    ...Map.groupBy(near, obstaclesOf).values().map(explainNearly),
    ...kept.map(({ name, text_because: why }) => `'${name}' is text: ${why}`),
  ]
  if (lines.length === 0) return
  const most = published ? EXPLAINED : EXPLAINED_CLOSER
  cli.print('\n')
  for (const line of lines.slice(0, most)) cli.print(`${line}\n`)
  if (lines.length > most) cli.print(`… and ${formatAmount(lines.length - most, 'more line')} (--json)\n`)
}

/** One sentence about columns with the same obstacles: which values prevent the type, and what helps. */
export function explainNearly(columns: readonly Column[]): string {
  const nearly = columns[0]?.nearly
  if (!nearly) return ''
  const { type, exceptions } = nearly
  const totals = new Map<string, number>()
  for (const { value, count } of columns.flatMap((column) => column.nearly?.values ?? []))
    totals.set(value, (totals.get(value) ?? 0) + count)
  const values = [...totals.keys()]
  const shown = values
    .map((value) => `'${fitText(value, VALUE_WIDTH)}' (${formatAmount(totals.get(value) ?? 0, 'time')})`)
    .join(', ')
  const isNothing = exceptions === values.length && values.every((value) => PLACEHOLDER.test(value))
  const answer = isNothing
    ? `${adviseOption('null_values', values)} makes them null`
    : `"type": "${type}" in a definition sends their rows to quarantine`
  const more = exceptions > values.length ? ' …' : ''
  const named = columns.slice(0, NAMED_COLUMNS).map(({ name }) => `'${fitName(name, NAME_WIDTH)}'`)
  const rest = columns.length > named.length ? ` and ${columns.length - named.length} more` : ''
  const subject = `${named.join(', ')}${rest} ${columns.length === 1 ? 'is' : 'are'}`
  return `${subject} text and not ${type} because of ${formatAmount(exceptions, 'value')}: ${shown}${more}; ${answer}`
}
