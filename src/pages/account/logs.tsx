/** @jsxImportSource preact */
import { useEffect } from 'preact/hooks'
import type { Key } from '../../accounts/keys/key-rows.ts'
import type { LogPage, LogRecord } from '../../accounts/usage/log-record.ts'
import { PageLinks, Table } from '../parts/table.tsx'
import { Choice, type ChoiceOptions, valuesOf } from '../signed-in/form.tsx'
import { useRead, WhenLoaded } from '../signed-in/loading.tsx'
import { fromLocalInput, Second, toLocalInput, zoneName } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { Button } from '../signed-in/section.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS } from '../texts/account-console.ts'
import { formatMilliseconds, formatNumber } from '../texts/texts.ts'
import { accountLink, CONSOLE_PATHS, type ConsoleFacts } from './account-places.ts'

/** The log's filters, with the same names in the page's address and in the API. */
const NAMES = ['key_id', 'method', 'status_class', 'q', 'since', 'until', 'limit', 'offset'] as const

type LogFilter = { readonly [Name in (typeof NAMES)[number]]?: string }

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const LIMITS = ['25', '50', '100', '200'] as const
const FIRST_LIMIT = '50'
const LONGEST_PATH_PART = 200

const RESULTS = 'log-results'

export function Logs({ facts }: { facts: ConsoleFacts }) {
  const given = NAMES.map((name) => [name, facts.query[name] ?? ''] as const)
  const filter: LogFilter = Object.fromEntries(given.filter(([, value]) => value !== ''))
  const question = new URLSearchParams({ ...filter }).toString()
  const keys = useRead<Key[]>('/account/api/keys')
  const page = useRead<LogPage>(`/account/api/logs?${question}`)
  const address = (next: LogFilter) => `${accountLink(facts, CONSOLE_PATHS.logs, { ...next })}#${RESULTS}`
  return (
    <>
      <LogFilters
        filter={filter}
        keys={keys.value ?? []}
        onApply={(next) => location.assign(address(next))}
        onRefresh={() => void Promise.all([keys.reload(), page.reload()])}
      />
      <WhenLoaded loaded={page}>
        {(value) => (
          <Results
            page={value}
            keys={keys.value ?? []}
            isFiltered={question !== ''}
            address={(offset) => address({ ...filter, offset: String(offset) })}
          />
        )}
      </WhenLoaded>
    </>
  )
}

interface ResultsOptions {
  readonly page: LogPage
  readonly keys: readonly Key[]
  readonly isFiltered: boolean
  readonly address: (offset: number) => string
}

function Results({ page, keys, isFiltered, address }: ResultsOptions) {
  const language = useLanguage()
  const texts = useTexts(LOGS_TEXTS)
  const { total, count, limit, offset, next_offset } = page.pagination
  const number = (value: number) => formatNumber(language, value)
  const shown = count === 0 ? texts.nothing : texts.range(number(offset + 1), number(offset + count), total)
  const labels = new Map(keys.map(({ key_id, label }) => [key_id, label]))
  useEffect(() => {
    if (location.hash === `#${RESULTS}`) document.getElementById(RESULTS)?.focus()
  }, [])
  return (
    <div>
      <div class="row spread">
        <h2 id={RESULTS} tabIndex={-1}>
          {texts.results}
        </h2>
        <p class="soft small" role="status">
          {shown}
        </p>
      </div>
      {count === 0 ? (
        !isFiltered && <p class="soft">{texts.nothingYet}</p>
      ) : (
        <LogTable records={page.data} labels={labels} />
      )}
      <PageLinks
        {...{ address, offset, step: limit, name: texts.pages, previous: texts.newer }}
        next={next_offset === null ? null : texts.older}
      />
      <p class="small soft">{ACCOUNT_TEXTS[language].localTime(zoneName())}</p>
    </div>
  )
}

