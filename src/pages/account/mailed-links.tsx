/** @jsxImportSource preact */

/**
 * The pages that mails lead to. The token stands in the address's fragment, which browsers send to nobody; it is
 * redeemed by a press of the button, so that a program which only looks into links redeems nothing.
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ENTRY_TEXTS } from '../texts/account-entry.ts'
import { callOpenly } from './api.ts'
import { Field, Form } from './form.tsx'
import { carryAddress } from './language-link.ts'
import { accountLink, CONSOLE_PATHS, ENTRY_PATHS, type EntryFacts } from './places.ts'
import { weakness } from './refusals.ts'

/** The token of the page's address: null when there is none, undefined until the island runs. */
function useToken(): string | null | undefined {
  const [token, setToken] = useState<string | null>()
  useEffect(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get('token')
    setToken(found?.trim() || null)
    carryAddress()
  }, [])
  return token
}

/** A token that is used up has no business in the address and its history. */
function forgetToken(): void {
  history.replaceState(null, '', location.pathname + location.search)
}

export function RedeemReset({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = ENTRY_TEXTS[language]
  const token = useToken()
  const another = <a href={accountLink(facts, ENTRY_PATHS.forgot)}>{texts.anotherReset}</a>
  if (token === null) return <BrokenLink facts={facts}>{another}</BrokenLink>
  return (
    <>
      <p>{texts.resetLead}</p>
      <Form
        id="reset"
        language={language}
        submit={texts.resetButton}
        check={(values) => {
          const weak = weakness(language, values, 'new_password')
          return weak === undefined ? {} : { new_password: weak }
        }}
        send={async ({ new_password }) => {
          await callOpenly('/password/reset', { token, new_password })
          forgetToken()
          location.assign(accountLink(facts, ENTRY_PATHS.login, { note: 'reset' }))
        }}
      >
        <Field
          name="new_password"
          type="password"
          label={texts.newPassword}
          hint={texts.passwordHint}
          autoComplete="new-password"
        />
      </Form>
      <p class="aside">{another}</p>
    </>
  )
}

export function RedeemVerification({ facts }: { facts: EntryFacts }) {
  const { language } = facts
  const texts = ENTRY_TEXTS[language]
  const token = useToken()
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (done) document.getElementById('to-account')?.focus()
  }, [done])
  if (token === null && !done) {
    return (
      <BrokenLink facts={facts}>
        <span>{texts.anotherVerify}</span>
      </BrokenLink>
    )
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
          language={language}
          submit={texts.verifyButton}
          send={async () => {
            await callOpenly('/email/verify', { token })
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

function BrokenLink({ facts, children }: { facts: EntryFacts; children: ComponentChildren }) {
  const texts = ENTRY_TEXTS[facts.language]
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
