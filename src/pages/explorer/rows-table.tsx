/** @jsxImportSource preact */
import { findOperator, OPERATOR_TABLE } from '../../engine/operators.ts'
import { PageLinks, ScrollBox } from '../parts/table.tsx'
import { type ExplorerColumn, PAGE_ROWS, turnSort } from '../question/question.ts'
import { columnTitle, isNumber, MOST_COLUMNS, type Row, showValue } from '../question/shown-column.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber } from '../texts/texts.ts'
import { pageAddress } from './addresses.ts'
import type { ExplorerProps, Found } from './explorer-props.ts'

export function RowsTable(props: ExplorerProps & { answer: Found }) {
  const { language, dataset, question, answer, isBusy } = props
  const number = (value: number) => formatNumber(language, value)
  const texts = EXPLORER_TEXTS[language]
  const columns =
    question.fields.length === 0
      ? dataset.columns.slice(0, MOST_COLUMNS)
      : question.fields
          .slice(0, MOST_COLUMNS)
          .flatMap((name) => dataset.columns.find((column) => column.name === name) ?? [])
  return (
    <>
      {columns.length > FITTING && <p class="small soft sideways">{texts.sideways}</p>}
      <ScrollBox label={texts.table} isBusy={isBusy} isTall>
        <table class="rows">
          <thead>
            <tr>
              {columns.map((column) => (
                <Head {...props} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {answer.rows.map((row) => (
              <tr>
                {columns.map((column) => (
                  <Cell language={language} column={column} row={row} />
                ))}
              </tr>
            ))}
            {answer.rows.length === 0 && (
              <tr>
                <td class="soft" colSpan={columns.length}>
                  {texts.none}
                  {answer.hints.length === 0 &&
                    question.filters.some(
                      ({ column, operator }) =>
                        OPERATOR_TABLE[findOperator(operator) ?? 'ne'].nearText !== undefined &&
                        dataset.columns.some(({ name, type }) => name === column && type === 'string'),
                    ) &&
                    ` ${texts.diacritics}`}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </ScrollBox>
      <PageLinks
        name={texts.pages}
        address={(offset) => pageAddress(props, { ...question, offset })}
        offset={question.offset}
        step={PAGE_ROWS}
        range={texts.range(number(question.offset + 1), number(question.offset + answer.rows.length))}
        first={texts.first}
        previous={texts.previous}
        next={answer.hasNext ? texts.next : null}
      />
    </>
  )
}

/** Columns that fit on a screen; with more, a note says that the table scrolls. */
const FITTING = 6
/** Longer texts, in characters, get a wide cell. */
const LONG_TEXT = 60
/** Dates, periods and codes, which browsers would break at their hyphens. */
const ONE_LINE = /^\d\S{0,23}$/

function Head(props: ExplorerProps & { column: ExplorerColumn }) {
  const { language, dataset, question, column } = props
  const texts = EXPLORER_TEXTS[language]
  const { name, unit } = column
  const sorted = question.sort.find((field) => field.column === name)
  const order = sorted === undefined ? undefined : sorted.descending ? 'descending' : 'ascending'
  const state = order === undefined ? '' : order === 'ascending' ? texts.rising : texts.falling
  return (
    <th scope="col" class={isNumber(column) ? 'number' : undefined} aria-sort={order}>
      <a
        href={pageAddress(props, turnSort(question, name))}
        data-go="sort"
        rel="nofollow"
        title={column.description === null ? name : `${name}: ${column.description}`}
        aria-label={texts.sortBy(columnTitle(dataset.columns, name), state)}
      >
        {columnTitle(dataset.columns, name)}
        {unit && <span class="unit"> ({unit})</span>}
        <span class="arrow" aria-hidden="true">
          {order === undefined ? '' : order === 'ascending' ? ' ↑' : ' ↓'}
        </span>
      </a>
    </th>
  )
}

function Cell({
  language,
  column,
  row,
}: Pick<ExplorerProps, 'language'> & { column: ExplorerColumn; row: Row }) {
  const value = row[column.name]
  if (value === null || value === undefined) {
    return (
      <td class={isNumber(column) ? 'soft number' : 'soft'}>
        <span aria-hidden="true">–</span>
        <span class="unseen">{EXPLORER_TEXTS[language].missing}</span>
      </td>
    )
  }
  const shown = showValue(language, column, value)
  const kind = shown.length > LONG_TEXT ? 'long' : ONE_LINE.test(shown) ? 'nowrap' : undefined
  return <td class={isNumber(column) ? 'number' : kind}>{shown}</td>
}
