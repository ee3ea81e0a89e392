/** @jsxImportSource preact */
import { shorten } from '../../base/text/fit-text.ts'
import { MOST_GROUPS } from '../../engine/aggregate/group-query.ts'
import type { Value } from '../../engine/columns/column.ts'
import { headerTitle } from '../../read/definition/columns.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { valuesAddress } from '../explorer/addresses.ts'
import { facetColumns } from '../explorer/facets.ts'
import { ShareBar } from '../parts/share-bar.tsx'
import { Table } from '../parts/table.tsx'
import { readQuestion } from '../question/question.ts'
import { columnTitle, MOST_COLUMNS, showValue } from '../question/shown-column.ts'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber, formatShare } from '../texts/texts.ts'
import type { DatasetPart } from './dataset-header.tsx'
import type { Profile } from './profile.ts'

const LONGEST_BOUND = 40

/** @param profile null while public browsing is off */
export function ColumnsTable({ view, record, profile }: DatasetPart & { profile: Profile | null }) {
  const { language } = view
  const { columns, rows } = record
  const texts = DATASET_TEXTS[language]
  const listed = new Set(facetColumns(columns, rows))
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">{texts.columns}</h2>
      {columns.length > MOST_COLUMNS && (
        <p>{EXPLORER_TEXTS[language].someColumns(MOST_COLUMNS, columns.length)}</p>
      )}
      <Table
        class="columns-table"
        label={texts.columns}
        head={[
          texts.column,
          texts.type,
          texts.complete,
          [texts.distinct] as const,
          ...(profile ? [texts.range, texts.top] : []),
        ]}
        hasRowHeads
        rows={columns.slice(0, MOST_COLUMNS).map((column, position) => {
          const { type, min, max } = column
          const bound = (value: Value) => shorten(showValue(language, column, value), LONGEST_BOUND)
          const share = rows === 0 ? 1 : (rows - column.null_count) / rows
          const cells = [
            <ColumnNames key={0} column={column} sourceName={texts.sourceName} />,
            <>
              {texts[type]}
              {column.required && <div class="about soft">{texts.required}</div>}
            </>,
            <span key={2} class="nowrap">
              <ShareBar share={share} /> <span class="number">{formatShare(language, share)}</span>
            </span>,
            profile === null || listed.has(position) ? (
              formatNumber(language, column.distinct_count)
            ) : (
              <Distinct view={view} record={record} column={column} />
            ),
          ]
          if (profile === null) return cells
          const hasRange = min !== null && max !== null && type !== 'boolean'
          const top = (profile[position] ?? []).map(({ text, rows: count }, index) => (
            <>
              {index > 0 && ', '}
              {showValue(language, column, text)}{' '}
              <span class="soft number">({formatNumber(language, count)})</span>
            </>
          ))
          return [...cells, hasRange && `${bound(min)} – ${bound(max)}`, top]
        })}
      />
    </section>
  )
}

function ColumnNames({
  column,
  sourceName,
}: {
  column: DescriptorColumn
  sourceName: (name: string) => string
}) {
  const header = headerTitle(column.source_name)
  const isOther = header !== null && header !== column.title && header !== column.name
  return (
    <>
      {column.title !== null && column.title !== column.name && <div>{column.title}</div>}
      <code>{column.name}</code>
      {column.unit && <span class="about soft"> ({column.unit})</span>}
      {column.description && <div class="about">{column.description}</div>}
      {isOther && <div class="about soft">{sourceName(header)}</div>}
    </>
  )
}

/** The number of distinct values; it links to the page of all values where the list beside the rows does not. */
function Distinct({ view, record, column }: DatasetPart & { column: DescriptorColumn }) {
  const { name, distinct_count: distinct } = column
  const number = formatNumber(view.language, distinct)
  if (distinct >= MOST_GROUPS) return number
  return (
    <a href={valuesAddress({ ...view, dataset: record.dataset }, readQuestion([]), name)} rel="nofollow">
      {number}
      <span class="unseen">
        , {EXPLORER_TEXTS[view.language].valuesOf(columnTitle(record.columns, name))}
      </span>
    </a>
  )
}
