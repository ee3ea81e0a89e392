/** @jsxImportSource preact */

/** The forms of whoever is not signed in, the same on the server and in the browser. */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ENTRY_TEXTS } from '../texts/account-entry.ts'
import { callOpenly } from './api.ts'
import { Field, Form } from './form.tsx'
import { RedeemReset, RedeemVerification } from './mailed-links.tsx'
import {
  accountLink,
  CONSOLE_PATHS,
  consolePath,
  ENTRY_PATHS,
  type Entry,
  type EntryFacts,
} from './places.ts'
import { missing, weakness } from './refusals.ts'

/** The form of an entry page. */
export function EntryForm({ facts }: { facts: EntryFacts }) {
  const Form = FORMS[facts.entry]
  return <Form facts={facts} />
}

const FORMS: Readonly<Record<Entry, (props: { facts: EntryFacts }) => ComponentChildren>> = {
  login: LoginForm,
  signup: SignupForm,
  forgot: ForgotForm,
  reset: RedeemReset,
  verify: RedeemVerification,
}

function LoginForm({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = ENTRY_TEXTS[language]
  return (
    <>
      <Form
        id="login"
        language={language}
        submit={texts.loginButton}
        check={(values) => missing(language, values, ['email', 'password'])}
        send={async ({ email, password }) => {
          await callOpenly('/login', { email, password })
          location.assign(accountLink(facts, consolePath(facts.next)))
        }}
      >
        <Field name="email" type="email" label={texts.email} autoComplete="username" />
        <Field name="password" type="password" label={texts.password} autoComplete="current-password" />
      </Form>
      <p class="small">
        <a href={accountLink(facts, ENTRY_PATHS.forgot)}>{texts.forgotLink}</a>
      </p>
      <p class="aside">
        {texts.noAccount} <a href={accountLink(facts, ENTRY_PATHS.signup)}>{texts.signupLink}</a>
      </p>
    </>
  )
}

function SignupForm({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = ENTRY_TEXTS[language]
  return (
    <>
      <Form
        id="signup"
        language={language}
        submit={texts.signupButton}
        check={(values) => {
          const weak = weakness(language, values, 'password')
          return { ...missing(language, values, ['email']), ...(weak !== undefined && { password: weak }) }
        }}
        send={async ({ email, password, full_name, organization }) => {
          await callOpenly('/signup', { email, password, full_name, organization, language })
          location.assign(accountLink(facts, CONSOLE_PATHS.keys))
        }}
      >
        <Field name="email" type="email" label={texts.email} autoComplete="username" maxLength={254} />
        <Field
          name="password"
          type="password"
          label={texts.password}
          hint={texts.passwordHint}
          autoComplete="new-password"
        />
        <Field name="full_name" label={texts.fullName} autoComplete="name" maxLength={200} optional />
        <Field
          name="organization"
          label={texts.organization}
          autoComplete="organization"
          maxLength={200}
          optional
        />
      </Form>
      <p class="aside">
        {texts.haveAccount} <a href={accountLink(facts, ENTRY_PATHS.login)}>{texts.loginLink}</a>
      </p>
    </>
  )
}

function ForgotForm({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = ENTRY_TEXTS[language]
  const [sentTo, setSentTo] = useState<string>()
  useEffect(() => {
    if (sentTo !== undefined) document.getElementById('forgot-done')?.focus()
  }, [sentTo])
  return (
    <>
      {sentTo === undefined ? (
        <Form
          id="forgot"
          language={language}
          submit={texts.forgotButton}
          check={(values) => missing(language, values, ['email'])}
          send={async ({ email = '' }) => {
            await callOpenly('/password/forgot', { email })
            setSentTo(email.trim())
          }}
        >
          <p>{texts.forgotLead}</p>
          <Field name="email" type="email" label={texts.email} autoComplete="username" />
        </Form>
      ) : (
        <div class="note good" role="status">
          <h2 id="forgot-done" tabIndex={-1}>
            {texts.forgotDone}
          </h2>
          <p>{texts.forgotDoneText(sentTo)}</p>
        </div>
      )}
      <p class="aside">
        <a href={accountLink(facts, ENTRY_PATHS.login)}>{texts.backToLogin}</a>
      </p>
    </>
  )
}
