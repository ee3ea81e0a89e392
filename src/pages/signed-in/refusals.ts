import type { Language } from '../../base/text/language.ts'
import { sayRefusal } from '../parts/say-refusal.ts'
import { REFUSAL_TEXTS } from '../texts/account.ts'
import { formatWait } from '../texts/texts.ts'
import { Refusal } from './api.ts'

/** The errors that a form shows: `message` for the form, `fields` by the name of the input. */
export interface Trouble {
  readonly message?: string
  readonly fields: Readonly<Record<string, string>>
}

export const NO_TROUBLE: Trouble = { fields: {} }

export type Values = Readonly<Record<string, string>>

const FIELD_TEXTS = {
  email: 'email',
  full_name: 'name',
  organization: 'name',
  label: 'label',
  expires_at: 'expires',
  scopes: 'scopes',
  monthly_quota: 'quota',
} as const

const BUSY_SECONDS = 5

/** Puts an error into words. @param values what was sent, by the name of the input; only these fields can have an error */
export function explain(language: Language, error: unknown, values: Values = {}): Trouble {
  if (!(error instanceof Refusal)) throw error
  const texts = REFUSAL_TEXTS[language]
  const fields = error.problems
    .map(({ location }) => location.replace(/^body\./, ''))
    .filter((field) => Object.hasOwn(values, field))
  const [field] = fields
  if (field === undefined) return { message: messageOf(language, error), fields: {} }
  if (error.code === 'invalid_body' || error.code === 'weak_password') {
    const textOf = (name: string) => {
      if (error.code === 'weak_password') return weakness(texts, values, name) ?? messageOf(language, error)
      return texts[FIELD_TEXTS[name as keyof typeof FIELD_TEXTS] ?? 'field']
    }
    return { fields: Object.fromEntries(fields.map((name) => [name, textOf(name)])) }
  }
  // Beside a field this refusal concerns its value: a code, or the password that confirms the user's identity.
  if (error.code !== 'invalid_credentials') return { fields: { [field]: messageOf(language, error) } }
  return { fields: { [field]: field === 'code' ? texts.codeWrong : texts.passwordWrong } }
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

const SHORTEST_PASSWORD = 10
const LONGEST_PASSWORD = 256

/** What is wrong with a refused password, as far as the page can tell. Only the service judges how easily it is guessed. */
function weakness(texts: (typeof REFUSAL_TEXTS)[Language], values: Values, name: string): string | undefined {
  const password = values[name] ?? ''
  const { length } = [...password]
  if (length < SHORTEST_PASSWORD) return texts.passwordShort
  if (length > LONGEST_PASSWORD) return texts.passwordLong
  const email = (values.email ?? values.username ?? '').trim().toLowerCase()
  return email !== '' && password.toLowerCase().includes(email) ? texts.passwordHasEmail : undefined
}
