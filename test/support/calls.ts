/** Calls of keys, below HTTP. */

import type { AnsweredCall } from '../../src/usage/log-record.ts'
import type { LimitedKey, UsageRecorder } from '../../src/usage/usage.ts'

/** A key with a quota of its own, or one of an account. */
export function limitedKey(keyId: number, monthlyQuota: number | null = null, account?: number): LimitedKey {
  return {
    keyId,
    quotaOwner: account === undefined ? `key:${keyId}` : `account:${account}`,
    plan: { monthlyQuota },
  }
}

/** An answer, ordinary in whatever is not said. */
export function answered(call: Partial<AnsweredCall> & { keyId: number; at: Date }): AnsweredCall {
  return {
    method: 'GET',
    path: '/v1/economy/trade',
    query: '',
    status: 200,
    latencyMs: 1,
    bytes: 100,
    ip: '203.0.113.7',
    userAgent: 'curl/8',
    requestId: 'test-1',
    ...call,
  }
}

/** A counted call with its answer. */
export function useKey(usage: UsageRecorder, keyId: number, at: Date): void {
  usage.reserve(limitedKey(keyId), at)
  usage.record(answered({ keyId, at }))
}
