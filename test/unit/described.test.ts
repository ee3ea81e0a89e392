/** The check of every contract test's answers finds what it is there for. */

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

test('an answer as described passes', () => {
  expect(() => check(STATS)).not.toThrow()
})

test.each([
  ['a member that is missing', { ...STATS, rows: undefined }],
  ['a member too many', { ...STATS, towns: 1 }],
  ['a member of another type', { ...STATS, rows: '9' }],
  ['a null where there is none', { ...STATS, rows: null }],
  ['a moment in another form', { ...STATS, generated_at: '2025-01-31 08:00' }],
])('%s does not', (_, body) => {
  expect(() => check(body)).toThrow('/stats 200 does not fit')
})

test('a status and a code that the route does not have do not', () => {
  expect(() => check(STATS, { status: 201 })).toThrow('is not described')
  expect(() => check({ error: { code: 'cursor_expired', message: 'no' } }, { status: 422 })).toThrow(
    'lacks cursor_expired',
  )
})

test('a request body that was taken and does not fit does not', () => {
  const status = { status: 'ok', message: 'done' }
  const forgot = { method: 'POST', path: '/account/api/password/forgot', status: 202 }
  expect(() => check(status, { ...forgot, sent: { email: 'a@b.ro' } })).not.toThrow()
  expect(() => check(status, { ...forgot, sent: { mail: 'a@b.ro' } })).toThrow('request does not fit')
})
