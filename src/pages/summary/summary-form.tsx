/** @jsxImportSource preact */

/** The form that chooses what a summary shows. */

import type { Language } from '../../base/text/language.ts'
import { DATE_PARTS, type GroupKey, type Measure, type MeasureKind } from '../../engine/aggregate/query.ts'
import { DATE_PART_TABLE, measuresOn } from '../../query/aggregate/functions.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { type Question, writeQuestion } from '../explorer/question.ts'
import { MOST_COLUMNS } from '../explorer/shown-column.ts'
import type { View } from '../layout/view.ts'
import { SUMMARY_TEXTS } from '../texts/site.ts'
import { entryOf, measureEntryOf } from './ask-summary.ts'
import type { Choice } from './choice.ts'
import { keyLabel, measureLabel } from './labels.ts'

interface Props {
  readonly view: View
  readonly id: string
  readonly columns: readonly DescriptorColumn[]
  readonly choice: Choice
  readonly question: Question
}

export function SummaryForm({ view, id, columns, choice, question }: Props) {
  const { language } = view
  const texts = SUMMARY_TEXTS[language]
  const keys = keyOptions(language, columns)
  const hidden = writeQuestion(question, ['filters'])
  return (
    <form class="filter summary-form flow" action={`/datasets/${id}/summary`} data-go="summary">
      {hidden.map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {view.chosenLanguage && <input type="hidden" name="lang" value={view.chosenLanguage} />}
      <Choose name="rows" label={texts.rowsBy} options={keys} chosen={choice.rows} />
      <Choose
        name="columns"
        label={texts.columnsBy}
        options={[{ value: '', text: texts.nothing }, ...keys]}
        chosen={choice.columns}
      />
      <Choose
        name="measure"
        label={texts.measure}
        options={measureOptions(language, columns)}
        chosen={choice.measure}
      />
      <button type="submit" class="main">
        {texts.show}
      </button>
    </form>
  )
}

interface Option {
  readonly value: string
  readonly text: string
}

/** @param chosen offered even where it is none of the options */
function Choose({
  name,
  label,
  options,
  chosen,
}: {
  name: string
  label: string
  options: readonly Option[]
  chosen: string | null
}) {
  const isOffered = chosen === null || options.some(({ value }) => value === chosen)
  const all = isOffered ? options : [...options, { value: chosen, text: chosen }]
  return (
    <div class="field">
      <label for={`summary-${name}`}>{label}</label>
      <select id={`summary-${name}`} name={name}>
        {all.map(({ value, text }) => (
          <option value={value} selected={value === (chosen ?? '')}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Every column, and the parts of the dates. */
function keyOptions(language: Language, columns: readonly DescriptorColumn[]): Option[] {
  return columns.slice(0, MOST_COLUMNS).flatMap(({ type }, column) => {
    const parts = DATE_PARTS.filter((part) => DATE_PART_TABLE[part].on.includes(type))
    const keys: GroupKey[] = [{ column, part: null }, ...parts.map((part) => ({ column, part }))]
    return keys.map((key) => ({ value: entryOf(key, columns) ?? '', text: keyLabel(language, key, columns) }))
  })
}

/** The order in which people look for them. */
const KINDS: readonly MeasureKind[] = ['sum', 'avg', 'median', 'min', 'max', 'count_distinct']

function measureOptions(language: Language, columns: readonly DescriptorColumn[]): Option[] {
  const offered = columns.slice(0, MOST_COLUMNS)
  const measures: Measure[] = [
    { kind: 'count', column: null },
    ...KINDS.flatMap((kind) =>
      offered.flatMap(({ type }, column): Measure[] =>
        measuresOn(type).includes(kind) ? [{ kind, column }] : [],
      ),
    ),
  ]
  return measures.map((measure) => ({
    value: measureEntryOf(measure, columns),
    text: measureLabel(language, measure, columns),
  }))
}
