import { shorten } from '../../base/text/fit-text.ts'
import type { Value } from '../../engine/columns/column.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { MOST_COLUMNS } from '../explorer/shown-column.ts'
import type { View } from '../layout/view.ts'
import { ShareBar } from '../parts/bar-chart.tsx'
import { ScrollBox } from '../parts/table.tsx'
import { DATASET_TEXTS } from '../texts/dataset.ts'
import { EXPLORER_TEXTS } from '../texts/explorer.ts'
import { formatNumber, formatShare } from '../texts/texts.ts'
import type { Profile, TopValue } from './profile.ts'

interface Props {
  readonly view: View
  readonly columns: readonly DescriptorColumn[]
  readonly rows: number
  /** null while public browsing is off. */
  readonly profile: Profile | null
}

export function ColumnsTable({ view, columns, rows, profile }: Props) {
  const texts = DATASET_TEXTS[view.language]
  return (
    <section aria-labelledby="columns">
      <h2 id="columns">{texts.columns}</h2>
      {columns.length > MOST_COLUMNS && (
        <p>{EXPLORER_TEXTS[view.language].someColumns(MOST_COLUMNS, columns.length)}</p>
      )}
      <ScrollBox label={texts.columns}>
        <table class="columns-table">
          <thead>
            <tr>
              <th scope="col">{texts.column}</th>
              <th scope="col">{texts.type}</th>
              <th scope="col">{texts.complete}</th>
              <th scope="col" class="number">
                {texts.distinct}
              </th>
              {profile && <th scope="col">{texts.range}</th>}
              {profile && <th scope="col">{texts.top}</th>}
            </tr>
          </thead>
          <tbody>
            {columns.slice(0, MOST_COLUMNS).map((column, position) => (
              <ColumnRow view={view} column={column} rows={rows} top={profile && (profile[position] ?? [])} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  )
}

interface RowProps {
  readonly view: View
  readonly column: DescriptorColumn
  readonly rows: number
  readonly top: readonly TopValue[] | null
}

function ColumnRow({ view, column, rows, top }: RowProps) {
  const { language } = view
  const texts = DATASET_TEXTS[language]
  const share = rows === 0 ? 1 : (rows - column.null_count) / rows
  return (
    <tr>
      <th scope="row">
        {column.title !== null && column.title !== column.name && <div>{column.title}</div>}
        <code>{column.name}</code>
        {column.unit && <span class="about soft"> ({column.unit})</span>}
        {column.description && <div class="about">{column.description}</div>}
        {column.source_name && column.source_name !== column.name && (
          <div class="about soft">{texts.sourceName(column.source_name)}</div>
        )}
      </th>
      <td>
        {texts[column.type]}
        {column.required && <div class="about soft">{texts.required}</div>}
      </td>
      <td class="nowrap">
        <ShareBar share={share} /> <span class="number">{formatShare(language, share)}</span>
      </td>
      <td class="number">{formatNumber(language, column.distinct_count)}</td>
      {top && <td>{rangeOf(view, column)}</td>}
      {top && (
        <td>
          {top.map(({ text, rows: count }, index) => (
            <>
              {index > 0 && ', '}
              {showTop(view, column, text)} <span class="soft number">({formatNumber(language, count)})</span>
            </>
          ))}
        </td>
      )}
    </tr>
  )
}

function showTop({ language }: View, { type }: DescriptorColumn, text: string): string {
  return type === 'boolean' ? DATASET_TEXTS[language][text === 'true' ? 'yes' : 'no'] : text
}

const LONGEST_BOUND = 40

function rangeOf(view: View, { type, min, max }: DescriptorColumn): string {
  if (min === null || max === null || type === 'boolean') return ''
  return `${showBound(view, min)} – ${showBound(view, max)}`
}

function showBound({ language }: View, value: Value): string {
  if (typeof value === 'boolean') return DATASET_TEXTS[language][value ? 'yes' : 'no']
  return shorten(String(value), LONGEST_BOUND)
}
