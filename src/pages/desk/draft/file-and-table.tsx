/** @jsxImportSource preact */
import { tableReport } from '../../../publish/drafts/questions.ts'
import type { ShownRecord } from '../../../read/report/decisions.ts'
import type { SampleRow } from '../../../store/catalog/record.ts'
import { sayLeftOut } from '../../dataset/explain-finding.ts'
import { ScrollBox, Table } from '../../parts/table.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { COLUMN_DESK_TEXTS } from '../../texts/desk-columns.ts'
import { RECORDS_TEXTS } from '../../texts/desk-draft.ts'
import { ColumnButton } from './columns.tsx'
import { headerRows, isBeingRead } from './draft-facts.ts'
import type { DraftViewOptions } from './use-draft.ts'

export function FileAndTable(options: DraftViewOptions) {
  const { draft } = options
  const isTable = tableReport(draft) !== undefined
  if (draft.records.length === 0) return null
  return (
    <div class={isTable ? 'desk-pair' : undefined}>
      <Records {...options} />
      {isTable && <ServedTable {...options} />}
    </div>
  )
}

function Records(options: DraftViewOptions) {
  const { draft, desk } = options
  const texts = useTexts(RECORDS_TEXTS)
  const chosen = headerRows(draft)
  const width = Math.max(1, ...draft.records.map(({ cells }) => cells.length))
  const decide = (rows: readonly number[]) =>
    desk.decide({ read: { header_row: rows.length > 1 ? rows : (rows[0] ?? 0) } })
  const choose = (number: number, isHeader: boolean) =>
    decide(isHeader ? [...chosen, number].sort((a, b) => a - b) : chosen.filter((row) => row !== number))
  return (
    <Section id="records-title" title={texts.file} text={texts.fileText}>
      <ScrollBox label={texts.file} isTall>
        <table class="records">
          <thead>
            <tr>
              <th scope="col">{texts.header}</th>
              <th scope="col">{texts.role}</th>
              <th scope="col" colSpan={width}>
                {texts.cells}
              </th>
            </tr>
          </thead>
          <tbody>
            {draft.records.map((record) => (
              <tr key={record.number} class={`role-${record.role}`}>
                <td class="choice">
                  <HeaderChoice {...record} isHeader={chosen.includes(record.number)} onChoose={choose} />
                </td>
                <td>
                  <span class="tag">{texts[`role_${record.role}`]}</span>
                </td>
                {Array.from({ length: width }, (_, cell) => (
                  <td key={cell}>{record.cells[cell]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <LeftOut {...options} />
      <div class="row">
        {chosen.length > 0 && <SmallButton onPress={() => decide([])}>{texts.noHeader}</SmallButton>}
        {draft.definition.read?.header_row !== undefined && (
          <SmallButton onPress={() => desk.decide({ read: { header_row: null } })}>
            {texts.findHeader}
          </SmallButton>
        )}
      </div>
    </Section>
  )
}

interface HeaderChoiceOptions extends Pick<ShownRecord, 'number' | 'role'> {
  readonly isHeader: boolean
  readonly onChoose: (number: number, isHeader: boolean) => void
}

function HeaderChoice({ number, role, isHeader, onChoose }: HeaderChoiceOptions) {
  const texts = useTexts(RECORDS_TEXTS)
  return (
    <label>
      <input
        type="checkbox"
        checked={isHeader}
        disabled={role === 'blank'}
        aria-label={texts.isHeader(number)}
        onChange={(event) => onChoose(number, event.currentTarget.checked)}
      />{' '}
      {number}
    </label>
  )
}

/** Lines around the table that are not rows; a click turns notes back into rows. */
function LeftOut({ draft, desk }: DraftViewOptions) {
  const language = useLanguage()
  const texts = useTexts(RECORDS_TEXTS)
  const { left_out: leftOut = [], left_out_sample: sample = [] } = tableReport(draft) ?? {}
  if (leftOut.length === 0) return null
  return (
    <details>
      <summary>{texts.leftOut(sayLeftOut(language, leftOut))}</summary>
      <p class="small soft">{texts.leftOutText}</p>
      <ul class="small">
        {sample.map(({ line, raw }) => (
          <li key={line}>{texts.line(line, raw)}</li>
        ))}
      </ul>
      {leftOut.some(({ kind }) => kind === 'footnote') && (
        <SmallButton onPress={() => desk.decide({ read: { footnotes: 'keep' } })}>
          {texts.keepNotes}
        </SmallButton>
      )}
    </details>
  )
}

function ServedTable(options: DraftViewOptions) {
  const { draft } = options
  const texts = useTexts(RECORDS_TEXTS)
  const types = useTexts(COLUMN_DESK_TEXTS)
  const show = (value: SampleRow[string] = null) =>
    value === null ? (
      <span class="soft" title={texts.noValue}>
        —<span class="unseen">{texts.noValue}</span>
      </span>
    ) : (
      String(value)
    )
  const report = tableReport(draft)
  if (report === undefined) return null
  return (
    <Section id="table-title" title={texts.table} text={texts.tableText} aria-busy={isBeingRead(draft)}>
      <Table
        class="served"
        label={texts.table}
        isTall
        head={report.columns.map(({ name, type }) => ({
          link: (
            <span key={name}>
              <ColumnButton {...options} name={name} class="plain" label={name} />
              <br />
              <span class="small soft">{types[`type_${type}`]}</span>
            </span>
          ),
          isNumber: type === 'integer' || type === 'decimal',
          sorted: undefined,
        }))}
        rows={draft.rows.map((row) => report.columns.map(({ name }) => show(row[name])))}
      />
    </Section>
  )
}
