/**
 * One-time codes: TOTP (RFC 6238: SHA-1, six digits, 30 seconds, as authenticator apps expect), and recovery codes.
 *
 * Threat: guessing (limits, `second-factor.ts`), a code that somebody saw (each step counts once), and a copy of the
 * database: of recovery codes only SHA-256 is stored, which 118 random bits allow (OWASP ASVS 5.0, 6.5.2). The secret of the app must be stored as
 * it is, since every code is computed from it; the password is still needed then.
 *
 * oslo makes the codes, the address of the QR code and the random texts. Its `TOTPController` is not used: it knows one
 * step only and takes the time from the machine.
 */

import { timingSafeEqual } from 'node:crypto'
import { generateRandomString } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'
import { sha256 } from '../../../base/crypto/sha256.ts'

/** RFC 4226, 4: 160 bits. */
const SECRET_BYTES = 20
const STEP_MS = 30_000
/** One step either way: clocks differ, and people type slowly (RFC 6238, 5.2). */
const STEPS_AROUND = [-1, 0, 1]
const CODE_SHAPE = /^\d{6}$/

const RECOVERY_CODES = 10
/** Without what looks alike: 31 characters. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const RECOVERY_LENGTH = 24
const RECOVERY_SHAPE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_LENGTH}}$`)

/** A new secret of an authenticator app. */
export function newFactorSecret(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
}

/** The secret as people type it (base32, RFC 4648), and the `otpauth:` address that a QR code holds. */
export function showFactorSecret(
  secret: Uint8Array,
  issuer: string,
  email: string,
): { secret: string; uri: string } {
  return {
    secret: base32.encode(new Uint8Array(secret), { includePadding: false }),
    uri: createTOTPKeyURI(issuer, email, new Uint8Array(secret)),
  }
}

/** The step whose code this is, of those around now; undefined for any other text. Blanks in it do not matter. */
export async function stepOfCode(secret: Uint8Array, text: string, now: Date): Promise<number | undefined> {
  const code = text.replace(/\s/g, '')
  if (!CODE_SHAPE.test(code)) return undefined
  const current = Math.floor(now.getTime() / STEP_MS)
  const steps = STEPS_AROUND.map((around) => current + around)
  const codes = await Promise.all(steps.map((step) => generateHOTP(new Uint8Array(secret), step)))
  const same = codes.map((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(code)))
  return steps[same.indexOf(true)]
}

/** Ten new recovery codes, such as `k7mw-2hfp-x9qa-b3td-w6rn-c8sj`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    generateRandomString(RECOVERY_LENGTH, RECOVERY_ALPHABET).replace(/(.{4})(?=.)/g, '$1-'),
  )
}

/** What is stored of a recovery code; undefined for a text of another shape. Case, blanks and hyphens do not matter. */
export function hashRecoveryCode(text: string): Buffer | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase()
  return RECOVERY_SHAPE.test(code) ? Buffer.from(sha256(code)) : undefined
}
