/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { SessionRecord } from '../../accounts/people/sign-in/sessions.ts'
import type { SignIn } from '../../accounts/people/sign-in/sign-in.ts'
import { Table } from '../parts/table.tsx'
import { change } from '../signed-in/api.ts'
import { AskButton } from '../signed-in/dialog.tsx'
import { NewPassword, Password } from '../signed-in/fields.tsx'
import { Form } from '../signed-in/form.tsx'
import { type Loaded, useRead, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment, zoneName } from '../signed-in/moments.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { explain } from '../signed-in/refusals.ts'
import { Section, SmallButton } from '../signed-in/section.tsx'
import { type Status, StatusLine, useFocusLater, useStatus } from '../signed-in/status.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { SECURITY_TEXTS } from '../texts/account-keys.ts'
import type { ConsoleFacts } from './account-places.ts'
import { SecondFactor } from './second-factor.tsx'

/** The first match counts: many programs also name the ones further down. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export function Security({ facts }: { facts: ConsoleFacts }) {
  const texts = useTexts(SECURITY_TEXTS)
  const status = useStatus()
  const sessions = useRead<SessionRecord[]>('/account/api/sessions')
  return (
    <>
      <StatusLine status={status} />
      <PasswordForm
        email={facts.email}
        onChanged={() => {
          status.say(texts.changed)
          void sessions.reload()
        }}
      />
      <SecondFactor facts={facts} status={status} onChanged={() => void sessions.reload()} />
      <Sessions sessions={sessions} status={status} />
      <SignIns />
    </>
  )
}

function Sessions({ sessions, status }: { sessions: Loaded<SessionRecord[]>; status: Status }) {
  const texts = useTexts(SECURITY_TEXTS)
  const focusLater = useFocusLater()
  const ended = (text: string) => {
    void sessions.reload().then(() => {
      status.say(text)
      focusLater('sessions-title')
    })
  }
  return (
    <Section id="sessions-title" title={texts.sessions} text={texts.sessionsLead}>
      <WhenLoaded loaded={sessions}>
        {(records) => <SessionList records={records} onEnded={ended} />}
      </WhenLoaded>
    </Section>
  )
}

function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const texts = useTexts(SECURITY_TEXTS)
  return (
    <Section class="card narrow" id="password-title" title={texts.password}>
      <Form
        id="password"
        submit={texts.change}
        send={async ({ current_password, new_password }, form) => {
          await change('POST', '/account/api/password/change', { current_password, new_password })
          form.reset()
          onChanged()
        }}
      >
        <Password of={email} name="current_password" label={texts.currentPassword} />
        <NewPassword name="new_password" label={texts.newPassword} hint={texts.passwordHint} />
      </Form>
    </Section>
  )
}

function SignIns() {
  const language = useLanguage()
  const texts = useTexts(SECURITY_TEXTS)
  const signIns = useRead<SignIn[]>('/account/api/security/logins?limit=100')
  const reasons = {
    wrong_password: texts.reasonWrongPassword,
    too_many_failures: texts.reasonTooMany,
    code_missing: texts.reasonCodeMissing,
    wrong_code: texts.reasonWrongCode,
  }
  return (
    <Section id="sign-ins-title" title={texts.signIns} text={texts.signInsLead}>
      <WhenLoaded loaded={signIns}>
        {(records) =>
          records.length === 0 ? (
            <p>{texts.noSignIns}</p>
          ) : (
            <>
              <Table
                label={texts.signIns}
                head={[texts.at, texts.result, texts.from, texts.device]}
                rows={records.map(({ attempted_at, success, reason, ip, user_agent }) => [
                  <Moment key="at" at={attempted_at} />,
                  <span key="result">
                    <span class={success ? 'tag good' : 'tag bad'}>
                      {success ? texts.success : texts.failure}
                    </span>{' '}
                    {reason !== null && reasons[reason]}
                  </span>,
                  <code key="ip">{ip}</code>,
                  <span key="device" title={user_agent ?? undefined}>
                    {deviceName(user_agent) ?? texts.unknownDevice}
                  </span>,
                ])}
              />
              <p class="small soft">{ACCOUNT_TEXTS[language].localTime(zoneName())}</p>
            </>
          )
        }
      </WhenLoaded>
    </Section>
  )
}

function SessionList(options: { records: readonly SessionRecord[]; onEnded: (text: string) => void }) {
  const { records, onEnded } = options
  const language = useLanguage()
  const texts = useTexts(SECURITY_TEXTS)
  const [trouble, setTrouble] = useState<string>()
  const end = async ({ session_id }: SessionRecord) => {
    setTrouble(undefined)
    try {
      await change('DELETE', `/account/api/sessions/${session_id}`)
      onEnded(texts.ended)
    } catch (error) {
      setTrouble(explain(language, error).message)
    }
  }
  return (
    <>
      <div role="alert">{trouble && <p class="note bad">{trouble}</p>}</div>
      <ul class="sessions bare">
        {records.map((record) => (
          <Session key={record.session_id} record={record} onEnd={() => end(record)} />
        ))}
      </ul>
      {records.length > 1 && (
        <AskButton
          id="end-others"
          title={texts.endOthersTitle}
          text={texts.endOthersText}
          submit={texts.endOthers}
          send={async () => {
            await change('POST', '/account/api/sessions/revoke-others')
            return () => onEnded(texts.othersEnded)
          }}
        />
      )}
    </>
  )
}

function Session({ record, onEnd }: { record: SessionRecord; onEnd: () => unknown }) {
  const texts = useTexts(SECURITY_TEXTS)
  const device = deviceName(record.user_agent) ?? texts.unknownDevice
  return (
    <li class="flow">
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
        <SmallButton about={texts.endOf(device, record.ip)} onPress={onEnd}>
          {texts.end}
        </SmallButton>
      )}
    </li>
  )
}

/**
 * The likely browser and system of a `User-Agent` (`Firefox, Windows`), as a hint for people who look for a session that is
 * not theirs. An unknown one is returned as it is, shortened; undefined for none.
 */
function deviceName(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const found = [PROGRAMS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1])
  const names = found.filter((name) => name !== undefined)
  return names.length === 0 ? userAgent.slice(0, 60) : names.join(', ')
}
