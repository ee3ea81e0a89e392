/** Refusals in words, beside the field that they are about where there is one. */

import type { Language } from '../../mail/language.ts'
import { formatWait } from '../parts/format.ts'
import { sayRefusal } from '../parts/say-refusal.ts'
import { REFUSAL_TEXTS } from '../texts/account.ts'
import { Refusal } from './api.ts'

/** What a form shows. `message` is about the whole, `fields` by the names of inputs. */
export interface Trouble {
  readonly message?: string
  readonly fields: Readonly<Record<string, string>>
}

export const NO_TROUBLE: Trouble = { fields: {} }

export type Values = Readonly<Record<string, string>>

const FIELD_TEXTS = { email: 'email', full_name: 'name', organization: 'name', label: 'label' } as const

const BUSY_SECONDS = 5

/**
 * What to say of an error.
 * @param values what was sent, by the names of inputs: only these can be pointed at
 */
export function explain(language: Language, error: unknown, values: Values = {}): Trouble {
  if (!(error instanceof Refusal)) throw error
  const texts = REFUSAL_TEXTS[language]
  if (error.code === 'invalid_body' || error.code === 'weak_password')
    return explainBody(language, error, values)
  const field = fieldsOf(error, values)[0]
  if (field === undefined) return said(messageOf(language, error))
  // Where a password confirms who somebody is, only the password can be wrong.
  const isPassword = error.code === 'invalid_credentials'
  return { fields: { [field]: isPassword ? texts.passwordWrong : messageOf(language, error) } }
}

function said(message: string): Trouble {
  return { message, fields: {} }
}

function messageOf(language: Language, error: Refusal): string {
  const texts = REFUSAL_TEXTS[language]
  const { code, wait = BUSY_SECONDS } = error
  if (code === 'offline') return texts.offline
  if (code === 'rate_limited') return texts.tooMany(formatWait(language, wait))
  if (code === 'service_unavailable') return texts.busy(formatWait(language, wait))
  if (code === 'csrf_failed' && error.isStaleToken) return texts.stale
  if (code === 'internal_error') return `${texts.failed} ${error.requestId ?? '?'}`
  return sayRefusal(language, { code, message: error.message, detail: error.problems }).text
}

function explainBody(language: Language, error: Refusal, values: Values): Trouble {
  const texts = REFUSAL_TEXTS[language]
  const fields = fieldsOf(error, values).map((field) => {
    if (error.code === 'weak_password')
      return [field, weakness(language, values, field) ?? messageOf(language, error)]
    const known = FIELD_TEXTS[field as keyof typeof FIELD_TEXTS]
    return [field, known === undefined ? texts.field : texts[known]]
  })
  return fields.length === 0
    ? said(messageOf(language, error))
    : { fields: Object.fromEntries(fields) as Record<string, string> }
}

function fieldsOf({ problems }: Refusal, values: Values): string[] {
  return problems
    .map(({ location }) => location.replace(/^body\./, ''))
    .filter((field) => Object.hasOwn(values, field))
}

const SHORTEST_PASSWORD = 10
const LONGEST_PASSWORD = 256

/** What can be said against a password without asking; how easily it is guessed, only the service judges. */
export function weakness(language: Language, values: Values, field: string): string | undefined {
  const texts = REFUSAL_TEXTS[language]
  const password = values[field] ?? ''
  const { length } = [...password]
  if (length === 0) return texts.required
  if (length < SHORTEST_PASSWORD) return texts.passwordShort
  if (length > LONGEST_PASSWORD) return texts.passwordLong
  const email = (values.email ?? '').trim().toLowerCase()
  return email !== '' && password.toLowerCase().includes(email) ? texts.passwordHasEmail : undefined
}

/** Which of these fields are empty. */
export function missing(
  language: Language,
  values: Values,
  names: readonly string[],
): Record<string, string> {
  const empty = names.filter((name) => (values[name] ?? '').trim() === '')
  return Object.fromEntries(empty.map((name) => [name, REFUSAL_TEXTS[language].required]))
}
