/** @jsxImportSource preact */

/** The browsers in which the account is open. */

import { useState } from 'preact/hooks'
import type { SessionRecord } from '../../accounts/sessions.ts'
import type { Language } from '../../mail/language.ts'
import { SECURITY_TEXTS } from '../texts/account-security.ts'
import { change } from './api.ts'
import { deviceName } from './device.ts'
import { Moment } from './moment.tsx'
import { explain } from './refusals.ts'

export interface SessionListOptions {
  readonly language: Language
  readonly records: readonly SessionRecord[]
  readonly onEnded: () => void
  readonly onEndOthers: () => void
}

export function SessionList({ language, records, onEnded, onEndOthers }: SessionListOptions) {
  const texts = SECURITY_TEXTS[language]
  const [trouble, setTrouble] = useState<string>()
  const end = async ({ session_id }: SessionRecord) => {
    setTrouble(undefined)
    try {
      await change('DELETE', `/sessions/${session_id}`)
      onEnded()
    } catch (error) {
      setTrouble(explain(language, error).message)
    }
  }
  return (
    <>
      <div role="alert">{trouble && <p class="note bad">{trouble}</p>}</div>
      <ul class="sessions">
        {records.map((record) => (
          <Session
            key={record.session_id}
            language={language}
            record={record}
            onEnd={() => void end(record)}
          />
        ))}
      </ul>
      {records.length > 1 && (
        <button type="button" onClick={onEndOthers}>
          {texts.endOthers}
        </button>
      )}
    </>
  )
}

interface SessionOptions {
  readonly language: Language
  readonly record: SessionRecord
  readonly onEnd: () => void
}

function Session({ language, record, onEnd }: SessionOptions) {
  const texts = SECURITY_TEXTS[language]
  const device = deviceName(record.user_agent) ?? texts.unknownDevice
  return (
    <li>
      <div>
        <strong title={record.user_agent ?? undefined}>{device}</strong> · <code>{record.ip}</code>{' '}
        {record.current && <span class="tag good">{texts.current}</span>}
        <br />
        <span class="small soft">
          {texts.since} <Moment language={language} at={record.created_at} /> · {texts.lastSeen}{' '}
          <Moment language={language} at={record.last_seen_at} />
        </span>
      </div>
      {!record.current && (
        <button type="button" class="small" aria-label={texts.endOf(device, record.ip)} onClick={onEnd}>
          {texts.end}
        </button>
      )}
    </li>
  )
}
