/** @jsxImportSource preact */
import { type Build, nameBuild } from '../../base/build.ts'
import { respondPage, respondPageWith } from '../layout/layout.tsx'
import type { View } from '../layout/view.ts'
import { Table } from '../parts/table.tsx'
import { STATE_TEXTS, STATUS_PART_TEXTS, STATUS_TEXTS } from '../texts/site.ts'
import { formatDay } from '../texts/texts.ts'

type State = keyof (typeof STATE_TEXTS)['en']

export interface Health {
  readonly status: State
  readonly version: string
  readonly build: Build
  readonly started_at: string
  readonly checks: Readonly<Record<string, { readonly status: State; readonly message: string }>>
}

/** Answers `GET /status` with 200, or 503 where the service is not available. */
export function answerStatusPage(view: View, health: Health): Response {
  const texts = STATUS_TEXTS[view.language]
  const states = STATE_TEXTS[view.language]
  const parts: Readonly<Record<string, string>> = STATUS_PART_TEXTS[view.language]
  const page = {
    title: texts.title,
    description: texts.lead,
    body: (
      <div class="prose">
        <h1>
          {texts.title}: {states[health.status]}
        </h1>
        <p class="soft">
          Izvor, {texts.version} {nameBuild(health.build)}, {texts.started}{' '}
          <time dateTime={health.started_at}>
            {formatDay(view.language, health.started_at)}, {health.started_at.slice(11, 16)} UTC
          </time>
        </p>
        <Table
          label={texts.title}
          head={[texts.part, texts.state, texts.remark]}
          hasRowHeads
          rows={Object.entries(health.checks).map(([name, { status, message }]) => [
            parts[name] ?? name,
            states[status],
            status === 'ok' ? '' : <span lang="en">{message}</span>,
          ])}
        />
        <p class="small soft">
          {texts.forPrograms}: <a href="/health/ready">/health/ready</a>
        </p>
      </div>
    ),
  }
  return health.status === 'unavailable' ? respondPageWith(view, 503, {}, page) : respondPage(view, page)
}
