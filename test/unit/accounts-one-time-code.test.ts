import { expect, test } from 'bun:test'
import { resetSecondFactor, showAccount } from '../../src/accounts/people/operator.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  hashRecoveryCode,
  newRecoveryCodes,
  stepOfCode,
} from '../../src/accounts/people/sign-in/second-factor.ts'
import { codeOf, openAccountDesk } from '../support/account-desk.ts'
import { appCode } from '../support/authenticator.ts'
import { PASSWORD } from '../support/passwords.ts'

/** The codes of RFC 6238, appendix B, for the SHA-1 secret: the last six of eight digits. */
const VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const

test('codes match RFC 6238, for the step before and after as well', async () => {
  const secret = new TextEncoder().encode('12345678901234567890')
  for (const [seconds, code] of VECTORS) {
    const step = Math.floor(seconds / 30)
    for (const around of [-30, 0, 30])
      expect(await stepOfCode(secret, code, new Date((seconds + around) * 1000))).toBe(step)
    for (const around of [-60, 60])
      expect(await stepOfCode(secret, code, new Date((seconds + around) * 1000))).toBeUndefined()
  }
  const at = new Date(59_000)
  expect(await stepOfCode(secret, ' 287 082 ', at)).toBe(1)
  for (const text of ['', '28708', '2870822', '２８７０８２', '-87082', '0x28708'])
    expect(await stepOfCode(secret, text, at)).toBeUndefined()
})

test('recovery codes are all different, and nothing else has their format', () => {
  const codes = Array.from({ length: 100 }, newRecoveryCodes).flat()
  expect(new Set(codes).size).toBe(1000)
  expect(codes.every((code) => hashRecoveryCode(code)?.length === 32)).toBe(true)
  for (const text of ['', '123456', 'k7mw-2hfp-x9qa', 'k7mw-2hfp-x9qa-b3td-w6rn-c8s0', `${codes[0]}a`])
    expect(hashRecoveryCode(text)).toBeUndefined()
})

test('after the operator resets a second factor, the password alone signs in, and no session or code is left', async () => {
  const desk = await openAccountDesk()
  const { session } = await desk.signUp('ana@example.org')
  const { service, db, now } = desk
  await expect(resetSecondFactor(db, 'ana@example.org', now())).rejects.toThrow('has no second factor')
  expect((await showAccount(db, 'ana@example.org')).sessions).toBe(1)
  const { secret } = await beginSecondFactor(service, session, { password: PASSWORD }, 'x', now())
  const code = appCode(secret, now())
  const { recovery_codes } = await confirmSecondFactor(service, session, { code }, now())
  expect(await codeOf(() => desk.signIn('ana@example.org', PASSWORD))).toBe('second_factor_required')
  const bytes = desk.bytes().toString('latin1')
  for (const one of recovery_codes) expect(bytes).not.toContain(one.replaceAll('-', ''))

  expect((await resetSecondFactor(db, 'ana@example.org', now())).second_factor).toBe(false)
  expect((await showAccount(db, 'ana@example.org')).sessions).toBe(0)
  expect(await codeOf(() => desk.signIn('ana@example.org', PASSWORD))).toBe('done')
})
