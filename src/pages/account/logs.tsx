/** @jsxImportSource preact */

/** The request log: filters, which the page's address keeps, and pages. */

import { useEffect, useState } from 'preact/hooks'
import type { Key } from '../../keys/key-rows.ts'
import type { LogPage } from '../../usage/log-page.ts'
import { formatNumber } from '../parts/format.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { read } from './api.ts'
import { carryAddress } from './language-link.ts'
import { useLoaded, WhenLoaded } from './loading.tsx'
import { LogFilters } from './log-filters.tsx'
import { EMPTY_QUERY, type LogFilter, readLogQuery, writeLogQuery } from './log-query.ts'
import { LogTable } from './log-table.tsx'
import { zoneName } from './moments.ts'
import { type AccountFacts, accountLink, CONSOLE_PATHS } from './places.ts'
import { useFocusLater } from './status.tsx'

export function Logs({ facts }: { facts: AccountFacts }) {
  const { language } = facts
  // The server knows nothing of the address's filters here: the first paint is the same for all.
  const [query, setQuery] = useState<LogFilter>()
  const keys = useLoaded(() => read<Key[]>('/keys'))
  const question = query === undefined ? undefined : writeLogQuery(query)
  const page = useLoaded(
    async () => (question === undefined ? undefined : await read<LogPage>(`/logs?${question}`)),
    question ?? 'none',
  )
  const refresh = async () => {
    await Promise.all([keys.reload(), page.reload()])
  }
  const focusLater = useFocusLater()
  const [turn, setTurn] = useState(0)

  /** Takes over what the address says; the filters begin anew with it. */
  const follow = () => {
    setQuery(readLogQuery(location.search))
    setTurn((before) => before + 1)
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

  return (
    <>
      {query !== undefined && (
        <LogFilters
          key={turn}
          language={language}
          query={query}
          keys={keys.value ?? []}
          onApply={go}
          onClear={() => {
            go(EMPTY_QUERY)
            setTurn((before) => before + 1)
            focusLater('log-results')
          }}
          onRefresh={() => void refresh()}
        />
      )}
      <WhenLoaded language={language} loaded={page}>
        {(value) =>
          value !== undefined && (
            <Results
              facts={facts}
              page={value}
              keys={keys.value ?? []}
              isFiltered={question !== writeLogQuery(EMPTY_QUERY)}
              onPage={(offset) => {
                go({ ...query, offset: String(offset) })
                focusLater('log-results')
              }}
            />
          )
        }
      </WhenLoaded>
    </>
  )
}

interface ResultsOptions {
  readonly facts: AccountFacts
  readonly page: LogPage
  readonly keys: readonly Key[]
  readonly isFiltered: boolean
  readonly onPage: (offset: number) => void
}

function Results({ facts: { language }, page, keys, isFiltered, onPage }: ResultsOptions) {
  const texts = LOGS_TEXTS[language]
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
        <LogTable language={language} records={page.data} keys={keys} />
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
