/** The check of every contract test's answers finds what it is meant to find. */

import { expect, test } from 'bun:test'
import { requireDescribed } from '../support/described.ts'

const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
const exchanged = { method: 'GET', path: '/stats', status: 200, headers }
const STATS = {
  datasets: 1,
  domains: 1,
  rows: 9,
  requests_total: 0,
  requests_today: 0,
  accounts: 0,
  active_keys: 1,
  generated_at: '2025-01-31T08:00:00Z',
}
const check = (body: object, more: object = {}) =>
  requireDescribed({ ...exchanged, text: JSON.stringify(body), ...more })

test('an answer that matches its description passes', () => {
  expect(() => check(STATS)).not.toThrow()
})

test.each([
  ['a missing member', { ...STATS, rows: undefined }],
  ['an extra member', { ...STATS, towns: 1 }],
  ['a member of another type', { ...STATS, rows: '9' }],
  ['a null where none is allowed', { ...STATS, rows: null }],
  ['a moment in another form', { ...STATS, generated_at: '2025-01-31 08:00' }],
])('%s fails', (_, body) => {
  expect(() => check(body)).toThrow('/stats 200 does not fit')
})

test('a status or a code that the route does not have fails', () => {
  expect(() => check(STATS, { status: 201 })).toThrow('is not described')
  expect(() => check({ error: { code: 'cursor_expired', message: 'no' } }, { status: 422 })).toThrow(
    'lacks cursor_expired',
  )
})

test('an accepted request body that does not match fails', () => {
  const status = { status: 'ok', message: 'done' }
  const forgot = { method: 'POST', path: '/account/api/password/forgot', status: 202 }
  expect(() => check(status, { ...forgot, sent: { email: 'a@b.ro' } })).not.toThrow()
  expect(() => check(status, { ...forgot, sent: { mail: 'a@b.ro' } })).toThrow('request does not fit')
})
