/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { ScrollBox } from '../parts/table.tsx'
import { formatShare } from '../texts/texts.ts'
import type { Shown } from './shown.ts'

export function SummaryTable({ shown }: { shown: Shown }) {
  const { figures, texts } = shown
  return (
    <ScrollBox label={texts.table}>
      <table class="summary">
        <caption class="unseen">{shown.caption}</caption>
        <thead>
          <tr>
            <SortHead shown={shown} order="rows">
              {shown.rowsLabel}
            </SortHead>
            {figures.columns.map((value) => (
              <th scope="col" class="number">
                {shown.columnText(value)}
              </th>
            ))}
            <SortHead shown={shown} order="measure">
              {figures.columns.length > 0 ? totalName(shown) : shown.measureLabel}
            </SortHead>
            {shown.hasShares && (
              <th scope="col" class="number">
                {texts.share}
              </th>
            )}
          </tr>
        </thead>
        <Body shown={shown} />
        <tfoot>
          <tr>
            <th scope="row">{totalName(shown)}</th>
            {figures.columnTotals.map((value) => (
              <td class="number">{shown.measureText(value)}</td>
            ))}
            <td class="number">{shown.measureText(figures.total)}</td>
            {shown.hasShares && <td class="number soft">{shareOf(shown, figures.total)}</td>}
          </tr>
        </tfoot>
      </table>
    </ScrollBox>
  )
}

/** Only what adds up has a total; a mean of all rows is the mean of all rows. */
function totalName({ texts, isAdditive }: Shown): string {
  return isAdditive ? texts.total : texts.overall
}

function SortHead(options: { shown: Shown; order: 'rows' | 'measure'; children: ComponentChildren }) {
  const { shown, order, children } = options
  const isSorted = shown.choice.order === order
  const state = order === 'rows' ? 'ascending' : 'descending'
  return (
    <th scope="col" class={order === 'rows' ? undefined : 'number'} aria-sort={isSorted ? state : undefined}>
      <a href={shown.addressOf({ order, offset: 0 })} data-go="sort" rel="nofollow">
        {children}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (order === 'rows' ? ' ↑' : ' ↓') : ''}
        </span>
      </a>
    </th>
  )
}

function Body({ shown }: { shown: Shown }) {
  const { figures } = shown
  return (
    <tbody>
      {figures.rows.map((value, row) => {
        const total = figures.rowTotals[row] ?? null
        const address = shown.rowsAddress(value)
        const text = shown.rowText(value)
        return (
          <tr>
            <th scope="row">
              {address === undefined ? (
                text
              ) : (
                <a href={address} rel="nofollow">
                  {text}
                </a>
              )}
            </th>
            {figures.columns.map((_, column) => (
              <td class="number">{shown.measureText(figures.cells[row]?.[column])}</td>
            ))}
            <td class="number">{shown.measureText(total)}</td>
            {shown.hasShares && <td class="number soft">{shareOf(shown, total)}</td>}
          </tr>
        )
      })}
    </tbody>
  )
}

function shareOf({ language, figures }: Shown, value: string | null): string {
  const whole = Number(figures.total)
  return value === null || !(whole > 0) ? '–' : formatShare(language, Number(value) / whole)
}
