/** @jsxImportSource preact */

/** Password, second step, open sessions, sign-ins. */

import { useState } from 'preact/hooks'
import type { SessionRecord } from '../../accounts/people/sessions.ts'
import type { SignIn } from '../../accounts/people/sign-in.ts'
import { Table } from '../parts/table.tsx'
import { change, read } from '../signed-in/api.ts'
import { Dialog } from '../signed-in/dialog.tsx'
import { Field, Form, NewPassword, UserName } from '../signed-in/form.tsx'
import { type Loaded, useLoaded, WhenLoaded } from '../signed-in/loading.tsx'
import { Moment } from '../signed-in/moment.tsx'
import { zoneName } from '../signed-in/moments.ts'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { explain, missing, weakField } from '../signed-in/refusals.ts'
import { type Status, StatusLine, useFocusLater, useQuestion, useStatus } from '../signed-in/status.tsx'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { SECURITY_TEXTS } from '../texts/account-keys.ts'
import type { ConsoleFacts } from './places.ts'
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

const FEW_SIGN_INS = 10
const MANY_SIGN_INS = 100

export function Security({ facts }: { facts: ConsoleFacts }) {
  const texts = useTexts(SECURITY_TEXTS)
  const status = useStatus()
  const sessions = useLoaded(() => read<SessionRecord[]>('/account/api/sessions'))
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
  const question = useQuestion<'end-others'>()
  const ended = (text: string) => {
    void sessions.reload().then(() => {
      status.say(text)
      focusLater('sessions-title')
    })
  }
  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title" tabIndex={-1}>
        {texts.sessions}
      </h2>
      <p class="soft">{texts.sessionsLead}</p>
      <WhenLoaded loaded={sessions}>
        {(records) => (
          <SessionList
            records={records}
            onEnded={() => ended(texts.ended)}
            onEndOthers={() => question.ask('end-others')}
          />
        )}
      </WhenLoaded>
      {question.open && (
        <Dialog
          id="end-others"
          title={texts.endOthersTitle}
          text={texts.endOthersText}
          submit={texts.endOthers}
          onClose={question.close}
          send={async () => {
            await change('POST', '/account/api/sessions/revoke-others')
            return () => ended(texts.othersEnded)
          }}
        />
      )}
    </section>
  )
}

function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const language = useLanguage()
  const texts = useTexts(SECURITY_TEXTS)
  return (
    <section class="card narrow" aria-labelledby="password-title">
      <h2 id="password-title">{texts.password}</h2>
      <Form
        id="password"
        submit={texts.change}
        check={(values) => ({
          ...missing(language, values, ['current_password']),
          ...weakField(language, { ...values, email }, 'new_password'),
        })}
        send={async ({ current_password, new_password }, form) => {
          await change('POST', '/account/api/password/change', { current_password, new_password })
          form.reset()
          onChanged()
        }}
      >
        <UserName email={email} />
        <Field
          name="current_password"
          type="password"
          label={texts.currentPassword}
          autoComplete="current-password"
        />
        <NewPassword name="new_password" label={texts.newPassword} hint={texts.passwordHint} />
      </Form>
    </section>
  )
}

function SignIns() {
  const language = useLanguage()
  const texts = useTexts(SECURITY_TEXTS)
  const [limit, setLimit] = useState(FEW_SIGN_INS)
  const signIns = useLoaded(
    () => read<SignIn[]>(`/account/api/security/logins?limit=${limit}`),
    String(limit),
  )
  return (
    <section aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title" tabIndex={-1}>
        {texts.signIns}
      </h2>
      <p class="soft">{texts.signInsLead}</p>
      <WhenLoaded loaded={signIns}>
        {(records) =>
          records.length === 0 ? (
            <p>{texts.noSignIns}</p>
          ) : (
            <>
              <SignInTable records={records} />
              {records.length === FEW_SIGN_INS && limit === FEW_SIGN_INS && (
                <button type="button" onClick={() => setLimit(MANY_SIGN_INS)}>
                  {texts.more}
                </button>
              )}
              <p class="small soft">{ACCOUNT_TEXTS[language].localTime(zoneName())}</p>
            </>
          )
        }
      </WhenLoaded>
    </section>
  )
}

function SignInTable({ records }: { records: readonly SignIn[] }) {
  const texts = useTexts(SECURITY_TEXTS)
  const reasons = {
    wrong_password: texts.reasonWrongPassword,
    too_many_failures: texts.reasonTooMany,
    code_missing: texts.reasonCodeMissing,
    wrong_code: texts.reasonWrongCode,
  }
  return (
    <Table
      label={texts.signIns}
      head={[texts.at, texts.result, texts.from, texts.device]}
      rows={records.map(({ attempted_at, success, reason, ip, user_agent }) => [
        <Moment key="at" at={attempted_at} />,
        <span key="result">
          <span class={success ? 'tag good' : 'tag bad'}>{success ? texts.success : texts.failure}</span>{' '}
          {reason !== null && reasons[reason]}
        </span>,
        <code key="ip">{ip}</code>,
        <span key="device" title={user_agent ?? undefined}>
          {deviceName(user_agent) ?? texts.unknownDevice}
        </span>,
      ])}
    />
  )
}

/** The browsers that are signed in. */
interface SessionListOptions {
  readonly records: readonly SessionRecord[]
  readonly onEnded: () => void
  readonly onEndOthers: () => void
}

function SessionList({ records, onEnded, onEndOthers }: SessionListOptions) {
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

/**
 * The likely browser and system of a `User-Agent`, a hint for people who look for a session that is not theirs:
 * `Firefox, Windows`; the text itself, shortened, when it is none of these; undefined for none.
 */
function deviceName(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const found = [PROGRAMS, SYSTEMS].map((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1])
  const names = found.filter((name) => name !== undefined)
  return names.length === 0 ? userAgent.slice(0, 60) : names.join(', ')
}
