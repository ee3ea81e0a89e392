/**
 * The bodies of requests, checked. Each function takes what `JSON.parse` gave and returns typed fields; everything that
 * is wrong with a body is said at once (`invalid_body`). What makes a password good is not checked here.
 */

import { ApiError, type Problem } from '../errors.ts'
import { LABEL_LENGTH, trimLabel } from '../keys/keys.ts'
import { LANGUAGES, type Language } from '../mail/language.ts'
import { suggest } from '../text/suggest.ts'
import { type EmailAddress, parseEmail } from './email-address.ts'

export interface SignUpRequest extends ProfileRequest {
  readonly address: EmailAddress
  readonly password: string
}

export interface SignInRequest {
  readonly address: EmailAddress
  readonly password: string
}

/** A field left out stays as it is; null or only blanks empty it. */
export interface ProfileRequest {
  readonly full_name?: string | null
  readonly organization?: string | null
  readonly language?: Language
}

export interface EmailRequest {
  readonly address: EmailAddress
}
export interface TokenRequest {
  readonly token: string
}
export interface PasswordRequest {
  readonly password: string
}
export interface ResetRequest {
  readonly token: string
  readonly new_password: string
}
export interface PasswordChangeRequest {
  readonly current_password: string
  readonly new_password: string
}
export interface LabelRequest {
  readonly label: string
}

const NAME_LENGTH = 200

/** Returns the field's value, or the sentence that says what is wrong with it. */
type Reader<T> = (value: unknown) => { readonly value: T } | string

const text: Reader<string> = (value) => (typeof value === 'string' ? { value } : 'is a text')

const email: Reader<EmailAddress> = (value) => {
  const address = typeof value === 'string' ? parseEmail(value) : undefined
  return address ? { value: address } : 'is an e-mail address of at most 254 characters'
}

const name: Reader<string | null> = (value) => {
  if (value === null) return { value }
  const trimmed = typeof value === 'string' ? value.trim() : undefined
  if (trimmed === undefined || [...trimmed].length > NAME_LENGTH) {
    return `is a text of at most ${NAME_LENGTH} characters, or null`
  }
  return { value: trimmed === '' ? null : trimmed }
}

const language: Reader<Language> = (value) => {
  const known = LANGUAGES.find((one) => one === value)
  return known ? { value: known } : `is one of ${LANGUAGES.join(', ')}`
}

const label: Reader<string> = (value) => {
  const trimmed = typeof value === 'string' ? trimLabel(value) : undefined
  const { min, max } = LABEL_LENGTH
  return trimmed === undefined ? `is a text of ${min} to ${max} characters` : { value: trimmed }
}

const profile = { full_name: name, organization: name, language }

export function readSignUp(body: unknown): SignUpRequest {
  const { email: address, ...rest } = readFields(body, { email, password: text }, profile)
  return { address, ...rest }
}

export function readSignIn(body: unknown): SignInRequest {
  const { email: address, password } = readFields(body, { email, password: text }, {})
  return { address, password }
}

export function readProfile(body: unknown): ProfileRequest {
  return readFields(body, {}, profile)
}

export function readEmail(body: unknown): EmailRequest {
  return { address: readFields(body, { email }, {}).email }
}

export function readToken(body: unknown): TokenRequest {
  return readFields(body, { token: text }, {})
}

export function readPassword(body: unknown): PasswordRequest {
  return readFields(body, { password: text }, {})
}

export function readReset(body: unknown): ResetRequest {
  return readFields(body, { token: text, new_password: text }, {})
}

export function readPasswordChange(body: unknown): PasswordChangeRequest {
  return readFields(body, { current_password: text, new_password: text }, {})
}

export function readLabel(body: unknown): LabelRequest {
  return readFields(body, { label }, {})
}

type Readers = Readonly<Record<string, Reader<unknown>>>
type ValueOf<R> = R extends Reader<infer T> ? T : never
type Fields<Needed extends Readers, Optional extends Readers> = {
  readonly [K in keyof Needed]: ValueOf<Needed[K]>
} & { readonly [K in keyof Optional]?: ValueOf<Optional[K]> }

/** @throws ApiError `invalid_body`, one detail per wrong, missing or unknown field */
function readFields<Needed extends Readers, Optional extends Readers>(
  body: unknown,
  needed: Needed,
  optional: Optional,
): Fields<Needed, Optional> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refusal([{ location: 'body', message: 'The body is a JSON object.' }])
  }
  const given = new Map<string, unknown>(Object.entries(body))
  const readers: Readers = { ...needed, ...optional }
  const problems: Problem[] = []
  const values: Record<string, unknown> = {}
  for (const [field, read] of Object.entries(readers)) {
    if (!given.has(field)) {
      if (Object.hasOwn(needed, field)) problems.push(problem(field, 'is missing'))
      continue
    }
    const value = given.get(field)
    const found = isBroken(value) ? 'is a text of whole Unicode characters' : read(value)
    if (typeof found === 'string') problems.push(problem(field, found))
    else values[field] = found.value
  }
  for (const field of given.keys()) {
    if (!Object.hasOwn(readers, field)) problems.push(unknownField(field, Object.keys(readers)))
  }
  if (problems.length > 0) throw refusal(problems)
  return values as Fields<Needed, Optional>
}

/** Half a surrogate pair can be written in JSON, but neither stored nor hashed as what it is. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && !value.isWellFormed()
}

function problem(field: string, what: string): Problem {
  return { location: `body.${field}`, message: `${field} ${what}.` }
}

function unknownField(field: string, known: readonly string[]): Problem {
  const shown = field.slice(0, 64)
  const suggestions = suggest(shown, known)
  return {
    ...{ location: `body.${shown}`, message: `${shown} is not a field of this request.` },
    ...(suggestions.length > 0 && { suggestions }),
  }
}

function refusal(problems: readonly Problem[]): ApiError {
  return new ApiError('invalid_body', problems.map(({ message }) => message).join(' '), problems)
}
