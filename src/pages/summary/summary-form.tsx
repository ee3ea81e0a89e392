/** @jsxImportSource preact */
import { isDeepStrictEqual } from 'node:util'
import {
  DATE_PARTS,
  type GroupKey,
  type Measure,
  type MeasureKind,
} from '../../engine/aggregate/group-query.ts'
import { COUNT_ROWS, sensibleMeasures } from '../../query/aggregate/first-question.ts'
import { DATE_PART_TABLE, measuresOn } from '../../query/aggregate/functions.ts'
import type { DescriptorColumn, ServedDataset } from '../../store/catalog/record.ts'
import { HiddenQuestion } from '../explorer/filter-panel.tsx'
import type { View } from '../layout/view.ts'
import { Select } from '../parts/table.tsx'
import { entryOf, keyLabel, measureEntryOf, measureLabel } from '../question/measures.ts'
import type { Question } from '../question/question.ts'
import { MOST_COLUMNS } from '../question/shown-column.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { type Choice, summaryAddress } from './choice.ts'

interface Props {
  readonly view: View
  readonly served: ServedDataset
  readonly choice: Choice
  readonly question: Question
  /** The shown measure, which is always offered; null for none. */
  readonly measure: Measure | null
}

/** The form that chooses what rows are grouped by and how they are measured. */
export function SummaryForm({ view, served, choice, question, measure }: Props) {
  const { language } = view
  const { id, columns } = served
  const texts = SUMMARY_TEXTS[language]
  const keys = columns.slice(0, MOST_COLUMNS).flatMap(({ type }, column) => {
    const parts = DATE_PARTS.filter((part) => DATE_PART_TABLE[part].on.includes(type))
    const keys: GroupKey[] = [{ column, part: null }, ...parts.map((part) => ({ column, part }))]
    return keys.map((key) => [entryOf(key, columns) ?? '', keyLabel(language, key, columns)] as const)
  })
  const counted = choice.isEvery ? everyMeasure(columns) : sensibleMeasures(served, MOST_COLUMNS)
  const isOffered = (one: Measure) => counted.some((other) => isDeepStrictEqual(one, other))
  const measures = [...counted, ...(measure === null || isOffered(measure) ? [] : [measure])].map(
    (one) => [measureEntryOf(one, columns), measureLabel(language, one, columns)] as const,
  )
  // A chosen value is offered even if it is not among the options.
  const select = (
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
    chosen: string | null,
  ) => {
    const isOffered = chosen === null || options.some(([value]) => value === chosen)
    const choices = isOffered ? options : [...options, [chosen, chosen] as const]
    return <Select id={`summary-${name}`} name={name} label={label} choices={choices} value={chosen ?? ''} />
  }
  return (
    <form class="filter summary-form flow" action={`/datasets/${id}/summary`} data-go="summary">
      <HiddenQuestion {...view} question={question} parts={['filters']} />
      {select('rows', texts.rowsBy, keys, choice.rows)}
      {select('columns', texts.columnsBy, [['', texts.nothing], ...keys], choice.columns)}
      {choice.draw && <input type="hidden" name="draw" value={choice.draw} />}
      {choice.isEvery && <input type="hidden" name="measures" value="all" />}
      {select('measure', texts.measure, measures, choice.measure)}
      <button type="submit" class="main">
        {texts.show}
      </button>
      <a
        class="small"
        href={summaryAddress({ ...view, dataset: served }, { ...choice, isEvery: !choice.isEvery }, question)}
        data-go="measures"
        rel="nofollow"
      >
        {choice.isEvery ? texts.fewMeasures : texts.allMeasures}
      </a>
    </form>
  )
}

/** Every measure that the query language has for the columns that a page offers. */
function everyMeasure(columns: readonly DescriptorColumn[]): Measure[] {
  return [
    COUNT_ROWS,
    ...KINDS.flatMap((kind) =>
      columns
        .slice(0, MOST_COLUMNS)
        .flatMap(({ type }, column): Measure[] =>
          measuresOn(type).includes(kind) ? [{ kind, column }] : [],
        ),
    ),
  ]
}

const KINDS: readonly MeasureKind[] = ['sum', 'avg', 'median', 'min', 'max', 'count_distinct']
