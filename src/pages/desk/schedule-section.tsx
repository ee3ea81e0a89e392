/** @jsxImportSource preact */

/** From where and when a dataset is fetched again. */

import { useState } from 'preact/hooks'
import { change } from '../signed-in/api.ts'
import { Choice, Field, Form } from '../signed-in/form.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { missing, type Values } from '../signed-in/refusals.ts'
import { SCHEDULE_TEXTS } from '../texts/desk.ts'
import type { DatasetViewOptions } from './dataset-view.ts'

/** Cron patterns in UTC, by the names of their texts. */
const PATTERNS = {
  daily: '0 4 * * *',
  weekly: '0 4 * * 1',
  monthly: '0 4 1 * *',
} as const
const OTHER = 'other'

export function ScheduleSection({ facts, dataset, path, onDone }: DatasetViewOptions) {
  const texts = useTexts(SCHEDULE_TEXTS)
  const { refresh } = dataset
  const schedule = refresh?.schedule ?? null
  return (
    <section class="card" aria-labelledby="schedule-title">
      <h2 id="schedule-title">{texts.title}</h2>
      <p class="soft">{texts.text}</p>
      {refresh !== null && <RefreshState refresh={refresh} />}
      <Form
        id="schedule"
        submit={texts.save}
        check={(values) => missing(facts.language, values, ['source_url', 'refresh'])}
        send={async (values) => {
          const { source_url } = values
          await change('PUT', `${path}/schedule`, { source_url, refresh: patternOf(values) })
          onDone(texts.saved)
        }}
      >
        <Field
          name="source_url"
          label={texts.address}
          hint={texts.addressHint}
          value={refresh?.address ?? ''}
          maxLength={2000}
          autoComplete="off"
        />
        <PatternFields schedule={schedule} />
      </Form>
      {schedule !== null && (
        <Form
          id="unschedule"
          submit={texts.end}
          tone="quiet"
          send={async () => {
            await change('DELETE', `${path}/schedule`)
            onDone(texts.ended)
          }}
        />
      )}
    </section>
  )
}

function PatternFields({ schedule }: { schedule: string | null }) {
  const texts = useTexts(SCHEDULE_TEXTS)
  const known = Object.values(PATTERNS).find((pattern) => pattern === schedule)
  const [chosen, choose] = useState<string>(known ?? (schedule === null ? PATTERNS.daily : OTHER))
  return (
    <>
      <Choice
        name="refresh"
        label={texts.when}
        value={chosen}
        choices={[
          [PATTERNS.daily, texts.daily],
          [PATTERNS.weekly, texts.weekly],
          [PATTERNS.monthly, texts.monthly],
          [OTHER, texts.other],
        ]}
        onChoose={choose}
      />
      {chosen === OTHER && (
        <Field
          name="pattern"
          label={texts.pattern}
          hint={texts.patternHint}
          value={known === undefined ? (schedule ?? '') : ''}
          autoComplete="off"
        />
      )}
    </>
  )
}

function patternOf({ refresh = '', pattern = '' }: Values): string {
  return refresh === OTHER ? pattern.trim() : refresh
}

type Refresh = NonNullable<DatasetViewOptions['dataset']['refresh']>

function RefreshState({ refresh }: { refresh: Refresh }) {
  const texts = useTexts(SCHEDULE_TEXTS)
  return (
    <ul>
      <li>
        {texts.checked} <Moment at={refresh.checked_at} />
      </li>
      <li>
        {refresh.next_run_at === null ? (
          texts.byHand
        ) : (
          <>
            {texts.next} <Moment at={refresh.next_run_at} />
          </>
        )}
      </li>
      {refresh.error !== null && (
        <li>
          <span class="tag bad">{texts.failed}</span> <Moment at={refresh.failed_at} />
          <span lang="en">{refresh.error}</span>
        </li>
      )}
    </ul>
  )
}
