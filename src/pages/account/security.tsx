/** @jsxImportSource preact */

/** Password, open sessions, sign-ins. */

import { useState } from 'preact/hooks'
import type { SessionRecord } from '../../accounts/sessions.ts'
import type { SignIn } from '../../accounts/sign-in.ts'
import type { Language } from '../../mail/language.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { SECURITY_TEXTS } from '../texts/account-security.ts'
import { change, read } from './api.ts'
import { deviceName } from './device.ts'
import { Dialog } from './dialog.tsx'
import { Field, Form, UserName } from './form.tsx'
import { useLoaded, WhenLoaded } from './loading.tsx'
import { Moment } from './moment.tsx'
import { zoneName } from './moments.ts'
import type { ConsoleFacts } from './places.ts'
import { missing, weakness } from './refusals.ts'
import { SessionList } from './session-list.tsx'
import { StatusLine, useFocusLater, useQuestion, useStatus } from './status.tsx'
import { Table } from './table.tsx'

const FEW_SIGN_INS = 10
const MANY_SIGN_INS = 100

export function Security({ facts: { language, email } }: { facts: ConsoleFacts }) {
  const texts = SECURITY_TEXTS[language]
  const status = useStatus()
  const sessions = useLoaded(() => read<SessionRecord[]>('/sessions'))
  const focusLater = useFocusLater()
  const question = useQuestion<'end-others'>()

  /** Ends sessions, then says so where the list was. */
  const ended = (text: string) => {
    void sessions.reload().then(() => {
      status.say(text)
      focusLater('sessions-title')
    })
  }

  return (
    <>
      <StatusLine status={status} />
      <PasswordForm
        language={language}
        email={email}
        onChanged={() => {
          status.say(texts.changed)
          void sessions.reload()
        }}
      />
      <section aria-labelledby="sessions-title">
        <h2 id="sessions-title" tabIndex={-1}>
          {texts.sessions}
        </h2>
        <p class="soft">{texts.sessionsLead}</p>
        <WhenLoaded language={language} loaded={sessions}>
          {(records) => (
            <SessionList
              language={language}
              records={records}
              onEnded={() => ended(texts.ended)}
              onEndOthers={() => question.ask('end-others')}
            />
          )}
        </WhenLoaded>
      </section>
      <SignIns language={language} />
      {question.open && (
        <Dialog
          id="end-others"
          language={language}
          title={texts.endOthersTitle}
          text={texts.endOthersText}
          submit={texts.endOthers}
          onClose={question.close}
          send={async () => {
            await change('POST', '/sessions/revoke-others')
            return () => ended(texts.othersEnded)
          }}
        />
      )}
    </>
  )
}

interface PasswordFormOptions {
  readonly language: Language
  readonly email: string
  readonly onChanged: () => void
}

function PasswordForm({ language, email, onChanged }: PasswordFormOptions) {
  const texts = SECURITY_TEXTS[language]
  return (
    <section class="card narrow" aria-labelledby="password-title">
      <h2 id="password-title">{texts.password}</h2>
      <Form
        id="password"
        language={language}
        submit={texts.change}
        check={(values) => {
          const weak = weakness(language, { ...values, email }, 'new_password')
          return {
            ...missing(language, values, ['current_password']),
            ...(weak !== undefined && { new_password: weak }),
          }
        }}
        send={async ({ current_password, new_password }, form) => {
          await change('POST', '/password/change', { current_password, new_password })
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
        <Field
          name="new_password"
          type="password"
          label={texts.newPassword}
          hint={texts.passwordHint}
          autoComplete="new-password"
        />
      </Form>
    </section>
  )
}

function SignIns({ language }: { language: Language }) {
  const texts = SECURITY_TEXTS[language]
  const [limit, setLimit] = useState(FEW_SIGN_INS)
  const signIns = useLoaded(() => read<SignIn[]>(`/security/logins?limit=${limit}`), String(limit))
  return (
    <section aria-labelledby="sign-ins-title">
      <h2 id="sign-ins-title" tabIndex={-1}>
        {texts.signIns}
      </h2>
      <p class="soft">{texts.signInsLead}</p>
      <WhenLoaded language={language} loaded={signIns}>
        {(records) =>
          records.length === 0 ? (
            <p>{texts.noSignIns}</p>
          ) : (
            <>
              <SignInTable language={language} records={records} />
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

function SignInTable({ language, records }: { language: Language; records: readonly SignIn[] }) {
  const texts = SECURITY_TEXTS[language]
  const reasons = { wrong_password: texts.reasonWrongPassword, too_many_failures: texts.reasonTooMany }
  return (
    <Table
      label={texts.signIns}
      head={[texts.at, texts.result, texts.from, texts.device]}
      rows={records.map(({ attempted_at, success, reason, ip, user_agent }) => [
        <Moment key="at" language={language} at={attempted_at} />,
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
