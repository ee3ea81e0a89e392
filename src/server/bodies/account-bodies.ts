/** The bodies of accounts, keys and usage (contract 4). */

import { t } from 'elysia'
import { SCOPE_PATTERN, SCOPES_IN_WORDS } from '../../accounts/keys/scopes.ts'
import { ROLES } from '../../accounts/people/user.ts'
import { LANGUAGES } from '../../base/text/language.ts'
import {
  EMAIL_FIELD,
  EXPIRY_FIELD,
  LABEL_FIELD,
  LANGUAGE_FIELD,
  NAME_FIELD,
  passwordField,
  QUOTA_FIELD,
  SCOPES_FIELD,
  textField,
} from '../declaration/fields.ts'
import {
  count,
  day,
  decimal,
  flag,
  integer,
  moment,
  named,
  nullable,
  oneOf,
  shape,
  text,
} from '../declaration/schema.ts'
import { PAGINATION } from './dataset-bodies.ts'

const keyId = integer({ minimum: 1 })
const milliseconds = decimal({ minimum: 0 })
const state = oneOf(['active', 'revoked'])
const days = integer({ minimum: 1, maximum: 92 })

const PUBLISHER_DOMAINS = nullable(
  t.Array(text()),
  'The domains that a publisher may change; null for all of them, as of an operator; empty for a reader.',
)
export const userProperties = {
  id: integer({ minimum: 1 }),
  email: text(),
  email_verified: flag,
  full_name: nullable(text()),
  organization: nullable(text()),
  language: oneOf(LANGUAGES),
  plan: text(),
  role: oneOf(ROLES),
  publisher_domains: PUBLISHER_DOMAINS,
  second_factor: flag,
  created_at: moment,
}
export const USER = named('User', userProperties)

export const SESSION = named('Session', {
  user: USER,
  csrf_token: text({ description: 'Sent as `X-CSRF-Token` with every call that changes something.' }),
  expires_at: moment,
})
export const SESSION_RECORD = named('SessionRecord', {
  session_id: text(),
  current: flag,
  created_at: moment,
  last_seen_at: moment,
  ip: text(),
  user_agent: nullable(text()),
})
export const SIGN_IN = named('SignIn', {
  attempted_at: moment,
  success: flag,
  ip: text(),
  user_agent: nullable(text()),
  reason: nullable(text(), 'Why it failed; null when it did not.'),
})
export const FACTOR_SECRET = named('FactorSecret', {
  secret: text({ pattern: '^[A-Z2-7]{32}$', description: 'Base32, for typing it.' }),
  uri: text({ description: 'The `otpauth:` address that authenticator apps read from a QR code.' }),
})
export const RECOVERY_CODES = named('RecoveryCodes', { recovery_codes: t.Array(text()) })
export const STATUS = named('Status', { status: oneOf(['ok']), message: text() })

export const keyProperties = {
  key_id: keyId,
  label: text(),
  state,
  plan: text(),
  hint: text({ description: 'The beginning and end of the secret, to tell keys apart.' }),
  created_at: moment,
  last_used_at: nullable(moment),
  rotated_at: nullable(moment),
  revoked_at: nullable(moment),
  expires_at: nullable(moment, 'When it expires; its `state` stays `active`.'),
  scopes: t.Array(text({ pattern: SCOPE_PATTERN }), { description: SCOPES_IN_WORDS }),
  monthly_quota: nullable(
    integer({ minimum: 1 }),
    'Calls a month within the quota of the plan; null for as many as the plan allows.',
  ),
}
export const KEY = named('Key', keyProperties)
export const KEY_WITH_SECRET = named('KeyWithSecret', {
  ...keyProperties,
  secret: text({
    pattern: '^rok_[0-9A-Za-z]{38}$',
    description: 'The secret in full, shown only this once.',
  }),
})

