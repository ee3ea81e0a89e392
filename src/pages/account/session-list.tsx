/** @jsxImportSource preact */

/** The browsers that are signed in. */

import { useState } from 'preact/hooks'
import type { SessionRecord } from '../../accounts/people/sessions.ts'
import { change } from '../signed-in/api.ts'
import { Moment } from '../signed-in/moment.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { explain } from '../signed-in/refusals.ts'
import { SECURITY_TEXTS } from '../texts/account-security.ts'
import { deviceName } from './device.ts'

export interface SessionListOptions {
  readonly records: readonly SessionRecord[]
  readonly onEnded: () => void
  readonly onEndOthers: () => void
}

export function SessionList({ records, onEnded, onEndOthers }: SessionListOptions) {
  const language = useLanguage()
  const texts = useTexts(SECURITY_TEXTS)
  const [trouble, setTrouble] = useState<string>()
  const end = async ({ session_id }: SessionRecord) => {
    setTrouble(undefined)
    try {
      await change('DELETE', `/account/api/sessions/${session_id}`)
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
          <Session key={record.session_id} record={record} onEnd={() => void end(record)} />
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

function Session({ record, onEnd }: { record: SessionRecord; onEnd: () => void }) {
  const texts = useTexts(SECURITY_TEXTS)
  const device = deviceName(record.user_agent) ?? texts.unknownDevice
  return (
    <li>
      <div>
        <strong title={record.user_agent ?? undefined}>{device}</strong> · <code>{record.ip}</code>{' '}
        {record.current && <span class="tag good">{texts.current}</span>}
        <br />
        <span class="small soft">
          {texts.since} <Moment at={record.created_at} /> · {texts.lastSeen}{' '}
          <Moment at={record.last_seen_at} />
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
