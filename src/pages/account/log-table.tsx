/** @jsxImportSource preact */

/** Records of the request log. */

import type { Key } from '../../accounts/keys/key-rows.ts'
import type { LogRecord } from '../../accounts/usage/log-record.ts'
import { Table } from '../parts/table.tsx'
import { formatSecond } from '../signed-in/moments.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { formatMilliseconds, formatNumber } from '../texts/format.ts'

export function LogTable({ records, keys }: { records: readonly LogRecord[]; keys: readonly Key[] }) {
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
