/** What every request passes before its route answers. */

import type { KeyRecord } from '../accounts/keys/key-lookup.ts'
import { ApiError } from '../base/errors.ts'
import { decodePercent } from '../base/text/query-string.ts'
import type { ValueOrPromise } from '../base/value-or-promise.ts'
import { refuseDeclaredSize } from '../http/body.ts'
import { type Authentication, hasKey } from './auth.ts'
import type { Call } from './call.ts'
import { ACCESS, type Access } from './declaration/access.ts'
import { admitCall, type CallCounts } from './limits.ts'

/** Where the key of a request is found and its calls are counted. */
export interface Gate extends CallCounts {
  readonly authentication: Authentication
}

/**
 * Lets a request through or refuses it, in the order of contract 2: the key comes before anything else, also on paths
 * and methods that do not exist, and its limits right behind it.
 * @throws ApiError 401 codes, 429 codes, 413 `payload_too_large`, 422 `invalid_value` for a path that cannot be decoded
 */
export function admit(call: Call, access: Access, gate: Gate): ValueOrPromise<void> {
  const { isCounted, takesKey } = ACCESS[access]
  if (takesKey ? !hasKey(call) : !isCounted) return refuseUnreadable(call)
  const key = gate.authentication.requireKey(call)
  return key instanceof Promise ? key.then((found) => admitKey(call, found, gate)) : admitKey(call, key, gate)
}

function admitKey(call: Call, key: KeyRecord, gate: Gate): ValueOrPromise<void> {
  call.key = key
  const counted = admitCall(call, gate)
  return counted instanceof Promise ? counted.then(() => refuseUnreadable(call)) : refuseUnreadable(call)
}

function refuseUnreadable(call: Call): void {
  refuseDeclaredSize(call)
  const { path } = call
  if (path.includes('%') && decodePercent(path) === undefined) {
    const message =
      'Invalid percent-encoding in the path: write UTF-8 bytes as %XX, and a percent sign as %25.'
    throw new ApiError('invalid_value', message, [{ location: 'path', message }])
  }
}
