/** @jsxImportSource preact */
import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import { change } from '../signed-in/api.ts'
import { Dialog, type DialogOptions } from '../signed-in/dialog.tsx'
import { Fields } from '../signed-in/fields.tsx'
import { Field } from '../signed-in/form.tsx'
import { fromLocalInput, toLocalInput } from '../signed-in/moments.tsx'
import { useTexts } from '../signed-in/page-language.ts'
import type { Values } from '../signed-in/refusals.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { ScopeChooser, type ScopePlaces } from './scope-chooser.tsx'

export type KeyVerb = 'rename' | 'rotate' | 'revoke' | 'remove'

export type KeyQuestion =
  | { readonly verb: KeyVerb; readonly key: Key }
  | { readonly verb: 'rotate-all'; readonly count: number }

/** @param focusOn id of the element to focus next; by default the one that opened the dialog */
export type KeyDone = (text: string, fresh: readonly KeyWithSecret[], focusOn?: string) => void

interface KeyDialogOptions {
  readonly facts: ScopePlaces
  readonly question: KeyQuestion
  readonly onClose: () => void
  readonly onDone: KeyDone
}

export function KeyDialog({ facts, question, onClose, onDone }: KeyDialogOptions) {
  const texts = useTexts(KEYS_TEXTS)
  const dialog = { id: 'key-question', onClose }
  if (question.verb === 'rotate-all')
    return (
      <Dialog
        {...dialog}
        title={texts.rotateAllTitle}
        text={texts.rotateAllText(question.count)}
        submit={texts.rotateAllConfirm}
        send={async () => {
          const fresh = await change<KeyWithSecret[]>('POST', '/account/api/keys/rotate-all')
          return () => onDone(fresh.length === 0 ? texts.noneRotated : '', fresh)
        }}
      />
    )
  const { verb, key } = question
  const { label } = key
  const path = `/account/api/keys/${key.key_id}`
  const sends: Readonly<Record<KeyVerb, DialogOptions['send']>> = {
    rename: async (values) => {
      const body = { label: values.label, ...changedTerms(values, key) }
      const renamed = await change<Key>('PATCH', path, body)
      return () => onDone(texts.renamed(renamed.label), [])
    },
    rotate: async () => {
      const fresh = await change<KeyWithSecret>('POST', `${path}/rotate`)
      return () => onDone('', [fresh])
    },
    revoke: async () => {
      await change('POST', `${path}/revoke`)
      return () => onDone(texts.revoked(label), [], `key-${key.key_id}`)
    },
    remove: async () => {
      await change('DELETE', path)
      return () => onDone(texts.removed(label), [], 'key-list')
    },
  }
  return (
    <Dialog
      {...dialog}
      title={texts[`${verb}Title`](label)}
      text={texts[`${verb}Text`]}
      submit={verb === 'rename' ? texts.rename : texts[`${verb}Confirm`]}
      tone={verb === 'revoke' || verb === 'remove' ? 'danger' : 'main'}
      send={sends[verb]}
    >
      {verb === 'rename' && (
        <>
          <Field name="label" label={texts.label} value={label} autoComplete="off" maxLength={100} />
          <TermFields facts={facts} terms={key} />
        </>
      )}
    </Dialog>
  )
}

type Terms = Pick<Key, 'expires_at' | 'scopes' | 'monthly_quota'>

const TERM_FIELDS = [
  { name: 'expires_at', says: 'expires', type: 'datetime-local', autoComplete: 'off', optional: true },
  { name: 'monthly_quota', says: 'quota', autoComplete: 'off', optional: true },
] as const

const USUAL: Terms = { expires_at: null, scopes: ['read'], monthly_quota: null }

/** Fields with a key's current terms; by default those of a new key. */
export function TermFields({ facts, terms = USUAL }: { facts: ScopePlaces; terms?: Terms }) {
  return (
    <>
      <Fields texts={useTexts(KEYS_TEXTS)} values={valuesOf(terms)} rows={TERM_FIELDS} />
      <ScopeChooser facts={facts} scopes={terms.scopes} />
    </>
  )
}

/** The terms that a form changes, as the body of a call. Unchanged ones are omitted, since fields drop seconds. */
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

/** Anything but a number is sent as written; its refusal appears beside the field. */
function readQuota(text: string): number | string | null {
  if (text === '') return null
  return /^\d+$/.test(text) ? Number(text) : text
}
