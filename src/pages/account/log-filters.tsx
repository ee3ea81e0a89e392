/** @jsxImportSource preact */

/** The filters of the request log. */

import type { Key } from '../../keys/key-rows.ts'
import type { Language } from '../../mail/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { Choice } from './form.tsx'
import type { LogFilter } from './log-query.ts'
import { fromLocalInput, toLocalInput } from './moments.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const LIMITS = ['25', '50', '100', '200'] as const
const FIRST_LIMIT = '50'
const LONGEST_PATH_PART = 200

export interface LogFiltersOptions {
  readonly language: Language
  readonly query: LogFilter
  readonly keys: readonly Key[]
  readonly onApply: (query: LogFilter) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

export function LogFilters({ language, query, keys, onApply, onClear, onRefresh }: LogFiltersOptions) {
  const texts = LOGS_TEXTS[language]
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    onApply(readFilters(event.currentTarget as HTMLFormElement))
  }
  return (
    <form class="log-filters card" onSubmit={apply} aria-label={texts.filters} id="filters">
      <Choice
        id="filter-key"
        name="key_id"
        label={texts.key}
        value={query.key_id ?? ''}
        choices={[['', texts.anyKey], ...keys.map(({ key_id, label }) => [String(key_id), label] as const)]}
      />
      <Choice
        id="filter-method"
        name="method"
        label={texts.method}
        value={query.method ?? ''}
        choices={[['', texts.any], ...METHODS.map((method) => [method, method] as const)]}
      />
      <Choice
        id="filter-status"
        name="status_class"
        label={texts.statusClass}
        value={query.status_class ?? ''}
        choices={[
          ['', texts.any],
          ['2xx', texts.status2],
          ['3xx', texts.status3],
          ['4xx', texts.status4],
          ['5xx', texts.status5],
        ]}
      />
      <Text name="q" label={texts.path} value={query.q ?? ''} type="search" />
      <Text name="since" label={texts.since} value={toLocalInput(query.since ?? '')} type="datetime-local" />
      <Text name="until" label={texts.until} value={toLocalInput(query.until ?? '')} type="datetime-local" />
      <Choice
        id="filter-limit"
        name="limit"
        label={texts.limit}
        value={query.limit ?? FIRST_LIMIT}
        choices={LIMITS.map((limit) => [limit, limit])}
      />
      <div class="row buttons">
        <button type="submit" class="main">
          {texts.apply}
        </button>
        <button type="button" onClick={onClear}>
          {texts.clear}
        </button>
        <button type="button" onClick={onRefresh}>
          {ACCOUNT_TEXTS[language].refresh}
        </button>
      </div>
    </form>
  )
}

interface TextOptions {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly type: 'search' | 'datetime-local'
}

function Text({ name, label, value, type }: TextOptions) {
  const id = `filter-${name}`
  const most = type === 'search' ? { maxLength: LONGEST_PATH_PART } : {}
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} name={name} type={type as 'search'} defaultValue={value} autoComplete="off" {...most} />
    </div>
  )
}

/** Times are the browser's; `until` means the whole of its minute. A usual page size needs no saying. */
function readFilters(form: HTMLFormElement): LogFilter {
  const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const all = {
    ...values,
    since: fromLocalInput(values.since ?? '', 0),
    until: fromLocalInput(values.until ?? '', 59),
    limit: values.limit === FIRST_LIMIT ? '' : (values.limit ?? ''),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}