const dailyRequests = t.Array(shape({ date: day, requests: count() }))
export const USAGE_SUMMARY = named('UsageSummary', {
  month: text({ pattern: '^\\d{4}-\\d{2}$', description: 'UTC' }),
  day,
  plan: shape({ name: text(), monthly_quota: nullable(count()), max_active_keys: nullable(count()) }),
  total: shape({
    month: count('Calls of the account, those of deleted keys included.'),
    day: count(),
    remaining: nullable(count(), 'null on a plan without a quota'),
  }),
  keys: t.Array(shape({ key_id: keyId, label: text(), state: text(), month: count(), day: count() })),
})
export const DAILY_USAGE = named('DailyUsage', {
  days,
  from: day,
  to: day,
  total: dailyRequests,
  keys: t.Array(shape({ key_id: keyId, label: text(), daily: dailyRequests })),
})

const LOG_RECORD = named('LogRecord', {
  id: integer({ minimum: 1 }),
  at: moment,
  key_id: keyId,
  method: text(),
  path: text(),
  query: text(),
  status: integer({ minimum: 100, maximum: 599 }),
  latency_ms: milliseconds,
  bytes: count('Of the body, as sent.'),
  ip: text(),
  user_agent: nullable(text()),
  request_id: text(),
})
export const LOG_PAGE = named('LogPage', {
  data: t.Array(LOG_RECORD),
  pagination: PAGINATION,
})
export const LOG_STATISTICS = named('LogStatistics', {
  days,
  endpoints: t.Array(
    shape({
      endpoint: text(),
      requests: count(),
      errors: count('Answers with a status of 400 and above.'),
      p50_ms: milliseconds,
      p95_ms: milliseconds,
    }),
  ),
  statuses: t.Array(shape({ status: integer(), requests: count() })),
  latency: shape({
    p50_ms: nullable(milliseconds),
    p95_ms: nullable(milliseconds),
    p99_ms: nullable(milliseconds),
    max_ms: nullable(milliseconds),
  }),
  top_ips: t.Array(shape({ ip: text(), requests: count() })),
})
export const ACCOUNT_EXPORT = named('AccountExport', {
  generated_at: moment,
  account: USER,
  sessions: t.Array(SESSION_RECORD),
  sign_ins: t.Array(SIGN_IN),
  keys: t.Array(KEY),
  usage: shape({ daily: t.Array(shape({ date: day, key_id: keyId, requests: count() })) }),
  logs: t.Array(LOG_RECORD),
})

const password = passwordField()
const newPassword = passwordField(
  '10 to 256 characters of any kind, but not one that is easy to guess or has leaked.',
)
const token = textField({ description: 'From the link in the mail.' })
const profile = {
  full_name: t.Optional(NAME_FIELD),
  organization: t.Optional(NAME_FIELD),
  language: t.Optional(LANGUAGE_FIELD),
}
export const SIGN_UP_REQUEST = named('SignUpRequest', {
  email: EMAIL_FIELD,
  password: newPassword,
  ...profile,
})
const code = textField({ description: 'Six digits of the authenticator app, or a recovery code.' })
export const SIGN_IN_REQUEST = named('SignInRequest', {
  email: EMAIL_FIELD,
  password,
  code: t.Optional(code),
})
export const CODE_REQUEST = named('CodeRequest', { code })
export const FACTOR_REMOVAL = named('FactorRemoval', { password, code })
export const PROFILE_REQUEST = named('ProfileRequest', profile)
export const PASSWORD_REQUEST = named('PasswordRequest', { password })
export const TOKEN_REQUEST = named('TokenRequest', { token })
export const EMAIL_REQUEST = named('EmailRequest', { email: EMAIL_FIELD })
export const RESET_REQUEST = named('ResetRequest', { token, new_password: newPassword })
export const PASSWORD_CHANGE_REQUEST = named('PasswordChangeRequest', {
  current_password: password,
  new_password: newPassword,
})
export const keyTerms = {
  expires_at: t.Optional(EXPIRY_FIELD),
  scopes: t.Optional(SCOPES_FIELD),
  monthly_quota: t.Optional(QUOTA_FIELD),
}
export const MINT_REQUEST = named('MintRequest', { label: LABEL_FIELD, ...keyTerms })
export const KEY_CHANGE = named('KeyChange', { label: t.Optional(LABEL_FIELD), ...keyTerms })

export const PUBLISHER = named('Publisher', {
  role: oneOf(['publisher']),
  publisher_domains: PUBLISHER_DOMAINS,
  by: text({
    pattern: '^(account|key):[1-9][0-9]*$',
    description: 'The name of the caller in the audit log.',
  }),
})
