/** All accounts, plans and keys, for operators: `/operate/api` (contract 15). */

import { t } from 'elysia'
import type { Operator } from '../../../accounts/audit/audit.ts'
import { type Key, requireKey, toOwnedKey } from '../../../accounts/keys/key-rows.ts'
import { mintKey, pageKeys, renameKey, revokeKey } from '../../../accounts/keys/keys.ts'
import { listPlans, setPlan } from '../../../accounts/keys/plans.ts'
import { requireKnownScopes } from '../../../accounts/keys/scope-places.ts'
import { finishDeletions } from '../../../accounts/keys/tombstones.ts'
import { linkOf } from '../../../accounts/mail/compose.ts'
import {
  createAccount,
  deleteAccountOf,
  inviteAgain,
  pageAccounts,
  requireAccount,
  resetSecondFactor,
  setAccountPlan,
  setAccountRole,
  showAccount,
  signOutAccount,
  verifyAccount,
} from '../../../accounts/people/operator.ts'
import { confirmPassword } from '../../../accounts/people/passwords/passwords.ts'
import type { FoundSession } from '../../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../../app.ts'
import { ApiError, CommandError } from '../../../base/errors.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { type AccountRoute, accountRoute } from '../../admission/account-route.ts'
import { KEY_CHANGE, KEY_WITH_SECRET, PASSWORD_REQUEST, USER } from '../../bodies/account-bodies.ts'
import {
  ACCOUNT,
  ACCOUNT_LIST,
  INVITATION,
  INVITE_REQUEST,
  INVITED,
  OPERATED_MINT_REQUEST,
  OWNED_KEY,
  OWNED_KEY_LIST,
  PLAN,
  PLAN_CHOICE,
  PLAN_REQUEST,
  ROLE_REQUEST,
} from '../../bodies/operate-bodies.ts'
import { limitParameter, OFFSET, textParameter } from '../../declaration/parameters.ts'
import { lastUsedIn, noticed, readKeyId, readNumber, refuseNothing } from '../keys.ts'

const ACCOUNTS = '/operate/api/accounts'
const ONE = `${ACCOUNTS}/:account` as const
const KEYS = '/operate/api/keys'
const PASSWORD = 'un exemplu de parolă lungă'
const CONFIRMED = ['invalid_credentials', 'rate_limited'] as const
const PAGE = { limit: limitParameter(200, 50), offset: OFFSET }

