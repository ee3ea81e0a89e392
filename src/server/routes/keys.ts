/** The API keys of an account, for its browser session: `/account/api/keys` (specification 4.2). */

import { t } from 'elysia'
import type { LastUsed } from '../../accounts/keys/key-rows.ts'
import {
  deleteKey,
  listKeys,
  mintKey,
  renameKey,
  revokeKey,
  rotateAllKeys,
  rotateKey,
} from '../../accounts/keys/keys.ts'
import { requireKnownScopes } from '../../accounts/keys/scope-places.ts'
import type { KeyTerms } from '../../accounts/keys/scopes.ts'
import { finishDeletions } from '../../accounts/keys/tombstones.ts'
import type { FoundSession } from '../../accounts/people/sign-in/sessions.ts'
import type { App } from '../../app.ts'
import { ApiError } from '../../base/errors.ts'
import { accountRoute } from '../admission/account-route.ts'
import { KEY, KEY_CHANGE, KEY_WITH_SECRET, MINT_REQUEST } from '../bodies/account-bodies.ts'
import type { Route } from '../declaration/route.ts'
import type { TObject } from '../declaration/schema.ts'

/** Another account's key is a 404. */
export const KEY_ROUTES: readonly Route[] = [
  accountRoute('session', 'GET /account/api/keys', {
    id: 'listKeys',
    summary: 'List the API keys',
    success: [200, t.Array(KEY)],
    answer: ({ app, session }) => listKeys(app.accounts, session.userId, lastUsedIn(app)),
  }),
  accountRoute('change', 'POST /account/api/keys', {
    id: 'mintKey',
    summary: "Mint a key on the account's plan",
    description:
      'The only answer that holds the secret; keep it. Without more the key reads everything, does not expire, and shares ' +
      'the quota of the account.',
    body: MINT_REQUEST,
    bodyExample: { label: 'Mobility portal', scopes: ['read'], monthly_quota: 5000 },
    success: [201, KEY_WITH_SECRET],
    errors: ['key_limit_reached'],
    answer: ({ app, session, body }) => {
      refuseUnknown(app, session, body)
      return noticed(app, mintKey(app.accounts, session.userId, body, app.now()))
    },
  }),
  accountRoute('change', 'POST /account/api/keys/rotate-all', {
    id: 'rotateAllKeys',
    summary: 'Replace the secrets of all active keys',
    description: 'All or none; revoked keys are left alone. The old secrets stop working at once.',
    success: [200, t.Array(KEY_WITH_SECRET)],
    answer: ({ app, session }) =>
      noticed(app, rotateAllKeys(app.accounts, session.userId, lastUsedIn(app), app.now())),
  }),
  accountRoute('change', 'PATCH /account/api/keys/:key_id', {
    id: 'renameKey',
    summary: 'Change the label, the scopes, the end or the quota; the secret stays',
    description: 'What is left out stays as it is. A later `expires_at` renews a key that has expired.',
    body: KEY_CHANGE,
    bodyExample: { label: 'Mobility portal, staging' },
    success: [200, KEY],
    answer: ({ app, session, params, body }) => {
      refuseNothing(body, KEY_CHANGE)
      refuseUnknown(app, session, body)
      const keyId = readKeyId(params)
      return noticed(app, renameKey(app.accounts, session.userId, keyId, body, lastUsedIn(app), app.now()))
    },
  }),
  accountRoute('change', 'DELETE /account/api/keys/:key_id', {
    id: 'deleteKey',
    summary: 'Remove a revoked key with its usage records',
    success: [204],
    errors: ['key_not_revoked'],
    async answer({ app, session, params }) {
      await deleteKey(app.accounts, session.userId, readKeyId(params), app.now())
      await finishDeletions(app.accounts, app.usage)
    },
  }),
  accountRoute('change', 'POST /account/api/keys/:key_id/rotate', {
    id: 'rotateKey',
    summary: 'Replace the secret',
    description: 'The old secret stops working at once; identity and usage stay.',
    success: [200, KEY_WITH_SECRET],
    errors: ['key_not_active'],
    answer: ({ app, session: { userId }, params }) =>
      noticed(app, rotateKey(app.accounts, userId, readKeyId(params), lastUsedIn(app), app.now())),
  }),
  accountRoute('change', 'POST /account/api/keys/:key_id/revoke', {
    id: 'revokeKey',
    summary: 'Refuse the key from now on',
    description: 'Its row and usage stay. Revoking again changes nothing.',
    success: [204],
    async answer({ app, session, params }) {
      await revokeKey(app.accounts, session.userId, readKeyId(params), lastUsedIn(app), app.now())
    },
  }),
]

/** @throws ApiError `invalid_body` for a change without a field */
export function refuseNothing(body: object, { properties }: TObject): void {
  if (Object.keys(body).length > 0) return
  const message = `Nothing to change: give ${Object.keys(properties).join(', ')} or some of them.`
  throw new ApiError('invalid_body', message, [{ location: 'body', message }])
}

/** @throws ApiError `invalid_body` for scopes of domains and datasets that do not exist */
function refuseUnknown({ catalog }: App, { body }: FoundSession, { scopes = [] }: Partial<KeyTerms>): void {
  requireKnownScopes(catalog, scopes, body.user.publisher_domains ?? [])
}

/** Awaits a change that may send the account a mail, then wakes the mailer. */
export async function noticed<T>({ accountService }: App, change: Promise<T>): Promise<T> {
  const changed = await change
  accountService.mailer.wake()
  return changed
}

/** When a key was last used. */
export function lastUsedIn({ usage }: App): LastUsed {
  return (keyId) => usage.lastUsed(keyId)
}

/**
 * The number in a path. For a number that no key can have, the lookup finds nothing.
 * @throws ApiError `invalid_value` for what isn't an integer
 */
export function readKeyId({ key_id }: { readonly key_id: string }): number {
  return readNumber('key_id', key_id)
}

/** As `readKeyId`, for another number in a path. */
export function readNumber(name: string, text: string): number {
  if (/^-?[0-9]+$/.test(text)) return Math.max(-1, Math.min(Number(text), Number.MAX_SAFE_INTEGER))
  const message = `The ${name} in the path must be an integer.`
  throw new ApiError('invalid_value', message, [{ location: `path.${name}`, message }])
}
