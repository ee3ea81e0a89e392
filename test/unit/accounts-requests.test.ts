import { expect, test } from 'bun:test'
import { generateKey } from '../../src/accounts/keys/key-format.ts'
import { shortUserAgent } from '../../src/accounts/people/client.ts'
import { parseEmail } from '../../src/accounts/people/email-address.ts'
import type { ApiError, Problem } from '../../src/base/errors.ts'
import { networkOf } from '../../src/base/text/ip-address.ts'
import { preferredLanguage } from '../../src/http/negotiation.ts'
import { readFields } from '../../src/server/admission/account-route.ts'
import {
  EMAIL_REQUEST,
  MINT_REQUEST,
  PASSWORD_CHANGE_REQUEST,
  PROFILE_REQUEST,
  SIGN_IN_REQUEST,
  SIGN_UP_REQUEST,
} from '../../src/server/bodies/account-bodies.ts'

function problemsOf(work: () => unknown): readonly Problem[] {
  try {
    work()
  } catch (error) {
    expect((error as ApiError).code).toBe('invalid_body')
    return (error as ApiError).detail ?? []
  }
  return []
}

const places = (work: () => unknown) => problemsOf(work).map(({ location }) => location)

test('every problem of a body is reported at once', () => {
  const body = { email: 'nobody', passwort: 'x', full_name: 7, organization: 'x'.repeat(201), language: 'fr' }
  const problems = problemsOf(() => readFields(SIGN_UP_REQUEST, body))
  expect(problems.map(({ location }) => location)).toEqual([
    'body.email',
    'body.password',
    'body.full_name',
    'body.organization',
    'body.language',
    'body.passwort',
  ])
  expect(problems.at(-1)?.suggestions).toEqual(['password'])
})

test('a body must be an object', () => {
  for (const body of [null, undefined, 7, 'text', [], ['email']]) {
    expect(places(() => readFields(SIGN_IN_REQUEST, body))).toEqual(['body'])
  }
  expect(places(() => readFields(PASSWORD_CHANGE_REQUEST, {}))).toEqual([
    'body.current_password',
    'body.new_password',
  ])
  expect(
    places(() => readFields(SIGN_IN_REQUEST, JSON.parse('{"__proto__":1,"email":"a@b.ro","password":"x"}'))),
  ).toEqual(['body.__proto__'])
})

test('names are trimmed, blanks and null clear them, and omitted fields stay omitted', () => {
  expect(readFields(PROFILE_REQUEST, { full_name: '  Ana ', organization: ' ' })).toEqual({
    full_name: 'Ana',
    organization: null,
  })
  expect(readFields(PROFILE_REQUEST, { full_name: null, language: 'en' })).toEqual({
    full_name: null,
    language: 'en',
  })
  expect(readFields(PROFILE_REQUEST, {})).toEqual({})
  expect(readFields(PROFILE_REQUEST, { full_name: 'ș'.repeat(200) }).full_name).toHaveLength(200)
})

test('a label has 1 to 100 characters after trimming', () => {
  expect(readFields(MINT_REQUEST, { label: ` ${'a'.repeat(100)} ` }).label).toHaveLength(100)
  for (const label of ['', '   ', 'a'.repeat(101), 7, null])
    expect(places(() => readFields(MINT_REQUEST, { label }))).toEqual(['body.label'])
})

test('e-mail addresses of common form are accepted, others refused', () => {
  for (const good of [
    'a@b.ro',
    "o'neil+tag@sub.example.co.uk",
    'ștefan@primăria.ro',
    `${'a'.repeat(64)}@example.org`,
  ]) {
    expect([good, parseEmail(good)?.email]).toEqual([good, good])
  }
  const bad = [
    ...[
      '',
      'a',
      'a@b',
      '@b.ro',
      'a@',
      'a@b..ro',
      'a@-b.ro',
      'a@b-.ro',
      '.a@b.ro',
      'a.@b.ro',
      'a..b@c.ro',
      'a b@c.ro',
    ],
    ...[
      'a@b.ro,c@d.ro',
      'a@b.ro>',
      '"a"@b.ro',
      'a@[192.0.2.1]',
      'a\r\nBcc: x@b.ro',
      'a\0@b.ro',
      `${'a'.repeat(65)}@b.ro`,
    ],
    `a@${'b.'.repeat(126)}ro`,
  ]
  for (const text of bad) expect([text, parseEmail(text)]).toEqual([text, undefined])
  expect(readFields(EMAIL_REQUEST, { email: ' Ana@B.ro ' }).email).toEqual({
    email: 'Ana@B.ro',
    key: 'ana@b.ro',
  })
})

