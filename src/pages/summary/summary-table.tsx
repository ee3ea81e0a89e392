/** @jsxImportSource preact */
import { Table } from '../parts/table.tsx'
import { formatShare } from '../texts/texts.ts'
import type { Shown } from './shown.ts'

export function SummaryTable({ shown }: { shown: Shown }) {
  const { figures, texts, hasShares } = shown
  // Only measures that add up have a total; the last row of a mean is the mean of all rows.
  const totalName = shown.isAdditive ? texts.total : texts.overall
  const numbers = (across: readonly (string | null | undefined)[], total: string | null) => [
    ...[...across, total].map(shown.measureText),
    ...(hasShares ? [<span class="soft">{shareOf(shown, total)}</span>] : []),
  ]
  return (
    <Table
      class="summary"
      label={shown.caption}
      hasRowHeads
      head={[
        sortHead(shown, 'rows', shown.rowsLabel),
        ...figures.columns.map((value) => [shown.columnText(value)] as const),
        sortHead(shown, 'measure', figures.columns.length > 0 ? totalName : shown.measureLabel),
        ...(hasShares ? [[texts.share] as const] : []),
      ]}
      rows={figures.rows.map((value, row) => [
        groupOf(shown, value),
        ...numbers(figures.cells[row]!, figures.rowTotals[row]!),
      ])}
      foot={[totalName, ...numbers(figures.columnTotals, figures.total)]}
    />
  )
}

function sortHead(shown: Shown, order: 'rows' | 'measure', name: string) {
  const isSorted = shown.choice.order === order
  const isNumber = order === 'measure'
  return {
    isNumber,
    sorted: isSorted ? (isNumber ? ('descending' as const) : ('ascending' as const)) : undefined,
    link: (
      <a href={shown.addressOf({ order, offset: 0 })} data-go="sort" rel="nofollow">
        {name}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (isNumber ? ' ↓' : ' ↑') : ''}
        </span>
      </a>
    ),
  }
}

/** The name of a group, linked to its rows where an address can select them. */
function groupOf(shown: Shown, value: string | null) {
  const address = shown.rowsAddress(value)
  const text = shown.rowText(value)
  if (address === undefined) return text
  return (
    <a href={address} rel="nofollow">
      {text}
    </a>
  )
}

function shareOf({ language, figures }: Shown, value: string | null): string {
  const whole = Number(figures.total)
  return value === null || !(whole > 0) ? '–' : formatShare(language, Number(value) / whole)
}
