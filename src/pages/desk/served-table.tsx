/** @jsxImportSource preact */

/** The first rows as they would be served. Each column's name opens what can be said of it. */

import type { IngestReport } from '../../publish/edition/report.ts'
import type { SampleRow } from '../../store/catalog/record.ts'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { COLUMN_DESK_TEXTS } from '../texts/desk-columns.ts'
import { RECORDS_TEXTS } from '../texts/desk-records.ts'
import { ColumnDialog } from './column-dialog.tsx'
import { isBeingRead, tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'

export function ServedTable(options: DraftViewOptions) {
  const { draft } = options
  const texts = useTexts(RECORDS_TEXTS)
  const question = useQuestion<string>()
  const report = tableReport(draft)
  if (report === undefined) return null
  return (
    <section aria-labelledby="table-title" aria-busy={isBeingRead(draft)}>
      <h2 id="table-title">{texts.table}</h2>
      <p class="small soft">{texts.tableText}</p>
      <ScrollBox label={texts.table}>
        <table class="served">
          <thead>
            <tr>
              {report.columns.map((column) => (
                <ColumnHead key={column.name} column={column} onOpen={() => question.ask(column.name)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {draft.rows.map((row, index) => (
              <tr key={index}>
                {report.columns.map(({ name, type }) => (
                  <Cell key={name} value={row[name]} isNumber={type === 'integer' || type === 'decimal'} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {question.open !== undefined && (
        <ColumnDialog {...options} name={question.open} onClose={question.close} />
      )}
    </section>
  )
}

interface ColumnHeadOptions {
  readonly column: IngestReport['columns'][number]
  readonly onOpen: () => void
}

function ColumnHead({ column: { name, type }, onOpen }: ColumnHeadOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  return (
    <th scope="col">
      <button
        type="button"
        class="plain"
        aria-label={texts.editOf(name)}
        title={texts.editOf(name)}
        onClick={onOpen}
      >
        {name}
      </button>
      <br />
      <span class="small soft">{texts[`type_${type}`]}</span>
    </th>
  )
}

function Cell({ value, isNumber }: { value: SampleRow[string] | undefined; isNumber: boolean }) {
  const texts = useTexts(RECORDS_TEXTS)
  if (value === null || value === undefined)
    return (
      <td class={isNumber ? 'number' : undefined}>
        <span class="soft" title={texts.noValue}>
          —<span class="unseen">{texts.noValue}</span>
        </span>
      </td>
    )
  return <td class={isNumber ? 'number' : undefined}>{String(value)}</td>
}
