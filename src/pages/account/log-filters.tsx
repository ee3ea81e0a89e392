/** @jsxImportSource preact */

/** The filters of the request log. */

import type { Key } from '../../accounts/keys/key-rows.ts'
import { Choice, type ChoiceOptions } from '../signed-in/form.tsx'
import { fromLocalInput, toLocalInput } from '../signed-in/moments.ts'
import { useTexts } from '../signed-in/page-language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import type { LogFilter } from './log-query.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const LIMITS = ['25', '50', '100', '200'] as const
const FIRST_LIMIT = '50'
const LONGEST_PATH_PART = 200

export interface LogFiltersOptions {
  readonly query: LogFilter
  readonly keys: readonly Key[]
  readonly onApply: (query: LogFilter) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

export function LogFilters({ query, keys, onApply, onClear, onRefresh }: LogFiltersOptions) {
  const texts = useTexts(LOGS_TEXTS)
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    onApply(readFilters(event.currentTarget as HTMLFormElement))
  }
  const any = ['', texts.any] as const
  const choice = (name: keyof LogFilter, label: string, choices: ChoiceOptions['choices'], usual = '') => (
    <Choice id={`filter-${name}`} name={name} label={label} value={query[name] ?? usual} choices={choices} />
  )
  return (
    <form class="log-filters card" onSubmit={apply} aria-label={texts.filters} id="filters">
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
      <Text name="q" label={texts.path} value={query.q ?? ''} type="search" />
      <Text name="since" label={texts.since} value={toLocalInput(query.since ?? '')} type="datetime-local" />
      <Text name="until" label={texts.until} value={toLocalInput(query.until ?? '')} type="datetime-local" />
      {choice(
        'limit',
        texts.limit,
        LIMITS.map((limit) => [limit, limit] as const),
        FIRST_LIMIT,
      )}
      <Buttons onClear={onClear} onRefresh={onRefresh} />
    </form>
  )
}

function Buttons({ onClear, onRefresh }: Pick<LogFiltersOptions, 'onClear' | 'onRefresh'>) {
  const texts = useTexts(LOGS_TEXTS)
  return (
    <div class="row buttons">
      <button type="submit" class="main">
        {texts.apply}
      </button>
      <button type="button" onClick={onClear}>
        {texts.clear}
      </button>
      <button type="button" onClick={onRefresh}>
        {useTexts(ACCOUNT_TEXTS).refresh}
      </button>
    </div>
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

/** Times are in the browser's time zone; `until` includes its whole minute. The default page size is left out. */
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
