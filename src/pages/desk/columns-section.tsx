/** @jsxImportSource preact */

/** All columns: what each is called and holds, and those that are left out. */

import type { IngestReport } from '../../publish/edition/report.ts'
import { Table } from '../parts/table.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { COLUMN_DESK_TEXTS } from '../texts/desk-columns.ts'
import { formatNumber } from '../texts/texts.ts'
import { dropColumn, restoreColumn } from './column-changes.ts'
import { ColumnDialog } from './column-dialog.tsx'
import { tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'

export function ColumnsSection(options: DraftViewOptions) {
  const { draft } = options
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const question = useQuestion<string>()
  const report = tableReport(draft)
  if (report === undefined) return null
  return (
    <section aria-labelledby="columns-title">
      <h2 id="columns-title" tabIndex={-1}>
        {texts.title}
      </h2>
      <ColumnTable {...options} report={report} onOpen={question.ask} />
      <LeftOut {...options} />
      {question.open !== undefined && (
        <ColumnDialog {...options} name={question.open} onClose={question.close} />
      )}
    </section>
  )
}

interface ColumnTableOptions extends DraftViewOptions {
  readonly report: IngestReport
  readonly onOpen: (name: string) => void
}

function ColumnTable({ desk, draft, report, onOpen }: ColumnTableOptions) {
  const language = useLanguage()
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const declared = new Map(draft.definition.columns?.map((column) => [column.name, column]))
  const isLast = report.columns.length === 1
  return (
    <Table
      label={texts.title}
      head={[texts.name, texts.type, texts.examples, [texts.missing], texts.actions]}
      hasRowHeads
      rows={report.columns.map((column) => {
        const { name, source_name: source, type, examples, null_count: missing } = column
        const { title, unit, description } = declared.get(name) ?? {}
        return [
          <span key="name">
            <code>{name}</code> {unit && <span class="tag">{unit}</span>}
            <span class="small soft source">{title ?? source}</span>
            {description && <span class="small soft source">{description}</span>}
          </span>,
          <span key="type">
            {texts[`type_${type}`]}
            {column.text_because !== null && <span class="small soft source">{texts.identifiers}</span>}
          </span>,
          <span key="examples" class="examples">
            {examples.join(' · ')}
          </span>,
          formatNumber(language, missing),
          <span key="buttons" class="row nowrap">
            <button type="button" class="small" aria-label={texts.editOf(name)} onClick={() => onOpen(name)}>
              {texts.edit}
            </button>
            {!isLast && (
              <button
                type="button"
                class="small"
                aria-label={texts.dropOf(name)}
                onClick={() => void desk.decide(dropColumn(draft, name))}
              >
                {texts.drop}
              </button>
            )}
          </span>,
        ]
      })}
    />
  )
}

function LeftOut({ desk, draft }: DraftViewOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  if (draft.left_out.length === 0) return null
  return (
    <>
      <h3>{texts.leftOut}</h3>
      <ul class="checks">
        {draft.left_out.map((header, index) => (
          <li key={`${index} ${header}`} class="row">
            <span>{header.trim() || texts.unnamed}</span>
            <button
              type="button"
              class="small"
              aria-label={texts.restoreOf(header)}
              onClick={() => void desk.decide(restoreColumn(draft, header))}
            >
              {texts.restore}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
