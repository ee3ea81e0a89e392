/** The shapes of the account routes' bodies (contract 4), as OpenAPI 3.0 schemas. */

import {
  count,
  countOrNull,
  flag,
  listOf,
  type Node,
  ref,
  shape,
  text,
  textOrNull,
  timestamp,
  timestampOrNull,
} from './schemas.ts'

const keyId: Node = { type: 'integer', minimum: 1 }
const day: Node = { type: 'string', format: 'date', description: 'UTC' }
const milliseconds: Node = { type: 'number', minimum: 0 }
const millisecondsOrNull: Node = { ...milliseconds, nullable: true }
const state: Node = { type: 'string', enum: ['active', 'revoked'] }
const language: Node = { type: 'string', enum: ['ro', 'en'] }

const key = {
  key_id: keyId,
  label: text,
  state,
  plan: text,
  hint: { ...text, description: 'beginning and end of the secret, to tell keys apart' },
  created_at: timestamp,
  last_used_at: timestampOrNull,
  rotated_at: timestampOrNull,
  revoked_at: timestampOrNull,
}

const signIn = {
  attempted_at: timestamp,
  success: flag,
  ip: text,
  user_agent: textOrNull,
  reason: { ...textOrNull, description: 'why it failed; null when it did not' },
}

const dailyRequests = listOf(shape({ date: day, requests: count }))

const email: Node = { type: 'string', format: 'email', maxLength: 254 }
const password: Node = { type: 'string', format: 'password' }
const newPassword: Node = {
  ...password,
  minLength: 10,
  maxLength: 256,
  description: 'No rules about kinds of characters, but not one that is easy to guess.',
}
const name: Node = { ...textOrNull, maxLength: 200 }
const profile = { full_name: name, organization: name, language }

/** Bodies of requests. A field that is not listed is refused. */
const REQUESTS: Readonly<Record<string, Node>> = {
  SignUpRequest: shape({ email, password: newPassword, ...profile }, Object.keys(profile)),
  SignInRequest: shape({ email, password }),
  ProfileRequest: shape(profile, Object.keys(profile)),
  PasswordRequest: shape({ password }),
  TokenRequest: shape({ token: { ...text, description: 'from the link in the mail' } }),
  EmailRequest: shape({ email }),
  ResetRequest: shape({
    token: { ...text, description: 'from the link in the mail' },
    new_password: newPassword,
  }),
  PasswordChangeRequest: shape({ current_password: password, new_password: newPassword }),
  LabelRequest: shape({ label: { type: 'string', minLength: 1, maxLength: 100 } }),
}

const USAGE: Readonly<Record<string, Node>> = {
  UsageSummary: shape({
    month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: 'UTC' },
    day,
    plan: shape({ name: text, monthly_quota: countOrNull, max_active_keys: countOrNull }),
    total: shape({
      month: { ...count, description: 'calls of the account; also those of keys that are deleted by now' },
      day: count,
      remaining: { ...countOrNull, description: 'null on a plan without a quota' },
    }),
    keys: listOf(shape({ key_id: keyId, label: text, state, month: count, day: count })),
  }),
  DailyUsage: shape({
    days: { type: 'integer', minimum: 1, maximum: 92 },
    from: day,
    to: day,
    total: dailyRequests,
    keys: listOf(shape({ key_id: keyId, label: text, daily: dailyRequests })),
  }),
  LogRecord: shape({
    id: { type: 'integer', minimum: 1 },
    at: timestamp,
    key_id: keyId,
    method: text,
    path: text,
    query: text,
    status: { type: 'integer', minimum: 100, maximum: 599 },
    latency_ms: milliseconds,
    bytes: { ...count, description: 'of the body, as really sent' },
    ip: text,
    user_agent: textOrNull,
    request_id: text,
  }),
  LogPage: shape({
    data: listOf(ref('LogRecord')),
    pagination: shape({
      total: count,
      count,
      limit: { type: 'integer', minimum: 1, maximum: 200 },
      offset: count,
      has_next: flag,
      next_offset: countOrNull,
    }),
  }),
  LogStatistics: shape({
    days: { type: 'integer', minimum: 1, maximum: 92 },
    endpoints: listOf(
      shape({
        endpoint: text,
        requests: count,
        errors: { ...count, description: 'answers with 4xx and 5xx' },
        p50_ms: milliseconds,
        p95_ms: milliseconds,
      }),
    ),
    statuses: listOf(shape({ status: { type: 'integer' }, requests: count })),
    latency: shape({
      p50_ms: millisecondsOrNull,
      p95_ms: millisecondsOrNull,
      p99_ms: millisecondsOrNull,
      max_ms: millisecondsOrNull,
    }),
    top_ips: listOf(shape({ ip: text, requests: count })),
  }),
}

export const ACCOUNT_SCHEMAS: Readonly<Record<string, Node>> = {
  User: shape({
    id: { type: 'integer', minimum: 1 },
    email: text,
    email_verified: flag,
    full_name: textOrNull,
    organization: textOrNull,
    language,
    plan: text,
    created_at: timestamp,
  }),
  Session: shape({
    user: ref('User'),
    csrf_token: {
      ...text,
      description: 'to be sent as `X-CSRF-Token` with every call that changes something',
    },
    expires_at: timestamp,
  }),
  SessionRecord: shape({
    session_id: text,
    current: flag,
    created_at: timestamp,
    last_seen_at: timestamp,
    ip: text,
    user_agent: textOrNull,
  }),
  SignIn: shape(signIn),
  Status: shape({ status: { type: 'string', enum: ['ok'] }, message: text }),
  Key: shape(key),
  KeyWithSecret: shape({
    ...key,
    secret: {
      type: 'string',
      pattern: '^rok_[0-9A-Za-z]{38}$',
      description: 'the plaintext: shown this once, never again',
    },
  }),
  ...USAGE,
  AccountExport: shape({
    generated_at: timestamp,
    account: ref('User'),
    sessions: listOf(ref('SessionRecord')),
    sign_ins: listOf(ref('SignIn')),
    keys: listOf(ref('Key')),
    usage: shape({ daily: listOf(shape({ date: day, key_id: keyId, requests: count })) }),
    logs: listOf(ref('LogRecord')),
  }),
  ...REQUESTS,
}
