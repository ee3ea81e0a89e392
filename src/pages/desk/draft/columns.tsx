/** @jsxImportSource preact */

import { COLUMN_TYPES } from '../../../engine/columns/column.ts'
import { tableReport } from '../../../publish/drafts/questions.ts'
import { Table } from '../../parts/table.tsx'
import { AskButton } from '../../signed-in/dialog.tsx'
import { Fields, readFields } from '../../signed-in/fields.tsx'
import { Choice } from '../../signed-in/form.tsx'
import { useLanguage, useTexts } from '../../signed-in/page-language.ts'
import { Section, SmallButton } from '../../signed-in/section.tsx'
import { COLUMN_DESK_TEXTS } from '../../texts/desk-columns.ts'
import { formatNumber } from '../../texts/texts.ts'
import { COLUMN_FIELDS } from '../about-fields.tsx'
import { describeColumn, dropColumn, restoreColumn } from './column-changes.ts'
import type { DraftViewOptions } from './use-draft.ts'

const NAME = /^[a-z0-9_]{1,64}$/
const NAME_FIELD = [{ name: 'name', autoComplete: 'off', maxLength: 64 }] as const
const INFERRED = ''

export function ColumnsSection(options: DraftViewOptions) {
  const { draft } = options
  const language = useLanguage()
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const report = tableReport(draft)
  if (report === undefined) return null
  const declared = new Map(draft.definition.columns?.map((column) => [column.name, column]))
  const isLast = report.columns.length === 1
  return (
    <Section id="columns-title" title={texts.title}>
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
              {column.text_because !== null && column.notation === null && (
                <span class="small soft source">{texts.identifiers}</span>
              )}
            </span>,
            <span key="examples" class="examples">
              {examples.join(' · ')}
            </span>,
            formatNumber(language, missing),
            <span key="buttons" class="row nowrap">
              <ColumnButton {...options} key={name} name={name} class="small" label={texts.edit} />
              {!isLast && (
                <SmallButton
                  about={texts.dropOf(name)}
                  onPress={() => options.desk.decide(dropColumn(draft, name))}
                >
                  {texts.drop}
                </SmallButton>
              )}
            </span>,
          ]
        })}
      />
      <LeftOut {...options} />
    </Section>
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
            <SmallButton
              about={texts.restoreOf(header)}
              onPress={() => desk.decide(restoreColumn(draft, header))}
            >
              {texts.restore}
            </SmallButton>
          </li>
        ))}
      </ul>
    </>
  )
}

type ColumnButtonOptions = DraftViewOptions & { name: string; class: string; label: string }

/** Opens the dialog about a column. */
export function ColumnButton({ desk, draft, name, ...button }: ColumnButtonOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const columns = tableReport(draft)?.columns ?? []
  const column = columns.find((one) => one.name === name)
  const declared = draft.definition.columns?.find((one) => one.name === name)
  const found = texts.inferred(texts[`type_${column?.type ?? 'string'}`])
  return (
    <AskButton
      class={button.class}
      label={button.label}
      about={texts.editOf(name)}
      id="column"
      title={texts.dialogTitle(name)}
      text={texts.origin(column?.source_name)}
      submit={texts.save}
      check={({ name: now = '' }) => {
        if (!NAME.test(now.trim())) return { name: texts.wrongName }
        const isTaken = now.trim() !== name && columns.some((one) => one.name === now.trim())
        return isTaken ? { name: texts.takenName } : {}
      }}
      send={async (values) => {
        const type = COLUMN_TYPES.find((known) => known === values.type) ?? null
        const fields = { ...readFields(values, COLUMN_FIELDS), name: values.name!.trim(), type }
        await desk.submit(describeColumn(draft, name, fields))
        return () => {}
      }}
    >
      <Fields texts={texts} values={{ name }} rows={NAME_FIELD} />
      <Choice
        name="type"
        label={texts.type}
        value={declared?.type ?? INFERRED}
        choices={[
          [INFERRED, declared?.type === undefined ? found : texts.infer],
          ...COLUMN_TYPES.map((type) => [type, texts[`type_${type}`]] as const),
        ]}
      />
      <Fields texts={texts} values={declared} rows={COLUMN_FIELDS} />
    </AskButton>
  )
}
