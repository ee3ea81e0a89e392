/** @jsxImportSource preact */
import type { PublishedDataset } from '../../../publish/published/published.ts'
import type { RefreshState } from '../../../store/catalog/sources.ts'
import { Table } from '../../parts/table.tsx'
import { change } from '../../signed-in/api.ts'
import { AskButton } from '../../signed-in/dialog.tsx'
import { Fields, readFields } from '../../signed-in/fields.tsx'
import { Form } from '../../signed-in/form.tsx'
import { Moment } from '../../signed-in/moments.tsx'
import { useTexts } from '../../signed-in/page-language.ts'
import { Section } from '../../signed-in/section.tsx'
import { ABOUT_TEXTS, SCHEDULE_TEXTS } from '../../texts/desk.ts'
import { COLUMN_DESK_TEXTS } from '../../texts/desk-columns.ts'
import {
  AboutFields,
  ChoiceOrOther,
  COLUMN_FIELDS,
  changesOf,
  decisionOf,
  heldAbout,
  typedAbout,
} from '../about-fields.tsx'
import type { DatasetViewOptions } from '../desk-places.ts'

/** Cron patterns in UTC, by the key of their text. */
const PATTERNS = {
  daily: '0 4 * * *',
  weekly: '0 4 * * 1',
  monthly: '0 4 1 * *',
} as const
const OTHER = 'other'
const ADDRESS_FIELD = [{ name: 'source_url', says: 'address', maxLength: 2000, autoComplete: 'off' }] as const

export function DatasetTexts(options: DatasetViewOptions) {
  const { facts, dataset, path, onDone } = options
  const texts = useTexts(ABOUT_TEXTS)
  return (
    <Section class="card" id="about-heading" title={texts.title}>
      <Form
        id="about"
        submit={texts.save}
        send={async (values) => {
          const { keywords, ...changed } = decisionOf(changesOf(typedAbout(values), heldAbout(dataset)))
          // A dataset without keywords has an empty list, not null.
          const words = keywords === undefined ? {} : { keywords: keywords ?? [] }
          await change<PublishedDataset>('PATCH', path, { ...changed, ...words })
          onDone(texts.saved)
        }}
      >
        <AboutFields facts={facts} said={dataset} needsTitle />
      </Form>
      <ColumnTexts {...options} />
    </Section>
  )
}

function ColumnTexts(options: DatasetViewOptions) {
  const { saved } = useTexts(ABOUT_TEXTS)
  const texts = useTexts(COLUMN_DESK_TEXTS)
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
          <AskButton
            key={column.name}
            id="column"
            class="small"
            label={texts.edit}
            about={texts.editOf(column.name)}
            title={texts.dialogTitle(column.name)}
            text={texts.origin(column.source_name)}
            submit={texts.save}
            send={async (values) => {
              const columns = [{ name: column.name, ...readFields(values, COLUMN_FIELDS) }]
              await change('PATCH', options.path, { columns })
              return () => options.onDone(saved)
            }}
          >
            <Fields texts={texts} values={column} rows={COLUMN_FIELDS} />
          </AskButton>,
        ])}
      />
    </details>
  )
}

export function ScheduleSection({ dataset, path, onDone }: DatasetViewOptions) {
  const texts = useTexts(SCHEDULE_TEXTS)
  const { refresh } = dataset
  const schedule = refresh?.schedule ?? null
  const known = (['daily', 'weekly', 'monthly'] as const).map(
    (name) => [PATTERNS[name], texts[name]] as const,
  )
  const patterns = [...known, [OTHER, texts.other] as const]
  return (
    <Section class="card" id="schedule-title" title={texts.title} text={texts.text}>
      {refresh !== null && <Refreshes {...refresh} />}
      <Form
        id="schedule"
        submit={texts.save}
        send={async (values) => {
          const { source_url, refresh = '', pattern = '' } = values
          await change('PUT', `${path}/schedule`, {
            source_url,
            refresh: refresh === OTHER ? pattern.trim() : refresh,
          })
          onDone(texts.saved)
        }}
      >
        <Fields texts={texts} values={{ source_url: refresh?.address }} rows={ADDRESS_FIELD} />
        <ChoiceOrOther
          choice={{
            name: 'refresh',
            label: texts.when,
            value: schedule ?? PATTERNS.daily,
            choices: patterns,
          }}
          other={OTHER}
          field={{ name: 'pattern', label: texts.pattern, hint: texts.patternHint }}
        />
      </Form>
      {schedule !== null && (
        <Form
          id="unschedule"
          submit={texts.end}
          tone="small"
          send={async () => {
            await change('DELETE', `${path}/schedule`)
            onDone(texts.ended)
          }}
        />
      )}
    </Section>
  )
}

function Refreshes({ checked_at, next_run_at, failed_at, error }: RefreshState) {
  const texts = useTexts(SCHEDULE_TEXTS)
  return (
    <ul>
      <li>
        {texts.checked} <Moment at={checked_at} />
      </li>
      <li>
        {next_run_at === null ? texts.byHand : texts.next} {next_run_at && <Moment at={next_run_at} />}
      </li>
      {error !== null && (
        <li>
          <span class="tag bad">{texts.failed}</span> <Moment at={failed_at} />
          <span lang="en">{error}</span>
        </li>
      )}
    </ul>
  )
}
