/** @jsxImportSource preact */

/**
 * The pages that mails link to. The token is in the fragment of the address, which browsers never send. The user redeems
 * it with a button, so that programs that open the links of mails do not use it up.
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { callOpenly } from '../signed-in/api.ts'
import { Form, NewPassword } from '../signed-in/form.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import { weakField } from '../signed-in/refusals.ts'
import { ENTRY_TEXTS } from '../texts/account-entry.ts'
import { carryAddress } from './language-link.ts'
import { accountLink, CONSOLE_PATHS, ENTRY_PATHS, type EntryFacts } from './places.ts'

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

/** Removes a used token from the address and the history. */
function forgetToken(): void {
  history.replaceState(null, '', location.pathname + location.search)
}

export function RedeemReset({ facts }: { facts: EntryFacts }) {
  const { language } = facts
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
        check={(values) => weakField(language, values, 'new_password')}
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

export function RedeemVerification({ facts }: { facts: EntryFacts }) {
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
