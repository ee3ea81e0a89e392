/** @jsxImportSource preact */

/** What a publisher says of a column. */

import { COLUMN_TYPES } from '../../engine/columns/column.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Choice, Field } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { COLUMN_DESK_TEXTS } from '../texts/desk-columns.ts'
import { type ColumnFields, describeColumn } from './column-changes.ts'
import { tableReport } from './draft-facts.ts'
import type { DraftViewOptions } from './draft-view.ts'

export interface ColumnDialogOptions extends DraftViewOptions {
  readonly name: string
  readonly onClose: () => void
}

const NAME = /^[a-z0-9_]{1,64}$/
const INFERRED = ''

export function ColumnDialog({ desk, draft, name, onClose }: ColumnDialogOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const column = tableReport(draft)?.columns.find((one) => one.name === name)
  const declared = draft.definition.columns?.find((one) => one.name === name)
  const others = tableReport(draft)?.columns.flatMap((one) => (one.name === name ? [] : [one.name])) ?? []
  const found = texts.inferred(texts[`type_${column?.type ?? 'string'}`])
  return (
    <Dialog
      id="column"
      title={texts.dialogTitle(name)}
      text={column?.source_name?.trim() ? texts.inFile(column.source_name.trim()) : texts.noHeader}
      submit={texts.save}
      check={(values) => checkName(texts, values, others)}
      onClose={onClose}
      send={async (values) => {
        await desk.submit(describeColumn(draft, name, readFields(values)))
        return () => {}
      }}
    >
      <Field
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        autoComplete="off"
        maxLength={64}
      />
      <Choice
        name="type"
        label={texts.type}
        value={declared?.type ?? INFERRED}
        choices={[
          [INFERRED, declared?.type === undefined ? found : texts.infer],
          ...COLUMN_TYPES.map((type) => [type, texts[`type_${type}`]] as const),
        ]}
      />
      <Field
        name="title"
        label={texts.columnTitle}
        hint={texts.columnTitleHint}
        value={declared?.title ?? ''}
        optional
      />
      <Field name="unit" label={texts.unit} hint={texts.unitHint} value={declared?.unit ?? ''} optional />
      <Field
        name="description"
        type="area"
        label={texts.description}
        value={declared?.description ?? ''}
        optional
      />
    </Dialog>
  )
}

function checkName(
  texts: { readonly wrongName: string; readonly takenName: string },
  { name = '' }: Values,
  others: readonly string[],
): Record<string, string> {
  if (!NAME.test(name.trim())) return { name: texts.wrongName }
  return others.includes(name.trim()) ? { name: texts.takenName } : {}
}

function readFields({ name = '', type = '', title = '', unit = '', description = '' }: Values): ColumnFields {
  return {
    name: name.trim(),
    title: title.trim(),
    unit: unit.trim(),
    description: description.trim(),
    type: COLUMN_TYPES.find((known) => known === type) ?? null,
  }
}