const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  accountRoute('operator', `GET ${ACCOUNTS}`, {
    id: 'listAccounts',
    summary: 'List the accounts, oldest first',
    query: t.Object({
      q: textParameter('q', [/^.{0,200}$/su, 'must have at most 200 characters'], {
        maxLength: 200,
        description: 'Only addresses that contain this text.',
        examples: ['example.org'],
      }),
      ...PAGE,
    }),
    success: [200, ACCOUNT_LIST],
    answer: ({ app, query }) => pageAccounts(app.accounts, query),
  }),
  accountRoute('operation', `POST ${ACCOUNTS}`, {
    id: 'createAccount',
    summary: 'Make an account, a reader, whose owner sets the password by a link',
    description: 'The link goes out by mail where a mail server is set, else it is in the answer.',
    body: INVITATION,
    bodyExample: { email: 'ana.popescu@example.org', language: 'ro' },
    success: [201, INVITED],
    errors: ['email_taken'],
    async answer({ app, exchange, session, body: { email, language = session.body.user.language } }) {
      const mail = app.accountService.mailer.sends
      const asked = { email: email.email, language, mail }
      const made = await noticed(app, createAccount(app.accounts, asked, app.now(), by(session)))
      return { ...made.user, password_link: mail ? null : passwordLink(exchange, made.token) }
    },
  }),
  accountRoute('operator', `GET ${ONE}`, {
    id: 'showAccount',
    summary: 'Show an account with its active keys and open sessions',
    success: [200, ACCOUNT],
    answer: ({ app, params }) => showAccount(app.accounts, readAccount(params)),
  }),
  accountRoute('operation', `DELETE ${ONE}`, {
    id: 'removeAccount',
    summary: 'Delete an account with its keys, sessions, usage and logs',
    description: 'With the password of the operator.',
    body: PASSWORD_REQUEST,
    bodyExample: { password: PASSWORD },
    success: [204],
    errors: ['last_operator', ...CONFIRMED],
    async answer({ app, session, params, body }) {
      const { id } = await requireAccount(app.accounts, readAccount(params))
      await confirm(app, session, body)
      await noticed(app, deleteAccountOf(app.accounts, id, app.now(), by(session)))
      await finishDeletions(app.accounts, app.usage)
      await app.accounts.emptyLog()
    },
  }),
  accountRoute('operation', `PUT ${ONE}/role`, {
    id: 'setRole',
    summary: 'Make an account a reader, a publisher or an operator',
    description: 'With the password of the operator. Its sessions and keys follow at once.',
    body: ROLE_REQUEST,
    bodyExample: { role: 'publisher', publisher_domains: ['economy'], password: PASSWORD },
    success: [200, USER],
    errors: ['last_operator', ...CONFIRMED],
    async answer({ app, session, params, body: { role, publisher_domains: domains, ...proof } }) {
      const { id } = await requireAccount(app.accounts, readAccount(params))
      if (domains != null && role !== 'publisher')
        throw invalidBody('Domains belong to publishers.', 'body.publisher_domains')
      await confirm(app, session, proof)
      const publisher_domains = role === 'reader' ? [] : (domains ?? null)
      return setAccountRole(app.accounts, id, { role, publisher_domains }, app.now(), by(session))
    },
  }),
  accountRoute('operation', `PUT ${ONE}/plan`, {
    id: 'setAccountPlan',
    summary: 'Put an account on another plan',
    description: 'Its keys follow at once; none is revoked.',
    body: PLAN_CHOICE,
    bodyExample: { plan: 'institution' },
    success: [200, USER],
    answer: ({ app, session, params, body }) =>
      asInvalidBody(
        setAccountPlan(app.accounts, readAccount(params), body.plan, app.now(), by(session)),
        'body.plan',
      ),
  }),
  accountRoute('operation', `POST ${ONE}/verify`, {
    id: 'verifyAccount',
    summary: "Confirm an account's address on its owner's behalf",
    success: [200, USER],
    answer: ({ app, session, params }) =>
      verifyAccount(app.accounts, readAccount(params), app.now(), by(session)),
  }),
  accountRoute('operation', `POST ${ONE}/sign-out`, {
    id: 'signOutAccount',
    summary: 'Sign an account out of every browser',
    success: [200, USER],
    answer: ({ app, session, params }) =>
      signOutAccount(app.accounts, readAccount(params), app.now(), by(session)),
  }),
  accountRoute('operation', `POST ${ONE}/invitation`, {
    id: 'inviteAccount',
    summary: 'Make a link by which the owner sets the first password',
    description:
      'For an account without a password. For another operator, with the password of the one who requests it.',
    body: INVITE_REQUEST,
    bodyExample: { password: PASSWORD },
    success: [201, INVITED],
    errors: CONFIRMED,
    async answer({ app, exchange, session, params, body: { password = '' } }) {
      const { id, role } = await requireAccount(app.accounts, readAccount(params))
      if (role === 'operator' && id !== session.userId) await confirm(app, session, { password })
      const made = await inviteAgain(app.accounts, id, app.now(), by(session))
      return { ...made.user, password_link: passwordLink(exchange, made.token) }
    },
  }),
  accountRoute('operation', `POST ${ONE}/reset-second-factor`, {
    id: 'resetSecondFactor',
    summary: 'Turn the second factor of an account off, and sign it out',
    description:
      'With the password of the operator. For an owner who lost the app and the codes: make sure that it is the owner who asks.',
    body: PASSWORD_REQUEST,
    bodyExample: { password: PASSWORD },
    success: [200, USER],
    errors: CONFIRMED,
    async answer({ app, session, params, body }) {
      const { id } = await requireAccount(app.accounts, readAccount(params))
      await confirm(app, session, body)
      return noticed(
        app,
        asInvalidBody(resetSecondFactor(app.accounts, id, app.now(), by(session)), 'path.account'),
      )
    },
  }),
]

