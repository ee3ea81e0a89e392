/** @jsxImportSource preact */

/** The filters that hold, and the form that adds one. */

import { useState } from 'preact/hooks'
import { operatorsFor } from '../../datasets/operators.ts'
import { OPERATORS, type Operator } from '../../engine/query.ts'
import type { Language } from '../../mail/language.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { pageAddress } from './addresses.ts'
import type { ExplorerProps } from './explorer.tsx'
import { HiddenQuestion } from './hidden-question.tsx'
import { FORM, type QuestionFilter, withoutFilter } from './question.ts'

const NUMBER = /^-?\d+(\.\d+)?$/

/** A filter in words: `judet conține „cluj”`. */
function describeFilter(language: Language, { column, operator, value }: QuestionFilter): string {
  const texts = EXPLORER_TEXTS[language]
  if (operator === 'is_null') return `${column} ${value === 'false' ? texts.is_not_null : texts.is_null}`
  const known = OPERATORS.find((name) => name === operator)
  return `${column} ${known === undefined ? operator : texts[known]} ${NUMBER.test(value) ? value : texts.quoted(value)}`
}

/** The filters that hold, each with a link that takes it away. */
export function FilterList(props: ExplorerProps) {
  const { language, question } = props
  const texts = EXPLORER_TEXTS[language]
  if (question.filters.length === 0) return null
  return (
    <ul class="filters" aria-label={texts.filters}>
      {question.filters.map((filter, index) => {
        const words = describeFilter(language, filter)
        return (
          <li class="tag">
            {words}{' '}
            <a
              href={pageAddress(props, withoutFilter(question, index))}
              data-go="remove"
              aria-label={texts.remove(words)}
              title={texts.remove(words)}
            >
              ×
            </a>
          </li>
        )
      })}
      {question.filters.length > 1 && (
        <li>
          <a href={pageAddress(props, { ...question, filters: [], offset: 0 })} data-go="remove">
            {texts.clear}
          </a>
        </li>
      )}
    </ul>
  )
}

/** The form that adds a filter. Alive, it offers what suits the column; else everything, and the answer says what does not. */
export function FilterForm(props: ExplorerProps) {
  const { language, dataset, question, isLive } = props
  const texts = EXPLORER_TEXTS[language]
  const [name, choose] = useState(dataset.columns[0]?.name ?? '')
  const [operator, setOperator] = useState<Operator>('eq')
  const column = dataset.columns.find((one) => one.name === name)
  const usable = isLive && column !== undefined ? operatorsFor(column.type) : OPERATORS
  const chosen = usable.includes(operator) ? operator : 'eq'
  return (
    <details class="tool" name="tools">
      <summary class="button">{texts.addFilter}</summary>
      <form class="filter" action={`/datasets/${dataset.id}#explore`} data-go="filter">
        <HiddenQuestion
          {...props}
          question={{ ...question, offset: 0 }}
          parts={['filters', 'sort', 'fields', 'chart']}
        />
        <div class="field">
          <label for="filter-column">{texts.column}</label>
          <select
            id="filter-column"
            name={FORM.column}
            value={name}
            onInput={(event) => choose(event.currentTarget.value)}
          >
            {dataset.columns.map((one) => (
              <option value={one.name}>{one.name}</option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="filter-operator">{texts.operator}</label>
          <select
            id="filter-operator"
            name={FORM.operator}
            value={chosen}
            onInput={(event) => setOperator(event.currentTarget.value as Operator)}
          >
            {usable.map((one) => (
              <option value={one}>{texts[one]}</option>
            ))}
          </select>
        </div>
        <ValueField
          language={language}
          type={isLive ? column?.type : undefined}
          operator={isLive ? chosen : undefined}
        />
        <button type="submit" class="main">
          {texts.add}
        </button>
      </form>
    </details>
  )
}

const WHOLE = /^(in|not_in)$/

function ValueField({
  language,
  type,
  operator,
}: {
  language: Language
  type: string | undefined
  operator: Operator | undefined
}) {
  const texts = EXPLORER_TEXTS[language]
  const isFlag = operator === 'is_null' || (type === 'boolean' && !WHOLE.test(operator ?? ''))
  const isList = WHOLE.test(operator ?? '')
  return (
    <div class="field">
      <label for="filter-value">{texts.value}</label>
      {isFlag ? (
        <select id="filter-value" name={FORM.value}>
          <option value="true">{texts.yes}</option>
          <option value="false">{texts.no}</option>
        </select>
      ) : (
        <input
          id="filter-value"
          name={FORM.value}
          type={(type === 'date' && !isList ? 'date' : 'text') as 'text'}
          inputMode={(type === 'integer' || type === 'decimal') && !isList ? 'decimal' : undefined}
          autocomplete="off"
          list="filter-values"
          aria-describedby={isList ? 'filter-hint' : undefined}
        />
      )}
      <datalist id="filter-values" />
      {isList && (
        <span class="hint" id="filter-hint">
          {texts.valueHint}
        </span>
      )}
    </div>
  )
}
