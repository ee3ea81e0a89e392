/** @jsxImportSource preact */
/** The audit log and the request log. */

import type { pageEvents } from '../../accounts/audit/audit.ts'
import type { LogPage } from '../../accounts/usage/log-record.ts'
import { LogTable, METHODS } from '../account/logs.tsx'
import { Table } from '../parts/table.tsx'
import { Choice, Field } from '../signed-in/form.tsx'
import { Second } from '../signed-in/moments.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { LOGS_TEXTS } from '../texts/account-console.ts'
import { type Desk, given, OPERATE_PATHS } from './operate-places.ts'
import { ListFilter, PagesOfList } from './pages-of-list.tsx'
import { ACTOR_TEXTS, EVENT_TEXTS, RECORDS_TEXTS } from './texts/record-texts.ts'

type Events = Awaited<ReturnType<typeof pageEvents>>

export async function showAudit(desk: Desk) {
  const { language } = desk.view
  const texts = RECORDS_TEXTS[language]
  const asked = given(desk, ['event', 'user_id', 'limit', 'offset'])
  const { data, pagination } = await desk.read<Events>('listAudit', asked)
  return (
    <>
      <p class="lead">{texts.auditLead}</p>
      <ListFilter desk={desk} label={texts.filters}>
        <Choice
          name="event"
          label={texts.event}
          value={asked.event}
          choices={[['', texts.any], ...Object.entries(EVENT_TEXTS[language])]}
        />
        <Field name="user_id" label={texts.accountNumber} value={asked.user_id} autoComplete="off" optional />
      </ListFilter>
      {data.length > 0 && (
        <Table
          label={texts.audit}
          head={[texts.at, texts.event, texts.by, texts.about, texts.detail]}
          rows={data.map((entry) => [
            <Second key="at" at={entry.at} />,
            (EVENT_TEXTS[language] as Readonly<Record<string, string>>)[entry.event] ?? entry.event,
            <Actor key="by" desk={desk} entry={entry} />,
            <Subject key="about" desk={desk} entry={entry} />,
            entry.detail === null ? '' : <code key="detail">{entry.detail}</code>,
          ])}
        />
      )}
      <PagesOfList desk={desk} pagination={pagination} />
    </>
  )
}

interface EntryOptions {
  readonly desk: Desk
  readonly entry: Events['data'][number]
}

function Actor({ desk, entry: { actor, operator_id } }: EntryOptions) {
  const texts = useTexts(ACTOR_TEXTS)
  if (actor !== 'operator') return <>{texts[actor]}</>
  if (operator_id === null) return <>{texts.shell}</>
  return (
    <>
      {texts.operator} <AccountLink desk={desk} id={operator_id} />
    </>
  )
}

function Subject({ desk, entry: { user_id, key_id } }: EntryOptions) {
  const texts = useTexts(RECORDS_TEXTS)
  return (
    <>
      {user_id !== null && (
        <>
          {texts.account} <AccountLink desk={desk} id={user_id} />{' '}
        </>
      )}
      {key_id !== null && texts.keyNumber(key_id)}
    </>
  )
}

function AccountLink({ desk, id }: { desk: Desk; id: number }) {
  return <a href={desk.view.link(`${OPERATE_PATHS.accounts}/${id}`)}>{id}</a>
}

/** The end of a moment from a `datetime-local` field; here these are in UTC. */
const MINUTE = /T\d\d:\d\d$/

export async function showLogs(desk: Desk) {
  const texts = RECORDS_TEXTS[desk.view.language]
  const ofLogs = LOGS_TEXTS[desk.view.language]
  const asked = given(desk, [
    ...(['key_id', 'method', 'status_class', 'q', 'since', 'until', 'limit', 'offset'] as const),
  ])
  const since = asked.since.replace(MINUTE, '$&:00Z')
  const until = asked.until.replace(MINUTE, '$&:59Z')
  const { data, pagination } = await desk.read<LogPage>('listAllLogs', { ...asked, since, until })
  const any = ['', ofLogs.any] as const
  const classes = [
    ['2xx', ofLogs.status2],
    ['3xx', ofLogs.status3],
    ['4xx', ofLogs.status4],
    ['5xx', ofLogs.status5],
  ] as const
  return (
    <>
      <p class="lead">{texts.logsLead}</p>
      <ListFilter desk={desk} label={ofLogs.filters}>
        <Field name="key_id" label={texts.keyFilter} value={asked.key_id} autoComplete="off" optional />
        <Choice
          name="method"
          label={ofLogs.method}
          value={asked.method}
          choices={[any, ...METHODS.map((method) => [method, method] as const)]}
        />
        <Choice
          name="status_class"
          label={ofLogs.statusClass}
          value={asked.status_class}
          choices={[any, ...classes]}
        />
        <Field name="q" label={ofLogs.path} value={asked.q} maxLength={200} autoComplete="off" optional />
        <Field name="since" type="datetime-local" label={ofLogs.since} value={asked.since} optional />
        <Field name="until" type="datetime-local" label={ofLogs.until} value={asked.until} optional />
      </ListFilter>
      {data.length > 0 && <LogTable records={data} labels={new Map()} />}
      <PagesOfList desk={desk} pagination={pagination} />
    </>
  )
}