const PLAN_ROUTES: readonly AccountRoute[] = [
  accountRoute('operator', 'GET /operate/api/plans', {
    id: 'listPlans',
    summary: 'List the plans',
    success: [200, t.Array(PLAN)],
    answer: ({ app }) => listPlans(app.accounts),
  }),
  accountRoute('operation', 'PUT /operate/api/plans/:plan', {
    id: 'setPlan',
    summary: 'Change limits of a plan, or make a new one with all three',
    description: 'What is left out stays. Keys and accounts follow at once.',
    body: PLAN_REQUEST,
    bodyExample: { monthly_quota: 20_000 },
    success: [200, PLAN],
    async answer({ app, session, params, body }) {
      refuseNothing(body, PLAN_REQUEST)
      const isKnown = (await listPlans(app.accounts)).some(({ name }) => name === params.plan)
      if (!isKnown && Object.keys(body).length < Object.keys(PLAN_REQUEST.properties).length)
        throw invalidBody(`There is no plan ${params.plan}: a new one needs all three limits.`, 'body')
      return asInvalidBody(setPlan(app.accounts, params.plan, body, app.now(), by(session)), 'path.plan')
    },
  }),
]

const KEY_ROUTES: readonly AccountRoute[] = [
  accountRoute('operator', `GET ${KEYS}`, {
    id: 'listAllKeys',
    summary: 'List all keys, oldest first',
    query: t.Object(PAGE),
    success: [200, OWNED_KEY_LIST],
    answer: ({ app, query }) => pageKeys(app.accounts, query, lastUsedIn(app)),
  }),
  accountRoute('operation', `POST ${KEYS}`, {
    id: 'mintOperatorKey',
    summary: 'Mint a key on a plan of its own, for an account or for the operator',
    description:
      "The only answer that holds the secret. With `user_id` the account sees and revokes the key, on the account's plan unless `plan` names one; it does not count towards its active keys.",
    body: OPERATED_MINT_REQUEST,
    bodyExample: { label: 'Mobility portal', plan: 'institution', scopes: ['read'] },
    success: [201, KEY_WITH_SECRET],
    async answer({ app, session, body: { user_id: userId, plan, ...terms } }) {
      requireKnownScopes(app.catalog, terms.scopes ?? [])
      if (userId !== undefined) await requireAccount(app.accounts, userId)
      else if (plan === undefined) throw invalidBody('A key needs a plan or an account.', 'body.plan')
      const request = { ...terms, userId, plan }
      return noticed(app, asInvalidBody(mintKey(app.accounts, by(session), request, app.now()), 'body.plan'))
    },
  }),
  accountRoute('operation', `PATCH ${KEYS}/:key_id`, {
    id: 'changeAnyKey',
    summary: 'Change the label, the scopes, the end or the quota of a key',
    body: KEY_CHANGE,
    bodyExample: { label: 'Mobility portal, staging' },
    success: [200, OWNED_KEY],
    async answer({ app, session, params, body }) {
      refuseNothing(body, KEY_CHANGE)
      requireKnownScopes(app.catalog, body.scopes ?? [])
      const change = renameKey(app.accounts, by(session), readKeyId(params), body, lastUsedIn(app), app.now())
      return owned(app, session, await noticed(app, change))
    },
  }),
  accountRoute('operation', `POST ${KEYS}/:key_id/revoke`, {
    id: 'revokeAnyKey',
    summary: 'Refuse a key from now on',
    description: 'Its row and usage stay. Revoking again changes nothing.',
    success: [200, OWNED_KEY],
    async answer({ app, session, params }) {
      const revoked = revokeKey(app.accounts, by(session), readKeyId(params), lastUsedIn(app), app.now())
      return owned(app, session, await revoked)
    },
  }),
]

export const OPERATED_ACCOUNT_ROUTES = [...ACCOUNT_ROUTES, ...PLAN_ROUTES, ...KEY_ROUTES]

/** The operator of a session, for the audit log. */
export function by({ userId }: FoundSession): Operator {
  return { operator: userId }
}

async function owned({ accounts }: App, session: FoundSession, key: Key) {
  return toOwnedKey(await requireKey(accounts, key.key_id, by(session)), key.last_used_at)
}

/** @throws ApiError `invalid_credentials`, `rate_limited` */
function confirm(app: App, { userId }: FoundSession, { password }: { readonly password: string }) {
  return confirmPassword(app.accountService, userId, password, 'body.password', app.now())
}

function readAccount({ account }: { readonly account: string }): number {
  return readNumber('account', account)
}

function passwordLink({ base }: Exchange, token: string): string | null {
  return linkOf({ kind: 'invitation', base, token }) ?? null
}

/** Turns a verb's refusal in words for a shell into one for a body. */
async function asInvalidBody<T>(change: Promise<T>, location: string): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw invalidBody(`${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}.`, location)
  }
}

function invalidBody(message: string, location: string): ApiError {
  return new ApiError('invalid_body', message, [{ location, message }])
}
