/** @jsxImportSource preact */

/** The questions before a key is changed, and the calls behind them. */

import type { Key, KeyWithSecret } from '../../keys/key-rows.ts'
import type { Language } from '../../mail/language.ts'
import { KEYS_TEXTS } from '../texts/account-keys.ts'
import { change } from './api.ts'
import { Dialog, type DialogOptions } from './dialog.tsx'
import { Field } from './form.tsx'
import { missing } from './refusals.ts'

export type KeyVerb = 'rename' | 'rotate' | 'revoke' | 'remove' | 'rotate-all'

export type KeyQuestion =
  | { readonly verb: Exclude<KeyVerb, 'rotate-all'>; readonly key: Key }
  | { readonly verb: 'rotate-all'; readonly count: number }

/** @param focusOn id of what should have the focus next; left out: what opened the question */
export type KeyDone = (text: string, fresh: readonly KeyWithSecret[], focusOn?: string) => void

interface KeyDialogOptions {
  readonly language: Language
  readonly question: KeyQuestion
  readonly onClose: () => void
  readonly onDone: KeyDone
}

export function KeyDialog({ language, question, onClose, onDone }: KeyDialogOptions) {
  const shared = { language, onClose, id: 'key-question' } as const
  if (question.verb === 'rotate-all') {
    const texts = KEYS_TEXTS[language]
    return (
      <Dialog
        {...shared}
        title={texts.rotateAllTitle}
        text={texts.rotateAllText(question.count)}
        submit={texts.rotateAllConfirm}
        send={async () => {
          const fresh = await change<KeyWithSecret[]>('POST', '/keys/rotate-all')
          return () => onDone(fresh.length === 0 ? texts.noneRotated : '', fresh)
        }}
      />
    )
  }
  return <Dialog {...shared} {...dialogOf(language, question, onDone)} />
}

type Wording = Omit<DialogOptions, 'id' | 'language' | 'onClose'>

function dialogOf(
  language: Language,
  { verb, key }: Exclude<KeyQuestion, { verb: 'rotate-all' }>,
  onDone: KeyDone,
): Wording {
  const texts = KEYS_TEXTS[language]
  const { label } = key
  const path = `/keys/${key.key_id}`
  const heading = `key-${key.key_id}`
  switch (verb) {
    case 'rename':
      return {
        title: texts.renameTitle(label),
        text: texts.renameText,
        submit: texts.rename,
        check: (values) => missing(language, values, ['label']),
        send: async (values) => {
          const renamed = await change<Key>('PATCH', path, { label: values.label })
          return () => onDone(texts.renamed(renamed.label), [])
        },
        children: <Field name="label" label={texts.label} value={label} autoComplete="off" maxLength={100} />,
      }
    case 'rotate':
      return {
        title: texts.rotateTitle(label),
        text: texts.rotateText,
        submit: texts.rotateConfirm,
        send: async () => {
          const fresh = await change<KeyWithSecret>('POST', `${path}/rotate`)
          return () => onDone('', [fresh])
        },
      }
    case 'revoke':
      return {
        ...{
          title: texts.revokeTitle(label),
          text: texts.revokeText,
          submit: texts.revokeConfirm,
          tone: 'danger',
        },
        send: async () => {
          await change('POST', `${path}/revoke`)
          return () => onDone(texts.revoked(label), [], heading)
        },
      }
    case 'remove':
      return {
        ...{
          title: texts.removeTitle(label),
          text: texts.removeText,
          submit: texts.removeConfirm,
          tone: 'danger',
        },
        send: async () => {
          await change('DELETE', path)
          return () => onDone(texts.removed(label), [], 'key-list')
        },
      }
  }
}
