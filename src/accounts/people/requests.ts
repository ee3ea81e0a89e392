/** What the verbs of accounts take; `server/declaration/fields.ts` reads it from request bodies. */

import type { Language } from '../../base/text/language.ts'
import type { EmailAddress } from './email-address.ts'

export interface EmailRequest {
  readonly address: EmailAddress
}
export interface PasswordRequest {
  readonly password: string
}
export interface SignInRequest extends EmailRequest, PasswordRequest {
  /** Of the second factor. */
  readonly code?: string
}
export interface CodeRequest {
  readonly code: string
}
export interface FactorRemoval extends PasswordRequest, CodeRequest {}

/** A field left out stays as it is; null empties it. */
export interface ProfileRequest {
  readonly full_name?: string | null
  readonly organization?: string | null
  readonly language?: Language
}
export interface SignUpRequest extends EmailRequest, PasswordRequest, ProfileRequest {}

export interface TokenRequest {
  readonly token: string
}
export interface ResetRequest extends TokenRequest {
  readonly new_password: string
}
export interface PasswordChangeRequest {
  readonly current_password: string
  readonly new_password: string
}