/** @param labels of keys, by id */
export function LogTable(options: { records: readonly LogRecord[]; labels: ReadonlyMap<number, string> }) {
  const { records, labels } = options
  const language = useLanguage()
  const texts = useTexts(LOGS_TEXTS)
  return (
    <Table
      label={texts.results}
      head={[texts.at, texts.status, texts.request, texts.key, [texts.latency], [texts.size], texts.ip]}
      rows={records.map((record) => [
        <Second key="at" at={record.at} />,
        <span key="status" class={`tag ${toneOf(record.status)}`}>
          {record.status}
        </span>,
        <Request key="request" record={record} />,
        labels.get(record.key_id) ?? texts.keyNumber(record.key_id),
        formatMilliseconds(language, record.latency_ms),
        formatNumber(language, record.bytes),
        <code key="ip">{record.ip}</code>,
      ])}
    />
  )
}

function toneOf(status: number): string {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status < 300 ? 'good' : ''
}

function Request({ record }: { record: LogRecord }) {
  const texts = useTexts(LOGS_TEXTS)
  return (
    <details class="log-request">
      <summary>
        <code>
          {record.method} {record.path}
        </code>
      </summary>
      <dl>
        <dt>{texts.query}</dt>
        <dd>
          <code>{record.query === '' ? '–' : record.query}</code>
        </dd>
        <dt>{texts.userAgent}</dt>
        <dd>{record.user_agent ?? '–'}</dd>
        <dt>{texts.requestId}</dt>
        <dd>
          <code>{record.request_id}</code>
        </dd>
      </dl>
    </details>
  )
}

interface LogFiltersOptions {
  readonly filter: LogFilter
  readonly keys: readonly Key[]
  readonly onApply: (filter: LogFilter) => void
  readonly onRefresh: () => void
}

function LogFilters({ filter, keys, onApply, onRefresh }: LogFiltersOptions) {
  const texts = useTexts(LOGS_TEXTS)
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    // Times are in the browser's time zone; `until` includes its whole minute. The default page size is omitted.
    const values = valuesOf(event.currentTarget as HTMLFormElement)
    const all = {
      ...values,
      since: fromLocalInput(values.since ?? '', 0),
      until: fromLocalInput(values.until ?? '', 59),
      limit: values.limit === FIRST_LIMIT ? '' : (values.limit ?? ''),
    }
    onApply(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')))
  }
  const any = ['', texts.any] as const
  const choice = (name: keyof LogFilter, label: string, choices: ChoiceOptions['choices'], usual = '') => (
    <Choice id={`filter-${name}`} name={name} label={label} value={filter[name] ?? usual} choices={choices} />
  )
  return (
    <form class="log-filters grid card" onSubmit={apply} aria-label={texts.filters} id="filters">
      {choice('key_id', texts.key, [
        any,
        ...keys.map(({ key_id, label }) => [String(key_id), label] as const),
      ])}
      {choice('method', texts.method, [any, ...METHODS.map((method) => [method, method] as const)])}
      {choice('status_class', texts.statusClass, [
        any,
        ['2xx', texts.status2],
        ['3xx', texts.status3],
        ['4xx', texts.status4],
        ['5xx', texts.status5],
      ])}
      <Text name="q" label={texts.path} value={filter.q ?? ''} type="search" />
      <Text name="since" label={texts.since} value={toLocalInput(filter.since ?? '')} type="datetime-local" />
      <Text name="until" label={texts.until} value={toLocalInput(filter.until ?? '')} type="datetime-local" />
      {choice(
        'limit',
        texts.limit,
        LIMITS.map((limit) => [limit, limit] as const),
        FIRST_LIMIT,
      )}
      <div class="row buttons">
        <button type="submit" class="main">
          {texts.apply}
        </button>
        <Button onPress={() => onApply({})}>{texts.clear}</Button>
        <Button onPress={onRefresh}>{useTexts(ACCOUNT_TEXTS).refresh}</Button>
      </div>
    </form>
  )
}

function Text(options: { name: string; label: string; value: string; type: 'search' | 'datetime-local' }) {
  const { name, label, value, type } = options
  const id = `filter-${name}`
  const most = type === 'search' ? { maxLength: LONGEST_PATH_PART } : {}
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type={type as 'search'} defaultValue={value} autoComplete="off" {...most} />
    </div>
  )
}
