/** @jsxImportSource preact */

/** Records of the request log. */

import type { Key } from '../../keys/key-rows.ts'
import type { Language } from '../../mail/language.ts'
import type { LogRecord } from '../../usage/log-record.ts'
import { formatNumber } from '../parts/format.ts'
import { LOGS_TEXTS } from '../texts/account-logs.ts'
import { formatSecond } from './moments.ts'
import { Table } from './table.tsx'

interface LogTableOptions {
  readonly language: Language
  readonly records: readonly LogRecord[]
  readonly keys: readonly Key[]
}

export function LogTable({ language, records, keys }: LogTableOptions) {
  const texts = LOGS_TEXTS[language]
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
        <Request key="request" language={language} record={record} />,
        labels.get(record.key_id) ?? texts.keyNumber(record.key_id),
        texts.milliseconds(formatNumber(language, Number(record.latency_ms.toPrecision(3)))),
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

/** Method and path; the rest for whoever looks closer. */
function Request({ language, record }: { language: Language; record: LogRecord }) {
  const texts = LOGS_TEXTS[language]
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