test('an IPv6 customer counts as one network, however the address is written', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('2001:db8:0:1::5')).toBe('2001:db8:0:1::/64')
  expect(networkOf('2001:0DB8:0000:0001:ffff:ffff:ffff:ffff')).toBe('2001:db8:0:1::/64')
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8:0:0:9::'))
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networkOf('2001:db8:1:2345::1', 56)).toBe('2001:db8:1:2300::/56')
  expect(networkOf('2001:db8:1:2345::1', 48)).toBe('2001:db8:1:0::/48')
  expect(networkOf('192.0.2.1', 48)).toBe('192.0.2.1')
})

test('the preferred language is the one with the higher weight', () => {
  const cases: [string | null, string][] = [
    [null, 'ro'],
    ['', 'ro'],
    ['*', 'ro'],
    ['en', 'en'],
    ['en-GB,ro;q=0.8', 'en'],
    ['en;q=0.5, ro-RO;q=0.9', 'ro'],
    ['de', 'en'],
    ['de, ro;q=0.1', 'ro'],
    ['ro;q=0, en;q=0.1', 'en'],
    ['ro;q=x', 'en'],
  ]
  for (const [header, language] of cases)
    expect([header, preferredLanguage(header)]).toEqual([header, language as 'ro'])
})

test('a lone surrogate is refused in every text', () => {
  const half = 'a\ud800b'
  expect(places(() => readFields(PROFILE_REQUEST, { full_name: half, organization: '\udc00' }))).toEqual([
    'body.full_name',
    'body.organization',
  ])
  expect(places(() => readFields(MINT_REQUEST, { label: half }))).toEqual(['body.label'])
  expect(places(() => readFields(SIGN_IN_REQUEST, { email: `${half}@b.ro`, password: half }))).toEqual([
    'body.email',
    'body.password',
  ])
  expect(readFields(MINT_REQUEST, { label: '😀' }).label).toBe('😀')
})

test('one mailbox has one key, however its domain is written', () => {
  const key = 'a@xn--exmple-cua.ro'
  for (const text of ['a@exämple.ro', 'A@EXÄMPLE.ro', 'a@exa\u0308mple.ro', key, 'a@XN--exmple-cua.RO']) {
    expect([text, parseEmail(text)?.key]).toEqual([text, key])
  }
  expect(parseEmail('a@exämple.ro')?.email).toBe('a@exämple.ro')
  for (const text of ['a@xn--a.ro', `a@${'ä'.repeat(62)}.ro`, 'a@127.1', 'a@0x7f.1']) {
    expect([text, parseEmail(text)]).toEqual([text, undefined])
  }
})

test('a secret in a User-Agent is hidden before the text is cut', () => {
  const shortened = (userAgent: string | null) => shortUserAgent({ ip: '192.0.2.1', userAgent })
  const key = generateKey()
  expect(shortened(`curl/8 ${key} (x)`)).toBe('curl/8 rok_… (x)')
  expect(shortened(`${'x '.repeat(142)}${key}`)).toBe(`${'x '.repeat(142)}rok_…`)
  expect(shortened(`app izvor_session=${'aB3'.repeat(14)}x`)).toBe('app izvor_session=…')
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  expect([shortened(firefox), shortened(null), shortened('y '.repeat(300))?.length]).toEqual([
    firefox,
    null,
    300,
  ])
})
