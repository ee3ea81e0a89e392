/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { callOpenly, Refusal } from '../signed-in/api.ts'
import { Fields, NewPassword } from '../signed-in/fields.tsx'
import { Field, Form } from '../signed-in/form.tsx'
import { PageLanguage, useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { ACCOUNT_TEXTS, ENTRY_TEXTS } from '../texts/account.ts'
import {
  accountLink,
  CONSOLE_PATHS,
  ENTRY_PATHS,
  type Entry,
  type EntryFacts,
  PERSON_FIELDS,
  pageBehind,
} from './account-places.ts'

export function EntryForm({ facts }: { facts: EntryFacts }) {
  const Form = FORMS[facts.entry]
  return (
    <PageLanguage.Provider value={facts.language}>
      <Form facts={facts} />
    </PageLanguage.Provider>
  )
}

const FORMS: Readonly<Record<Entry, (props: { facts: EntryFacts }) => ComponentChildren>> = {
  login: LoginForm,
  signup: SignupForm,
  forgot: ForgotForm,
  reset: RedeemReset,
  verify: RedeemVerification,
}

function LoginForm({ facts }: { facts: EntryFacts }) {
  const texts = useTexts(ENTRY_TEXTS)
  const [proven, setProven] = useState<Values>()
  const enter = () => location.assign(accountLink(facts, pageBehind(facts.next)))
  if (proven !== undefined)
    return <SecondStep proven={proven} onEntered={enter} onCancel={() => setProven(undefined)} />
  return (
    <>
      <Form
        id="login"
        submit={texts.loginButton}
        send={async ({ email = '', password = '' }) => {
          try {
            await callOpenly('/account/api/login', { email, password })
          } catch (error) {
            if (!(error instanceof Refusal) || error.code !== 'second_factor_required') throw error
            return setProven({ email, password })
          }
          enter()
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

/** @param proven the address and the password, which were right */
function SecondStep(options: { proven: Values; onEntered: () => void; onCancel: () => void }) {
  const { proven, onEntered, onCancel } = options
  const texts = useTexts(ENTRY_TEXTS)
  useEffect(() => document.getElementById('second-step-code')?.focus(), [])
  return (
    <>
      <p>{texts.secondStepLead}</p>
      <Form
        id="second-step"
        submit={texts.loginButton}
        onCancel={onCancel}
        send={async ({ code }) => {
          await callOpenly('/account/api/login', { ...proven, code })
          onEntered()
        }}
      >
        <Field name="code" label={texts.code} autoComplete="one-time-code" />
      </Form>
      <p class="small soft">{texts.secondStepLost}</p>
    </>
  )
}

function SignupForm({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = useTexts(ENTRY_TEXTS)
  return (
    <>
      <Form
        id="signup"
        submit={texts.signupButton}
        send={async ({ email, password, full_name, organization }) => {
          await callOpenly('/account/api/signup', { email, password, full_name, organization, language })
          location.assign(accountLink(facts, CONSOLE_PATHS.keys))
        }}
      >
        <Field name="email" type="email" label={texts.email} autoComplete="username" maxLength={254} />
        <NewPassword name="password" label={texts.password} hint={texts.passwordHint} />
        <Fields texts={useTexts(ACCOUNT_TEXTS)} rows={PERSON_FIELDS} />
      </Form>
      <p class="aside">
        {texts.haveAccount} <a href={accountLink(facts, ENTRY_PATHS.login)}>{texts.loginLink}</a>
      </p>
    </>
  )
}

function ForgotForm({ facts }: { facts: EntryFacts }) {
  const { sendsMail } = facts
  const texts = useTexts(ENTRY_TEXTS)
  const [sentTo, setSentTo] = useState<string>()
  useEffect(() => {
    if (sentTo !== undefined) document.getElementById('forgot-done')?.focus()
  }, [sentTo])
  return (
    <>
      {sentTo === undefined ? (
        <Form
          id="forgot"
          submit={sendsMail ? texts.forgotButton : texts.forgotButtonWithoutMail}
          send={async ({ email = '' }) => {
            await callOpenly('/account/api/password/forgot', { email })
            setSentTo(email.trim())
          }}
        >
          <p>{sendsMail ? texts.forgotLead : texts.forgotLeadWithoutMail}</p>
          <Field name="email" type="email" label={texts.email} autoComplete="username" />
        </Form>
      ) : (
        <div class="note good" role="status">
          <h2 id="forgot-done" tabIndex={-1}>
            {sendsMail ? texts.forgotDone : texts.forgotDoneWithoutMail}
          </h2>
          <p>{sendsMail ? texts.forgotDoneText(sentTo) : texts.forgotDoneTextWithoutMail(sentTo)}</p>
        </div>
      )}
      <p class="aside">
        <a href={accountLink(facts, ENTRY_PATHS.login)}>{texts.backToLogin}</a>
      </p>
    </>
  )
}

/**
 * The token in the address of a page that mails link to: null when there is none, undefined until the island runs. It is in
 * the fragment, which browsers never send. The user redeems it with a button, so that programs that open links in mails
 * do not use it up.
 */
function useToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>()
  useEffect(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get('token')
    setToken(found?.trim() || null)
  }, [])
  return token
}

function forgetToken(): void {
  history.replaceState(null, '', location.pathname + location.search)
}

function RedeemReset({ facts }: { facts: EntryFacts }) {
  const texts = useTexts(ENTRY_TEXTS)
  const token = useToken()
  const another = <a href={accountLink(facts, ENTRY_PATHS.forgot)}>{texts.anotherReset}</a>
  if (token === null) return <BrokenLink>{another}</BrokenLink>
  return (
    <>
      <p>{texts.resetLead}</p>
      <Form
        id="reset"
        submit={texts.resetButton}
        send={async ({ new_password }) => {
          await callOpenly('/account/api/password/reset', { token, new_password })
          forgetToken()
          location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'reset' }))
        }}
      >
        <NewPassword name="new_password" label={texts.newPassword} hint={texts.passwordHint} />
      </Form>
      <p class="aside">{another}</p>
    </>
  )
}

function RedeemVerification({ facts }: { facts: EntryFacts }) {
  const texts = useTexts(ENTRY_TEXTS)
  const token = useToken()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (done) document.getElementById('to-account')?.focus()
  }, [done])
  if (token === null && !done) {
    return <BrokenLink>{texts.anotherVerify}</BrokenLink>
  }
  return (
    <>
      <div role="status">{done && <p class="note good">{texts.verified}</p>}</div>
      {done ? (
        <p>
          <a class="button main" id="to-account" href={accountLink(facts, CONSOLE_PATHS.keys)}>
            {texts.toAccount}
          </a>
        </p>
      ) : (
        <Form
          id="verify"
          submit={texts.verifyButton}
          send={async () => {
            await callOpenly('/account/api/email/verify', { token })
            forgetToken()
            setDone(true)
          }}
        >
          <p>{texts.verifyLead}</p>
        </Form>
      )}
    </>
  )
}

function BrokenLink({ children }: { children: ComponentChildren }) {
  const texts = useTexts(ENTRY_TEXTS)
  return (
    <div role="alert">
      <div class="note warn">
        <p>
          <strong>{texts.linkBroken}.</strong> {texts.linkBrokenText}
        </p>
        <p>{children}</p>
      </div>
    </div>
  )
}
