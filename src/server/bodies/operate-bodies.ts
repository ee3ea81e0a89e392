/** The bodies of `/operate/api` (contract 15). */

import { t } from 'elysia'
import { SEVERITIES } from '../../upkeep/desk-work.ts'
import {
  DOMAINS_FIELD,
  EMAIL_FIELD,
  ID_FIELD,
  LABEL_FIELD,
  LANGUAGE_FIELD,
  LIMIT_FIELD,
  passwordField,
  ROLE_FIELD,
  textField,
} from '../declaration/fields.ts'
import { count, flag, integer, moment, named, nullable, oneOf, shape, text } from '../declaration/schema.ts'
import { keyProperties, keyTerms, USER, userProperties } from './account-bodies.ts'
import { PAGINATION } from './dataset-bodies.ts'

const accountId = integer({ minimum: 1 })
const password = passwordField('Of the operator who asks.')

export const ACCOUNT_LIST = named('OperatedAccountList', { data: t.Array(USER), pagination: PAGINATION })
export const ACCOUNT = named('OperatedAccount', {
  ...userProperties,
  active_keys: count(),
  sessions: count(),
  last_sign_in_at: nullable(moment),
})
export const INVITED = named('InvitedAccount', {
  ...userProperties,
  password_link: nullable(
    text(),
    'By it the owner sets the password, once, within 24 hours: shown this once. null where it went out by mail.',
  ),
})
export const INVITATION = named('InvitationRequest', {
  email: EMAIL_FIELD,
  language: t.Optional(LANGUAGE_FIELD),
})
/** The password is needed for the account of another operator. */
export const INVITE_REQUEST = named('InvitationLinkRequest', { password: t.Optional(password) })
export const ROLE_REQUEST = named('RoleRequest', {
  role: ROLE_FIELD,
  publisher_domains: t.Optional(DOMAINS_FIELD),
  password,
})
export const PLAN_CHOICE = named('PlanChoice', { plan: textField({ examples: ['institution'] }) })

const limits = {
  monthly_quota: nullable(count(), 'Calls a month; null: no limit.'),
  max_active_keys: nullable(count(), 'Keys of the console that may be active.'),
  per_minute: nullable(count(), 'Requests a minute of each key.'),
}
export const PLAN = named('Plan', { name: text(), ...limits })
export const PLAN_REQUEST = named('PlanRequest', {
  monthly_quota: t.Optional(LIMIT_FIELD),
  max_active_keys: t.Optional(LIMIT_FIELD),
  per_minute: t.Optional(LIMIT_FIELD),
})

const owned = {
  ...keyProperties,
  user_id: nullable(accountId, 'The account that sees the key; null: the operator.'),
  email: nullable(text(), 'Of that account.'),
}
export const OWNED_KEY = named('OwnedKey', owned)
export const OWNED_KEY_LIST = named('OwnedKeyList', { data: t.Array(OWNED_KEY), pagination: PAGINATION })
export const OPERATED_MINT_REQUEST = named('OperatedMintRequest', {
  label: LABEL_FIELD,
  plan: t.Optional(textField({ description: "Of the key alone; by default the account's." })),
  user_id: t.Optional(ID_FIELD),
  ...keyTerms,
})

export const SETTINGS_LIST = t.Array(
  named('Setting', {
    name: text(),
    value: t.Unsafe<unknown>({ description: '`***` for a secret; null where there is none.' }),
    written: nullable(text(), 'As one would write it: `1GiB`, `10%`.'),
    origin: text({ description: 'An option, a variable, `izvor.toml`, or `default`.' }),
    env: text({ description: 'The variable that sets it.' }),
    flag: nullable(text(), 'The option that sets it.'),
    default: nullable(text()),
    help: text(),
  }),
)

const backup = { at: moment, bytes: count(), damaged: t.Array(text()) }
export const BACKUPS = named('Backups', {
  folder: nullable(text(), 'null: the setting `backup_dir` names none.'),
  schedule: nullable(text(), 'A cron pattern, in UTC.'),
  keep: integer({ minimum: 1 }),
  running: flag,
  last: nullable(shape({ ...backup, target: text() }), 'The last one that went well, wherever it went.'),
  failed: nullable(
    shape({ at: moment, error: text(), failures: count('In a row.') }),
    'By schedule; null when one went well since.',
  ),
  data: t.Array(shape({ name: text(), files: count(), ...backup }), {
    description: 'The newest in the folder.',
  }),
})

export const FINDINGS = named('Findings', {
  at: moment,
  findings: t.Array(
    shape({
      check: text(),
      state: oneOf(SEVERITIES),
      what: text(),
      why: nullable(text()),
      remedy: nullable(text(), 'The command to run, or the setting to change.'),
    }),
  ),
})

export const AUDIT_LIST = named('AuditList', {
  data: t.Array(
    shape({
      id: integer({ minimum: 1 }),
      at: moment,
      actor: oneOf(['operator', 'account', 'service', 'shell']),
      event: text(),
      user_id: nullable(accountId, 'The account that it is about.'),
      key_id: nullable(integer({ minimum: 1 })),
      detail: nullable(text()),
      operator_id: nullable(accountId, 'The operator who acted; null: the shell, or a key.'),
    }),
  ),
  pagination: PAGINATION,
})
