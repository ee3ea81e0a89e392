/** @jsxImportSource preact */

/** The request log: filters, which the page's address keeps, and pages. */

import { useEffect, useState } from 'preact/hooks'
import type { Key } from '../../accounts/keys/key-rows.ts'
import type { LogPage } from '../../accounts/usage/log-page.ts'
import type { LogRecord } from '../../accounts/usage/log-record.ts'
import { Table } from '../parts/table.tsx'
import { read } from '../signed-in/api.ts'
import { useLoaded, WhenLoaded } from '../signed-in/loading.tsx'
import { formatSecond, zoneName } from '../signed-in/moments.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { useFocusLater } from '../signed-in/status.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { formatMilliseconds, formatNumber } from '../texts/format.ts'
import { carryAddress } from './language-link.ts'
import { LogFilters } from './log-filters.tsx'
import { EMPTY_QUERY, type LogFilter, readLogQuery, writeLogQuery } from './log-query.ts'
import { type AccountFacts, accountLink, CONSOLE_PATHS } from './places.ts'

export function Logs({ facts }: { facts: AccountFacts }) {
  const { query, turn, go, restart } = useAddressQuery(facts)
  const keys = useLoaded(() => read<Key[]>('/account/api/keys'))
  const question = query === undefined ? undefined : writeLogQuery(query)
  const page = useLoaded(
    async () => (question === undefined ? undefined : await read<LogPage>(`/account/api/logs?${question}`)),
    question ?? 'none',
  )
  const focusLater = useFocusLater()
  const goAndFocus = (next: LogFilter) => {
    go(next)
    focusLater('log-results')
  }
  return (
    <>
      {query !== undefined && (
        <LogFilters
          key={turn}
          query={query}
          keys={keys.value ?? []}
          onApply={go}
          onClear={() => {
            goAndFocus(EMPTY_QUERY)
            restart()
          }}
          onRefresh={() => void Promise.all([keys.reload(), page.reload()])}
        />
      )}
      <WhenLoaded loaded={page}>
        {(value) =>
          value !== undefined && (
            <Results
              page={value}
              keys={keys.value ?? []}
              isFiltered={question !== writeLogQuery(EMPTY_QUERY)}
              onPage={(offset) => goAndFocus({ ...query, offset: String(offset) })}
            />
          )
        }
      </WhenLoaded>
    </>
  )
}

/** The filters in the page's address. A new `turn` makes the form start again with them. */
function useAddressQuery(facts: AccountFacts) {
  // The server does not read the address's filters here: the first paint is the same for all of them.
  const [query, setQuery] = useState<LogFilter>()
  const [turn, setTurn] = useState(0)
  const restart = () => setTurn((before) => before + 1)
  const follow = () => {
    setQuery(readLogQuery(location.search))
    restart()
    carryAddress()
  }
  useEffect(() => {
    follow()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const go = (next: LogFilter) => {
    history.pushState(null, '', accountLink(facts, CONSOLE_PATHS.logs, { ...next }))
    setQuery(next)
    carryAddress()
  }
  return { query, turn, go, restart }
}

interface ResultsOptions {
  readonly page: LogPage
  readonly keys: readonly Key[]
  readonly isFiltered: boolean
  readonly onPage: (offset: number) => void
}

function Results({ page, keys, isFiltered, onPage }: ResultsOptions) {
  const language = useLanguage()
  const texts = useTexts(LOGS_TEXTS)
  const { total, count, limit, offset, next_offset } = page.pagination
  const number = (value: number) => formatNumber(language, value)
  const shown = count === 0 ? texts.nothing : texts.range(number(offset + 1), number(offset + count), total)
  return (
    <div>
      <div class="row spread">
        <h2 id="log-results" tabIndex={-1}>
          {texts.results}
        </h2>
        <p class="soft small" role="status">
          {shown}
        </p>
      </div>
      {count === 0 ? (
        !isFiltered && <p class="soft">{texts.nothingYet}</p>
      ) : (
        <LogTable records={page.data} keys={keys} />
      )}
      <nav class="row spread" aria-label={texts.pages}>
        <button type="button" disabled={offset === 0} onClick={() => onPage(Math.max(0, offset - limit))}>
          {texts.newer}
        </button>
        <button
          type="button"
          disabled={next_offset === null}
          onClick={() => next_offset !== null && onPage(next_offset)}
        >
          {texts.older}
        </button>
      </nav>
      <p class="small soft">{ACCOUNT_TEXTS[language].localTime(zoneName())}</p>
    </div>
  )
}

/** Records of the request log. */
function LogTable({ records, keys }: { records: readonly LogRecord[]; keys: readonly Key[] }) {
  const language = useLanguage()
  const texts = useTexts(LOGS_TEXTS)
  const labels = new Map(keys.map(({ key_id, label }) => [key_id, label]))
  return (
    <Table
      label={texts.results}
      head={[texts.at, texts.status, texts.request, texts.key, [texts.latency], [texts.size], texts.ip]}
      rows={records.map((record) => [
        <time key="at" class="number nowrap" dateTime={record.at} title={record.at}>
          {formatSecond(language, record.at)}
        </time>,
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

/** Method and path, with the other fields folded below. */
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
