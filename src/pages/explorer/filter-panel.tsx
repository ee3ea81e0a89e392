/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { Language } from '../../base/text/language.ts'
import {
  findOperator,
  OPERATOR_TABLE,
  OPERATORS,
  type Operator,
  operatorsFor,
} from '../../engine/operators.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { Select } from '../parts/table.tsx'
import {
  FORM,
  type Question,
  type QuestionFilter,
  withoutFilter,
  withWords,
  writeQuestion,
} from '../question/question.ts'
import { asRead, columnTitle, isNumber, type ShownColumn, showValue } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { WRITING } from '../texts/texts.ts'
import { languageOf } from './addresses.ts'
import type { ExplorerProps } from './explorer-props.ts'
import { ValueCombobox } from './value-combobox.tsx'

type TitledColumns = readonly (ShownColumn & Pick<DescriptorColumn, 'name' | 'title' | 'min' | 'max'>)[]

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/

/** A filter in words: `Județ is Cluj`. @param columns give the titles, and how to write numbers */
export function describeFilter(
  language: Language,
  columns: TitledColumns,
  { column: name, operator, value }: QuestionFilter,
): string {
  const title = columnTitle(columns, name)
  const column = columns.find((one) => one.name === name)
  const known = findOperator(operator)
  const { takes, words, falseWords } = OPERATOR_TABLE[known ?? 'eq']
  if (takes === 'flag') return `${title} ${(value === 'false' && falseWords ? falseWords : words)[language]}`
  const write = (text: string) =>
    isNumber(column) ? showValue(language, column, asRead(column, text)) : text
  const items = takes === 'list' ? value.split(',') : [value]
  const isWhole = (item: string) => column?.type !== 'integer' || Number.isInteger(Number(item))
  const areNumbers = items.every((item) => NUMBER.test(item) && isWhole(item))
  const written = areNumbers ? items.map(write).join('; ') : EXPLORER_TEXTS[language].quoted(value)
  return `${title} ${known === undefined ? operator : words[language]} ${written}`
}

/** A number with three digits after its point, alone or in a list. */
const DOTTED = /(?<![^,])(-?[1-9]\d{0,2})\.(\d{3})(?![^,])/g

/**
 * A filter with `1000` where its reader may have meant that by `1.000`, which is 1; any other filter unchanged.
 * @param hasRows rows were found: then a decimal with three places is one that the column has
 */
export function withThousands(
  language: Language,
  columns: TitledColumns,
  filter: QuestionFilter,
  hasRows: boolean,
): QuestionFilter {
  const { type, min, max } = columns.find(({ name }) => name === filter.column) ?? {}
  const value = filter.value.replace(DOTTED, '$1$2')
  const number = Number(value)
  const isPossible = WRITING[language].decimalMark === ',' && number >= Number(min) && number <= Number(max)
  const isValue = hasRows && filter.operator === 'eq'
  const isMeant = type === 'integer' || (type === 'decimal' && isPossible && !isValue)
  return isMeant && value !== filter.value ? { ...filter, value } : filter
}

/** The words searched for and the filters, in words: which rows a figure covers. */
export function describeQuestion(
  language: Language,
  columns: TitledColumns,
  { q, filters }: Question,
): string[] {
  const words = q === null ? [] : [EXPLORER_TEXTS[language].words(q)]
  return [...words, ...filters.map((filter) => describeFilter(language, columns, filter))]
}

/**
 * The words searched for and the filters, each with a link that removes it.
 * @param addressOf the address of the page for another question
 */
export function FilterList({
  language,
  columns,
  question,
  addressOf,
}: Pick<ExplorerProps, 'language' | 'question'> & {
  columns: TitledColumns
  addressOf: (question: Question) => string
}) {
  const texts = EXPLORER_TEXTS[language]
  const { q, filters } = question
  const others = withWords(question, null)
  const removable = [
    ...(q === null ? [] : [{ words: texts.words(q), href: addressOf(others) }]),
    ...filters.map((filter, index) => ({
      words: describeFilter(language, columns, filter),
      href: addressOf(withoutFilter(question, index)),
    })),
  ]
  if (removable.length === 0) return null
  return (
    <ul class="filters bare flow" aria-label={texts.filters}>
      {removable.map(({ words, href }) => {
        const label = texts.remove(words)
        return (
          <li class="tag">
            {words}{' '}
            <a href={href} data-go="remove" rel="nofollow" aria-label={label} title={label}>
              ×
            </a>
          </li>
        )
      })}
      {removable.length > 1 && (
        <li>
          <a href={addressOf({ ...others, filters: [] })} data-go="remove" rel="nofollow">
            {texts.clear}
          </a>
        </li>
      )}
    </ul>
  )
}

/**
 * The form that adds a filter. While the island runs, it offers the operators of the column; without the island, all,
 * and the answer refuses those that do not apply.
 */
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
      <form class="filter flow" action={`/datasets/${dataset.id}#explore`} data-go="filter">
        <HiddenQuestion
          {...props}
          question={{ ...question, offset: 0 }}
          parts={['filters', 'sort', 'fields']}
        />
        <Select
          id="filter-column"
          name={FORM.column}
          label={texts.column}
          value={name}
          choices={dataset.columns.map((one) => [one.name, columnTitle(dataset.columns, one.name)])}
          onChoose={choose}
        />
        <Select
          id="filter-operator"
          name={FORM.operator}
          label={texts.operator}
          value={chosen}
          choices={usable.map((one) => [one, OPERATOR_TABLE[one].words[language]])}
          onChoose={setOperator}
        />
        <ValueField
          {...props}
          column={name}
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

interface ValueFieldOptions extends ExplorerProps {
  readonly column: string
  readonly type: string | undefined
  readonly operator: Operator | undefined
}

function ValueField(options: ValueFieldOptions) {
  const { language, type, operator } = options
  const texts = EXPLORER_TEXTS[language]
  const takes = operator === undefined ? 'value' : OPERATOR_TABLE[operator].takes
  const isList = takes !== 'value' && takes !== 'flag'
  const isFlag = takes === 'flag' || (type === 'boolean' && !isList)
  return (
    <div class="field">
      <label for="filter-value">{texts.value}</label>
      {isFlag ? (
        <select id="filter-value" name={FORM.value}>
          <option value="true">{texts.yes}</option>
          <option value="false">{texts.no}</option>
        </select>
      ) : type !== undefined && (type !== 'date' || isList) ? (
        <ValueCombobox
          {...options}
          isList={isList}
          isNumber={!isList && (type === 'integer' || type === 'decimal')}
        />
      ) : (
        <input
          id="filter-value"
          name={FORM.value}
          type={(type === 'date' ? 'date' : 'text') as 'text'}
          autocomplete="off"
        />
      )}
      {isList && (
        <span class="hint" id="filter-hint">
          {texts.valueHint}
        </span>
      )}
    </div>
  )
}

type Parts = Parameters<typeof writeQuestion>[1]

export function HiddenQuestion({
  question,
  chosenLanguage,
  parts,
}: Pick<ExplorerProps, 'question' | 'chosenLanguage'> & { parts: Parts }) {
  return (
    <>
      {[...writeQuestion(question, parts), ...languageOf({ chosenLanguage })].map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
