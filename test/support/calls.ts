/** Calls of keys, below HTTP. */

import type { CallRecord } from '../../src/accounts/usage/log-record.ts'
import type { LimitedKey } from '../../src/accounts/usage/quota.ts'
import type { UsageRecorder } from '../../src/accounts/usage/usage.ts'

/** A key with its own quota, or one of an account. */
export function limitedKey(keyId: number, monthlyQuota: number | null = null, account?: number): LimitedKey {
  return {
    keyId,
    userId: account ?? null,
    quotaOwner: account === undefined ? `key:${keyId}` : `account:${account}`,
    plan: { monthly_quota: monthlyQuota },
    monthlyQuota: null,
  }
}

/** An answer with ordinary values in the fields left out. */
export function answered(call: Partial<Omit<CallRecord, 'at'>> & { key_id: number; at: Date }): CallRecord {
  return {
    method: 'GET',
    path: '/v1/economy/trade',
    query: '',
    status: 200,
    latency_us: 1000,
    bytes: 100,
    ip: '203.0.113.7',
    user_agent: 'curl/8',
    request_id: 'test-1',
    ...call,
    at: Math.floor(call.at.getTime() / 1000),
  }
}

/** A counted call with its answer. */
export function useKey(usage: UsageRecorder, keyId: number, at: Date): void {
  void usage.reserve(limitedKey(keyId), at)
  usage.record(answered({ key_id: keyId, at }))
}
