/** @jsxImportSource preact */

/** The end of a key, its scopes and its quota, as fields of a form and as the body of a call. */

import type { Key } from '../../accounts/keys/key-rows.ts'
import { Field } from '../signed-in/form.tsx'
import { fromLocalInput, toLocalInput } from '../signed-in/moments.ts'
import { useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'

type Terms = Pick<Key, 'expires_at' | 'scopes' | 'monthly_quota'>

/** Of a key that nothing was said of. */
const USUAL: Terms = { expires_at: null, scopes: ['read'], monthly_quota: null }

/** Fields with what a key has now; left out: what a new one has. */
export function TermFields({ terms = USUAL }: { terms?: Terms }) {
  const texts = useTexts(KEYS_TEXTS)
  const values = valuesOf(terms)
  return (
    <>
      <Field
        name="expires_at"
        type="datetime-local"
        label={texts.expires}
        hint={texts.expiresHint}
        value={values.expires_at}
        autoComplete="off"
        optional
      />
      <Field
        name="scopes"
        label={texts.scopes}
        hint={texts.scopesHint}
        value={values.scopes}
        autoComplete="off"
      />
      <Field
        name="monthly_quota"
        label={texts.quota}
        hint={texts.quotaHint}
        value={values.monthly_quota}
        autoComplete="off"
        optional
      />
    </>
  )
}

/** The terms that a form changes, for the body of a call. Times lose their seconds in it, so what is unchanged is left out. */
export function changedTerms(values: Values, before: Terms = USUAL): object {
  const shown = valuesOf(before)
  const { expires_at = '', scopes = '', monthly_quota = '' } = values
  return {
    ...(expires_at !== shown.expires_at && { expires_at: fromLocalInput(expires_at, 0) || null }),
    ...(scopes !== shown.scopes && { scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== '') }),
    ...(monthly_quota !== shown.monthly_quota && { monthly_quota: readQuota(monthly_quota.trim()) }),
  }
}

function valuesOf({ expires_at, scopes, monthly_quota }: Terms): Record<keyof Terms, string> {
  return {
    expires_at: expires_at === null ? '' : toLocalInput(expires_at),
    scopes: scopes.join(', '),
    monthly_quota: monthly_quota === null ? '' : String(monthly_quota),
  }
}

/** What is no number is sent as it was written, and refused beside its field. */
function readQuota(text: string): number | string | null {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : text
}
