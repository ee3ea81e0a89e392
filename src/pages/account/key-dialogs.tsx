/** @jsxImportSource preact */

/** The dialogs that confirm a change of a key, and their calls. */

import type { Key, KeyWithSecret } from '../../accounts/keys/key-rows.ts'
import type { Language } from '../../base/text/language.ts'
import { change } from '../signed-in/api.ts'
import { Dialog, type DialogOptions } from '../signed-in/dialog.tsx'
import { Field } from '../signed-in/form.tsx'
import { useLanguage, useTexts } from '../signed-in/page-language.ts'
import { missing } from '../signed-in/refusals.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { changedTerms, TermFields } from './key-terms.tsx'

export type KeyVerb = 'rename' | 'rotate' | 'revoke' | 'remove' | 'rotate-all'

export type KeyQuestion =
  | { readonly verb: Exclude<KeyVerb, 'rotate-all'>; readonly key: Key }
  | { readonly verb: 'rotate-all'; readonly count: number }

/** @param focusOn id of the element to focus next; absent: the one that opened the dialog */
export type KeyDone = (text: string, fresh: readonly KeyWithSecret[], focusOn?: string) => void

interface KeyDialogOptions {
  readonly question: KeyQuestion
  readonly onClose: () => void
  readonly onDone: KeyDone
}

export function KeyDialog({ question, onClose, onDone }: KeyDialogOptions) {
  const language = useLanguage()
  const texts = useTexts(KEYS_TEXTS)
  const shared = { onClose, id: 'key-question' } as const
  if (question.verb === 'rotate-all') {
    return (
      <Dialog
        {...shared}
        title={texts.rotateAllTitle}
        text={texts.rotateAllText(question.count)}
        submit={texts.rotateAllConfirm}
        send={async () => {
          const fresh = await change<KeyWithSecret[]>('POST', '/account/api/keys/rotate-all')
          return () => onDone(fresh.length === 0 ? texts.noneRotated : '', fresh)
        }}
      />
    )
  }
  return <Dialog {...shared} {...dialogOf(language, question, onDone)} />
}

type Wording = Omit<DialogOptions, 'id' | 'onClose'>

function dialogOf(
  language: Language,
  { verb, key }: Exclude<KeyQuestion, { verb: 'rotate-all' }>,
  onDone: KeyDone,
): Wording {
  const texts = KEYS_TEXTS[language]
  const { label } = key
  const path = `/account/api/keys/${key.key_id}`
  const wording = {
    title: texts[`${verb}Title`](label),
    text: texts[`${verb}Text`],
    submit: verb === 'rename' ? texts.rename : texts[`${verb}Confirm`],
  }
  const call = (method: 'POST' | 'DELETE', at: string, text: string, focusOn: string) => async () => {
    await change(method, at)
    return () => onDone(text, [], focusOn)
  }
  switch (verb) {
    case 'rename':
      return {
        ...wording,
        check: (values) => missing(language, values, ['label', 'scopes']),
        send: async (values) => {
          const body = { label: values.label, ...changedTerms(values, key) }
          const renamed = await change<Key>('PATCH', path, body)
          return () => onDone(texts.renamed(renamed.label), [])
        },
        children: (
          <>
            <Field name="label" label={texts.label} value={label} autoComplete="off" maxLength={100} />
            <TermFields terms={key} />
          </>
        ),
      }
    case 'rotate':
      return {
        ...wording,
        send: async () => {
          const fresh = await change<KeyWithSecret>('POST', `${path}/rotate`)
          return () => onDone('', [fresh])
        },
      }
    case 'revoke':
      return {
        ...wording,
        tone: 'danger',
        send: call('POST', `${path}/revoke`, texts.revoked(label), `key-${key.key_id}`),
      }
    case 'remove':
      return { ...wording, tone: 'danger', send: call('DELETE', path, texts.removed(label), 'key-list') }
  }
}
