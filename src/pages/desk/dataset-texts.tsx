/** @jsxImportSource preact */

/** What people read about a published dataset and its columns: changed at once, without a new version. */

import type { PublishedDataset } from '../../publish/published/published.ts'
import type { DescriptorColumn } from '../../store/catalog/record.ts'
import { Table } from '../parts/table.tsx'
import { change } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Field, Form } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { missing, type Values } from '../signed-in/refusals.ts'
import { useQuestion } from '../signed-in/status.tsx'
import { ABOUT_TEXTS } from '../texts/desk.ts'
import { COLUMN_DESK_TEXTS } from '../texts/desk-columns.ts'
import { AboutFields, changedTexts } from './about-fields.tsx'
import type { DatasetViewOptions } from './dataset-view.ts'

export function DatasetTexts(options: DatasetViewOptions) {
  const { facts, dataset, path, onDone } = options
  const texts = useTexts(ABOUT_TEXTS)
  return (
    <section class="card" aria-labelledby="about-heading">
      <h2 id="about-heading">{texts.title}</h2>
      <Form
        id="about"
        submit={texts.save}
        check={(values) => missing(facts.language, values, ['title'])}
        send={async (values) => {
          const { keywords, ...changed } = changedTexts(values, dataset)
          // A dataset without keywords has an empty list of them.
          const words = keywords === undefined ? {} : { keywords: keywords ?? [] }
          await change<PublishedDataset>('PATCH', path, { ...changed, ...words })
          onDone(texts.saved)
        }}
      >
        <AboutFields facts={facts} said={dataset} needsTitle />
      </Form>
      <ColumnTexts {...options} />
    </section>
  )
}

function ColumnTexts(options: DatasetViewOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const question = useQuestion<DescriptorColumn>()
  const { columns } = options.dataset
  return (
    <details class="columns-texts">
      <summary>{texts.titleOf(columns.length)}</summary>
      <Table
        label={texts.title}
        head={[texts.name, texts.columnTitle, texts.unit, texts.description, texts.actions]}
        hasRowHeads
        rows={columns.map((column) => [
          <code key="name">{column.name}</code>,
          column.title,
          column.unit,
          column.description,
          <button
            key="edit"
            type="button"
            class="small"
            aria-label={texts.editOf(column.name)}
            onClick={() => question.ask(column)}
          >
            {texts.edit}
          </button>,
        ])}
      />
      {question.open && <ColumnTextDialog {...options} column={question.open} onClose={question.close} />}
    </details>
  )
}

interface ColumnTextDialogOptions extends DatasetViewOptions {
  readonly column: DescriptorColumn
  readonly onClose: () => void
}

function ColumnTextDialog({ path, column, onClose, onDone }: ColumnTextDialogOptions) {
  const texts = useTexts(COLUMN_DESK_TEXTS)
  const saved = useTexts(ABOUT_TEXTS).saved
  return (
    <Dialog
      id="column"
      title={texts.dialogTitle(column.name)}
      text={column.source_name?.trim() ? texts.inFile(column.source_name.trim()) : texts.noHeader}
      submit={texts.save}
      onClose={onClose}
      send={async (values) => {
        await change('PATCH', path, { columns: [{ name: column.name, ...readTexts(values) }] })
        return () => onDone(saved)
      }}
    >
      <Field
        name="title"
        label={texts.columnTitle}
        hint={texts.columnTitleHint}
        value={column.title ?? ''}
        optional
      />
      <Field name="unit" label={texts.unit} hint={texts.unitHint} value={column.unit ?? ''} optional />
      <Field
        name="description"
        type="area"
        label={texts.description}
        value={column.description ?? ''}
        optional
      />
    </Dialog>
  )
}

function readTexts({ title = '', unit = '', description = '' }: Values): Record<string, string | null> {
  const texts = Object.entries({ title, unit, description })
  return Object.fromEntries(texts.map(([name, text]) => [name, text.trim() || null]))
}
