/** The API keys of an account, for its browser session: `/account/api/keys` (specification 4.2). */

import { readLabel } from '../accounts/requests.ts'
import {
  answerChange,
  answerChangeWith,
  answerReader,
  readKeyId,
  respondAccount,
} from '../http/account-calls.ts'
import { routeGroup } from '../http/exchange.ts'
import type { Service } from '../http/service.ts'
import {
  deleteAccountKey,
  listAccountKeys,
  mintAccountKey,
  renameAccountKey,
  revokeAccountKey,
  rotateAccountKey,
  rotateAllAccountKeys,
} from './account-keys.ts'

/** The key routes. A key of somebody else is not found. */
export function keyRoutes(service: Service) {
  const { accountService: desk, accounts, usage, now } = service
  const lastUsed = (keyId: number) => usage.lastUsed(keyId)
  return routeGroup()
    .get('/account/api/keys', ({ exchange }) =>
      answerReader(exchange, {}, ({ userId }) =>
        respondAccount(exchange, 200, listAccountKeys(accounts, userId, lastUsed)),
      ),
    )
    .post('/account/api/keys', ({ exchange }) =>
      answerChangeWith(exchange, readLabel, ({ userId }, { label }) =>
        respondAccount(exchange, 201, mintAccountKey(desk, userId, label, now())),
      ),
    )
    .post('/account/api/keys/rotate-all', ({ exchange }) =>
      answerChange(exchange, ({ userId }) =>
        respondAccount(exchange, 200, rotateAllAccountKeys(desk, userId, lastUsed, now())),
      ),
    )
    .patch('/account/api/keys/:key_id', ({ exchange, params }) =>
      answerChangeWith(exchange, readLabel, ({ userId }, { label }) => {
        const key = renameAccountKey(desk, userId, readKeyId(params.key_id), label, lastUsed)
        return respondAccount(exchange, 200, key)
      }),
    )
    .delete('/account/api/keys/:key_id', ({ exchange, params }) =>
      answerChange(exchange, ({ userId }) => {
        deleteAccountKey(desk, userId, readKeyId(params.key_id), now())
        return respondAccount(exchange, 204)
      }),
    )
    .post('/account/api/keys/:key_id/rotate', ({ exchange, params }) =>
      answerChange(exchange, ({ userId }) => {
        const key = rotateAccountKey(desk, userId, readKeyId(params.key_id), lastUsed, now())
        return respondAccount(exchange, 200, key)
      }),
    )
    .post('/account/api/keys/:key_id/revoke', ({ exchange, params }) =>
      answerChange(exchange, ({ userId }) => {
        revokeAccountKey(desk, userId, readKeyId(params.key_id), now())
        return respondAccount(exchange, 204)
      }),
    )
}
