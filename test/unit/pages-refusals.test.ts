import { describe, expect, test } from 'bun:test'
import { ERROR_CODES, type ErrorCode } from '../../src/base/error-codes.ts'
import { sayRefusal } from '../../src/pages/parts/say-refusal.ts'
import { Refusal } from '../../src/pages/signed-in/api.ts'
import { explain, type Values } from '../../src/pages/signed-in/refusals.ts'
import { REFUSAL_TEXTS } from '../../src/pages/texts/account.ts'

/** Codes that an account page can receive; the others concern data and keys. */
const OF_ACCOUNTS = [
  ...['rate_limited', 'csrf_failed', 'invalid_credentials', 'email_taken', 'weak_password', 'token_invalid'],
  ...['key_limit_reached', 'key_not_found', 'key_not_revoked', 'key_not_active', 'session_not_found'],
  ...['service_unavailable', 'internal_error'],
] as const

const words = (language: 'ro' | 'en', code: ErrorCode) => sayRefusal(language, { code, message: 'no' }).text

describe('refusals in words', () => {
  test.each(['ro', 'en'] as const)('every code has its own words in %s', (language) => {
    for (const code of OF_ACCOUNTS) {
      expect(ERROR_CODES as readonly string[]).toContain(code)
      const { message } = explain(language, new Refusal(code as 'rate_limited', 'SAID', { wait: 7 }))
      expect([code, message ?? '']).not.toEqual([code, ''])
      if (code !== 'weak_password')
        expect([code, message]).not.toEqual([code, expect.stringContaining('SAID')])
    }
  })

  test('a problem of a field is shown beside that field in the form', () => {
    const values: Values = { email: 'x', password: 'girafe verzi', full_name: '' }
    const refusal = new Refusal('invalid_body', 'no', {
      problems: ['body.email', 'body.full_name', 'body.other'].map((location) => ({
        location,
        message: 'no',
      })),
    })
    expect(explain('en', refusal, values)).toEqual({
      fields: { email: REFUSAL_TEXTS.en.email, full_name: REFUSAL_TEXTS.en.name },
    })
    const weak = new Refusal('weak_password', 'no', {
      problems: [{ location: 'body.password', message: 'no' }],
    })
    expect(explain('ro', weak, values).fields.password).toBe(words('ro', 'weak_password'))
    const wrong = new Refusal('invalid_credentials', 'no', {
      problems: [{ location: 'body.password', message: 'no' }],
    })
    expect(explain('ro', wrong, values).fields.password).toBe(REFUSAL_TEXTS.ro.passwordWrong)
    expect(explain('ro', new Refusal('invalid_credentials', 'no'), values).message).toBe(
      words('ro', 'invalid_credentials'),
    )
  })

  test('waits are given in seconds, longer ones in minutes', () => {
    const wait = (seconds: number) =>
      explain('ro', new Refusal('rate_limited', '', { wait: seconds })).message
    expect([1, 19, 20, 90, 91, 3600].map(wait)).toEqual(
      ['1 secundă', '19 secunde', '20 de secunde', '90 de secunde', '2 minute', '60 de minute'].map(
        (text) => `Prea multe încercări. Reveniți peste ${text}.`,
      ),
    )
  })

  test('a refused password is explained by the rule that it breaks', () => {
    const refused = new Refusal('weak_password', 'English', {
      problems: [{ location: 'body.password', message: '' }],
    })
    const say = (password: string) =>
      explain('en', refused, { password, email: 'ana@example.org' }).fields.password
    expect(say('123456789')).toBe(REFUSAL_TEXTS.en.passwordShort)
    expect(say('ș'.repeat(257))).toBe(REFUSAL_TEXTS.en.passwordLong)
    expect(say('my ANA@example.org')).toBe(REFUSAL_TEXTS.en.passwordHasEmail)
    expect(say('🦒🦒🦒🦒🦒🦒🦒🦒🦒')).toBe(REFUSAL_TEXTS.en.passwordShort)
    const { text } = sayRefusal('en', { code: 'weak_password', message: 'English' })
    expect(say('girafe verzi pe acoperiș')).toBe(text)
  })
})
